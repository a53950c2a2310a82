/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From paths to a result tree. */
#include "analyzer/loaded.h"

#include <string.h>

int sw_loaded_init(struct sw_loaded *loaded, const char *const *paths,
		   size_t count, const char *step,
		   const struct sw_settings *settings, struct sw_error *error)
{
	memset(loaded, 0, sizeof(*loaded));
	if (sw_job_init(&loaded->job, paths, count, step, error) < 0)
		return -1;
	return sw_result_init(&loaded->result, &loaded->job, settings, error);
}

void sw_loaded_fini(struct sw_loaded *loaded)
{
	sw_result_fini(&loaded->result);
	sw_job_fini(&loaded->job);
}
