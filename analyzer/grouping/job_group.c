/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decide which names belong to the same group. */
#include "analyzer/grouping/job_group.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/missing.h"
#include "common/text.h"

/* Maximum number of programs in a name, and minimum share of CPU time. */
enum { PROGRAMS_MAX = 3, CAPTURES = 10 };
#define PROGRAM_SHARE 0.1

/* Default names, and names without meaning. */
static const char *const generic[] = {
	"", "#", "wrap", "sbatch", "srun", "salloc", "interactive", "bash",
	"sh", "zsh", "job", "job.sh", "run", "run.sh", "script", "script.sh",
	"submit", "submit.sh", "slurm", "slurm.sh", "batch", "test",
	"allocation", ".command.run", "jobscript", "jobscript.sh",
};

static const char *const shells[] = {
	"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "slurm_script",
	"env", "time", "timeout", "sleep",
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* Append to a group's name, truncating if it is too long. */
static void put(char *buf, const char *text, size_t length)
{
	sw_text_add(buf, SW_JOB_GROUP_SIZE, "%.*s", (int)length, text);
}

struct match {
	const struct sw_job_names *names;
	const char *user;	/* "" for the label */
	char name[SW_JOB_GROUP_SIZE];	/* folded */
	const char *raw_name;
	regmatch_t captures[CAPTURES];
};

static void put_field(char *buf, const struct match *match,
		      const char *field, size_t length)
{
	const struct {
		const char *name, *text;
	} fields[] = {
		{ "user", match->user },
		{ "name", match->name },
		{ "raw_name", match->raw_name },
		{ "partition", sw_text(match->names->partition) },
		{ "cluster", sw_text(match->names->cluster) },
		{ "programs", sw_text(match->names->programs) },
	};
	const regmatch_t *capture;
	size_t i;

	if (length == 1 && *field >= '0' && *field <= '9') {
		capture = &match->captures[*field - '0'];
		if (capture->rm_so >= 0)
			put(buf, match->raw_name + capture->rm_so,
			    (size_t)(capture->rm_eo - capture->rm_so));
	}
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strlen(fields[i].name) == length &&
		    !strncmp(fields[i].name, field, length))
			put(buf, fields[i].text, strlen(fields[i].text));
	}
}

static void expand(char *buf, const char *template, const struct match *match)
{
	const char *end;

	buf[0] = '\0';
	while (*template) {
		end = *template == '{' ? strchr(template, '}') : NULL;
		if (end) {
			put_field(buf, match, template + 1,
				  (size_t)(end - template) - 1);
			template = end + 1;
		} else {
			put(buf, template++, 1);
		}
	}
	/* The user is unknown or not wanted: "/align". */
	if (buf[0] == '/')
		memmove(buf, buf + 1, strlen(buf));
	if (!buf[0])
		snprintf(buf, SW_JOB_GROUP_SIZE, "?");
}

/* Snakemake's job names are UUIDs; the comment identifies the rule. */
static bool is_rule_comment(const char *comment)
{
	return !strncmp(comment, "rule_", 5) && comment[5];
}

const char *sw_job_names_main(const struct sw_job_names *names)
{
	const char *name = sw_text(names->name);
	char folded[SW_JOB_GROUP_SIZE];

	if (names->process && *names->process)
		return names->process;
	sw_fold_name(folded, sizeof(folded), name);
	return !strcmp(folded, "#") && is_rule_comment(sw_text(
		names->comment)) ? names->comment : name;
}

static void fold(struct match *match, const struct sw_job_names *names)
{
	char *wildcards;

	match->raw_name = sw_job_names_main(names);
	sw_fold_name(match->name, sizeof(match->name), match->raw_name);
	/* "rule_NAME_wildcards_..." */
	wildcards = strstr(match->name, "_wildcards_");
	if (wildcards && is_rule_comment(match->name))
		*wildcards = '\0';
	if (SW_IS_AMONG(match->name, generic) && *or_empty(names->programs))
		sw_text_add(match->name, sizeof(match->name), "%s%s",
			    *match->name ? ":" : "", names->programs);
}

static const struct sw_group_rule *find_rule(const struct sw_group_rules *rules,
					     const char *name,
					     const char *partition,
					     regmatch_t *captures)
{
	const struct sw_group_rule *rule;
	size_t i;

	for (i = 0; rules && i < rules->count; i++) {
		rule = &rules->items[i];
		if (rule->partition &&
		    strcmp(rule->partition, sw_text(partition)) != 0)
			continue;
		if (regexec(&rule->name, name, CAPTURES, captures, 0) == 0)
			return rule;
	}
	return NULL;
}

bool sw_group_rules_apply(const struct sw_group_rules *rules, const char *name,
			  const char *partition)
{
	regmatch_t captures[CAPTURES];

	return find_rule(rules, name, partition, captures) != NULL;
}

