/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counter sources of the node: one state for all steps, read at most once if
 * several steps are sampled together.
 */
#ifndef SW_RECORDER_SHARED_H
#define SW_RECORDER_SHARED_H

#include "common/error.h"
#include "recorder/sources/source.h"

struct sw_shared;

/*
 * Create the state for the node's sources of both NULL-terminated lists; opens
 * nothing yet.  The caller keeps the descriptors.  Return NULL with *error if
 * out of memory.
 */
struct sw_shared *sw_shared_create(const struct sw_source *const *sources,
				   const struct sw_source *const *hidden,
				   int proc_fd, int sys_fd,
				   struct sw_error *error);

/* Open all sources now rather than at their first use. */
void sw_shared_prepare(struct sw_shared *shared);

/* Return OK if it is there; if out of process, also while not known. */
enum sw_read_status sw_shared_open(struct sw_shared *shared,
				   const struct sw_source *source);

/* Get its current rows; *rows is valid until the next call. */
enum sw_read_status sw_shared_take(struct sw_shared *shared,
				   const struct sw_source *source,
				   const struct sw_rows **rows);

bool sw_shared_describe(struct sw_shared *shared,
			const struct sw_source *source, uint64_t index,
			struct sw_subject *subject);

/* Accepts NULL. */
void sw_shared_destroy(struct sw_shared *shared);

#endif
