/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines for a script of sbatch(1). */
#include "analyzer/dialects/dialect.h"

static const char *assumes(const struct sw_request *request)
{
	(void)request;
	return "";
}

const struct sw_dialect sw_dialect_sbatch = {
	.name = "sbatch",
	.comment = "# ",
	.prefix = "#SBATCH ",
	.item = sw_slurm_item,
	.assumes = assumes,
};
