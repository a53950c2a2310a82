/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages between plugin and recorder: permanent layout, and invalid ones. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"
#include "test/run_tests.h"

/* Offset of each field since the first release. */
START_TEST(layout)
{
	static const unsigned char ping[16] = {
		'S', 'W', 'L', 'L', 1, 0, 4, 0, 16, 0, 0, 0, 0, 0, 0, 0,
	};
	struct sw_message_header header;

	sw_message_head(&header, SW_MESSAGE_PING, sizeof(header));
	ck_assert_mem_eq(&header, ping, sizeof(ping));
	ck_assert_uint_eq(offsetof(struct sw_message_step_start, step), 16);
	ck_assert_uint_eq(offsetof(struct sw_message_step, mode), 60);
	ck_assert_uint_eq(offsetof(struct sw_message_step, stepd_start_ticks),
			  72);
	ck_assert_uint_eq(offsetof(struct sw_message_step, cluster), 96);
	ck_assert_uint_eq(offsetof(struct sw_message_step, cgroup), 224);
	/* Version 2 begins here; in version 1 later members followed. */
	ck_assert_uint_eq(offsetof(struct sw_message_step, input_bytes), 736);
	ck_assert_uint_eq(offsetof(struct sw_message_step, gpus), 752);
	ck_assert_uint_eq(offsetof(struct sw_message_step, sluid), 816);
	/* Version 3 */
	ck_assert_uint_eq(offsetof(struct sw_message_step, job_start_seconds),
			  832);
	ck_assert_uint_eq(offsetof(struct sw_message_step, job_limit_seconds),
			  840);
	ck_assert_uint_eq(sw_message_start_length(0), 872);
	ck_assert_uint_eq(sw_message_start_length(1), 904);
	ck_assert_uint_eq(sizeof(struct sw_message_task_end), 1672);
	ck_assert_uint_eq(sizeof(struct sw_message_step_end), 1632);
}
END_TEST

static struct sw_message_step_start start;
static struct sw_message_task_end task_end;
static struct sw_message_step_end step_end;

static void fill(void)
{
	memset(&start, 0, sizeof(start));
	memset(&task_end, 0, sizeof(task_end));
	memset(&step_end, 0, sizeof(step_end));
	start.step.stepd_pid = 7;
	start.task_count = 2;
	start.tasks[0].pid = 8;
	start.tasks[1].pid = 9;
	sw_message_head(&start.header, SW_MESSAGE_STEP_START,
			sw_message_start_length(2));
	task_end.step = start.step;
	task_end.task = start.tasks[0];
	sw_message_head(&task_end.header, SW_MESSAGE_TASK_END,
			sizeof(task_end));
	step_end.step = start.step;
	sw_message_head(&step_end.header, SW_MESSAGE_STEP_END,
			sizeof(step_end));
}

static bool check(const void *message)
{
	const struct sw_message_header *header = message;

	return sw_message_check(message, header->length);
}

START_TEST(good_messages)
{
	struct sw_message_header answer;

	ck_assert(check(&start));
	ck_assert(check(&task_end));
	ck_assert(check(&step_end));
	sw_message_head(&answer, SW_MESSAGE_ANSWER, sizeof(answer));
	ck_assert(check(&answer));
	start.task_count = SW_MESSAGE_TASKS_MAX;
	for (uint32_t i = 0; i < SW_MESSAGE_TASKS_MAX; i++)
		start.tasks[i].pid = i + 1;
	start.header.length = (uint32_t)sizeof(start);
	ck_assert(check(&start));
}
END_TEST

START_TEST(every_length)
{
	size_t length;

	for (length = 0; length < sizeof(start); length++) {
		if (length != start.header.length)
			ck_assert(!sw_message_check(&start, length));
	}
	for (length = 0; length < sizeof(task_end); length++)
		ck_assert(!sw_message_check(&task_end, length));
	for (length = 0; length < sizeof(step_end); length++)
		ck_assert(!sw_message_check(&step_end, length));
}
END_TEST

START_TEST(bad_headers)
{
	start.header.magic++;
	ck_assert(!check(&start));
	fill();
	start.header.version = SW_PROTOCOL_VERSION + 1;
	ck_assert(!check(&start));
	fill();
	start.header.version = 1;	/* version 1 was shorter */
	ck_assert(!check(&start));
	fill();
	start.header.version = 0;
	ck_assert(!check(&start));
	fill();
	start.header.type = 0;
	ck_assert(!check(&start));
	fill();
	start.header.type = SW_MESSAGE_STEP_END;
	ck_assert(!check(&start));
	fill();
	/* The length in the header must be that of the message. */
	ck_assert(!sw_message_check(&start, start.header.length - 32));
}
END_TEST

