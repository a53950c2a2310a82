/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/selftest: check the traces and the recorder's baselines against known
 * values, and print their cost.
 *
 * Fails (exit 1) at the end if a check failed.
 */
#include "bench/selftest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/baseline_jobacct.h"
#include "bench/entropy.h"
#include "bench/interval.h"
#include "bench/measure.h"
#include "bench/trace_file.h"
#include "bench/trace_sample.h"
#include "bench/trace_synthetic.h"

enum {
	COLUMNS = TRACE_SYNTHETIC_COLUMNS,
	TASKS = 4,
	TICKS = 700,		/* past the first checkpoint */
	CHILDREN = 16,
	CHILD_BYTES = 12345,
	ROUNDS = 200,
};

static uint64_t *make_trace(uint64_t seed)
{
	struct trace_synthetic *trace = trace_synthetic_create(TASKS, seed);
	uint64_t *values = calloc((size_t)TICKS * TASKS * COLUMNS,
				  sizeof(*values));
	int failures = 0;

	if (trace == NULL || values == NULL) {
		perror("selftest");
		exit(1);
	}
	for (uint64_t tick = 0; tick < TICKS; tick++)
		for (uint64_t task = 0; task < TASKS; task++)
			failures -= trace_synthetic_row(trace, tick, task,
				values + (tick * TASKS + task) * COLUMNS);
	selftest_check(failures == 0, "synthetic: rows in order");
	selftest_check(trace_synthetic_row(trace, TICKS + 1, 0, values) < 0 &&
		       errno == EINVAL, "synthetic: a skipped tick is refused");
	selftest_check(trace_synthetic_row(trace, TICKS - 1, 0, values) < 0,
		       "synthetic: a repeated tick is refused");
	trace_synthetic_destroy(trace);
	return values;
}

/* Counters and peaks never fall, and no value is "missing" by accident. */
static bool is_plausible(const uint64_t *values)
{
	for (size_t row = TASKS; row < (size_t)TICKS * TASKS; row++)
		for (size_t i = 0; i < COLUMNS; i++) {
			enum sw_kind kind = trace_synthetic_columns[i].kind;
			uint64_t now = values[row * COLUMNS + i];
			uint64_t before = values[(row - TASKS) * COLUMNS + i];

			if (sw_is_missing(now))
				return false;
			if ((kind == SW_KIND_COUNTER || kind == SW_KIND_PEAK) &&
			    now < before)
				return false;
		}
	return true;
}

/* FNV-1a hash of the values, which are the same on every machine. */
static uint64_t hash_of(const uint64_t *values, size_t count)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < count; i++)
		for (int shift = 0; shift < 64; shift += 8) {
			hash ^= values[i] >> shift & 0xff;
			hash *= 0x100000001b3u;
		}
	return hash;
}

static void check_synthetic(uint64_t *values)
{
	const size_t size = (size_t)TICKS * TASKS * COLUMNS * sizeof(*values);
	const uint64_t expected_hash = 0xddc18e90353a5830u;
	uint64_t *again = make_trace(1);
	uint64_t *other = make_trace(2);
	uint64_t hash = hash_of(values, size / sizeof(*values));
	double bits = entropy_estimate_bits(values, TICKS, TASKS, COLUMNS,
					    NULL);

	selftest_check(memcmp(values, again, size) == 0,
		       "synthetic: the same seed, the same trace");
	selftest_check(memcmp(values, other, size) != 0,
		       "synthetic: another seed, another trace");
	selftest_check(is_plausible(values), "synthetic: counters only grow");
	printf("     synthetic: hash %016llx, entropy %.3f bytes a sample\n",
	       (unsigned long long)hash,
	       bits / 8 / ((double)(TICKS - 1) * TASKS * COLUMNS));
	selftest_check(hash == expected_hash,
		       "synthetic: the values of every other machine");
	free(again);
	free(other);
}

