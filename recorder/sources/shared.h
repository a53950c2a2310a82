/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counter sources of the node: one state for all steps, read at most once
 * where several steps are sampled together.
 */
#ifndef SW_RECORDER_SHARED_H
#define SW_RECORDER_SHARED_H

#include "common/error.h"
#include "recorder/sources/source.h"

struct sw_shared;

/*
 * Those of both lists (NULL-terminated) that are of the node; nothing is
 * opened yet.  The descriptors stay the caller's.  NULL with *error where
 * there is no memory.
 */
struct sw_shared *sw_shared_create(const struct sw_source *const *sources,
				   const struct sw_source *const *hidden,
				   int proc_fd, int sys_fd,
				   struct sw_error *error);

/* Open all of them now; else each one is opened when it is first asked for. */
void sw_shared_prepare(struct sw_shared *shared);

/* Is the source there?  Of one that is aside also as long as none knows. */
enum sw_read_status sw_shared_open(struct sw_shared *shared,
				   const struct sw_source *source);

/* Its rows of just now; *rows is valid until the next call. */
enum sw_read_status sw_shared_take(struct sw_shared *shared,
				   const struct sw_source *source,
				   const struct sw_rows **rows);

bool sw_shared_describe(struct sw_shared *shared,
			const struct sw_source *source, uint64_t index,
			struct sw_subject *subject);

/* Takes NULL. */
void sw_shared_destroy(struct sw_shared *shared);

#endif
