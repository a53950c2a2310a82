/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_recorder: CPU time of the recorder per task and sample, next to
 * that of the reads of Slurm's jobacct_gather for the same tasks in the same
 * seconds, with few and with many foreign processes on the machine.
 *
 * Backends that this machine lacks are skipped and named; fails (exit 1) if a
 * run fails, if a figure contradicts another source, or if no backend is left.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/baseline_jobacct.h"
#include "bench/foreign.h"
#include "bench/measure.h"
#include "bench/recorder_account.h"
#include "bench/recorder_results.h"
#include "bench/recorder_workers.h"

enum { NOBODY = 65534, PROBE_SAMPLES = 12, PATH_ROOM = 64 };

static const struct recorder_mode modes[] = {
	{ .name = "A cgroup of the command's own, programs by BPF",
	  .backend = "cgroup", .programs = "bpf", .has_cgroup = true },
	{ .name = "A cgroup of the command's own, programs by /proc",
	  .backend = "cgroup", .programs = "proc", .has_cgroup = true },
	{ .name = "The process tree, without rights",
	  .backend = "process.tree", .programs = "proc", .has_cgroup = false },
};

enum { MODE_COUNT = sizeof(modes) / sizeof(modes[0]) };

static struct {
	uint64_t period_ms;
	uint64_t samples;
	const char *recorder_path;
	const char *folder;
} settings = {
	.period_ms = 50,
	.samples = 40,
	.folder = "/var/tmp",
};

static struct recorder_results results = {
	.pair_count = 5,
	.foreign_count = 3, .foreign = { 100, 1000, 5000 },
	.tasks_count = 3, .tasks = { 1, 8, 64 },
};

static recorder_cells cells[MODE_COUNT];
static bool is_available[MODE_COUNT];
static uint64_t walk_nsec[RECORDER_SIZES_MAX][RECORDER_PAIRS_MAX];
static struct foreign foreign;
static char work_folder[PATH_MAX];
static char profile_path[PATH_MAX + PATH_ROOM];

static void print_usage(FILE *to)
{
	fprintf(to,
		"usage: bench_recorder [--pairs N] [--samples N] "
		"[--period-ms N]\n"
		"                      [--foreign N,...] [--tasks N,...]\n"
		"                      [--dir DIR] [--recorder PATH]\n"
		"  --pairs      how often each is measured (5)\n"
		"  --samples, --period-ms   in a run (40 of 50 ms)\n"
		"  --foreign    foreign processes (100,1000,5000)\n"
		"  --tasks      tasks of one process each (1,8,64)\n"
		"  --dir        where profiles go (/var/tmp)\n"
		"  --recorder   stepwell-recorder (that of the build tree)\n");
}

/* Parse a list of rising numbers: foreign processes are only added. */
static int parse_list(const char *text, uint64_t max, uint64_t *values,
		      size_t *count)
{
	size_t found = 0;

	for (;;) {
		char *end;
		uint64_t value;

		errno = 0;
		if (found == RECORDER_SIZES_MAX || *text < '0' || *text > '9')
			return -1;
		value = strtoull(text, &end, 10);
		if (errno != 0 || value == 0 || value > max ||
		    (found > 0 && value <= values[found - 1]))
			return -1;
		values[found++] = value;
		if (*end == '\0')
			break;
		if (*end != ',')
			return -1;
		text = end + 1;
	}
	*count = found;
	return 0;
}

static int parse_number(const char *text, uint64_t max, uint64_t *value)
{
	uint64_t values[RECORDER_SIZES_MAX];
	size_t count;

	if (parse_list(text, max, values, &count) < 0 || count != 1)
		return -1;
	*value = values[0];
	return 0;
}

static int parse_option(int option)
{
	uint64_t pairs;

	switch (option) {
	case 'n':
		if (parse_number(optarg, RECORDER_PAIRS_MAX, &pairs) < 0)
			return -1;
		results.pair_count = (size_t)pairs;
		return 0;
	case 's':
		return parse_number(optarg, RECORDER_LOOKS_MAX,
				    &settings.samples);
	case 'p':
		return parse_number(optarg, 60000, &settings.period_ms);
	case 'f':
		return parse_list(optarg, FOREIGN_MAX, results.foreign,
				  &results.foreign_count);
	case 't':
		return parse_list(optarg, WORKERS_MAX, results.tasks,
				  &results.tasks_count);
	case 'd':
		settings.folder = optarg;
		return 0;
	case 'r':
		settings.recorder_path = optarg;
		return 0;
	}
	return -1;
}

