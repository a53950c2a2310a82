/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_history [--rows N] [--queries N] [--folder FOLDER]: measure
 * writing a history of a million runs, its size, and the time from opening it
 * to the advice on a group, with and without the file in the page cache; next
 * to a plain SQLite table without an index, with the same rows in the same run.
 */
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/compare/compare.h"
#include "analyzer/history/history_prints.h"
#include "analyzer/requests/advice.h"
#include "analyzer/settings/settings.h"
#include "bench/history_plain.h"
#include "bench/history_rows.h"
#include "bench/measure.h"

enum {
	CHUNK = 20000,
	QUERIES_MAX = 5000,
	PAIRS = 10,	/* groups also read from the plain table */
	READ_MAX = 2 * SW_EXPECTED_RUNS,	/* as by a report */
	PATH_SIZE = 4096,
};

#define NSEC_PER_SEC 1e9
#define NSEC_PER_MSEC 1e6

struct bench {
	struct history_rows rows;
	char path[PATH_SIZE], plain_path[PATH_SIZE];
	struct sw_settings *settings;
	uint64_t queries;
	uint64_t write_nsec, plain_nsec;
	uint64_t print_bytes;	/* of all fingerprints */
};

/* A query.  CPU time excludes other processes of the machine. */
struct timing {
	uint64_t all_nsec, cpu_nsec;
	size_t runs;
};

static int fail(const struct sw_error *error)
{
	fprintf(stderr, "bench_history: %s\n", error->text);
	return -1;
}

static int write_chunk(struct bench *bench, struct sw_history *history,
		       uint32_t from, uint32_t to)
{
	struct history_row row;
	struct sw_error error;
	uint32_t i;

	if (sw_history_begin(history, &error) < 0)
		return fail(&error);
	for (i = from; i < to; i++) {
		history_rows_get(&bench->rows, i, &row);
		if (sw_history_add(history, &row.run, &error) < 0)
			return fail(&error);
		bench->print_bytes += row.run.fingerprint_size;
	}
	return sw_history_commit(history, &error) < 0 ? fail(&error) : 0;
}

static int write_plain(struct bench *bench, struct history_plain *plain,
		       uint32_t from, uint32_t to)
{
	struct history_row row;
	uint32_t i;

	if (history_plain_begin(plain) < 0)
		return -1;
	for (i = from; i < to; i++) {
		history_rows_get(&bench->rows, i, &row);
		if (history_plain_add(plain, &row.run) < 0)
			return -1;
	}
	return history_plain_commit(plain);
}

/* Alternate, so that both see the same machine load. */
static int write_both(struct bench *bench, struct sw_history *history,
		      struct history_plain *plain)
{
	uint32_t from, to;
	uint64_t begin, middle;

	for (from = 0; from < bench->rows.count; from = to) {
		to = from + CHUNK < bench->rows.count ? from + CHUNK :
							bench->rows.count;
		begin = measure_wall_nsec();
		if (write_chunk(bench, history, from, to) < 0)
			return -1;
		middle = measure_wall_nsec();
		if (write_plain(bench, plain, from, to) < 0)
			return -1;
		bench->write_nsec += middle - begin;
		bench->plain_nsec += measure_wall_nsec() - middle;
	}
	return 0;
}

static double file_mib(const char *path)
{
	struct stat status;

	return stat(path, &status) < 0 ? NAN :
	       (double)status.st_size / 1048576;
}

static int make(struct bench *bench)
{
	struct history_plain *plain = history_plain_open(bench->plain_path);
	struct sw_history *history;
	struct sw_error error;
	int rc = -1;

	history = sw_history_open(bench->path, true, &error);
	if (!history)
		fail(&error);
	if (history && plain)
		rc = write_both(bench, history, plain);
	sw_history_close(history);
	history_plain_close(plain);
	return rc;
}

static void print_made(const struct bench *bench)
{
	double rows = bench->rows.count;
	double rate = rows / ((double)bench->write_nsec / NSEC_PER_SEC);
	double plain = rows / ((double)bench->plain_nsec / NSEC_PER_SEC);
	double size = file_mib(bench->path);
	double plain_size = file_mib(bench->plain_path);
	double prints = (double)bench->print_bytes / 1048576;

	printf("%u runs of %u groups\n\n", bench->rows.count,
	       bench->rows.group_count);
	printf("%-28s %12s %12s %8s\n", "", "history", "plain table",
	       "ratio");
	printf("%-28s %12.0f %12.0f %8.2f\n", "rows written per second", rate,
	       plain, rate / plain);
	printf("%-28s %12.0f %12.0f %8.2f\n", "size, MiB", size, plain_size,
	       size / plain_size);
	printf("%-28s %12.0f\n", "of it fingerprints, MiB", prints);
	printf("with / without fingerprints  %12.2f\n",
	       size / (size - prints));
	fflush(stdout);
}

/* Drop the file from the page cache, so that it is read from disk. */
static int forget(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = -1;

	if (fd < 0)
		return -1;
	if (fdatasync(fd) == 0)
		rc = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return rc;
}

