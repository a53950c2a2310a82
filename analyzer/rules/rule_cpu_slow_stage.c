/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.slow_stage: one program of a pipeline, on one CPU, set the pace. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "analyzer/view/view_demand.h"
#include "common/delta.h"
#include "common/one_cpu.h"
#include "common/units.h"

enum { MAX_USED_RATIO = SW_WORTH_SETTINGS_COUNT };

/* CPU use of younger processes is mostly that of their start.  Chosen by
 * hand. */
static const double AGE_SECONDS_MIN = 2;

/* A program that others waited for, and the number of samples that saw it. */
struct stage {
	const struct sw_view_pipe *pipe; /* the last one */
	unsigned looks;
};

static double busy(uint64_t cpu_usec, uint64_t age_usec)
{
	return age_usec < AGE_SECONDS_MIN * SW_USEC_PER_SEC
		       ? NAN
		       : sw_ratio_u64(cpu_usec, age_usec);
}

/* CPUs that it waited for, in addition to CPU time; 0 if unknown. */
static double queued(const struct sw_view_pipe *pipe)
{
	return busy(sw_zero_if_missing(pipe->other_run_queue_wait_usec),
		    pipe->other_age_usec);
}

/* Return true if one thread at the other end of the pipe always had work. */
static bool is_for_busy(const struct sw_view_pipe *pipe)
{
	double other = busy(pipe->other_cpu_usec, pipe->other_age_usec) +
		       queued(pipe);

	return pipe->program && pipe->other && pipe->others == 1 &&
	       sw_is_one_cpu(other);
}

/* Return true if, in addition, the waiting process has work of its own. */
static bool is_slow(const struct sw_view_pipe *pipe)
{
	double own = busy(pipe->cpu_usec, pipe->age_usec);

	/* A shell, for one, only waits for a result. */
	return is_for_busy(pipe) && own >= SW_HARDLY && own < SW_ONE_CPU_LOW;
}

static bool is_of(const struct sw_view_pipe *pipe, const char *program)
{
	return is_slow(pipe) && !strcmp(pipe->other, program);
}

/* Also accept a waiting process that is too young to be compared. */
static bool may_be_of(const struct sw_view_pipe *pipe, const char *program)
{
	return is_for_busy(pipe) && !strcmp(pipe->other, program) &&
	       (is_slow(pipe) || isnan(busy(pipe->cpu_usec, pipe->age_usec)));
}

/* Return true if both processes ran for long enough to be compared. */
static bool is_known(const struct sw_view_pipe *pipe, const char *program)
{
	(void)program;
	return !isnan(busy(pipe->cpu_usec, pipe->age_usec)) &&
	       !isnan(busy(pipe->other_cpu_usec, pipe->other_age_usec));
}

/* Count samples with a pipe that is_so() holds for; NULL counts all. */
static unsigned samples(const struct sw_view *view,
			bool (*is_so)(const struct sw_view_pipe *pipe,
				      const char *program),
			const char *program)
{
	uint64_t counted_usec = 0;
	unsigned count = 0;
	size_t i;

	/* Pipes are sorted by time. */
	for (i = 0; i < view->pipe_count; i++) {
		uint64_t time_usec = view->pipes[i].time_usec;

		if ((count && time_usec == counted_usec) ||
		    (is_so && !is_so(&view->pipes[i], program)))
			continue;
		counted_usec = time_usec;
		count++;
	}
	return count;
}

/*
 * Find the program that was waited for most often: in half of all samples,
 * including processes too young to be compared (a pipeline may be restarted
 * repeatedly), and in more than half of those with comparable processes.
 */
static bool find(const struct sw_view *view, struct stage *stage)
{
	const char *program;
	unsigned looks;
	size_t i;

	*stage = (struct stage){ .looks = 0 };
	for (i = 0; i < view->pipe_count; i++) {
		if (!is_slow(&view->pipes[i]))
			continue;
		looks = samples(view, is_of, view->pipes[i].other);
		if (looks < stage->looks)
			continue;
		stage->looks = looks;
		stage->pipe = &view->pipes[i];
	}
	if (!stage->pipe)
		return false;
	program = stage->pipe->other;
	return samples(view, may_be_of, program) * 2 >=
		       samples(view, NULL, NULL) &&
	       stage->looks * 2 > samples(view, is_known, NULL);
}

