/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_profile: compare profiles with HDF5 as Slurm writes it, on the
 * synthetic trace and on one recorded from real processes: bytes and CPU time
 * per sample, memory, decoding.  All writers take turns, each in a process of
 * its own; every value is read back and compared.
 *
 * A sample is one value of one task at one tick; times are not counted.  Missed
 * goals are printed as such; fails (exit 1) if a format fails or a value comes
 * back wrong.
 */
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "bench/profile_results.h"
#include "bench/profile_sides.h"
#include "bench/trace_synthetic.h"
#include "common/clock.h"

enum {
	PSEC_PER_NSEC = 1000,
	EPOCH_AHEAD_USEC = 2000000,	/* the child opens its file by then */
	SHORT_TASKS = 4, SHORT_TICKS = 60,	/* a step of a minute */
};

struct settings {
	uint64_t pairs;
	uint64_t ticks;
	uint64_t period_ms;
	const char *folder;
	const char *trace_path;
	const char *python;		/* also reads by h5py; NULL: skip */
	bool is_synthetic_only;
	bool is_short;
};

static struct settings settings = {
	.pairs = 5,
	.ticks = 2400,
	.period_ms = 100,
	.folder = "/var/tmp",
};

/* Shared with the child processes, which fill it in. */
struct shared {
	struct side_task task;
	const struct side *side;
	struct side_written written;
	struct side_read read;
};

static struct shared *shared;
static char work_folder[PATH_MAX];

static void print_usage(FILE *to)
{
	fprintf(to,
		"usage: bench_profile [--trace FILE] [--pairs N] [--ticks N]\n"
		"                     [--period-ms N] [--dir DIR] [--synthetic]\n"
		"                     [--short] [--h5py PYTHON]\n"
		"  --trace      of bench/trace_record; else one is recorded now\n"
		"  --ticks, --period-ms   how (2400 of 100 ms: 4 minutes)\n"
		"  --pairs      how often each writer has its turn (5)\n"
		"  --dir        where files go (/var/tmp)\n"
		"  --synthetic  only the synthetic trace\n"
		"  --short      the synthetic trace of 4 tasks for a minute\n"
		"  --h5py       the HDF5 file by h5py of this interpreter, too\n");
}

static int parse_option(int option)
{
	switch (option) {
	case 'f':
		settings.trace_path = optarg;
		return 0;
	case 'n':
		return measure_parse_number(optarg, RESULTS_PAIRS_MAX, &settings.pairs);
	case 't':
		return measure_parse_number(optarg, UINT32_MAX, &settings.ticks);
	case 'p':
		return measure_parse_number(optarg, 3600000, &settings.period_ms);
	case 'd':
		settings.folder = optarg;
		return 0;
	case 'm':
		settings.is_short = true;
		/* fall through */
	case 's':
		settings.is_synthetic_only = true;
		return 0;
	case 'h':
		settings.python = optarg;
		return 0;
	}
	return -1;
}

