/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doctor's checks of delivery to users: hooks, reports and folders. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/daemon/node_counts.h"
#include "test/unit/analyzer/doctor/doctor_kit.h"

/* Write the file with the recorder's own code, so that formats agree. */
static void write_counts(const uint64_t *numbers)
{
	static struct sw_node_counts counts;
	int steps_fd;
	size_t i;

	kit_folder("run/stepwell/steps", 0700);
	steps_fd = open(kit_path("run/stepwell/steps"),
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(steps_fd, 0);
	sw_node_counts_begin(&counts, steps_fd);
	for (i = 0; i < SW_NODE_COUNTS; i++)
		counts.number[i] = numbers[i];
	sw_node_counts_write(&counts, false);
	close(steps_fd);
}

START_TEST(hooks_in_time)
{
	const uint64_t numbers[SW_NODE_COUNTS] = {
		[SW_COUNT_STEPS] = 200, [SW_COUNT_ENDS] = 190,
		[SW_COUNT_STARTS_LATE] = 2, [SW_COUNT_REPORTS] = 12,
		[SW_COUNT_REPORTS_LATE] = 7,
	};

	kit_ask(sw_check_hooks, SW_HEALTH_SKIP, "/run/stepwell/counts");
	write_counts(numbers);
	kit_ask(sw_check_hooks, SW_HEALTH_OK,
		"200 steps began and 190 ended; 12 reports, 7 of them");
	kit_put("run/stepwell/counts", "steps 3\nunarmed 1\n");
	kit_ask(sw_check_hooks, SW_HEALTH_SKIP, "no recorder of this version");
}
END_TEST

START_TEST(reports_left_out)
{
	const uint64_t numbers[SW_NODE_COUNTS] = {
		[SW_COUNT_STEPS] = 20, [SW_COUNT_ENDS] = 20,
		[SW_COUNT_REPORTS] = 12, [SW_COUNT_REPORTS_QUIET] = 3,
		[SW_COUNT_REPORTS_NO_FILE] = 2, [SW_COUNT_REPORTS_FOREIGN] = 1,
		[SW_COUNT_REPORTS_UNWRITABLE] = 4,
	};

	write_counts(numbers);
	kit_ask(sw_check_hooks, SW_HEALTH_OK,
		"; jobs without a report: 3 (switched off), 2 (no regular "
		"error file), 1 (another user's error file), 4 (error file "
		"takes no more)");
}
END_TEST

/* Counts of steps in cgroups unknown to Slurm. */
START_TEST(unknown_cgroups)
{
	const uint64_t numbers[SW_NODE_COUNTS] = { [SW_COUNT_STEPS] = 3 };
	static const char words[] =
		"2 of 3 steps since the recorder started were in cgroups like "
		"/x/y_N/step_N/user, which is neither .../job_N/step_N nor "
		".../SLUID/step_N";
	struct sw_node_counts counts;
	int steps_fd;

	kit_put("etc/slurm/slurm.conf", "ProctrackType=proctrack/cgroup\n");
	write_counts(numbers);
	kit_ask(sw_check_tracking, SW_HEALTH_OK, "proctrack/cgroup");
	steps_fd = open(kit_path("run/stepwell/steps"),
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sw_node_counts_begin(&counts, steps_fd);
	sw_node_counts_unknown(&counts, "/x/y_N/step_N/user");
	sw_node_counts_unknown(&counts, "/x/y_N/step_N/user");
	sw_node_counts_write(&counts, false);
	kit_ask(sw_check_tracking, SW_HEALTH_WARN, words);
	/* Also after a kill */
	sw_node_counts_begin(&counts, steps_fd);
	sw_node_counts_write(&counts, false);
	kit_ask(sw_check_tracking, SW_HEALTH_WARN, words);
	sw_node_counts_write(&counts, true);
	sw_node_counts_begin(&counts, steps_fd);
	kit_ask(sw_check_tracking, SW_HEALTH_OK, "proctrack/cgroup");
	close(steps_fd);
}
END_TEST

/*
 * After a kill the next recorder continues, and after an orderly end it starts
 * at 0.
 */
START_TEST(counts_go_on)
{
	uint64_t numbers[SW_NODE_COUNTS] = {
		[SW_COUNT_STEPS] = 7, [SW_COUNT_REPORTS] = 5,
		[SW_COUNT_REPORTS_MISSING] = 2, [SW_COUNT_REMOVED] = 3,
	};
	struct sw_node_counts counts;
	int steps_fd;

	write_counts(numbers);
	steps_fd = open(kit_path("run/stepwell/steps"),
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sw_node_counts_begin(&counts, steps_fd);
	ck_assert(!memcmp(counts.number, numbers, sizeof(numbers)));
	sw_node_counts_removed(&counts, 0);
	ck_assert(!memcmp(counts.number, numbers, sizeof(numbers)));
	sw_node_counts_removed(&counts, 1);
	sw_node_counts_missing(&counts);
	sw_node_counts_write(&counts, true);
	ck_assert_uint_eq(counts.number[SW_COUNT_REMOVED], 4);
	ck_assert_uint_eq(counts.number[SW_COUNT_REPORTS_MISSING], 3);
	kit_ask(sw_check_hooks, SW_HEALTH_WARN, "3 of 6 reports");
	sw_node_counts_begin(&counts, steps_fd);
	memset(numbers, 0, sizeof(numbers));
	ck_assert(!memcmp(counts.number, numbers, sizeof(numbers)));
	close(steps_fd);
}
END_TEST

START_TEST(hooks_too_late)
{
	const uint64_t numbers[SW_NODE_COUNTS] = {
		[SW_COUNT_STEPS] = 200, [SW_COUNT_ENDS] = 190,
		[SW_COUNT_UNARMED] = 3, [SW_COUNT_STARTS_LATE] = 2,
		[SW_COUNT_ENDS_LATE] = 11, [SW_COUNT_REPORTS] = 12,
		[SW_COUNT_REPORTS_MISSING] = 4,
	};

	write_counts(numbers);
	kit_ask(sw_check_hooks, SW_HEALTH_WARN,
		"3 of 200 steps were observed only in part before exec, "
		"11 of 190 hooks timed out at the end of a step, "
		"4 of 12 reports at the end of a job were not written; raise");
}
END_TEST

START_TEST(a_full_spool)
{
	uint64_t numbers[SW_NODE_COUNTS] = {
		[SW_COUNT_STEPS] = 200,
	};

	kit_folder(SW_DOCTOR_SPOOL_PARENT, 0755);
	kit_folder(SW_DOCTOR_SPOOL, 0700);
	write_counts(numbers);
	kit_ask(sw_check_spool, SW_HEALTH_OK, "root's alone");
	numbers[SW_COUNT_REMOVED] = 31;
	write_counts(numbers);
	kit_ask(sw_check_spool, SW_HEALTH_WARN,
		"31 recordings that could not be delivered were removed since "
		"the recorder started; its log says whose, and why");
}
END_TEST

#define PROFILES SW_DOCTOR_SPOOL_PARENT "/profiles"

START_TEST(folders_of_users)
{
	char own[sizeof(PROFILES) + 16], name[sizeof(PROFILES) + 24];

	kit_ask(sw_check_folders, SW_HEALTH_SKIP, "No such file");
	kit_folder(PROFILES, 03773);
	kit_ask(sw_check_folders, SW_HEALTH_OK, "0 folders in " PROFILES);
	snprintf(own, sizeof(own), PROFILES "/%u", geteuid());
	kit_folder(own, 0750);
	snprintf(name, sizeof(name), "%s.9", own);
	kit_folder(name, 0750);
	kit_put(PROFILES "/.doctor.7.65534", "");
	kit_ask(sw_check_folders, SW_HEALTH_OK, "2 folders in");
	kit_mode(own, 0770);
	kit_ask(sw_check_folders, SW_HEALTH_WARN,
		" (writable by others, created by user ");
}
END_TEST

START_TEST(folders_of_others)
{
	static const struct {
		const char *name, *words;
	} taken[] = {
		{ "70001", "70001 (owned by another user, created by user " },
		{ "70001.1", "70001.1 (owned by another user, created by user " },
		{ "70001.0", "70001.0 (not a user ID, created by user " },
		{ "70001.10", "70001.10 (not a user ID, " },
		{ "4294967295", "4294967295 (not a user ID, " },
		{ "a\nb", "a\\x0ab (not a user ID, " },
	};
	char path[sizeof(PROFILES) + 64];
	size_t i;

	for (i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		kit_folder(PROFILES, 03773);
		snprintf(path, sizeof(path), PROFILES "/%s", taken[i].name);
		kit_folder(path, 0750);
		kit_ask(sw_check_folders, SW_HEALTH_WARN, taken[i].words);
		kit_remove(PROFILES);
	}
	kit_put(PROFILES "/70001", "");
	kit_ask(sw_check_folders, SW_HEALTH_WARN, "1 name in");
	kit_link(PROFILES "/70002", "nowhere");
	kit_put(PROFILES "/70003", "");
	kit_put(PROFILES "/70004", "");
	kit_ask(sw_check_folders, SW_HEALTH_WARN, "4 names in");
	kit_ask(sw_check_folders, SW_HEALTH_WARN, ", ...; such a user");
}
END_TEST

int main(void)
{
	TCase *tests = kit_case("delivery");

	tcase_add_test(tests, hooks_in_time);
	tcase_add_test(tests, reports_left_out);
	tcase_add_test(tests, unknown_cgroups);
	tcase_add_test(tests, counts_go_on);
	tcase_add_test(tests, hooks_too_late);
	tcase_add_test(tests, a_full_spool);
	tcase_add_test(tests, folders_of_users);
	tcase_add_test(tests, folders_of_others);
	return kit_run(tests);
}
