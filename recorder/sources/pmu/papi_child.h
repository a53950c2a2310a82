/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A short child for libraries that read the environment and may abort: it has
 * neither environment nor descriptors nor rights of the recorder, and little
 * time.
 */
#ifndef SW_RECORDER_PAPI_CHILD_H
#define SW_RECORDER_PAPI_CHILD_H

#include <stddef.h>

/* The two things that such a library may know; NULL: not set. */
struct sw_papi_place {
	const char *events_file, *processor;
};

/* Zeroed, and shared with the child; munmap(2) ends it.  NULL: none. */
void *sw_papi_child_memory(size_t size);

/* Call work there, and wait until it has ended or was killed. */
void sw_papi_child_run(void (*work)(void *context), void *context,
		       const struct sw_papi_place *place);

#endif
