/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step, by the recorder for its row of the summaries and by the
 * report: the same to the microsecond, of every recording in test/rules/ and of
 * cases of its own.  In place of the sampler and the sources of the node stand
 * the rows of the recording that were there at each sample.
 */
#include <check.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/series/series.h"
#include "analyzer/view/view.h"
#include "common/jobid.h"
#include "common/units.h"
#include "recorder/jobs/step_account.h"
#include "recorder/sources/reading.h"
#include "recorder/sources/shared.h"
#include "recorder/waits/wait_tally.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

static char profile[] = "/tmp/check_same_limits.XXXXXX";

/* The sample that is being taken. */
static struct {
	const struct sw_reader *reader;
	uint64_t step_key, before_usec, usec;
	struct sw_rows rows, own;
	uint64_t own_cells[64];
	struct sw_wait_tally tally;
} now;

static struct sw_series open_series(const char *source, uint64_t step_key)
{
	char table[64];

	snprintf(table, sizeof(table), "series.%s", source);
	return sw_series_open(now.reader, table, step_key);
}

/* The last row that had been written by then; SIZE_MAX: none. */
static size_t last_row(const struct sw_series *s)
{
	size_t row, found = SIZE_MAX;

	for (row = 0; row < sw_series_rows(s); row++) {
		if (sw_series_at(s, row, "time_usec") <= now.usec)
			found = row;
	}
	return found;
}

uint64_t __wrap_sw_sampler_last(const struct sw_sampler *sampler,
				const char *source, const char *column);
uint64_t __wrap_sw_sampler_last(const struct sw_sampler *sampler,
				const char *source, const char *column)
{
	struct sw_series s = open_series(source, now.step_key);

	(void)sampler;
	return sw_series_at(&s, last_row(&s), column);
}

uint64_t __wrap_sw_sampler_last_usec(const struct sw_sampler *sampler,
				     const char *source);
uint64_t __wrap_sw_sampler_last_usec(const struct sw_sampler *sampler,
				     const char *source)
{
	return __wrap_sw_sampler_last(sampler, source, "time_usec");
}

/* The rows of fixtures are of sources that were there. */
uint64_t __wrap_sw_sampler_began_usec(const struct sw_sampler *sampler,
				      const char *source);
uint64_t __wrap_sw_sampler_began_usec(const struct sw_sampler *sampler,
				      const char *source)
{
	(void)sampler;
	(void)source;
	return SW_MISSING;
}

/* What was read since the sample before. */
enum sw_read_status __wrap_sw_shared_take(struct sw_shared *shared,
					  const struct sw_source *source,
					  const struct sw_rows **rows);
enum sw_read_status __wrap_sw_shared_take(struct sw_shared *shared,
					  const struct sw_source *source,
					  const struct sw_rows **rows)
{
	struct sw_series s = open_series(source->name, SW_ALL_STEPS);
	uint64_t usec, *values;
	size_t row, i;

	(void)shared;
	*rows = &now.rows;
	now.rows.column_count = source->column_count;
	now.rows.max = 32;
	now.rows.count = 0;
	free(now.rows.cells);
	now.rows.cells = malloc(sw_rows_bytes(source->column_count, 32));
	ck_assert_ptr_nonnull(now.rows.cells);
	for (row = 0; row < sw_series_rows(&s); row++) {
		usec = sw_series_at(&s, row, "time_usec");
		if (usec > now.usec ||
		    (now.before_usec && usec <= now.before_usec))
			continue;
		values = sw_rows_add(&now.rows,
				     sw_series_at(&s, row, "subject"));
		ck_assert_ptr_nonnull(values);
		for (i = 0; i < source->column_count; i++)
			values[i] = sw_series_at(&s, row,
						 source->columns[i].name);
	}
	return now.rows.count ? SW_READ_OK : SW_READ_GONE;
}

const struct sw_rows *__wrap_sw_sampler_rows(const struct sw_sampler *sampler,
					     const char *source);
const struct sw_rows *__wrap_sw_sampler_rows(const struct sw_sampler *sampler,
					     const char *source)
{
	struct sw_series s = open_series(source, now.step_key);
	size_t row;

	(void)sampler;
	now.own.column_count = 0;
	now.own.max = 32;
	now.own.count = 0;
	now.own.cells = now.own_cells;
	for (row = 0; row < sw_series_rows(&s); row++) {
		if (sw_series_at(&s, row, "time_usec") <= now.usec)
			sw_rows_add(&now.own,
				    sw_series_at(&s, row, "subject"));
	}
	return &now.own;
}

