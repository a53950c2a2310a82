/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Visiting the counter sources: open, read, one row each.  A source that is
 * not there is named once; one whose text is not understood is visited less
 * and less often, and never ends the recording.
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
 * Open every source of the list (NULL-terminated) for target, which has to
 * outlive the sampler.  Allocates all that will be needed.  NULL with *error
 * where there is no memory.
 */
struct sw_sampler *sw_sampler_create(const struct sw_source *const *sources,
				     const struct sw_target *target,
				     struct sw_writer *writer,
				     struct sw_events *events,
				     struct sw_error *error);

/*
 * The rows of every source that is due; of every one when is_final.  self NULL:
 * no row of the recorder's own cost, and none of the node.
 */
void sw_sampler_take(struct sw_sampler *sampler,
		     const struct sw_sampler_self *self, bool is_final);

/* The first rows of sources that were waiting (SW_READ_LATER) for news. */
void sw_sampler_catch_up(struct sw_sampler *sampler);

/* A counter that somebody else has read, by the name of its column. */
struct sw_sampler_value {
	const char *column;
	uint64_t number;
};

/*
 * A row of a source where its own last read failed: the cgroup was gone
 * before the recorder came to it.  True where a row was written.
 */
bool sw_sampler_put(struct sw_sampler *sampler, const char *source,
		    const struct sw_sampler_value *values, size_t count);

/*
 * A source's counter as last read well, by the name of its column; SW_MISSING
 * where there was none.
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

/* Does a source of this backend of the backend give rows? */
bool sw_sampler_has(const struct sw_sampler *sampler, const char *backend);

/* Close the sources.  Takes NULL. */
void sw_sampler_destroy(struct sw_sampler *sampler);

#endif
