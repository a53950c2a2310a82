/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of a time window, from a stand-in for sacct with hostile output. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/accounting/record_jobs.h"
#include "analyzer/accounting/record_values.h"
#include "analyzer/records/records.h"
#include "test/run_tests.h"

#define HOUR 1779998400ULL	/* a full one */
#define DAY 86400ULL

enum { SEEN_MAX = 64, TEXT_MAX = 200 };

/* Parts of a job that are kept after the call. */
struct seen {
	struct sw_job_record job;
	struct sw_step_record steps[4];
	char name[TEXT_MAX], comment[TEXT_MAX], work_dir[TEXT_MAX];
};

static struct seen seen[SEEN_MAX];
static size_t window_bytes_max;
static unsigned wait_seconds;
static uint64_t jobs_wanted = UINT64_MAX;
static size_t seen_count, window_count;
static char complaints[2000];
static struct sw_records_sums sums;
static struct sw_error error;
static char windows_path[] = "/tmp/check_records.XXXXXX";

static int take_job(void *context, const struct sw_job_record *job)
{
	struct seen *one = &seen[seen_count++];
	size_t i;

	(void)context;
	ck_assert_uint_lt(seen_count, SEEN_MAX);
	one->job = *job;
	for (i = 0; i < job->step_count && i < 4; i++)
		one->steps[i] = job->steps[i];
	snprintf(one->name, TEXT_MAX, "%s", job->name);
	snprintf(one->comment, TEXT_MAX, "%s", job->comment);
	snprintf(one->work_dir, TEXT_MAX, "%s", job->work_dir);
	return seen_count >= jobs_wanted ? 7 : 0;
}

static int take_window(void *context, uint64_t until_seconds)
{
	(void)context;
	ck_assert_uint_gt(until_seconds, HOUR - 3600);
	window_count++;
	return 0;
}

static void complain(void *context, const char *text)
{
	(void)context;
	strncat(complaints, text, sizeof(complaints) - strlen(complaints) - 2);
	strcat(complaints, "\n");
}

static const struct sw_records_taker taker = {
	.take_job = take_job, .take_window = take_window,
	.complain = complain,
};

static void forget(void)
{
	seen_count = window_count = 0;
	complaints[0] = '\0';
	memset(&sums, 0, sizeof(sums));
	memset(&error, 0, sizeof(error));
}

static const struct seen *find(const char *id, size_t nth)
{
	char text[SW_JOBID_TEXT_SIZE];
	size_t i;

	for (i = 0; i < seen_count; i++) {
		sw_jobid_format(text, sizeof(text), &seen[i].job.id);
		if (!strcmp(text, id) && nth-- == 0)
			return &seen[i];
	}
	ck_abort_msg("no job %s", id);
	return NULL;
}

