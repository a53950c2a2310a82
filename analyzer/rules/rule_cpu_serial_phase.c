/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.serial_phase: one of several CPUs was busy for much of the run. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_serial.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { MIN_PARALLEL_RATIO = SW_WORTH_SETTINGS_COUNT };

static const char *const causes[] = { "cpu.over_allocated", "cpu.slow_stage",
				      "cpu.imbalance", NULL };

/* The part computed by one thread takes as long on any number of CPUs. */
static void say(struct sw_finding *finding, const struct sw_serial *parts,
		double cpus, double elapsed)
{
	double least = parts->serial_cpu_seconds;
	bool is_starved = least < SW_NEARLY_ALL * parts->serial_seconds;
	char used[112] = "", computed[SW_UNITS_TEXT_SIZE];

	sw_duration_format(computed, sizeof(computed),
			   sw_whole_real(least * SW_USEC_PER_SEC));
	if (is_starved)
		snprintf(used, sizeof(used), " (which used %s of CPU time and "
			 "otherwise waited for a CPU)", computed);
	sw_finding_sentence(finding,
		"For %s (%.0f %% of the time) the step kept only one of its "
		"%.4g CPUs busy%s, and for %s several. With any number of CPUs "
		"this run takes at least %s (Amdahl's law): at most %.1f times "
		"faster than now. Run the serial part in a job of one CPU, or "
		"let other work use the CPUs during it.",
		sw_duration_text(sw_whole_real(parts->serial_seconds *
					    SW_USEC_PER_SEC)).s,
		parts->serial_seconds / elapsed * 100, cpus, used,
		sw_duration_text(sw_whole_real(parts->parallel_seconds *
					    SW_USEC_PER_SEC)).s,
		computed, elapsed / least);
}

static int tell(const struct sw_view *view, const struct sw_serial *parts,
		double elapsed, double threshold, struct sw_findings *findings)
{
	double cpus = view->cpu.allocated_cores;
	struct sw_evidence evidence = { "time with work for one CPU / elapsed",
					parts->serial_seconds / elapsed, "ratio",
					threshold, SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "cpu.serial_phase", SW_WARNING,
				 SW_PROBABLE,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"time with work for more CPUs / elapsed",
		parts->parallel_seconds / elapsed, "ratio", NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"CPU time with work for one CPU", parts->serial_cpu_seconds,
		"seconds", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	if (view->cpu.is_requested)
		finding->wasted_core_hours =
			(cpus - 1) * parts->serial_seconds / 3600;
	say(finding, parts, cpus, elapsed);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct sw_serial parts = sw_serial_measure(view);
	double cpus = view->cpu.allocated_cores;
	struct sw_loss loss = { parts.serial_seconds * SW_USEC_PER_SEC,
				1 - 1 / cpus, SW_PROBABLE };
	double elapsed;

	if (sw_is_missing(view->elapsed_usec) ||
	    !(cpus > 1) || sw_serial_blind_to(view))
		return 0;
	elapsed = (double)view->elapsed_usec / SW_USEC_PER_SEC;
	if (!sw_is_worth_telling(view, &loss, setting) ||
	    parts.parallel_seconds < setting[MIN_PARALLEL_RATIO] * elapsed)
		return 0;
	return tell(view, &parts, elapsed, sw_worth_ratio(&loss, setting),
		    findings);
}

static const char *blind_to(const struct sw_view *view)
{
	return view->cpu.allocated_cores > 1 ? sw_serial_blind_to(view) : NULL;
}

const struct sw_rule sw_rule_cpu_serial_phase = {
	.id = "cpu.serial_phase",
	.title = "A serial phase on several CPUs",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"For a good part of the run the step kept only one of its CPUs busy, "
	"although it used several at other times.",
	.what_to_do =
	"Move serial parts (unpacking, indexing, merging) to a job of one CPU "
	"before or after, use parallel tools for them (pigz, samtools -@), or "
	"process several inputs at a time. If fewer CPUs than requested were "
	"ever busy, cpu.over_allocated says so instead.",
	.computed =
	"From CPU time and run-queue waits between samples: an interval is "
	"serial when 0.8 to 1.1 CPUs were busy or wanted, and parallel when "
	"1.5 or more were. Reported when the CPUs that were idle in serial "
	"intervals reach min_lost_ratio and min_lost_seconds, and parallel "
	"ones take min_parallel_ratio. By G. M. Amdahl's argument (AFIPS "
	"Conference Proceedings 30 (1967) 483-485) the run can never be "
	"shorter than its serial part: the CPU time used in it, which is less "
	"than its duration where other programs had the CPU. Not evaluated "
	"where other programs had the CPUs for a third of the time: processes "
	"that feed each other then take turns, and would otherwise run side by "
	"side.",
	.needs = { { "series.cpu", "usage_usec" },
		   { "series.proc", "utime_usec" } },
	.is_any_need = true,
	.settings = {
		SW_WORTH_SETTINGS,
		{ "min_parallel_ratio", 0.1, 0, 1,
		  "with less of it the step is not parallel" },
	},
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};
