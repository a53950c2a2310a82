/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroup v1 backend in artificial trees: limits of parent folders, OOM
 * kills counted in the victim's cgroup, values read by the plugin's hooks, and
 * the folders of a step.
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/cgroup/available.h"
#include "recorder/jobs/final_values.h"
#include "recorder/jobs/verify.h"
#include "recorder/sampler/watch.h"
#include "recorder/sources/step/memory_v1.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

#define MIB ((uint64_t)1 << 20)
#define NONE "9223372036854771712\n"
#define STEP "slurm/uid_1000/job_7/step_0"

static char root[TEMP_FOLDER_SIZE];
static int rootfd = -1;

static void make_root(void)
{
	rootfd = temp_folder_open(root, "check_cgroup_v1");
}

static void remove_root(void)
{
	close(rootfd);
	temp_folder_remove(root);
}

/* Create a file, and the folders in its name. */
static void put(const char *name, const char *text)
{
	char path[256];
	char *slash;
	int fd;

	snprintf(path, sizeof(path), "%s", name);
	for (slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdirat(rootfd, path, 0700);
		*slash = '/';
	}
	fd = openat(rootfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		    0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

static int open_at(const char *name)
{
	int fd = openat(rootfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* The job's folder has the limit; nothing above the tree may be read. */
START_TEST(limits_of_folders_above)
{
	struct sw_cgroup_v1 v1;
	uint64_t cpus_milli, bytes;
	int fd;

	sw_cgroup_v1_none(&v1);
	put("memory.limit_in_bytes", "4096\n");
	put("m/cgroup.procs", "");
	put("m/job/cgroup.procs", "");
	put("m/job/step/cgroup.procs", "");
	put("m/memory.limit_in_bytes", NONE);
	put("m/job/memory.limit_in_bytes", "104857600\n");
	put("m/job/step/memory.limit_in_bytes", NONE);
	sw_available_in_v1(&v1, &cpus_milli, &bytes);
	ck_assert(sw_is_missing(cpus_milli) && sw_is_missing(bytes));
	v1.fd[SW_V1_MEMORY] = open_at("m/job/step");
	sw_available_in_v1(&v1, &cpus_milli, &bytes);
	ck_assert_uint_eq(bytes, 100 * MIB);
	ck_assert(sw_is_missing(cpus_milli));
	put("m/job/memory.limit_in_bytes", NONE);
	sw_available_in_v1(&v1, &cpus_milli, &bytes);
	ck_assert(sw_is_missing(bytes));

	put("m/job/cpu.cfs_period_us", "100000\n");
	put("m/job/cpu.cfs_quota_us", "-1\n");
	v1.fd[SW_V1_CPU] = v1.fd[SW_V1_MEMORY];
	ck_assert_int_eq(sw_available_open_quota_v1(v1.fd[SW_V1_CPU]), -1);
	put("m/job/cpu.cfs_quota_us", "150000\n");
	sw_available_in_v1(&v1, &cpus_milli, &bytes);
	ck_assert_uint_eq(cpus_milli, 1500);
	fd = sw_available_open_quota_v1(v1.fd[SW_V1_CPU]);
	ck_assert_int_eq(faccessat(fd, "cpu.cfs_quota_us", F_OK, 0), 0);
	close(fd);
	close(v1.fd[SW_V1_MEMORY]);
}
END_TEST

static const struct sw_target_task tasks[] = {
	{ .pid = 8, .cgroup_number = 0 },
	{ .pid = 9, .cgroup_number = 3 },
	{ .pid = 10, .cgroup_number = SW_MISSING },
};

START_TEST(kills_of_all_tasks)
{
	ck_assert(sw_is_missing(sw_memory_v1_oom_kills(rootfd, tasks, 3)));
	/* Not counted before Linux 4.13. */
	put("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n");
	ck_assert(sw_is_missing(sw_memory_v1_oom_kills(rootfd, tasks, 3)));
	put("memory.oom_control",
	    "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
	put("task_0/memory.oom_control",
	    "oom_kill_disable 0\nunder_oom 0\noom_kill 20\n");
	put("task_3/memory.oom_control",
	    "oom_kill_disable 0\nunder_oom 0\noom_kill 300\n");
	put("task_4/memory.oom_control",
	    "oom_kill_disable 0\nunder_oom 0\noom_kill 4000\n");
	ck_assert_uint_eq(sw_memory_v1_oom_kills(rootfd, tasks, 3), 321);
	put("memory.failcnt", "5\n");
	ck_assert_uint_eq(sw_memory_v1_hits(rootfd), 5);
	put("memory.memsw.failcnt", "60\n");
	ck_assert_uint_eq(sw_memory_v1_hits(rootfd), 65);
	ck_assert_uint_eq(sw_v1_limit(4096), 4096);
	/* Pages of 4 KiB and of 64 KiB. */
	ck_assert(sw_is_missing(sw_v1_limit(0x7ffffffffffff000)));
	ck_assert(sw_is_missing(sw_v1_limit(0x7fffffffffff0000)));
}
END_TEST

/* Earlier events do not count for the step; later ones are reported. */
START_TEST(watches_what_grows)
{
	struct sw_cgroup_v1 v1, shared;
	struct sw_target target = {
		.cgroup_fd = -1, .v1 = &v1, .tasks = tasks, .task_count = 3 };
	struct sw_events events = { .table = -1 };
	struct sw_watch watch;

	sw_cgroup_v1_none(&v1);
	sw_cgroup_v1_none(&shared);
	sw_watch_open(&watch, &target, -1, NULL);
	ck_assert(!sw_watch_is_asked(&watch));
	ck_assert(!sw_watch_check(&watch, NULL, &events));
	put("memory.failcnt", "5\n");
	put("task_3/memory.oom_control", "oom_kill 7\n");
	v1.fd[SW_V1_MEMORY] = rootfd;
	sw_watch_open(&watch, &target, -1, NULL);
	ck_assert(sw_watch_is_asked(&watch));
	ck_assert_ptr_null(watch.detail);
	ck_assert(!sw_watch_check(&watch, NULL, &events));
	put("task_3/memory.oom_control", "oom_kill 8\n");
	ck_assert(sw_watch_check(&watch, NULL, &events));
	ck_assert(!sw_watch_check(&watch, NULL, &events));
	put("memory.failcnt", "6\n");
	ck_assert(sw_watch_check(&watch, NULL, &events));
	sw_watch_close(&watch);
	ck_assert(!sw_watch_is_asked(&watch));

	/* Use the caller's if it has none of its own. */
	v1.fd[SW_V1_MEMORY] = -1;
	shared.fd[SW_V1_MEMORY] = rootfd;
	sw_watch_open(&watch, &target, -1, &shared);
	ck_assert(sw_watch_is_asked(&watch));
	ck_assert_ptr_nonnull(watch.detail);
	put("task_3/memory.oom_control", "oom_kill 9\n");
	ck_assert(!sw_watch_check(&watch, NULL, &events));
	put("memory.oom_control", "oom_kill 1\n");
	sw_watch_close(&watch);
}
END_TEST

START_TEST(finals_of_v1)
{
	struct sw_message_final_values message = {
		.time_usec = 5,
		.memory_peak = "1048576\n",
		.memory_events = "oom_kill_disable 0\nunder_oom 0\n"
				 "oom_kill 2\n",
		.cpu_stat = "1234567890\nuser 100\nsystem 23\n",
	};
	struct sw_final_values final_values;

	sw_final_values_parse(&final_values, &message);
	ck_assert_uint_eq(final_values.memory_peak_bytes, MIB);
	ck_assert_uint_eq(final_values.events_oom_kill, 2);
	ck_assert(sw_is_missing(final_values.events_max));
	ck_assert_uint_eq(final_values.usage_usec, 1234567);
	ck_assert_uint_eq(final_values.user_usec, 1000000);
	ck_assert_uint_eq(final_values.system_usec, 230000);
	strcpy(message.cpu_stat, "1234567890\n");
	sw_final_values_parse(&final_values, &message);
	ck_assert_uint_eq(final_values.usage_usec, 1234567);
	ck_assert(sw_is_missing(final_values.user_usec));
	/* Values of v2 are unaffected. */
	strcpy(message.cpu_stat, "usage_usec 9\nuser_usec 5\nsystem_usec 4\n");
	sw_final_values_parse(&final_values, &message);
	ck_assert_uint_eq(final_values.usage_usec, 9);
	ck_assert_uint_eq(final_values.user_usec, 5);
	strcpy(message.cpu_stat, "user 100\nsystem 23\n");
	sw_final_values_parse(&final_values, &message);
	ck_assert(sw_is_missing(final_values.usage_usec));
	ck_assert(sw_is_missing(final_values.user_usec));
}
END_TEST

#define RHEL8 \
	"12:freezer:/" STEP "\n11:cpu,cpuacct:/" STEP "/task_0\n" \
	"10:pids:/system.slice/slurmd.service\n9:memory:/" STEP "/task_0\n" \
	"8:cpuset:/" STEP "\n1:name=systemd:/system.slice/slurmd.service\n"

/* A hierarchy other than the task's, and another step's, are not used. */
START_TEST(folders_of_a_step)
{
	static const struct {
		const char *text;
		uint32_t job_id;
		bool has[SW_V1_CONTROLLERS];
	} cases[] = {
		{ RHEL8, 7, { true, true, true } },
		{ RHEL8, 8, { false, false, false } },
		{ "9:memory:/" STEP "\n11:cpu,cpuacct:/\n", 7,
		  { true, false, false } },
		{ "9:memory:/slurm/uid_1000/job_7/step_1\n", 7,
		  { false, false, false } },
		{ "9:memory:/\n", 7, { false, false, false } },
		{ "", 7, { false, false, false } },
	};
	struct sw_message_task task = { .pid = 8 };
	struct sw_message_step step = { .cgroup = "/" STEP };
	struct sw_cgroup_v1 roots, v1;
	size_t i, j;

	put("tree/" STEP "/task_0/cgroup.procs", "8\n");
	for (j = 0; j < SW_V1_CONTROLLERS; j++)
		roots.fd[j] = open_at("tree");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put("8/cgroup", cases[i].text);
		step.job_id = cases[i].job_id;
		sw_node_open_v1(&v1, &roots, rootfd, &step, &task, 1);
		for (j = 0; j < SW_V1_CONTROLLERS; j++)
			ck_assert_msg((v1.fd[j] >= 0) == cases[i].has[j],
				      "case %zu, %s", i, sw_v1_name(
				      (enum sw_v1_controller)j));
		sw_cgroup_v1_close(&v1);
	}
	step.job_id = 7;
	ck_assert(sw_node_has_job_cgroup(-1, &roots, &step));
	step.job_id = 8;
	ck_assert(!sw_node_has_job_cgroup(-1, &roots, &step));
	sw_cgroup_v1_close(&roots);
	step.job_id = 7;
	ck_assert(!sw_node_has_job_cgroup(-1, &roots, &step));
}
END_TEST

/* A link in the path may lead anywhere. */
START_TEST(follows_no_link)
{
	struct sw_message_task task = { .pid = 8 };
	struct sw_message_step step = { .job_id = 7, .cgroup = "/" STEP };
	struct sw_cgroup_v1 roots, v1;

	sw_cgroup_v1_none(&roots);
	put("elsewhere/step_0/cgroup.procs", "");
	put("tree/slurm/uid_1000/cgroup.procs", "");
	ck_assert_int_eq(symlinkat("../../../elsewhere", rootfd,
				   "tree/slurm/uid_1000/job_7"), 0);
	put("8/cgroup", RHEL8);
	roots.fd[SW_V1_MEMORY] = open_at("tree");
	sw_node_open_v1(&v1, &roots, rootfd, &step, &task, 1);
	ck_assert_int_eq(v1.fd[SW_V1_MEMORY], -1);
	sw_cgroup_v1_close(&roots);
}
END_TEST

START_TEST(roots_and_own)
{
	struct sw_cgroup_v1 roots, own;
	char text[512];

	put("m/y/cgroup.procs", "");
	put("self/cgroup", "4:memory:/y\n3:cpuacct:/gone\n");
	snprintf(text, sizeof(text),
		 "35 31 0:32 /x %s/part rw - cgroup cgroup rw,memory\n"
		 "35 31 0:32 / %s/m rw - cgroup cgroup rw,memory\n"
		 "36 31 0:33 / %s/m rw - cgroup cgroup rw,cpuacct\n",
		 root, root, root);
	put("self/mountinfo", text);
	sw_cgroup_v1_open_roots(&roots, rootfd);
	ck_assert_int_ge(roots.fd[SW_V1_MEMORY], 0);
	ck_assert_int_eq(faccessat(roots.fd[SW_V1_MEMORY], "y/cgroup.procs",
				   F_OK, 0), 0);
	ck_assert_int_eq(roots.fd[SW_V1_CPU], -1);
	sw_cgroup_v1_open_own(&own, rootfd);
	ck_assert_int_ge(own.fd[SW_V1_MEMORY], 0);
	ck_assert_int_eq(faccessat(own.fd[SW_V1_MEMORY], "cgroup.procs", F_OK,
				   0), 0);
	ck_assert_int_eq(own.fd[SW_V1_CPUACCT], -1);
	ck_assert(sw_cgroup_v1_is_any(&own));
	sw_cgroup_v1_close(&own);
	ck_assert(!sw_cgroup_v1_is_any(&own));
	ck_assert(!sw_cgroup_v1_is_any(NULL));
	sw_cgroup_v1_close(&roots);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("trees");

	tcase_add_checked_fixture(tcase, make_root, remove_root);
	tcase_add_test(tcase, limits_of_folders_above);
	tcase_add_test(tcase, kills_of_all_tasks);
	tcase_add_test(tcase, watches_what_grows);
	tcase_add_test(tcase, finals_of_v1);
	tcase_add_test(tcase, folders_of_a_step);
	tcase_add_test(tcase, follows_no_link);
	tcase_add_test(tcase, roots_and_own);
	return run_tests("cgroup v1", tcase, NULL);
}