/* Windows for which the program was called. */
static const char *windows(void)
{
	static char text[4000];
	FILE *file = fopen(windows_path, "r");
	size_t length;

	ck_assert_ptr_nonnull(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	return text;
}

static int read_from(const char *jobs, const char *fails, uint64_t from,
		     uint64_t until)
{
	const char *top = getenv("abs_top_srcdir");
	char path[4096], program[4096];
	const struct sw_records_source source = {
		.program = program, .window_bytes_max = window_bytes_max,
		.wait_seconds = wait_seconds,
	};

	ck_assert_ptr_nonnull(top);
	snprintf(path, sizeof(path), "%s/test/fixtures/sacct/%s", top, jobs);
	snprintf(program, sizeof(program), "%s/test/fixtures/sacct/sacct", top);
	setenv("SACCT_JOBS", path, 1);
	setenv("SACCT_WINDOWS", windows_path, 1);
	setenv("SACCT_FAILS", fails, 1);
	ck_assert_int_eq(truncate(windows_path, 0), 0);
	forget();
	return sw_records_read(&source, from, until, &taker, &sums, &error);
}

START_TEST(jobs_of_two_hours)
{
	const struct seen *job;

	ck_assert_int_eq(read_from("22.05.txt", "above 3600", HOUR,
				   HOUR + 7200), 0);
	ck_assert_str_eq(windows(), "1779998400 1780005600\n"
				    "1779998400 1780002000\n"
				    "1780002000 1780005600\n");
	ck_assert_str_eq(complaints, "");
	ck_assert_uint_eq(sums.jobs, 15);
	ck_assert_uint_eq(sums.steps, 6);
	ck_assert_uint_eq(sums.windows, 2);
	ck_assert_uint_eq(window_count, 2);
	ck_assert_uint_eq(sums.impossible, 0);
	/* A job that ends at the edge belongs to the next window. */
	ck_assert_uint_eq(sums.outside, 1);
	job = find("101_3", 0);
	ck_assert_uint_eq(job->job.key.job_id, 102);
	ck_assert_uint_eq(job->job.key.array_job_id, 101);
	ck_assert_uint_eq(job->job.key.array_task_id, 3);
	ck_assert_uint_eq(job->job.node_count, 2);
}
END_TEST

START_TEST(a_job_in_numbers)
{
	const struct sw_job_record *job;
	const struct sw_step_record *step;

	ck_assert_int_eq(read_from("22.05.txt", "", HOUR, HOUR + 3600), 0);
	job = &find("100", 0)->job;
	ck_assert_uint_eq(job->key.uid, 1001);
	ck_assert_uint_eq(job->key.restart_count, SW_MISSING);
	ck_assert_int_eq(job->end.state, SW_JOB_COMPLETED);
	ck_assert_uint_eq(job->end.exit_code, 0);
	ck_assert_uint_eq(job->submit_seconds, HOUR - 100);
	ck_assert_uint_eq(job->eligible_seconds, HOUR - 99);
	ck_assert_uint_eq(job->start_seconds, HOUR + 100);
	ck_assert_uint_eq(job->end_seconds, HOUR + 600);
	ck_assert_uint_eq(job->elapsed_seconds, 500);
	ck_assert_int_eq(job->limit_kind, SW_TIME_LIMIT_SET);
	ck_assert_uint_eq(job->limit_seconds, 3600);
	ck_assert_uint_eq(job->requested_bytes, (uint64_t)16 << 30);
	ck_assert_uint_eq(job->allocated.cpus, 4);
	ck_assert_uint_eq(job->allocated.memory_bytes, (uint64_t)16 << 30);
	ck_assert_uint_eq(job->allocated.gpus, SW_MISSING);
	ck_assert_uint_eq(job->used.cpu_usec, 10500000);
	ck_assert_str_eq(find("100", 0)->name, "map");
	ck_assert_uint_eq(job->step_count, 3);
	step = &find("100", 0)->steps[2];
	ck_assert_str_eq(step->id.step, "0");
	ck_assert_uint_eq(step->task_count, 4);
	ck_assert_uint_eq(step->used.cpu_usec, 93784000000);
	ck_assert_uint_eq(step->used.task_rss_bytes, (uint64_t)1 << 30);
	ck_assert_uint_eq(step->used.read_bytes, 2097152);
	ck_assert_uint_eq(step->used.written_bytes, 1024);
}
END_TEST

START_TEST(gpus_and_restarts_of_a_later_release)
{
	const struct seen *job;

	ck_assert_int_eq(read_from("24.11.txt", "", HOUR, HOUR + 3600), 0);
	job = find("200", 0);
	ck_assert_uint_eq(job->job.key.restart_count, 1);
	ck_assert_uint_eq(job->job.requested.gpus, 2);
	ck_assert_uint_eq(job->job.allocated.gpus, 2);
	ck_assert_uint_eq(job->job.requested_bytes, (uint64_t)16 << 30);
	ck_assert_uint_eq(job->job.used.energy_joules, 123456);
	ck_assert_str_eq(job->steps[1].id.step, "0+1");
}
END_TEST

START_TEST(reasons_stay_what_they_are)
{
	static const struct {
		const char *id;
		enum sw_job_state state;
	} rows[] = {
		{ "141", SW_JOB_NODE_FAIL }, { "142", SW_JOB_PREEMPTED },
		{ "143", SW_JOB_DEADLINE }, { "144", SW_JOB_TIMEOUT },
		{ "145", SW_JOB_OUT_OF_MEMORY }, { "146", SW_JOB_FAILED },
		{ "147", SW_JOB_BOOT_FAIL }, { "148", SW_JOB_RESIZING },
		{ "110+0", SW_JOB_CANCELLED },
	};
	const struct sw_job_record *job;
	size_t i;

	ck_assert_int_eq(read_from("22.05.txt", "", HOUR, HOUR + 7200), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_int_eq(find(rows[i].id, 0)->job.end.state,
				 rows[i].state);
	ck_assert_uint_eq(find("145", 0)->job.end.signal, 125);
	ck_assert_uint_eq(find("146", 0)->job.end.exit_code, 1);
	ck_assert_uint_eq(find("146", 0)->job.derived_exit_code, 127);
	job = &find("110+0", 0)->job;
	ck_assert_uint_eq(job->end.cancelled_by_uid, 1001);
	ck_assert_int_eq(job->limit_kind, SW_TIME_LIMIT_UNLIMITED);
	job = &find("110+1", 0)->job;
	ck_assert_uint_eq(job->key.job_id, 111);
	ck_assert_uint_eq(job->key.het_job_id, 110);
	ck_assert_uint_eq(job->key.het_component, 1);
	ck_assert_uint_eq(job->end.cancelled_by_uid, 0);
	ck_assert_uint_eq(job->start_seconds, SW_MISSING);
}
END_TEST

/* Slurm's flags after the state, or in its place. */
START_TEST(flags_leave_the_state)
{
	static const struct {
		const char *text;
		enum sw_job_state state;
		uint64_t by;
	} cases[] = {
		{ "FAILED,EXPEDITING", SW_JOB_FAILED, SW_MISSING },
		{ "NODE_FAIL,REQUEUED", SW_JOB_NODE_FAIL, SW_MISSING },
		{ "BOOT_FAIL,LATER_FLAG", SW_JOB_BOOT_FAIL, SW_MISSING },
		{ "COMPLETING by 1000", SW_JOB_CANCELLED, 1000 },
		{ "EXPEDITING", SW_JOB_UNKNOWN, SW_MISSING },
	};
	const char *field[SW_RECORD_FIELDS];
	struct sw_job_record job;
	uint64_t impossible = 0;
	size_t i;

	for (i = 0; i < SW_RECORD_FIELDS; i++)
		field[i] = "";
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&job, 0, sizeof(job));
		field[SW_RECORD_STATE] = cases[i].text;
		sw_record_fill_job(&job, field, &impossible);
		ck_assert_msg(job.end.state == cases[i].state &&
				      job.end.cancelled_by_uid == cases[i].by,
			      "%s", cases[i].text);
	}
	ck_assert_uint_eq(impossible, 0);
}
END_TEST

