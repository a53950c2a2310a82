/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Continue a profile that its writer did not finish: its readable part becomes
 * the beginning of a new one with the same name.
 */
#ifndef SW_RECORDER_RECOVER_H
#define SW_RECORDER_RECOVER_H

#include <stdint.h>

#include "common/error.h"
#include "profiles/reader.h"
#include "profiles/writer.h"

/* Inserted before ".part" during recovery */
#define SW_RECOVER_SUFFIX ".old"

/*
 * Recover NAME.part (and NAME.tail) of the directory spool, which is open as
 * spool_fd.  Its tables get the columns of this release: columns added since
 * are missing in old rows, and columns no longer written are dropped.  Unknown
 * tables are copied as they are.  *reader is set to the reader of the old rows,
 * to be closed.  Return NULL with *error if the file cannot be read or there is
 * no space; it remains as NAME.old.part, for a later try.
 */
struct sw_writer *sw_recover(int spool_fd, const char *spool,
			     const char *name, struct sw_reader **reader,
			     struct sw_error *error);

/* Return the latest time in series.*; SW_MISSING if none. */
uint64_t sw_recover_last_usec(const struct sw_reader *reader);

/* Return the number of samples of a step: times in the table with most. */
uint64_t sw_recover_samples(const struct sw_reader *reader, uint64_t step);

#endif
