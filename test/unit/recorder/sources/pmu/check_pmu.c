/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performance counters of tasks on a simulated PMU: counts, multiplexing, and
 * errors.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "config.h"
#include "recorder/sources/pmu/pmu.h"
#include "recorder/sources/reading.h"
#include "test/run_tests.h"
#include "test/unit/recorder/sources/pmu/pmu_kit.h"

enum { TASKS = 256, PAGES = 2000, FIRST_PID = 5000 };

/* A step of some tasks, and a source that counts them. */
struct bench {
	const struct sw_source *source;
	struct sw_target target;
	struct sw_target_task task[TASKS];
	struct sw_reading reading;
	void *memory;
};

static struct bench bench;

static enum sw_read_status begin(const struct sw_source *source, size_t tasks)
{
	size_t i;

	bench.source = source;
	bench.target.cgroup_fd = bench.target.sys_fd = -1;
	if (!bench.target.proc_fd)
		bench.target.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY);
	for (i = 0; i < tasks; i++)
		bench.task[i] = (struct sw_target_task){
			.pid = FIRST_PID + (pid_t)i, .rank = 10 + i };
	bench.target.tasks = bench.task;
	bench.target.task_count = tasks;
	bench.memory = calloc(1, sw_reading_bytes(source));
	sw_reading_init(&bench.reading, source, bench.memory);
	return sw_reading_open(&bench.reading, &bench.target);
}

static void end(void)
{
	sw_reading_close(&bench.reading);
	free(bench.memory);
	ck_assert_uint_eq(pmu_kit_open_count(), 0);
}

static enum sw_read_status read_rows(void)
{
	return sw_reading_take(&bench.reading, &bench.target);
}

static const char *reason(void)
{
	return bench.source->reason(bench.reading.state, SW_READ_OK);
}

static uint64_t value_of(size_t row, const char *column)
{
	size_t i;

	for (i = 0; i < bench.source->column_count; i++) {
		if (!strcmp(bench.source->columns[i].name, column))
			return sw_rows_values(&bench.reading.rows, row)[i];
	}
	ck_abort_msg("no column %s", column);
}

static void set(uint32_t type, uint64_t config, uint64_t value,
		uint64_t enabled_nsec, uint64_t running_nsec)
{
	pmu_kit_set(&(struct pmu_kit_event){ .type = type, .config = config,
		.value = value, .enabled_nsec = enabled_nsec,
		.running_nsec = running_nsec });
}

/* Instructions and cycles of every process. */
static void set_basic(uint64_t instructions, uint64_t cycles,
		      uint64_t enabled_nsec, uint64_t running_nsec)
{
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, instructions,
	    enabled_nsec, running_nsec);
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, cycles, 0, 0);
}

static void set_software(uint64_t enabled_nsec, uint64_t switches)
{
	set(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 100, enabled_nsec,
	    enabled_nsec);
	set(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, 0, 0);
	set(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, switches, 0,
	    0);
	set(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 3, 0, 0);
}

static void refuse(uint32_t type, uint64_t config, pid_t pid, int why)
{
	pmu_kit_set(&(struct pmu_kit_event){ .type = type, .config = config,
		.pid = pid, .why = why });
}

/* Each interval is scaled by its own share, and nothing decreases. */
START_TEST(turns)
{
	pmu_kit_begin();
	set_basic(0, 0, 0, 0);
	ck_assert_int_eq(begin(&sw_src_pmu, 1), SW_READ_OK);
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(value_of(0, "instructions"), 0);
	set_basic(1000, 4000, 4000000, 1000000);	/* ran 1/4 of it */
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(value_of(0, "instructions"), 4000);
	ck_assert_uint_eq(value_of(0, "cycles"), 16000);
	set_basic(1500, 5000, 6000000, 3000000);	/* all the time */
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(value_of(0, "instructions"), 4500);
	ck_assert_uint_eq(value_of(0, "cycles"), 17000);
	ck_assert_uint_eq(value_of(0, "enabled_usec"), 6000);
	ck_assert_uint_eq(value_of(0, "running_usec"), 3000);
	set_basic(1500, 5000, 8000000, 3000000);	/* never */
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(value_of(0, "instructions"), 4500);
	ck_assert_uint_eq(value_of(0, "enabled_usec"), 8000);
	set_basic(2500, 6000, 9000000, 4000000);	/* makes up for it */
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(value_of(0, "instructions"), 7500);
	ck_assert(sw_is_missing(value_of(0, "llc_misses")));
	end();
}
END_TEST

