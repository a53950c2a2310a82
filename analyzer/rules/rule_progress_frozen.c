/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.frozen: a long interval with next to no CPU, I/O or stall. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/hang.h"
#include "analyzer/rules/hang_words.h"
#include "analyzer/rules/rule.h"
#include "analyzer/view/shares.h"
#include "common/delta.h"
#include "common/units.h"

enum {
	MIN_FROZEN_SECONDS, MIN_FROZEN_RATIO, MIN_SHORT_SECONDS,
	MIN_SHORT_RATIO, MAX_MOVING_RATIO, MAX_CORES, MAX_IO_BYTES_PER_SEC
};

/* An interval; empty if its width is 0. */
struct stretch {
	uint64_t start_usec, end_usec;
	double still_usec;	/* part of it without progress */
};

struct standstill {
	struct stretch still;
	const struct sw_view_hang *hang;	/* NULL if not sampled */
	bool is_io;
};

/* with_io: also accept waits for I/O, otherwise reported by io.stalled. */
static bool is_still(const struct sw_view *view, size_t i, bool with_io,
		     const double *setting)
{
	uint64_t start = view->cores.start_usec[i];
	uint64_t end = view->cores.end_usec[i];
	double io, stall;

	if (isnan(view->cores.value[i]) ||
	    view->cores.value[i] > setting[MAX_CORES])
		return false;
	if (sw_curve_mean(&view->cpu_waits, start, end) > SW_MOST)
		return false;
	io = sw_curve_mean(&view->io_rate, start, end);
	stall = sw_curve_mean(&view->io_stall, start, end);
	return !(io > setting[MAX_IO_BYTES_PER_SEC]) &&
	       (with_io || !(stall > SW_SOME));
}

/*
 * Find the interval in which the step stood still for longest, allowing for a
 * share max_moving_ratio of other moments, so that a stray sample does not end
 * it.  Moments have weights for or against it; maximize the sum.
 */
static struct stretch longest_still(const struct sw_view *view, bool with_io,
				    const double *setting)
{
	double against = 1 / fmax(setting[MAX_MOVING_RATIO], 0.01) - 1;
	struct stretch longest = { 0, 0, 0 }, current = longest;
	double sum = 0, best = 0, width;
	size_t i;

	for (i = 0; i < view->cores.count; i++) {
		uint64_t start = view->cores.start_usec[i];
		uint64_t end = view->cores.end_usec[i];
		bool is = is_still(view, i, with_io, setting);

		/*
		 * Work was done elsewhere; steps there are judged themselves.
		 */
		if (sw_spans_meet(&view->elsewhere, start, end)) {
			sum = 0;
			continue;
		}
		if (sum <= 0)
			current = (struct stretch){ start, end, sum = 0 };
		width = (double)(end - start);
		sum += is ? width : -against * width;
		current.still_usec += is ? width : 0;
		current.end_usec = end;
		if (sum > best) {
			best = sum;
			longest = current;
		}
	}
	/* The last sample may be taken just after the end. */
	longest.still_usec = fmin(longest.still_usec,
				  (double)view->elapsed_usec);
	return longest;
}

/* Return true if the step never continued. */
static bool is_to_the_end(const struct sw_view *view,
			  const struct stretch *still)
{
	const struct sw_curve *cores = &view->cores;
	size_t last = cores->count > SW_END_INTERVALS ?
		      cores->count - SW_END_INTERVALS : 0;

	return cores->count && still->end_usec >= cores->start_usec[last];
}

/* Long, or, in a shorter run, most of it or its whole rest. */
static bool is_long(const struct sw_view *view, const struct stretch *still,
		    const struct sw_view_hang *hang, const double *setting)
{
	double seconds = still->still_usec / SW_USEC_PER_SEC;
	double ratio = still->still_usec / (double)view->elapsed_usec;
	bool is_certain = hang && is_to_the_end(view, still) &&
			  sw_hang_is_certain(view, hang);

	return (seconds >= setting[MIN_FROZEN_SECONDS] &&
		ratio >= setting[MIN_FROZEN_RATIO]) ||
	       (seconds >= setting[MIN_SHORT_SECONDS] &&
		ratio >= setting[is_certain ? MIN_FROZEN_RATIO :
					      MIN_SHORT_RATIO]);
}

