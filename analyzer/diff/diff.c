/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two runs, or two periods of a group, side by side. */
#include "analyzer/diff/diff.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analyzer/compare/fingerprint_view.h"
#include "analyzer/history/history_profile.h"
#include "analyzer/history/history_unlike.h"
#include "analyzer/recordings/store.h"
#include "analyzer/report/words.h"
#include "common/missing.h"
#include "common/text.h"

/* The history has the start of the recording, in seconds. */
static const double SAME_SECONDS = 1e-3;

bool sw_diff_is_good(const struct sw_fingerprint *print)
{
	return sw_fingerprint_teaches(print) && !print->was_unlike;
}

/* "job 123", or the id of a recording and its name. */
static void name_of(char *buf, size_t size, const struct sw_loaded *loaded)
{
	const struct sw_view *view = loaded->result.view;
	const struct sw_job *job = &loaded->job;
	char title[SW_JOBID_TEXT_SIZE + 8], id[NAME_MAX + 1];
	const char *name = sw_name_of(view);

	if (!sw_is_missing(view->job.job_id)) {
		snprintf(buf, size, "%s",
			 sw_title_of(title, sizeof(title), &loaded->result));
		return;
	}
	sw_store_id(job->nodes[0].files[0].path, id, sizeof(id));
	snprintf(buf, size, "%.100s", id);
	if (strncmp(id, name, strlen(name)) != 0)
		sw_text_add(buf, size, " (%.64s)", name);
}

static const struct sw_comparison *past_of(const struct sw_loaded *loaded)
{
	const struct sw_comparison *past = loaded->past.comparison;

	return past && past->taught >= SW_EXPECTED_LEAST ? past : NULL;
}

static void take_loaded(struct sw_diff_side *side, struct sw_loaded *loaded)
{
	const struct sw_view *view = loaded->result.view;
	struct sw_run run;

	side->loaded = loaded;
	side->is_partial = sw_profile_run_refused(&loaded->job) ||
			   sw_job_is_partial(&loaded->job) ||
			   loaded->job.lacks_series;
	side->past = past_of(loaded);
	side->start_seconds = sw_real_u64(view->start_realtime_usec) / 1e6;
	name_of(side->name, sizeof(side->name), loaded);
	sw_run_of_view(&run, view);
	if (loaded->job.is_one_step)
		sw_fingerprint_of_view(&side->print, view, run.state, false,
				       NULL);
	else
		sw_fingerprint_of_job(&side->print, &loaded->job, run.state);
	sw_result_judge(&loaded->result, &side->print);
}

bool sw_diff_is_good_run(struct sw_loaded *loaded)
{
	struct sw_diff_side side = { .past = NULL };

	take_loaded(&side, loaded);
	return !side.is_partial && sw_diff_is_good(&side.print);
}

static void take_run(struct sw_diff_side *side, const struct sw_diff_run *run)
{
	side->runs = 1;
	if (run->loaded) {
		take_loaded(side, run->loaded);
		return;
	}
	side->print = run->print->print;
	side->start_seconds = run->print->start_seconds;
	snprintf(side->name, sizeof(side->name), "%.128s", run->print->job);
}

/* The same run, by its start. */
static bool is_run(const struct sw_history_print *item,
		   const struct sw_diff_side *side)
{
	return fabs(item->start_seconds - side->start_seconds) < SAME_SECONDS;
}

/* The runs before B that are shown as the noise of the group. */
static size_t take_past(const struct sw_fingerprint **past,
			const struct sw_diff *diff)
{
	const struct sw_history_prints *prints = &diff->b.loaded->unlike.past;
	size_t i, count = 0;

	if (!diff->b.past)
		return 0;
	for (i = prints->count; i > 0 && count < SW_EXPECTED_RUNS; i--) {
		const struct sw_history_print *item = &prints->items[i - 1];

		if (sw_diff_is_good(&item->print) && !is_run(item, &diff->a) &&
		    !is_run(item, &diff->b))
			past[count++] = &item->print;
	}
	return count;
}

static double usec(uint64_t value)
{
	return sw_real_u64(value);
}

/* Counters and waits, of which fingerprints keep nothing. */
static void add_counters(struct sw_beside *beside, const struct sw_view *a,
			 const struct sw_view *b)
{
	const struct sw_view_counters *one = &a->counters, *two = &b->counters;

	sw_beside_add(beside, "waiting for a CPU", SW_BESIDE_USEC,
		      usec(a->cpu.run_queue_wait_usec),
		      usec(b->cpu.run_queue_wait_usec));
	sw_beside_add(beside, "throttled by quota", SW_BESIDE_USEC,
		      usec(a->cpu.throttled_usec), usec(b->cpu.throttled_usec));
	sw_beside_add(beside, "instructions per cycle", SW_BESIDE_RATIO,
		      sw_counters_ipc(one), sw_counters_ipc(two));
	sw_beside_add(beside, "cache misses per 1000", SW_BESIDE_RATIO,
		      sw_counters_llc_rate(one), sw_counters_llc_rate(two));
	sw_beside_add(beside, "page faults", SW_BESIDE_COUNT,
		      usec(one->page_faults), usec(two->page_faults));
	sw_beside_add(beside, "context switches", SW_BESIDE_COUNT,
		      usec(one->context_switches), usec(two->context_switches));
}

int sw_diff_runs(struct sw_diff *diff, const struct sw_diff_run *a,
		 const struct sw_diff_run *b)
{
	const struct sw_fingerprint *const list_a[] = { &diff->a.print };
	const struct sw_fingerprint *const list_b[] = { &diff->b.print };
	const struct sw_beside_set set_a = { list_a, 1 }, set_b = { list_b, 1 };
	const struct sw_fingerprint *list[SW_EXPECTED_RUNS];
	struct sw_beside_set past = { list, 0 };
	struct sw_pair pair = { .run = &diff->b.print,
				.other = &diff->a.print };

	memset(diff, 0, sizeof(*diff));
	take_run(&diff->a, a);
	take_run(&diff->b, b);
	past.count = take_past(list, diff);
	pair.run_is_partial = diff->b.is_partial;
	pair.other_is_partial = diff->a.is_partial;
	if (sw_compare_pair(&diff->comparison, &pair) < 0 ||
	    sw_beside_init(&diff->beside, &set_a, &set_b, &past) < 0)
		return -1;
	if (a->loaded)
		add_counters(&diff->beside, a->loaded->result.view,
			     b->loaded->result.view);
	return diff->beside.has_failed ? -1 : 0;
}

int sw_diff_sets(struct sw_diff *diff, const struct sw_beside_set *before,
		 const struct sw_beside_set *period)
{
	memset(diff, 0, sizeof(*diff));
	diff->is_of_sets = true;
	diff->a.runs = before->count;
	diff->b.runs = period->count;
	if (sw_compare_sets(&diff->comparison, period->runs, period->count,
			    before->runs, before->count) < 0)
		return -1;
	/* Beside nothing there is nothing to show. */
	if (before->count == 0 || period->count == 0)
		return 0;
	return sw_beside_init(&diff->beside, before, period, before);
}

void sw_diff_fini(struct sw_diff *diff)
{
	sw_comparison_fini(&diff->comparison);
	sw_beside_fini(&diff->beside);
}
