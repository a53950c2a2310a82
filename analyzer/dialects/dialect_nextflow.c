/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A block of nextflow.config.  Nextflow's documentation, "Configuration /
 * Process selectors" and "Dynamic task resources": a selector is a regular
 * expression on the process's name; 1.MB is 1024^2 bytes; kills for memory and
 * time result in exit statuses 137 to 140.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "advice/text.h"
#include "analyzer/dialects/dialect.h"

static const struct {
	const char *name, *unit;
} directives[SW_RESOURCES] = {
	[SW_RESOURCE_MEMORY] = { "memory", ".MB" },
	[SW_RESOURCE_TIME] = { "time", ".min" },
	[SW_RESOURCE_CORES] = { "cpus", "" },
	[SW_RESOURCE_GPUS] = { "accelerator", "" },
};

static char *item(char *buf, const struct sw_request *request,
		  enum sw_resource resource, size_t attempt)
{
	const struct sw_request_item *it = &request->items[resource];
	const char *name = directives[resource].name;
	const char *unit = directives[resource].unit;
	const size_t size = SW_DIALECT_ITEM_SIZE;
	size_t i;

	buf[0] = '\0';
	if (!name || (resource == SW_RESOURCE_GPUS && it->next == 0))
		return buf;
	if (!sw_request_retries(request, resource) || attempt > 1) {
		sw_text_add(buf, size, "%s = %" PRIu64 "%s", name,
			    sw_request_attempt(it, attempt), unit);
		return buf;
	}
	sw_text_add(buf, size, "%s = { [", name);
	for (i = 1; i <= it->retry_count + 1; i++)
		sw_text_add(buf, size, "%s%" PRIu64 "%s", i > 1 ? ", " : "",
			    sw_request_attempt(it, i), unit);
	sw_text_add(buf, size, "][Math.min(task.attempt, %zu) - 1] }", i - 1);
	return buf;
}

/*
 * Write a quoted selector, which matches the process's name only.  Characters
 * that process names cannot contain are replaced, as they could have a meaning
 * in Groovy or in the regular expression.
 */
static void put_selector(FILE *out, const char *name)
{
	fputc('\'', out);
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		fputc(c < 128 && (isalnum(c) || strchr("_:-#", c)) ? c : '_',
		      out);
	}
	fputc('\'', out);
}

static void write(FILE *out, const struct sw_request *request, const char *name)
{
	char text[SW_DIALECT_ITEM_SIZE];
	const char *job = sw_group_job_name(name);
	unsigned i;

	fputs("process {\n    withName: ", out);
	put_selector(out, job);
	fputs(" {\n", out);
	for (i = 0; i < SW_RESOURCES; i++) {
		if (request->items[i].is_change &&
		    *item(text, request, (enum sw_resource)i, 1))
			fprintf(out, "        %s\n", text);
	}
	if (sw_request_most_retries(request))
		fprintf(out,
			"        errorStrategy = { task.exitStatus in "
			"137..140 ? 'retry' : 'terminate' }\n"
			"        maxRetries = %zu\n",
			sw_request_most_retries(request));
	fputs("    }\n}\n", out);
}

static const char *assumes(const struct sw_request *request)
{
	const char *name = request->advice->name;

	if (name && !strncmp(name, "nf-", 3))
		return "In Slurm's job names, Nextflow writes \"_\" for the "
		       "\":\" of process names: if this process is part of a "
		       "workflow, use its own name here.";
	return request->items[SW_RESOURCE_TASKS].is_change ||
	       request->items[SW_RESOURCE_NODES].is_change ?
	       "Nextflow has no directive for tasks and nodes; they go into "
	       "clusterOptions." : "";
}

const struct sw_dialect sw_dialect_nextflow = {
	.name = "nextflow",
	.manual =
	"A withName block for nextflow.config, in which memory and "
	"time are lists by task.attempt, with errorStrategy for exit "
	"statuses 137 to 140 and maxRetries. The selector is the "
	"process name of the newest run. In the Slurm job names of "
	"Nextflow, \"_\" replaces the \":\" of process names; the output "
	"says so.",
	.comment = "// ",
	.prefix = "",
	.item = item,
	.write = write,
	.assumes = assumes,
	.has_retries = true,
};
