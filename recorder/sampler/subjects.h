/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "subjects": what each index in a series refers to. */
#ifndef SW_RECORDER_SUBJECTS_H
#define SW_RECORDER_SUBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profiles/writer.h"
#include "recorder/sources/rows.h"

struct sw_subjects {
	struct sw_writer *writer;
	int table;		/* -1: not defined yet */
	uint64_t step;
};

/* Subjects of one source that have been named. */
struct sw_subjects_named {
	uint64_t bits[SW_SUBJECTS_MAX / 64];
};

/* Return true if index has been named, and mark it as named. */
bool sw_subjects_note(struct sw_subjects_named *named, uint64_t index);

void sw_subjects_write(struct sw_subjects *subjects, const char *source,
		       uint64_t index, const struct sw_subject *subject);

#endif
