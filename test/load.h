/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the reader's own profiles to findings, without queries. */
#ifndef SW_TEST_LOAD_H
#define SW_TEST_LOAD_H

#include "analyzer/report/loaded.h"

/* As sw_loaded_read() and sw_loaded_judge(); step NULL: the whole job. */
static inline int load_paths(struct sw_loaded *loaded, const char *const *paths,
			     size_t count, const char *step,
			     struct sw_error *error)
{
	const struct sw_job_files files = {
		.paths = paths, .count = count, .step = step,
		.uid = SW_MISSING,
	};

	if (sw_loaded_read(loaded, &files, error) < 0)
		return -1;
	return sw_loaded_judge(loaded, NULL, NULL, NULL, error);
}

#endif
