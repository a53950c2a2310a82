/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Going on with a profile that its writer did not finish: what can be read of
 * it becomes the beginning of a new one of the same name.
 */
#ifndef SW_RECORDER_RECOVER_H
#define SW_RECORDER_RECOVER_H

#include <stdint.h>

#include "common/error.h"
#include "profiles/reader.h"
#include "profiles/writer.h"

/* Between a profile's name and ".part", while it is recovered. */
#define SW_RECOVER_SUFFIX ".old"

/*
 * NAME.part (and NAME.tail) of the folder spool, which is open as spool_fd.
 * Its tables get the columns that this release writes: an earlier one wrote
 * fewer, whose rows have nothing in the others, and what is no longer written
 * is left out.  A table that this release does not know stays as it is.
 * The reader that has its rows is left in *reader, to be closed.  NULL with
 * *error where it cannot be read or there is no room; it stays, as
 * NAME.old.part, for a later try.
 */
struct sw_writer *sw_recover(int spool_fd, const char *spool,
			     const char *name, struct sw_reader **reader,
			     struct sw_error *error);

/* The largest time of the rows of series.*; SW_MISSING if none. */
uint64_t sw_recover_last_usec(const struct sw_reader *reader);

/* The samples that a step with this key has: times in the table with most. */
uint64_t sw_recover_samples(const struct sw_reader *reader, uint64_t step);

#endif