/* The last name of a subject; the row, or SIZE_MAX. */
static size_t name_row(const struct sw_series *names, const char *source,
		       uint64_t subject)
{
	size_t row, found = SIZE_MAX;

	for (row = 0; row < sw_series_rows(names); row++) {
		if (sw_is_same_text(sw_series_text(names, row, "source"),
				    source) &&
		    sw_series_at(names, row, "subject") == subject)
			found = row;
	}
	return found;
}

bool __wrap_sw_shared_describe(struct sw_shared *shared,
			       const struct sw_source *source, uint64_t index,
			       struct sw_subject *subject);
bool __wrap_sw_shared_describe(struct sw_shared *shared,
			       const struct sw_source *source, uint64_t index,
			       struct sw_subject *subject)
{
	struct sw_series s = sw_series_open(now.reader, "subjects",
					    SW_ALL_STEPS);
	size_t row = name_row(&s, source->name, index);

	(void)shared;
	snprintf(subject->kind, sizeof(subject->kind), "%s",
		 sw_text(sw_series_text(&s, row, "kind")));
	snprintf(subject->name, sizeof(subject->name), "%s",
		 sw_text(sw_series_text(&s, row, "name")));
	snprintf(subject->detail, sizeof(subject->detail), "%s",
		 sw_text(sw_series_text(&s, row, "detail")));
	return row != SIZE_MAX;
}

static enum sw_wait_kind kind_of(const char *name)
{
	enum sw_wait_kind i;

	for (i = SW_WAIT_IO; i < SW_WAIT_OTHER; i++) {
		if (!strcmp(sw_wait_kind_name(i), sw_text(name)))
			break;
	}
	return i;
}

/* Rows of the same subject follow each other: the last one counts. */
static void put_waits(void)
{
	struct sw_series s = open_series("waits", now.step_key);
	struct sw_series names = sw_series_open(now.reader, "subjects",
						now.step_key);
	size_t row, name;

	memset(&now.tally, 0, sizeof(now.tally));
	now.tally.count = SW_WAIT_GROUPS;
	for (row = 0; row < sw_series_rows(&s); row++) {
		uint64_t subject = sw_series_at(&s, row, "subject");
		struct sw_wait_group *group = &now.tally.group[subject];
		const char *kind;

		if (sw_series_at(&s, row, "time_usec") > now.usec ||
		    subject >= SW_WAIT_GROUPS)
			continue;
		now.tally.looks++;
		name = name_row(&names, "waits", subject);
		kind = sw_series_text(&names, name, "kind");
		if (sw_is_same_text(kind, "all"))
			group = &now.tally.io;
		else
			group->reason.kind = kind_of(kind);
		group->idle_usec = sw_zero_if_missing(
			sw_series_at(&s, row, "idle_usec"));
		group->thread_usec = sw_zero_if_missing(
			sw_series_at(&s, row, "thread_usec"));
	}
}

/* All of a step as its recorder had it; source: of CPU time. */
static void record(struct sw_step_account *account, const struct sw_view *view,
		   const char *source)
{
	struct sw_series clock = open_series(source, view->step_key);
	struct sw_series steps = sw_series_open(view->reader, "steps",
						view->step_key);
	const struct sw_step_given given = {
		.start_usec = view->start_usec,
		.cpus = fmin(view->cpu.allocated_cores,
			     view->cpu.available_cores),
		.gpu_count = sw_series_last(&steps, "gpu_count"),
		.gpu_list = sw_text(sw_series_last_text(&steps, "gpu_list")),
	};
	struct sw_step_given sample = given;
	size_t row;

	for (row = 0; row < sw_series_rows(&clock); row++) {
		now.usec = sw_series_at(&clock, row, "time_usec");
		if (sw_is_missing(now.usec))
			continue;
		sample.asked_usec = now.usec;
		put_waits();
		/* It is not read where there is none. */
		sw_step_account_take(account, NULL, (struct sw_shared *)&now,
				     &now.tally, &sample);
		now.before_usec = now.usec;
	}
}

static void check_same(const char *what, const char *name, uint64_t row,
		       uint64_t report)
{
	ck_assert_msg(row == report,
		      "%s, step %llu: %s: %lld us in the row, %lld in the "
		      "report", what, (unsigned long long)now.step_key, name,
		      (long long)row, (long long)report);
}

/* Both accounts of a step, by limit and as they are written; false: there are
 * none. */
