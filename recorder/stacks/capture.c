/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks of waiting threads, main loop side. */
#include "recorder/stacks/capture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/missing.h"
#include "common/units.h"
#include "config.h"
#include "recorder/bpf/waits.h"
#include "recorder/processes/helpers.h"
#include "recorder/processes/visits.h"
#include "recorder/stacks/capture_child.h"
#include "recorder/stacks/turns.h"
#include "recorder/tables/stacks.h"

/* Reading the symbols of a large program takes about a second. */
#define DEADLINE_USEC (20 * SW_USEC_PER_SEC)

/* A thread that has waited longer has probably moved on. */
#define PATIENCE_USEC (120 * SW_USEC_PER_SEC)

enum { LINE_SIZE = 8192, RATE_PERMILLE = 10 };

/* Shared by all steps. */
static struct sw_turns turns = { .rate_permille = RATE_PERMILLE };

void sw_capture_want(struct sw_capture *capture, pid_t pid, pid_t tid,
		     uint64_t time_usec)
{
	struct sw_capture_one *one = NULL;
	size_t i;

	for (i = 0; i < SW_CAPTURE_PROCESSES && !one; i++) {
		if (!capture->one[i].child && capture->one[i].pid == pid)
			one = &capture->one[i];
	}
	for (i = 0; i < SW_CAPTURE_PROCESSES && !one; i++) {
		if (!capture->one[i].pid)
			one = &capture->one[i];
	}
	if (!one || one->count == SW_CAPTURE_THREADS)
		return;
	one->pid = pid;
	one->time_usec = time_usec;
	one->tid[one->count++] = tid;
}

/* Find the program next to the recorder's own; "" if it cannot be found. */
static void find_program(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash || (size_t)(slash + 1 - path) + sizeof(SW_CAPTURE_PROGRAM) > size) {
		path[0] = '\0';
		return;
	}
	memcpy(slash + 1, SW_CAPTURE_PROGRAM, sizeof(SW_CAPTURE_PROGRAM));
	if (access(path, X_OK) < 0)
		path[0] = '\0';
}

static void forget(struct sw_capture_one *one)
{
	if (one->text_fd > 0)
		close(one->text_fd);
	*one = (struct sw_capture_one){ 0 };
}

static uint64_t start_ticks_of(int proc_fd, pid_t pid)
{
	struct sw_process process;

	return sw_visit_stat(proc_fd, pid, &process) ? process.start_ticks : 0;
}

/* Clone as topology does, except that execve() restores the exit signal. */
static bool start(struct sw_capture_one *one,
		  const struct sw_capture_place *place, const char *program)
{
	pid_t parent = getpid();
	long child;

	one->text_fd = memfd_create("stacks", MFD_CLOEXEC);
	child = one->text_fd < 0 ? -1 :
				   syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
	if (child == 0)
		sw_capture_serve(one, place, program, parent);
	if (child < 0)
		return false;
	one->child = (pid_t)child;
	one->deadline_usec = sw_clock_boottime_usec() + DEADLINE_USEC;
	if (sw_helpers_add_apart(one->child) < 0)
		kill(one->child, SIGKILL);
	return true;
}

/* Code built for debugging uses these to find its callers. */
static void find_frames(struct sw_capture_one *one)
{
#ifdef HAVE_LIBBPF
	size_t i;

	for (i = 0; i < one->count; i++)
		sw_waits_frame(one->tid[i], &one->frame_pointer[i],
			       &one->link[i]);
#else
	(void)one;
#endif
}

/* Write why the threads without a line in written were left out. */
static void write_left_out(const struct sw_capture_one *one,
			   unsigned written, const char *why,
			   struct sw_writer *writer, uint64_t step)
{
	struct sw_stack_row row = {
		.time_usec = one->time_usec,
		.took_usec = SW_MISSING,
		.pid = (uint64_t)one->pid,
		.left_out = why,
	};
	size_t i;

	for (i = 0; i < one->count; i++) {
		row.tid = (uint64_t)one->tid[i];
		if (!(written >> i & 1))
			sw_stacks_write(writer, step, &row);
	}
}

/* Return true if the pid was reused by another process. */
static bool is_gone(const struct sw_capture_one *one, int proc_fd)
{
	return one->start_ticks != start_ticks_of(proc_fd, one->pid);
}

/* Start one capture if its job may have one.  program is "" if not found. */
static void begin_one(struct sw_capture_one *one,
		      const struct sw_capture_place *place, const char *program)
{
	if (!program[0] || is_gone(one, place->proc_fd)) {
		forget(one);
		return;
	}
	if (!sw_turns_take(&turns, place->uid, place->job_id,
			   sw_clock_boottime_usec()))
		return;
	find_frames(one);
	if (start(one, place, program))
		return;
	sw_turns_give(&turns, place->uid, place->job_id, 0);
	forget(one);
}

static void begin_all(struct sw_capture *capture)
{
	char program[4096] = "";
	bool is_known = false;
	size_t i;

	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		struct sw_capture_one *one = &capture->one[i];

		if (!one->pid || one->child)
			continue;
		if (!is_known)
			find_program(program, sizeof(program));
		is_known = true;
		begin_one(one, &capture->place, program);
	}
}

void sw_capture_begin(struct sw_capture *capture,
		      const struct sw_capture_place *place)
{
	size_t i;

	capture->place = *place;
	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		struct sw_capture_one *one = &capture->one[i];

		if (one->pid && !one->child && !one->start_ticks)
			one->start_ticks =
				start_ticks_of(place->proc_fd, one->pid);
	}
	begin_all(capture);
}