static const char *remedy(const struct sw_view_pipe *pipe)
{
	if (!strcmp(pipe->program, pipe->other))
		return "If it hands data to workers, let them read the data "
		       "themselves, or hand over less at a time";
	if (pipe->is_writing == 1)
		return "Give that program more threads if it has an option "
		       "for them; a packer that uses several CPUs (pigz, bgzip "
		       "-@, zstd -T), a lower level of compression, or none, "
		       "helps as well";
	return "Give that program more threads if it has an option for them; "
	       "an unpacker that uses several CPUs (rapidgzip, lbzip2, bgzip "
	       "-@), or input that is not compressed, helps as well; or split "
	       "the input and run several such pipelines at a time";
}

/* CPUs that it could use as it is; "" if unknown or all. */
static const char *fits_words(char *buf, size_t size,
			      const struct sw_view_cpu *cpu)
{
	double useful = sw_view_useful_cpus(cpu->demand_peak_cores);

	buf[0] = '\0';
	if (!isnan(cpu->demand_peak_cores) && useful < cpu->allocated_cores)
		snprintf(buf, size, "; as it is, %.0f would be enough", useful);
	return buf;
}

static void say(struct sw_finding *finding, const struct sw_view *view,
		const struct stage *stage, double share)
{
	const struct sw_view_pipe *pipe = stage->pipe;
	char slow[SW_FINDING_NAME_SIZE], waiter[SW_FINDING_NAME_SIZE];
	char fits[48];

	sw_finding_name(slow, sizeof(slow), pipe->other);
	sw_finding_name(waiter, sizeof(waiter), pipe->program);
	sw_finding_sentence(
		finding,
		"%s (process %llu) set the pace: it used one CPU%s all the "
		"time, and %s (process %llu), which %s, waited for it; for "
		"%.0f %% of the run a thread waited for a pipe. More CPUs "
		"alone would not make that faster: of %.4g CPUs, %.1f were "
		"busy on average%s. %s.",
		slow, (unsigned long long)pipe->other_pid,
		queued(pipe) >= SW_SOME ? ", or waited for one," : "", waiter,
		(unsigned long long)pipe->pid,
		pipe->is_writing == 1 ? "writes to it" : "reads what it writes",
		share * 100, view->cpu.allocated_cores, view->cpu.mean_cores,
		fits_words(fits, sizeof(fits), &view->cpu), remedy(pipe));
	snprintf(finding->subject, sizeof(finding->subject), "program %.100s",
		 slow);
}

static double confidence(const struct sw_view *view, const struct stage *stage)
{
	return (stage->looks > 1 ? 0.85 : 0.7) *
	       (sw_limits_are_of_others(&view->limits) ? SW_LESS_SURE : 1);
}