static int parse_arguments(int argc, char **argv)
{
	static const struct option options[] = {
		{ "trace", required_argument, NULL, 'f' },
		{ "pairs", required_argument, NULL, 'n' },
		{ "ticks", required_argument, NULL, 't' },
		{ "period-ms", required_argument, NULL, 'p' },
		{ "dir", required_argument, NULL, 'd' },
		{ "synthetic", no_argument, NULL, 's' },
		{ "short", no_argument, NULL, 'm' },
		{ "h5py", required_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (parse_option(option) < 0)
			return -1;
	return optind == argc ? 0 : -1;
}

static int make_synthetic(struct trace *trace)
{
	uint64_t tasks = settings.is_short ? SHORT_TASKS :
					     TRACE_SYNTHETIC_TASKS;
	struct trace_synthetic *synthetic = trace_synthetic_create(tasks, 1);
	int result = 0;

	*trace = (struct trace){
		.period_usec = TRACE_SYNTHETIC_PERIOD_USEC,
		.tick_count = settings.is_short ? SHORT_TICKS :
						  TRACE_SYNTHETIC_TICKS,
		.task_count = tasks,
		.column_count = 1 + TRACE_SYNTHETIC_COLUMNS,
		.columns = { trace_file_time_column },
	};
	memcpy(trace->columns + 1, trace_synthetic_columns,
	       sizeof(trace_synthetic_columns));
	trace->values = calloc(trace->tick_count * trace->task_count *
			       trace->column_count, sizeof(*trace->values));
	if (!synthetic || !trace->values)
		result = -1;
	for (uint64_t tick = 0; !result && tick < trace->tick_count; tick++)
		for (uint64_t i = 0; !result && i < trace->task_count; i++) {
			uint64_t *row = trace->values +
				(tick * trace->task_count + i) *
				trace->column_count;

			result = trace_synthetic_row(synthetic, tick, i,
						     row + 1);
			row[0] = trace_synthetic_usec(synthetic, i);
		}
	trace_synthetic_destroy(synthetic);
	return result;
}

/* Execute bench/trace_record beside this program; returns only on failure. */
static void exec_recorder(const char *path)
{
	char self[PATH_MAX] = "";
	char program[PATH_MAX];
	char ticks[24];
	char period[24];

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return;
	if (snprintf(program, sizeof(program), "%s/trace_record",
		     dirname(self)) >= (int)sizeof(program))
		return;
	snprintf(ticks, sizeof(ticks), "%llu",
		 (unsigned long long)settings.ticks);
	snprintf(period, sizeof(period), "%llu",
		 (unsigned long long)settings.period_ms);
	execl(program, program, "--ticks", ticks, "--period-ms", period,
	      "--dir", settings.folder, path, (char *)NULL);
	perror(program);
}

static int run_recorder(void *data)
{
	exec_recorder(data);
	return 1;
}

/* The first column must be the time, which older files lack. */
static int read_trace(const char *path, struct trace *trace)
{
	struct sw_error error;

	if (trace_file_read(path, trace, &error) < 0) {
		fprintf(stderr, "%s: %s\n", path, error.text);
		return -1;
	}
	if (trace->columns[0].kind != SW_KIND_TIME || trace->column_count < 2) {
		fprintf(stderr, "%s: its first column is no time\n", path);
		return -1;
	}
	return 0;
}

static int get_recorded(struct trace *trace)
{
	char path[PATH_MAX + 32];
	int result;

	if (settings.trace_path)
		return read_trace(settings.trace_path, trace);
	snprintf(path, sizeof(path), "%s/recorded", work_folder);
	printf("recording %llu ticks of %llu ms ...\n",
	       (unsigned long long)settings.ticks,
	       (unsigned long long)settings.period_ms);
	result = measure_in_child(run_recorder, path);
	if (result == 0)
		result = read_trace(path, trace);
	unlink(path);
	return result ? -1 : 0;
}

static int write_in_child(void *data)
{
	(void)data;
	return shared->side->write(&shared->task, &shared->written) < 0;
}

static int read_in_child(void *data)
{
	(void)data;
	return shared->side->read(&shared->task, &shared->read) < 0;
}

static bool is_lossless(void)
{
	const struct side_read *read = &shared->read;

	return read->values == side_sample_count(shared->task.trace) &&
	       read->wrong_values == 0 && read->wrong_times == 0;
}

static void keep_written(struct results *results, size_t side, uint64_t pair,
			 uint64_t samples)
{
	const struct side_written *written = &shared->written;
	struct side_written *memory = &results->memory[side];

	results->write_psec[side][pair] =
		written->cpu_nsec * PSEC_PER_NSEC / samples;
	results->file_bytes[side] = written->file_bytes;
	if (written->rss_bytes >= memory->rss_bytes)
		*memory = *written;
}

static int run_side(struct results *results, size_t side, uint64_t pair)
{
	const struct trace *trace = shared->task.trace;
	uint64_t samples = side_sample_count(trace);

	shared->side = &sides[side];
	shared->task.epoch_usec = sw_clock_realtime_usec() + EPOCH_AHEAD_USEC -
		trace_row(trace, 0, 0)[0];
	memset(&shared->written, 0, sizeof(shared->written));
	memset(&shared->read, 0, sizeof(shared->read));
	if (measure_in_child(write_in_child, NULL) != 0) {
		fprintf(stderr, "%s: the writer failed\n", sides[side].name);
		return -1;
	}
	keep_written(results, side, pair, samples);
	if (!sides[side].read)
		return 0;
	if (measure_in_child(read_in_child, NULL) != 0) {
		fprintf(stderr, "%s: the reader failed\n", sides[side].name);
		return -1;
	}
	results->read_psec[side][pair] =
		shared->read.cpu_nsec * PSEC_PER_NSEC / samples;
	if (is_lossless())
		return 0;
	fprintf(stderr,
		"%s: %llu of %llu values came back, %llu of them and %llu "
		"times wrong\n", sides[side].name,
		(unsigned long long)shared->read.values,
		(unsigned long long)samples,
		(unsigned long long)shared->read.wrong_values,
		(unsigned long long)shared->read.wrong_times);
	return -1;
}

/* Run each side once per pair, in reverse order in every second pair. */
static int run_pairs(struct results *results, const struct trace *trace)
{
	shared->task.trace = trace;
	shared->task.folder = work_folder;
	for (uint64_t pair = 0; pair < settings.pairs; pair++)
		for (size_t i = 0; i < SIDE_COUNT; i++) {
			size_t side = pair % 2 ? SIDE_COUNT - 1 - i : i;

			if (run_side(results, side, pair) < 0)
				return -1;
		}
	return 0;
}

/* Read all tables as arrays, in an interpreter that has h5py loaded. */
static int run_h5py(void *data)
{
	static const char program[] =
		"import h5py, sys, time\n"
		"def read():\n"
		"    before = time.process_time()\n"
		"    with h5py.File(sys.argv[1], 'r') as file:\n"
		"        file.visititems(lambda name, item: item[()] if\n"
		"            isinstance(item, h5py.Dataset) else None)\n"
		"    return time.process_time() - before\n"
		"least = min(read() for _ in range(20))\n"
		"print(f'  h5py: {least / int(sys.argv[2]) * 1e9:.2f} ns of '\n"
		"      'CPU to decode a sample')\n";
	const struct trace *trace = data;
	char path[PATH_MAX + 32], samples[24];

	snprintf(path, sizeof(path), "%s/trace.h5", work_folder);
	snprintf(samples, sizeof(samples), "%llu",
		 (unsigned long long)side_sample_count(trace));
	execlp(settings.python, settings.python, "-c", program, path, samples,
	       (char *)NULL);
	perror(settings.python);
	return 1;
}

static int bench(const char *name, const struct trace *trace,
		 const struct results_goals *goals)
{
	static struct results results;

	memset(&results, 0, sizeof(results));
	results.name = name;
	results.trace = trace;
	results.pair_count = settings.pairs;
	if (run_pairs(&results, trace) < 0)
		return -1;
	results_print(&results, goals);
	fflush(stdout);
	if (settings.python)
		return measure_in_child(run_h5py, (void *)trace) == 0 ? 0 : -1;
	return 0;
}

static int bench_all(void)
{
	static const struct results_goals synthetic = {
		.size_ratio = 7.5, .cpu_ratio = 20,
		.memory_mib = 2, .decode_nsec = 4,
	};
	static const struct results_goals recorded = {
		.size_ratio = 35, .cpu_ratio = 40,
		.memory_mib = 2, .decode_nsec = 4,
	};
	struct trace trace;
	int result;

	result = make_synthetic(&trace);
	if (result < 0)
		perror("synthetic trace");
	else
		result = bench("synthetic", &trace, &synthetic);
	free(trace.values);
	if (result < 0 || settings.is_synthetic_only)
		return result;
	if (get_recorded(&trace) < 0)
		return -1;
	result = bench("recorded from processes", &trace, &recorded);
	trace_file_free(&trace);
	return result;
}

static void remove_work_folder(void)
{
	static const char *const names[] = {
		"trace.stepwell", "trace.stepwell.part", "trace.stepwell.tail",
		"trace.h5",
	};
	char path[PATH_MAX + 32];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", work_folder, names[i]);
		unlink(path);
	}
	rmdir(work_folder);
}

int main(int argc, char **argv)
{
	int result;

	if (parse_arguments(argc, argv) < 0) {
		print_usage(stderr);
		return 2;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	snprintf(work_folder, sizeof(work_folder), "%s/bench_profile.XXXXXX",
		 settings.folder);
	if (shared == MAP_FAILED || !mkdtemp(work_folder)) {
		perror(work_folder);
		return 1;
	}
	result = bench_all();
	remove_work_folder();
	return result < 0 ? 1 : 0;
}
