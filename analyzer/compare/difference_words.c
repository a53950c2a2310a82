/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences in words. */
#include "analyzer/compare/difference_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/view/bottleneck_words.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"

/* Further differences and circumstances named in a first line. */
enum { ALSO_MAX = 2, BESIDE_MAX = 2, NAMED_MAX = 3,
       FURTHER_MAX = 2 };

enum unit { UNIT_COUNT, UNIT_BYTES, UNIT_TIME };

/* What the step or a program did: "wrote 3 MiB", "used 2 s of CPU time". */
struct deed {
	const char *verb, *after;
	enum unit unit;
};

static const struct deed program_deeds[SW_PROGRAM_AMOUNTS] = {
	[SW_PROGRAM_COUNT] = { "ran", " times", UNIT_COUNT },
	[SW_PROGRAM_CPU_USEC] = { "used", " of CPU time", UNIT_TIME },
	[SW_PROGRAM_READ_BYTES] = { "read", "", UNIT_BYTES },
	[SW_PROGRAM_WRITTEN_BYTES] = { "wrote", "", UNIT_BYTES },
	[SW_PROGRAM_LONGEST_USEC] = { "took", "", UNIT_TIME },
};

static const struct deed step_deeds[SW_STEP_AMOUNTS] = {
	[SW_STEP_ELAPSED_USEC] = { "took", "", UNIT_TIME },
	[SW_STEP_CPU_USEC] = { "used", " of CPU time", UNIT_TIME },
	[SW_STEP_NEED_BYTES] = { "needed", " of memory", UNIT_BYTES },
	[SW_STEP_READ_BYTES] = { "read", "", UNIT_BYTES },
	[SW_STEP_WRITTEN_BYTES] = { "wrote", "", UNIT_BYTES },
	[SW_STEP_MOUNT_USEC] = { "waited", " for I/O on its main mount",
				 UNIT_TIME },
};

const char *sw_difference_name(enum sw_difference_kind kind)
{
	static const char *const names[SW_DIFFERS_KINDS] = {
		[SW_DIFFERS_STATE] = "state",
		[SW_DIFFERS_EXIT] = "exit",
		[SW_DIFFERS_ABSENT] = "absent",
		[SW_DIFFERS_RATE] = "rate",
		[SW_DIFFERS_FEWER] = "fewer",
		[SW_DIFFERS_PHASE] = "phase",
		[SW_DIFFERS_LESS] = "less",
		[SW_DIFFERS_MORE] = "more",
		[SW_DIFFERS_LIMIT] = "limit",
		[SW_DIFFERS_PRESENT] = "present",
		[SW_DIFFERS_NUMEROUS] = "numerous",
		[SW_DIFFERS_CPUS] = "cpus",
		[SW_DIFFERS_NODE_KIND] = "node_kind",
		[SW_DIFFERS_MOUNT] = "mount",
		[SW_DIFFERS_NEIGHBORS] = "neighbors",
		[SW_DIFFERS_BINDING] = "binding",
		[SW_DIFFERS_KERNEL] = "kernel",
		[SW_DIFFERS_NODE] = "node",
	};

	return names[kind];
}

const char *sw_run_state_words(enum sw_run_state state)
{
	static const char *const words[] = {
		[SW_RUN_UNKNOWN] = "ended in an unknown way",
		[SW_RUN_COMPLETED] = "succeeded",
		[SW_RUN_FAILED] = "failed",
		[SW_RUN_OUT_OF_MEMORY] = "ran out of memory",
		[SW_RUN_TIMEOUT] = "reached its time limit",
		[SW_RUN_CANCELLED] = "was cancelled",
	};

	return words[state];
}

static struct sw_units_text amount_text(enum unit unit, double amount)
{
	uint64_t whole = isnan(amount) ? SW_MISSING : sw_whole_real(amount);

	if (unit == UNIT_BYTES)
		return sw_size_text(whole);
	return unit == UNIT_TIME ? sw_duration_text(whole)
				 : sw_count_text(whole);
}

/* Names are users' texts: none may end a sentence and begin another. */
struct name_text {
	char s[SW_FINGERPRINT_TEXT * sizeof("\\x20")];
};

