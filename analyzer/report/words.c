/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and numbers used by all reports for people. */
#include "analyzer/report/words.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "analyzer/accounting/sacct.h"
#include "common/text.h"
#include "common/units.h"

char *sw_energy_format(char *buf, size_t size, double joules)
{
	if (joules < 3600)
		snprintf(buf, size, "%.3g J", joules);
	else
		snprintf(buf, size, "%.4g Wh", joules / 3600);
	return buf;
}

char *sw_realtime_words(char *buf, size_t size, uint64_t usec)
{
	time_t seconds = (time_t)(usec / SW_USEC_PER_SEC);
	struct tm local;

	if (sw_is_missing(usec) || !localtime_r(&seconds, &local) ||
	    strftime(buf, size, "%Y-%m-%d %H:%M:%S", &local) == 0)
		snprintf(buf, size, "?");
	return buf;
}

const char *sw_name_of(const struct sw_view *view)
{
	if (view->name)
		return view->name;
	return view->program ? view->program : "(no name)";
}

char *sw_cpu_words(char *buf, size_t size, const struct sw_view_cpu *cpu)
{
	if (sw_is_missing(cpu->used_usec)) {
		snprintf(buf, size, "not recorded");
		return buf;
	}
	snprintf(buf, size, "%s of CPU time",
		 sw_duration_text(cpu->used_usec).s);
	if (!isnan(cpu->mean_cores) && !isnan(cpu->allocated_cores))
		sw_text_add(buf, size,
			    "; %.2f of %.4g %s CPUs busy on average",
			    cpu->mean_cores, cpu->allocated_cores,
			    cpu->is_requested ? "requested" : "available");
	else if (!isnan(cpu->mean_cores))
		sw_text_add(buf, size, "; %.2f CPUs busy on average",
			    cpu->mean_cores);
	/* Without samples, only the mean is known. */
	if (cpu->peak_cores > cpu->mean_cores)
		sw_text_add(buf, size, ", %.2f at the peak", cpu->peak_cores);
	/* A quota or neighbor may have shown by other signs than waits. */
	if (cpu->is_constrained && !sw_is_missing(cpu->run_queue_wait_usec) &&
	    cpu->run_queue_wait_usec >= cpu->used_usec / 10)
		sw_text_add(buf, size, "; its threads waited %s%s for a CPU",
			    sw_duration_text(cpu->run_queue_wait_usec).s,
			    cpu->is_wait_complete ? "" : " or more");
	return buf;
}

const char *sw_title_of(char *buf, size_t size, const struct sw_result *result)
{
	struct sw_jobid jobid;

	if (!result->job)
		return sw_name_of(result->view);
	jobid = sw_job_key_id(&result->view->job);
	if (sw_is_missing(jobid.job))
		return sw_name_of(result->view);
	if (result->job->is_one_step && result->view->step_id)
		snprintf(jobid.step, sizeof(jobid.step), "%.*s",
			 (int)sizeof(jobid.step) - 1, result->view->step_id);
	snprintf(buf, size, "job %s",
		 sw_jobid_text(&jobid).s);
	return buf;
}

/* Recorders of Slurm jobs run on each node, so this is LSF. */
static bool is_of_lsf(const struct sw_job *job)
{
	return !job->total.slurm.is_slurm &&
	       !sw_is_missing(job->total.job.job_id);
}

/* Slurm's list of all nodes shows the missing ones. */
static void add_others(char *buf, size_t size, const struct sw_job *job)
{
	const struct sw_job_record *row = job->total.slurm.job_record;

	sw_text_add(buf, size, "; no recording of the others was found%s",
		    is_of_lsf(job) ? " (HOST_PRE_EXEC makes them: "
				     "stepwell-lsf(8))"
				   : "");
	if (row && *row->node_list && job->component_count < 2)
		sw_text_add(buf, size, " (all of the job: %s)", row->node_list);
}

char *sw_nodes_words(char *buf, size_t size, const struct sw_job *job)
{
	enum { NAMED = 8 };
	size_t i;

	snprintf(buf, size, "%zu", job->node_count);
	if (!sw_is_missing(job->node_expected))
		sw_text_add(buf, size, " of %llu%s",
			    (unsigned long long)job->node_expected,
			    is_of_lsf(job) ? " hosts" : "");
	for (i = 0; i < job->node_count && i < NAMED; i++) {
		sw_text_add(buf, size, "%s%.64s", i ? ", " : ": ",
			    job->nodes[i].total.node ?
			    job->nodes[i].total.node : "?");
		if (job->component_count > 1)
			sw_text_add(buf, size, " (component %llu)",
				    (unsigned long long)job->nodes[i]
					    .total.job.het_component);
	}
	if (job->node_count > NAMED)
		sw_text_add(buf, size, " and %zu more",
			    job->node_count - NAMED);
	if (!sw_is_missing(job->node_expected) &&
	    job->node_expected > job->node_count)
		add_others(buf, size, job);
	return buf;
}

char *sw_cores_words(char *buf, size_t size, double cores)
{
	snprintf(buf, size, "%.1f", cores);
	return buf;
}

/* More than 64 bits means that a counter was forged. */
char *sw_bytes_words(char *buf, size_t size, double bytes)
{
	return sw_size_format(buf, size, sw_whole_real(bytes));
}

char *sw_bytes_rate_words(char *buf, size_t size, double bytes_per_sec)
{
	sw_bytes_words(buf, size, bytes_per_sec);
	sw_text_add(buf, size, "/s");
	return buf;
}

char *sw_where_words(char *buf, size_t size, const struct sw_result *result,
		     const struct sw_finding *finding)
{
	const char *step, *node;

	buf[0] = '\0';
	if (!result->job || !finding->view)
		return buf;
	step = finding->view->step_id;
	node = finding->view->node;
	if (result->job->component_count > 1)
		sw_text_add(
			buf, size, "component %llu, ",
			(unsigned long long)finding->view->job.het_component);
	sw_text_add(buf, size, "%s%.64s%s%.255s", step ? "step " : "all steps",
		    step ? step : "", node ? " on " : "", node ? node : "");
	if (finding->other_occurrences)
		sw_text_add(buf, size, ", and %zu more",
			    finding->other_occurrences);
	return buf;
}

static const struct {
	const char *word, *color;
} severities[] = {
	[SW_INFO] = { "info", "\033[36m" },
	[SW_WARNING] = { "warning", "\033[33m" },
	[SW_CRITICAL] = { "critical", "\033[1;31m" },
};

const char *sw_severity_word(enum sw_severity severity)
{
	return severities[severity].word;
}

const char *sw_severity_color(const char *word,
			      const struct sw_report_style *style)
{
	size_t i;

	for (i = 0; word && style->has_color &&
		    i < sizeof(severities) / sizeof(severities[0]); i++) {
		if (!strcmp(word, severities[i].word))
			return severities[i].color;
	}
	return "";
}
