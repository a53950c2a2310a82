/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fill a fingerprint from a view. */
#include "analyzer/compare/fingerprint_view.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "analyzer/view/program_ends.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/program_worth.h"

#define PERMILLE 1000.0

static void put_text(char text[SW_FINGERPRINT_TEXT], const char *from)
{
	snprintf(text, SW_FINGERPRINT_TEXT, "%s", from ? from : "");
}

/* A profile without the table of exits has only the last status. */
static void put_last_status(struct sw_fingerprint_program *to,
			 const struct sw_view_program *program)
{
	uint64_t failures = sw_zero_if_missing(sw_program_failures(program));

	if (failures == 0)
		return;
	sw_fingerprint_add_exit(to, false, program->last_exit_status, 1);
	sw_fingerprint_add_exit(to, false, SW_EXIT_NUMBER_UNKNOWN,
				failures - 1);
}

static void put_signals(struct sw_fingerprint_program *to,
			const struct sw_view_program *program)
{
	const struct {
		uint64_t signal, count;
	} known[] = {
		{ SIGKILL, program->signal_kill },
		{ SIGSEGV, program->signal_segv },
		{ SIGABRT, program->signal_abrt },
		{ SIGTERM, program->signal_term },
	};
	uint64_t rest = sw_zero_if_missing(program->killed);
	bool is_known = false;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		sw_fingerprint_add_exit(to, true, known[i].signal,
					known[i].count);
		rest = sw_excess_u64(rest, sw_zero_if_missing(known[i].count));
		is_known |= known[i].signal == program->last_signal &&
			    sw_zero_if_missing(known[i].count) > 0;
	}
	if (rest > 0 && !is_known) {
		sw_fingerprint_add_exit(to, true, program->last_signal, 1);
		rest--;
	}
	sw_fingerprint_add_exit(to, true, SW_EXIT_NUMBER_UNKNOWN, rest);
}

/* "other" has both statuses and signals; sums of the program divide it. */
static void put_exits(struct sw_fingerprint_program *to,
		      const struct sw_view_program *program)
{
	const struct sw_exit_counts *exits = &program->exits;
	uint64_t failures = sw_program_failures(program), killed = program->killed;
	unsigned i;

	for (i = 0; i < exits->count; i++) {
		bool is_signal = exits->kind[i] >= SW_EXIT_SIGNAL;
		uint64_t *left = is_signal ? &killed : &failures;

		sw_fingerprint_add_exit(to, is_signal,
					exits->kind[i] % SW_EXIT_SIGNAL,
					exits->processes[i]);
		*left = sw_excess_u64(*left, exits->processes[i]);
	}
	sw_fingerprint_add_exit(to, false, SW_EXIT_NUMBER_UNKNOWN, failures);
	sw_fingerprint_add_exit(to, true, SW_EXIT_NUMBER_UNKNOWN, killed);
}

/* Times of several nodes are of different clocks. */
static uint64_t since_start(const struct sw_view *view, uint64_t usec)
{
	return view->node ? sw_excess_u64(usec, view->start_usec) : SW_MISSING;
}

static void put_program(struct sw_fingerprint_program *to,
			const struct sw_view *view,
			const struct sw_view_program *program)
{
	sw_fingerprint_program_init(to, program->name);
	to->amount[SW_PROGRAM_COUNT] = program->started;
	to->amount[SW_PROGRAM_CPU_USEC] = program->cpu_usec;
	to->amount[SW_PROGRAM_READ_BYTES] = program->call_read_bytes;
	to->amount[SW_PROGRAM_WRITTEN_BYTES] = program->call_written_bytes;
	to->amount[SW_PROGRAM_LONGEST_USEC] = program->elapsed_max_usec;
	to->started_usec = since_start(view, program->first_start_usec);
	to->failed_usec = since_start(view, program->first_failed_usec);
	to->exited_ok = program->exited_ok;
	if (program->exits.count) {
		put_exits(to, program);
		return;
	}
	put_last_status(to, program);
	put_signals(to, program);
}

static bool has_failed(const struct sw_view_program *program)
{
	return sw_zero_if_missing(sw_program_failures(program)) > 0 ||
	       sw_zero_if_missing(program->killed) > 0;
}

static int by_worth(const void *a, const void *b)
{
	const struct sw_view_program *left = *(void *const *)a,
				     *right = *(void *const *)b;
	const struct sw_program_worth one = { has_failed(left), left->cpu_usec,
					      left->name },
				      two = { has_failed(right),
					      right->cpu_usec, right->name };

	return sw_program_worth_compare(&one, &two);
}

/* A name that occurs again, once it is cut off, is counted only. */
static void put_programs(struct sw_fingerprint *print,
			 const struct sw_view *view)
{
	const struct sw_view_program *sorted[SW_VIEW_PROGRAMS_MAX];
	struct sw_fingerprint_program program;
	size_t count = 0, i;

	for (i = 0; i < view->program_count && i < SW_VIEW_PROGRAMS_MAX; i++)
		sorted[count++] = &view->programs[i];
	qsort(sorted, count, sizeof(*sorted), by_worth);
	for (i = 0; i < count; i++) {
		put_program(&program, view, sorted[i]);
		if (print->program_count == SW_FINGERPRINT_PROGRAMS ||
		    !*program.name || sw_fingerprint_find(print, program.name))
			print->more_programs++;
		else
			print->programs[print->program_count++] = program;
	}
	print->is_complete =
		view->program_count > 0 && !sw_program_unseen_ends(view);
}

