/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The topology of a node: by hwloc, by /sys, both for the same machine; the
 * cache for a boot; and that no process is moved to another CPU for it.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/missing.h"
#include "config.h"
#include "recorder/topology/topology_load.h"
#include "recorder/topology/topology_text.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

/* A tree of files in its own folder. */
static char tree[TEMP_FOLDER_SIZE];

static void make_tree(void)
{
	temp_folder_make(tree, "check_topology");
}

static void remove_tree(void)
{
	temp_folder_remove(tree);
}

static int open_tree(void)
{
	return open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Create "%s/NAME" with its parent folders, and a line of text in it. */
__attribute__((format(printf, 2, 3)))
static void put_file(const char *text, const char *format, ...)
{
	char name[256], path[400], *slash;
	va_list list;
	FILE *file;

	va_start(list, format);
	vsnprintf(name, sizeof(name), format, list);
	va_end(list);
	snprintf(path, sizeof(path), "%s/%s", tree, name);
	for (slash = strchr(path + strlen(tree) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", text);
	fclose(file);
}

/* A machine with this many packages, NUMA nodes in each, and so on. */
struct machine {
	unsigned packages, nodes, l3s, cores, threads;
	bool is_old;		/* kernel before 5.3 */
};

static void range(char *text, size_t size, unsigned from, unsigned count)
{
	snprintf(text, size, "%u-%u", from, from + count - 1);
}

static void put_cpu(const struct machine *machine, unsigned cpu)
{
	const char *core = machine->is_old ? "thread_siblings_list" :
					     "core_cpus_list";
	const char *package = machine->is_old ? "core_siblings_list" :
						"package_cpus_list";
	unsigned per_l3 = machine->cores * machine->threads;
	unsigned per_package = machine->nodes * machine->l3s * per_l3;
	char text[64];

	range(text, sizeof(text), cpu / machine->threads * machine->threads,
	      machine->threads);
	put_file(text, "devices/system/cpu/cpu%u/topology/%s", cpu, core);
	range(text, sizeof(text), cpu / per_package * per_package,
	      per_package);
	put_file(text, "devices/system/cpu/cpu%u/topology/%s", cpu, package);
	put_file("1", "devices/system/cpu/cpu%u/cache/index0/level", cpu);
	put_file("3", "devices/system/cpu/cpu%u/cache/index1/level", cpu);
	range(text, sizeof(text), cpu / per_l3 * per_l3, per_l3);
	put_file(text, "devices/system/cpu/cpu%u/cache/index1/shared_cpu_list",
		 cpu);
}

static void put_machine(const struct machine *machine)
{
	unsigned per_node = machine->l3s * machine->cores * machine->threads;
	unsigned nodes = machine->packages * machine->nodes, i;
	char text[64];

	range(text, sizeof(text), 0, nodes * per_node);
	put_file(text, "devices/system/cpu/online");
	for (i = 0; i < nodes * per_node; i++)
		put_cpu(machine, i);
	range(text, sizeof(text), 0, nodes);
	put_file(text, "devices/system/node/online");
	for (i = 0; i < nodes; i++) {
		range(text, sizeof(text), i * per_node, per_node);
		put_file(text, "devices/system/node/node%u/cpulist", i);
	}
}

static void read_tree(struct sw_topology *topology)
{
	struct sw_error error = { "" };
	int fd = open_tree();

	memset(topology, 0, sizeof(*topology));
	ck_assert_msg(sw_topology_by_sysfs(topology, fd, &error) == 0, "%s",
		      error.text);
	sw_topology_find_devices(topology, fd);
	close(fd);
}

static void compare(const struct sw_topology *one,
		    const struct sw_topology *two)
{
	size_t i;

	ck_assert_uint_eq(one->pu_count, two->pu_count);
	for (i = 0; i < one->pu_count; i++) {
		ck_assert_uint_eq(one->pus[i].pu, two->pus[i].pu);
		ck_assert_uint_eq(one->pus[i].core, two->pus[i].core);
		ck_assert_uint_eq(one->pus[i].l3, two->pus[i].l3);
		ck_assert_uint_eq(one->pus[i].numa, two->pus[i].numa);
		ck_assert_uint_eq(one->pus[i].package, two->pus[i].package);
	}
}

static const struct machine machines[] = {
	{ 2, 2, 1, 16, 2, false },
	{ 2, 4, 2, 8, 1, true },
	{ 1, 1, 1, 2, 1, false },
};

START_TEST(sysfs)
{
	const struct machine *machine = &machines[_i];
	unsigned per_core = machine->threads;
	unsigned per_l3 = machine->cores * per_core;
	unsigned per_node = machine->l3s * per_l3;
	struct sw_topology topology;
	size_t i;

	make_tree();
	put_machine(machine);
	read_tree(&topology);
	ck_assert_uint_eq(topology.pu_count,
			  machine->packages * machine->nodes * per_node);
	ck_assert_str_eq(topology.source, "sysfs");
	for (i = 0; i < topology.pu_count; i++) {
		const struct sw_topology_pu *pu = &topology.pus[i];

		ck_assert_uint_eq(pu->pu, i);
		ck_assert_uint_eq(pu->core, i / per_core);
		ck_assert_uint_eq(pu->l3, i / per_l3);
		ck_assert_uint_eq(pu->numa, i / per_node);
		ck_assert_uint_eq(pu->package,
				  i / (per_node * machine->nodes));
	}
	sw_topology_fini(&topology);
	remove_tree();
}
END_TEST

/* Threads 0 and 2 of core 0, 1 and 3 of core 1; CPU 4 is off. */
START_TEST(sysfs_interleaved)
{
	struct sw_topology topology;
	unsigned i;

	make_tree();
	put_file("0-3", "devices/system/cpu/online");
	for (i = 0; i < 4; i++)
		put_file(i % 2 ? "1,3" : "0,2", "devices/system/cpu/cpu%u/"
			 "topology/core_cpus_list", i);
	read_tree(&topology);
	for (i = 0; i < 4; i++) {
		ck_assert_uint_eq(topology.pus[i].core, i % 2);
		/* No file has it: unknown. */
		ck_assert(sw_is_missing(topology.pus[i].package));
		ck_assert(sw_is_missing(topology.pus[i].numa));
		ck_assert(sw_is_missing(topology.pus[i].l3));
	}
	sw_topology_fini(&topology);
	remove_tree();
}
END_TEST

/* Two packages with alternating units, each with two caches of two units. */
static void put_alternating(void)
{
	static const char *const l3s[] = { "0,4", "1,5", "2,6", "3,7" };
	unsigned i;
	char own[8];

	put_file("0-7", "devices/system/cpu/online");
	for (i = 0; i < 8; i++) {
		snprintf(own, sizeof(own), "%u", i);
		put_file(own, "devices/system/cpu/cpu%u/topology/"
			 "core_cpus_list", i);
		put_file(i % 2 ? "1,3,5,7" : "0,2,4,6", "devices/system/cpu/"
			 "cpu%u/topology/package_cpus_list", i);
		put_file("3", "devices/system/cpu/cpu%u/cache/index0/level", i);
		put_file(l3s[i % 4], "devices/system/cpu/cpu%u/cache/index0/"
			 "shared_cpu_list", i);
	}
}

/* hwloc numbers all of the first package before the second. */
static void is_alternating(const struct sw_topology *topology)
{
	static const uint64_t cores[] = { 0, 4, 2, 6, 1, 5, 3, 7 };
	unsigned i;

	ck_assert_uint_eq(topology->pu_count, 8);
	for (i = 0; i < 8; i++) {
		ck_assert_uint_eq(topology->pus[i].pu, i);
		ck_assert_uint_eq(topology->pus[i].package, i % 2);
		ck_assert_uint_eq(topology->pus[i].core, cores[i]);
		ck_assert_uint_eq(topology->pus[i].l3, cores[i] / 2);
	}
}

START_TEST(sysfs_alternating)
{
	struct sw_topology topology;

	make_tree();
	put_alternating();
	read_tree(&topology);
	is_alternating(&topology);
	sw_topology_fini(&topology);
	remove_tree();
}
END_TEST

START_TEST(sysfs_garbage)
{
	static const char *const lists[] = {
		"", "0-", "3-1", "0,,1", "0-99999", "x", "0 1", "-1",
	};
	struct sw_topology topology = { 0 };
	struct sw_error error;
	int fd;

	make_tree();
	fd = open_tree();
	ck_assert_int_eq(sw_topology_by_sysfs(&topology, fd, &error), -1);
	put_file(lists[_i], "devices/system/cpu/online");
	ck_assert_int_eq(sw_topology_by_sysfs(&topology, fd, &error), -1);
	ck_assert_ptr_null(topology.pus);
	close(fd);
	remove_tree();
}
END_TEST

START_TEST(devices)
{
	struct sw_topology topology;

	make_tree();
	put_file("0", "devices/system/cpu/online");
	put_file("0x030200", "bus/pci/devices/0000:af:00.0/class");
	put_file("0x10de", "bus/pci/devices/0000:af:00.0/vendor");
	put_file("0x2330", "bus/pci/devices/0000:af:00.0/device");
	put_file("1", "bus/pci/devices/0000:af:00.0/numa_node");
	put_file("0x120000", "bus/pci/devices/0000:3b:00.0/class");
	put_file("-1", "bus/pci/devices/0000:3b:00.0/numa_node");
	put_file("0x020000", "bus/pci/devices/0000:00:03.0/class");
	put_file("what", "bus/pci/devices/0000:00:04.0/class");
	read_tree(&topology);
	ck_assert_uint_eq(topology.device_count, 2);
	ck_assert_str_eq(topology.device[0].address, "0000:3b:00.0");
	ck_assert(sw_is_missing(topology.device[0].numa));
	ck_assert(sw_is_missing(topology.device[0].vendor));
	ck_assert_str_eq(topology.device[1].address, "0000:af:00.0");
	ck_assert_uint_eq(topology.device[1].class_code, 0x030200);
	ck_assert_uint_eq(topology.device[1].vendor, 0x10de);
	ck_assert_uint_eq(topology.device[1].device, 0x2330);
	ck_assert_uint_eq(topology.device[1].numa, 1);
	sw_topology_fini(&topology);
	remove_tree();
}
END_TEST

START_TEST(cached_text)
{
	struct sw_topology topology, again;
	int fd = memfd_create("text", MFD_CLOEXEC);
	static char buf[SW_TOPOLOGY_TEXT_MAX], copy[SW_TOPOLOGY_TEXT_MAX];
	ssize_t length, cut;

	make_tree();
	put_machine(&machines[0]);
	put_file("0x030200", "bus/pci/devices/0000:af:00.0/class");
	read_tree(&topology);
	topology.pus[3].l3 = SW_MISSING;
	strcpy(topology.digest, "00ff");
	strcpy(topology.cpu_model, "A processor @ 2.00GHz");
	ck_assert_int_eq(sw_topology_text_write(&topology, "boot 0-127", fd),
			 0);
	length = pread(fd, buf, sizeof(buf) - 1, 0);
	ck_assert_int_gt(length, 0);
	memcpy(copy, buf, sizeof(copy));
	ck_assert_int_eq(sw_topology_text_parse(&again, "boot 0-127", copy),
			 0);
	ck_assert_str_eq(again.cpu_model, topology.cpu_model);
	compare(&topology, &again);
	ck_assert_str_eq(again.source, "sysfs");
	ck_assert_str_eq(again.digest, "00ff");
	ck_assert_uint_eq(again.device_count, 1);
	ck_assert_mem_eq(again.device, topology.device,
			 sizeof(again.device[0]));
	sw_topology_fini(&again);
	/* From another boot; and truncated at any place. */
	memcpy(copy, buf, sizeof(copy));
	ck_assert_int_eq(sw_topology_text_parse(&again, "boot 0-63", copy),
			 -1);
	for (cut = 0; cut < length; cut++) {
		memcpy(copy, buf, (size_t)cut);
		copy[cut] = '\0';
		ck_assert_int_eq(sw_topology_text_parse(&again, "boot 0-127",
							copy), -1);
		ck_assert_ptr_null(again.pus);
	}
	sw_topology_fini(&topology);
	close(fd);
	remove_tree();
}
END_TEST

/* Wait for the child as long as a busy machine may need. */
static void wait_for(struct sw_topology_load *load)
{
	int i;

	for (i = 0; i < 2000 && !sw_topology_poll(load); i++)
		usleep(10000);
	ck_assert(sw_topology_poll(load));
}

struct place {
	int proc_fd, sys_fd;
};

static struct place open_place(void)
{
	return (struct place){
		open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		open("/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
}

static void only_name(char *name, size_t size, const char *suffix)
{
	char host[65] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(name, size, "%s/topology.%s.%s", tree, host, suffix);
}

/* This machine: the child answers, and the next recorder needs none. */
START_TEST(cache)
{
	struct place place = open_place();
	struct sw_topology_load first, second;
	char name[256];
	struct stat stat;

	make_tree();
	sw_topology_begin(&first, place.proc_fd, place.sys_fd, tree, true);
	ck_assert_int_gt(first.pid, 0);
	wait_for(&first);
	ck_assert_uint_eq(first.topology.pu_count,
			  (unsigned long)sysconf(_SC_NPROCESSORS_ONLN));
	only_name(name, sizeof(name), "txt");
	ck_assert_int_eq(lstat(name, &stat), 0);
	ck_assert_int_eq(stat.st_mode & 0777, 0644);
	sw_topology_begin(&second, place.proc_fd, place.sys_fd, tree, true);
	ck_assert_int_eq(second.pid, 0);
	ck_assert(second.is_known);
	compare(&first.topology, &second.topology);
	ck_assert_str_eq(first.topology.digest, second.topology.digest);
	sw_topology_refresh(&second);
	ck_assert_int_eq(second.pid, 0);
	ck_assert(second.is_known);
#ifdef HAVE_HWLOC
	ck_assert_str_eq(first.topology.source, "hwloc");
	only_name(name, sizeof(name), "xml");
	ck_assert_int_eq(lstat(name, &stat), 0);
	ck_assert_int_eq(stat.st_mode & 0777, 0600);
	{
		char digest[SW_DIGEST_SIZE];
		int fd = open(name, O_RDONLY | O_CLOEXEC);

		ck_assert_int_eq(sw_digest(fd, digest), 0);
		ck_assert_str_eq(digest, first.topology.digest);
		close(fd);
	}
#else
	ck_assert_str_eq(first.topology.source, "sysfs");
#endif
	sw_topology_end(&first);
	sw_topology_end(&second);
	remove_tree();
}
END_TEST

/* A cache that others may have created is not read. */
START_TEST(distrusted_cache)
{
	struct place place = open_place();
	struct sw_topology_load load;
	char name[256], other[256];

	make_tree();
	sw_topology_begin(&load, place.proc_fd, place.sys_fd, tree, true);
	wait_for(&load);
	sw_topology_end(&load);
	only_name(name, sizeof(name), "txt");
	if (_i == 0) {		/* writable by others */
		ck_assert_int_eq(chmod(name, 0666), 0);
	} else if (_i == 1) {	/* a link */
		snprintf(other, sizeof(other), "%s/other", tree);
		ck_assert_int_eq(rename(name, other), 0);
		ck_assert_int_eq(symlink(other, name), 0);
	} else if (_i == 2) {	/* truncated */
		ck_assert_int_eq(truncate(name, 100), 0);
	} else {		/* another owner */
		if (chown(name, 65534, 65534) < 0 || geteuid() != 0)
			goto out;
	}
	sw_topology_begin(&load, place.proc_fd, place.sys_fd, tree, true);
	ck_assert_int_gt(load.pid, 0);
	wait_for(&load);
	sw_topology_end(&load);
out:
	remove_tree();
}
END_TEST

/* A folder that is not writable, or cannot be created. */
START_TEST(no_cache)
{
	static const char *const folders[] = { "/proc", "/nowhere/at/all",
					       NULL };
	struct place place = open_place();
	struct sw_topology_load load;

	sw_topology_begin(&load, place.proc_fd, place.sys_fd, folders[_i],
			  true);
	wait_for(&load);
	ck_assert_uint_gt(load.topology.pu_count, 0);
	sw_topology_end(&load);
}
END_TEST

/* Only the child accesses file systems that may hang. */
START_TEST(far_cache)
{
	struct place place = open_place();
	struct sw_topology_load load;
	char name[256];
	struct stat one, two;

	make_tree();
	sw_topology_begin(&load, place.proc_fd, place.sys_fd, tree, false);
	ck_assert_int_eq(load.cache_fd, -1);
	wait_for(&load);
	sw_topology_end(&load);
	only_name(name, sizeof(name), "txt");
	ck_assert_int_eq(lstat(name, &one), 0);
	sw_topology_begin(&load, place.proc_fd, place.sys_fd, tree, false);
	wait_for(&load);
	ck_assert_uint_gt(load.topology.pu_count, 0);
	sw_topology_end(&load);
	ck_assert_int_eq(lstat(name, &two), 0);
	ck_assert_uint_eq(one.st_ino, two.st_ino);
	remove_tree();
}
END_TEST

/* The child is not waited for: /sys is used if there is no time. */
START_TEST(no_time)
{
	struct place place = open_place();
	struct sw_topology_load load;
	const struct sw_topology *topology;

	sw_topology_begin(&load, place.proc_fd, place.sys_fd, NULL, true);
	ck_assert_int_gt(load.pid, 0);
	kill(load.pid, SIGSTOP);
	topology = sw_topology_finish(&load, 1000);
	ck_assert_uint_eq(topology->pu_count,
			  (unsigned long)sysconf(_SC_NPROCESSORS_ONLN));
	sw_topology_end(&load);
	ck_assert_int_eq(waitpid(-1, NULL, __WALL | WNOHANG), -1);
}
END_TEST

#ifdef HAVE_HWLOC
static void load_hwloc(struct sw_topology *topology, const char *synthetic,
		       const char *xml, int xml_fd)
{
	const struct sw_topology_origin origin = { synthetic, xml };
	struct sw_error error = { "" };

	memset(topology, 0, sizeof(*topology));
	ck_assert_msg(sw_topology_by_hwloc(topology, &origin, xml_fd,
					   &error) == 0, "%s", error.text);
	ck_assert_str_eq(topology->source, "hwloc");
}

/* hwloc's model of a machine, and its kernel's view of it. */
START_TEST(hwloc_synthetic)
{
	const struct machine *machine = &machines[_i];
	struct sw_topology by_hwloc, by_sysfs;
	char text[128];

	snprintf(text, sizeof(text), "package:%u numa:%u l3:%u core:%u pu:%u",
		 machine->packages, machine->nodes, machine->l3s,
		 machine->cores, machine->threads);
	load_hwloc(&by_hwloc, text, NULL, -1);
	make_tree();
	put_machine(machine);
	read_tree(&by_sysfs);
	compare(&by_hwloc, &by_sysfs);
	sw_topology_fini(&by_hwloc);
	sw_topology_fini(&by_sysfs);
	remove_tree();
}
END_TEST

START_TEST(hwloc_alternating)
{
	struct sw_topology topology;

	load_hwloc(&topology, "package:2 l3:2 core:2 "
		   "pu:1(indexes=0,4,2,6,1,5,3,7)", NULL, -1);
	is_alternating(&topology);
	sw_topology_fini(&topology);
}
END_TEST

START_TEST(hwloc_without_cache)
{
	struct sw_topology topology;
	size_t i;

	load_hwloc(&topology, "package:2 numa:2 core:16 pu:2", NULL, -1);
	ck_assert_uint_eq(topology.pu_count, 128);
	for (i = 0; i < 128; i++) {
		ck_assert(sw_is_missing(topology.pus[i].l3));
		ck_assert_uint_eq(topology.pus[i].core, i / 2);
		ck_assert_uint_eq(topology.pus[i].numa, i / 32);
		ck_assert_uint_eq(topology.pus[i].package, i / 64);
	}
	sw_topology_fini(&topology);
}
END_TEST

START_TEST(hwloc_xml)
{
	struct sw_topology before, after;
	int fd = memfd_create("xml", 0);
	char path[64];

	load_hwloc(&before, "package:2 numa:4 l3:2 core:8 pu:2", NULL, fd);
	ck_assert_uint_eq(strlen(before.digest), SW_DIGEST_SIZE - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	load_hwloc(&after, NULL, path, -1);
	compare(&before, &after);
	sw_topology_fini(&before);
	sw_topology_fini(&after);
	close(fd);
}
END_TEST

/* Both methods agree on this machine in everything that both provide. */
START_TEST(hwloc_here)
{
	struct place place = open_place();
	struct sw_topology by_hwloc, by_sysfs = { 0 };
	size_t i;

	load_hwloc(&by_hwloc, NULL, NULL, -1);
	if (sw_topology_by_sysfs(&by_sysfs, place.sys_fd, NULL) < 0)
		return;
	ck_assert_uint_eq(by_hwloc.pu_count, by_sysfs.pu_count);
	for (i = 0; i < by_sysfs.pu_count; i++) {
		const struct sw_topology_pu *pu = &by_sysfs.pus[i];

		ck_assert_uint_eq(by_hwloc.pus[i].pu, pu->pu);
		ck_assert_uint_eq(by_hwloc.pus[i].core, pu->core);
		ck_assert_uint_eq(by_hwloc.pus[i].package, pu->package);
		if (!sw_is_missing(pu->l3))
			ck_assert_uint_eq(by_hwloc.pus[i].l3, pu->l3);
		if (!sw_is_missing(pu->numa))
			ck_assert_uint_eq(by_hwloc.pus[i].numa, pu->numa);
	}
	sw_topology_fini(&by_hwloc);
	sw_topology_fini(&by_sysfs);
}
END_TEST

/* From now on binding to a CPU raises SIGSYS. */
static void forbid_binding(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 0,
			 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		_exit(77);
}

/* Exit status of a child that loads this machine, or binds itself. */
static int run_bound(bool binds)
{
	const struct sw_topology_origin here = { NULL, NULL };
	struct sw_topology topology = { 0 };
	struct sw_error error;
	cpu_set_t set;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		forbid_binding();
		sched_getaffinity(0, sizeof(set), &set);
		if (binds)
			sched_setaffinity(0, sizeof(set), &set);
		_exit(sw_topology_by_hwloc(&topology, &here, -1, &error) < 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

START_TEST(hwloc_never_binds)
{
	int control = run_bound(true);

	if (WIFEXITED(control) && WEXITSTATUS(control) == 77)
		return;
	ck_assert(WIFSIGNALED(control) && WTERMSIG(control) == SIGSYS);
	ck_assert_int_eq(run_bound(false), 0);
}
END_TEST
#endif

int main(void)
{
	TCase *tcase = tcase_create("topology");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, sysfs, 0, 3);
	tcase_add_test(tcase, sysfs_interleaved);
	tcase_add_test(tcase, sysfs_alternating);
	tcase_add_loop_test(tcase, sysfs_garbage, 0, 8);
	tcase_add_test(tcase, devices);
	tcase_add_test(tcase, cached_text);
	tcase_add_test(tcase, cache);
	tcase_add_loop_test(tcase, distrusted_cache, 0, 4);
	tcase_add_loop_test(tcase, no_cache, 0, 3);
	tcase_add_test(tcase, far_cache);
	tcase_add_test(tcase, no_time);
#ifdef HAVE_HWLOC
	tcase_add_loop_test(tcase, hwloc_synthetic, 0, 3);
	tcase_add_test(tcase, hwloc_alternating);
	tcase_add_test(tcase, hwloc_without_cache);
	tcase_add_test(tcase, hwloc_xml);
	tcase_add_test(tcase, hwloc_here);
	tcase_add_test(tcase, hwloc_never_binds);
#endif
	return run_tests("topology", tcase, NULL);
}