START_TEST(runs_of_a_requeued_job_are_apart)
{
	const struct sw_job_record *job;

	ck_assert_int_eq(read_from("22.05.txt", "", HOUR, HOUR + 7200), 0);
	job = &find("120", 0)->job;
	ck_assert_int_eq(job->end.state, SW_JOB_REQUEUED);
	ck_assert_uint_eq(job->step_count, 1);
	job = &find("120", 1)->job;
	ck_assert_int_eq(job->end.state, SW_JOB_COMPLETED);
	ck_assert_uint_eq(job->step_count, 1);
	job = &find("130", 0)->job;
	ck_assert(job->is_rest_of_array);
	ck_assert_uint_eq(job->key.array_job_id, 130);
	ck_assert_int_eq(job->limit_kind, SW_TIME_LIMIT_OF_PARTITION);
}
END_TEST

START_TEST(what_is_too_large_is_halved)
{
	ck_assert_int_eq(read_from("22.05.txt", "above 1800", HOUR,
				   HOUR + 3600), 0);
	ck_assert_str_eq(windows(), "1779998400 1780002000\n"
				    "1779998400 1780000200\n"
				    "1780000200 1780002000\n");
	ck_assert_uint_eq(sums.jobs, 2);
	ck_assert_uint_eq(sums.halved, 1);
	ck_assert_uint_eq(sums.windows, 2);
	/* Down to a second, but not below. */
	ck_assert_int_eq(read_from("22.05.txt", "above 0", HOUR + 600,
				   HOUR + 603), -1);
	ck_assert_str_eq(windows(), "1779999000 1779999003\n"
				    "1779999000 1779999001\n");
	ck_assert_int_eq(errno, EFBIG);
}
END_TEST

