/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows put aside in parts, to be taken again a part at a time.  What is more
 * than a little of each part is in a file without a name, in TMPDIR or
 * /var/tmp.
 */
#ifndef SW_ANALYZER_STEP_SPILL_H
#define SW_ANALYZER_STEP_SPILL_H

#include "analyzer/summaries/step_rows.h"
#include "common/error.h"

struct sw_step_spill;

/* NULL (errno ENOMEM). */
struct sw_step_spill *sw_step_spill_new(size_t parts);
void sw_step_spill_free(struct sw_step_spill *spill);

/* A copy of it.  0, or -1 with *error. */
int sw_step_spill_add(struct sw_step_spill *spill, size_t part,
		      const struct sw_step_row *row, struct sw_error *error);

/*
 * Hand out the rows of a part in the order in which they were added, once.  0,
 * what take() returned, or -1 with *error.
 */
int sw_step_spill_take(struct sw_step_spill *spill, size_t part,
		       int (*take)(void *context,
				   const struct sw_step_row *row),
		       void *context, struct sw_error *error);

#endif
