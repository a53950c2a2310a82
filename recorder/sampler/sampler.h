/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the counter sources: open, read, write one row each.  A source that is
 * absent is reported once.  A source with malformed text is read less and less
 * often.  Neither ends the recording.
 */
#ifndef SW_RECORDER_SAMPLER_H
#define SW_RECORDER_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/writer.h"
#include "recorder/sources/source.h"
#include "recorder/tables/events.h"
#include "recorder/tables/self.h"

struct sw_sampler;

/*
 * Open every source of the NULL-terminated list for target, which must outlive
 * the sampler.  Allocates all memory that is needed.  Return NULL with *error
 * if out of memory.
 */
struct sw_sampler *sw_sampler_create(const struct sw_source *const *sources,
				     const struct sw_target *target,
				     struct sw_writer *writer,
				     struct sw_events *events,
				     struct sw_error *error);

/*
 * Write the rows of every source that is due, or of all sources if is_final.
 * self NULL: omit the rows of the recorder's own cost and of the node.
 */
void sw_sampler_take(struct sw_sampler *sampler,
		     const struct sw_sampler_self *self, bool is_final);

/* Write the first rows of sources that returned SW_READ_LATER. */
void sw_sampler_catch_up(struct sw_sampler *sampler);

/* A counter read by other means, by the name of its column. */
struct sw_sampler_value {
	const char *column;
	uint64_t number;
};

/*
 * Write a row of a source whose own last read failed because the cgroup was
 * removed first.  Return true if a row was written.
 */
bool sw_sampler_put(struct sw_sampler *sampler, const char *source,
		    const struct sw_sampler_value *values, size_t count);

/*
 * Return a counter of a source as of its last successful read, by the name of
 * its column, or SW_MISSING if there is none.
 */
uint64_t sw_sampler_last(const struct sw_sampler *sampler, const char *source,
			 const char *column);

/* The rows of the last read of one of the step's own sources, which may have
 * none; NULL: there is no such source. */
const struct sw_rows *sw_sampler_rows(const struct sw_sampler *sampler,
				      const char *source);

/* When that row was read, on the boot-time clock; SW_MISSING: never. */
uint64_t sw_sampler_last_usec(const struct sw_sampler *sampler,
			      const char *source);

/* When the counters of a source that waits to be read began, at zero, with a
 * row of its own in the profile; SW_MISSING: it does not wait. */
uint64_t sw_sampler_began_usec(const struct sw_sampler *sampler,
			       const char *source);

/* Rounds taken so far. */
uint64_t sw_sampler_count(const struct sw_sampler *sampler);

/* Return true if a source with this backend provides rows. */
bool sw_sampler_has(const struct sw_sampler *sampler, const char *backend);

/* Close the sources.  Accepts NULL. */
void sw_sampler_destroy(struct sw_sampler *sampler);

#endif
