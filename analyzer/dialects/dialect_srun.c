/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for srun(1), on one line. */
#include "analyzer/dialects/dialect.h"

static void write(FILE *out, const struct sw_request *request, const char *name)
{
	char option[SW_DIALECT_ITEM_SIZE];
	unsigned i;

	(void)name;
	fputs("srun", out);
	for (i = 0; i < SW_RESOURCES; i++) {
		if (request->items[i].is_change)
			fprintf(out, " %s",
				sw_slurm_item(option, request,
					      (enum sw_resource)i, 1));
	}
	fputs("\n", out);
}

static const char *assumes(const struct sw_request *request)
{
	(void)request;
	return "";
}

const struct sw_dialect sw_dialect_srun = {
	.name = "srun",
	.manual =
	"The same options on one line.",
	.comment = "# ",
	.prefix = "",
	.item = sw_slurm_item,
	.write = write,
	.assumes = assumes,
};