static struct name_text name_text(const char *name)
{
	struct name_text text;

	sw_name_words(text.s, sizeof(text.s), name);
	return text;
}

static const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

/* A difference from one other run, which needs no words about a past. */
static bool is_of_pair(const struct sw_difference *difference)
{
	return difference->runs == 1;
}

/* "as in none of 12 past runs", "unlike in each of 12 past runs". */
static void add_runs(char *buf, size_t size, const char *before,
		     const struct sw_difference *difference)
{
	if (is_of_pair(difference))
		return;
	sw_text_add(buf, size, ", %s of %zu past runs", before,
		    difference->runs);
}

static void add_amount(char *buf, size_t size,
		       const struct sw_difference *difference)
{
	const struct deed *deed = difference->program
					  ? &program_deeds[difference->amount]
					  : &step_deeds[difference->amount];
	enum unit unit = deed->unit;

	sw_text_add(buf, size, "%s %s %s%s instead of %s",
		    difference->program ? name_text(difference->program).s
					: "the run",
		    deed->verb, amount_text(unit, difference->value).s,
		    deed->after, amount_text(unit, difference->usual).s);
	if (is_of_pair(difference))
		return;
	/* A set of runs has only medians. */
	if (isnan(difference->least))
		sw_text_add(buf, size, " (medians, ");
	else
		sw_text_add(buf, size, " (%s to %s in ",
			    amount_text(unit, difference->least).s,
			    amount_text(unit, difference->most).s);
	sw_text_add(buf, size, "%zu past runs%s)", difference->runs,
		    difference->is_by_input ? ", for inputs of this size" : "");
}

static void add_exit(char *buf, size_t size,
		     const struct sw_difference *difference)
{
	const char *was = difference->is_of_other ? "was not" : "was";
	const char *ended = difference->is_of_other ? "did not end" : "ended";
	const char *name = difference->is_signal && difference->number < 65
				   ? sigabbrev_np((int)difference->number)
				   : NULL;

	sw_text_add(buf, size, "%s ", name_text(difference->program).s);
	if (name)
		sw_text_add(buf, size, "%s killed by SIG%s", was, name);
	else if (difference->is_signal)
		sw_text_add(buf, size, "%s killed by a signal", was);
	else if (difference->number != SW_EXIT_NUMBER_UNKNOWN)
		sw_text_add(buf, size, "%s with status %u", ended,
			    difference->number);
	else
		sw_text_add(buf, size, "%s with a nonzero status", ended);
	if (difference->of > 1 && !difference->is_of_other)
		sw_text_add(buf, size, " in %s of %s processes",
			    amount_text(UNIT_COUNT, difference->value).s,
			    amount_text(UNIT_COUNT, difference->of).s);
	add_runs(buf, size, "as in none", difference);
}

/* "python3 failed in 5 of 9 runs, usually 0.2". */
static void add_of_runs(char *buf, size_t size,
			const struct sw_difference *difference)
{
	sw_text_add(buf, size, "%s %s in %.0f of %.0f run%s, usually in %.1f",
		    difference->program ? name_text(difference->program).s
					: "the job",
		    difference->kind == SW_DIFFERS_ABSENT ? "did not run"
							  : "failed",
		    difference->value, difference->of, plural(difference->of),
		    difference->usual);
}

static void add_rate(char *buf, size_t size,
		     const struct sw_difference *difference)
{
	sw_text_add(buf, size, "%s of %s processes of %s failed",
		    amount_text(UNIT_COUNT, difference->value).s,
		    amount_text(UNIT_COUNT, difference->of).s,
		    name_text(difference->program).s);
	if (is_of_pair(difference))
		sw_text_add(buf, size, " instead of %.0f", difference->usual);
	else
		sw_text_add(buf, size, ", usually %.1f (%zu past runs)",
			    difference->usual, difference->runs);
}

