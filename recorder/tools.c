/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs inside a step, from samples of its process tree: the lowest
 * rung.  A process that lives between two samples is not seen, so all counts
 * are "at least"; how a process ended is known only of those that the
 * recorder itself has waited for.
 */
#include "recorder/tools.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/tool.h"
#include "recorder/tree.h"

enum { NO_TOOL = SW_TOOLS_MAX + 1 };

/* A process that is running, as last seen. */
struct tracked {
	pid_t pid;
	uint64_t start_ticks;
	unsigned tool;		/* index; NO_TOOL: the entry is free */
	uint64_t user_usec, system_usec;	/* counted so far */
	uint64_t seen;		/* round of the last sighting */
	uint64_t start_usec;
};

struct sw_tools {
	struct sw_tools_target target;
	int table;		/* -1: not defined yet */
	uint64_t round;
	bool has_executed;	/* the command is its own program now */
	unsigned count;
	struct sw_tool tool[SW_TOOLS_MAX + 1];	/* the last one is (other) */
	struct tracked tracked[SW_TREE_PROCESSES_MAX];
};

struct sw_tools *sw_tools_create(const struct sw_tools_target *target,
				 struct sw_error *error)
{
	struct sw_tools *tools = calloc(1, sizeof(*tools));
	size_t i;

	if (!tools) {
		sw_error_set(error, "no memory to follow the programs");
		return NULL;
	}
	tools->target = *target;
	tools->table = -1;
	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++)
		tools->tracked[i].tool = NO_TOOL;
	return tools;
}

int sw_tools_attach(struct sw_tools *tools, pid_t pid)
{
	(void)tools;
	(void)pid;	/* the tree has it */
	return 0;
}

const char *sw_tools_source(const struct sw_tools *tools)
{
	(void)tools;
	return "proc";
}

const char *sw_tools_reason(const struct sw_tools *tools)
{
	(void)tools;
	return "sampled from /proc: processes that live between two samples "
	       "are not seen";
}

int sw_tools_fd(const struct sw_tools *tools)
{
	(void)tools;
	return -1;
}

static unsigned tool_of(struct sw_tools *tools, const char *program)
{
	unsigned i;

	for (i = 0; i < tools->count; i++) {
		if (!strcmp(tools->tool[i].program, program))
			return i;
	}
	if (tools->count == SW_TOOLS_MAX) {
		if (!tools->tool[SW_TOOLS_MAX].program[0])
			sw_tool_init(&tools->tool[SW_TOOLS_MAX], "(other)");
		return SW_TOOLS_MAX;
	}
	sw_tool_init(&tools->tool[i], program);
	tools->count++;
	return i;
}

static struct tracked *find_tracked(struct sw_tools *tools, pid_t pid)
{
	size_t i;

	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++) {
		if (tools->tracked[i].tool != NO_TOOL &&
		    tools->tracked[i].pid == pid)
			return &tools->tracked[i];
	}
	return NULL;
}

static struct tracked *find_free(struct sw_tools *tools)
{
	size_t i;

	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++) {
		if (tools->tracked[i].tool == NO_TOOL)
			return &tools->tracked[i];
	}
	return NULL;
}

static void end(struct sw_tools *tools, struct tracked *tracked,
		uint64_t now_usec)
{
	struct sw_tool *tool = &tools->tool[tracked->tool];

	tool->ended++;
	tool->last_end_usec = now_usec;
	tool->is_changed = true;
	sw_sketch_add(&tool->elapsed_usec,
		      sw_excess_u64(now_usec, tracked->start_usec));
	tracked->tool = NO_TOOL;
}

/* A process belongs to the program it executed last. */
static void belong(struct sw_tools *tools, struct tracked *tracked,
		   const char *program)
{
	unsigned tool = tool_of(tools, program);
	struct sw_tool *from, *to = &tools->tool[tool];

	if (tracked->tool == tool)
		return;
	if (tracked->tool != NO_TOOL) {
		from = &tools->tool[tracked->tool];
		from->started--;
		from->is_changed = true;
		from->user_usec -= tracked->user_usec;
		from->system_usec -= tracked->system_usec;
		to->user_usec += tracked->user_usec;
		to->system_usec += tracked->system_usec;
	}
	to->started++;
	if (sw_is_missing(to->first_start_usec))
		to->first_start_usec = tracked->start_usec;
	tracked->tool = tool;
}

