/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts about a job's end: with Slurm's record, and without. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/history/history_profile.h"
#include "analyzer/job/job_record.h"
#include "analyzer/report/words.h"
#include "test/load.h"
#include "test/node_profile.h"
#include "test/run_tests.h"

static char profile[] = "/tmp/check_record.XXXXXX";
static struct sw_loaded loaded;
static struct sw_acct answer;
static struct sw_error error;

/* The job of test/node_profile.h began at 1780000000 and took 100 s. */
#define LINE(id, state, end) \
	id "|" state "|" end "|1780000000|1780000100|100|1|8|1|1|4096M|" \
	"00:10.000|2048K|c1|alice|n1||||||\n"
#define JOB(state, end) \
	LINE("123", state, end) LINE("123.batch", state, end) \
	LINE("123.extern", "COMPLETED", "0:0") \
	LINE("123.0", "COMPLETED", "0:0") LINE("123.1", "COMPLETED", "0:0")
/* The run before a requeue. */
#define OTHER_RUN \
	"123|REQUEUED|0:0|1779990000|1779990100|100|1|8|1||4096M|" \
	"00:10.000||c1|alice|n1||||||\n"

struct node {
	uint64_t exit_code, signal, limit_seconds;
	const char *oom_step;
	uint64_t cut_seconds;
	const char *on_second;	/* steps on the second of two nodes; NULL */
};

static void load(const struct node *node, const char *text)
{
	struct node_profile written = node_profile_of(123,
						node->on_second ? 1 : 0);
	const char *path = profile;
	const struct sw_job_files files = {
		.paths = &path, .count = 1, .uid = SW_MISSING,
	};
	char *copy;

	written.node_count = node->on_second ? 2 : 1;
	written.only = node->on_second;
	written.exit_code = node->exit_code;
	written.signal = node->signal ? node->signal : SW_MISSING;
	written.limit_seconds = node->limit_seconds ? node->limit_seconds :
						      SW_MISSING;
	written.oom_step = node->oom_step;
	written.cut_seconds = node->cut_seconds;
	ck_assert_msg(node_profile_write(&written, profile, true, &error) == 0,
		      "%s", error.text);
	ck_assert_int_eq(sw_loaded_read(&loaded, &files, &error), 0);
	memset(&answer, 0, sizeof(answer));
	if (text) {
		copy = strdup(text);
		ck_assert_ptr_nonnull(copy);
		ck_assert_int_eq(sw_acct_parse_runs(&answer, copy, &error), 0);
	}
	ck_assert_int_eq(sw_loaded_judge(&loaded, &answer, NULL, NULL, &error), 0);
}

static void drop(void)
{
	sw_loaded_fini(&loaded);
	sw_acct_fini(&answer);
}

