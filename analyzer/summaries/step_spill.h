/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows spilled in parts, to be read back part by part.  All but a little of
 * each part is in an unnamed file, in TMPDIR or /var/tmp.
 */
#ifndef SW_ANALYZER_STEP_SPILL_H
#define SW_ANALYZER_STEP_SPILL_H

#include "analyzer/summaries/step_rows.h"
#include "common/error.h"

struct sw_step_spill;

/* Return NULL (errno ENOMEM). */
struct sw_step_spill *sw_step_spill_new(size_t parts);
void sw_step_spill_free(struct sw_step_spill *spill);

/* Copy a row.  Return 0, or -1 with *error. */
int sw_step_spill_add(struct sw_step_spill *spill, size_t part,
		      const struct sw_step_row *row, struct sw_error *error);

/*
 * Pass the rows of a part to take() in the order of addition, once.  Return 0,
 * the result of take(), or -1 with *error.
 */
int sw_step_spill_take(struct sw_step_spill *spill, size_t part,
		       int (*take)(void *context,
				   const struct sw_step_row *row),
		       void *context, struct sw_error *error);

#endif
