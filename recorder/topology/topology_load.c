/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the loop, and topology's child.
 *
 * The node's topology once per boot: the cache, and the child that fills it.
 */
#include "recorder/topology/topology_load.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/kernel/become.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/rights.h"
#include "recorder/processes/helpers.h"
#include "recorder/tables/identity.h"
#include "recorder/topology/topology_text.h"

/* A load takes milliseconds; a swapping node may need more. */
#define DEADLINE_USEC (20 * SW_USEC_PER_SEC)

enum { END_TRIES = 50, NAP_NSEC = 2 * 1000 * 1000, ONLINE_SIZE = 384, NAME_SIZE = 128 };

/* Identify the boot and the CPUs: if they differ, so does the topology. */
static void make_key(char *key, size_t size, int proc_fd, int sys_fd)
{
	char boot[64] = "", online[ONLINE_SIZE] = "";

	key[0] = '\0';
	if (sw_kernfile_slurp(proc_fd, "sys/kernel/random/boot_id", boot,
			      sizeof(boot)) != SW_READ_OK ||
	    sw_kernfile_slurp(sys_fd, "devices/system/cpu/online", online,
			      sizeof(online)) != SW_READ_OK)
		return;
	boot[strcspn(boot, "\n")] = '\0';
	online[strcspn(online, "\n")] = '\0';
	snprintf(key, size, "%s %s", boot, online);
}

/* Include the node name: the directory may be shared by many nodes. */
static void make_name(char *name, size_t size, const char *suffix)
{
	struct utsname host = { .nodename = "" };
	char node[sizeof(host.nodename)];

	uname(&host);
	sw_identity_plain(node, sizeof(node), host.nodename, true);
	snprintf(name, size, "topology.%s.%s", node, suffix);
}

/* Accept only regular files of this user or root that no one else can write. */
static bool is_trusted(int fd)
{
	struct stat stat;

	return fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) &&
	       (stat.st_uid == geteuid() || stat.st_uid == 0) &&
	       (stat.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
	       stat.st_size < SW_TOPOLOGY_TEXT_MAX;
}

static bool parse_file(struct sw_topology_load *load, int fd)
{
	struct sw_kernfile file = { fd };
	char *text = malloc(SW_TOPOLOGY_TEXT_MAX);
	bool is_good;

	is_good = text &&
		  sw_kernfile_read(&file, text, SW_TOPOLOGY_TEXT_MAX) ==
		  SW_READ_OK &&
		  sw_topology_text_parse(&load->topology, load->key, text) ==
		  0;
	free(text);
	return is_good;
}

static void open_cache(struct sw_topology_load *load)
{
	if (!load->cache[0] || load->cache_fd >= 0)
		return;
	mkdir(load->cache, 0755);
	load->cache_fd = open(load->cache, O_RDONLY | O_DIRECTORY |
			      O_CLOEXEC | O_NOFOLLOW);
}

static bool take_cached(struct sw_topology_load *load)
{
	char name[NAME_SIZE];
	bool is_good;
	int fd;

	if (load->cache_fd < 0 || !load->key[0])
		return false;
	make_name(name, sizeof(name), "txt");
	fd = openat(load->cache_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
		    O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	is_good = is_trusted(fd) && parse_file(load, fd);
	close(fd);
	return is_good;
}

/* Create the complete file under its name atomically, or nothing. */
static void keep(int folder_fd, int from_fd, const char *suffix, mode_t mode)
{
	char name[NAME_SIZE], made[NAME_SIZE + 16];
	off_t from = 0;
	struct stat stat;
	ssize_t sent = 0;
	int fd;

	make_name(name, sizeof(name), suffix);
	snprintf(made, sizeof(made), "%s.%d", name, (int)getpid());
	fd = openat(folder_fd, made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
		    O_NOFOLLOW, mode);
	if (fd < 0 || fstat(from_fd, &stat) < 0)
		goto error;
	while (from < stat.st_size) {
		char buf[16384];

		sent = pread(from_fd, buf, sizeof(buf), from);
		if (sent <= 0 || write(fd, buf, (size_t)sent) != sent)
			goto error;
		from += sent;
	}
	if (fchmod(fd, mode) == 0 &&
	    renameat(folder_fd, made, folder_fd, name) == 0) {
		close(fd);
		return;
	}
error:
	if (fd >= 0) {
		close(fd);
		unlinkat(folder_fd, made, 0);
	}
}

enum { SYS_FD = 3, TEXT_FD, CACHE_FD, FIRST_FREE };

static int put(int fd, int at)
{
	return fd < 0 ? -1 : dup2(fd, at);
}

/* Keep only three descriptors: other processes wait for EOF on the rest. */
static void leave_descriptors(struct sw_topology_load *load)
{
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC), i;
	int sys_fd = fcntl(load->sys_fd, F_DUPFD, FIRST_FREE);
	int text_fd = fcntl(load->text_fd, F_DUPFD, FIRST_FREE);
	int cache_fd = fcntl(load->cache_fd, F_DUPFD, FIRST_FREE);

	for (i = 0; i < SYS_FD; i++)
		put(null_fd, i);
	load->sys_fd = put(sys_fd, SYS_FD);
	load->text_fd = put(text_fd, TEXT_FD);
	close(CACHE_FD);
	load->cache_fd = put(cache_fd, CACHE_FD);
	close_range(FIRST_FREE, ~0u, 0);
}