/* Append the step to the job: "align:samtools", "align:batch". */
static void put_step(char *buf, const struct sw_job_names *names)
{
	const char *step = or_empty(names->step);
	char folded[SW_JOB_GROUP_SIZE];

	if (!*step)
		return;
	if (names->step_program && *names->step_program &&
	    step[0] >= '0' && step[0] <= '9')
		step = sw_fold_name(folded, sizeof(folded),
				    names->step_program);
	sw_text_add(buf, SW_JOB_GROUP_SIZE, ":%s", step);
}

void sw_job_group_find(struct sw_job_group *result,
		       const struct sw_group_rules *rules,
		       const struct sw_job_names *names)
{
	struct match match = { .names = names };
	const struct sw_group_rule *rule;
	const char *template;
	size_t i;

	for (i = 0; i < CAPTURES; i++)
		match.captures[i].rm_so = -1;
	fold(&match, names);
	rule = find_rule(rules, match.raw_name, names->partition,
			 match.captures);
	template = rule ? rule->group : "{user}/{name}";
	match.user = sw_text(names->user);
	expand(result->group, template, &match);
	match.user = "";
	expand(result->label, template, &match);
	put_step(result->group, names);
	put_step(result->label, names);
}

struct program {
	const char *name;
	double cpu;
};

static int compare_cpu(const void *a, const void *b)
{
	const struct program *one = a, *two = b;

	if (one->cpu != two->cpu)
		return one->cpu < two->cpu ? 1 : -1;
	return strcmp(one->name, two->name);
}

static int compare_name(const void *a, const void *b)
{
	const struct program *one = a, *two = b;

	return strcmp(one->name, two->name);
}

char *sw_job_group_programs(char *buf, size_t size, const char *const *names,
			    const double *cpu, size_t count)
{
	struct program *programs = calloc(count ? count : 1,
					  sizeof(*programs));
	size_t i, used = 0, kept = 0;
	double sum = 0;

	buf[0] = '\0';
	if (!programs)
		return buf;
	for (i = 0; i < count; i++) {
		if (SW_IS_AMONG(names[i], shells) || !(cpu[i] >= 0))
			continue;
		programs[used++] = (struct program){ names[i], cpu[i] };
		sum += cpu[i];
	}
	qsort(programs, used, sizeof(*programs), compare_cpu);
	while (kept < used && kept < PROGRAMS_MAX &&
	       programs[kept].cpu >= PROGRAM_SHARE * sum)
		kept++;
	qsort(programs, kept, sizeof(*programs), compare_name);
	for (i = 0; i < kept; i++)
		sw_text_add(buf, size, "%s%s", i ? "+" : "", programs[i].name);
	free(programs);
	return buf;
}

/* A misspelled field would be in every group's name. */
static int check_template(const char *template, size_t groups,
			  struct sw_error *error)
{
	static const char *const fields[] = {
		"user", "name", "raw_name", "partition", "cluster", "programs",
	};
	const char *at, *end;
	char field[32];

	for (at = strchr(template, '{'); at; at = strchr(end, '{')) {
		end = strchr(at, '}');
		if (!end)
			return sw_error_set(error, "a \"{\" in the group has "
					    "no \"}\"");
		snprintf(field, sizeof(field), "%.*s", (int)(end - at) - 1,
			 at + 1);
		if (!SW_IS_AMONG(field, fields) &&
		    !(strlen(field) == 1 && *field >= '0' && *field <= '9' &&
		      (size_t)(*field - '0') <= groups))
			return sw_error_set(error, "unknown field \"{%s}\" in "
					    "the group; there are {user}, "
					    "{name}, {raw_name}, {partition}, "
					    "{cluster}, {programs} and {0} to "
					    "{%zu}", field,
					    groups < 9 ? groups : 9);
	}
	return 0;
}

int sw_group_rule_init(struct sw_group_rule *rule, const char *name,
		       const char *partition, const char *group,
		       struct sw_error *error)
{
	char why[128];
	int rc;

	memset(rule, 0, sizeof(*rule));
	rc = regcomp(&rule->name, name, REG_EXTENDED);
	if (rc != 0) {
		regerror(rc, &rule->name, why, sizeof(why));
		return sw_error_set(error, "not a regular expression: %s", why);
	}
	if (check_template(group, rule->name.re_nsub, error) < 0) {
		regfree(&rule->name);
		return -1;
	}
	rule->group = strdup(group);
	rule->partition = partition ? strdup(partition) : NULL;
	if (rule->group && (rule->partition || !partition))
		return 0;
	free(rule->group);
	free(rule->partition);
	regfree(&rule->name);
	return sw_error_set(error, "not enough memory");
}

void sw_group_rules_fini(struct sw_group_rules *rules)
{
	size_t i;

	for (i = 0; i < rules->count; i++) {
		regfree(&rules->items[i].name);
		free(rules->items[i].partition);
		free(rules->items[i].group);
	}
	free(rules->items);
	memset(rules, 0, sizeof(*rules));
}
