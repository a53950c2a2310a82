/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA GPUs as played by the stand-in for their library: changes between two
 * reads, and features of some drivers only.
 */
#include <check.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/sources/gpu/gpus.h"
#include "recorder/sources/gpu/src_gpu_pids.h"
#include "recorder/sources/reading.h"
#include "test/run_tests.h"
#include "test/unit/recorder/sources/gpu/nvml_kit.h"

#define GPU_0 "gpu GPU-0 00000000:17:00.0 H100\n"
#define GPU_1 "gpu GPU-1 00000000:65:00.0 H100\n"

static char script[] = "/tmp/check_gpus.XXXXXX";
static int proc_fd;		/* a tree with a loaded driver */
static struct sw_reading reading;

static void play(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static void play(const char *format, ...)
{
	FILE *file = fopen(script, "we");
	va_list args;

	ck_assert_ptr_nonnull(file);
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	fclose(file);
}

static enum sw_read_status open_gpus(const struct sw_source *source)
{
	const struct sw_target target = {
		.cgroup_fd = -1, .proc_fd = proc_fd, .sys_fd = -1 };
	void *memory = calloc(1, sw_reading_bytes(source));

	ck_assert_ptr_nonnull(memory);
	sw_reading_init(&reading, source, memory);
	return sw_reading_open(&reading, &target);
}

static void take(void)
{
	ck_assert_int_eq(sw_reading_take(&reading, NULL), SW_READ_OK);
}

static void close_gpus(void)
{
	sw_reading_close(&reading);
	free(reading.state);
}

static uint64_t value(size_t row, const char *column)
{
	const struct sw_source *source = reading.source;
	size_t i;

	ck_assert_uint_lt(row, reading.rows.count);
	for (i = 0; i < source->column_count; i++) {
		if (!strcmp(source->columns[i].name, column))
			return sw_rows_values(&reading.rows, row)[i];
	}
	ck_abort_msg("no column %s", column);
	return SW_MISSING;
}

START_TEST(lost_while_recording)
{
	play(GPU_0 "set power 100\n" GPU_1 "set power 200\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	ck_assert_uint_eq(value(0, "power.usage"), 100);
	ck_assert_uint_eq(value(0, "status"), 0);
	play(GPU_0 "set power 100\nlost\n" GPU_1 "set power 200\n");
	take();
	ck_assert_uint_eq(reading.rows.count, 2);
	ck_assert(sw_is_missing(value(0, "power.usage")));
	ck_assert_uint_eq(value(0, "status"), NVML_GPU_IS_LOST);
	ck_assert_uint_eq(value(1, "power.usage"), 200);
	ck_assert_uint_eq(value(1, "status"), 0);
	close_gpus();
}
END_TEST

/* It keeps its index when its handle is no longer available. */
START_TEST(fallen_off_the_bus)
{
	int i;

	play(GPU_0 "set power 100\n" GPU_1 "set power 200\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	play(GPU_0 "set power 100\n" GPU_1 "lost\n");
	for (i = 0; i < 61; i++)
		take();
	ck_assert_uint_eq(reading.rows.count, 2);
	ck_assert_uint_eq(sw_rows_index(&reading.rows, 1), 1);
	ck_assert_uint_eq(value(1, "status"), NVML_GPU_IS_LOST);
	ck_assert_uint_eq(value(0, "status"), 0);
	close_gpus();
}
END_TEST

START_TEST(errors_of_the_driver)
{
	play(GPU_0 GPU_1);
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	ck_assert_uint_eq(value(1, "xid.count"), 0);
	ck_assert(sw_is_missing(value(1, "xid.last")));
	play(GPU_0 GPU_1 "xid 31\nxid 79\n");
	take();
	ck_assert_uint_eq(value(0, "xid.count"), 0);
	ck_assert_uint_eq(value(1, "xid.count"), 2);
	ck_assert_uint_eq(value(1, "xid.last"), 79);
	take();
	ck_assert_uint_eq(value(1, "xid.count"), 2);
	close_gpus();
}
END_TEST

#define SPLIT GPU_0 "set power 5\nset busy 9\n" \
	"mig MIG-a 7 0 H100 MIG 1g.10gb\nset total 10\nset used 4\n" \
	"set busy 50\nset energy 6\n" \
	"mig MIG-b 9 0 H100 MIG 2g.20gb\nset total 20\nset used 8\n"

/* Values of the GPU are not repeated for each of its instances. */
START_TEST(instances)
{
	struct sw_subject subject;

	play(SPLIT "xid 43 9 0\nxid 94 9\nxid 95\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	ck_assert_uint_eq(reading.rows.count, 3);
	ck_assert_uint_eq(value(0, "power.usage"), 5);
	ck_assert_uint_eq(value(1, "memory.total"), 10);
	ck_assert_uint_eq(value(2, "memory.used"), 8);
	ck_assert(sw_is_missing(value(1, "power.usage")));
	ck_assert(sw_is_missing(value(1, "energy.total")));
	ck_assert_uint_eq(value(0, "xid.count"), 1);
	ck_assert_uint_eq(value(0, "xid.last"), 95);
	ck_assert_uint_eq(value(1, "xid.count"), 0);
	ck_assert_uint_eq(value(2, "xid.count"), 2);
	ck_assert_uint_eq(value(2, "xid.last"), 94);
	ck_assert(sw_reading_describe(&reading, 2, &subject));
	ck_assert_str_eq(subject.kind, "mig");
	ck_assert_str_eq(subject.name, "GPU 0 MIG 1");
	ck_assert(!sw_reading_describe(&reading, 3, &subject));
	close_gpus();
}
END_TEST

/* Instances appear and vanish; each keeps its index. */
START_TEST(instances_change)
{
	struct sw_subject subject;
	int i;

	play(SPLIT);
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	play(GPU_0 "mig MIG-b 9 0 H100 MIG 2g.20gb\nset total 20\n"
	     "mig MIG-c 11 0 H100 MIG 1g.10gb\nset total 30\n");
	for (i = 0; i < 61; i++)
		take();
	ck_assert_uint_eq(reading.rows.count, 3);
	ck_assert_uint_eq(sw_rows_index(&reading.rows, 1), 2);
	ck_assert_uint_eq(value(1, "memory.total"), 20);
	ck_assert_uint_eq(sw_rows_index(&reading.rows, 2), 3);
	ck_assert_uint_eq(value(2, "memory.total"), 30);
	ck_assert(sw_reading_describe(&reading, 3, &subject));
	ck_assert_ptr_nonnull(strstr(subject.detail, "MIG-c"));
	close_gpus();
}
END_TEST

/* A rate takes the driver 20 ms to measure: one GPU per read, in turns. */
START_TEST(rates_in_turns)
{
	play(GPU_0 "set pcie_tx 11\nset pcie_rx 12\n" GPU_1
	     "set pcie_tx 21\nset pcie_rx 22\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	ck_assert_uint_eq(value(0, "pcie.tx"), 11);
	ck_assert_uint_eq(value(0, "pcie.rx"), 12);
	ck_assert(sw_is_missing(value(1, "pcie.tx")));
	take();
	ck_assert(sw_is_missing(value(0, "pcie.tx")));
	ck_assert_uint_eq(value(1, "pcie.rx"), 22);
	close_gpus();
}
END_TEST

START_TEST(memory_that_wears_out)
{
	play(GPU_0 "set remapped_correctable 2\nset remapped_uncorrectable 1\n"
	     "set remap_pending 1\nset remap_failed 0\n" GPU_1
	     "set retired_single 3\nset retired_double 4\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	take();
	ck_assert_uint_eq(value(0, "remapped_rows.correctable"), 2);
	ck_assert_uint_eq(value(0, "remapped_rows.uncorrectable"), 1);
	ck_assert_uint_eq(value(0, "remapped_rows.pending"), 1);
	ck_assert_uint_eq(value(0, "remapped_rows.failed"), 0);
	ck_assert(sw_is_missing(value(0, "retired_pages.single_bit")));
	ck_assert_uint_eq(value(1, "retired_pages.single_bit"), 3);
	ck_assert_uint_eq(value(1, "retired_pages.double_bit"), 4);
	ck_assert(sw_is_missing(value(1, "remapped_rows.failed")));
	close_gpus();
}
END_TEST

START_TEST(processes)
{
	play(GPU_0 "process 10 1000 40 5\nprocess 11 2000\n"
	     "process 12 18446744073709551615 200 1\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu_pids), SW_READ_OK);
	take();
	ck_assert_uint_eq(reading.rows.count, 3);
	ck_assert_uint_eq(value(0, "pid"), 10);
	ck_assert_uint_eq(value(0, "memory.used"), 1000);
	ck_assert_uint_eq(value(0, "utilization.sm"), 40);
	ck_assert_uint_eq(value(1, "utilization.sm"), 0);
	/* "Not available", and an invalid percentage. */
	ck_assert(sw_is_missing(value(2, "memory.used")));
	ck_assert(sw_is_missing(value(2, "utilization.sm")));
	play(GPU_0 "process 10 1000 40 5\n"
	     "fail DeviceGetProcessUtilization 3\n");
	take();
	ck_assert_uint_eq(value(0, "memory.used"), 1000);
	ck_assert(sw_is_missing(value(0, "utilization.sm")));
	close_gpus();
}
END_TEST

/* With more than there is room for, the rest would be reported as 0. */
START_TEST(too_many_processes)
{
	char text[8192] = GPU_0;
	size_t used = strlen(text);
	int i;

	for (i = 0; i < 130; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "process %d 1\n", 100 + i);
	play("%s" GPU_1 "process 7 1\n", text);
	ck_assert_int_eq(open_gpus(&sw_src_gpu_pids), SW_READ_OK);
	take();
	ck_assert_uint_eq(reading.rows.count, 1);
	ck_assert_uint_eq(sw_rows_index(&reading.rows, 0), 1);
	close_gpus();
}
END_TEST

/* Both sources see the same GPUs, whichever is closed first. */
START_TEST(two_users)
{
	struct sw_reading first;

	play(GPU_0 "process 10 1000\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	first = reading;
	ck_assert_int_eq(open_gpus(&sw_src_gpu_pids), SW_READ_OK);
	sw_reading_close(&first);
	free(first.state);
	take();
	ck_assert_uint_eq(reading.rows.count, 1);
	close_gpus();
}
END_TEST

START_TEST(nothing_to_see)
{
	play(GPU_0 "fail Init_v2 %d\n", NVML_DRIVER_NOT_LOADED);
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_ABSENT);
	close_gpus();
	play("#\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_ABSENT);
	close_gpus();
	play(GPU_0);
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	close_gpus();
}
END_TEST

/* Before R470: no second version of memory, no energy, no fields. */
START_TEST(old_driver)
{
	play(GPU_0 "set total 100\nset used 30\nset reserved 8\n"
	     "set reasons 64\nset energy 5\nset nvlink_tx 1\n"
	     "process 10 1000 40 5\n");
	ck_assert_int_eq(open_gpus(&sw_src_gpu), SW_READ_OK);
	take();
	ck_assert_uint_eq(value(0, "memory.total"), 100);
	ck_assert_uint_eq(value(0, "memory.used"), 38);
	ck_assert(sw_is_missing(value(0, "memory.reserved")));
	ck_assert(sw_is_missing(value(0, "energy.total")));
	ck_assert(sw_is_missing(value(0, "nvlink.tx_bytes")));
	ck_assert_uint_eq(value(0, "clocks.event_reasons"), 64);
	close_gpus();
	ck_assert_int_eq(open_gpus(&sw_src_gpu_pids), SW_READ_OK);
	take();
	ck_assert_uint_eq(reading.rows.count, 1);
	ck_assert_uint_eq(value(0, "memory.used"), 1000);
	ck_assert_uint_eq(value(0, "utilization.sm"), 40);
	close_gpus();
}
END_TEST

static void load_new(void)
{
	ck_assert(nvml_kit_load(false));
}

static void load_old(void)
{
	ck_assert(nvml_kit_load(true));
}

int main(void)
{
	TCase *now = tcase_create("now"), *old = tcase_create("old");
	const char *top = getenv("abs_top_srcdir");
	int failed, fd = mkstemp(script);
	char path[4096];

	tcase_add_checked_fixture(now, load_new, NULL);
	tcase_add_test(now, lost_while_recording);
	tcase_add_test(now, fallen_off_the_bus);
	tcase_add_test(now, errors_of_the_driver);
	tcase_add_test(now, instances);
	tcase_add_test(now, instances_change);
	tcase_add_test(now, rates_in_turns);
	tcase_add_test(now, memory_that_wears_out);
	tcase_add_test(now, processes);
	tcase_add_test(now, too_many_processes);
	tcase_add_test(now, two_users);
	tcase_add_test(now, nothing_to_see);
	tcase_add_checked_fixture(old, load_old, NULL);
	tcase_add_test(old, old_driver);
	snprintf(path, sizeof(path), "%s/test/fixtures/sources/gpu/good",
		 top ? top : ".");
	proc_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || proc_fd < 0)
		return EXIT_FAILURE;
	close(fd);
	setenv("STEPWELL_NVML_SCRIPT", script, 1);
	failed = run_tests("gpus", now, old, NULL);
	unlink(script);
	return failed;
}
