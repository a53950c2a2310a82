/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's names for the cgroups of jobs and steps, and other names. */
#include <check.h>
#include <string.h>

#include "common/step_cgroup.h"
#include "test/run_tests.h"

#define SCOPE "/system.slice/n1_slurmstepd.scope"
#define SLUID "s08Q3ZJM0KCR00"
#define UUID  "0190a5b4-7c1e-7abc-8def-0123456789ab"

START_TEST(paths)
{
	static const struct {
		const char *path;
		const char *job, *step; /* expected folders */
		bool is_sluid;
	} cases[] = {
		{ SCOPE "/job_7/step_0/user", SCOPE "/job_7",
		  SCOPE "/job_7/step_0", false },
		{ SCOPE "/job_7/step_batch/user", SCOPE "/job_7",
		  SCOPE "/job_7/step_batch", false },
		{ SCOPE "/job_7/step_3+1", SCOPE "/job_7",
		  SCOPE "/job_7/step_3+1", false },
		{ "/slurm/uid_5/job_7/step_0", "/slurm/uid_5/job_7",
		  "/slurm/uid_5/job_7/step_0", false },
		{ SCOPE "/" SLUID "/step_0/user", SCOPE "/" SLUID,
		  SCOPE "/" SLUID "/step_0", true },
		{ "/" SLUID "/step_extern", "/" SLUID, "/" SLUID "/step_extern",
		  true },
		/* CgroupSlice, and within a container */
		{ "/a.slice/a-b.slice/slurmstepd.scope/" SLUID "/step_1/user",
		  "/a.slice/a-b.slice/slurmstepd.scope/" SLUID,
		  "/a.slice/a-b.slice/slurmstepd.scope/" SLUID "/step_1",
		  true },
		/*
		 * Created by a job itself, and Slurm running in a job of
		 * another.
		 */
		{ SCOPE "/job_7/step_0/user/task_0/job_7/step_1/user",
		  SCOPE "/job_7", SCOPE "/job_7/step_0", false },
		{ SCOPE "/" SLUID "/step_0/user/task_0/s08Q3ZJM0KCR01/step_1",
		  SCOPE "/" SLUID, SCOPE "/" SLUID "/step_0", true },
		{ SCOPE "/" SLUID "/step_0/user/task_0/job_7/step_1/user",
		  SCOPE "/" SLUID "/step_0/user/task_0/job_7",
		  SCOPE "/" SLUID "/step_0/user/task_0/job_7/step_1", false },
	};
	struct sw_step_cgroup found;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_msg(sw_step_cgroup_find(cases[i].path, 7, &found),
			      "%s", cases[i].path);
		ck_assert_msg(found.job_length == strlen(cases[i].job) &&
				      found.step_length ==
					      strlen(cases[i].step) &&
				      found.is_sluid == cases[i].is_sluid &&
				      !strncmp(cases[i].path, cases[i].step,
					       found.step_length),
			      "%s", cases[i].path);
	}
}
END_TEST

START_TEST(paths_of_no_job)
{
	static const char *const cases[] = {
		SCOPE "/job_8/step_0/user",
		SCOPE "/job_77/step_0/user",
		SCOPE "/job_7/user",
		SCOPE "/job_7",
		SCOPE "/job_7/step_",
		SCOPE "/job_7/step_/user",
		SCOPE "/job_7x/step_0",
		SCOPE "/job_7/../job_7/step_0",
		SCOPE "/job_7/step_0/..",
		SCOPE "/./job_7/step_0",
		SCOPE "//job_7/step_0",
		SCOPE "/job_7/step_0/",
		"job_7/step_0",
		"",
		"/",
		SCOPE "/" SLUID,
		SCOPE "/" SLUID "/user/step_0",
		/* Too short, too long, unused letters */
		SCOPE "/s08Q3ZJM0KCR0/step_0/user",
		SCOPE "/s08Q3ZJM0KCR000/step_0/user",
		SCOPE "/s08Q3ZJM0KCR0U/step_0/user",
		SCOPE "/s08q3zjm0kcr00/step_0/user",
		SCOPE "/S08Q3ZJM0KCR00/step_0/user",
		/* Belongs to no job: all jobs without one would share it. */
		SCOPE "/s0000000000000/step_0/user",
		/* Conceivable in later releases */
		"/x/y_12/step_0",
		"/slurm.slice/" UUID "/step_0/user",
		"/slurm.slice/slurm-" SLUID ".slice/step_0/user",
		"/slurm.slice/job-7.slice/step-0.scope/user",
	};
	struct sw_step_cgroup found;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(!sw_step_cgroup_find(cases[i], 7, &found), "%s",
			      cases[i]);
}
END_TEST

START_TEST(forms)
{
	static const char *const cases[][2] = {
		{ SCOPE "/job_7/step_0/user",
		  "/system.slice/X_slurmstepd.scope/job_N/step_N/user" },
		{ "/x/y_12/step_batch", "/x/y_N/step_batch" },
		{ "/" SLUID "/step_3+12", "/X/step_N+N" },
		{ "/" UUID "/user-1000.slice", "/X-X-X-X-X/user-N.slice" },
		{ "/no digits/\xc3\xa4", "/no digits/\xc3\xa4" },
		{ "", "" },
	};
	char form[SW_CGROUP_FORM_SIZE], whole[SW_CGROUP_FORM_SIZE];
	size_t i, size;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sw_cgroup_form(cases[i][0], whole, sizeof(whole));
		ck_assert_str_eq(whole, cases[i][1]);
		for (size = 1; size < sizeof(form); size++) {
			memset(form, '!', sizeof(form));
			sw_cgroup_form(cases[i][0], form, size);
			ck_assert_uint_lt(strlen(form), size);
			ck_assert(!strncmp(form, whole, strlen(form)));
			ck_assert_int_eq(form[size], '!');
		}
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("step_cgroup");

	tcase_add_test(tests, paths);
	tcase_add_test(tests, paths_of_no_job);
	tcase_add_test(tests, forms);
	return run_tests("step_cgroup", tests, (TCase *)NULL);
}