static const struct {
	struct node node;
	const char *sacct;	/* NULL: not queried */
	const char *words;	/* beginning of the verdict */
	enum sw_run_state state;	/* in the history */
} ends[] = {
	/* Only Slurm knows. */
	{ { 0 }, NULL, "Exit status 0 after 1 min 40 s (for Slurm's final state: "
	  "stepwell report 123)", SW_RUN_COMPLETED },
	{ { .exit_code = 3 }, NULL, "Exit status 3 after 1 min 40 s (for Slurm's "
	  "final state: stepwell report 123)", SW_RUN_FAILED },
	{ { .signal = 15 }, NULL, "Ended by SIGTERM after 1 min 40 s (for Slurm's "
	  "final state: stepwell report 123): Slurm ends a job so at its time "
	  "limit, or when it is cancelled, preempted or loses a node",
	  SW_RUN_CANCELLED },
	{ { .signal = 9, .limit_seconds = 600 }, NULL, "Ended by SIGKILL after "
	  "1 min 40 s (for Slurm's final state: stepwell report 123): Slurm "
	  "ends a job so when it is cancelled, preempted or loses a node",
	  SW_RUN_CANCELLED },
	/* Another signal comes from a program. */
	{ { .signal = 11 }, NULL, "Ended by SIGSEGV after 1 min 40 s (for "
	  "Slurm's final state: stepwell report 123). ", SW_RUN_FAILED },
	/* The evidence shows it. */
	{ { .limit_seconds = 60 }, NULL, "Reached its time limit of 1 min 00 s "
	  "(exit status 0) after 1 min 40 s.", SW_RUN_TIMEOUT },
	{ { .limit_seconds = 600 }, NULL, "Exit status 0 after 1 min 40 s "
	  "(for Slurm's", SW_RUN_COMPLETED },
	{ { .oom_step = "batch" }, NULL, "Out of memory (exit status 0, 1 OOM "
	  "kill) after 1 min 40 s: the kernel killed 1 process", SW_RUN_OUT_OF_MEMORY },
	/* A kill in another step does not end the job. */
	{ { .oom_step = "0" }, NULL, "Exit status 0 after 1 min 40 s (for Slurm's "
	  "final state: stepwell report 123). The kernel killed 1 process", SW_RUN_OUT_OF_MEMORY },
	/* Slurm's record, whatever the script did with its signals. */
	{ { 0 }, JOB("COMPLETED", "0:0"), "Completed (exit status 0) after",
	  SW_RUN_COMPLETED },
	{ { .exit_code = 3 }, JOB("FAILED", "3:0"), "Failed (exit status 3) "
	  "after", SW_RUN_FAILED },
	{ { 0 }, JOB("TIMEOUT", "0:0"), "TIMEOUT (limit 1 min 00 s, exit "
	  "status 0) after", SW_RUN_TIMEOUT },
	{ { .signal = 15 }, JOB("TIMEOUT", "0:15"), "TIMEOUT (limit 1 min "
	  "00 s, ended by SIGTERM) after", SW_RUN_TIMEOUT },
	{ { .signal = 15 }, JOB("CANCELLED by 1000", "0:15"), "CANCELLED (by "
	  "uid 1000, ended by SIGTERM) after", SW_RUN_CANCELLED },
	{ { 0 }, JOB("CANCELLED by 1000", "0:0"), "CANCELLED (by uid 1000, "
	  "exit status 0) after", SW_RUN_CANCELLED },
	{ { .oom_step = "batch" }, JOB("OUT_OF_MEMORY", "0:125"),
	  "OUT_OF_MEMORY (exit status 0, 1 OOM kill) after 1 min 40 s: the "
	  "kernel killed 1 process", SW_RUN_OUT_OF_MEMORY },
	{ { .signal = 9 }, JOB("NODE_FAIL", "0:9"), "NODE_FAIL (ended by "
	  "SIGKILL) after", SW_RUN_CANCELLED },
	{ { .signal = 15 }, JOB("PREEMPTED", "0:15"), "PREEMPTED (ended by "
	  "SIGTERM) after", SW_RUN_CANCELLED },
	{ { 0 }, JOB("FAILED", "1:0"), "FAILED (exit status 0) after",
	  SW_RUN_FAILED },
	/* Flags do not change it, and a flag alone is no final state. */
	{ { 0 }, JOB("TIMEOUT,LATER_FLAG", "0:0"), "TIMEOUT (limit 1 min 00 s,",
	  SW_RUN_TIMEOUT },
	{ { .signal = 15 }, JOB("COMPLETING by 1000", "0:15"), "CANCELLED (by "
	  "uid 1000, ended by SIGTERM) after", SW_RUN_CANCELLED },
	{ { 0 }, JOB("EXPEDITING", "0:0"), "Exit status 0 after 1 min 40 s "
	  "(still EXPEDITING in Slurm)", SW_RUN_COMPLETED },
	{ { 0 }, OTHER_RUN JOB("TIMEOUT", "0:0"), "TIMEOUT (limit",
	  SW_RUN_TIMEOUT },
	{ { 0 }, JOB("TIMEOUT", "0:0") OTHER_RUN, "TIMEOUT (limit",
	  SW_RUN_TIMEOUT },
	/* The script did not wait for step 1, or was still running. */
	{ { .cut_seconds = 88 }, NULL, "Exit status 0 after 1 min 40 s (for "
	  "Slurm's final state: stepwell report 123). Slurm ended step 1 with "
	  "the script, which did not wait for it", SW_RUN_COMPLETED },
	{ { .cut_seconds = 97 }, NULL, "Exit status 0 after 1 min 40 s (for "
	  "Slurm's final state: stepwell report 123). Limited by",
	  SW_RUN_COMPLETED },
	/* The script's node is missing, as if it had failed. */
	{ { .on_second = "0,extern" }, NULL, "End not seen on the script's node "
	  "(exit status 0 on 1 of 2 nodes) after 1 min 40 s", SW_RUN_COMPLETED },
	/* The node failed during the job; Slurm's 100 s include detection. */
	{ { .exit_code = SW_MISSING }, JOB("NODE_FAIL", "0:0"), "NODE_FAIL (end "
	  "not recorded) after 1 min 40 s as recorded (1 min 40 s in Slurm's "
	  "record)", SW_RUN_CANCELLED },
	/* Slurm's mark for a file that it could not open. */
	{ { .exit_code = 1 }, JOB("FAILED", "0:53"), "Failed (exit status 1) "
	  "after 1 min 40 s: its output or error file could not be opened "
	  "(Slurm's exit code 0:53)", SW_RUN_FAILED },
	/* A shell's status for a signal is explained. */
	{ { .exit_code = 139 }, JOB("FAILED", "139:0"), "Failed (exit status "
	  "139, which a shell returns for SIGSEGV) after 1 min 40 s",
	  SW_RUN_FAILED },
	/* The record has no final state, or is that of another run. */
	{ { 0 }, JOB("RUNNING", "0:0"), "Exit status 0 after 1 min 40 s (still "
	  "RUNNING in Slurm)", SW_RUN_COMPLETED },
	{ { 0 }, OTHER_RUN, "Exit status 0 after 1 min 40 s (Slurm's final "
	  "state is not known)", SW_RUN_COMPLETED },
};

