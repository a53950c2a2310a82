/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the own cgroup, and its parents' limits, in artificial trees. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/cgroup/cgroup.h"
#include "recorder/cgroup/cgroup_control.h"
#include "recorder/cgroup/available.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MIB ((uint64_t)1 << 20)

static char root[TEMP_FOLDER_SIZE];
static int rootfd = -1;

static void make_root(void)
{
	rootfd = temp_folder_open(root, "check_cgroup");
}

static void remove_root(void)
{
	close(rootfd);
	temp_folder_remove(root);
}

static void write_file(const char *name, const char *text)
{
	int fd = openat(rootfd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

/* path NULL: it must not be found. */
static const struct find_row {
	const char *cgroup, *mountinfo, *path;
} finds[] = {
	{ "0::/\n",
	  "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n",
	  "/sys/fs/cgroup" },
	{ "0::/user.slice/session-1.scope\n",
	  "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n",
	  "/sys/fs/cgroup/user.slice/session-1.scope" },
	/* hybrid: the version 1 hierarchies must be ignored */
	{ "9:name=systemd:/x\n4:memory:/y\n0::/z\n",
	  "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
	  "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	  "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
	  "/sys/fs/cgroup/unified/z" },
	/* a container's bind mount shows a part of the tree */
	{ "0::/docker/c1/app\n",
	  "50 40 0:26 /docker/c1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
	  "/sys/fs/cgroup/app" },
	{ "0::/docker/c1\n",
	  "50 40 0:26 /docker/c1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
	  "/sys/fs/cgroup" },
	/* the first mount shows another part, the second is right */
	{ "0::/b/c\n",
	  "50 40 0:26 /bb /first rw - cgroup2 cgroup rw\n"
	  "51 40 0:26 /b /second rw - cgroup2 cgroup rw\n",
	  "/second/c" },
	{ "0::/a\n",
	  "50 40 0:26 / /with\\040space\\134 rw - cgroup2 cgroup rw\n",
	  "/with space\\/a" },
	{ "0::/b\n", "50 40 0:26 /bb /first rw - cgroup2 cgroup rw\n", NULL },
	{ "0::/../outside\n", "50 40 0:26 / /m rw - cgroup2 cgroup rw\n",
	  NULL },
	{ "0::/gone (deleted)\n", "50 40 0:26 / /m rw - cgroup2 cgroup rw\n",
	  NULL },
	{ "4:memory:/y\n", "50 40 0:26 / /m rw - cgroup2 cgroup rw\n", NULL },
	{ "0::/a\n", "35 31 0:32 / /m rw - cgroup cgroup rw,memory\n", NULL },
	{ "0::/a\n", "- cgroup2 \n - cgroup2 x\n1 2 - cgroup2 c rw\n", NULL },
	{ "", "", NULL },
	{ "0::\n0:\n\377\n", "\n\n \377", NULL },
};

/* Likewise for the hierarchy of one controller of version 1. */
static const struct {
	struct find_row row;
	const char *controller;
} finds_v1[] = {
	{ { "11:cpu,cpuacct:/c\n4:memory:/y/z\n0::/v\n",
	    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
	    "/sys/fs/cgroup/memory/y/z" }, "memory" },
	{ { "11:cpu,cpuacct:/c\n4:memory:/y/z\n",
	    "34 31 0:31 / /m/cpuset rw - cgroup cgroup rw,cpuset\n"
	    "35 31 0:32 / /m/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
	    "/m/cpu,cpuacct/c" }, "cpuacct" },
	{ { "11:cpu,cpuacct:/c\n",
	    "35 31 0:32 / /m/both rw - cgroup cgroup rw,cpu,cpuacct\n",
	    "/m/both/c" }, "cpu" },
	{ { "4:memory:/docker/c1/app\n",
	    "35 31 0:32 /docker/c1 /m rw - cgroup cgroup rw,memory\n",
	    "/m/app" }, "memory" },
	{ { "4:memory:/a\n", "35 31 0:32 / /m rw - cgroup cgroup rw,cpuset\n",
	    NULL }, "memory" },
	{ { "4:memoryless:/a\n1:name=memory:/b\n",
	    "35 31 0:32 / /m rw - cgroup cgroup rw,memory\n", NULL }, "memory" },
	{ { "4:memory:/../a\n", "35 31 0:32 / /m rw - cgroup cgroup rw,memory\n",
	    NULL }, "memory" },
	{ { "0::/a\n", "30 23 0:26 / /m rw - cgroup2 cgroup2 rw,memory\n", NULL },
	  "memory" },
	{ { "4:memory\n:::\n4:memory:x\n",
	    "35 31 0:32 / /m rw - cgroup cgroup\n", NULL }, "memory" },
};

static void check_found(const struct find_row *row, const char *controller)
{
	char path[PATH_MAX] = "untouched";
	struct sw_error error = { "" };
	int result;

	ck_assert_int_eq(mkdirat(rootfd, "self", 0700), 0);
	write_file("self/cgroup", row->cgroup);
	write_file("self/mountinfo", row->mountinfo);
	result = sw_cgroup_find(rootfd, controller, path, sizeof(path),
				&error);
	if (row->path) {
		ck_assert_int_eq(result, 0);
		ck_assert_str_eq(path, row->path);
	} else {
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(path, "untouched");
		ck_assert_str_ne(error.text, "");
	}
}

START_TEST(finds_own_cgroup)
{
	check_found(&finds[_i], NULL);
}
END_TEST

START_TEST(finds_own_cgroup_v1)
{
	check_found(&finds_v1[_i].row, finds_v1[_i].controller);
}
END_TEST

START_TEST(reports_missing_files)
{
	struct sw_error error = { "" };
	struct sw_cgroup cgroup;
	char path[PATH_MAX];

	ck_assert_int_eq(sw_cgroup_find(rootfd, NULL, path, sizeof(path), &error),
			 -1);
	ck_assert_str_ne(error.text, "");
	sw_cgroup_create(&cgroup, rootfd);
	ck_assert_int_eq(cgroup.fd, -1);
	ck_assert_str_eq(cgroup.backend, "process.tree");
	ck_assert_str_ne(cgroup.reason.text, "");
	ck_assert_int_eq(sw_cgroup_enter(&cgroup, getpid()), -1);
	sw_cgroup_evacuate(&cgroup, NULL, NULL);
	ck_assert_int_eq(sw_cgroup_destroy(&cgroup, &error), 0);
}
END_TEST

/* The pids are of no process here, and may be of one in a namespace. */
START_TEST(removes_what_nobody_holds)
{
	char own[32];
	int fd;

	snprintf(own, sizeof(own), "stepwell-%d", getpid());
	ck_assert_int_eq(mkdirat(rootfd, own, 0755), 0);
	ck_assert_int_eq(mkdirat(rootfd, "stepwell-2147483646", 0755), 0);
	ck_assert_int_eq(mkdirat(rootfd, "stepwell-2147483647", 0755), 0);
	fd = openat(rootfd, "stepwell-2147483646", O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(fd, 0);
	sw_cgroup_hold(fd);
	sw_cgroup_remove_stale(rootfd);
	ck_assert_int_ne(faccessat(rootfd, own, F_OK, 0), 0);
	ck_assert_int_eq(faccessat(rootfd, "stepwell-2147483646", F_OK, 0), 0);
	ck_assert_int_ne(faccessat(rootfd, "stepwell-2147483647", F_OK, 0), 0);
	close(fd);
	sw_cgroup_remove_stale(rootfd);
	ck_assert_int_ne(faccessat(rootfd, "stepwell-2147483646", F_OK, 0), 0);
}
END_TEST

START_TEST(does_not_cut_a_path)
{
	struct sw_error error;
	char path[8];

	ck_assert_int_eq(mkdirat(rootfd, "self", 0700), 0);
	write_file("self/cgroup", "0::/abcdefgh\n");
	write_file("self/mountinfo", "1 2 0:1 / /m rw - cgroup2 c rw\n");
	ck_assert_int_eq(sw_cgroup_find(rootfd, NULL, path, sizeof(path), &error),
			 -1);
}
END_TEST

/* Files of three nested cgroups, outermost first. */
static const struct limit_row {
	const char *cpu_max[3], *memory_max[3];
	uint64_t cpus_milli, memory_bytes;
} limits[] = {
	{ { NULL, "max 100000\n", "max 100000\n" },
	  { NULL, "max\n", "max\n" }, SW_MISSING, SW_MISSING },
	{ { NULL, "150000 100000\n", "max 100000\n" },
	  { NULL, "max\n", "104857600\n" }, 1500, 100 * MIB },
	{ { NULL, "150000 100000\n", "50000 100000\n" },
	  { NULL, "52428800\n", "104857600\n" }, 500, 50 * MIB },
	{ { NULL, NULL, NULL }, { NULL, NULL, NULL }, SW_MISSING, SW_MISSING },
	{ { NULL, "1 0\n", "rubbish" }, { NULL, "", "-" },
	  SW_MISSING, SW_MISSING },
};

START_TEST(takes_smallest_limit)
{
	static const char *const folders[] = { "top", "top/a", "top/a/b" };
	const struct limit_row *row = &limits[_i];
	uint64_t cpus_milli = 0, memory_bytes = 0;
	char name[64];
	int i, fd;

	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(mkdirat(rootfd, folders[i], 0700), 0);
		snprintf(name, sizeof(name), "%s/cgroup.controllers",
			 folders[i]);
		write_file(name, "cpu memory\n");
		snprintf(name, sizeof(name), "%s/cpu.max", folders[i]);
		if (row->cpu_max[i])
			write_file(name, row->cpu_max[i]);
		snprintf(name, sizeof(name), "%s/memory.max", folders[i]);
		if (row->memory_max[i])
			write_file(name, row->memory_max[i]);
	}
	/* Nothing above the cgroup file system may be read. */
	write_file("memory.max", "1\n");
	fd = openat(rootfd, folders[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	sw_available_in_cgroup(fd, &cpus_milli, &memory_bytes);
	close(fd);
	ck_assert_uint_eq(cpus_milli, row->cpus_milli);
	ck_assert_uint_eq(memory_bytes, row->memory_bytes);
}
END_TEST

START_TEST(knows_the_machine)
{
	struct sw_available here;

	write_file("meminfo", "MemTotal:        2048 kB\nMemFree: 1 kB\n");
	sw_available_read(&here, rootfd, -1, NULL);
	ck_assert_uint_eq(here.node_memory_bytes, 2 * MIB);
	ck_assert_uint_eq(here.memory_bytes, 2 * MIB);
	ck_assert_uint_ge(here.node_cpus, 1);
	ck_assert_uint_ge(here.cpus_milli, 1000);
	ck_assert_uint_le(here.cpus_milli, here.node_cpus * 1000);
	write_file("meminfo", "MemTotal: lots\n");
	sw_available_read(&here, rootfd, -1, NULL);
	ck_assert(sw_is_missing(here.node_memory_bytes));
	ck_assert(sw_is_missing(here.memory_bytes));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("trees");

	tcase_add_checked_fixture(tcase, make_root, remove_root);
	tcase_add_loop_test(tcase, finds_own_cgroup, 0, COUNT(finds));
	tcase_add_loop_test(tcase, finds_own_cgroup_v1, 0, COUNT(finds_v1));
	tcase_add_test(tcase, reports_missing_files);
	tcase_add_test(tcase, removes_what_nobody_holds);
	tcase_add_test(tcase, does_not_cut_a_path);
	tcase_add_loop_test(tcase, takes_smallest_limit, 0, COUNT(limits));
	tcase_add_test(tcase, knows_the_machine);
	return run_tests("cgroup", tcase, NULL);
}
