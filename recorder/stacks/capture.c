/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the loop, and the child that reads (serve() and below).
 *
 * The stacks of threads that stand still.
 */
#include "recorder/stacks/capture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/missing.h"
#include "common/units.h"
#include "config.h"
#include "recorder/bpf/waits.h"
#include "recorder/kernel/become.h"
#include "recorder/processes/helpers.h"
#include "recorder/tables/stacks.h"

/* Symbols of a large program are read in a second. */
#define DEADLINE_USEC (20 * SW_USEC_PER_SEC)

enum {
	CPU_SECONDS_MAX = 5,
	DATA_BYTES_MAX = 128 << 20,
	TEXT_BYTES_MAX = 64 << 10,
	MEMORY_FD = 3, MAPS_FD, FIRST_FREE,	/* as stack_main.c has them */
	LINE_SIZE = 8192,
};

#define PROGRAM "stepwell-stack"

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
	if (!slash || (size_t)(slash + 1 - path) + sizeof(PROGRAM) > size) {
		path[0] = '\0';
		return;
	}
	memcpy(slash + 1, PROGRAM, sizeof(PROGRAM));
}

static int open_of(int proc_fd, pid_t pid, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "%d/%s", (int)pid, name);
	return openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
}

/* "202 0x7ffc 0x1 0x2 ... SP PC", or "running", or "-1 SP PC" of a fault. */
static bool read_registers(int proc_fd, pid_t pid, pid_t tid, uint64_t *pc,
			   uint64_t *sp)
{
	char name[64], text[512], *last, *before;
	ssize_t length;
	int fd;

	snprintf(name, sizeof(name), "task/%d/syscall", (int)tid);
	fd = open_of(proc_fd, pid, name);
	length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	last = strrchr(text, ' ');
	if (!last)
		return false;
	*last++ = '\0';
	before = strrchr(text, ' ');
	if (!before)
		return false;
	*pc = strtoull(last, NULL, 16);
	*sp = strtoull(before + 1, NULL, 16);
	return *pc && *sp;
}

/* What stepwell-stack reads from its standard input; -1: no thread is there. */
static int write_threads(const struct sw_capture_one *one, int proc_fd)
{
	int fd = memfd_create("threads", MFD_CLOEXEC);
	bool has_any = false;
	uint64_t pc, sp;
	size_t i;

	for (i = 0; fd >= 0 && i < one->count; i++) {
		if (!read_registers(proc_fd, one->pid, one->tid[i], &pc, &sp))
			continue;
		dprintf(fd, "%d %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
			"\n", (int)one->tid[i], pc, sp, one->frame_pointer[i],
			one->link[i]);
		has_any = true;
	}
	return has_any && lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

static void limit(__rlimit_resource_t resource, rlim_t value)
{
	const struct rlimit both = { value, value };

	setrlimit(resource, &both);
}

/* A core file of it would have what the process knows. */
static void set_limits(void)
{
	limit(RLIMIT_CPU, CPU_SECONDS_MAX);
	limit(RLIMIT_DATA, DATA_BYTES_MAX);
	limit(RLIMIT_FSIZE, TEXT_BYTES_MAX);
	limit(RLIMIT_CORE, 0);
}

static void leave_recorder(pid_t parent)
{
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
}

/* Each to its place, from above all places. */
static void put_descriptors(const int from[FIRST_FREE])
{
	int high[FIRST_FREE], i;

	for (i = 0; i < FIRST_FREE; i++)
		high[i] = fcntl(from[i], F_DUPFD, FIRST_FREE);
	for (i = 0; i < FIRST_FREE; i++) {
		if (high[i] < 0 || dup2(high[i], i) < 0)
			_exit(1);
	}
	close_range(FIRST_FREE, ~0u, 0);
}

/*
 * What only the recorder may open is opened, and then it becomes the user, for
 * what is in the files that are mapped is the user's work.
 */
__attribute__((noreturn))
static void serve(const struct sw_capture_one *one, int proc_fd,
		  const char *program, pid_t parent)
{
	char pid[16], name[] = PROGRAM;
	char *const arguments[] = { name, pid, NULL };
	char *const environment[] = { NULL };
	struct stat owner;
	int from[FIRST_FREE];

	leave_recorder(parent);
	from[0] = write_threads(one, proc_fd);
	from[1] = one->text_fd;
	from[2] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	from[MEMORY_FD] = open_of(proc_fd, one->pid, "mem");
	from[MAPS_FD] = open_of(proc_fd, one->pid, "maps");
	if (from[MAPS_FD] < 0 || fstat(from[MAPS_FD], &owner) < 0)
		_exit(1);
	snprintf(pid, sizeof(pid), "%d", (int)one->pid);
	put_descriptors(from);
	set_limits();
	if (sw_become(owner.st_uid, owner.st_gid) < 0)
		_exit(1);
	/* The kernel clears it where the user changes. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execve(program, arguments, environment);
	_exit(1);
}

static void forget(struct sw_capture_one *one)
{
	if (one->text_fd > 0)
		close(one->text_fd);
	*one = (struct sw_capture_one){ 0 };
}

/* As the topology's child; but executing gives it a signal at its end again. */
static void start(struct sw_capture_one *one, int proc_fd, const char *program)
{
	pid_t parent = getpid();
	long child;

	one->text_fd = memfd_create("stacks", MFD_CLOEXEC);
	child = one->text_fd < 0 ? -1 :
				   syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
	if (child == 0)
		serve(one, proc_fd, program, parent);
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

void sw_capture_begin(struct sw_capture *capture, int proc_fd)
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
			start(one, proc_fd, program);
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

/* "TID function < caller"; of a child, which may write whatever it wants. */
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
	row->stack = end + 1;
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
