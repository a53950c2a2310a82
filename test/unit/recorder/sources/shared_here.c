/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sources of the node that are shared by steps, read in this process. */
#include "test/unit/recorder/sources/shared_here.h"

#include <stdlib.h>

#include "recorder/sources/reading.h"
#include "recorder/sources/shared.h"

struct sw_shared {
	struct sw_target target;
	void *memory;		/* NULL: none is open */
	struct sw_reading reading;
	enum sw_read_status opened;
};

static struct sw_shared here;

struct sw_shared *shared_here(int folder_fd)
{
	if (here.memory) {
		sw_reading_close(&here.reading);
		free(here.memory);
	}
	here = (struct sw_shared){ .target = {
		.cgroup_fd = -1, .proc_fd = folder_fd, .sys_fd = folder_fd } };
	return folder_fd < 0 ? NULL : &here;
}

enum sw_read_status sw_shared_open(struct sw_shared *shared,
				   const struct sw_source *source)
{
	if (!shared->memory) {
		shared->memory = calloc(1, sw_reading_bytes(source));
		if (!shared->memory)
			return SW_READ_ABSENT;
		sw_reading_init(&shared->reading, source, shared->memory);
		shared->opened = sw_reading_open(&shared->reading,
						 &shared->target);
	}
	return shared->opened;
}

enum sw_read_status sw_shared_take(struct sw_shared *shared,
				   const struct sw_source *source,
				   const struct sw_rows **rows)
{
	enum sw_read_status status = sw_shared_open(shared, source);

	*rows = &shared->reading.rows;
	if (status != SW_READ_OK)
		return status;
	return sw_reading_take(&shared->reading, &shared->target);
}

bool sw_shared_describe(struct sw_shared *shared,
			const struct sw_source *source, uint64_t index,
			struct sw_subject *subject)
{
	(void)source;
	return sw_reading_describe(&shared->reading, index, subject);
}