/* 0 instructions would be wrong. */
START_TEST(no_turn)
{
	pmu_kit_begin();
	set_basic(0, 0, 0, 0);
	ck_assert_int_eq(begin(&sw_src_pmu, 1), SW_READ_OK);
	read_rows();
	set_basic(0, 0, 5000000, 0);
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert(sw_is_missing(value_of(0, "instructions")));
	ck_assert(sw_is_missing(value_of(0, "cycles")));
	ck_assert_uint_eq(value_of(0, "enabled_usec"), 5000);
	ck_assert_uint_eq(value_of(0, "running_usec"), 0);
	end();
}
END_TEST

/* A number that decreased, and answers of another form. */
START_TEST(nonsense)
{
	static const struct {
		enum pmu_kit_fault fault;
		enum sw_read_status status;
	} faults[] = {
		{ PMU_KIT_SHORT, SW_READ_GARBAGE },
		{ PMU_KIT_COUNT, SW_READ_GARBAGE },
		{ PMU_KIT_NOTHING, SW_READ_ABSENT },
	};
	size_t i;

	pmu_kit_begin();
	set_basic(UINT64_MAX - 10, 400, 1000, 1000);
	ck_assert_int_eq(begin(&sw_src_pmu, 1), SW_READ_OK);
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	set_basic(5, 500, 2000, 2000);
	ck_assert_int_eq(read_rows(), SW_READ_GARBAGE);
	ck_assert_uint_eq(bench.reading.rows.count, 0);
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		pmu_kit_fault(faults[i].fault);
		ck_assert_int_eq(read_rows(), faults[i].status);
	}
	end();
}
END_TEST

/* Attributes passed to the kernel. */
START_TEST(asked)
{
	const struct perf_event_attr *attr;
	size_t i;

	pmu_kit_begin();
	set_basic(0, 0, 0, 0);
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 0, 0, 0);
	ck_assert_int_eq(begin(&sw_src_pmu, 1), SW_READ_OK);
	for (i = 0; (attr = pmu_kit_attr(i)); i++) {
		ck_assert(attr->inherit && attr->exclude_kernel);
		ck_assert(!attr->pinned && attr->sample_period == 0);
		ck_assert_uint_eq(pmu_kit_leader(i), 0);
		/* From the task's own exec, set for the group's leader. */
		ck_assert(attr->enable_on_exec == (i == 0));
		ck_assert(attr->disabled == (i == 0));
		ck_assert(attr->read_format & PERF_FORMAT_GROUP);
	}
	ck_assert_uint_eq(i, 3);
	read_rows();
	ck_assert_uint_eq(pmu_kit_reads(), 1);	/* for three counters */
	end();
}
END_TEST

static void expect_absent(const struct sw_source *source, int why,
			  const char *because)
{
	pmu_kit_begin();
	refuse(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, why);
	refuse(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, why);
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, 1, 1);
	ck_assert_int_eq(begin(source, 2), SW_READ_ABSENT);
	ck_assert_msg(strstr(reason(), because), "%s: %s", source->name,
		      reason());
	end();
}

/* Nothing is attached then, and the reason is reported. */
START_TEST(absences)
{
	expect_absent(&sw_src_pmu, ENOENT, "no performance counters");
	expect_absent(&sw_src_pmu, EOPNOTSUPP, "no performance counters");
	expect_absent(&sw_src_pmu, EACCES, "perf_event_paranoid is ");
	expect_absent(&sw_src_perf, EPERM, "perf_event_paranoid is ");
	expect_absent(&sw_src_pmu, EBUSY, "are in use");
	expect_absent(&sw_src_pmu, EMFILE, "file descriptors");
	expect_absent(&sw_src_perf, ESRCH, "had ended");
	expect_absent(&sw_src_pmu, E2BIG, strerror(E2BIG));
}
END_TEST