static int ask(const struct bench *bench, const struct history_group *group,
	       bool is_cold, struct timing *timing)
{
	struct sw_history *history;
	struct sw_advice advice;
	struct sw_error error;
	uint64_t begin, cpu;

	if (is_cold && forget(bench->path) < 0)
		return -1;
	cpu = measure_cpu_nsec();
	begin = measure_wall_nsec();
	history = sw_history_open(bench->path, false, &error);
	if (!history)
		return fail(&error);
	if (sw_advice_init(&advice, history, group->group, bench->settings,
			   NULL, &error) < 0) {
		sw_history_close(history);
		return fail(&error);
	}
	timing->runs = advice.runs.count;
	sw_advice_fini(&advice);
	sw_history_close(history);
	timing->all_nsec = measure_wall_nsec() - begin;
	timing->cpu_nsec = measure_cpu_nsec() - cpu;
	return 0;
}

/* Read the same runs only, without advice. */
static int read_runs(const struct bench *bench, const char *group,
		     uint64_t *nsec)
{
	struct sw_history *history;
	struct sw_history_runs runs;
	struct sw_error error;
	uint64_t begin = measure_wall_nsec();
	int rc;

	history = sw_history_open(bench->path, false, &error);
	if (!history)
		return fail(&error);
	rc = sw_history_runs(history, group, SW_ADVICE_RUNS_MAX, &runs,
			     &error);
	if (rc == 0)
		sw_history_runs_fini(&runs);
	sw_history_close(history);
	*nsec = measure_wall_nsec() - begin;
	return rc < 0 ? fail(&error) : 0;
}

static const struct history_group *any_group(struct bench *bench)
{
	return &bench->rows.groups[history_rows_random(&bench->rows,
						bench->rows.group_count)];
}

/* Print median, 99th percentile and maximum, in milliseconds. */
static void print_quantiles(uint64_t *values, uint64_t count)
{
	static const unsigned permille[] = { 500, 990, 1000 };
	size_t i;

	for (i = 0; i < sizeof(permille) / sizeof(*permille); i++)
		printf("%9.2f", (double)measure_quantile(values, count,
							 permille[i]) /
		       NSEC_PER_MSEC);
}

/* Print the timings of groups with least to most runs. */
static void print_timings(const char *what, const struct timing *timings,
			  size_t count, size_t least, size_t most)
{
	static uint64_t wall[QUERIES_MAX], cpu[QUERIES_MAX];
	uint64_t used = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (timings[i].runs < least || timings[i].runs > most)
			continue;
		wall[used] = timings[i].all_nsec;
		cpu[used++] = timings[i].cpu_nsec;
	}
	if (!used)
		return;
	printf("  %-22s", what);
	print_quantiles(wall, used);
	print_quantiles(cpu, used);
	putchar('\n');
}

static int ask_many(struct bench *bench, bool is_cold)
{
	static struct timing timings[QUERIES_MAX];
	size_t i, count = (size_t)bench->queries;

	for (i = 0; i < count; i++) {
		if (ask(bench, any_group(bench), is_cold, &timings[i]) < 0)
			return -1;
	}
	printf("\nOne suggestion, from opening, file %s, %zu groups, in ms\n",
	       is_cold ? "not in the cache" : "in the cache", count);
	printf("  %-22s%9s%9s%9s%9s%9s%9s\n", "", "median", "99 %", "most",
	       "CPU", "99 %", "most");
	print_timings("all groups", timings, count, 0, SIZE_MAX);
	print_timings("1 to 9 runs", timings, count, 1, 9);
	print_timings("10 to 99 runs", timings, count, 10, 99);
	print_timings("100 runs and more", timings, count, 100,
		      SW_ADVICE_RUNS_MAX - 1);
	print_timings("the newest of many", timings, count,
		      SW_ADVICE_RUNS_MAX, SIZE_MAX);
	fflush(stdout);
	return 0;
}

/* Compare the newest run of a group with those before, as a report does. */
static int compare_newest(const struct bench *bench,
			  const struct history_group *group,
			  struct timing *timing)
{
	const struct sw_fingerprint *list[READ_MAX];
	struct sw_comparison comparison;
	struct sw_history_prints prints;
	uint64_t begin = measure_wall_nsec(), cpu = measure_cpu_nsec();
	struct sw_history *history;
	struct sw_error error;
	size_t i;
	int rc = 0;

	history = sw_history_open(bench->path, false, &error);
	if (!history || sw_history_prints(history, group->group, INFINITY,
					  READ_MAX, &prints, &error) < 0) {
		sw_history_close(history);
		return fail(&error);
	}
	for (i = 0; i < prints.count; i++)
		list[i] = &prints.items[i].print;
	if (prints.count > 0) {
		rc = sw_compare_run(&comparison, list[prints.count - 1], list,
				    prints.count - 1);
		sw_comparison_fini(&comparison);
	}
	timing->runs = prints.count;
	sw_history_prints_fini(&prints);
	sw_history_close(history);
	timing->all_nsec = measure_wall_nsec() - begin;
	timing->cpu_nsec = measure_cpu_nsec() - cpu;
	return rc;
}