static bool compare(const char *what, const struct sw_view *view)
{
	static struct sw_step_account account;
	uint64_t row[SW_LIMITED_BY_RESOURCES], report[SW_LIMITED_BY_RESOURCES];
	uint64_t limits[SW_LIMITS];
	int i;

	memset(&account, 0, sizeof(account));
	memset(&now, 0, sizeof(now));
	now.reader = view->reader;
	now.step_key = view->step_key;
	record(&account, view, view->cpu.is_by_proc ? "proc" : "cpu");
	sw_step_account_end(&account, row);
	free(now.rows.cells);
	sw_step_limits_sum(&account.limits, limits);
	sw_limits_by_resource(view->limits.usec, report);
	for (i = 0; i < SW_LIMITS; i++)
		check_same(what, sw_limit_name((enum sw_limit)i), limits[i],
			   view->limits.usec[i]);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		check_same(what, sw_limited_by_name((enum sw_limited_by)i),
			   row[i], report[i]);
	return !sw_is_missing(row[0]);
}

static const struct sw_reader *open_profile(const char *what)
{
	struct sw_error error;
	struct sw_reader *reader = sw_reader_open(profile, &error);

	ck_assert_msg(reader != NULL, "%s: %s", what, error.text);
	return reader;
}

/* Time for which others had its work is not in the report, and the row of a
 * step that waits for its user has none. */
static bool is_comparable(const struct sw_view *view)
{
	return view->elsewhere.count == 0 &&
	       !sw_stepid_is_of_user(view->step_id);
}

static void compare_file(const char *path)
{
	const struct sw_reader *reader;
	uint64_t *keys;
	struct sw_error error;
	size_t i, count;
	struct sw_view view;

	ck_assert_msg(text_profile_write(path, profile, true, &error) == 0,
		      "%s", error.text);
	reader = open_profile(path);
	if (sw_view_steps(reader, &keys, &count, &error) == 0) {
		for (i = 0; i < count; i++) {
			ck_assert_int_eq(sw_view_init(&view, reader, keys[i],
						      &error), 0);
			if (is_comparable(&view))
				compare(path, &view);
			sw_view_fini(&view);
		}
		free(keys);
	}
	sw_reader_close((struct sw_reader *)reader);
}

static bool is_recording(const char *path)
{
	static const char *const names[] = { "/fires", "/quiet", "/missing" };
	const char *slash = strrchr(path, '/');
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strncmp(slash, names[i], strlen(names[i])))
			return true;
	}
	return false;
}

static glob_t found;

START_TEST(of_every_fixture)
{
	const char *path = found.gl_pathv[_i];

	if (is_recording(path))
		compare_file(path);
}
END_TEST

static bool find_fixtures(void)
{
	const char *top = getenv("abs_top_srcdir");
	char pattern[1024];

	snprintf(pattern, sizeof(pattern), "%s/test/rules/*/*.txt",
		 top ? top : ".");
	return glob(pattern, 0, NULL, &found) == 0;
}

/* --- cases of its own: four samples, ten seconds apart */

#define STEPS(gpus) \
	"table steps step recorder\n" \
	"columns step start_usec requested_cpus_milli available_cpus_milli " \
	"gpu_count gpu_list\n" \
	"row 0 1000000000 1000 4000 " gpus "\n" \
	"table summary step recorder\ncolumns step end_usec exit_code\n" \
	"row 0 1030000000 0\n"

#define TABLE(name, columns) \
	"table series." name "\ncolumn time_usec usec time\n" \
	"column step - key\n" columns

#define CPU TABLE("cpu step cgroup.v2", "column usage_usec usec counter\n")

/* It runs for a tenth of the time. */
#define IDLE CPU \
	"row 1000000000 0 0\nrow 1010000000 0 1000000\n" \
	"row 1020000000 0 2000000\nrow 1030000000 0 3000000\n"

#define BUSY CPU \
	"row 1000000000 0 0\nrow 1010000000 0 10000000\n" \
	"row 1020000000 0 20000000\nrow 1030000000 0 30000000\n"

#define WAITS \
	TABLE("waits step bpf", "column subject - state\n" \
	      "column thread_usec usec counter\n" \
	      "column idle_usec usec counter\n")

