/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop's grid of samples, failing sources, options, exit statuses. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/units.h"
#include "profiles/reader.h"
#include "recorder/daemon/cpu_budget.h"
#include "recorder/run/command.h"
#include "recorder/run/loop.h"
#include "recorder/run/options.h"
#include "recorder/sampler/period.h"
#include "recorder/sampler/sampler.h"
#include "test/run_tests.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SECOND SW_USEC_PER_SEC
#define HOUR (3600 * SECOND)

/* ---- the grid ---- */

static const struct {
	uint64_t elapsed, period;
} grid[] = {
	{ 0, SECOND / 10 },	   { 2 * SECOND - 1, SECOND / 10 },
	{ 2 * SECOND, SECOND },	   { HOUR - 1, SECOND },
	{ HOUR, 2 * SECOND },	   { 6 * HOUR - 1, 2 * SECOND },
	{ 6 * HOUR, 5 * SECOND },  { 24 * HOUR, 10 * SECOND },
	{ UINT64_MAX, 10 * SECOND },
};

START_TEST(period_grows_with_age)
{
	ck_assert_uint_eq(sw_period_at(grid[_i].elapsed), grid[_i].period);
}
END_TEST

static const struct {
	uint64_t due, now, period, next, missed;
} rounds[] = {
	{ 1000, 1000, 100, 1100, 0 },	/* on time */
	{ 1000, 900, 100, 1100, 0 },	/* early */
	{ 1000, 1099, 100, 1100, 0 },	/* late, but in its own slot */
	{ 1000, 1100, 100, 1200, 1 },
	{ 1000, 1999, 100, 2000, 9 },
	{ 1000, 1000 + 10 * HOUR, SECOND, 1000 + 10 * HOUR + SECOND, 36000 },
};

START_TEST(late_rounds_keep_the_grid)
{
	uint64_t missed = UINT64_MAX;

	ck_assert_uint_eq(sw_period_next(rounds[_i].due, rounds[_i].now,
				       rounds[_i].period, &missed),
			  rounds[_i].next);
	ck_assert_uint_eq(missed, rounds[_i].missed);
}
END_TEST

/* ---- sources ---- */

struct fake {
	enum sw_read_status status;
	unsigned int opened, closed, reads;
};

static struct fake good, dear, absent, gone, garbage, later;

static enum sw_read_status fake_open(void *state,
				     const struct sw_target *target)
{
	(void)target;
	memset(state, 0x5a, 24);	/* all of the requested size */
	return SW_READ_OK;
}

enum { LATER_READS = 3 };

static enum sw_read_status read_as(struct fake *fake, uint64_t *values)
{
	fake->reads++;
	ck_assert(sw_is_missing(values[0]));
	if (fake->status == SW_READ_LATER && fake->reads > LATER_READS)
		fake->status = SW_READ_OK;
	if (fake->status == SW_READ_OK)
		values[0] = fake->reads;
	return fake->status;
}

#define FAKE(which)                                                           \
	static enum sw_read_status open_##which(void *state,                  \
						const struct sw_target *to)   \
	{                                                                     \
		which.opened++;                                               \
		if (which.status == SW_READ_ABSENT)                           \
			return SW_READ_ABSENT;                                \
		fake_open(state, to);                                         \
		return which.status == SW_READ_LATER ? SW_READ_LATER :        \
						       SW_READ_OK;            \
	}                                                                     \
	static enum sw_read_status read_##which(                              \
		void *state, const struct sw_target *to, uint64_t *values)    \
	{                                                                     \
		(void)state, (void)to;                                        \
		return read_as(&which, values);                               \
	}                                                                     \
	static void close_##which(void *state)                                \
	{                                                                     \
		(void)state;                                                  \
		which.closed++;                                               \
	}                                                                     \
	static const char *reason_##which(const void *state,                  \
					  enum sw_read_status status)         \
	{                                                                     \
		(void)state;                                                  \
		return status == SW_READ_ABSENT ? "no " #which " here" : NULL;\
	}                                                                     \
	static const struct sw_source source_##which = {                      \
		.name = #which, .backend = "proc", .scope = SW_SCOPE_STEP,     \
		.cadence = CADENCE, .columns = fake_columns,                  \
		.column_count = 1, .state_size = 24,                          \
		.open = open_##which, .read = read_##which,                   \
		.reason = reason_##which, .close = close_##which,             \
	};