/* Read the stored bytes of a released version; returns their length. */
static size_t read_golden(union sw_message *message, int version,
			  const char *name)
{
	const char *top = getenv("abs_top_srcdir");
	char path[512];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "%s/test/fixtures/protocol/v%d-%s",
		 top ? top : ".", version, name);
	file = fopen(path, "rb");
	ck_assert_msg(file != NULL, "%s", path);
	memset(message, 0xa5, sizeof(*message));
	length = fread(message, 1, sizeof(*message), file);
	fclose(file);
	ck_assert_uint_ge(length, sizeof(message->header));
	return length;
}

static void check_golden_step(const struct sw_message_step *step, int version)
{
	bool is_new = version > 1;

	ck_assert_uint_eq(step->job_id, 4711);
	ck_assert_str_eq(step->cluster, "aurum");
	ck_assert_str_eq(step->job_name, "golden \"1\"");
	ck_assert_uint_eq(step->input_bytes, is_new ? 123456789012 : 0);
	ck_assert_uint_eq(step->gpu_count, is_new ? 2 : 0);
	ck_assert_uint_eq(step->notes, 0);
	ck_assert_str_eq(step->gpus, is_new ? "0,3" : "");
	ck_assert_str_eq(step->sluid, is_new ? "s08Q3ZJM0KCR00" : "");
	ck_assert_uint_eq(step->job_start_seconds,
			  version > 2 ? 1780000000 : 0);
	ck_assert_uint_eq(step->job_limit_seconds,
			  version > 2 ? 1780003600 : 0);
}

/* Every version is converted to the same newest message. */
START_TEST(golden_messages)
{
	union sw_message message;
	int version = _i;
	size_t length;

	length = read_golden(&message, version, "step-start");
	ck_assert_uint_eq(sw_message_upgrade(&message, length),
			  sw_message_start_length(2));
	check_golden_step(&message.start.step, version);
	ck_assert_uint_eq(message.start.task_count, 2);
	ck_assert_uint_eq(message.start.tasks[0].pid, 0x4f11);
	ck_assert_uint_eq(message.start.tasks[1].pid, 0x4f12);
	length = read_golden(&message, version, "task-end");
	ck_assert_uint_eq(sw_message_upgrade(&message, length),
			  sizeof(message.task_end));
	check_golden_step(&message.task_end.step, version);
	ck_assert_uint_eq(message.task_end.task.pid, 0x4f12);
	length = read_golden(&message, version, "step-end");
	ck_assert_uint_eq(sw_message_upgrade(&message, length),
			  sizeof(message.step_end));
	check_golden_step(&message.step_end.step, version);
	length = read_golden(&message, 1, "ping");
	ck_assert_uint_eq(sw_message_upgrade(&message, length), length);
}
END_TEST

/* Each old version truncated at every length, and invalid messages. */
START_TEST(old_and_damaged)
{
	union sw_message message;
	size_t whole = read_golden(&message, _i, "step-end"), length;

	for (length = 0; length <= sizeof(message); length++) {
		read_golden(&message, _i, "step-end");
		if (length != whole)
			ck_assert_uint_eq(sw_message_upgrade(&message, length),
					  0);
		if (length > sizeof(message.header) && length != whole) {
			message.header.length = (uint32_t)length;
			ck_assert_uint_eq(sw_message_upgrade(&message, length),
					  0);
		}
	}
	read_golden(&message, 1, "ping");
	message.header.version = 2;
	ck_assert_uint_eq(sw_message_upgrade(&message, 16), 0);
}
END_TEST

START_TEST(bad_steps)
{
	memset(start.step.cgroup, 'x', sizeof(start.step.cgroup));
	ck_assert(!check(&start));
	fill();
	memset(start.step.cluster, 'x', sizeof(start.step.cluster));
	ck_assert(!check(&start));
	fill();
	memset(start.step.gpus, '0', sizeof(start.step.gpus));
	ck_assert(!check(&start));
	fill();
	memset(start.step.sluid, 's', sizeof(start.step.sluid));
	ck_assert(!check(&start));
	fill();
	memset(task_end.step.job_name, 'x', sizeof(task_end.step.job_name));
	ck_assert(!check(&task_end));
	step_end.step.mode = SW_MODE_REPORT + 1;
	ck_assert(!check(&step_end));
	fill();
	step_end.step.stepd_pid = 0;
	ck_assert(!check(&step_end));
	step_end.step.stepd_pid = 0x80000000u;
	ck_assert(!check(&step_end));
}
END_TEST

START_TEST(bad_tasks)
{
	start.tasks[1].pid = 0;
	ck_assert(!check(&start));
	fill();
	start.tasks[0].cgroup_kind = SW_TASK_CGROUP_OWN + 1;
	ck_assert(!check(&start));
	fill();
	start.task_count = 3;
	ck_assert(!check(&start));
	start.task_count = UINT32_MAX;
	ck_assert(!check(&start));
	start.task_count = SW_MESSAGE_TASKS_MAX + 1;
	start.header.length = (uint32_t)sw_message_start_length(
		SW_MESSAGE_TASKS_MAX + 1);
	ck_assert(!check(&start));
}
END_TEST

