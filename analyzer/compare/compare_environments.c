/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of a set of runs beside that of an earlier one. */
#include <math.h>
#include <string.h>

#include "analyzer/compare/compare_internal.h"
#include "common/missing.h"

/* A set has a value if at least this share of its runs has it. */
static const double NEARLY_ALL = 0.9;

static const struct {
	enum sw_difference_kind kind;
	size_t at; /* of the text */
} texts[] = {
	{ SW_DIFFERS_NODE_KIND,
	  offsetof(struct sw_fingerprint_environment, kind) },
	{ SW_DIFFERS_MOUNT,
	  offsetof(struct sw_fingerprint_environment, mount) },
	{ SW_DIFFERS_KERNEL,
	  offsetof(struct sw_fingerprint_environment, kernel) },
	{ SW_DIFFERS_NODE, offsetof(struct sw_fingerprint_environment, node) },
};

static const char *text_of(const struct sw_fingerprint *run, size_t at)
{
	return (const char *)&run->environment + at;
}

/* Runs of which the text is known, and those that have this one. */
static size_t count_text(const struct sw_fingerprint *const *runs, size_t count,
			 size_t at, const char *text, size_t *known)
{
	size_t having = 0, i;

	*known = 0;
	for (i = 0; i < count; i++) {
		*known += *text_of(runs[i], at) != '\0';
		having += !strcmp(text_of(runs[i], at), text);
	}
	return having;
}

static void compare_text(struct sw_comparison *comparison, size_t which,
			 const struct sw_run_set *now,
			 const struct sw_run_set *past)
{
	size_t at = texts[which].at, having, known, past_known, i;
	const char *text = text_of(now->runs[now->count - 1], at);
	struct sw_difference difference = sw_difference_none;

	having = count_text(now->runs, now->count, at, text, &known);
	if (!*text || known < SW_EXPECTED_LEAST ||
	    (double)having < NEARLY_ALL * (double)known ||
	    count_text(past->runs, past->count, at, text, &past_known) > 0 ||
	    past_known < SW_EXPECTED_LEAST)
		return;
	difference.kind = texts[which].kind;
	difference.runs = past_known;
	difference.now = text;
	for (i = 0; i < past->count; i++) {
		if (*text_of(past->runs[i], at))
			difference.before = text_of(past->runs[i], at);
	}
	comparison->environment[comparison->environment_count++] = difference;
}

/* The CPUs of all runs of a set; NAN: unknown, or several. */
static double cpus_of(const struct sw_run_set *set)
{
	uint64_t cpus = set->runs[0]->environment.cpus_milli;
	size_t i;

	for (i = 1; i < set->count; i++) {
		if (set->runs[i]->environment.cpus_milli != cpus)
			return NAN;
	}
	return sw_real_u64(cpus) / 1000;
}

void sw_compare_environments(struct sw_comparison *comparison,
			     const struct sw_run_set *now,
			     const struct sw_run_set *past)
{
	struct sw_difference cpus = sw_difference_none;
	size_t i;

	cpus.kind = SW_DIFFERS_CPUS;
	cpus.value = cpus_of(now);
	cpus.usual = cpus_of(past);
	cpus.runs = past->count;
	if (fabs(cpus.value - cpus.usual) > 0)
		comparison->environment[comparison->environment_count++] = cpus;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		/* A node of another kind is another node. */
		if (texts[i].kind == SW_DIFFERS_NODE &&
		    comparison->environment_count > 0 &&
		    comparison->environment[0].kind == SW_DIFFERS_NODE_KIND)
			continue;
		compare_text(comparison, i, now, past);
	}
}
