/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock.contended: several threads or processes worked, but one at a time. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

static const char *remedy(const struct sw_view_workers *workers)
{
	return workers->are_processes ?
	       "give each process data, or a file, of its own" :
	       "give each thread data of its own; threads of Python share its "
	       "interpreter's lock, processes do not";
}

/* Format the share of the run that others took in addition; "" if little. */
static const char *say_neighbors(const struct sw_view *view, char *text,
				 size_t size)
{
	double share = sw_limit_ratio(&view->limits, SW_LIMIT_NEIGHBORS);

	text[0] = '\0';
	if (share >= SW_SOME)
		snprintf(text, size, " For %.0f %% of the run none of them "
			 "ran because other processes had the CPUs.",
			 share * 100);
	return text;
}

/* CPUs that the others could have used while one had the lock. */
static double lost_cpus(const struct sw_view *view)
{
	return fmin(view->cpu.allocated_cores, (double)view->workers.count) - 1;
}

static int tell(const struct sw_view *view, double share, double threshold,
		struct sw_findings *findings)
{
	const struct sw_view_workers *workers = &view->workers;
	double cpus = view->cpu.allocated_cores;
	struct sw_evidence evidence = { "time in which they took turns / "
					"elapsed", share, "ratio", threshold,
					SW_MISSING };
	struct sw_finding *finding;
	const char *what = workers->are_processes ? "processes" : "threads";
	char neighbors[96];

	finding = sw_finding_add(findings, "lock.contended", SW_WARNING,
				 SW_PROBABLE, &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		workers->are_processes ? "processes that took turns" :
		"threads that took turns", (double)workers->count, "count",
		NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"CPU time of the busiest / of all of them",
		(double)workers->busiest_usec / (double)workers->cpu_usec,
		"ratio", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	if (view->cpu.is_requested)
		finding->wasted_core_hours = lost_cpus(view) * share *
			(double)view->elapsed_usec / SW_USEC_PER_SEC / 3600;
	sw_finding_sentence(finding,
		"For %.0f %% of the time one of %" PRIu64 " %s ran, and "
		"the others waited for a lock: they took turns, and used one "
		"CPU of %.4g. More CPUs or %s do not make that faster. "
		"Hold the lock for less of the work, or %s.%s", share * 100,
		workers->count, what, cpus, what, remedy(workers),
		say_neighbors(view, neighbors, sizeof(neighbors)));
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double share = sw_limit_ratio(&view->limits, SW_LIMIT_TURNS);
	struct sw_loss loss = sw_loss_by(view, SW_LIMIT_TURNS, SW_PROBABLE);

	loss.cpus = lost_cpus(view) / view->cpu.allocated_cores;
	if (!sw_is_worth_telling(view, &loss, setting) ||
	    sw_limits_are_of_others(&view->limits))
		return 0;
	return tell(view, share, sw_worth_ratio(&loss, setting), findings);
}

const struct sw_rule sw_rule_lock_contended = {
	.id = "lock.contended",
	.title = "Work was done one at a time, at a lock",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"Several threads of a program, or several processes, did the work, but "
	"one at a time: the others waited for a lock, which may be a file "
	"lock. This is no faster than a single thread.",
	.what_to_do =
	"Find out which lock it is (perf trace, py-spy, gdb; lslocks for file "
	"locks) and hold it for less of the work; use processes instead of "
	"Python's threads; or request one CPU.",
	.computed =
	"From CPU time, run-queue waits and samples of what threads wait for. "
	"An interval counts when the step wanted 0.8 to 1.5 CPUs of two or "
	"more, used at most 1.1, was never idle, half of the other working "
	"threads waited for a lock (futex, flock, fcntl), and at least two of "
	"them ran between two samples (workers_ran): in a pool of which one "
	"thread has a long task at the end, the others wait for work at a "
	"lock, too. Reported when the CPUs that the others could have used in "
	"such intervals reach min_lost_ratio and min_lost_seconds. Example: "
	"four Python threads that compute use 1.0 of 4 CPUs, a quarter each, "
	"and three of them wait at any moment.\n\n"
	"Working threads are those of the busiest process that have a tenth or "
	"more of the CPU time of its busiest thread, and the same name but for "
	"numbers, which the compiler and collector threads of Java have not; "
	"or such single-threaded processes, whichever used more "
	"(series.runnable). They count where none of them used more than three "
	"quarters of their CPU time (four fifths where no sample saw 1.5 CPUs "
	"wanted), they used at most 1.1 CPUs together, and they did four "
	"fifths of the step's work: a main thread whose helpers wait for work "
	"is a different case. Nothing is reported where other programs had the "
	"CPUs for a fifth of the run: workers that wait for one that is "
	"starved look the same.",
	.needs = { { "series.runnable", "threads" },
		   { "series.waits", "thread_usec" } },
	.settings = { SW_WORTH_SETTINGS },
	.eval = eval,
};