#define NAMES \
	"table subjects step recorder\n" \
	"columns time_usec step source subject kind name detail\n" \
	"row 1000000000 0 waits 0 all io -\n" \
	"row 1000000000 0 waits 1 network - -\n" \
	"row 1000000000 0 interface 0 interface eth0 device\n" \
	"row 1000000000 0 gpu 0 gpu \"GPU 0\" -\n" \
	"row 1000000000 0 gpu 1 gpu \"GPU 1\" -\n" \
	"row 1000000000 0 gpu 2 gpu \"GPU 2\" -\n" \
	"row 1000000000 0 gpu 3 gpu \"GPU 3\" -\n"

/* For the rest of it a thread waits for a peer. */
#define PEER NAMES WAITS \
	"row 1000000000 0 0 0 0\nrow 1000000000 0 1 0 0\n" \
	"row 1010000000 0 0 0 0\nrow 1010000000 0 1 9000000 9000000\n" \
	"row 1020000000 0 0 0 0\nrow 1020000000 0 1 18000000 18000000\n" \
	"row 1030000000 0 0 0 0\nrow 1030000000 0 1 27000000 27000000\n"

#define NET TABLE("net step bpf.cgroup_skb", \
		  "column rx_bytes bytes counter\n" \
		  "column tx_bytes bytes counter\n")

/* One of 1 Gbit/s, which carries more than any other. */
#define LINK \
	TABLE("interface node proc.net", "column subject - state\n" \
	      "column rx_bytes bytes counter\n" \
	      "column tx_bytes bytes counter\n" \
	      "column speed_bits_per_sec bit/s gauge\n") \
	"row 1000000000 0 0 1 1 1000000000\n" \
	"row 1010000000 0 0 2 2000000000 1000000000\n" \
	"row 1020000000 0 0 3 4000000000 1000000000\n" \
	"row 1030000000 0 0 4 6000000000 1000000000\n"

#define GPU \
	TABLE("gpu node nvml", "column subject - state\n" \
	      "column utilization.gpu percent gauge\n")

/* One of four works. */
#define ONE_OF_FOUR(usec) \
	"row " usec " 0 0 0\nrow " usec " 0 1 100\n" \
	"row " usec " 0 2 0\nrow " usec " 0 3 0\n"
#define GPUS \
	GPU ONE_OF_FOUR("1000000000") ONE_OF_FOUR("1010000000") \
	ONE_OF_FOUR("1020000000") ONE_OF_FOUR("1030000000")

#define QUOTA \
	TABLE("cpu step cgroup.v2", "column usage_usec usec counter\n" \
	      "column nr_periods count counter\n" \
	      "column nr_throttled count counter\n" \
	      "column ancestor.nr_periods count counter\n" \
	      "column ancestor.nr_throttled count counter\n")

#define PRESSURE TABLE("pressure step cgroup.v2", \
		       "column io.full.total usec counter\n")