START_TEST(more_than_is_kept_is_halved)
{
	/* The hour is larger, and so is its first half, with both jobs. */
	window_bytes_max = 2500;
	ck_assert_int_eq(read_from("22.05.txt", "", HOUR, HOUR + 3600), 0);
	ck_assert_uint_eq(sums.halved, 2);
	ck_assert_uint_eq(sums.windows, 3);
	ck_assert_uint_eq(sums.jobs, 2);
	ck_assert_uint_eq(sums.steps, 4);
}
END_TEST

/* What was too large is tried again, but the less often the oftener it is. */
START_TEST(windows_grow_again_with_patience)
{
	ck_assert_int_eq(read_from("22.05.txt", "above 43200", HOUR,
				   HOUR + 20 * DAY), 0);
	ck_assert_uint_eq(sums.windows, 40);
	ck_assert_uint_eq(sums.halved, 6);
	/* An answer with both jobs is more than a quarter of it. */
	window_bytes_max = 10000;
	ck_assert_int_eq(read_from("22.05.txt", "above 1800", HOUR,
				   HOUR + 3600), 0);
	ck_assert_uint_eq(sums.halved, 1);
}
END_TEST

START_TEST(three_months_are_ninety_windows)
{
	ck_assert_int_eq(read_from("22.05.txt", "", HOUR, HOUR + 90 * DAY), 0);
	ck_assert_uint_eq(sums.windows, 90);
	ck_assert_uint_eq(sums.halved, 0);
	ck_assert_uint_eq(sums.jobs, 15);
}
END_TEST

START_TEST(more_rows_than_the_database_hands_out_are_halved)
{
	ck_assert_int_eq(read_from("22.05.txt", "rows 12", HOUR, HOUR + DAY), 0);
	ck_assert_uint_eq(sums.jobs, 15);
	ck_assert_uint_gt(sums.halved, 0);
	ck_assert_uint_lt(sums.windows, 32);
}
END_TEST

/* Whatever failed for its length does so on the next day as well. */
START_TEST(what_fails_for_its_length_is_not_asked_for_again)
{
	ck_assert_int_eq(read_from("22.05.txt", "wide 7200", HOUR,
				   HOUR + 3 * DAY), 0);
	ck_assert_uint_eq(sums.halved, 4);
	ck_assert_uint_eq(sums.windows, 3 * 16);
	ck_assert_uint_eq(sums.jobs, 15);
}
END_TEST

START_TEST(what_does_not_answer_is_halved)
{
	wait_seconds = 5;
	ck_assert_int_eq(read_from("22.05.txt", "slow 43200", HOUR,
				   HOUR + 2 * DAY), 0);
	ck_assert_uint_eq(sums.halved, 1);
	ck_assert_uint_eq(sums.windows, 4);
	ck_assert_uint_eq(sums.jobs, 15);
}
END_TEST

START_TEST(the_taker_can_end_it)
{
	jobs_wanted = 1;
	ck_assert_int_eq(read_from("22.05.txt", "", HOUR, HOUR + 7200), 7);
	ck_assert_uint_eq(sums.jobs, 1);
	ck_assert_uint_eq(window_count, 0);
}
END_TEST

START_TEST(windows_end_at_full_hours)
{
	ck_assert_int_eq(read_from("22.05.txt", "", HOUR + 500,
				   HOUR + DAY + 100), 0);
	ck_assert_str_eq(windows(), "1779998900 1780084800\n"
				    "1780084800 1780084900\n");
	ck_assert_uint_eq(sums.impossible, 0);
}
END_TEST

START_TEST(a_database_that_is_down_is_no_quiet_night)
{
	ck_assert_int_eq(read_from("22.05.txt", "all", HOUR, HOUR + 86400),
			 -1);
	ck_assert_ptr_nonnull(strstr(error.text, "Connection refused"));
	ck_assert_uint_eq(sums.windows, 0);
	ck_assert_uint_eq(sums.halved, 7);
}
END_TEST