/* Check known distributions: a constant rate, and 8 random bits. */
static void check_entropy(void)
{
	enum { ROWS = 4096 };
	uint64_t *values = calloc((size_t)ROWS * 2, sizeof(*values));
	double bits[2];
	uint64_t state = 88172645463325252u;

	if (values == NULL)
		exit(1);
	for (size_t i = 1; i < ROWS; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		values[2 * i] = values[2 * i - 2] + 1000;
		values[2 * i + 1] = values[2 * i - 1] + (state >> 40) % 256;
	}
	entropy_estimate_bits(values, ROWS, 1, 2, bits);
	printf("     entropy: constant %.3f, 8 random bits %.3f a value\n",
	       bits[0] / (ROWS - 1), bits[1] / (ROWS - 1));
	selftest_check(bits[0] < 0.001 * ROWS, "entropy: a constant rate");
	selftest_check(bits[1] > 7.9 * (ROWS - 1) && bits[1] < 8.2 * ROWS,
		       "entropy: 8 random bits");
	free(values);
}

static int write_trace(const char *path, const uint64_t *values,
		       const struct sw_column *columns, uint64_t tick_count)
{
	struct trace trace = {
		.period_usec = TRACE_SYNTHETIC_PERIOD_USEC,
		.tick_count = tick_count,
		.task_count = TASKS,
		.column_count = COLUMNS,
	};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int result = -1;

	for (size_t i = 0; i < COLUMNS; i++)
		trace.columns[i] = columns[i];
	if (fd >= 0 && trace_file_write_header(fd, &trace) == 0 &&
	    trace_file_write_values(fd, values,
				    tick_count * TASKS * COLUMNS) == 0)
		result = 0;
	close(fd);
	return result;
}

static void check_file(const uint64_t *values)
{
	const size_t size = (size_t)TICKS * TASKS * COLUMNS * sizeof(*values);
	char path[] = "/tmp/selftest.XXXXXX";
	struct sw_error error = { .text = "" };
	struct trace trace;

	close(mkstemp(path));
	selftest_check(write_trace(path, values, trace_synthetic_columns,
				   TICKS) == 0 &&
		       trace_file_read(path, &trace, &error) == 0 &&
		       trace.tick_count == TICKS &&
		       memcmp(trace.values, values, size) == 0 &&
		       strcmp(trace.columns[3].name, "branches") == 0 &&
		       trace.columns[16].kind == SW_KIND_PEAK,
		       "file: comes back as it was written");
	trace_file_free(&trace);
	selftest_check(truncate(path, 30000) == 0 &&
		       trace_file_read(path, &trace, &error) < 0,
		       "file: a short one is refused");
	printf("     file: \"%s\"\n", error.text);
	selftest_check(trace_file_read("/proc/self/exe", &trace, &error) < 0,
		       "file: another kind of file is refused");
	unlink(path);
}

/* Read and write CHILD_BYTES, report that, and wait to be killed. */
static _Noreturn void run_child(int ready_fd)
{
	static char bytes[CHILD_BYTES];
	int from = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int to = open("/dev/null", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(from, bytes, sizeof(bytes)) != CHILD_BYTES ||
	    write(to, bytes, sizeof(bytes)) != CHILD_BYTES ||
	    write(ready_fd, "", 1) != 1)
		_exit(2);
	for (;;)
		pause();
}

static bool start_children(pid_t *pids)
{
	char bytes[CHILDREN];
	int fds[2];
	size_t got = 0;

	fflush(NULL);
	if (pipe2(fds, O_CLOEXEC) < 0)
		return false;
	for (size_t i = 0; i < CHILDREN; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			run_child(fds[1]);
	}
	close(fds[1]);
	while (got < CHILDREN) {
		ssize_t now = read(fds[0], bytes, sizeof(bytes));

		if (now <= 0)
			break;
		got += (size_t)now;
	}
	close(fds[0]);
	return got == CHILDREN;
}