static void put_phases(struct sw_fingerprint *print, const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->phase_count && i < SW_FINGERPRINT_PHASES; i++) {
		const struct sw_phase *phase = &view->phases[i];
		struct sw_bottleneck bottleneck;
		uint64_t usec =
			sw_delta_u64(phase->end_usec, phase->start_usec);

		if (!sw_bottleneck_find(&bottleneck, &phase->limits))
			continue;
		print->phases[print->phase_count++] =
			(struct sw_fingerprint_phase){
				bottleneck.resource,
				fmin(1, sw_ratio_u64(usec, view->elapsed_usec)),
			};
	}
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		print->limited[i] =
			sw_limits_ratio(&view->limits, (enum sw_limited_by)i);
}

/* The parts of a sum, which knows neither placement nor waits for mounts. */
struct parts {
	const struct sw_view *const *items;
	size_t count;
};

/* The mount that threads waited for longest, else the one with most bytes. */
static void put_mount(struct sw_fingerprint *print, const struct sw_view *view,
		      const struct parts *parts)
{
	const struct sw_view_wait *longest = NULL;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view_io *io = &parts->items[i]->io;

		if (io->wait_count > 0 &&
		    (!longest || io->waits[0].waited_usec > longest->waited_usec))
			longest = &io->waits[0];
	}
	if (longest) {
		put_text(print->environment.mount, longest->name);
		print->amount[SW_STEP_MOUNT_USEC] = longest->waited_usec;
	} else if (view->nearby.mount_count > 0) {
		put_text(print->environment.mount, view->nearby.mounts[0].name);
	}
}

/* The part that did most of the work stands for all of them. */
static const struct sw_view *main_part(const struct parts *parts)
{
	const struct sw_view *most = parts->items[0];
	size_t i;

	for (i = 1; i < parts->count; i++) {
		if (sw_zero_if_missing(parts->items[i]->cpu.used_usec) >
		    sw_zero_if_missing(most->cpu.used_usec))
			most = parts->items[i];
	}
	return most;
}

/* CPUs that the tasks could run on, together. */
static void put_binding(struct sw_fingerprint_environment *around,
			const struct sw_placement *placement)
{
	struct sw_cpus cpus = placement->step_cpus, parts;
	size_t i;

	if (placement->task_count > 0)
		memset(&cpus, 0, sizeof(cpus));
	for (i = 0; i < placement->task_count; i++)
		sw_cpus_add(&cpus, &placement->tasks[i].cpus);
	if (sw_cpus_count(&cpus) == 0)
		return;
	around->bound_cpus = sw_cpus_count(&cpus);
	sw_place_parts(placement, &cpus, SW_PART_NUMA, &parts);
	if (sw_cpus_count(&parts) > 0)
		around->bound_numa = sw_cpus_count(&parts);
}

static void put_environment(struct sw_fingerprint *print,
			    const struct sw_view *view,
			    const struct parts *parts, const char *node_kind)
{
	struct sw_fingerprint_environment *around = &print->environment;
	double others = sw_others_ratio(&view->nearby.around);
	const struct sw_view *part = main_part(parts);

	put_text(around->node, part->node);
	put_text(around->kind,
		 node_kind ? node_kind : part->placement.cpu_model);
	put_text(around->kernel, part->kernel);
	if (view->cpu.allocated_cores > 0)
		around->cpus_milli =
			sw_whole_real(view->cpu.allocated_cores * 1000);
	if (others >= 0)
		around->neighbors_permille =
			sw_whole_real(fmin(others, 1) * PERMILLE);
	put_binding(around, &part->placement);
	put_mount(print, view, parts);
}

void sw_fingerprint_of_sum(struct sw_fingerprint *print,
			   const struct sw_view *view,
			   const struct sw_view *const *parts, size_t count,
			   enum sw_run_state state, const char *node_kind)
{
	sw_fingerprint_init(print);
	print->state = state;
	print->exit_code = view->exit_code;
	if (sw_is_missing(view->exit_code) && !sw_is_missing(view->signal))
		print->exit_code = SW_STATUS_SIGNAL + view->signal;
	print->input_bytes = view->input_bytes;
	print->need_is_lower_bound = view->memory.need_is_lower_bound;
	print->amount[SW_STEP_ELAPSED_USEC] = view->elapsed_usec;
	print->amount[SW_STEP_CPU_USEC] = view->cpu.used_usec;
	print->amount[SW_STEP_NEED_BYTES] = view->memory.need_bytes;
	print->amount[SW_STEP_READ_BYTES] = view->io.call_read_bytes;
	print->amount[SW_STEP_WRITTEN_BYTES] = view->io.call_written_bytes;
	put_programs(print, view);
	put_phases(print, view);
	put_environment(print, view,
			count > 0 ? &(struct parts){ parts, count }
				  : &(struct parts){ &view, 1 },
			node_kind);
}

void sw_fingerprint_of_view(struct sw_fingerprint *print,
			    const struct sw_view *view, enum sw_run_state state,
			    bool has_failure, const char *node_kind)
{
	sw_fingerprint_of_sum(print, view, &view, 1, state, node_kind);
	print->has_failure = has_failure;
}
