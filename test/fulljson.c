/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fulljson report|killed|suggest PROFILE: print the JSON of a report on a job,
 * which exited or was killed, or of advice, with all values known: each field of
 * each part, filled from the tables that it is written by.  The profile provides
 * the clock.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/sacct.h"
#include "analyzer/job/job.h"
#include "analyzer/report/report.h"
#include "analyzer/suggest/suggest.h"
#include "analyzer/view/view_internal.h"

static struct sw_view_gpu gpu;
static struct sw_view_link link_known;
static struct sw_view_mount mount;
static struct sw_view_reading reading;
static struct sw_view_program program;
static struct sw_view_event event;
static struct sw_phase phase;
static struct sw_view_hang hang;
static struct sw_place_task place;
static struct sw_view_task tasks[2];
static struct sw_place_pu pu;
static struct sw_place_memory place_memory;
static struct sw_job_record record = {
	.end = { .state = SW_JOB_TIMEOUT, .text = "TIMEOUT" },
};

static void fill(void *part, const struct sw_field *field)
{
	for (; field->type != SW_FIELD_END; field++) {
		void *at = (char *)part + field->offset;

		if (field->type == SW_FIELD_NUMBER)
			*(uint64_t *)at = 1;
		else if (field->type == SW_FIELD_REAL)
			*(double *)at = 0.5;
		else if (field->type == SW_FIELD_BOOL)
			*(bool *)at = true;
		else if (field->type == SW_FIELD_TEXT)
			*(const char **)at = "known";
		else if (field->type == SW_FIELD_CHARS)
			strcpy(at, "known");
	}
}

static void fill_placement(struct sw_placement *placement)
{
	fill(&place, sw_place_task_fields);
	sw_cpus_parse(&place.cpus, "0");
	*placement = (struct sw_placement){
		.source = "hwloc",
		.digest = "0",
		.cpu_model = "known",
		.has_step_cpus = true,
		.pus = &pu,
		.pu_count = 1,
		.tasks = &place,
		.task_count = 1,
		.memory = &place_memory,
		.memory_count = 1,
	};
}

static void fill_tasks(struct sw_view *view)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		fill(&tasks[i], sw_task_fields);
		fill(&tasks[i].counters, sw_kernel_fields);
		fill(&tasks[i].counters, sw_hardware_fields);
		tasks[i].rank = i;
	}
	tasks[1].wait_status = 9; /* killed; the other one exited */
	tasks[0].wait_status = 0;
	view->tasks = tasks;
	view->task_count = 2;
}

static void fill_view(struct sw_view *view)
{
	const struct sw_view_part *part;

	for (part = sw_view_parts; part->fields; part++)
		fill((char *)view + part->offset, part->fields);
	view->slurm.record = &record;
	fill(&gpu, sw_gpu_fields);
	view->gpus = &gpu;
	view->gpu_count = 1;
	fill(&link_known, sw_link_fields);
	view->nearby.links = &link_known;
	view->nearby.link_count = 1;
	fill(&mount, sw_mount_fields);
	view->nearby.mounts = &mount;
	view->nearby.mount_count = 1;
	fill(&reading, sw_reading_fields);
	view->nearby.readings = &reading;
	view->nearby.reading_count = 1;
	fill(&program, sw_program_fields);
	view->programs = &program;
	view->program_count = 1;
	fill(&event, sw_event_fields);
	view->events = &event;
	view->event_count = 1;
	fill(&phase.limits, sw_limit_fields);
	view->phases = &phase;
	view->phase_count = 1;
	fill(&hang, sw_hang_fields);
	view->hangs = &hang;
	view->hang_count = 1;
	fill(&view->io.waits[0], sw_wait_fields);
	view->io.wait_count = 1;
	view->chosen[0] = (struct sw_view_chosen){
		.name = "known", .value = 1, .why = "known", .tasks = 1,
		.enabled_usec = 1, .running_usec = 1 };
	view->chosen_count = 1;
	fill_tasks(view);
	fill_placement(&view->placement);
}

static const struct sw_advisor advisor = {
	.resource = SW_RESOURCE_MEMORY,
	.name = "memory",
	.unit = "bytes",
};

static struct sw_node_kind node_kind = {
	.name = "thin",
	.as_of = "2026-01-08",
};

