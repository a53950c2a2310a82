/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement of tasks: CPUs, memory nodes and migrations of each task's first
 * process from /proc, a row per task, and one for the step's cgroup.  The lists
 * are the details of the subjects, written again when they change.  Threads of
 * a program may be bound individually, which is not recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cpus.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/processes/visits.h"
#include "recorder/sources/source.h"

enum {
	ALLOWED_CPUS, ALLOWED_MEMS, LAST_CPU, THREADS, CPU_USEC,
	RUN_QUEUE_WAIT, MIGRATIONS, COLUMNS
};

enum {
	/* Row of the step's cgroup, after those of all tasks */
	STEP_INDEX = SW_SUBJECTS_MAX - 1,
	CPUS_SIZE = 192, MEMS_SIZE = 48,
	TEXT_SIZE = 16384, PATH_SIZE = 64,
};

static const struct sw_column columns[COLUMNS] = {
	[ALLOWED_CPUS] = { "allowed_cpus", "count", SW_KIND_GAUGE,
			   "CPUs that it may run on." },
	[ALLOWED_MEMS] = { "allowed_mems", "count", SW_KIND_GAUGE,
			   "NUMA nodes that it may allocate memory on." },
	[LAST_CPU] = { "last_cpu", "", SW_KIND_STATE,
		       "The CPU its main thread last ran on." },
	[THREADS] = { "threads", "count", SW_KIND_GAUGE, "Its threads." },
	[CPU_USEC] = { "cpu_usec", "usec", SW_KIND_COUNTER,
		       "CPU time of its first process, all threads, and of the "
		       "children it waited for." },
	[RUN_QUEUE_WAIT] = { "run_queue_wait_usec", "usec", SW_KIND_COUNTER,
			     "Time its main thread waited for a CPU." },
	[MIGRATIONS] = { "migrations", "count", SW_KIND_COUNTER,
			 "Migrations of its main thread to another CPU." },
};

struct place {
	char cpus[CPUS_SIZE], mems[MEMS_SIZE];
	bool is_new;		/* changed since it was described */
};

struct state {
	const struct sw_target_task *tasks;
	size_t count;
	struct place *places;		/* of the tasks, then of the step */
	bool has_rows;
};

static struct place *place_of(struct state *state, uint64_t index)
{
	if (index == STEP_INDEX)
		return &state->places[state->count];
	return index < state->count ? &state->places[index] : NULL;
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	if (target->proc_fd < 0 || target->task_count == 0)
		return SW_READ_ABSENT;
	state->tasks = target->tasks;
	state->count = target->task_count < STEP_INDEX ? target->task_count :
							 STEP_INDEX;
	state->places = calloc(state->count + 1, sizeof(*state->places));
	return state->places ? SW_READ_OK : SW_READ_ABSENT;
}

/*
 * Store a list; a truncated one ends in a comma to mark it.  Return whether it
 * has changed.
 */
static bool keep_list(char *kept, size_t size, const char *list)
{
	char text[CPUS_SIZE];
	size_t length = strcspn(list, "\n");

	if (length >= size) {
		for (length = size - 1; length && list[length - 1] != ',';
		     length--)
			;
	}
	memcpy(text, list, length);
	text[length] = '\0';
	if (!strcmp(kept, text))
		return false;
	strcpy(kept, text);
	return true;
}

static enum sw_read_status take_lists(struct place *place, const char *cpus,
				      const char *mems, uint64_t *values)
{
	char line[TEXT_SIZE];
	struct sw_cpus set;

	snprintf(line, sizeof(line), "%.*s", (int)strcspn(cpus, "\n"), cpus);
	if (sw_cpus_parse(&set, line) < 0)
		return SW_READ_GARBAGE;
	values[ALLOWED_CPUS] = sw_cpus_count(&set);
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(mems, "\n"), mems);
	if (sw_cpus_parse(&set, line) < 0)
		return SW_READ_GARBAGE;
	values[ALLOWED_MEMS] = sw_cpus_count(&set);
	place->is_new |= keep_list(place->cpus, sizeof(place->cpus), cpus);
	place->is_new |= keep_list(place->mems, sizeof(place->mems), mems);
	return SW_READ_OK;
}

static enum sw_read_status slurp_task(const struct sw_target *target,
				      const struct sw_target_task *task,
				      const char *name, char *text)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "%d/%s", (int)task->pid, name);
	return sw_kernfile_slurp(target->proc_fd, path, text, TEXT_SIZE);
}

/* Return the text after "\nNAME:" and blanks, or NULL. */
static const char *find_line(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	if (!line)
		return NULL;
	line += strlen(name);
	return line + strspn(line, " \t");
}

/* Read values that a kernel may be built without. */
static void read_scheduler(const struct sw_target *target,
			   const struct sw_target_task *task,
			   uint64_t *values)
{
	char text[TEXT_SIZE];
	const char *line;
	uint64_t ran_nsec, wait_nsec;

	if (slurp_task(target, task, "schedstat", text) == SW_READ_OK &&
	    sscanf(text, "%" SCNu64 " %" SCNu64, &ran_nsec, &wait_nsec) == 2)
		values[RUN_QUEUE_WAIT] = wait_nsec / 1000;
	if (slurp_task(target, task, "sched", text) != SW_READ_OK)
		return;
	line = find_line(text, "\nse.nr_migrations");
	if (!line || *line != ':')
		return;
	line += 1 + strspn(line + 1, " ");
	if (sw_kern_parse_u64(&line, &values[MIGRATIONS]) < 0)
		values[MIGRATIONS] = SW_MISSING;
}