static const struct {
	const char *what, *text;
	double seconds[SW_LIMITS];
} cases[] = {
	{ "an upload that fills the link after a download of 30 GB",
	  STEPS("- -") IDLE PEER LINK NET
	  "row 1000000000 0 30000000000 0\n"
	  "row 1010000000 0 30000000000 1200000000\n"
	  "row 1020000000 0 30000000000 2400000000\n"
	  "row 1030000000 0 30000000000 3600000000\n",
	  { [SW_LIMIT_CPU] = 3, [SW_LIMIT_LINK] = 27 } },
	{ "half of the link each way is none of it full",
	  STEPS("- -") IDLE PEER LINK NET
	  "row 1000000000 0 0 0\n"
	  "row 1010000000 0 700000000 700000000\n"
	  "row 1020000000 0 1400000000 1400000000\n"
	  "row 1030000000 0 2100000000 2100000000\n",
	  { [SW_LIMIT_CPU] = 3, [SW_LIMIT_SOCKET] = 27 } },
	{ "counters of traffic began anew, and then one was not read",
	  STEPS("- -") IDLE PEER LINK NET
	  "row 1000000000 0 30000000000 1200000000\n"
	  "row 1010000000 0 0 0\n"
	  "row 1030000000 0 0 2400000000\n",
	  { [SW_LIMIT_CPU] = 3, [SW_LIMIT_LINK] = 18,
	    [SW_LIMIT_SOCKET] = 9 } },
	{ "one of the four GPUs of the step works",
	  STEPS("4 0,1,2,3") IDLE NAMES GPUS,
	  { [SW_LIMIT_GPU] = 30 } },
	{ "the GPU that works is another job's",
	  STEPS("1 0") BUSY NAMES GPUS,
	  { [SW_LIMIT_CPU] = 30 } },
	{ "two of the node's four GPUs are the step's, but not which",
	  STEPS("2 -") BUSY NAMES GPUS,
	  { [SW_LIMIT_CPU] = 30 } },
	{ "nobody gave it a GPU, and its process is on one",
	  STEPS("- -") BUSY NAMES GPUS
	  TABLE("gpu_process step nvml", "column subject - state\n"
		"column processes count gauge\n")
	  "row 1020000000 0 1 1\nrow 1030000000 0 1 1\n",
	  { [SW_LIMIT_CPU] = 10, [SW_LIMIT_GPU] = 20 } },
	{ "the step's own quota was used up, another one hardly",
	  STEPS("- -") QUOTA
	  "row 1000000000 0 0 0 0 0 0\n"
	  "row 1010000000 0 10000000 100 80 1000 100\n"
	  "row 1020000000 0 20000000 200 160 2000 200\n"
	  "row 1030000000 0 30000000 300 240 3000 300\n"
	  TABLE("proc step proc", "column run_queue_wait_usec usec counter\n")
	  "row 1000000000 0 0\nrow 1010000000 0 0\n"
	  "row 1020000000 0 0\nrow 1030000000 0 0\n",
	  { [SW_LIMIT_CPU] = 6, [SW_LIMIT_QUOTA] = 24 } },
	{ "a source that appears late",
	  STEPS("- -") IDLE PRESSURE
	  "row 1010000000 0 4000000\nrow 1020000000 0 9000000\n"
	  "row 1030000000 0 9000000\n",
	  { [SW_LIMIT_CPU] = 3, [SW_LIMIT_IO] = 5,
	    [SW_LIMIT_UNSEEN] = 22 } },
	{ "a source that missed two samples, and one that lacks a value",
	  STEPS("- -") IDLE PRESSURE
	  "row 1000000000 0 0\nrow 1030000000 0 3000000\n" NET
	  "row 1000000000 0 0 0\nrow 1010000000 0 - -\n"
	  "row 1020000000 0 0 0\nrow 1030000000 0 0 0\n",
	  { [SW_LIMIT_CPU] = 3, [SW_LIMIT_IO] = 3,
	    [SW_LIMIT_UNSEEN] = 24 } },
	{ "a source that is read a second later than CPU time",
	  STEPS("- -") IDLE PRESSURE
	  "row 1001000000 0 0\nrow 1011000000 0 1000000\n"
	  "row 1021000000 0 2000000\nrow 1031000000 0 3000000\n",
	  { [SW_LIMIT_CPU] = 3, [SW_LIMIT_IO] = 3,
	    [SW_LIMIT_UNSEEN] = 24 } },
	{ "the last two samples lie close together",
	  STEPS("- -") CPU
	  "row 1000000000 0 0\nrow 1010000000 0 1000000\n"
	  "row 1020000000 0 2000000\nrow 1029998000 0 3000000\n"
	  "row 1030000000 0 3000100\n",
	  { [SW_LIMIT_CPU] = 3, [SW_LIMIT_UNSEEN] = 27 } },
};

START_TEST(of_a_case)
{
	const struct sw_reader *reader;
	struct sw_error error = { "" };
	struct sw_view view;
	int i;

	ck_assert_msg(text_profile_write_text(cases[_i].text, profile, true,
					      &error) == 0, "%s", error.text);
	reader = open_profile(cases[_i].what);
	ck_assert_int_eq(sw_view_init(&view, reader, 0, &error), 0);
	ck_assert(compare(cases[_i].what, &view));
	for (i = 0; i < SW_LIMITS; i++)
		ck_assert_msg(fabs((double)view.limits.usec[i] /
				   SW_USEC_PER_SEC - cases[_i].seconds[i]) <
			      0.01, "%s: %s: %llu us, not %g s",
			      cases[_i].what, sw_limit_name((enum sw_limit)i),
			      (unsigned long long)view.limits.usec[i],
			      cases[_i].seconds[i]);
	sw_view_fini(&view);
	sw_reader_close((struct sw_reader *)reader);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("same_limits");
	int status, fd = mkstemp(profile);

	if (fd < 0 || !find_fixtures())
		return EXIT_FAILURE;
	close(fd);
	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, of_every_fixture, 0, (int)found.gl_pathc);
	tcase_add_loop_test(tests, of_a_case, 0,
			    sizeof(cases) / sizeof(cases[0]));
	status = run_tests("same_limits", tests, NULL);
	unlink(profile);
	globfree(&found);
	return status;
}