static void add_count(char *buf, size_t size,
		      const struct sw_difference *difference)
{
	sw_text_add(buf, size, "%s ran %s time%s instead of %s",
		    name_text(difference->program).s,
		    amount_text(UNIT_COUNT, difference->value).s,
		    plural(difference->value),
		    amount_text(UNIT_COUNT, difference->usual).s);
	add_runs(buf, size, "unlike in each", difference);
}

static void add_limit(char *buf, size_t size,
		      const struct sw_difference *difference)
{
	sw_text_add(buf, size,
		    "limited by %s for %.0f %% of the time instead of %.0f %%",
		    sw_limited_by_words(difference->resource),
		    100 * difference->value, 100 * difference->usual);
}

static void add_neighbors(char *buf, size_t size,
			  const struct sw_difference *difference)
{
	sw_text_add(buf, size, "others using %.0f %% of the node's CPUs",
		    100 * difference->value);
	if (is_of_pair(difference))
		sw_text_add(buf, size, " instead of %.0f %%",
			    100 * difference->usual);
	else
		sw_text_add(buf, size, " (%.0f %% to %.0f %% before)",
			    100 * difference->least, 100 * difference->most);
}

static void add_node(char *buf, size_t size,
		     const struct sw_difference *difference)
{
	if (is_of_pair(difference))
		sw_text_add(buf, size, "another node (%s, not %s)",
			    name_text(difference->now).s,
			    name_text(difference->before).s);
	else
		sw_text_add(buf, size, "node %s, on which no past run was",
			    name_text(difference->now).s);
}

static void add_environment(char *buf, size_t size,
			    const struct sw_difference *difference)
{
	const struct name_text now = name_text(sw_text(difference->now)),
			       before = name_text(sw_text(difference->before));

	switch (difference->kind) {
	case SW_DIFFERS_CPUS:
		sw_text_add(buf, size, "%g CPU%s instead of %g",
			    difference->value, plural(difference->value),
			    difference->usual);
		break;
	case SW_DIFFERS_NODE_KIND:
		sw_text_add(buf, size, "a node of another kind (%s, not %s)",
			    now.s, before.s);
		break;
	case SW_DIFFERS_MOUNT:
		sw_text_add(buf, size, "another main mount (%s, not %s)",
			    now.s, before.s);
		break;
	case SW_DIFFERS_NEIGHBORS:
		add_neighbors(buf, size, difference);
		break;
	case SW_DIFFERS_BINDING:
		sw_text_add(buf, size, "a binding to %g CPU%s instead of %g",
			    difference->value, plural(difference->value),
			    difference->usual);
		break;
	case SW_DIFFERS_KERNEL:
		sw_text_add(buf, size, "another kernel (%s, not %s)",
			    now.s, before.s);
		break;
	default:
		add_node(buf, size, difference);
	}
}

/* "the run failed with exit code 1"; of a pair also how the other ended. */
static void add_state(char *buf, size_t size,
		      const struct sw_difference *difference)
{
	sw_text_add(buf, size, "the run %s",
		    difference->now ? difference->now : "failed");
	if (difference->value > 0)
		sw_text_add(buf, size, " with exit code %.0f",
			    difference->value);
	if (!difference->before)
		return;
	sw_text_add(buf, size, " (the other %s", difference->before);
	if (difference->usual > 0)
		sw_text_add(buf, size, " with exit code %.0f",
			    difference->usual);
	sw_text_add(buf, size, ")");
}

static void add_by_kind(char *buf, size_t size,
			const struct sw_difference *difference)
{
	switch (difference->kind) {
	case SW_DIFFERS_STATE:
		add_state(buf, size, difference);
		break;
	case SW_DIFFERS_EXIT:
		add_exit(buf, size, difference);
		break;
	case SW_DIFFERS_ABSENT:
		sw_text_add(buf, size, "%s did not run",
			    name_text(difference->program).s);
		add_runs(buf, size, "unlike in each", difference);
		break;
	case SW_DIFFERS_RATE:
		add_rate(buf, size, difference);
		break;
	case SW_DIFFERS_FEWER:
	case SW_DIFFERS_NUMEROUS:
		add_count(buf, size, difference);
		break;
	case SW_DIFFERS_PHASE:
		sw_text_add(buf, size, "the phase limited by %s did not come",
			    sw_limited_by_words(difference->resource));
		add_runs(buf, size, "unlike in each", difference);
		break;
	case SW_DIFFERS_LESS:
	case SW_DIFFERS_MORE:
		add_amount(buf, size, difference);
		break;
	case SW_DIFFERS_LIMIT:
		add_limit(buf, size, difference);
		break;
	case SW_DIFFERS_PRESENT:
		sw_text_add(buf, size, "%s ran",
			    name_text(difference->program).s);
		add_runs(buf, size, "as in none", difference);
		break;
	default:
		add_environment(buf, size, difference);
	}
}