static int compare_many(struct bench *bench)
{
	static struct timing timings[QUERIES_MAX];
	size_t i, count = (size_t)bench->queries;

	for (i = 0; i < count; i++) {
		if (compare_newest(bench, any_group(bench), &timings[i]) < 0)
			return -1;
	}
	printf("\nA run beside its past, from opening, file in the cache, %zu "
	       "groups, in ms\n", count);
	print_timings("all groups", timings, count, 0, SIZE_MAX);
	print_timings("10 to 99 runs", timings, count, 10, 99);
	print_timings("the newest of many", timings, count, READ_MAX, SIZE_MAX);
	fflush(stdout);
	return 0;
}

static int compare_reading(struct bench *bench)
{
	uint64_t own[PAIRS], plain[PAIRS], begin, ratios[PAIRS];
	struct history_plain *table;
	struct measure_spread spread;
	size_t i;

	for (i = 0; i < PAIRS; i++) {
		const char *group = any_group(bench)->group;

		if (read_runs(bench, group, &own[i]) < 0)
			return -1;
		begin = measure_wall_nsec();
		table = history_plain_open(bench->plain_path);
		if (!table || history_plain_read(table, group,
						 SW_ADVICE_RUNS_MAX) < 0)
			return -1;
		history_plain_close(table);
		plain[i] = measure_wall_nsec() - begin;
		ratios[i] = 1000 * plain[i] / own[i];
	}
	spread = measure_spread_of(ratios, PAIRS);
	printf("\nThe runs of a group alone, from opening, warm (%d pairs)\n",
	       PAIRS);
	printf("  %-26s %9.2f ms\n", "history, median",
	       (double)measure_quantile(own, PAIRS, 500) / NSEC_PER_MSEC);
	printf("  %-26s %9.2f ms\n", "plain table, median",
	       (double)measure_quantile(plain, PAIRS, 500) / NSEC_PER_MSEC);
	printf("  plain table / history      %9.0f (%.0f to %.0f)\n",
	       spread.median, spread.least, spread.greatest);
	return 0;
}

static int run(struct bench *bench, uint32_t rows)
{
	struct sw_error error;
	int rc = -1;

	setenv("STEPWELL_CONF", "/dev/null", 1);
	bench->settings = sw_settings_load(NULL, &error);
	if (!bench->settings)
		return fail(&error);
	if (history_rows_init(&bench->rows, rows) == 0 && make(bench) == 0) {
		print_made(bench);
		rc = ask_many(bench, false);
	}
	if (rc == 0)
		rc = ask_many(bench, true);
	if (rc == 0)
		rc = compare_many(bench);
	if (rc == 0)
		rc = compare_reading(bench);
	history_rows_fini(&bench->rows);
	sw_settings_free(bench->settings);
	return rc;
}

static int parse(int argc, char **argv, uint64_t *rows, uint64_t *queries,
		 const char **folder)
{
	static const struct option options[] = {
		{ "rows", required_argument, NULL, 'r' },
		{ "queries", required_argument, NULL, 'q' },
		{ "folder", required_argument, NULL, 'f' },
		{ NULL, 0, NULL, 0 },
	};
	int option, rc = 0;

	while ((option = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (option == 'r')
			rc |= measure_parse_number(optarg, 100000000, rows);
		else if (option == 'q')
			rc |= measure_parse_number(optarg, QUERIES_MAX,
						   queries);
		else if (option == 'f')
			*folder = optarg;
		else
			rc = -1;
	}
	return rc == 0 && optind == argc ? 0 : -1;
}

/* The last reader of a history leaves SQLite's -wal and -shm files. */
static void remove_made(const struct bench *bench, const char *made)
{
	char beside[PATH_SIZE + 8];

	unlink(bench->path);
	unlink(bench->plain_path);
	snprintf(beside, sizeof(beside), "%s-wal", bench->path);
	unlink(beside);
	snprintf(beside, sizeof(beside), "%s-shm", bench->path);
	unlink(beside);
	rmdir(made);
}

int main(int argc, char **argv)
{
	const char *folder = getenv("TMPDIR");
	struct bench bench = { .queries = 1000 };
	char made[PATH_SIZE / 2];
	uint64_t rows = 1000000;
	int rc;

	if (!folder)
		folder = "/var/tmp";
	if (parse(argc, argv, &rows, &bench.queries, &folder) < 0) {
		fputs("usage: bench_history [--rows N] [--queries N] "
		      "[--folder FOLDER]\n", stderr);
		return 2;
	}
	snprintf(made, sizeof(made), "%s/bench_history.XXXXXX", folder);
	if (!mkdtemp(made)) {
		perror(made);
		return EXIT_FAILURE;
	}
	snprintf(bench.path, sizeof(bench.path), "%s/h.sqlite", made);
	snprintf(bench.plain_path, sizeof(bench.plain_path), "%s/p.sqlite",
		 made);
	rc = run(&bench, (uint32_t)rows);
	remove_made(&bench, made);
	return rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