START_TEST(says_how_it_ended)
{
	char words[512];
	struct sw_profile_run run;

	load(&ends[_i].node, ends[_i].sacct);
	sw_verdict_words(words, sizeof(words), &loaded.result);
	ck_assert_msg(!strncmp(words, ends[_i].words, strlen(ends[_i].words)),
		      "\"%s\" does not begin with \"%s\"", words,
		      ends[_i].words);
	sw_profile_run(&run, &loaded.job, NULL, NULL);
	ck_assert_int_eq(run.row.run.state, ends[_i].state);
	drop();
}
END_TEST

/* The missing node is named. */
START_TEST(names_all_nodes)
{
	static const struct node node = { .on_second = "0,extern" };
	char words[SW_NODES_WORDS_SIZE];

	load(&node, NULL);
	ck_assert_str_eq(sw_nodes_words(words, sizeof(words), &loaded.job),
			 "1 of 2: n2; no recording of the others was found");
	drop();
	load(&node, LINE("123", "NODE_FAIL", "0:0"));
	ck_assert_str_eq(sw_nodes_words(words, sizeof(words), &loaded.job),
			 "1 of 2: n2; no recording of the others was found "
			 "(all of the job: n1)");
	drop();
}
END_TEST

static const struct sw_finding *find(const char *id)
{
	const struct sw_findings *findings = &loaded.result.findings;
	size_t i;

	for (i = 0; i < findings->count; i++) {
		if (!strcmp(findings->items[i].id, id))
			return &findings->items[i];
	}
	return NULL;
}

/* "Nothing else reports it" is a statement about Slurm's record. */
START_TEST(what_else_reports_an_oom_kill)
{
	static const struct node node = { .oom_step = "0" };
	static const char silent[] = "nothing else reports it";
	const struct sw_finding *finding;

	load(&node, NULL);
	finding = find("oom.silent");
	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_null(strstr(finding->sentence, silent));
	drop();
	load(&node, JOB("COMPLETED", "0:0"));
	finding = find("oom.silent");
	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_nonnull(strstr(finding->sentence, silent));
	drop();
	/* The job is OK, but the step is not. */
	load(&node, LINE("123", "COMPLETED", "0:0")
	     LINE("123.batch", "COMPLETED", "0:0")
	     LINE("123.0", "OUT_OF_MEMORY", "0:125"));
	finding = find("oom.silent");
	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_nonnull(strstr(finding->sentence, "Slurm recorded "
				     "OUT_OF_MEMORY for the step"));
	ck_assert_ptr_null(strstr(finding->sentence, silent));
	drop();
	load(&node, JOB("OUT_OF_MEMORY", "0:125"));
	ck_assert_ptr_null(find("oom.silent"));
	finding = find("oom.killed");
	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_nonnull(strstr(finding->sentence,
				     "Slurm's record says OUT_OF_MEMORY"));
	drop();
}
END_TEST