START_TEST(bad_finals)
{
	memset(task_end.final_values.memory_peak, '1',
	       sizeof(task_end.final_values.memory_peak));
	ck_assert(!check(&task_end));
	fill();
	memset(task_end.final_values.memory_events, '1',
	       sizeof(task_end.final_values.memory_events));
	ck_assert(!check(&task_end));
	memset(step_end.final_values.cpu_stat, '1',
	       sizeof(step_end.final_values.cpu_stat));
	ck_assert(!check(&step_end));
}
END_TEST

START_TEST(modes)
{
	static const struct {
		const char *text;
		bool is_good;
		uint32_t mode, period_msec;
	} cases[] = {
		{ "on", true, SW_MODE_ON, 0 },
		{ "off", true, SW_MODE_OFF, 0 },
		{ "quiet", true, SW_MODE_QUIET, 0 },
		{ "report", true, SW_MODE_REPORT, 0 },
		{ "500ms", true, SW_MODE_ON, 500 },
		{ "0.5", true, SW_MODE_ON, 500 },
		{ "2s", true, SW_MODE_ON, 2000 },
		{ "1m", true, SW_MODE_ON, 60000 },
		{ "1.25s", true, SW_MODE_ON, 1250 },
		{ "0", false, 0, 0 }, { "", false, 0, 0 },
		{ "On", false, 0, 0 }, { "-1", false, 0, 0 },
		{ "1h2", false, 0, 0 }, { "ms", false, 0, 0 },
		{ "99999999999999999999s", false, 0, 0 },
		{ "71583m", false, 0, 0 }, { "1 s", false, 0, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t mode = SW_MODE_ON, period_msec = 0;
		bool is_good = sw_mode_parse(cases[i].text, &mode,
					     &period_msec);

		ck_assert_msg(is_good == cases[i].is_good, "%s",
			      cases[i].text);
		if (is_good) {
			ck_assert_uint_eq(mode, cases[i].mode);
			ck_assert_uint_eq(period_msec, cases[i].period_msec);
		}
	}
}
END_TEST

#define SCOPE "/system.slice/slurmstepd.scope/job_7/step_"

/* Recorded with Slurm 22.05 and 24.11, and paths that must be refused. */
START_TEST(task_cgroups)
{
	static const struct {
		const char *text;
		const char *folder;	/* NULL: not Slurm's */
		uint16_t kind;
		uint32_t number;
	} cases[] = {
		{ "0::" SCOPE "0/user/task_3\n", SCOPE "0/user",
		  SW_TASK_CGROUP_OWN, 3 },
		{ "0::" SCOPE "batch/user/task_0\n", SCOPE "batch/user",
		  SW_TASK_CGROUP_OWN, 0 },
		{ "0::" SCOPE "extern/user/task_special\n",
		  SCOPE "extern/user", SW_TASK_CGROUP_SHARED, 0 },
		{ "0::" SCOPE "0+1/user/task_0", SCOPE "0+1/user",
		  SW_TASK_CGROUP_OWN, 0 },
		{ "12:pids:/a\n1:name=systemd:/b\n0::" SCOPE "1/user/task_1\n",
		  SCOPE "1/user", SW_TASK_CGROUP_OWN, 1 },
		{ "0::/\n", NULL, 0, 0 },
		{ "", NULL, 0, 0 },
		{ "0::/system.slice/slurmd.service\n", NULL, 0, 0 },
		{ "0::" SCOPE "0/slurm\n", NULL, 0, 0 },
		{ "0::" SCOPE "0/user/task_\n", NULL, 0, 0 },
		{ "0::" SCOPE "0/user/task_x\n", NULL, 0, 0 },
		{ "0::" SCOPE "0/user/task_4294967296\n", NULL, 0, 0 },
		{ "0::/a/task_0\n", NULL, 0, 0 },
		{ "0::/../job_7/step_0/user/task_0\n", NULL, 0, 0 },
		{ "1::" SCOPE "0/user/task_0\n", NULL, 0, 0 },
	};
	char folder[SW_MESSAGE_CGROUP_SIZE], small[16];
	uint32_t number;
	uint16_t kind;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool is_good = sw_task_cgroup_parse(cases[i].text, folder,
						    sizeof(folder), &kind,
						    &number);

		ck_assert_msg(is_good == !!cases[i].folder, "%s",
			      cases[i].text);
		if (!is_good)
			continue;
		ck_assert_str_eq(folder, cases[i].folder);
		ck_assert_uint_eq(kind, cases[i].kind);
		ck_assert_uint_eq(number, cases[i].number);
	}
	ck_assert(!sw_task_cgroup_parse(cases[0].text, small, sizeof(small),
					&kind, &number));
}
END_TEST