/* Clear the environment, which can make hwloc read another machine. */
static void leave_recorder(pid_t parent)
{
	sw_become_child(parent);
	sw_become_limit(RLIMIT_CPU, DEADLINE_USEC / SW_USEC_PER_SEC);
	prctl(PR_SET_NAME, "stepwell-topo");
	clearenv();
	if (geteuid() == 0)
		sw_rights_keep(SW_RIGHTS_NONE);
}

__attribute__((noreturn))
static void serve(struct sw_topology_load *load, pid_t parent)
{
	const struct sw_topology_origin here = { NULL, NULL };
	struct sw_topology topology = { 0 };
	struct sw_error error;
	int xml_fd;

	leave_recorder(parent);
	leave_descriptors(load);
	open_cache(load);
	if (take_cached(load))
		_exit(sw_topology_text_write(&load->topology, load->key,
					     load->text_fd) < 0);
	xml_fd = memfd_create("topology.xml", MFD_CLOEXEC);
	if (sw_topology_by_hwloc(&topology, &here, xml_fd, &error) < 0) {
		if (sw_topology_by_sysfs(&topology, load->sys_fd, NULL) < 0)
			_exit(1);
		snprintf(topology.reason, sizeof(topology.reason), "%.127s",
			 error.text);
	}
	sw_topology_find_devices(&topology, load->sys_fd);
	if (sw_topology_text_write(&topology, load->key, load->text_fd) < 0)
		_exit(1);
	if (load->cache_fd >= 0 && load->key[0]) {
		/* Serial numbers of the machine are only for root. */
		if (topology.digest[0])
			keep(load->cache_fd, xml_fd, "xml", 0600);
		keep(load->cache_fd, load->text_fd, "txt", 0644);
	}
	_exit(0);
}

/* Use no exit signal: waitid() for the command must not find this child. */
static void start_child(struct sw_topology_load *load)
{
	pid_t parent = getpid();
	long pid;

	load->text_fd = memfd_create("topology.txt", MFD_CLOEXEC);
	if (load->text_fd < 0)
		return;
	pid = syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
	if (pid == 0)
		serve(load, parent);
	if (pid < 0)
		return;
	load->pid = load->child[load->tries++] = (pid_t)pid;
	load->deadline_usec = sw_clock_boottime_usec() + DEADLINE_USEC;
	if (sw_helpers_add(load->pid) < 0)
		kill(load->pid, SIGKILL);
}

static void begin(struct sw_topology_load *load)
{
	make_key(load->key, sizeof(load->key), load->proc_fd, load->sys_fd);
	load->is_known = take_cached(load);
	if (!load->is_known && load->tries < SW_TOPOLOGY_TRIES_MAX)
		start_child(load);
}

void sw_topology_begin(struct sw_topology_load *load, int proc_fd, int sys_fd,
		       const char *cache, bool is_local)
{
	memset(load, 0, sizeof(*load));
	load->proc_fd = proc_fd;
	load->sys_fd = sys_fd;
	load->text_fd = load->cache_fd = -1;
	if (cache && strlen(cache) < sizeof(load->cache))
		strcpy(load->cache, cache);
	if (is_local)
		open_cache(load);
	begin(load);
}

