/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Validation of a message's cgroup: by the kernel's data, in an artificial
 * /proc, and the path, in an artificial tree.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/jobs/pids.h"
#include "recorder/jobs/verify.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

#define SCOPE "/system.slice/slurmstepd.scope"
#define SLUID SCOPE "/s08Q3ZJM0KCR00"
#define OTHER SCOPE "/s08Q3ZJM0KCR01"

enum { STEPD = 70, TASK = 71 };

static char root[TEMP_FOLDER_SIZE];
static int proc_fd = -1, tree_fd = -1;

static void make_path(char *path, const char *at)
{
	char *slash = path + strlen(root) + 1;

	snprintf(path, PATH_MAX, "%s/%s", root, at);
	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static int make_folder(const char *at)
{
	char path[PATH_MAX];

	make_path(path, at);
	mkdir(path, 0700);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void make_cgroup(const char *cgroup)
{
	char at[PATH_MAX];

	snprintf(at, sizeof(at), "tree%s", cgroup);
	close(make_folder(at));
}

/* The process is in this cgroup v2, and in none of v1. */
static void put_process(int pid, const char *cgroup)
{
	char at[64], path[PATH_MAX];
	FILE *file;

	snprintf(at, sizeof(at), "proc/%d/cgroup", pid);
	make_path(path, at);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "1:name=systemd:/x\n0::%s\n", cgroup);
	fclose(file);
}

static void make_root(void)
{
	temp_folder_make(root, "check_verify");
	proc_fd = make_folder("proc");
	tree_fd = make_folder("tree");
	ck_assert(proc_fd >= 0 && tree_fd >= 0);
}

static void remove_root(void)
{
	close(proc_fd);
	close(tree_fd);
	temp_folder_remove(root);
}

/* Is fd that folder of the tree? */
static bool is_folder(int fd, const char *cgroup)
{
	char path[PATH_MAX];
	struct stat one, other;

	snprintf(path, sizeof(path), "%s/tree%s", root, cgroup);
	return fstat(fd, &one) == 0 && stat(path, &other) == 0 &&
	       one.st_ino == other.st_ino;
}

START_TEST(whose_cgroup)
{
	static const struct {
		const char *cgroup, *stepd;
		int error; /* 0: it is the step's */
		const char *job;
	} cases[] = {
		{ SCOPE "/job_7/step_0/user", SCOPE "/job_7/step_0/slurm", 0,
		  SCOPE "/job_7" },
		{ SCOPE "/job_8/step_0/user", SCOPE "/job_8/step_0/slurm",
		  EINVAL, NULL },
		{ SLUID "/step_0/user", SLUID "/step_0/slurm", 0, SLUID },
		{ SLUID "/step_0/user", SLUID "/step_0", EPERM, NULL },
		/* Another job's, another step's, one with a longer number */
		{ SLUID "/step_0/user", OTHER "/step_0/slurm", EPERM, NULL },
		{ SLUID "/step_0/user", SLUID "/step_1/slurm", EPERM, NULL },
		{ SLUID "/step_0/user", SLUID "/step_01/slurm", EPERM, NULL },
		{ SLUID "/step_0/user", SCOPE "/system", EPERM, NULL },
		{ SLUID "/step_0/user", "/", EPERM, NULL },
		/* Cgroups created by a job are within Slurm's. */
		{ SLUID "/step_0/user/task_0" OTHER "/step_0/user",
		  SLUID "/step_0/slurm", 0, SLUID },
		{ SLUID "/step_0/user/task_0" OTHER "/step_0/user",
		  OTHER "/step_0/slurm", EPERM, NULL },
		{ SLUID "/step_2/user", SLUID "/step_2/slurm", ENOENT, NULL },
		{ "/x/y_12/step_0/user", "/x/y_12/step_0/slurm", EINVAL, NULL },
		{ "", SCOPE "/system", ENOENT, NULL },
	};
	struct sw_message_step step = { .job_id = 7, .stepd_pid = STEPD };
	struct sw_cgroup_v1 none;
	struct sw_target_job job;
	size_t i;
	int fd;

	sw_cgroup_v1_none(&none);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (cases[i].error != ENOENT)
			make_cgroup(cases[i].cgroup);
		put_process(STEPD, cases[i].stepd);
		strcpy(step.cgroup, cases[i].cgroup);
		fd = sw_node_open_cgroup(tree_fd, proc_fd, &step);
		ck_assert_msg((fd < 0 ? errno : 0) == cases[i].error,
			      "%s by %s", cases[i].cgroup, cases[i].stepd);
		if (fd < 0)
			continue;
		ck_assert(is_folder(fd, cases[i].cgroup));
		close(fd);
		sw_node_open_job(&job, tree_fd, &none, &step);
		ck_assert_msg(is_folder(job.cgroup_fd, cases[i].job), "%s",
			      cases[i].cgroup);
		close(job.cgroup_fd);
		ck_assert(sw_node_has_job_cgroup(tree_fd, &none, &step));
	}
	/* No such process, and no cgroup v2 here */
	strcpy(step.cgroup, SLUID "/step_0/user");
	step.stepd_pid = 1;
	ck_assert_int_eq(sw_node_open_cgroup(tree_fd, proc_fd, &step), -1);
	ck_assert_int_eq(errno, EPERM);
	ck_assert_int_eq(sw_node_open_cgroup(-1, proc_fd, &step), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* Between the steps of a job its folder may be removed or kept. */
START_TEST(has_job)
{
	struct sw_message_step step = { .job_id = 7,
					.cgroup = SLUID "/step_0/user" };
	struct sw_cgroup_v1 none;

	sw_cgroup_v1_none(&none);
	ck_assert(!sw_node_has_job_cgroup(tree_fd, &none, &step));
	make_cgroup(SLUID);
	ck_assert(sw_node_has_job_cgroup(tree_fd, &none, &step));
}
END_TEST

/* If the plugin found no cgroup: was one created? */
START_TEST(elsewhere)
{
	static const struct {
		const char *task, *stepd;
		bool is_elsewhere;
	} cases[] = {
		{ "/x/y_12/step_0", "/x/system", true },
		{ "/x/y_12/step_0/rank_3", "/x/y_12/step_0/slurm", true },
		/* proctrack/linuxproc, and everything in the root */
		{ SCOPE "/system", SCOPE "/system", false },
		{ "/", "/", false },
	};
	struct sw_message_step_start start = {
		.step = { .job_id = 12, .stepd_pid = STEPD },
		.task_count = 1,
		.tasks = { { .pid = TASK } },
	};
	char path[SW_MESSAGE_CGROUP_SIZE];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_process(TASK, cases[i].task);
		put_process(STEPD, cases[i].stepd);
		ck_assert(sw_node_find_elsewhere(proc_fd, &start, path,
						 sizeof(path)) ==
			  cases[i].is_elsewhere);
		if (cases[i].is_elsewhere)
			ck_assert_str_eq(path, cases[i].task);
	}
	put_process(TASK, "/x/y_12/step_0");
	strcpy(start.step.cgroup, SLUID "/step_0/user");
	ck_assert(!sw_node_find_elsewhere(proc_fd, &start, path, sizeof(path)));
	start.step.cgroup[0] = '\0';
	start.task_count = 0;
	ck_assert(!sw_node_find_elsewhere(proc_fd, &start, path, sizeof(path)));
	start.task_count = 1;
	start.tasks[0].pid = 1;
	ck_assert(!sw_node_find_elsewhere(proc_fd, &start, path, sizeof(path)));
}
END_TEST

/* Create a process as seen by the recorder in /proc, with its children. */
static void put_nested(int pid, int parent, int ticks, const char *numbers,
		       const char *children)
{
	char at[64], path[PATH_MAX];
	FILE *file;

	snprintf(at, sizeof(at), "proc/%d/status", pid);
	make_path(path, at);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "Name:\tx\nPPid:\t%d\nNSpid:\t%s\nNSpgid:\t1\n", parent,
		numbers);
	fclose(file);
	snprintf(at, sizeof(at), "proc/%d/stat", pid);
	make_path(path, at);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file,
		"%d (x) S %d 0 0 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 %d "
		"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		pid, parent, ticks);
	fclose(file);
	snprintf(at, sizeof(at), "proc/%d/task/%d/children", pid, pid);
	make_path(path, at);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(children, file);
	fclose(file);
}

