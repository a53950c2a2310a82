/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selection of profiles for a report at the end of a job. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/delivery/report_nodes.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

static char top[TEMP_FOLDER_SIZE];

/* Files delivered to the user's folder. */
static const char *const delivered[] = {
	"c1.100.1780000000.n1.stepwell",
	"c1.100.1780000050.n2.stepwell",
	"c1.100.1779990000.n3.stepwell",	/* the run before */
	"c1.101.1780000900.n1.stepwell",
	"c1.102.1780000000.n4.x.stepwell",
	"c1.103.1780000000.n5.stepwell",
	"c1.99.1780000000.n6.stepwell",
	"c2.101.1780000000.n7.stepwell",
	"c1.101.1780000000.n8.stepwell.part",
	"c1.101..stepwell",
};

static void setup(void)
{
	char path[256];
	size_t i;
	int fd;

	temp_folder_make(top, "check_report_nodes");
	snprintf(path, sizeof(path), "%s/%u", top, geteuid());
	ck_assert_int_eq(mkdir(path, 0750), 0);
	for (i = 0; i < sizeof(delivered) / sizeof(delivered[0]); i++) {
		snprintf(path, sizeof(path), "%s/%u/%s", top, geteuid(),
			 delivered[i]);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0640);
		ck_assert_int_ge(fd, 0);
		close(fd);
	}
}

static void teardown(void)
{
	temp_folder_remove(top);
}

static const struct {
	uint32_t nodes, components;
	const char *taken;	/* indices of delivered[], as digits */
} cases[] = {
	{ 2, 0, "1" },	/* older plugin */
	{ 2, 1, "1" },
	/* Another component may use the same node. */
	{ 3, 2, "13" },
	{ 4, 3, "134" },
};

START_TEST(takes_those_of_the_job)
{
	const struct sw_report_nodes nodes = {
		.profile_dir = top, .own_name = delivered[0],
		.count = cases[_i].nodes, .components = cases[_i].components,
	};
	int fds[SW_REPORT_NODES_MAX];
	char taken[sizeof(delivered) / sizeof(delivered[0]) + 1] = "";
	char path[256];
	struct stat opened, named;
	size_t count, i, k, used = 0;

	count = sw_report_nodes_await(&nodes, geteuid(), 0, fds);
	for (k = 0; k < sizeof(delivered) / sizeof(delivered[0]); k++) {
		snprintf(path, sizeof(path), "%s/%u/%s", top, geteuid(),
			 delivered[k]);
		ck_assert_int_eq(stat(path, &named), 0);
		for (i = 0; i < count; i++) {
			ck_assert_int_eq(fstat(fds[i], &opened), 0);
			if (opened.st_ino == named.st_ino)
				taken[used++] = (char)('0' + k);
		}
	}
	ck_assert_str_eq(taken, cases[_i].taken);
	ck_assert_uint_eq(count, strlen(taken));
	for (i = 0; i < count; i++)
		close(fds[i]);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("nodes");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, takes_those_of_the_job, 0,
			    sizeof(cases) / sizeof(cases[0]));
	return run_tests("report_nodes", tests, NULL);
}