/* Return the index of tid, or -1 if it was not requested. */
static int find_wanted(const struct sw_capture_one *one, pid_t tid)
{
	size_t i;

	for (i = 0; i < one->count; i++) {
		if (one->tid[i] == tid)
			return (int)i;
	}
	return -1;
}

/*
 * Parse "TID function < caller", or "TID !rights", from the child, whose output
 * is not trusted.  Return the bit of its thread, or 0 if nothing was written.
 */
static unsigned take_line(const struct sw_capture_one *one, char *line,
			  struct sw_stack_row *row, struct sw_writer *writer,
			  uint64_t step)
{
	char *end;
	long tid = strtol(line, &end, 10);
	int which = find_wanted(one, (pid_t)tid);

	end[strcspn(end, "\n")] = '\0';
	if (*end != ' ' || !end[1] || which < 0)
		return 0;
	row->tid = (uint64_t)tid;
	row->left_out = strcmp(end + 1, SW_CAPTURE_REFUSED) ? NULL : "rights";
	row->stack = row->left_out ? NULL : end + 1;
	sw_stacks_write(writer, step, row);
	return 1u << which;
}

/* Return the cost in the last line, or SW_MISSING if killed before it. */
static uint64_t read_cost(FILE *text)
{
	char line[LINE_SIZE];
	uint64_t usec = SW_MISSING;

	while (fgets(line, sizeof(line), text)) {
		if (!strncmp(line, "end ", 4))
			usec = strtoull(line + 4, NULL, 10);
	}
	rewind(text);
	return usec;
}

static void take(const struct sw_capture_one *one, struct sw_writer *writer,
		 uint64_t step)
{
	struct sw_stack_row row = {
		.time_usec = one->time_usec,
		.pid = (uint64_t)one->pid,
	};
	char line[LINE_SIZE];
	unsigned written = 0;
	FILE *text;
	size_t i;
	int fd = dup(one->text_fd);

	text = fd < 0 ? NULL : fdopen(fd, "r");
	if (!text) {
		if (fd >= 0)
			close(fd);
		return;
	}
	rewind(text);
	row.took_usec = read_cost(text);
	for (i = 0; i < one->count && fgets(line, sizeof(line), text); i++)
		written |= take_line(one, line, &row, writer, step);
	fclose(text);
	if (one->is_cut)
		write_left_out(one, written, "time", writer, step);
}

/* Return true for a signal: at its deadline, or beyond its CPU time limit. */
static bool is_killed(int code)
{
	return code == CLD_KILLED || code == CLD_DUMPED;
}

/* A wait for any child may have reaped it first. */
static bool has_ended(struct sw_capture_one *one,
		      const struct sw_capture_place *place)
{
	siginfo_t end = { .si_pid = 0 };
	uint64_t usec;
	bool is_stuck;

	if (waitid(P_PID, (id_t)one->child, &end,
		   WEXITED | WNOHANG | WNOWAIT | __WALL) == 0) {
		if (end.si_pid == 0)
			return false;
		sw_helpers_end(one->child, end.si_code);
	}
	is_stuck = one->is_cut;
	one->is_cut |= is_killed(sw_helpers_end_code(one->child));
	usec = sw_helpers_remove(one->child);
	if (is_stuck)
		sw_turns_end_stuck(&turns, place->uid, place->job_id, usec);
	else
		sw_turns_give(&turns, place->uid, place->job_id, usec);
	waitpid(one->child, NULL, __WALL | WNOHANG);
	return true;
}

static void collect_one(struct sw_capture_one *one,
			const struct sw_capture_place *place,
			struct sw_writer *writer, uint64_t step)
{
	uint64_t now = sw_clock_boottime_usec();

	if (!one->child) {
		if (sw_excess_u64(now, one->time_usec) <= PATIENCE_USEC)
			return;
		write_left_out(one, 0, "budget", writer, step);
		forget(one);
	} else if (has_ended(one, place)) {
		take(one, writer, step);
		forget(one);
	} else if (now > one->deadline_usec && !one->is_cut) {
		one->is_cut = true;
		sw_turns_set_stuck(&turns, place->uid, place->job_id);
		kill(one->child, SIGKILL);
	}
}

void sw_capture_collect(struct sw_capture *capture, struct sw_writer *writer,
			uint64_t step, bool is_final)
{
	size_t i;

	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		struct sw_capture_one *one = &capture->one[i];

		if (one->pid)
			collect_one(one, &capture->place, writer, step);
		if (one->pid && is_final)
			write_left_out(one, 0, one->child ? "time" : "budget",
				       writer, step);
	}
	if (!is_final)
		begin_all(capture);
}

void sw_capture_end(struct sw_capture *capture)
{
	size_t i;

	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		struct sw_capture_one *one = &capture->one[i];

		if (one->child) {
			kill(one->child, SIGKILL);
			if (!has_ended(one, &capture->place) && !one->is_cut)
				sw_turns_give(&turns, capture->place.uid,
					      capture->place.job_id, 0);
		}
		forget(one);
	}
}

void sw_capture_set_rate(uint64_t permille)
{
	turns.rate_permille = permille;
}

uint64_t sw_capture_owed_usec(uint64_t now_usec)
{
	return sw_turns_owed_usec(&turns, now_usec) + sw_helpers_apart_usec();
}
