/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counter sources whose calls may block, such as those of a driver: one process
 * opens and reads all of them, once per second, and passes their rows in shared
 * memory, so that the recorder never waits.  If a call hangs, the process is
 * killed and another one continues without that source, which is tried again an
 * hour later.
 */
#ifndef SW_RECORDER_ASIDE_H
#define SW_RECORDER_ASIDE_H

#include "common/error.h"
#include "recorder/sources/source.h"

enum { SW_HELPER_SOURCES_MAX = 8 };

struct sw_helper;

/*
 * Start the process for the out-of-process sources of both NULL-terminated
 * lists.  target has proc_fd and sys_fd and must outlive it.  Return NULL with
 * *error if out of memory, NULL with an empty text if there is no such source.
 */
struct sw_helper *sw_helper_start(const struct sw_source *const *sources,
				  const struct sw_source *const *hidden,
				  const struct sw_target *target,
				  struct sw_error *error);

/*
 * Copy the source's last rows to *rows, whose cells belong to the caller; none
 * until it has answered.  Return ABSENT if it could not be opened, GONE if it
 * no longer answers.
 */
enum sw_read_status sw_helper_take(struct sw_helper *helper,
				   const struct sw_source *source,
				   struct sw_rows *rows);

/* Return ABSENT if it could not be opened; OK also while that is unknown. */
enum sw_read_status sw_helper_opened(const struct sw_helper *helper,
				     const struct sw_source *source);

bool sw_helper_describe(const struct sw_helper *helper,
			const struct sw_source *source, uint64_t index,
			struct sw_subject *subject);

/* Kill the process.  Accepts NULL. */
void sw_helper_stop(struct sw_helper *helper);

#endif
