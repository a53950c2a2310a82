/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What users wrote of their jobs, from a query of its own: a text there can
 * look like a line of another job, but no job comes to be of it.
 */
#ifndef SW_ANALYZER_RECORD_TEXTS_H
#define SW_ANALYZER_RECORD_TEXTS_H

#include "analyzer/accounting/record_lines.h"
#include "analyzer/accounting/record_taker.h"

struct sw_record_text;

struct sw_record_texts {
	struct sw_record_text *items;	/* in the order of their keys */
	size_t count;
};

/*
 * Read all lines, whose text must outlive the texts.  Lines that lack a field
 * are complained of and count as bad.  0, or -1 with *error (memory).
 */
int sw_record_texts_read(struct sw_record_texts *texts,
			 struct sw_record_lines *lines,
			 const struct sw_records_taker *taker,
			 struct sw_records_sums *sums, struct sw_error *error);

/*
 * Complete the fields of a line: with "" if nothing, or more than one line,
 * is there of the same run.
 */
void sw_record_texts_put(struct sw_record_texts *texts,
			 const char *field[SW_RECORD_FIELDS]);

/* Complain of lines of runs that were never asked for, and of doubled ones. */
void sw_record_texts_check(const struct sw_record_texts *texts,
			   const struct sw_records_taker *taker,
			   struct sw_records_sums *sums);
void sw_record_texts_fini(struct sw_record_texts *texts);

#endif