/* stepwell-slurmdb is built for one release of Slurm, and may be missing. */
START_TEST(a_program_that_is_not_there_is_replaced_by_sacct)
{
	static const struct sw_records_source none = { .program = "/no/such" };
	char path[4096], *saved = strdup(getenv("PATH"));

	ck_assert_ptr_nonnull(saved);
	snprintf(path, sizeof(path), "%s/test/fixtures/sacct:%s",
		 getenv("abs_top_srcdir"), saved);
	setenv("PATH", path, 1);
	ck_assert_int_eq(read_from("22.05.txt", "", HOUR, HOUR + 3600), 0);
	forget();
	ck_assert_int_eq(sw_records_read(&none, HOUR, HOUR + 3600, &taker,
					 &sums, &error), 0);
	ck_assert_str_eq(complaints, "/no/such is not installed; jobs are read "
				     "from sacct instead\n");
	ck_assert_uint_eq(sums.windows, 1);
	setenv("PATH", "/nowhere", 1);
	forget();
	ck_assert_int_eq(sw_records_read(&none, HOUR, HOUR + 1, &taker, &sums,
					 &error), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_str_eq(error.text, "sacct is not installed");
	setenv("PATH", saved, 1);
	free(saved);
}
END_TEST

/*
 * A comment that contains a line of a job of root's, with the right delimiter,
 * creates no job; one of an existing job gets no name from it.
 */
START_TEST(a_comment_makes_no_job)
{
	ck_assert_int_eq(read_from("forged.txt", "", HOUR, HOUR + 3600), 0);
	ck_assert_uint_eq(sums.jobs, 3);
	ck_assert_uint_eq(find("100", 0)->job.key.uid, 1001);
	ck_assert_str_eq(find("100", 0)->name, "map");
	ck_assert_str_eq(find("102", 0)->name, "reduce");
	ck_assert_str_eq(find("102", 0)->comment, "");
	ck_assert_uint_ge(sums.bad_lines, 1);
	ck_assert_ptr_nonnull(strstr(complaints, "\"66\": a line of a job that "
						 "is not listed"));
}
END_TEST

#define TEXT(id, name) id "~c~~1~2~3~note~/dir~" name "\n"

static struct sw_record_texts texts;

static void parse_texts(char *text)
{
	struct sw_record_fields all, facts, written;
	struct sw_record_lines lines = {
		.next = text, .delimiter = "~", .fields = &written,
	};

	forget();
	ck_assert_int_eq(sw_record_fields_read(&all, "JobIDRaw JobID Cluster "
					       "Account State Submit Start End "
					       "Comment WorkDir JobName",
					       &error), 0);
	sw_record_fields_divide(&all, &facts, &written);
	ck_assert_str_eq(facts.format,
			 "JobIDRaw,JobID,Cluster,State,Submit,Start,End");
	ck_assert_int_eq(sw_record_texts_read(&texts, &lines, &taker, &sums,
					      &error), 0);
}

static const char *name_of(const char *id, const char *end)
{
	const char *field[SW_RECORD_FIELDS] = {
		[SW_RECORD_RAW_ID] = id, [SW_RECORD_CLUSTER] = "c",
		[SW_RECORD_SUBMIT] = "1", [SW_RECORD_START] = "2",
		[SW_RECORD_END] = end,
	};

	sw_record_texts_put(&texts, field);
	return field[SW_RECORD_NAME];
}

START_TEST(texts_are_of_one_run)
{
	char text[] = TEXT("1", "a") TEXT("2", "b\nc") TEXT("3", "true")
		TEXT("3", "forged") TEXT("9", "unlisted") "too~few\n";

	parse_texts(text);
	ck_assert_uint_eq(sums.bad_lines, 1);
	ck_assert_str_eq(name_of("1", "3"), "a");
	ck_assert_str_eq(name_of("2", "3"), "b\nc");
	/* It is not known which one is right. */
	ck_assert_str_eq(name_of("3", "3"), "");
	/* Another run of it, and a job without texts. */
	ck_assert_str_eq(name_of("1", "4"), "");
	ck_assert_str_eq(name_of("4", "3"), "");
	sw_record_texts_check(&texts, &taker, &sums);
	ck_assert_uint_eq(sums.bad_lines, 3);
	ck_assert_ptr_nonnull(strstr(complaints, "\"9\": a line of a job that "
						 "is not listed"));
	ck_assert_ptr_nonnull(strstr(complaints, "\"3\": several lines"));
	sw_record_texts_fini(&texts);
}
END_TEST

#define FORMAT "JobIDRaw JobID State Start End ElapsedRaw ReqMem AllocTRES " \
	       "Comment JobName"
#define GOOD(id, name) id "~" id "~COMPLETED~1779998400~1779998500~100~4Gn~" \
	"cpu=2,mem=4G~note~" name "\n"

static void parse(const char *text, const char *delimiter)
{
	static const struct sw_record_window window = { HOUR, HOUR + 3600 };
	struct sw_record_fields fields;
	char *copy = strdup(text);
	struct sw_record_lines lines = {
		.next = copy, .delimiter = delimiter, .fields = &fields,
	};

	ck_assert_ptr_nonnull(copy);
	forget();
	ck_assert_int_eq(sw_record_fields_read(&fields, FORMAT, &error), 0);
	ck_assert_int_eq(sw_record_jobs_take(&lines, NULL, &window, &taker,
					     &sums, &error), 0);
	free(copy);
}

START_TEST(names_may_hold_anything)
{
	parse(GOOD("1", "a|b \"c\" 'd' <x> \033[31m\n9|x\n") GOOD("2", "p"),
	      "~");
	ck_assert_uint_eq(sums.jobs, 2);
	ck_assert_uint_eq(sums.bad_lines, 0);
	ck_assert_str_eq(find("1", 0)->name,
			 "a|b \"c\" 'd' <x> \033[31m\n9|x\n");
	/* A newline before the last field. */
	parse("3~3~COMPLETED~1779998400~1779998500~100~4Gn~cpu=2~a\n\nb~n\n"
	      GOOD("4", "p"), "~");
	ck_assert_uint_eq(sums.jobs, 2);
	ck_assert_str_eq(find("3", 0)->comment, "a\n\nb");
	ck_assert_str_eq(find("3", 0)->name, "n");
	/* A delimiter of several characters: parts of it are text. */
	parse("5~#5~#FAILED~#1779998400~#1779998500~#1~#0n~#~#~~#a~\n", "~#");
	ck_assert_str_eq(find("5", 0)->comment, "~");
	ck_assert_str_eq(find("5", 0)->name, "a~");
}
END_TEST

START_TEST(bad_lines_are_named_and_left_out)
{
	parse("sacct: \033[2Jwarning\n" GOOD("1", "a") "2~2~COMPLETED~17\n"
	      GOOD("3", "b") "x~y~COMPLETED~1779998400~1779998500~1~~~~\n"
	      "7.0~7.0~COMPLETED~1779998400~1779998500~1~~~~\n"
	      GOOD("8", "c"), "~");
	ck_assert_uint_eq(sums.jobs, 3);
	ck_assert_uint_eq(sums.bad_lines, 4);
	ck_assert_ptr_nonnull(strstr(complaints, "\"sacct: \\x1b[2Jwarning\""));
	ck_assert_ptr_nonnull(strstr(complaints, "\"2~2~COMPLETED~17\": "
				     "fewer or more fields"));
	ck_assert_ptr_nonnull(strstr(complaints, "\"x\": not the number"));
	ck_assert_ptr_nonnull(strstr(complaints, "\"7.0\": a step"));
	/* Steps after a bad line are not those of the job before. */
	parse(GOOD("1", "a") "1~1~CANCELLED\n" GOOD("1.0", "s"), "~");
	ck_assert_uint_eq(sums.jobs, 1);
	ck_assert_uint_eq(sums.steps, 0);
	ck_assert_uint_eq(sums.bad_lines, 2);
	parse("", "~");
	ck_assert_uint_eq(sums.bad_lines, 0);
}
END_TEST

START_TEST(a_bad_step_leaves_the_others)
{
	parse(GOOD("1", "a") GOOD("1.batch+0", "b") GOOD("1.\033", "c")
	      "1.1~1.1~FAILED\n" GOOD("1.interactive", "d"), "~");
	ck_assert_uint_eq(sums.jobs, 1);
	ck_assert_uint_eq(sums.steps, 2);
	ck_assert_uint_eq(sums.bad_lines, 2);
	ck_assert_str_eq(seen[0].steps[0].id.step, "batch+0");
	ck_assert_str_eq(seen[0].steps[1].id.step, "interactive");
	/* Elements that never started are one job, with or without steps. */
	parse("900~90_[1-3,7]~CANCELLED~Unknown~1779998500~0~~~~n\n"
	      "900.0~90_[1-3,7].0~CANCELLED~Unknown~1779998500~0~~~~s\n", "~");
	ck_assert_uint_eq(sums.jobs, 1);
	ck_assert_uint_eq(sums.steps, 1);
	ck_assert_uint_eq(sums.bad_lines, 0);
}
END_TEST

START_TEST(impossible_values_are_missing)
{
	const struct sw_job_record *job;

	parse("1~1~COMPLETED~-5~1779998500~-100~9223372036854775808T~"
	      "cpu=9223372036854775808,mem=-4G~~\n"
	      "2~2~COMPLETED~1779999999~1779998500~1~2000Mc~cpu=2,mem=1.5G~~\n"
	      "3~3~COMPLETED~1~9223372036854775808~1~0n~~~\n", "~");
	job = &find("1", 0)->job;
	ck_assert_uint_eq(sums.jobs, 2);
	ck_assert_uint_eq(sums.outside, 1);
	ck_assert_uint_eq(sums.impossible, 7);
	ck_assert_uint_eq(job->start_seconds, SW_MISSING);
	ck_assert_uint_eq(job->elapsed_seconds, SW_MISSING);
	ck_assert_uint_eq(job->requested_bytes, SW_MISSING);
	ck_assert_uint_eq(job->allocated.cpus, SW_MISSING);
	ck_assert_uint_eq(job->allocated.memory_bytes, SW_MISSING);
	job = &find("2", 0)->job;
	ck_assert_uint_eq(job->start_seconds, SW_MISSING);
	ck_assert_int_eq(job->requested_of, SW_ACCT_OF_CPU);
	ck_assert_uint_eq(job->requested_bytes, (uint64_t)2000 << 20);
	ck_assert_uint_eq(job->allocated.memory_bytes, (uint64_t)3 << 29);
}
END_TEST

START_TEST(fields_that_a_release_lacks_are_not_asked_for)
{
	struct sw_record_fields fields;

	ck_assert_int_eq(sw_record_fields_read(&fields, "JobIDRaw  JobID\n"
			 "STATE      End  Restarts Jobname\n", &error), 0);
	ck_assert_str_eq(fields.format,
			 "JobIDRaw,JobID,State,End,Restarts,JobName");
	ck_assert_int_eq(sw_record_fields_read(&fields, "JobIDRaw JobID",
					       &error), -1);
	ck_assert_str_eq(error.text, "sacct has no field State, so jobs "
				     "cannot be read");
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_test(tcase, jobs_of_two_hours);
	tcase_add_test(tcase, a_comment_makes_no_job);
	tcase_add_test(tcase, texts_are_of_one_run);
	tcase_add_test(tcase, a_job_in_numbers);
	tcase_add_test(tcase, gpus_and_restarts_of_a_later_release);
	tcase_add_test(tcase, reasons_stay_what_they_are);
	tcase_add_test(tcase, flags_leave_the_state);
	tcase_add_test(tcase, runs_of_a_requeued_job_are_apart);
	tcase_add_test(tcase, what_is_too_large_is_halved);
	tcase_add_test(tcase, more_than_is_kept_is_halved);
	tcase_add_test(tcase, windows_grow_again_with_patience);
	tcase_add_test(tcase, three_months_are_ninety_windows);
	tcase_add_test(tcase, more_rows_than_the_database_hands_out_are_halved);
	tcase_add_test(tcase, what_fails_for_its_length_is_not_asked_for_again);
	tcase_add_test(tcase, what_does_not_answer_is_halved);
	tcase_add_test(tcase, the_taker_can_end_it);
	tcase_add_test(tcase, windows_end_at_full_hours);
	tcase_add_test(tcase, a_database_that_is_down_is_no_quiet_night);
	tcase_add_test(tcase, a_program_that_is_not_there_is_replaced_by_sacct);
	tcase_add_test(tcase, names_may_hold_anything);
	tcase_add_test(tcase, bad_lines_are_named_and_left_out);
	tcase_add_test(tcase, a_bad_step_leaves_the_others);
	tcase_add_test(tcase, impossible_values_are_missing);
	tcase_add_test(tcase, fields_that_a_release_lacks_are_not_asked_for);
}

int main(void)
{
	TCase *tcase = tcase_create("jobs");
	int failed, fd = mkstemp(windows_path);

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	tcase_set_timeout(tcase, 60);
	add_tests(tcase);
	failed = run_tests("records", tcase, NULL);
	unlink(windows_path);
	return failed;
}
