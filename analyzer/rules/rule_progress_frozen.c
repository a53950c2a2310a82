/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.frozen: a long stretch without CPU, I/O or stall. */
#include <math.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "common/delta.h"
#include "common/units.h"

enum { MIN_FROZEN_SECONDS, MIN_FROZEN_RATIO, MAX_CORES, MAX_IO_BYTES_PER_SEC };

/* A stretch of time; width 0 is none. */
struct stretch {
	uint64_t start_usec, end_usec;
};

static bool is_still(const struct sw_view *view, size_t i,
		     const double *setting)
{
	uint64_t start = view->cores.start_usec[i];
	uint64_t end = view->cores.end_usec[i];
	double io, stall;

	if (isnan(view->cores.value[i]) ||
	    view->cores.value[i] > setting[MAX_CORES])
		return false;
	io = sw_curve_mean(&view->io_rate, start, end);
	/* Others had its work; steps among them are judged themselves. */
	if (sw_spans_meet(&view->elsewhere, start, end))
		return false;
	/* Waiting for storage is io.stalled, not this. */
	stall = sw_curve_mean(&view->io_stall, start, end);
	return !(io > setting[MAX_IO_BYTES_PER_SEC]) && !(stall > 0.1);
}

static struct stretch longest_still(const struct sw_view *view,
				    const double *setting)
{
	struct stretch longest = { 0, 0 }, current = { 0, 0 };
	size_t i;

	for (i = 0; i < view->cores.count; i++) {
		if (!is_still(view, i, setting)) {
			current = (struct stretch){ 0, 0 };
			continue;
		}
		if (current.end_usec == 0)
			current.start_usec = view->cores.start_usec[i];
		current.end_usec = view->cores.end_usec[i];
		if (current.end_usec - current.start_usec >
		    longest.end_usec - longest.start_usec)
			longest = current;
	}
	return longest;
}

/* A thread that hung in one read or write within it; NULL: none is known. */
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
		      const struct sw_view_event *stall, const char *width,
		      const char *from)
{
	char name[64];

	sw_finding_name(name, sizeof(name),
			stall->program ? stall->program : "a program");
	sw_finding_sentence(finding,
		"For %s, from %s into the run, the step used no CPU and moved "
		"no data: %s (process %llu) hung in %.255s. The file system or "
		"its server did not answer; tell your administrators which one "
		"and when.", width, from, name,
		(unsigned long long)stall->pid, stall->detail);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct stretch still = longest_still(view, setting);
	uint64_t width = still.end_usec - still.start_usec;
	char text[SW_UNITS_TEXT_SIZE], from[SW_UNITS_TEXT_SIZE];
	const struct sw_view_event *stall;
	struct sw_finding *finding;
	struct sw_evidence evidence = {
		"time without CPU or I/O", (double)width / SW_USEC_PER_SEC,
		"seconds", setting[MIN_FROZEN_SECONDS], still.start_usec,
	};

	if (sw_view_is_of_user(view) || sw_is_missing(view->elapsed_usec) ||
	    evidence.value < setting[MIN_FROZEN_SECONDS] ||
	    (double)width <
		    setting[MIN_FROZEN_RATIO] * (double)view->elapsed_usec)
		return 0;
	finding = sw_finding_add(findings, "progress.frozen", SW_WARNING, 0.7,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	if (view->cpu.is_requested)
		finding->wasted_core_hours = view->cpu.allocated_cores *
					     evidence.value / 3600;
	sw_duration_format(text, sizeof(text), width);
	sw_duration_format(from, sizeof(from),
			   sw_excess_u64(still.start_usec, view->start_usec));
	stall = find_stall(view, &still);
	if (stall) {
		say_stall(finding, stall, text, from);
		return 0;
	}
	sw_finding_sentence(finding,
		"For %s, from %s into the run, the step used no CPU, moved no "
		"data and did not wait for I/O: it slept, or waited for a "
		"lock, a pipe or the network. If that is not intended, look "
		"for a deadlock, a server that does not answer or a sleep in "
		"the script.", text, from);
	return 0;
}

const struct sw_rule sw_rule_progress_frozen = {
	.id = "progress.frozen",
	.title = "No progress for a long time",
	.explain =
	"The step stood still for a long time: no CPU time, no bytes read or "
	"written, no I/O pressure. It held its CPUs and memory all the "
	"while.\n\n"
	"Computed from the samples: the longest run of intervals in which "
	"fewer than max_cores CPUs were busy, less than "
	"max_io_bytes_per_second moved through system calls, and io.pressure "
	"was below a tenth. It fires when that lasts min_frozen_seconds and "
	"min_frozen_ratio of the run. Waiting for a file system that the "
	"kernel does not count as pressure is part of it; where one read or "
	"write hung for half a minute, the finding names the process and the "
	"file system.\n\n"
	"Time in which the work ran elsewhere does not count: a batch step "
	"while another step of the job ran, which is judged itself; any step "
	"while srun or salloc ran in it, from the first job that it submitted "
	"(sbatch, bsub, qsub) to the last time that it queried one (squeue, "
	"sacct), and from then on as long as Snakemake, Nextflow or Java runs. "
	"The steps extern and interactive (salloc) are not judged: they wait "
	"for their user.\n\n"
	"What to do: find out where the process waits (/proc/PID/wchan, a "
	"debugger); check locks, the license or database server it talks to, "
	"and sleeps in the script.",
	.needs = { { "series.cpu", "usage_usec" },
		   { "series.proc", "utime_usec" } },
	.is_any_need = true,
	.settings = {
		{ "min_frozen_seconds", 60, 0, 86400,
		  "shorter intervals are not evaluated" },
		{ "min_frozen_ratio", 0.2, 0, 1, "share of the elapsed time" },
		{ "max_cores", 0.005, 0, 1,
		  "an interval with more CPUs busy is not frozen" },
		{ "max_io_bytes_per_second", 1024, 0, 1e9,
		  "an interval with more bytes moved is not frozen" },
	},
	.eval = eval,
};
