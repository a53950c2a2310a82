/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Part of a profile of Snakemake 8 or later.  Its documentation, "Command line
 * interface / Profiles" and "Snakefiles and Rules / Dynamic resources":
 * set-threads and set-resources are maps by rule, and values are Python
 * expressions in which attempt counts from 1; mem_mb is in 10^6 bytes, runtime
 * in minutes.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "advice/text.h"
#include "analyzer/dialects/dialect.h"
#include "common/units.h"

static const char *const names[SW_RESOURCES] = {
	[SW_RESOURCE_MEMORY] = "mem_mb",
	[SW_RESOURCE_TIME] = "runtime",
	[SW_RESOURCE_CORES] = "threads",
	[SW_RESOURCE_GPUS] = "gpu",
	[SW_RESOURCE_TASKS] = "tasks",
	[SW_RESOURCE_NODES] = "nodes",
};

static uint64_t value_of(const struct sw_request *request,
			 enum sw_resource resource, size_t attempt)
{
	const uint64_t mb = 1000000;
	uint64_t value = sw_request_attempt(&request->items[resource], attempt);

	return resource == SW_RESOURCE_MEMORY ?
	       (value * SW_MIB + mb - 1) / mb : value;
}

static char *item(char *buf, const struct sw_request *request,
		  enum sw_resource resource, size_t attempt)
{
	const struct sw_request_item *it = &request->items[resource];
	const size_t size = SW_DIALECT_ITEM_SIZE;
	size_t i;

	buf[0] = '\0';
	if (!sw_request_retries(request, resource) || attempt > 1) {
		sw_text_add(buf, size, "%s: %" PRIu64, names[resource],
			    value_of(request, resource, attempt));
		return buf;
	}
	/* Quoted, since "[" begins a list in YAML. */
	sw_text_add(buf, size, "%s: \"[", names[resource]);
	for (i = 1; i <= it->retry_count + 1; i++)
		sw_text_add(buf, size, "%s%" PRIu64, i > 1 ? ", " : "",
			    value_of(request, resource, i));
	sw_text_add(buf, size, "][min(attempt, %zu) - 1]\"", i - 1);
	return buf;
}

/* Write a rule as a key: plain if possible, otherwise double-quoted. */
static void put_rule(FILE *out, const char *name)
{
	const unsigned char *c;
	bool is_plain = *name && !isdigit((unsigned char)*name);

	for (c = (const unsigned char *)name; *c; c++)
		is_plain = is_plain && *c < 128 && (isalnum(*c) || *c == '_');
	if (is_plain) {
		fputs(name, out);
		return;
	}
	fputc('"', out);
	for (c = (const unsigned char *)name; *c; c++) {
		if (*c == '"' || *c == '\\')
			fprintf(out, "\\%c", *c);
		else if (*c < 32 || *c > 126)
			fprintf(out, "\\x%02x", *c);
		else
			fputc(*c, out);
	}
	fputc('"', out);
}

static void write_resources(FILE *out, const struct sw_request *request,
			    const char *rule)
{
	char text[SW_DIALECT_ITEM_SIZE];
	bool has_head = false;
	unsigned i;

	for (i = 0; i < SW_RESOURCES; i++) {
		if (!request->items[i].is_change || i == SW_RESOURCE_CORES)
			continue;
		if (!has_head) {
			fputs("set-resources:\n  ", out);
			put_rule(out, rule);
			fputs(":\n", out);
		}
		has_head = true;
		fprintf(out, "    %s\n",
			item(text, request, (enum sw_resource)i, 1));
	}
}

static void write(FILE *out, const struct sw_request *request, const char *name)
{
	const struct sw_request_item *cores =
		&request->items[SW_RESOURCE_CORES];
	const char *rule = sw_group_job_name(name);

	if (sw_request_most_retries(request))
		fprintf(out, "retries: %zu\n",
			sw_request_most_retries(request));
	if (cores->is_change) {
		fputs("set-threads:\n  ", out);
		put_rule(out, rule);
		fprintf(out, ": %" PRIu64 "\n", cores->next);
	}
	write_resources(out, request, rule);
}

static const char *assumes(const struct sw_request *request)
{
	return request->items[SW_RESOURCE_MEMORY].is_change
		       ? "mem_mb is in units of 10^6 bytes; executors that "
			 "pass it on to "
			 "Slurm unchanged request 5 % more, because Slurm "
			 "counts in 2^20."
		       : "";
}

const struct sw_dialect sw_dialect_snakemake = {
	.name = "snakemake",
	.manual =
	"set-threads, set-resources and retries for a profile's "
	"config.yaml, in which memory and time are lists by attempt; "
	"for Snakemake 8 or later. mem_mb is in MB (10^6 bytes), "
	"runtime in minutes.",
	.comment = "# ",
	.prefix = "",
	.item = item,
	.write = write,
	.assumes = assumes,
	.has_retries = true,
};