static int parse_arguments(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pairs", required_argument, NULL, 'n' },
		{ "samples", required_argument, NULL, 's' },
		{ "period-ms", required_argument, NULL, 'p' },
		{ "foreign", required_argument, NULL, 'f' },
		{ "tasks", required_argument, NULL, 't' },
		{ "dir", required_argument, NULL, 'd' },
		{ "recorder", required_argument, NULL, 'r' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (parse_option(option) < 0)
			return -1;
	/* The first and the last samples are not counted. */
	if (settings.samples < PROBE_SAMPLES || settings.period_ms < 10)
		return -1;
	return optind == argc ? 0 : -1;
}

static int complain(const char *what, const struct sw_error *error)
{
	fprintf(stderr, "bench_recorder: %s: %s\n", what, error->text);
	return -1;
}

static int run_mode(size_t mode, uint64_t tasks, uint64_t samples,
		    struct recorder_costs *costs)
{
	struct recorder_task task = {
		.mode = &modes[mode],
		.recorder_path = settings.recorder_path,
		.profile_path = profile_path,
		.tasks = (size_t)tasks,
		.period_ms = settings.period_ms,
		.samples = samples,
	};
	struct sw_error error;

	if (recorder_run(&task, costs, &error) < 0)
		return complain(modes[mode].name, &error);
	return 0;
}

/* Find out which backends are available. */
static int probe(void)
{
	static struct recorder_costs costs;
	size_t count = 0;

	for (size_t i = 0; i < MODE_COUNT; i++) {
		if (run_mode(i, 1, PROBE_SAMPLES, &costs) < 0)
			return -1;
		is_available[i] = !costs.is_other_backend;
		count += is_available[i];
		if (costs.is_other_backend)
			printf("left out: %s (here: %s)\n", modes[i].name,
			       costs.backend);
	}
	if (count > 0)
		return 0;
	fprintf(stderr, "bench_recorder: no backend of the recorder is here\n");
	return -1;
}

static int walk(size_t size, size_t pair)
{
	struct jobacct_sample sample;
	uint64_t begin_nsec = measure_cpu_nsec();

	if (walk_poll(&sample) < 0 ||
	    sample.processes < results.foreign[size]) {
		fprintf(stderr, "bench_recorder: a walk over /proc saw %"
			PRIu64 " processes\n", sample.processes);
		return -1;
	}
	walk_nsec[size][pair] = measure_cpu_nsec() - begin_nsec;
	return 0;
}

/* Run all modes in turn, in reverse order in every second pair. */
static int run_size(size_t size, size_t pair)
{
	for (size_t k = 0; k < results.tasks_count; k++)
		for (size_t i = 0; i < MODE_COUNT; i++) {
			size_t mode = pair % 2 ? MODE_COUNT - 1 - i : i;

			if (is_available[mode] &&
			    run_mode(mode, results.tasks[k], settings.samples,
				     &cells[mode][size][k].pair[pair]) < 0)
				return -1;
		}
	return walk(size, pair);
}

static int run_pair(size_t pair)
{
	struct sw_error error;
	int result = 0;

	for (size_t i = 0; i < results.foreign_count && result == 0; i++) {
		result = foreign_grow(&foreign, (size_t)results.foreign[i],
				      &error);
		if (result < 0)
			complain("foreign processes", &error);
		else
			result = run_size(i, pair);
	}
	foreign_stop(&foreign);
	return result;
}

static int bench_all(void)
{
	if (probe() < 0)
		return -1;
	printf("%zu pairs; %" PRIu64 " samples of %" PRIu64 " ms in a run; "
	       "CPU time, median (least-most) of the pairs.\n"
	       "stepwell: all of a sample, with the wake-up and the file.  "
	       "Launch: until all\ntasks were up; end: from their end on, "
	       "without a report.  Slurm's reads: only\nthose, of "
	       "jobacct_gather/cgroup where the tasks have cgroups, else of "
	       "/linux.\n", results.pair_count, settings.samples,
	       settings.period_ms);
	fflush(stdout);
	for (size_t pair = 0; pair < results.pair_count; pair++)
		if (run_pair(pair) < 0)
			return -1;
	for (size_t i = 0; i < MODE_COUNT; i++)
		if (is_available[i])
			recorder_results_print(&results, &modes[i], cells[i]);
	recorder_results_print_walk(&results, walk_nsec);
	return 0;
}

/* Find the recorder of the build tree, relative to this program's folder. */
static int find_recorder(void)
{
	static char path[PATH_MAX + PATH_ROOM];
	char self[PATH_MAX] = "";

	if (settings.recorder_path == NULL) {
		if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
			return -1;
		snprintf(path, sizeof(path),
			 "%s/../recorder/stepwell-recorder", dirname(self));
		settings.recorder_path = path;
	}
	return access(settings.recorder_path, X_OK);
}

/* Modes that follow the process tree run without root: give them the folder. */
static int make_folder(void)
{
	snprintf(work_folder, sizeof(work_folder), "%s/bench_recorder.XXXXXX",
		 settings.folder);
	if (mkdtemp(work_folder) == NULL)
		return -1;
	snprintf(profile_path, sizeof(profile_path), "%s/run.stepwell",
		 work_folder);
	if (geteuid() == 0 && chown(work_folder, NOBODY, NOBODY) < 0)
		return -1;
	return 0;
}

static void remove_folder(void)
{
	static const char *const ends[] = { "", ".part", ".tail" };
	char path[sizeof(profile_path) + 8];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", profile_path, ends[i]);
		unlink(path);
	}
	rmdir(work_folder);
}

int main(int argc, char **argv)
{
	int result;

	if (argc == 4 && strcmp(argv[1], "--workers") == 0)
		return workers_run((size_t)strtoul(argv[2], NULL, 10),
				   strcmp(argv[3], "cgroups") == 0);
	if (parse_arguments(argc, argv) < 0) {
		print_usage(stderr);
		return 2;
	}
	if (find_recorder() < 0) {
		perror(settings.recorder_path);
		return 1;
	}
	if (make_folder() < 0) {
		perror(work_folder);
		return 1;
	}
	result = bench_all();
	remove_folder();
	return result < 0 ? 1 : 0;
}