START_TEST(too_late)
{
	pmu_kit_begin();
	set_software(0, 0);
	bench.target.is_late = true;
	ck_assert_int_eq(begin(&sw_src_perf, 1), SW_READ_ABSENT);
	ck_assert_ptr_nonnull(strstr(reason(), "before counters"));
	ck_assert_ptr_null(pmu_kit_attr(0));
	bench.target.is_late = false;
	end();
}
END_TEST

/* An unprivileged user: only page faults, described as user-mode ones. */
static int user_open(struct perf_event_attr *attr, pid_t pid, int cpu,
		     int group_fd)
{
	(void)pid;
	(void)cpu;
	(void)group_fd;
	if (!attr->exclude_kernel) {
		errno = EACCES;
		return -1;
	}
	ck_assert(attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		  attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	return 100 + (int)attr->config;
}

static ssize_t user_read(int fd, void *bytes, size_t size)
{
	const uint64_t words[] = { 2, 5000, 5000, 77, 1 };

	ck_assert_int_eq(fd, 100 + PERF_COUNT_SW_PAGE_FAULTS);
	ck_assert_uint_eq(size, sizeof(words));
	memcpy(bytes, words, sizeof(words));
	return sizeof(words);
}

static void user_close(int fd)
{
	(void)fd;
}

START_TEST(unprivileged)
{
	static const struct sw_pmu_calls calls = {
		.open = user_open, .read = user_read, .close = user_close };
	struct sw_subject subject;

	sw_pmu_use(&calls);
	ck_assert_int_eq(begin(&sw_src_perf, 1), SW_READ_OK);
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(value_of(0, "page_faults"), 77);
	ck_assert(sw_is_missing(value_of(0, "context_switches")));
	ck_assert(sw_is_missing(value_of(0, "cpu_migrations")));
	ck_assert(sw_reading_describe(&bench.reading, 0, &subject));
	ck_assert_str_eq(subject.detail, "page-faults:u major-faults:u");
	end();
}
END_TEST

/* The second task has already exited; the others count. */
START_TEST(dead_task)
{
	struct sw_subject subject;

	pmu_kit_begin();
	set_software(1000, 5);
	refuse(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, FIRST_PID + 1,
	     ESRCH);
	ck_assert_int_eq(begin(&sw_src_perf, 3), SW_READ_OK);
	ck_assert_ptr_nonnull(strstr(reason(), "only 2 of 3 tasks"));
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(bench.reading.rows.count, 2);
	ck_assert_uint_eq(sw_rows_index(&bench.reading.rows, 1), 2);
	ck_assert(sw_reading_describe(&bench.reading, 2, &subject));
	ck_assert_str_eq(subject.name, "rank 12");
	end();
}
END_TEST

/* The first task is the dead one: the second decides. */
START_TEST(dead_first_task)
{
	pmu_kit_begin();
	set_software(1000, 5);
	refuse(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, FIRST_PID, ESRCH);
	ck_assert_int_eq(begin(&sw_src_perf, 2), SW_READ_OK);
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(bench.reading.rows.count, 1);
	ck_assert_uint_eq(value_of(0, "cpu_migrations"), 3);
	end();
}
END_TEST

/* 256 tasks: all within the limit, otherwise as many as fit, and reported. */
START_TEST(descriptors)
{
	struct rlimit all, few;

	pmu_kit_begin();
	set_software(1000, 5);
	getrlimit(RLIMIT_NOFILE, &all);
	ck_assert_uint_ge(all.rlim_cur, 64);
	few = all;
	few.rlim_cur = 4096;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(begin(&sw_src_perf, TASKS), SW_READ_OK);
	ck_assert_uint_eq(pmu_kit_open_count(), 4 * TASKS);
	ck_assert_str_eq(reason(), "");
	end();
	few.rlim_cur = 100;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(begin(&sw_src_perf, TASKS), SW_READ_OK);
	ck_assert_uint_eq(pmu_kit_open_count(), 72);
	ck_assert_ptr_nonnull(strstr(reason(), "18 of 256 tasks"));
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(bench.reading.rows.count, 18);
	end();
	setrlimit(RLIMIT_NOFILE, &all);
}
END_TEST

/* The least important groups are dropped first, for all tasks. */
START_TEST(fewer_groups)
{
	struct rlimit all, few;

	pmu_kit_begin();
	set_basic(1, 1, 1, 1);
	getrlimit(RLIMIT_NOFILE, &all);
	few = all;
	few.rlim_cur = 100;
	setrlimit(RLIMIT_NOFILE, &few);
	ck_assert_int_eq(begin(&sw_src_pmu, 6), SW_READ_OK);
	ck_assert_ptr_nonnull(strstr(reason(),
				     "6 of 6 tasks and 2 of 3 groups"));
	end();
	setrlimit(RLIMIT_NOFILE, &all);
}
END_TEST

/* Others use descriptors, too: a task that does not fit has no counter. */
START_TEST(out_of_descriptors)
{
	pmu_kit_begin();
	set_software(1000, 5);
	pmu_kit_limit(6);
	ck_assert_int_eq(begin(&sw_src_perf, 3), SW_READ_OK);
	ck_assert_uint_eq(pmu_kit_open_count(), 4);
	ck_assert_ptr_nonnull(strstr(reason(), "only 1 of 3 tasks"));
	end();
}
END_TEST

#ifdef HAVE_LIBPFM
/* Model-specific names of processors other than this machine's. */
static void expect_model(const char *model, uint64_t llc, uint64_t other,
			 const char *column, const char *names)
{
	struct sw_subject subject;

	setenv("LIBPFM_FORCE_PMU", model, 1);
	pmu_kit_begin();
	set_basic(1000, 2000, 8000, 4000);
	set(PERF_TYPE_RAW, llc, 7, 0, 0);
	set(PERF_TYPE_RAW, other, 11, 8000, 2000);
	ck_assert_int_eq(begin(&sw_src_pmu, 1), SW_READ_OK);
	ck_assert_int_eq(read_rows(), SW_READ_OK);
	ck_assert_uint_eq(value_of(0, "instructions"), 2000);
	ck_assert_uint_eq(value_of(0, "llc_misses"), 14);
	ck_assert_uint_eq(value_of(0, column), 44);
	ck_assert_uint_eq(value_of(0, "fp_running_usec"), 2);
	ck_assert(sw_reading_describe(&bench.reading, 0, &subject));
	ck_assert_str_eq(subject.detail, names);
	end();
}

START_TEST(skylake)
{
	expect_model("skx", 0x412e, 0x40c7, "fp_double_512",
		     "instructions cycles LONGEST_LAT_CACHE:MISS "
		     "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE");
}
END_TEST

START_TEST(sapphire_rapids)
{
	expect_model("spr", 0x412e, 0x1c7, "fp_double_scalar",
		     "instructions cycles LONGEST_LAT_CACHE:MISS "
		     "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE");
}
END_TEST

START_TEST(zen3)
{
	expect_model("amd64_fam19h_zen3", 0x4844, 0xf03, "fp_operations",
		     "instructions cycles ANY_DATA_CACHE_FILLS_FROM_SYSTEM:"
		     "MEM_IO_LCL:MEM_IO_RMT RETIRED_SSE_AVX_FLOPS:"
		     "ADD_SUB_FLOPS:MULT_FLOPS:DIV_FLOPS:MAC_FLOPS");
}
END_TEST
#endif

int main(void)
{
	TCase *tcase = tcase_create("pmu");

	tcase_add_test(tcase, turns);
	tcase_add_test(tcase, no_turn);
	tcase_add_test(tcase, nonsense);
	tcase_add_test(tcase, asked);
	tcase_add_test(tcase, absences);
	tcase_add_test(tcase, too_late);
	tcase_add_test(tcase, unprivileged);
	tcase_add_test(tcase, dead_task);
	tcase_add_test(tcase, dead_first_task);
	tcase_add_test(tcase, descriptors);
	tcase_add_test(tcase, fewer_groups);
	tcase_add_test(tcase, out_of_descriptors);
#ifdef HAVE_LIBPFM
	tcase_add_test(tcase, skylake);
	tcase_add_test(tcase, sapphire_rapids);
	tcase_add_test(tcase, zen3);
#endif
	return run_tests("pmu", tcase, NULL);
}
