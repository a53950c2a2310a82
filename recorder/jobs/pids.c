/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translate pids of another pid namespace. */
#include "recorder/jobs/pids.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/process.h"

/* Hooks may run in a child of slurmstepd (contain_spank of 24.05). */
enum { GENERATIONS = 3, STATUS_SIZE = 8192, CHILDREN_SIZE = 16384 };

/* A process's pids here and in its slurmstepd's namespace */
struct numbers {
	uint32_t here, there;
};

struct children {
	int proc_fd;
	size_t depth;
	size_t count;
	struct numbers child[SW_MESSAGE_TASKS_MAX];
};

/*
 * Parse "NSpid:", which has a pid for each namespace of the process, beginning
 * with this one's.  Returns their number, and the pid depth levels further down
 * in *there; 0: none.
 */
static size_t read_numbers(int proc_fd, uint32_t pid, size_t depth,
			   uint32_t *there)
{
	static const char name[] = "\nNSpid:";
	char path[32], text[STATUS_SIZE];
	const char *at;
	uint64_t number;
	size_t count;

	snprintf(path, sizeof(path), "%" PRIu32 "/status", pid);
	if (sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) != SW_READ_OK)
		return 0;
	at = strstr(text, name);
	if (!at)
		return 0;
	at += strlen(name);
	for (count = 0; at += strspn(at, "\t "), *at && *at != '\n'; count++) {
		if (sw_kern_parse_u64(&at, &number) < 0 || number > UINT32_MAX)
			return 0;
		if (count == depth)
			*there = (uint32_t)number;
	}
	return count > depth ? count : 0;
}

/* Return the sender or a close ancestor; 0: none is this slurmstepd. */
static uint32_t find_stepd(int proc_fd, pid_t pid, size_t depth,
			   const struct sw_message_step *step)
{
	struct sw_process process;
	uint32_t there;
	int i;

	for (i = 0; i < GENERATIONS && pid > 0; i++, pid = process.parent) {
		if (!read_numbers(proc_fd, (uint32_t)pid, depth, &there) ||
		    sw_process_read_stat(&process, proc_fd, pid) != SW_READ_OK)
			return 0;
		if (there == step->stepd_pid &&
		    process.start_ticks == step->stepd_start_ticks)
			return (uint32_t)pid;
	}
	return 0;
}

static void take_thread(void *context, pid_t pid, const char *thread)
{
	struct children *children = context;
	char path[64], text[CHILDREN_SIZE];
	const char *at = text;
	struct numbers *child;
	uint64_t number;

	snprintf(path, sizeof(path), "%d/task/%.16s/children", (int)pid,
		 thread);
	if (sw_kernfile_slurp(children->proc_fd, path, text, sizeof(text)) !=
	    SW_READ_OK)
		return;
	while (children->count < SW_MESSAGE_TASKS_MAX &&
	       sw_kern_parse_u64(&at, &number) == 0) {
		child = &children->child[children->count];
		child->here = (uint32_t)number;
		children->count +=
			read_numbers(children->proc_fd, child->here,
				     children->depth, &child->there) > 0;
		at += *at == ' ';
	}
}

static uint32_t find_task(const struct children *children,
			  const struct sw_message_task *task)
{
	size_t i;

	/* sw_node_is_task() compares the start time. */
	for (i = 0; i < children->count; i++) {
		if (children->child[i].there == task->pid)
			return children->child[i].here;
	}
	return 0;
}

static void translate_tasks(int proc_fd, size_t depth,
			    struct sw_message_step_start *start)
{
	static struct children children;
	uint32_t i;

	children = (struct children){ .proc_fd = proc_fd, .depth = depth };
	sw_process_each_thread(proc_fd, (pid_t)start->step.stepd_pid,
			       take_thread, &children);
	for (i = 0; i < start->task_count; i++)
		start->tasks[i].pid = find_task(&children, &start->tasks[i]);
}

void sw_node_pids_translate(int proc_fd, pid_t peer_pid,
			    union sw_message *message)
{
	/* At the same offset in all messages that have one. */
	struct sw_message_step *step = &message->start.step;
	uint32_t stepd, there;
	size_t count = 0;

	if (peer_pid > 0)
		count = read_numbers(proc_fd, (uint32_t)peer_pid, 0, &there);
	if (count <= 1)
		return;
	stepd = find_stepd(proc_fd, peer_pid, count - 1, step);
	if (!stepd)
		return;
	step->stepd_pid = stepd;
	if (message->header.type == SW_MESSAGE_STEP_START)
		translate_tasks(proc_fd, count - 1, &message->start);
}
