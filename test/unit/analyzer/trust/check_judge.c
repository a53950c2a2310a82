/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The owner of a folder by its name, and digests in the summaries. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/trust/digests.h"
#include "analyzer/trust/judge.h"
#include "common/missing.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

#define ONE "00112233445566778899aabbccddeeff"
#define TWO "ffeeddccbbaa99887766554433221100"

static char folder[64];
static struct sw_error error;

static void setup(void)
{
	strcpy(folder, "/tmp/judge.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(names_of_folders)
{
	static const struct {
		const char *name;
		uint64_t uid;
	} all[] = {
		{ "0", 0 }, { "1001", 1001 }, { "1001.1", 1001 },
		{ "1001.9", 1001 }, { "1001.0", SW_MISSING },
		{ "1001.10", SW_MISSING }, { "1001.", SW_MISSING },
		{ ".1", SW_MISSING }, { "", SW_MISSING },
		{ "1001.1.1", SW_MISSING }, { "1001a", SW_MISSING },
		{ "1001.x0123456789abcdef", 1001 },
		{ "1001.x0123456789abcde", SW_MISSING },
		{ "1001.x0123456789abcdef0", SW_MISSING },
		{ "-1", SW_MISSING }, { "+1", SW_MISSING },
		{ "4294967295", 4294967295 }, { "4294967296", SW_MISSING },
		{ "99999999999999999999", SW_MISSING }, { "alice", SW_MISSING },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		ck_assert_msg(sw_judge_name_uid(all[i].name) == all[i].uid,
			      "%s", all[i].name);
}
END_TEST

START_TEST(folders_of_paths)
{
	struct sw_judge *judge = sw_judge_new(NULL, &error);
	char path[256];

	ck_assert_ptr_nonnull(judge);
	snprintf(path, sizeof(path), "%s/1001/x.stepwell",
		 sw_judge_profile_dir(judge));
	ck_assert_uint_eq(sw_judge_folder_uid(judge, path), 1001);
	snprintf(path, sizeof(path), "%s/1001/deep/x.stepwell",
		 sw_judge_profile_dir(judge));
	ck_assert_uint_eq(sw_judge_folder_uid(judge, path), SW_MISSING);
	snprintf(path, sizeof(path), "%s/x.stepwell",
		 sw_judge_profile_dir(judge));
	ck_assert_uint_eq(sw_judge_folder_uid(judge, path), SW_MISSING);
	snprintf(path, sizeof(path), "%s2/1001/x.stepwell",
		 sw_judge_profile_dir(judge));
	ck_assert_uint_eq(sw_judge_folder_uid(judge, path), SW_MISSING);
	ck_assert_uint_eq(sw_judge_folder_uid(judge, "x.stepwell"),
			  SW_MISSING);
	ck_assert_uint_eq(sw_judge_folder_uid(NULL, path), SW_MISSING);
	sw_judge_free(judge);
}
END_TEST

static void put_day(const char *name, const char *rows)
{
	char text[1024], path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(text, sizeof(text), "table profiles job slurm\n"
		 "columns cluster job_id uid file digest\n%s", rows);
	ck_assert_msg(text_profile_write_text(text, path, true, &error) == 0,
		      "%s", error.text);
}

static struct sw_digests *load(uint64_t owner)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct sw_digests *digests;

	ck_assert_int_ge(fd, 0);
	digests = sw_digests_add(NULL, fd, folder, owner);
	close(fd);
	ck_assert_ptr_nonnull(digests);
	return digests;
}

static enum sw_digest_answer ask(const struct sw_digests *digests,
				 const char *cluster, const char *node,
				 uint64_t job_id, uint64_t uid,
				 const char *digest)
{
	const struct sw_digest_question what = {
		.cluster = cluster, .node = node, .job_id = job_id,
		.uid = uid, .digest = digest,
	};

	return sw_digests_ask(digests, &what);
}

START_TEST(digests)
{
	struct sw_digests *d;

	put_day("2026-05-28.n1.stepwell",
		"row c1 7 1001 a " ONE "\nrow c1 7 1001 b " TWO "\n"
		"row c2 8 1001 c " ONE "\nrow c1 9 1002 d " ONE "\n");
	put_day("2026-05-29.n2.stepwell", "row c1 9 1002 e " TWO "\n");
	d = load(geteuid());
	/* Any of a job's files matches. */
	ck_assert_int_eq(ask(d, "c1", "n1", 7, 1001, ONE), SW_DIGEST_SAME);
	ck_assert_int_eq(ask(d, "c1", "n1", 7, 1001, TWO), SW_DIGEST_SAME);
	ck_assert_int_eq(ask(d, "c1", "n1.org", 7, 1001, "x"),
			 SW_DIGEST_OTHER);
	/* Nothing is known for a node without a digest. */
	ck_assert_int_eq(ask(d, "c1", "n3", 7, 1001, "x"), SW_DIGEST_UNKNOWN);
	ck_assert_int_eq(ask(d, "c1", NULL, 7, 1001, "x"), SW_DIGEST_UNKNOWN);
	ck_assert_int_eq(ask(d, "c1", "n1", 7, 1002, ONE), SW_DIGEST_FOREIGN);
	ck_assert_int_eq(ask(d, "c1", "n3", 7, 1002, "x"), SW_DIGEST_FOREIGN);
	/* The same number on another cluster is another job. */
	ck_assert_int_eq(ask(d, "c1", "n1", 8, 1001, ONE), SW_DIGEST_UNKNOWN);
	ck_assert_int_eq(ask(d, "", "n1", 8, 1001, ONE), SW_DIGEST_SAME);
	ck_assert_int_eq(ask(d, "c1", "n2", 9, 1002, TWO), SW_DIGEST_SAME);
	ck_assert_int_eq(ask(d, "c1", "n2", 10, 1002, TWO),
			 SW_DIGEST_UNKNOWN);
	ck_assert_int_eq(ask(NULL, "c1", "n1", 7, 1001, ONE),
			 SW_DIGEST_UNKNOWN);
	sw_digests_free(d);
}
END_TEST

/* Files of another user are ignored, and so are files that are no profiles. */
START_TEST(files_of_others)
{
	char path[128];
	struct sw_digests *d;
	FILE *out;

	snprintf(path, sizeof(path), "%s/2026-05-30.n1.stepwell", folder);
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs("garbage", out);
	fclose(out);
	snprintf(path, sizeof(path), "%s/2026-05-31.n1.stepwell", folder);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	put_day("2026-05-28.n1.stepwell", "row c1 7 1001 a " ONE "\n");
	d = load(geteuid());
	ck_assert_int_eq(ask(d, "c1", "n1", 7, 1001, ONE), SW_DIGEST_SAME);
	sw_digests_free(d);
	if (geteuid() != 0)
		return;
	snprintf(path, sizeof(path), "%s/2026-05-28.n1.stepwell", folder);
	ck_assert_int_eq(chown(path, 12345, 12345), 0);
	d = load(12346);
	ck_assert_int_eq(ask(d, "c1", "n1", 7, 1001, ONE),
			 SW_DIGEST_UNKNOWN);
	sw_digests_free(d);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("judge");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, names_of_folders);
	tcase_add_test(tcase, folders_of_paths);
	tcase_add_test(tcase, digests);
	tcase_add_test(tcase, files_of_others);
	return run_tests("judge", tcase, NULL);
}