static const struct sw_message_step_start as_sent = {
	.header = { .type = SW_MESSAGE_STEP_START },
	.step = { .job_id = 7, .stepd_pid = 9, .stepd_start_ticks = 100 },
	.task_count = 3,
	.tasks = { { .pid = 11 }, { .pid = 12 }, { .pid = 13 } },
};

/* Pids in a start message from peer: slurmstepd and three tasks. */
static const char *translated(pid_t peer)
{
	static union sw_message message;
	static char text[64];

	message.start = as_sent;
	sw_node_pids_translate(proc_fd, peer, &message);
	snprintf(text, sizeof(text), "%u: %u %u %u",
		 message.start.step.stepd_pid, message.start.tasks[0].pid,
		 message.start.tasks[1].pid, message.start.tasks[2].pid);
	return text;
}

START_TEST(pids_of_a_namespace)
{
	/* Other processes with these pids in the recorder's namespace */
	put_nested(9, 1, 100, "9", "11 12 13 ");
	put_nested(11, 9, 101, "11", "");
	ck_assert_str_eq(translated(9), "9: 11 12 13");
	/*
	 * The hook's process, slurmstepd, and three tasks, one of which has
	 * entered its own namespace by now and one has exited
	 */
	put_nested(500, 1, 100, "500\t9", "501 502 511 12 ");
	put_nested(501, 500, 102, "501\t12", "");
	put_nested(502, 500, 101, "502\t11\t1", "");
	put_nested(511, 500, 103, "511\t10", "");
	ck_assert_str_eq(translated(500), "500: 502 501 0");
	ck_assert_str_eq(translated(511), "500: 502 501 0");
	/* Not slurmstepd's, or in another job's namespace */
	put_nested(600, 1, 100, "600\t8", "");
	put_nested(601, 600, 100, "601\t9\t1", "");
	ck_assert_str_eq(translated(600), "9: 11 12 13");
	ck_assert_str_eq(translated(601), "9: 11 12 13");
	put_nested(602, 1, 99, "602\t9", "");
	ck_assert_str_eq(translated(602), "9: 11 12 13");
	/* Invisible from here, or exited */
	ck_assert_str_eq(translated(0), "9: 11 12 13");
	ck_assert_str_eq(translated(777), "9: 11 12 13");
	/* Not a number */
	put_nested(603, 1, 100, "603\tx", "");
	ck_assert_str_eq(translated(603), "9: 11 12 13");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("verify");

	tcase_add_checked_fixture(tests, make_root, remove_root);
	tcase_add_test(tests, whose_cgroup);
	tcase_add_test(tests, has_job);
	tcase_add_test(tests, elsewhere);
	tcase_add_test(tests, pids_of_a_namespace);
	return run_tests("verify", tests, (TCase *)NULL);
}