static void stop_children(const pid_t *pids)
{
	for (size_t i = 0; i < CHILDREN; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

static void print_cost(const char *name, uint64_t cpu_nsec,
		       const struct jobacct_sample *sample)
{
	printf("     %s: %llu files (%llu missing) of %llu processes, "
	       "%.1f us of CPU a process\n", name,
	       (unsigned long long)sample->files,
	       (unsigned long long)sample->files_missing,
	       (unsigned long long)sample->processes,
	       (double)cpu_nsec / 1000 / ROUNDS / (double)sample->processes);
}

/* Each child has written CHILD_BYTES and one byte more. */
static void check_sample(const char *name,
			 const struct jobacct_sample *sample)
{
	char what[80];

	snprintf(what, sizeof(what), "%s: each process", name);
	selftest_check(sample->processes == CHILDREN, what);
	snprintf(what, sizeof(what), "%s: the bytes they wrote", name);
	selftest_check(sample->written_bytes ==
		       (uint64_t)CHILDREN * (CHILD_BYTES + 1), what);
	snprintf(what, sizeof(what), "%s: the bytes they read", name);
	selftest_check(sample->read_bytes == (uint64_t)CHILDREN * CHILD_BYTES,
		       what);
	snprintf(what, sizeof(what), "%s: resident memory", name);
	selftest_check(sample->rss_bytes > (uint64_t)CHILDREN * CHILD_BYTES,
		       what);
}

static void check_jobacct(const pid_t *pids)
{
	const struct jobacct_task task = {
		.pids = pids, .pid_count = CHILDREN,
	};
	struct jobacct_sample sample;
	uint64_t begin_nsec = measure_cpu_nsec();

	for (int i = 0; i < ROUNDS; i++)
		jobacct_poll(&task, 1, &sample);
	print_cost("jobacct", measure_cpu_nsec() - begin_nsec, &sample);
	check_sample("jobacct", &sample);
	selftest_check(sample.files == 4 * CHILDREN,
		       "jobacct: four files a process");
	begin_nsec = measure_cpu_nsec();
	for (int i = 0; i < ROUNDS; i++)
		ldms_poll(pids, CHILDREN, &sample);
	print_cost("ldms", measure_cpu_nsec() - begin_nsec, &sample);
	check_sample("ldms", &sample);
	selftest_check(sample.files + sample.files_missing == 10 * CHILDREN,
		       "ldms: ten files a process");
}

static void check_walk(void)
{
	struct jobacct_sample sample = { .processes = 0 };
	uint64_t begin_nsec = measure_cpu_nsec();
	int failures = 0;

	for (int i = 0; i < ROUNDS; i++)
		failures -= walk_poll(&sample);
	print_cost("walk", measure_cpu_nsec() - begin_nsec, &sample);
	selftest_check(failures == 0 && sample.processes > CHILDREN &&
		       sample.written_bytes >=
		       (uint64_t)CHILDREN * (CHILD_BYTES + 1),
		       "walk: at least all of them");
}

static void check_cgroup(const pid_t *pids)
{
	char folder[] = "/tmp/selftest.XXXXXX";
	char path[sizeof(folder) + 16];
	struct jobacct_task task = { .cgroup_path = folder };
	struct jobacct_sample sample;
	FILE *file;

	if (!selftest_check(mkdtemp(folder) != NULL, "cgroup: a folder"))
		return;
	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	file = fopen(path, "we");
	for (size_t i = 0; file != NULL && i < CHILDREN; i++)
		fprintf(file, "%ld\n", (long)pids[i]);
	selftest_check(file != NULL && fclose(file) == 0, "cgroup: its pids");
	jobacct_poll(&task, 1, &sample);
	check_sample("cgroup", &sample);
	selftest_check(sample.files == 4 * CHILDREN + 1 &&
		       sample.files_missing == 4, "cgroup: absent files");
	unlink(path);
	rmdir(folder);
}

static void check_measure(void)
{
	enum { BYTES = 32 * 1024 * 1024 };
	uint64_t values[] = { 5, 1, 4, 2, 3 };
	struct measure before;
	struct measure after;
	char *memory;

	measure_take(&before);
	memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(1);
	for (size_t i = 0; i < BYTES; i += 4096)
		*(volatile char *)(memory + i) = 1;
	measure_take(&after);
	selftest_check(after.rss_bytes - before.rss_bytes >= BYTES &&
		       after.rss_bytes - before.rss_bytes <
		       BYTES + 1024 * 1024, "measure: 32 MiB more");
	selftest_check(after.high_water_bytes >= after.rss_bytes / 2,
		       "measure: a high-water mark");
	selftest_check(after.cpu_nsec > before.cpu_nsec &&
		       after.cpu_nsec - before.cpu_nsec <=
		       after.wall_nsec - before.wall_nsec,
		       "measure: CPU time within wall time");
	munmap(memory, BYTES);
	measure_reset_high_water();
	measure_take(&before);
	selftest_check(before.high_water_bytes < after.high_water_bytes,
		       "measure: the high-water mark anew");
	selftest_check(measure_quantile(values, 5, 500) == 3 &&
		       measure_quantile(values, 5, 1000) == 5,
		       "measure: quantiles");
}

/* The ranks are from tables of the binomial distribution. */
static void check_interval(void)
{
	enum { COUNT = 100 };
	double values[COUNT], twice[COUNT];
	struct interval found;

	for (int i = 0; i < COUNT; i++) {
		values[i] = (i * 37) % COUNT + 1;
		twice[i] = 2 * values[i] + (i % 2 ? 1 : -1);
	}
	found = interval_of_sums(twice, values, COUNT);
	selftest_check(found.value > 1.999 && found.value < 2.001 &&
		       found.low < 2 && found.high > 2 &&
		       found.low > 1.99 && found.high < 2.01,
		       "interval: a ratio of sums");
	found = interval_of_median(values, COUNT);
	selftest_check(found.value > 50.4 && found.value < 50.6 &&
		       found.low > 39.9 && found.low < 40.1 &&
		       found.high > 60.9 && found.high < 61.1,
		       "interval: the median of 1 to 100 is in 40 to 61");
	found = interval_of_median(twice, 1);
	selftest_check(found.low >= found.value && found.high <= found.value,
		       "interval: the median of one");
}

static void check_sampler(void)
{
	struct sw_column columns[TRACE_SAMPLE_COLUMNS];
	struct trace_sampler *sampler = trace_sample_open(getpid());
	uint64_t values[TRACE_SAMPLE_COLUMNS] = { 0 };
	uint64_t missing_count = 0;

	trace_sample_columns(columns);
	if (!selftest_check(sampler != NULL, "sampler: opens"))
		return;
	trace_sample_take(sampler, values);
	for (size_t i = 0; i < TRACE_SAMPLE_COLUMNS; i++) {
		if (!sw_is_missing(values[i]))
			continue;
		printf("     sampler: no %s here\n", columns[i].name);
		missing_count++;
	}
	selftest_check(missing_count <= 6, "sampler: all but the pressure");
	trace_sample_close(sampler);
	selftest_check(trace_sample_open(INT32_MAX) == NULL &&
		       errno == ESRCH, "sampler: no such process");
}

int main(void)
{
	uint64_t *values = make_trace(1);
	pid_t pids[CHILDREN];

	check_synthetic(values);
	check_entropy();
	check_file(values);
	free(values);
	check_sampler();
	if (selftest_check(start_children(pids), "children: all are there")) {
		check_jobacct(pids);
		check_walk();
		check_cgroup(pids);
	}
	stop_children(pids);
	check_measure();
	check_interval();
	return selftest_failures > 0 ? 1 : 0;
}
