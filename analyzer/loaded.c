/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a path to a result tree. */
#include "analyzer/loaded.h"

#include <stdlib.h>
#include <string.h>

int sw_loaded_init(struct sw_loaded *loaded, const char *path,
		   const struct sw_settings *settings, struct sw_error *error)
{
	uint64_t *keys;
	size_t count;
	int rc;

	memset(loaded, 0, sizeof(*loaded));
	loaded->reader = sw_reader_open(path, error);
	if (!loaded->reader ||
	    sw_view_steps(loaded->reader, &keys, &count, error) < 0)
		return -1;
	rc = sw_view_init(&loaded->view, loaded->reader, keys[0], error);
	free(keys);
	if (rc < 0)
		return -1;
	return sw_result_init(&loaded->result, &loaded->view, settings, error);
}

void sw_loaded_fini(struct sw_loaded *loaded)
{
	sw_result_fini(&loaded->result);
	sw_view_fini(&loaded->view);
	sw_reader_close(loaded->reader);
	loaded->reader = NULL;
}

bool sw_loaded_is_partial(const struct sw_loaded *loaded)
{
	const struct sw_reader_health *health;

	health = sw_reader_health(loaded->reader);
	return health->frames_damaged || health->frames_missing;
}
