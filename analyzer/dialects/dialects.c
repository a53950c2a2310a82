/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dialects, and their shared functions. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/settings/settings.h"
#include "common/missing.h"
#include "common/text.h"

#define DIALECT(name) &sw_dialect_##name,
const struct sw_dialect *const sw_dialects[] = {
#include "analyzer/dialects/dialect_list.h"
	NULL,
};
#undef DIALECT

const struct sw_dialect *sw_dialect_find(const char *name)
{
	const struct sw_dialect *const *dialect;

	for (dialect = sw_dialects; *dialect; dialect++) {
		if (!strcmp((*dialect)->name, name))
			return *dialect;
	}
	return NULL;
}

char *sw_dialect_names(char *buf)
{
	const struct sw_dialect *const *dialect;

	buf[0] = '\0';
	for (dialect = sw_dialects; *dialect; dialect++)
		sw_text_add(buf, SW_DIALECT_NAMES_SIZE, "%s%s",
			    *buf ? ", " : "", (*dialect)->name);
	return buf;
}

const struct sw_dialect *sw_dialect_of_site(const struct sw_settings *settings)
{
	return sw_settings_lsb_acct(settings) ? &sw_dialect_lsf :
						&sw_dialect_sbatch;
}

const struct sw_dialect *sw_dialect_of(const struct sw_advice *advice)
{
	const struct sw_history_runs *runs = &advice->runs;

	if (runs->count && runs->jobs &&
	    !strncmp(sw_text(runs->jobs[runs->count - 1]), "lsf:", 4))
		return &sw_dialect_lsf;
	return sw_dialects[0];
}

const char *sw_resource_word(enum sw_resource resource)
{
	static const char *const words[] = {
		[SW_RESOURCE_MEMORY] = "memory", [SW_RESOURCE_TIME] = "time",
		[SW_RESOURCE_CORES] = "CPUs", [SW_RESOURCE_GPUS] = "GPUs",
		[SW_RESOURCE_TASKS] = "tasks", [SW_RESOURCE_NODES] = "nodes",
	};

	return words[resource];
}

const char *sw_group_job_name(const char *group)
{
	static const char *const prefixes[] = { "nf-", "snakejob.", "rule_" };
	const char *slash = strchr(group, '/');
	const char *name = slash && slash[1] ? slash + 1 : group;
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t length = strlen(prefixes[i]);

		if (!strncmp(name, prefixes[i], length) && name[length])
			return name + length;
	}
	return name;
}

/* Length up to the task's tag, or the number of Snakemake's job. */
static size_t rule_length(const char *name, const char *rule)
{
	const char *tag = strchr(rule, '(');
	size_t length = strlen(rule);

	if (tag && tag > rule + 1 && (tag[-1] == ' ' || tag[-1] == '_'))
		return (size_t)(tag - 1 - rule);
	if (strncmp(name, "snakejob.", 9) != 0)
		return length;
	if (length > 3 && !strcmp(rule + length - 3, ".sh"))
		length -= 3;
	while (length > 1 && isdigit((unsigned char)rule[length - 1]))
		length--;
	return length > 1 && rule[length - 1] == '.' ? length - 1 :
						       strcspn(rule, ".");
}

char *sw_rule_of_advice(char *buf, size_t size,
			const struct sw_advice *advice)
{
	const char *job = sw_group_job_name(advice->group);
	const char *name = sw_text(advice->name), *rule;
	char folded[SW_JOB_GROUP_SIZE];
	size_t length, all;

	/* In groups from a CSV, the workflow precedes the name. */
	sw_fold_name(folded, sizeof(folded), name);
	rule = sw_group_job_name(folded);
	length = strlen(rule);
	all = strlen(job);
	if (!length || length > all || strcmp(job + all - length, rule) ||
	    (length < all && job[all - length - 1] != ':')) {
		snprintf(buf, size, "%s", job);
		return buf;
	}
	rule = sw_group_job_name(name);
	snprintf(buf, size, "%.*s", (int)rule_length(name, rule), rule);
	return buf;
}
