/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads one process from /proc (proc(5)). */
#include "recorder/kernel/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"

/* SIGKILL in a mask of signals. */
enum { MASK_SIGKILL = 1 << (9 - 1) };

uint64_t sw_process_start_usec(const struct sw_process *process)
{
	return sw_clock_ticks_usec(process->start_ticks);
}

/* Without these it cannot be told from another process, or placed. */
static bool is_whole(const struct sw_proc_stat *stat)
{
	return !sw_is_missing(stat->field[SW_PROC_PARENT]) &&
	       !sw_is_missing(stat->field[SW_PROC_START_TICKS]) &&
	       !sw_is_missing(stat->field[SW_PROC_START_STACK]);
}

static void take_stat(struct sw_process *process,
		      const struct sw_proc_stat *stat)
{
	const uint64_t *field = stat->field;

	memcpy(process->comm, stat->comm, sizeof(process->comm));
	process->state = stat->state;
	process->is_dying = sw_proc_stat_is_dying(stat);
	process->parent = (pid_t)field[SW_PROC_PARENT];
	process->minflt = sw_add_u64(field[SW_PROC_MINFLT],
				     field[SW_PROC_CHILD_MINFLT]);
	process->majflt = sw_add_u64(field[SW_PROC_MAJFLT],
				     field[SW_PROC_CHILD_MAJFLT]);
	process->user_usec = sw_clock_ticks_usec(field[SW_PROC_USER_TICKS]);
	process->system_usec = sw_clock_ticks_usec(field[SW_PROC_SYSTEM_TICKS]);
	process->waited_user_usec =
		sw_clock_ticks_usec(field[SW_PROC_CHILD_USER_TICKS]);
	process->waited_system_usec =
		sw_clock_ticks_usec(field[SW_PROC_CHILD_SYSTEM_TICKS]);
	process->thread_count = field[SW_PROC_THREADS];
	process->start_ticks = field[SW_PROC_START_TICKS];
	process->start_code = field[SW_PROC_START_CODE];
	process->start_stack = field[SW_PROC_START_STACK];
	process->last_cpu = field[SW_PROC_LAST_CPU];
}

/* "Name:   123 kB" lines of a status or io file. */
struct line {
	const char *name;
	uint64_t *value;
	uint64_t unit;
};

static void parse_lines(const char *text, const struct line *lines,
			size_t count)
{
	const char *p, *next;
	uint64_t value;
	size_t i, length;

	for (p = text; p && *p; p = next ? next + 1 : NULL) {
		next = strchr(p, '\n');
		for (i = 0; i < count; i++) {
			const char *number;

			length = strlen(lines[i].name);
			if (strncmp(p, lines[i].name, length) ||
			    p[length] != ':')
				continue;
			number = p + length + 1;
			number += strspn(number, " \t");
			if (sw_kern_parse_u64(&number, &value) == 0)
				*lines[i].value = value * lines[i].unit;
		}
	}
}

/* "SigPnd:" in hexadecimal: pending signals. */
static bool is_kill_pending(const char *text)
{
	static const char name[] = "\nSigPnd:";
	const char *line = strstr(text, name);

	return line && (strtoull(line + strlen(name), NULL, 16) &
			MASK_SIGKILL) != 0;
}

static void read_status(struct sw_process *process, int proc_fd)
{
	const struct line lines[] = {
		{ "VmHWM", &process->hiwater_bytes, SW_KIB },
		{ "RssAnon", &process->rss_anon_bytes, SW_KIB },
		{ "RssFile", &process->rss_file_bytes, SW_KIB },
		{ "RssShmem", &process->rss_shmem_bytes, SW_KIB },
		{ "VmSwap", &process->swap_bytes, SW_KIB },
		{ "HugetlbPages", &process->hugetlb_bytes, SW_KIB },
		{ "voluntary_ctxt_switches", &process->voluntary_switches, 1 },
		{ "nonvoluntary_ctxt_switches",
		  &process->nonvoluntary_switches, 1 },
	};
	enum sw_read_status status;
	char path[32], text[8192];
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		*lines[i].value = SW_MISSING;
	snprintf(path, sizeof(path), "%d/status", (int)process->pid);
	status = sw_kernfile_slurp(proc_fd, path, text, sizeof(text));
	process->is_garbled |= status == SW_READ_GARBAGE;
	if (status != SW_READ_OK)
		return;
	parse_lines(text, lines, sizeof(lines) / sizeof(lines[0]));
	/* The only value here that a zombie has. */
	process->is_garbled |= sw_is_missing(process->voluntary_switches);
	process->is_dying |= is_kill_pending(text);
}