static const struct sw_column fake_columns[] = {
	{ "reads", "count", SW_KIND_COUNTER, "Reads so far." },
};

#define CADENCE SW_EVERY_PERIOD
FAKE(good)
FAKE(absent)
FAKE(gone)
FAKE(garbage)
FAKE(later)
#undef CADENCE
#define CADENCE SW_EVERY_TENTH
FAKE(dear)

static const struct sw_source *const fakes[] = {
	&source_good, &source_dear, &source_absent, &source_gone,
	&source_garbage, &source_later, NULL,
};

static char folder[] = "/tmp/stepwell-check-loop.XXXXXX";

/* Take count samples and a final one; returns the profile to be read. */
static uint64_t later_began_usec;

static struct sw_reader *sample_fakes(int count)
{
	struct sw_target target = { .cgroup_fd = -1 };
	struct sw_sampler_self self = { 0 };
	struct sw_error error = { "" };
	struct sw_sampler *sampler;
	struct sw_events events;
	struct sw_writer *writer;
	struct sw_reader *reader;
	char path[sizeof(folder) + 8];
	int dirfd, i;

	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	target.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	writer = sw_writer_create(dirfd, "p", false, &error);
	ck_assert_msg(writer != NULL, "%s", error.text);
	ck_assert_int_eq(sw_events_open(&events, writer, &error), 0);
	sampler = sw_sampler_create(fakes, &target, writer, &events, &error);
	ck_assert_msg(sampler != NULL, "%s", error.text);
	for (i = 0; i < count; i++) {
		sw_sampler_take(sampler, &self, false);
		if (i == 0)
			later_began_usec =
				sw_sampler_began_usec(sampler, "later");
	}
	sw_sampler_take(sampler, &self, true);
	ck_assert(sw_is_missing(sw_sampler_began_usec(sampler, "later")));
	ck_assert(sw_is_missing(sw_sampler_began_usec(sampler, "good")));
	ck_assert_uint_eq(sw_sampler_count(sampler), (uint64_t)count + 1);
	ck_assert(sw_sampler_has(sampler, "proc"));
	ck_assert(!sw_sampler_has(sampler, "cgroup.v2"));
	sw_sampler_destroy(sampler);
	ck_assert_int_eq(sw_writer_finish(writer, 1, &error), 0);
	sw_writer_destroy(writer);
	close(target.proc_fd);
	snprintf(path, sizeof(path), "%s/p", folder);
	reader = sw_reader_open(path, &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	unlinkat(dirfd, "p", 0);
	close(dirfd);
	rmdir(folder);
	return reader;
}

static size_t rows_of(const struct sw_reader *reader, const char *table)
{
	const struct sw_reader_table *found = sw_reader_find(reader, table);

	return found ? found->row_count : 0;
}

static size_t events_of(const struct sw_reader *reader, const char *kind,
			const char *source)
{
	const struct sw_reader_table *table = sw_reader_find(reader, "events");
	const struct sw_reader_column *kinds, *details;
	size_t i, count = 0;

	ck_assert_ptr_nonnull(table);
	kinds = sw_reader_find_column(table, "kind");
	details = sw_reader_find_column(table, "detail");
	for (i = 0; i < table->row_count; i++)
		count += !strcmp(kinds->texts[i], kind) &&
			 !strncmp(details->texts[i], source, strlen(source));
	return count;
}

static void set_fakes(void)
{
	good = dear = (struct fake){ .status = SW_READ_OK };
	absent = (struct fake){ .status = SW_READ_ABSENT };
	gone = (struct fake){ .status = SW_READ_GONE };
	garbage = (struct fake){ .status = SW_READ_GARBAGE };
	later = (struct fake){ .status = SW_READ_LATER };
}

START_TEST(every_source_gets_its_due)
{
	struct sw_reader *reader;

	set_fakes();
	reader = sample_fakes(100);
	ck_assert_uint_eq(good.reads, 101);
	ck_assert_uint_eq(rows_of(reader, "series.good"), 101);
	ck_assert_uint_eq(dear.reads, 11);	/* ten of 100, and the end */
	ck_assert_uint_eq(rows_of(reader, "series.dear"), 11);
	ck_assert_uint_eq(rows_of(reader, "series.recorder"), 101);
	ck_assert_uint_eq(absent.reads, 0);
	ck_assert_ptr_null(sw_reader_find(reader, "series.absent"));
	ck_assert_uint_eq(good.closed + dear.closed + absent.closed +
			  gone.closed + garbage.closed + later.closed, 6);
	ck_assert_uint_eq(events_of(reader, "source_absent",
				    "absent: no absent here"), 1);
	ck_assert_uint_eq(events_of(reader, "source_absent", "good:"), 0);
	sw_reader_close(reader);
}
END_TEST

/* Sources waiting for BPF: no row of what it counts from the start is lost. */
START_TEST(later_ones_begin_with_zero)
{
	const struct sw_reader_column *reads;
	const struct sw_reader_table *table;
	struct sw_reader *reader;

	set_fakes();
	reader = sample_fakes(100);
	table = sw_reader_find(reader, "series.later");
	ck_assert_ptr_nonnull(table);
	ck_assert_uint_eq(table->row_count, 1 + 101 - LATER_READS);
	reads = sw_reader_find_column(table, "reads");
	ck_assert_uint_eq(reads->numbers[0], 0);
	ck_assert_uint_eq(reads->numbers[1], LATER_READS + 1);
	reads = sw_reader_find_column(table, "time_usec");
	ck_assert_uint_lt(reads->numbers[0], reads->numbers[1]);
	/* Who asks while it waits hears of the row that will be there. */
	ck_assert_uint_eq(later_began_usec, reads->numbers[0]);
	ck_assert_uint_eq(events_of(reader, "source_lost", "later:") +
			  events_of(reader, "source_absent", "later:"), 0);
	sw_reader_close(reader);
}
END_TEST

START_TEST(garbage_is_visited_less)
{
	struct sw_reader *reader;

	set_fakes();
	reader = sample_fakes(1000);
	/* 0 1 3 7 15 31 63 127, then each 64th, and the end */
	ck_assert_uint_eq(garbage.reads, 8 + (1000 - 128) / 64 + 1);
	ck_assert_uint_eq(rows_of(reader, "series.garbage"), 0);
	ck_assert_uint_eq(events_of(reader, "source_invalid", "garbage:"), 1);
	ck_assert_uint_eq(events_of(reader, "source_lost", "gone:"), 1);
	ck_assert_uint_eq(rows_of(reader, "series.good"), 1001);
	sw_reader_close(reader);
}
END_TEST

/* ---- options ---- */

#define RUN "recorder", "--foreground"

static const struct {
	const char *argv[8];
	const char *complaint;	/* part of it; NULL: none */
} lines[] = {
	{ { RUN, "--", "true" }, NULL },
	{ { RUN, "true", "--mem", "x" }, NULL },
	{ { RUN, "--mem", "500M", "--cpus=2.5", "--", "true" }, NULL },
	{ { RUN, "--time", "1:30:00", "--period=20ms", "true" }, NULL },
	{ { RUN, "--mem=12Q", "true" }, "--mem '12Q'" },
	{ { RUN, "--cpus=0", "true" }, "--cpus '0'" },
	{ { RUN, "--cpus=0.0001", "true" }, "--cpus" },
	{ { RUN, "--cpus=-1", "true" }, "--cpus" },
	{ { RUN, "--cpus=1.", "true" }, "--cpus" },
	{ { RUN, "--cpus=.5", "true" }, "--cpus" },
	{ { RUN, "--cpus=1e3", "true" }, "--cpus" },
	{ { RUN, "--cpus=99999999999999999999", "true" }, "--cpus" },
	{ { RUN, "--cpus=", "true" }, "--cpus" },
	{ { RUN, "--period=0", "true" }, "--period '0'" },
	{ { RUN, "--period=9ms", "true" }, "10ms" },
	{ { RUN, "--period=61m", "true" }, "1h" },
	{ { RUN, "--time=soon", "true" }, "--time 'soon'" },
	{ { RUN, "--output=", "true" }, "--output" },
	{ { RUN, "--frobnicate", "true" }, "--frobnicate" },
	{ { RUN, "--mem" }, "needs a value" },
	{ { RUN, "--force=yes", "true" }, "--force=yes" },
	{ { RUN, "--mem=\033[2Jx", "true" }, "\\x1b[2Jx" },
	{ { RUN }, "no command" },
	{ { RUN, "--" }, "no command" },
	{ { RUN, "--", "" }, "no command" },
	{ { "recorder", "true" }, "stepwell run" },
};

START_TEST(parses_options)
{
	const char *const *argv = lines[_i].argv;
	struct sw_error error = { "" };
	struct sw_options options;
	int result, argc = 0;

	while (argc < 8 && argv[argc])
		argc++;
	result = sw_options_parse(&options, argc, (char **)argv, &error);
	if (!lines[_i].complaint) {
		ck_assert_msg(result == 0, "%s", error.text);
		ck_assert_str_eq(options.command[0], "true");
		return;
	}
	ck_assert_int_eq(result, -1);
	ck_assert_msg(strstr(error.text, lines[_i].complaint) != NULL,
		      "\"%s\" lacks \"%s\"", error.text, lines[_i].complaint);
}
END_TEST

START_TEST(options_have_their_values)
{
	const char *argv[] = { RUN, "--mem=1G", "--cpus=2.125", "--time=90",
			       "--period=250ms", "--name=n", "--output=o",
			       "--force", "--no-report", "--", "sh", "-c",
			       NULL };
	struct sw_error error = { "" };
	struct sw_options options;

	ck_assert_int_eq(sw_options_parse(&options, COUNT(argv) - 1,
					  (char **)argv, &error), 0);
	ck_assert_uint_eq(options.memory_bytes, SW_GIB);
	ck_assert_uint_eq(options.cpus_milli, 2125);
	ck_assert_uint_eq(options.time_usec, 5400 * SECOND);
	ck_assert_uint_eq(options.period_usec, SECOND / 4);
	ck_assert_str_eq(options.name, "n");
	ck_assert_str_eq(options.output, "o");
	ck_assert(options.is_forced && !options.has_report);
	ck_assert_str_eq(options.command[1], "-c");
	ck_assert_int_eq(sw_options_parse(&options, 3, (char *[]){
				"recorder", "--foreground", "true", NULL },
				&error), 0);
	ck_assert(sw_is_missing(options.memory_bytes) &&
		  sw_is_missing(options.cpus_milli) &&
		  sw_is_missing(options.time_usec) &&
		  sw_is_missing(options.period_usec));
	ck_assert(options.has_report && !options.is_forced);
}
END_TEST

/* ---- the CPU limit ---- */

enum { LIMIT = 5, ROUND_COST = 90000 };

/* Passes of this cost, one a second if allowed. */
static uint64_t use_budget(struct sw_cpu_budget *budget, uint64_t now,
			   uint64_t until, uint64_t cost, uint64_t *samples)
{
	uint64_t cpu = budget->cpu_usec, resume = now;

	for (*samples = 0; now < until; ++*samples) {
		cpu += cost;
		resume = sw_cpu_budget_count(budget, now, cpu);
		now += SECOND;
		now = resume > now ? resume : now;
	}
	return cpu;
}

START_TEST(limit_is_kept)
{
	const uint64_t start = 7 * HOUR, allowed = HOUR / 100 * LIMIT;
	const uint64_t saved = SW_CPU_BUDGET_SAVED_USEC / 100 * LIMIT;
	struct sw_cpu_budget budget;
	uint64_t used, samples;

	sw_cpu_budget_start(&budget, LIMIT, start, 123456);
	used = use_budget(&budget, start, start + HOUR, ROUND_COST, &samples) -
	       123456;
	ck_assert_uint_le(used, allowed + saved + ROUND_COST);
	/* The budget is not left unused, either. */
	ck_assert_uint_ge(used, allowed);
	ck_assert_uint_ge(samples, allowed / ROUND_COST);
}
END_TEST

/* The first minute of a job, which must be sampled at once. */
START_TEST(limit_is_kept_from_the_beginning)
{
	struct sw_cpu_budget budget;
	uint64_t used, samples;

	sw_cpu_budget_start(&budget, LIMIT, 0, 0);
	used = use_budget(&budget, 0, 45 * SECOND, ROUND_COST, &samples);
	ck_assert_uint_le(used, (45 + 10) * SECOND / 100 * LIMIT + ROUND_COST);
	ck_assert_uint_ge(samples, 25);
}
END_TEST

START_TEST(what_is_cheap_is_not_put_off)
{
	struct sw_cpu_budget budget;
	uint64_t samples;

	sw_cpu_budget_start(&budget, LIMIT, 0, 0);
	use_budget(&budget, 0, HOUR, 49000, &samples);
	ck_assert_uint_eq(samples, 3600);
}
END_TEST

/* A single long pass, or a clock that jumped, must not stop sampling. */
START_TEST(no_wait_is_without_end)
{
	struct sw_cpu_budget budget;

	sw_cpu_budget_start(&budget, 1, 0, 0);
	ck_assert_uint_eq(sw_cpu_budget_count(&budget, SECOND, 3600 * SECOND),
			  SECOND + SW_CPU_BUDGET_WAIT_USEC);
	ck_assert_uint_eq(sw_cpu_budget_count(&budget, 2 * SECOND, SW_MISSING),
			  SECOND + SW_CPU_BUDGET_WAIT_USEC);
	ck_assert_uint_eq(sw_cpu_budget_count(&budget, 99 * HOUR,
					      3600 * SECOND), 99 * HOUR);
	/* It has not accumulated more than the maximum. */
	ck_assert_uint_eq(sw_cpu_budget_count(&budget, 99 * HOUR,
					      3600 * SECOND + SECOND),
			  99 * HOUR + SW_CPU_BUDGET_WAIT_USEC);
}
END_TEST

/* ---- exit statuses of a shell ---- */

static const struct {
	const char *program;
	int failure, status;
	const char *text;
} failures[] = {
	{ "nosuch", ENOENT, 127, "nosuch: command not found" },
	{ "/no/such", ENOENT, 127, "/no/such: No such file or directory" },
	{ "/etc/passwd", ENOENT, 127,
	  "/etc/passwd: its interpreter was not found" },
	{ "/etc/passwd", EACCES, 126, "/etc/passwd: Permission denied" },
	{ "x", ENOEXEC, 126, "x: Exec format error" },
	{ "\033]0;x\a", ENOENT, 127, "\\x1b]0;x\\x07: command not found" },
};

START_TEST(speaks_like_a_shell)
{
	struct sw_error error = { "" };

	ck_assert_int_eq(sw_command_exec_failure(failures[_i].program,
						 failures[_i].failure, &error),
			 failures[_i].status);
	ck_assert_str_eq(error.text, failures[_i].text);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("parts");

	tcase_add_loop_test(tcase, period_grows_with_age, 0, COUNT(grid));
	tcase_add_loop_test(tcase, late_rounds_keep_the_grid, 0,
			    COUNT(rounds));
	tcase_add_test(tcase, limit_is_kept);
	tcase_add_test(tcase, limit_is_kept_from_the_beginning);
	tcase_add_test(tcase, what_is_cheap_is_not_put_off);
	tcase_add_test(tcase, no_wait_is_without_end);
	tcase_add_test(tcase, every_source_gets_its_due);
	tcase_add_test(tcase, garbage_is_visited_less);
	tcase_add_test(tcase, later_ones_begin_with_zero);
	tcase_add_loop_test(tcase, parses_options, 0, COUNT(lines));
	tcase_add_test(tcase, options_have_their_values);
	tcase_add_loop_test(tcase, speaks_like_a_shell, 0, COUNT(failures));
	return run_tests("loop", tcase, NULL);
}
