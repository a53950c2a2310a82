/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read the waiting threads of one process from its files in /proc.  Without
 * permission, only the state of a thread is known.
 */
#include "recorder/waits/wait_read.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/proc_stat.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/kernlines.h"
#include "recorder/kernel/process.h"
#include "recorder/waits/mounts.h"
#include "recorder/waits/wait_reason.h"

struct reading {
	bool is_garbled;
	int proc_fd;
	struct sw_wait_threads *threads;
};

/* "0 0x3 0x7f..." in a system call, "-1 0x7f..." outside, or "running" */
static void take_call(struct sw_wait_thread *thread, const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);
	int i;

	if (end == text || number < 0)
		return;
	thread->call = (int)number;
	for (i = 0; i < SW_WAIT_ARGUMENTS; i++)
		thread->argument[i] = strtoull(end, &end, 16);
	thread->asked = sw_asked_about(
		(unsigned)sw_wait_asked_call(thread->call), thread->argument);
	if (sw_wait_is_file_call(thread->call))
		thread->fd = (int)thread->argument[0];
}

/* Derive the type from the name, without accessing the file. */
static void take_mode(struct sw_wait_thread *thread, const char *name)
{
	if (!strncmp(name, "pipe:", 5)) {
		thread->mode = S_IFIFO;
	} else if (!strncmp(name, "socket:", 7)) {
		thread->mode = S_IFSOCK;
	} else if (!strncmp(name, "anon_inode:", 11)) {
		thread->mode = S_IFREG;
		thread->magic = ANON_INODE_FS_MAGIC;
	} else if (!strncmp(name, "/dev/", 5)) {
		thread->mode = S_IFCHR;
	} else {
		thread->mode = S_IFREG;
	}
}

/* Parse "pos:\t0\nflags:\t0100000\nmnt_id:\t41\n..."; 0: missing. */
static uint64_t fdinfo_number(const char *text, const char *key)
{
	const char *p = strstr(text, key);
	uint64_t number;

	if (!p)
		return 0;
	p += strlen(key);
	return sw_kern_next_u64(&p, &number) < 0 ? 0 : number;
}

static void take_mount(struct sw_wait_thread *thread, int proc_fd, pid_t pid)
{
	char path[64], text[1024];
	struct sw_mount mount;

	snprintf(path, sizeof(path), "%d/fdinfo/%d", (int)pid, thread->fd);
	if (sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) !=
	    SW_READ_OK)
		return;
	mount = (struct sw_mount){ .id = fdinfo_number(text, "\nmnt_id:") };
	if (!mount.id)
		return;
	/* Since Linux 5.14 */
	thread->inode = fdinfo_number(text, "\nino:");
	thread->position = fdinfo_number(text, "pos:");
	if (sw_mount_find(&mount, proc_fd, pid) != SW_READ_OK)
		return;
	thread->device = mount.device;
	thread->magic = sw_wait_magic_of_fs(mount.fs);
	thread->mode = S_IFREG;
}

static void take_file(struct sw_wait_thread *thread, int proc_fd, pid_t pid)
{
	char path[64], name[256];
	ssize_t length;

	snprintf(path, sizeof(path), "%d/fd/%d", (int)pid, thread->fd);
	length = readlinkat(proc_fd, path, name, sizeof(name) - 1);
	if (length >= 0) {
		name[length] = '\0';
		take_mode(thread, name);
	}
	if ((!thread->mode || thread->mode == S_IFREG) && !thread->magic)
		take_mount(thread, proc_fd, pid);
}

/* Third number of schedstat: Documentation/scheduler/sched-stats */
static uint64_t read_timeslices(int proc_fd, pid_t pid, const char *name)
{
	char path[64], text[128];
	uint64_t number[3];
	const char *p = text;
	size_t i;

	snprintf(path, sizeof(path), "%d/task/%.16s/schedstat", (int)pid,
		 name);
	if (sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) != SW_READ_OK)
		return SW_MISSING;
	for (i = 0; i < 3; i++) {
		while (*p == ' ')
			p++;
		if (sw_kern_parse_u64(&p, &number[i]) < 0)
			return SW_MISSING;
	}
	return number[2];
}

static void take(void *context, pid_t pid, const char *name)
{
	struct reading *reading = context;
	struct sw_wait_threads *threads = reading->threads;
	struct sw_wait_thread *thread;
	char path[64], text[1024];
	struct sw_proc_stat stat;

	if (threads->count == SW_WAIT_READ_THREADS) {
		threads->left_out++;
		return;
	}
	snprintf(path, sizeof(path), "%d/task/%.16s", (int)pid, name);
	if (sw_proc_stat_read(&stat, reading->proc_fd, path) < 0) {
		reading->is_garbled |= errno == EBADMSG;
		return;
	}
	thread = &threads->thread[threads->count++];
	*thread = (struct sw_wait_thread){
		.tid = atoi(name), .state = stat.state, .call = SW_WAIT_NO_CALL,
		.fd = -1, .function = SW_WAIT_FUNCTIONS,
		.timeslices = SW_MISSING };
	if (thread->state == 'R')
		return;
	thread->timeslices = read_timeslices(reading->proc_fd, pid, name);
	snprintf(path, sizeof(path), "%d/task/%.16s/syscall", (int)pid, name);
	if (sw_kernfile_slurp(reading->proc_fd, path, text, sizeof(text)) ==
	    SW_READ_OK)
		take_call(thread, text);
	snprintf(path, sizeof(path), "%d/task/%.16s/wchan", (int)pid, name);
	if (sw_kernfile_slurp(reading->proc_fd, path, text, sizeof(text)) ==
	    SW_READ_OK)
		thread->function = sw_wait_function(text);
	if (thread->fd >= 0)
		take_file(thread, reading->proc_fd, pid);
}

enum sw_read_status sw_wait_read(struct sw_wait_threads *threads, int proc_fd,
				 pid_t pid)
{
	struct reading reading = { .proc_fd = proc_fd, .threads = threads };

	memset(threads, 0, sizeof(*threads));
	sw_process_each_thread(proc_fd, pid, take, &reading);
	if (reading.is_garbled)
		return SW_READ_GARBAGE;
	return threads->count ? SW_READ_OK : SW_READ_GONE;
}
