/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counter sources whose calls may block, such as those of a driver: one
 * process opens and reads all of them, once a second, and hands their rows
 * over in shared memory, so that nobody waits for it.  When a call does not
 * come back the process is killed and another one goes on without that source;
 * an hour later it is tried again.
 */
#ifndef SW_RECORDER_ASIDE_H
#define SW_RECORDER_ASIDE_H

#include "common/error.h"
#include "recorder/sources/source.h"

enum { SW_HELPER_SOURCES_MAX = 8 };

struct sw_helper;

/*
 * Start it for those sources of the NULL-terminated lists that are helper.
 * target has proc_fd and sys_fd and outlives it.  NULL with *error where there
 * is no memory, NULL with an empty text where there is no such source.
 */
struct sw_helper *sw_helper_start(const struct sw_source *const *sources,
				  const struct sw_source *const *hidden,
				  const struct sw_target *target,
				  struct sw_error *error);

/*
 * The source's last rows into *rows, whose cells are the caller's; none as
 * long as it has not answered.  ABSENT: it could not be opened; GONE: it does
 * not answer any more.
 */
enum sw_read_status sw_helper_take(struct sw_helper *helper,
				   const struct sw_source *source,
				   struct sw_rows *rows);

/* ABSENT where it could not be opened; OK also as long as none knows. */
enum sw_read_status sw_helper_opened(const struct sw_helper *helper,
				     const struct sw_source *source);

bool sw_helper_describe(const struct sw_helper *helper,
			const struct sw_source *source, uint64_t index,
			struct sw_subject *subject);

/* Kill it.  Takes NULL. */
void sw_helper_stop(struct sw_helper *helper);

#endif