/* The text of the child shows whether it succeeded. */
static void take_answer(struct sw_topology_load *load)
{
	load->pid = 0;
	load->is_known = parse_file(load, load->text_fd);
	close(load->text_fd);
	load->text_fd = -1;
	if (load->is_known)
		return;
	load->is_known = sw_topology_by_sysfs(&load->topology, load->sys_fd,
					      NULL) == 0;
	if (!load->is_known)
		return;
	strcpy(load->topology.reason, "hwloc did not load");
	sw_topology_find_devices(&load->topology, load->sys_fd);
}

/* Leave a zombie, because its CPU time is counted as the recorder's. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info,
		      WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 ||
	       info.si_pid == pid;
}

bool sw_topology_poll(struct sw_topology_load *load)
{
	if (!load->pid)
		return load->is_known;
	if (has_ended(load->pid)) {
		take_answer(load);
	} else if (sw_clock_boottime_usec() > load->deadline_usec) {
		kill(load->pid, SIGKILL);
		take_answer(load);
	}
	return load->is_known;
}

void sw_topology_refresh(struct sw_topology_load *load)
{
	char key[SW_TOPOLOGY_KEY_SIZE];

	if (load->pid)
		return;
	make_key(key, sizeof(key), load->proc_fd, load->sys_fd);
	if (load->is_known && !strcmp(key, load->key))
		return;
	sw_topology_fini(&load->topology);
	begin(load);
}

const struct sw_topology *sw_topology_finish(struct sw_topology_load *load,
					     uint64_t wait_usec)
{
	const struct timespec nap = { .tv_nsec = NAP_NSEC };
	uint64_t until_usec = sw_clock_boottime_usec() + wait_usec;

	while (!sw_topology_poll(load) && load->pid &&
	       sw_clock_boottime_usec() < until_usec)
		nanosleep(&nap, NULL);
	if (!load->is_known && load->topology.pu_count == 0 &&
	    sw_topology_by_sysfs(&load->topology, load->sys_fd, NULL) == 0) {
		strcpy(load->topology.reason, "hwloc did not load in time");
		sw_topology_find_devices(&load->topology, load->sys_fd);
	}
	return &load->topology;
}

/* Reap the child.  If the kernel holds it, its next parent will. */
static void reap(pid_t pid)
{
	const struct timespec nap = { .tv_nsec = NAP_NSEC };
	int i;

	for (i = 0; i < END_TRIES &&
		    waitpid(pid, NULL, __WALL | WNOHANG) == 0; i++)
		nanosleep(&nap, NULL);
}

void sw_topology_end(struct sw_topology_load *load)
{
	unsigned i;

	if (load->pid)
		kill(load->pid, SIGKILL);
	for (i = 0; i < load->tries; i++)
		reap(load->child[i]);
	if (load->text_fd >= 0)
		close(load->text_fd);
	if (load->cache_fd >= 0)
		close(load->cache_fd);
	load->pid = 0;
	load->text_fd = load->cache_fd = -1;
	sw_topology_fini(&load->topology);
}

void sw_topology_offer(struct sw_topology_load *load, bool *is_written,
		       struct sw_writer *writer)
{
	if (*is_written || !sw_topology_poll(load))
		return;
	*is_written = true;
	sw_topology_write(&load->topology, writer);
}

void sw_topology_begin_own(struct sw_topology_load *load, int proc_fd,
			   int sys_fd)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char path[SW_TOPOLOGY_PATH_SIZE] = "";
	bool is_local = false;

	if (geteuid() == 0)
		is_local = snprintf(path, sizeof(path), "/run/stepwell") > 0;
	else if (runtime && runtime[0] == '/')
		is_local = snprintf(path, sizeof(path), "%s/stepwell",
				    runtime) > 0;
	else if (cache && cache[0] == '/')
		snprintf(path, sizeof(path), "%s/stepwell", cache);
	else if (home && home[0] == '/')
		snprintf(path, sizeof(path), "%s/.cache/stepwell", home);
	sw_topology_begin(load, proc_fd, sys_fd, path, is_local);
}