enum sw_read_status sw_process_read_io(int dirfd, const char *path,
				       uint64_t *io, size_t *text_bytes)
{
	const struct line lines[SW_IO_COUNT] = {
		{ "rchar", &io[SW_IO_RCHAR], 1 },
		{ "wchar", &io[SW_IO_WCHAR], 1 },
		{ "syscr", &io[SW_IO_SYSCR], 1 },
		{ "syscw", &io[SW_IO_SYSCW], 1 },
		{ "read_bytes", &io[SW_IO_READ_BYTES], 1 },
		{ "write_bytes", &io[SW_IO_WRITE_BYTES], 1 },
		{ "cancelled_write_bytes", &io[SW_IO_CANCELLED], 1 },
	};
	enum sw_read_status status;
	char text[512];
	size_t i;

	sw_set_missing(io, SW_IO_COUNT);
	status = sw_kernfile_slurp(dirfd, path, text, sizeof(text));
	if (status != SW_READ_OK)
		return status;
	parse_lines(text, lines, SW_IO_COUNT);
	if (text_bytes)
		*text_bytes = strlen(text);
	for (i = 0; i < SW_IO_COUNT; i++)
		if (sw_is_missing(io[i]))
			return SW_READ_GARBAGE;
	return SW_READ_OK;
}

enum sw_read_status sw_process_read_stat(struct sw_process *process,
					 int proc_fd, pid_t pid)
{
	struct sw_proc_stat stat;
	char folder[16];

	memset(process, 0, sizeof(*process));
	process->pid = pid;
	snprintf(folder, sizeof(folder), "%d", (int)pid);
	if (sw_proc_stat_read(&stat, proc_fd, folder) < 0)
		return errno == EBADMSG ? SW_READ_GARBAGE :
					  sw_kernfile_status_of(errno);
	if (!is_whole(&stat))
		return SW_READ_GARBAGE;
	take_stat(process, &stat);
	return SW_READ_OK;
}

enum sw_read_status sw_process_read(struct sw_process *process, int proc_fd,
				    pid_t pid)
{
	enum sw_read_status status = sw_process_read_stat(process, proc_fd,
							  pid);
	char path[32];

	if (status != SW_READ_OK)
		return status;
	read_status(process, proc_fd);
	snprintf(path, sizeof(path), "%d/io", (int)pid);
	if (sw_process_read_io(proc_fd, path, process->io, NULL) ==
	    SW_READ_GARBAGE)
		process->is_garbled = true;
	process->run_queue_wait_usec = SW_MISSING;
	return SW_READ_OK;
}

void sw_process_read_comm(int proc_fd, pid_t pid, char *comm, size_t size)
{
	char name[32];
	ssize_t length = 0;
	int fd;

	snprintf(name, sizeof(name), "%d/comm", pid);
	fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = read(fd, comm, size - 1);
		close(fd);
	}
	comm[length > 0 ? length : 0] = '\0';
	comm[strcspn(comm, "\n")] = '\0';
}

bool sw_process_has_first_pids(void)
{
	/* PROC_PID_INIT_INO of include/linux/proc_ns.h */
	const ino_t first = 0xeffffffcu;
	struct stat status;

	return stat("/proc/self/ns/pid", &status) == 0 &&
	       status.st_ino == first;
}

/* Check "Uid:" real, effective, saved and file system. */
static bool has_only_uid(const char *text, uid_t uid)
{
	static const char name[] = "\nUid:";
	const char *at = strstr(text, name);
	uint64_t found;
	int i;

	if (!at)
		return false;
	at += strlen(name);
	for (i = 0; i < 4; i++) {
		at += strspn(at, "\t ");
		if (sw_kern_parse_u64(&at, &found) < 0 || found != uid)
			return false;
	}
	return true;
}

bool sw_process_is_of(int proc_fd, pid_t pid, uid_t uid)
{
	char path[32], text[8192];
	struct stat status;

	snprintf(path, sizeof(path), "%d/status", (int)pid);
	/* Files of a process that is not dumpable belong to root (proc(5)). */
	return fstatat(proc_fd, path, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       status.st_uid == uid &&
	       sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) ==
		       SW_READ_OK &&
	       has_only_uid(text, uid);
}

bool sw_process_has_exited(int proc_fd, pid_t pid)
{
	char path[32], text[8192];
	const char *state;

	/* Do not read stat, which may block during execve(). */
	snprintf(path, sizeof(path), "%d/status", (int)pid);
	if (sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) != SW_READ_OK)
		return true;
	state = strstr(text, "\nState:\t");
	return !state || state[8] == 'Z' || state[8] == 'X';
}

void sw_process_each_thread(int proc_fd, pid_t pid,
			    void (*take)(void *context, pid_t pid,
					 const char *thread),
			    void *context)
{
	char path[64];
	struct dirent *item;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%d/task", (int)pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((item = readdir(dir))) {
		if (isdigit((unsigned char)item->d_name[0]))
			take(context, pid, item->d_name);
	}
	closedir(dir);
}