/* Return true if the step waited only for that for most of the interval. */
static bool is_waiting_for(const struct sw_view *view,
			   const struct stretch *still, enum sw_limit limit)
{
	double waited = 0;
	size_t i;

	for (i = 0; i < view->phase_count; i++) {
		const struct sw_phase *phase = &view->phases[i];
		uint64_t start = phase->start_usec > still->start_usec ?
				 phase->start_usec : still->start_usec;
		uint64_t end = phase->end_usec < still->end_usec ?
			       phase->end_usec : still->end_usec;
		uint64_t usec = phase->limits.usec[limit];

		if (start < end && !sw_is_missing(usec))
			waited += (double)usec * (double)(end - start) /
				  (double)(phase->end_usec -
					   phase->start_usec);
	}
	return waited > still->still_usec / 2;
}

/* A thread that hung in one read or write within it; or NULL. */
static const struct sw_view_event *find_stall(const struct sw_view *view,
					      const struct stretch *still)
{
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "stall") && event->detail &&
		    event->time_usec >= still->start_usec &&
		    event->time_usec <= still->end_usec)
			return event;
	}
	return NULL;
}

static void say_stall(struct sw_finding *finding,
		      const struct sw_view_event *stall, const char *when)
{
	char name[64];

	sw_finding_name(name, sizeof(name),
			stall->program ? stall->program : "a program");
	sw_finding_sentence(finding,
		"For %s, the step used no CPU and moved "
		"no data: %s (process %llu) hung in %.255s. The file system or "
		"its server did not answer; tell your administrators which one "
		"and when.", when, name, (unsigned long long)stall->pid,
		stall->detail);
}

/* Format "45.0 s of 50.0 s, from 5.0 s on". */
static void put_when(char *buf, size_t size, const struct sw_view *view,
		     const struct stretch *still)
{
	char width[SW_UNITS_TEXT_SIZE], from[SW_UNITS_TEXT_SIZE];
	char all[SW_UNITS_TEXT_SIZE];
	uint64_t before_usec = sw_excess_u64(still->start_usec,
					     view->start_usec);

	sw_duration_format(width, sizeof(width),
			   sw_whole_real(still->still_usec));
	sw_duration_format(all, sizeof(all), view->elapsed_usec);
	sw_duration_format(from, sizeof(from), before_usec);
	if (before_usec < SW_USEC_PER_SEC)
		snprintf(buf, size, "%s of %s", width, all);
	else
		snprintf(buf, size, "%s of %s, from %s on", width,
			 all, from);
}

static void say(struct sw_finding *finding, const struct sw_view *view,
		const struct stretch *still, const struct sw_view_hang *hang)
{
	const struct sw_view_event *stall = find_stall(view, still);
	char when[192], words[704];

	put_when(when, sizeof(when), view, still);
	if (hang && (!stall || sw_hang_is_stuck(hang)))
		sw_finding_sentence(finding, "For %s, the step made next to no "
			"progress: %s", when,
			sw_hang_words(words, sizeof(words), view, hang));
	else if (stall)
		say_stall(finding, stall, when);
	else
		sw_finding_sentence(finding,
			"For %s, the step used no CPU, moved no data and did "
			"not wait for I/O: it slept, or waited for a lock, a "
			"pipe or the network. If that is not intended, look "
			"for a deadlock, a server that does not answer or a "
			"sleep in the script.", when);
}

static int tell(const struct sw_view *view, const struct standstill *found,
		const double *setting, struct sw_findings *findings)
{
	const struct stretch *still = &found->still;
	const struct sw_view_hang *hang = found->hang;
	double seconds = still->still_usec / SW_USEC_PER_SEC;
	struct sw_finding *finding = sw_finding_add(findings,
		"progress.frozen", SW_WARNING, hang ? 0.85 : 0.7,
		&(struct sw_evidence){ "time without CPU or I/O", seconds,
				       "seconds", setting[MIN_SHORT_SECONDS],
				       still->start_usec });

	if (!finding)
		return -1;
	if (hang && !sw_is_missing(hang->took_usec))
		sw_finding_evidence(finding, &(struct sw_evidence){
			"hangs.took_usec", (double)hang->took_usec /
			SW_USEC_PER_SEC, "seconds", NAN, hang->time_usec });
	sw_finding_subject(finding, "step");
	if (found->is_io)
		finding->covers = "io.stalled";
	if (view->cpu.is_requested)
		finding->wasted_core_hours =
			view->cpu.allocated_cores * seconds / 3600;
	say(finding, view, still, hang);
	return 0;
}

/* Standstill with a thread in one I/O call, whatever the kernel counts. */
static bool find_stuck(const struct sw_view *view, const double *setting,
		       struct standstill *found)
{
	struct stretch *still = &found->still;

	*still = longest_still(view, true, setting);
	found->hang = sw_hang_find(view, still->start_usec, still->end_usec);
	found->is_io = (found->hang && sw_hang_is_stuck(found->hang)) ||
		       find_stall(view, still);
	return found->is_io && is_long(view, still, found->hang, setting);
}