static struct tracked *start(struct sw_tools *tools,
			     const struct sw_process *process)
{
	struct tracked *tracked = find_free(tools);
	long hz = sysconf(_SC_CLK_TCK);

	if (!tracked)
		return NULL;
	memset(tracked, 0, sizeof(*tracked));
	tracked->tool = NO_TOOL;
	tracked->pid = process->pid;
	tracked->start_ticks = process->start_ticks;
	/* Both count from the boot. */
	tracked->start_usec = process->start_ticks *
		(SW_USEC_PER_SEC / (uint64_t)(hz > 0 ? hz : 100));
	return tracked;
}

static void take_numbers(struct sw_tool *tool, struct tracked *tracked,
			 const struct sw_process *process)
{
	tool->user_usec += sw_excess_u64(process->user_usec,
					 tracked->user_usec);
	tool->system_usec += sw_excess_u64(process->system_usec,
					   tracked->system_usec);
	tracked->user_usec = process->user_usec;
	tracked->system_usec = process->system_usec;
	tool->peak_bytes = sw_max_u64(tool->peak_bytes,
				      process->hiwater_bytes);
	if (!sw_is_missing(process->hiwater_bytes) &&
	    !sw_is_missing(process->file_max_bytes))
		tool->peak_anon_bytes = sw_max_u64(tool->peak_anon_bytes,
			sw_excess_u64(process->hiwater_bytes,
				      process->file_max_bytes));
	tool->is_changed = true;
}

static void see(struct sw_tools *tools, const struct sw_process *process,
		uint64_t now_usec)
{
	struct tracked *tracked = find_tracked(tools, process->pid);

	if (tracked && tracked->start_ticks != process->start_ticks) {
		end(tools, tracked, now_usec);
		tracked = NULL;
	}
	if (!tracked)
		tracked = start(tools, process);
	if (!tracked)
		return;
	belong(tools, tracked, process->comm);
	take_numbers(&tools->tool[tracked->tool], tracked, process);
	tracked->seen = tools->round;
}

/* The command before it executes is still a copy of the recorder. */
static bool is_held(struct sw_tools *tools, const struct sw_process *process)
{
	char own[SW_COMM_SIZE] = "";

	if (tools->has_executed || process->pid != tools->target.root_pid)
		return false;
	prctl(PR_GET_NAME, own);
	tools->has_executed = strcmp(own, process->comm) != 0;
	return !tools->has_executed;
}

void sw_tools_drain(struct sw_tools *tools, uint64_t now_usec)
{
	const struct sw_tree *tree = tools->target.tree;
	size_t i;

	if (!tree)
		return;
	tools->round++;
	for (i = 0; i < sw_tree_count(tree); i++) {
		if (!is_held(tools, sw_tree_process(tree, i)))
			see(tools, sw_tree_process(tree, i), now_usec);
	}
	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++) {
		if (tools->tracked[i].tool != NO_TOOL &&
		    tools->tracked[i].seen != tools->round)
			end(tools, &tools->tracked[i], now_usec);
	}
}

void sw_tools_reaped(struct sw_tools *tools, pid_t pid, int wait_status,
		     const struct rusage *usage)
{
	struct tracked *tracked = find_tracked(tools, pid);

	(void)usage;	/* has the children's share in it */
	if (!tracked)
		return;
	sw_tool_count_end(&tools->tool[tracked->tool], wait_status);
	end(tools, tracked, sw_clock_boottime_usec());
}

void sw_tools_write(struct sw_tools *tools, struct sw_writer *writer,
		    uint64_t now_usec, bool is_final)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	unsigned i;

	(void)is_final;
	if (tools->table < 0)
		tools->table = sw_writer_table(writer, &sw_tool_table, NULL);
	if (tools->table < 0)
		return;
	for (i = 0; i <= SW_TOOLS_MAX; i++) {
		struct sw_tool *tool = &tools->tool[i];

		if (!tool->is_changed)
			continue;
		sw_tool_row(tool, i, now_usec, values);
		if (sw_writer_row(writer, tools->table, values, now_usec) == 0)
			tool->is_changed = false;
	}
}

void sw_tools_destroy(struct sw_tools *tools)
{
	free(tools);
}
