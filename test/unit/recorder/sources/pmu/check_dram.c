/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encoding of events outside the cores, and memory controllers for which
 * check_sources has no tree: AMD's, those of two channels, and refused ones.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/sources/pmu/uncore.h"
#include "recorder/sources/reading.h"
#include "test/run_tests.h"
#include "test/unit/recorder/sources/pmu/pmu_kit.h"

static char folder[] = "/tmp/check_dram.XXXXXX";
static int sys_fd;

static void begin(void)
{
	strcpy(strrchr(folder, '.') + 1, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	sys_fd = open(folder, O_RDONLY | O_DIRECTORY);
	pmu_kit_begin();
}

static void end(void)
{
	char command[128];

	ck_assert_uint_eq(pmu_kit_open_count(), 0);
	close(sys_fd);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* Create a file of a box, with its parent folders. */
static void put(const char *box, const char *name, const char *text)
{
	char path[300], *slash = path;
	int fd;

	snprintf(path, sizeof(path), "bus/event_source/devices/%s/%s", box,
		 name);
	while ((slash = strchr(slash, '/')) != NULL) {
		*slash = '\0';
		mkdirat(sys_fd, path, 0755);
		*slash++ = '/';
	}
	fd = openat(sys_fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

static void put_box(const char *box, const char *type)
{
	put(box, "type", type);
	put(box, "cpumask", "0\n");
	put(box, "format/event", "config:0-7\n");
	put(box, "format/umask", "config:8-15\n");
}

static struct sw_uncore_box open_box(const char *name)
{
	int devices = sw_uncore_devices(sys_fd);
	struct sw_uncore_box box;

	ck_assert_int_ge(devices, 0);
	ck_assert_int_eq(sw_uncore_box_open(&box, devices, name), 0);
	close(devices);
	return box;
}

START_TEST(terms)
{
	struct perf_event_attr attr;
	struct sw_uncore_box box;

	begin();
	put_box("box", "17\n");
	put("box", "format/split", "config:0-3,32-35\n");
	put("box", "format/inv", "config:23\n");
	put("box", "format/filter", "config1:8-15\n");
	box = open_box("box");
	ck_assert_int_eq(sw_uncore_encode(&box, "event=0x05,umask=0xcf", &attr),
			 0);
	ck_assert_uint_eq(attr.type, 17);
	ck_assert_uint_eq(attr.config, 0xcf05);
	/* Lowest bits in the first range; a term without value sets a bit. */
	ck_assert_int_eq(
		sw_uncore_encode(&box, "split=0xa5,inv,filter=3", &attr), 0);
	ck_assert_uint_eq(attr.config, 0xa00000005 | 1 << 23);
	ck_assert_uint_eq(attr.config1, 0x300);
	ck_assert_int_eq(sw_uncore_encode(&box, "event=0x105", &attr), -1);
	ck_assert_int_eq(sw_uncore_encode(&box, "other=1", &attr), -1);
	ck_assert_int_eq(sw_uncore_encode(&box, "event=", &attr), -1);
	ck_assert_int_eq(sw_uncore_encode(&box, "event=1x", &attr), -1);
	ck_assert_int_eq(sw_uncore_encode(&box, "", &attr), -1);
	sw_uncore_box_close(&box);
	end();
}
END_TEST

START_TEST(events)
{
	struct perf_event_attr attr;
	struct sw_uncore_box box;
	double bytes;

	begin();
	put_box("box", "17\n");
	put("box", "events/read", "event=0x20\n");
	box = open_box("box");
	ck_assert_int_eq(sw_uncore_event(&box, "read", &attr, &bytes), 0);
	ck_assert(isnan(bytes));
	put("box", "events/read.scale", "6.103515625e-5\n");
	put("box", "events/read.unit", "MiB\n");
	ck_assert_int_eq(sw_uncore_event(&box, "read", &attr, &bytes), 0);
	ck_assert_double_eq(bytes, 64);
	put("box", "events/read.unit", "Joules\n");
	ck_assert_int_eq(sw_uncore_event(&box, "read", &attr, &bytes), 0);
	ck_assert(isnan(bytes));
	ck_assert_int_eq(sw_uncore_event(&box, "write", &attr, &bytes), -1);
	sw_uncore_box_close(&box);
	end();
}
END_TEST

START_TEST(cpus)
{
	struct sw_uncore_box box;
	int devices;

	begin();
	put_box("box", "17\n");
	put("box", "cpumask", "0-2,64\n");
	box = open_box("box");
	ck_assert_uint_eq(box.cpu_count, 4);
	ck_assert_int_eq(box.cpus[2], 2);
	ck_assert_int_eq(box.cpus[3], 64);
	sw_uncore_box_close(&box);
	devices = sw_uncore_devices(sys_fd);
	put("box", "cpumask", "0-\n");
	ck_assert_int_eq(sw_uncore_box_open(&box, devices, "box"), -1);
	put("box", "cpumask", "0-99999999\n");
	ck_assert_int_eq(sw_uncore_box_open(&box, devices, "box"), -1);
	put("box", "cpumask", "0\n");
	put("box", "type", "many\n");
	ck_assert_int_eq(sw_uncore_box_open(&box, devices, "box"), -1);
	ck_assert_int_eq(sw_uncore_box_open(&box, devices, "none"), -1);
	close(devices);
	end();
}
END_TEST

static void count(uint32_t type, uint64_t config, uint64_t value, int why)
{
	pmu_kit_set(&(struct pmu_kit_event){
		.type = type, .config = config, .value = value, .why = why });
}

/* Read the source once; two numbers if it exists. */
static enum sw_read_status take(uint64_t *bytes)
{
	const struct sw_target target = {
		.cgroup_fd = -1, .proc_fd = -1, .sys_fd = sys_fd };
	void *memory = calloc(1, sw_reading_bytes(&sw_src_dram));
	struct sw_reading reading;
	enum sw_read_status status;

	sw_reading_init(&reading, &sw_src_dram, memory);
	status = sw_reading_open(&reading, &target);
	if (status == SW_READ_OK)
		status = sw_reading_take(&reading, &target);
	if (status == SW_READ_OK)
		memcpy(bytes, sw_rows_values(&reading.rows, 0),
		       2 * sizeof(*bytes));
	sw_reading_close(&reading);
	free(memory);
	return status;
}

START_TEST(amd)
{
	uint64_t bytes[2];

	begin();
	put_box("amd_umc_0", "30\n");
	put_box("amd_umc_11", "31\n");
	put("amd_umc_0", "format/rdwrmask", "config:8-9\n");
	put("amd_umc_11", "format/rdwrmask", "config:8-9\n");
	count(30, 0x10a, 1000, 0);
	count(30, 0x20a, 10, 0);
	count(31, 0x10a, 2000, 0);
	count(31, 0x20a, 20, 0);
	ck_assert_int_eq(take(bytes), SW_READ_OK);
	ck_assert_uint_eq(bytes[0], 64 * 3000);
	ck_assert_uint_eq(bytes[1], 64 * 30);
	end();
}
END_TEST

START_TEST(two_channels)
{
	static const char *const names[] = {
		"cas_count_read_sch0",
		"cas_count_read_sch1",
		"cas_count_write_sch0",
		"cas_count_write_sch1",
	};
	char path[64], term[32];
	uint64_t bytes[2];
	size_t i;

	begin();
	put_box("uncore_imc_3", "30\n");
	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "events/%s", names[i]);
		snprintf(term, sizeof(term), "event=0x%zx\n", i + 1);
		put("uncore_imc_3", path, term);
		snprintf(path, sizeof(path), "events/%s.scale", names[i]);
		put("uncore_imc_3", path, "6.103515625e-5\n");
		snprintf(path, sizeof(path), "events/%s.unit", names[i]);
		put("uncore_imc_3", path, "MiB\n");
		count(30, i + 1, 100 * (i + 1), 0);
	}
	ck_assert_int_eq(take(bytes), SW_READ_OK);
	ck_assert_uint_eq(bytes[0], 64 * 300);
	ck_assert_uint_eq(bytes[1], 64 * 700);
	end();
}
END_TEST

START_TEST(refused)
{
	uint64_t bytes[2];

	begin();
	put_box("amd_umc_0", "30\n");
	put("amd_umc_0", "format/rdwrmask", "config:8-9\n");
	count(30, 0x10a, 1000, 0);
	count(30, 0x20a, 10, EACCES);
	ck_assert_int_eq(take(bytes), SW_READ_ABSENT);
	/* Boxes that count something else are no memory controllers. */
	put_box("amd_umc_stray", "31\n");
	put_box("uncore_imc_free_running_0", "32\n");
	ck_assert_int_eq(take(bytes), SW_READ_ABSENT);
	end();
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("dram");

	tcase_add_test(tcase, terms);
	tcase_add_test(tcase, events);
	tcase_add_test(tcase, cpus);
	tcase_add_test(tcase, amd);
	tcase_add_test(tcase, two_channels);
	tcase_add_test(tcase, refused);
	return run_tests("dram", tcase, NULL);
}
