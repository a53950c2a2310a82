/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A short-lived child for libraries that read the environment and may abort: it
 * has no environment, descriptors or rights of the recorder, and little time.
 */
#ifndef SW_RECORDER_PAPI_CHILD_H
#define SW_RECORDER_PAPI_CHILD_H

#include <stddef.h>

/* Settings passed to the library; NULL: not set. */
struct sw_papi_place {
	const char *events_file, *processor;
};

/* Return zeroed memory shared with the child (munmap(2) frees it), or NULL. */
void *sw_papi_child_memory(size_t size);

/* Run work in a child, and wait until it has exited or was killed. */
void sw_papi_child_run(void (*work)(void *context), void *context,
		       const struct sw_papi_place *place);

#endif
