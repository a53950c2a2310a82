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
enum { ALSO_MAX = 2, BESIDE_MAX = 2, NAMED_MAX = 3 };

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

/* "as in none of 12 past runs", "unlike in each of 12 past runs". */
static void add_runs(char *buf, size_t size, const char *before,
		     const struct sw_difference *difference)
{
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

	sw_text_add(buf, size,
		    "%s %s %s%s instead of %s (%s to %s in %zu past "
		    "runs%s)",
		    difference->program ? name_text(difference->program).s
					: "the run",
		    deed->verb, amount_text(unit, difference->value).s,
		    deed->after, amount_text(unit, difference->usual).s,
		    amount_text(unit, difference->least).s,
		    amount_text(unit, difference->most).s, difference->runs,
		    difference->is_by_input ? ", for inputs of this size" : "");
}

static void add_exit(char *buf, size_t size,
		     const struct sw_difference *difference)
{
	const char *name = difference->is_signal && difference->number < 65
				   ? sigabbrev_np((int)difference->number)
				   : NULL;

	sw_text_add(buf, size, "%s ", name_text(difference->program).s);
	if (name)
		sw_text_add(buf, size, "was killed by SIG%s", name);
	else if (difference->is_signal)
		sw_text_add(buf, size, "was killed by a signal");
	else if (difference->number != SW_EXIT_NUMBER_UNKNOWN)
		sw_text_add(buf, size, "ended with status %u",
			    difference->number);
	else
		sw_text_add(buf, size, "ended with a nonzero status");
	if (difference->of > 1)
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
	sw_text_add(buf, size, "%s of %s processes of %s failed, usually %.1f",
		    amount_text(UNIT_COUNT, difference->value).s,
		    amount_text(UNIT_COUNT, difference->of).s,
		    name_text(difference->program).s, difference->usual);
	sw_text_add(buf, size, " (%zu past runs)", difference->runs);
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
		sw_text_add(buf, size,
			    "others using %.0f %% of the node's "
			    "CPUs (%.0f %% to %.0f %% before)",
			    100 * difference->value, 100 * difference->least,
			    100 * difference->most);
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
		sw_text_add(buf, size, "node %s, on which no past run was",
			    now.s);
	}
}

static void add_by_kind(char *buf, size_t size,
			const struct sw_difference *difference)
{
	switch (difference->kind) {
	case SW_DIFFERS_STATE:
		sw_text_add(buf, size, "the run failed");
		if (difference->value > 0)
			sw_text_add(buf, size, " with exit code %.0f",
				    difference->value);
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