#define V1 "/slurm/uid_1000/job_7/step_"

/* The layouts of cgroup/v1 in slurm's plugin, and paths to be refused. */
START_TEST(task_cgroups_v1)
{
	static const struct {
		const char *text;
		const char *controller;
		const char *folder;	/* NULL: not Slurm's */
		uint16_t kind;
		uint32_t number;
	} cases[] = {
		/* a site that constrains memory, devices and cores */
		{ "11:freezer:" V1 "0\n10:cpu,cpuacct:" V1 "0/task_2\n"
		  "9:memory:" V1 "0/task_2\n8:cpuset:" V1 "0\n"
		  "1:name=systemd:/system.slice/slurmd.service\n",
		  NULL, V1 "0", SW_TASK_CGROUP_OWN, 2 },
		/* only cores */
		{ "11:freezer:" V1 "batch\n9:memory:/system.slice\n"
		  "8:cpuset:" V1 "batch\n",
		  NULL, V1 "batch", SW_TASK_CGROUP_SHARED, 0 },
		{ "10:cpu,cpuacct:" V1 "0/task_2\n", "cpuacct", V1 "0",
		  SW_TASK_CGROUP_OWN, 2 },
		{ "10:cpu,cpuacct:" V1 "0/task_2\n", "cpu", V1 "0",
		  SW_TASK_CGROUP_OWN, 2 },
		{ "9:memory:/slurm_n1/uid_0/job_12/step_3+1\n", "memory",
		  "/slurm_n1/uid_0/job_12/step_3+1", SW_TASK_CGROUP_SHARED,
		  0 },
		{ "9:memory:" V1 "extern/task_special", NULL, V1 "extern",
		  SW_TASK_CGROUP_SHARED, 0 },
		{ "9:memory:/\n", NULL, NULL, 0, 0 },
		{ "9:memory:" V1 "0\n", "cpuacct", NULL, 0, 0 },
		{ "9:memoryx:" V1 "0\n", "memory", NULL, 0, 0 },
		{ "9:xmemory:" V1 "0\n", "memory", NULL, 0, 0 },
		{ "9:memory:/slurm/uid_1000/job_7\n", NULL, NULL, 0, 0 },
		{ "9:memory:/slurm/uid_/job_7/step_0\n", NULL, NULL, 0, 0 },
		{ "9:memory:/slurm/job_7/step_0\n", NULL, NULL, 0, 0 },
		{ "9:memory:" V1 "0/other\n", NULL, NULL, 0, 0 },
		{ "9:memory:" V1 "0/task_x\n", NULL, NULL, 0, 0 },
		{ "9:memory:" V1 "0/task_0/deeper\n", NULL, NULL, 0, 0 },
		{ "9:memory:" V1 "0 (deleted)\n", NULL, NULL, 0, 0 },
		{ "9:memory:" V1 "\n", NULL, NULL, 0, 0 },
		{ "9:memory:/.." V1 "0\n", NULL, NULL, 0, 0 },
		{ "0::" V1 "0/task_0\n", "memory", NULL, 0, 0 },
		{ ":::::\n9:\n9:memory\n\n:", NULL, NULL, 0, 0 },
	};
	char folder[SW_MESSAGE_CGROUP_SIZE], small[16];
	uint32_t number;
	uint16_t kind;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool is_good = sw_task_cgroup_parse_v1(
			cases[i].text, cases[i].controller, folder,
			sizeof(folder), &kind, &number);

		ck_assert_msg(is_good == !!cases[i].folder, "%s",
			      cases[i].text);
		if (!is_good)
			continue;
		ck_assert_str_eq(folder, cases[i].folder);
		ck_assert_uint_eq(kind, cases[i].kind);
		ck_assert_uint_eq(number, cases[i].number);
	}
	ck_assert(!sw_task_cgroup_parse_v1(cases[0].text, NULL, small,
					   sizeof(small), &kind, &number));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, fill, NULL);
	tcase_add_test(tcase, layout);
	tcase_add_test(tcase, good_messages);
	tcase_add_test(tcase, every_length);
	tcase_add_loop_test(tcase, golden_messages, 1,
			    SW_PROTOCOL_VERSION + 1);
	tcase_add_loop_test(tcase, old_and_damaged, 1,
			    SW_PROTOCOL_VERSION);
	tcase_add_test(tcase, bad_headers);
	tcase_add_test(tcase, bad_steps);
	tcase_add_test(tcase, bad_tasks);
	tcase_add_test(tcase, bad_finals);
	tcase_add_test(tcase, modes);
	tcase_add_test(tcase, task_cgroups);
	tcase_add_test(tcase, task_cgroups_v1);
	return run_tests("protocol", tcase, NULL);
}