static int tell(const struct sw_view *view, const struct stage *stage,
		double share, double threshold, struct sw_findings *findings)
{
	const struct sw_view_pipe *pipe = stage->pipe;
	double idle = view->cpu.allocated_cores - view->cpu.mean_cores;
	struct sw_finding *finding;

	finding = sw_finding_add(
		findings, "cpu.slow_stage",
		view->cpu.is_requested ? SW_WARNING : SW_INFO,
		confidence(view, stage),
		&(struct sw_evidence){
			"time with a thread waiting for a pipe / elapsed",
			share, "ratio", threshold, SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_evidence(
		finding,
		&(struct sw_evidence){
			"pipes.(other_cpu_usec + other_run_queue_wait_usec) / "
			"other_age_usec",
			busy(pipe->other_cpu_usec, pipe->other_age_usec) +
				queued(pipe),
			"cores", SW_ONE_CPU_LOW, pipe->time_usec });
	sw_finding_evidence(
		finding,
		&(struct sw_evidence){ "pipes.cpu_usec / age_usec",
				       busy(pipe->cpu_usec, pipe->age_usec),
				       "cores", NAN, pipe->time_usec });
	sw_finding_evidence(
		finding, &(struct sw_evidence){ "samples of pipes that saw it",
						(double)stage->looks, "count",
						NAN, SW_MISSING });
	if (view->cpu.is_requested)
		finding->wasted_core_hours = idle * share *
					     (double)view->elapsed_usec /
					     SW_USEC_PER_SEC / 3600;
	say(finding, view, stage, share);
	return 0;
}

/* CPU time is not meaningful if others took the CPU away. */
static bool is_hidden(const struct sw_view *view)
{
	return sw_limits_are_of_others(&view->limits) && view->pipe_count &&
	       sw_is_missing(view->pipes[0].other_run_queue_wait_usec);
}

static const char *blind_to(const struct sw_view *view)
{
	return is_hidden(view) ?
		"other programs had its CPUs, so it is not known which one "
		"would have set the pace" : NULL;
}

/* Return the CPUs that the step used or waited for. */
static double wanted_cores(const struct sw_view_cpu *cpu, uint64_t elapsed_usec)
{
	return cpu->mean_cores +
	       sw_ratio_u64(sw_zero_if_missing(cpu->run_queue_wait_usec),
			    elapsed_usec);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_cpu *cpu = &view->cpu;
	double share = sw_ratio_u64(view->pipe_waited_usec, view->elapsed_usec);
	struct stage stage;
	struct sw_loss loss;

	if (!(cpu->allocated_cores >= 2) || isnan(share) ||
	    !(wanted_cores(cpu, view->elapsed_usec) <=
	      setting[MAX_USED_RATIO] * cpu->allocated_cores) ||
	    is_hidden(view) || !find(view, &stage))
		return 0;
	share = fmin(share, 1);
	loss = (struct sw_loss){ share * (double)view->elapsed_usec,
				 1 - cpu->mean_cores / cpu->allocated_cores,
				 confidence(view, &stage) };
	if (!sw_is_worth_telling(view, &loss, setting))
		return 0;
	return tell(view, &stage, share, sw_worth_ratio(&loss, setting),
		    findings);
}

const struct sw_rule sw_rule_cpu_slow_stage = {
	.id = "cpu.slow_stage",
	.title = "One program of a pipeline sets the pace",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"A program that others read from or write to through a pipe used one "
	"CPU all the time while they waited for it: gzip before or after an "
	"aligner, a Python process that prepares data for its workers. The "
	"other CPUs were idle.",
	.what_to_do =
	"Give that program threads, or replace it by one that has them (pigz "
	"and bgzip to compress, rapidgzip and lbzip2 to decompress); leave out "
	"the compression; or split the input and run several pipelines at a "
	"time.",
	.computed =
	"From samples of the process at the other end of the pipes that "
	"threads wait for (table pipes: sampled after 4 s of waiting, and each "
	"time that this has doubled). A program sets the pace if it is the "
	"only one at that end, used or waited for 0.8 to 1.1 CPUs since it "
	"began, and the programs waiting for it used 0.05 to 0.8 CPUs, in more "
	"than half of the samples in which both had run for 2 s, and in half "
	"of all samples, including those in which only a younger process "
	"waited for it. Reported when the CPUs that were idle while threads "
	"waited for pipes reach min_lost_ratio and min_lost_seconds, and on "
	"average at most max_used_ratio of two or more CPUs were busy or "
	"waited for. Less certain where other programs had the CPUs for a "
	"fifth of the run, and then not evaluated if waits for a CPU were not "
	"recorded. Example: \"gzip -dc reads.fq.gz | aligner -t 8\" with gzip "
	"at 100 % and the aligner at 200 % of 8 CPUs.",
	.needs = { { "series.waits", "some_usec" },
		   { "series.cpu", "usage_usec" } },
	.settings = {
		SW_WORTH_SETTINGS,
		{ "max_used_ratio", 0.5, 0.05, 1,
		  "largest share of its CPUs that were busy on average" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