/* No row of the end follows the recorder that had seen it running. */
START_TEST(nothing_runs_of_a_step_that_ended)
{
	const struct sw_view_program *program;
	struct node_profile written = node_profile_of(123, 0);
	const char *path = profile;
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	written.node_count = 1;
	written.running = 1;
	ck_assert_int_eq(node_profile_write(&written, profile, true, &error),
			 0);
	ck_assert_int_eq(load_paths(&loaded, &path, 1, NULL,
					&error), 0);
	program = &loaded.job.total.programs[0];
	ck_assert_uint_eq(program->running, 0);
	ck_assert_uint_eq(program->unseen_ends, 1);
	ck_assert(!program->is_complete);
	out = open_memstream(&text, &size);
	sw_report_formats[0]->write(out, &loaded.result,
				    &(struct sw_report_style){ .width = 100 });
	fclose(out);
	ck_assert_ptr_null(strstr(text, "1 running"));
	ck_assert_ptr_nonnull(strstr(text, "1 unknown"));
	free(text);
	sw_loaded_fini(&loaded);
}
END_TEST

START_TEST(steps_have_their_own)
{
	static const struct node node = { 0 };
	const struct sw_job *job = &loaded.job;
	char words[96];

	load(&node, LINE("123", "TIMEOUT", "0:0")
	     LINE("123.batch", "CANCELLED", "0:15")
	     LINE("123.0", "COMPLETED", "0:0"));
	ck_assert_str_eq(sw_end_words(words, sizeof(words),
				      &job->steps[0].view), "CANCELLED");
	ck_assert_str_eq(sw_end_words(words, sizeof(words),
				      &job->steps[1].view), "ok");
	/* Slurm has no record of step 1. */
	ck_assert_str_eq(sw_end_words(words, sizeof(words),
				      &job->steps[2].view), "exit 0");
	ck_assert_uint_eq(job->total.requested_time_usec, 60000000);
	drop();
}
END_TEST

/* The job's row of sacct with its elapsed seconds and its limit in minutes. */
#define TIMES(state, seconds, minutes) \
	"123|" state "|0:0|1780000000|1780000100|" seconds "|" minutes \
	"|8|1|1|4096M|00:10.000|2048K|c1|alice|n1||||||\n"

static const struct {
	const char *sacct;
	const char *id;		/* of the finding; NULL: none */
	bool is_evaluated;
} limits[] = {
	{ TIMES("COMPLETED", "100", "60"), "time.over_requested", true },
	/* Time also passes before the first step and after the last one. */
	{ TIMES("COMPLETED", "118", "2"), "time.near_limit", true },
	{ TIMES("COMPLETED", "100", "2"), NULL, true },
	{ TIMES("TIMEOUT", "120", "2"), "time.limit_hit", false },
	{ TIMES("CANCELLED by 1000", "100", "60"), NULL, false },
};

static bool is_evaluated(const char *id)
{
	size_t i;

	for (i = 0; i < loaded.result.not_evaluated_count; i++) {
		if (!strcmp(loaded.result.not_evaluated[i].id, id))
			return false;
	}
	return true;
}

/* The record has the limit if Slurm does not pass it to the tasks. */
START_TEST(time_limit_is_slurms)
{
	const struct sw_findings *found = &loaded.result.findings;
	static const struct node node = { 0 };
	const char *id = NULL;
	size_t i;

	load(&node, limits[_i].sacct);
	for (i = 0; i < found->count; i++) {
		if (!strncmp(found->items[i].id, "time.", 5)) {
			ck_assert_ptr_null(id);
			id = found->items[i].id;
		}
	}
	ck_assert_msg(sw_is_same_text(id, limits[_i].id), "%s", sw_text(id));
	ck_assert_int_eq(is_evaluated("time.near_limit"),
			 limits[_i].is_evaluated);
	ck_assert_int_eq(is_evaluated("time.over_requested"),
			 limits[_i].is_evaluated);
	drop();
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("record");
	int failed, fd = mkstemp(profile);

	if (fd < 0)
		return 99;
	close(fd);
	tcase_add_loop_test(tcase, says_how_it_ended, 0,
			    (int)(sizeof(ends) / sizeof(ends[0])));
	tcase_add_test(tcase, names_all_nodes);
	tcase_add_test(tcase, what_else_reports_an_oom_kill);
	tcase_add_test(tcase, nothing_runs_of_a_step_that_ended);
	tcase_add_test(tcase, steps_have_their_own);
	tcase_add_loop_test(tcase, time_limit_is_slurms, 0,
			    (int)(sizeof(limits) / sizeof(limits[0])));
	failed = run_tests("record", tcase, NULL);
	unlink(profile);
	return failed;
}