static struct sw_kind_choice choice = {
	.fits = true,
	.obstacle = "known",
	.share = 1,
	.hour_cost = 1,
};

static struct sw_run run = { .input_bytes = 1 };
static char *job_id = "1";

static struct sw_advice advice = {
	.group = "known",
	.family = "known", .family_names = 2,
	.asked_by = "known",
	.runs = { &run, &job_id, 1 },
	.asked =
		{
			.requested_bytes = 1,
			.requested_seconds = 1,
			.requested_cores = 1,
			.requested_gpus = 1,
			.tasks = 1,
			.nodes = 1,
		},
	.query = { .input_bytes = 1 },
	.input_source = SW_INPUT_LARGEST,
	.policy = { .currency = "EUR" },
	.advisors = { &advisor },
	.count = 1,
	.suggestions = { {
		.resource = SW_RESOURCE_MEMORY,
		.current = 1,
		.suggested = 1 << 30,
		.retries = { 1U << 31 },
		.retry_count = 1,
		.retry_limit = SW_RETRY_LIMIT_KNOWN,
		.risk = 0.5,
		.runs = 1,
		.statistic = "known",
		.margin = 1,
		.backtest = { 1, 1, 1, 1, 1, 1 },
		.why = "known",
		.remedy = "known",
	} },
	.has_nodes = true,
	.nodes =
		{
			.catalogue = { &node_kind, 1, "EUR" },
			.choices = &choice,
			.count = 1,
			.why = "known",
		},
};

static int write_report(struct sw_view *view)
{
	const struct sw_view *views[] = { view };
	static const char *const earlier[] = { "file" };
	struct sw_job_step step = { .on_nodes = views, .node_count = 1 };
	struct sw_node node = { .step_count = 1, .steps = view };
	struct sw_job job = {
		.nodes = &node,
		.node_count = 1,
		.node_expected = 1,
		.views = views,
		.steps = &step,
		.step_count = 1,
		.component_count = 2,
		.earlier_paths = earlier,
		.earlier_count = 1,
		.earlier_runs = 1,
		.record = SW_RECORD_FINAL,
	};
	struct sw_finding finding = {
		.id = "known",
		.view = view,
		.evidence_count = 1,
		.evidence = { { "known", 1, "count", 1, 1 } },
		.wasted_core_hours = 1,
		.wasted_gib_hours = 1,
	};
	struct sw_not_evaluated not_evaluated = { .id = "known" };
	struct sw_verdict verdict = { .trust = SW_TRUST_CLAIM };
	struct sw_result result = {
		.view = view,
		.job = &job,
		.verdict = &verdict,
		.findings = { &finding, 1, 1 },
		.not_evaluated = &not_evaluated,
		.not_evaluated_count = 1,
		.advice = &advice,
		.ceilings = { 1e12, 1e11 },
	};
	const struct sw_result part = result, *const parts[] = { &part };
	const struct sw_report_style style = { .width = 80 };
	const struct sw_report_format *const *format = sw_report_formats;

	result.components = parts;
	result.component_count = 1;
	step.view = node.total = job.total = *view;
	node.total.phase_count = 0;	/* sums have none */
	while (*format && strcmp((*format)->name, "json") != 0)
		format++;
	return *format ? (*format)->write(stdout, &result, &style) : -1;
}

static int write_advice(void)
{
	struct sw_request request;

	sw_request_init(&request, &advice);
	sw_suggest_json(stdout, &request);
	return 0;
}

int main(int argc, char **argv)
{
	static struct sw_view view;
	struct sw_reader *reader = NULL;
	struct sw_error error = { "usage: fulljson report|killed|suggest PROFILE" };
	int rc;

	if (argc == 3)
		reader = sw_reader_open(argv[2], &error);
	if (!reader) {
		fprintf(stderr, "%s\n", error.text);
		return EXIT_FAILURE;
	}
	view.reader = reader;
	fill_view(&view);
	/* Not known together with an exit code. */
	if (!strcmp(argv[1], "killed"))
		record.end.signal = SIGKILL;
	rc = strcmp(argv[1], "suggest") ? write_report(&view) : write_advice();
	sw_reader_close(reader);
	return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
