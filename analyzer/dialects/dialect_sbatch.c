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
	.manual =
	"#SBATCH lines: --mem (on each node), or --mem-per-cpu or "
	"--mem-per-gpu if the script, the jobs (as far as sacct says "
	"so) or memory_per in stepwell.yaml(5) have it so, --time, "
	"--cpus-per-task, --gpus-per-node, --ntasks, --nodes, as in "
	"sbatch(1).",
	.comment = "# ",
	.prefix = "#SBATCH ",
	.item = sw_slurm_item,
	.assumes = assumes,
};
