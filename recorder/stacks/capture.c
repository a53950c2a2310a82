/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks of threads that stand still: the loop's side. */
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
#include "common/missing.h"
#include "common/units.h"
#include "config.h"
#include "recorder/bpf/waits.h"
#include "recorder/processes/helpers.h"
#include "recorder/stacks/capture_child.h"
#include "recorder/tables/stacks.h"

/* Symbols of a large program are read in a second. */
#define DEADLINE_USEC (20 * SW_USEC_PER_SEC)

enum { LINE_SIZE = 8192 };

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

/* Beside the recorder's own program; "" where that cannot be told. */
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
}

static void forget(struct sw_capture_one *one)
{
	if (one->text_fd > 0)
		close(one->text_fd);
	*one = (struct sw_capture_one){ 0 };
}

/* As the topology's child; but executing gives it a signal at its end again. */
static void start(struct sw_capture_one *one,
		  const struct sw_capture_place *place, const char *program)
{
	pid_t parent = getpid();
	long child;

	one->text_fd = memfd_create("stacks", MFD_CLOEXEC);
	child = one->text_fd < 0 ? -1 :
				   syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
	if (child == 0)
		sw_capture_serve(one, place, program, parent);
	if (child < 0) {
		forget(one);
		return;
	}
	one->child = (pid_t)child;
	one->deadline_usec = sw_clock_boottime_usec() + DEADLINE_USEC;
	if (sw_helpers_add(one->child) < 0)
		kill(one->child, SIGKILL);
}

/* Code that is built to be debugged finds its callers by these. */
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

void sw_capture_begin(struct sw_capture *capture,
		      const struct sw_capture_place *place)
{
	char program[4096];
	size_t i;

	find_program(program, sizeof(program));
	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		struct sw_capture_one *one = &capture->one[i];

		if (!one->pid || one->child)
			continue;
		if (program[0] && access(program, X_OK) == 0) {
			find_frames(one);
			start(one, place, program);
		} else {
			forget(one);
		}
	}
}

static bool is_wanted(const struct sw_capture_one *one, pid_t tid)
{
	size_t i;

	for (i = 0; i < one->count; i++) {
		if (one->tid[i] == tid)
			return true;
	}
	return false;
}

/*
 * "TID function < caller", or "TID !rights"; of a child, which may write
 * whatever it wants.
 */
static void take_line(const struct sw_capture_one *one, char *line,
		      struct sw_stack_row *row, struct sw_writer *writer,
		      uint64_t step)
{
	char *end;
	long tid = strtol(line, &end, 10);

	end[strcspn(end, "\n")] = '\0';
	if (*end != ' ' || !end[1] || !is_wanted(one, (pid_t)tid))
		return;
	row->tid = (uint64_t)tid;
	row->left_out = strcmp(end + 1, SW_CAPTURE_REFUSED) ? NULL : "rights";
	row->stack = row->left_out ? NULL : end + 1;
	sw_stacks_write(writer, step, row);
}

/* The last line; SW_MISSING: it was ended before that. */
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
		take_line(one, line, &row, writer, step);
	fclose(text);
}

/* Whoever waits for any child may have been first. */
static bool has_ended(const struct sw_capture_one *one)
{
	siginfo_t end = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)one->child, &end,
		   WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 &&
	    end.si_pid == 0)
		return false;
	sw_helpers_remove(one->child);
	waitpid(one->child, NULL, __WALL | WNOHANG);
	return true;
}

void sw_capture_collect(struct sw_capture *capture, struct sw_writer *writer,
			uint64_t step)
{
	size_t i;

	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		struct sw_capture_one *one = &capture->one[i];

		if (!one->child)
			continue;
		if (has_ended(one)) {
			take(one, writer, step);
			forget(one);
		} else if (sw_clock_boottime_usec() > one->deadline_usec) {
			kill(one->child, SIGKILL);
		}
	}
}

void sw_capture_end(struct sw_capture *capture)
{
	size_t i;

	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		struct sw_capture_one *one = &capture->one[i];

		if (one->child) {
			kill(one->child, SIGKILL);
			has_ended(one);
		}
		forget(one);
	}
}