static void add_difference(char *buf, size_t size,
			   const struct sw_difference *difference)
{
	if (difference->is_of_runs)
		add_of_runs(buf, size, difference);
	else
		add_by_kind(buf, size, difference);
}

char *sw_difference_words(char *buf, size_t size,
			  const struct sw_difference *difference)
{
	*buf = '\0';
	add_difference(buf, size, difference);
	return buf;
}

/* Differences that the first one accounts for. */
static void add_also(char *buf, size_t size,
		     const struct sw_comparison *comparison)
{
	size_t named = 0, i;

	for (i = comparison->unexplained; i < comparison->count; i++) {
		if (comparison->differences[i].explained_by != 0 ||
		    named == ALSO_MAX)
			continue;
		sw_text_add(buf, size, "%s", named++ ? "; " : "; with it, ");
		add_difference(buf, size, &comparison->differences[i]);
	}
}

static void add_beside(char *buf, size_t size, const char *begin,
		       const struct sw_comparison *comparison)
{
	size_t i;

	for (i = 0; i < comparison->environment_count && i < BESIDE_MAX; i++) {
		sw_text_add(buf, size, "%s", i ? " and " : begin);
		add_environment(buf, size, &comparison->environment[i]);
	}
	sw_text_add(buf, size, ".");
}

char *sw_differences_words(char *buf, size_t size,
			   const struct sw_comparison *comparison, size_t first)
{
	size_t end = comparison->unexplained > first ? comparison->unexplained
						     : first + 1;
	size_t i;

	*buf = '\0';
	for (i = first; i < end && i < first + NAMED_MAX; i++) {
		sw_text_add(buf, size, "%s", i > first ? "; " : "");
		add_difference(buf, size, &comparison->differences[i]);
	}
	add_beside(buf, size, ". This coincides with ", comparison);
	return buf;
}

/* Differences that the first one does not account for. */
static void add_further(char *buf, size_t size,
			const struct sw_comparison *comparison)
{
	size_t i;

	for (i = 1; i < comparison->unexplained && i <= FURTHER_MAX; i++) {
		sw_text_add(buf, size, "; ");
		add_difference(buf, size, &comparison->differences[i]);
	}
	if (i < comparison->unexplained)
		sw_text_add(buf, size, "; and %zu more",
			    comparison->unexplained - i);
}

char *sw_differences_line(char *buf, size_t size,
			  const struct sw_comparison *comparison)
{
	*buf = '\0';
	if (comparison->count == 0)
		return buf;
	add_difference(buf, size, &comparison->differences[0]);
	add_also(buf, size, comparison);
	add_further(buf, size, comparison);
	add_beside(buf, size, "; this coincides with ", comparison);
	return buf;
}

char *sw_comparison_words(char *buf, size_t size,
			  const struct sw_comparison *comparison)
{
	*buf = '\0';
	if (comparison->taught < SW_EXPECTED_LEAST) {
		sw_text_add(buf, size,
			    "Not compared: needs %d successful runs "
			    "like it, has %zu.",
			    SW_EXPECTED_LEAST, comparison->taught);
		return buf;
	}
	if (comparison->count == 0) {
		sw_text_add(buf, size, "Like %zu past runs.",
			    comparison->taught);
		return buf;
	}
	sw_text_add(buf, size, "Unlike %zu past runs: ", comparison->taught);
	add_difference(buf, size, &comparison->differences[0]);
	add_also(buf, size, comparison);
	add_beside(buf, size, "; this coincides with ", comparison);
	return buf;
}