/* Return GONE also if the pid belongs to another process. */
static enum sw_read_status take_stat(const struct sw_visit *visit,
				     const struct sw_target_task *task,
				     uint64_t *values)
{
	const struct sw_process *process = &visit->process;

	if (visit->is_stuck)
		return SW_READ_ABSENT;
	if (visit->status != SW_READ_OK)
		return visit->status;
	if (task->start_ticks && task->start_ticks != process->start_ticks)
		return SW_READ_GONE;
	values[LAST_CPU] = process->last_cpu;
	values[THREADS] = process->thread_count;
	values[CPU_USEC] = process->user_usec + process->system_usec +
			   process->waited_user_usec +
			   process->waited_system_usec;
	return SW_READ_OK;
}

static enum sw_read_status read_task(struct state *state, size_t index,
				     const struct sw_target *target,
				     const struct sw_visit *visit,
				     uint64_t *values)
{
	const struct sw_target_task *task = &state->tasks[index];
	const char *cpus, *mems;
	enum sw_read_status status;
	char text[TEXT_SIZE];

	status = take_stat(visit, task, values);
	if (status == SW_READ_OK)
		status = slurp_task(target, task, "status", text);
	if (status != SW_READ_OK)
		return status;
	cpus = find_line(text, "\nCpus_allowed_list:");
	mems = find_line(text, "\nMems_allowed_list:");
	if (!cpus || !mems)
		return SW_READ_GARBAGE;
	read_scheduler(target, task, values);
	return take_lists(&state->places[index], cpus, mems, values);
}

/* Read the stats of as many tasks as one visit allows, beginning with first. */
static void visit_tasks(const struct state *state, size_t first,
			const struct sw_target *target,
			struct sw_visit *visits)
{
	size_t i;

	for (i = 0; i < SW_VISITS_MAX && first + i < state->count; i++)
		visits[i] = (struct sw_visit){
			.pid = (pid_t)state->tasks[first + i].pid,
			.what = SW_VISIT_STAT };
	sw_visits(target->proc_fd, visits, i);
}

/* Skip a cgroup without the controller. */
static void read_step(struct state *state, const struct sw_target *target,
		      struct sw_rows *rows)
{
	char cpus[TEXT_SIZE], mems[TEXT_SIZE];
	uint64_t values[COLUMNS], *row;

	if (target->cgroup_fd < 0 ||
	    sw_kernfile_slurp(target->cgroup_fd, "cpuset.cpus.effective",
			      cpus, sizeof(cpus)) != SW_READ_OK ||
	    sw_kernfile_slurp(target->cgroup_fd, "cpuset.mems.effective",
			      mems, sizeof(mems)) != SW_READ_OK)
		return;
	sw_set_missing(values, COLUMNS);
	if (take_lists(&state->places[state->count], cpus, mems, values) !=
	    SW_READ_OK)
		return;
	row = sw_rows_add(rows, STEP_INDEX);
	if (row)
		memcpy(row, values, sizeof(values));
}

static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	struct sw_visit visits[SW_VISITS_MAX], *visit;
	uint64_t values[COLUMNS], *row;
	struct state *state = memory;
	enum sw_read_status status;
	size_t i;

	for (i = 0; i < state->count; i++) {
		visit = &visits[i % SW_VISITS_MAX];
		if (visit == visits)
			visit_tasks(state, i, target, visits);
		sw_set_missing(values, COLUMNS);
		status = read_task(state, i, target, visit, values);
		if (status == SW_READ_GARBAGE)
			return status;
		row = status == SW_READ_OK ? sw_rows_add(rows, i) : NULL;
		if (row)
			memcpy(row, values, sizeof(values));
		rows->left_out += visit->is_stuck;
	}
	rows->left_out += target->task_count - state->count;
	/* If tasks were seen before, they have all exited: not a failure. */
	state->has_rows |= rows->count > 0;
	if (!state->has_rows)
		return SW_READ_GONE;
	read_step(state, target, rows);
	return SW_READ_OK;
}

static bool is_renamed(void *memory, uint64_t index)
{
	const struct place *place = place_of(memory, index);

	return place && place->is_new;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	struct state *state = memory;
	struct place *place = place_of(state, index);
	uint64_t rank;

	if (!place)
		return false;
	place->is_new = false;
	if (index == STEP_INDEX) {
		strcpy(subject->kind, "step");
		strcpy(subject->name, "cgroup");
	} else {
		strcpy(subject->kind, "task");
		rank = state->tasks[index].rank;
		if (sw_is_missing(rank))
			strcpy(subject->name, "command");
		else
			snprintf(subject->name, sizeof(subject->name),
				 "%" PRIu64, rank);
	}
	snprintf(subject->detail, sizeof(subject->detail), "cpus=%s mems=%s",
		 place->cpus, place->mems);
	return true;
}

static void close_source(void *memory)
{
	struct state *state = memory;

	free(state->places);
}

const struct sw_source sw_src_binding = {
	.name = "binding",
	.backend = "proc",
	.scope = SW_SCOPE_TASK,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = SW_SUBJECTS_MAX,
	.read_rows = read_rows,
	.describe = describe,
	.is_renamed = is_renamed,
	.absence = "no task of the step could be observed",
	.close = close_source,
};