/* Find other standstills, the cause of which may be a guess. */
static bool find_other(const struct sw_view *view, const double *setting,
		       struct standstill *found)
{
	struct stretch *still = &found->still;

	found->is_io = false;
	*still = longest_still(view, false, setting);
	found->hang = sw_hang_find(view, still->start_usec, still->end_usec);
	if (!is_long(view, still, found->hang, setting))
		return false;
	/* progress.waiting reports waits that were answered, and sleep. */
	if (found->hang)
		return !sw_hang_goes_on(found->hang) &&
		       !sw_hang_is_sleep(found->hang) &&
		       !sw_hang_is_idle(view, found->hang);
	/* io.stalled reports successive waits. */
	return !is_waiting_for(view, still, SW_LIMIT_SLEEP) &&
	       !is_waiting_for(view, still, SW_LIMIT_SIGNAL) &&
	       !is_waiting_for(view, still, SW_LIMIT_IO);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct standstill found;

	if (sw_view_is_of_user(view) || sw_is_missing(view->elapsed_usec))
		return 0;
	if (!find_stuck(view, setting, &found) &&
	    !find_other(view, setting, &found))
		return 0;
	return tell(view, &found, setting, findings);
}

const struct sw_rule sw_rule_progress_frozen = {
	.id = "progress.frozen",
	.title = "No progress for a long time",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step stood still for a long time: next to no CPU time, no bytes "
	"read or written, and no thread that waited for a CPU. It held its "
	"CPUs and memory all the while.",
	.what_to_do =
	"Find out where the process waits (/proc/PID/wchan, a debugger); check "
	"locks, the license or database server it talks to, and sleeps in the "
	"script.",
	.computed =
	"From the samples: the longest span of intervals in which fewer than "
	"max_cores CPUs were busy (a heartbeat or a polling loop needs less), "
	"less than max_io_bytes_per_second moved through system calls, threads "
	"waited for a CPU for less than half of the time, and io.pressure was "
	"below a tenth; up to max_moving_ratio of the span may be otherwise. "
	"Reported when it lasts min_frozen_seconds and min_frozen_ratio of the "
	"run, or min_short_seconds and min_short_ratio of it. Where it lasted "
	"until the end of the run and the cause of the wait is certain (a "
	"deadlock, a file, a peer that was asked, a lock whose holder is "
	"known), min_short_seconds and min_frozen_ratio are enough.\n\n"
	"The recorder samples the wait once, when the step has used next to no "
	"CPU for 10 s: program, system call, file or peer, and the process "
	"that holds the lock or is at the other end. The finding names the "
	"wait that causes the others. Where that thread ran in the 5 s before, "
	"and not at the pace of its own timeouts, it waited for one thing "
	"after another; that is progress.waiting. Sleeping (nanosleep) may be "
	"intended, as may waiting for events that ends by its timeout each "
	"time, or for a connection that no client makes: where nothing else "
	"was waited for, progress.waiting is reported instead. Waiting for I/O "
	"is io.stalled, unless a thread hung in one call: it did not run at "
	"all in the 5 s before the sample, or was seen in one read or write "
	"for half a minute. Then progress.frozen is reported whatever the "
	"pressure, and io.stalled is left out.\n\n"
	"Time in which the work ran elsewhere does not count: in a batch step, "
	"while another step of the job ran, which is judged by itself; in any "
	"step, while srun or salloc ran in it, from the first job that it "
	"submitted (sbatch, bsub, qsub) to the last time that it queried one "
	"(squeue, sacct), and from then on as long as Snakemake, Nextflow or "
	"Java runs. The steps extern and interactive (salloc) are not judged: "
	"they wait for their user.",
	.needs = { { "series.cpu", "usage_usec" },
		   { "series.proc", "utime_usec" } },
	.is_any_need = true,
	.settings = {
		{ "min_frozen_seconds", 60, 0, 86400,
		  "a long one lasts so long" },
		{ "min_frozen_ratio", 0.2, 0, 1, "share of the elapsed time" },
		{ "min_short_seconds", 20, 0, 86400,
		  "shorter ones are evaluated from here on" },
		{ "min_short_ratio", 0.6, 0, 1,
		  "share of the elapsed time, of such a shorter one" },
		{ "max_moving_ratio", 0.1, 0, 0.9,
		  "share of the time frozen that may be otherwise" },
		{ "max_cores", 0.05, 0, 1,
		  "an interval with more CPUs busy is not frozen" },
		{ "max_io_bytes_per_second", 65536, 0, 1e9,
		  "an interval with more bytes moved is not frozen" },
	},
	.eval = eval,
};
