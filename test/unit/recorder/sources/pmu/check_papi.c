/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PAPI's names as the kernel's counters, of processors that this one need not
 * be: test/fixtures/papi has what PAPI 7.0 makes of each preset.
 */
#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config.h"
#include "recorder/sources/pmu/papi_child.h"
#include "recorder/sources/pmu/pmu_names.h"
#include "recorder/sources/pmu/pmu_papi.h"
#include "recorder/sources/pmu/presets.h"
#include "test/unit/recorder/sources/pmu/pmu_kit.h"

static struct sw_papi_counter counters[SW_PAPI_PRESETS_MAX];
static struct sw_papi_library library;

static void name(size_t index, const char *text)
{
	memset(&counters[index], 0, sizeof(counters[index]));
	snprintf(counters[index].name, sizeof(counters[index].name), "%s",
		 text);
}

static const struct sw_papi_counter *
one(const char *text, const char *processor, const char *events_file)
{
	name(0, text);
	sw_papi_translate(counters, 1,
			  &(struct sw_papi_origin){.processor = processor,
						   .events_file = events_file});
	return &counters[0];
}

static void path_of(char *path, size_t size, const char *file)
{
	const char *top = getenv("abs_top_srcdir");

	snprintf(path, size, "%s/test/fixtures/papi/%s", top ? top : ".", file);
}

static void refused(const char *text, const char *processor,
		    const char *events_file, const char *why)
{
	const struct sw_papi_counter *counter =
		one(text, processor, events_file);

	ck_assert_msg(strstr(counter->reason, why), "%s: \"%s\", not \"%s\"",
		      text, counter->reason, why);
	ck_assert_uint_eq(counter->term_count, 0);
}

#if defined(HAVE_PAPI) && defined(HAVE_LIBPFM)
static const struct processor {
	const char *name, *file;
	size_t presets;
} processors[] = {
	{"bdw_ep", "bdw_ep.txt", 54},
	{"skx", "skx.txt", 53},
	{"icx", "icx.txt", 34},
	{"knl", "knl.txt", 26},
	{"amd64_fam17h_zen2", "zen2.txt", 16},
	{"amd64_fam19h_zen3", "zen3.txt", 23},
};

static void write_counter(FILE *file, const struct sw_papi_counter *counter)
{
	unsigned i;

	fprintf(file, "%s %s", counter->name,
		counter->reason[0] ? counter->reason : counter->formula);
	for (i = 0; i < counter->term_count; i++)
		fprintf(file, " %" PRIu32 "/%" PRIx64 "/%" PRIx64,
			counter->term[i].type, counter->term[i].config,
			counter->term[i].config1);
	fputc('\n', file);
}

static void compare(const char *path, size_t count)
{
	static char expected[16384], found[16384];
	FILE *file = fopen(path, getenv("UPDATE_GOLDEN") ? "we+" : "re");
	FILE *memory = fmemopen(found, sizeof(found), "w");
	size_t i;

	ck_assert_msg(file && memory, "%s", path);
	for (i = 0; i < count; i++)
		write_counter(getenv("UPDATE_GOLDEN") ? file : memory,
			      &counters[i]);
	fclose(memory);
	if (!getenv("UPDATE_GOLDEN")) {
		expected[fread(expected, 1, sizeof(expected) - 1, file)] = '\0';
		ck_assert_msg(!strcmp(found, expected), "%s:\n%s", path, found);
	}
	fclose(file);
}

/* Each preset is translated or refused with a reason. */
START_TEST(presets)
{
	const struct processor *processor = &processors[_i];
	char path[4096];
	size_t count, i;

	count = sw_papi_presets(
		counters, SW_PAPI_PRESETS_MAX,
		&(struct sw_papi_origin){.processor = processor->name},
		&library);
	ck_assert_str_eq(library.why, "");
	ck_assert_uint_gt(count, 0);
	for (i = 0; i < count; i++)
		ck_assert_msg(!counters[i].reason[0] ==
				      (counters[i].term_count > 0),
			      "%s", counters[i].name);
	/* Other releases have other formulas. */
	if (strncmp(library.version, "7.0.", 4) != 0)
		return;
	ck_assert_uint_eq(count, processor->presets);
	path_of(path, sizeof(path), processor->file);
	compare(path, count);
}
END_TEST

/* Those count whose events the kernel opens, all of them. */
START_TEST(told)
{
	char line[480];

	pmu_kit_begin();
	/* Of Knights Landing: instructions, and loads without stores. */
	pmu_kit_set(&(struct pmu_kit_event){
		.type = PERF_TYPE_RAW, .config = 0xc0, .value = 1 });
	sw_presets_tell(line, sizeof(line),
			&(struct sw_papi_origin){ .processor = "knl" });
	ck_assert_uint_eq(pmu_kit_open_count(), 0);
	ck_assert_msg(strstr(line, " presets for this processor, 1 count "
				   "here; not PAPI_L1_DCM, "), "%s", line);
	ck_assert_msg(strstr(line, " more: No such file or directory"), "%s",
		      line);
	sw_presets_tell(line, sizeof(line),
			&(struct sw_papi_origin){ .processor = "spr" });
	if (!strncmp(line, "PAPI 7.0.", 9))
		ck_assert_ptr_nonnull(strstr(line, "no presets of this"));
	pmu_kit_end();
}
END_TEST

START_TEST(own_file)
{
	const struct sw_papi_counter *counter;
	char path[4096];

	path_of(path, sizeof(path), "spr.csv");
	counter = one("PAPI_DP_OPS", "spr", path);
	ck_assert_str_eq(counter->reason, "");
	ck_assert_str_eq(counter->formula, "N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|");
	ck_assert_uint_eq(counter->term[3].type, PERF_TYPE_RAW);
	ck_assert_uint_eq(counter->term[3].config, 0x40c7);
	ck_assert_str_eq(one("PAPI_LST_INS", "spr", path)->formula, "N0|N1|+|");
	ck_assert_str_eq(one("PAPI_BR_PRC", "spr", path)->formula, "N0|N1|-|");
	refused("PAPI_DP_OPS", "spr", NULL, "no presets of this processor");
	refused("PAPI_TOT_CYC", "spr", path, "no formula of it");
	refused("PAPI_DP_OPS", "skx", "/nonexistent.csv",
		"/nonexistent.csv: No such file");
}
END_TEST

START_TEST(natives)
{
	const struct sw_papi_counter *counter =
		one("spr::TOPDOWN:SLOTS", "spr", NULL);

	ck_assert_uint_eq(counter->term[0].type, PERF_TYPE_RAW);
	ck_assert_uint_eq(counter->term[0].config, 0x400);
	ck_assert_str_eq(counter->formula, "N0|");
	ck_assert(!counter->term[0].has_kernel);
	counter = one("perf::CACHE-MISSES", NULL, NULL);
	ck_assert_uint_eq(counter->term[0].type, PERF_TYPE_HARDWARE);
	ck_assert_uint_eq(counter->term[0].config, PERF_COUNT_HW_CACHE_MISSES);
	ck_assert(one("RETIRED_INSTRUCTIONS:k=1", "amd64_fam19h_zen3", NULL)
			  ->term[0]
			  .has_kernel);
}
END_TEST

START_TEST(poisoned)
{
	setenv("PAPI_CSV_EVENT_FILE", "/nonexistent", 1);
	setenv("PAPI_USER_EVENTS_FILE", "/nonexistent", 1);
	setenv("LIBPFM_FORCE_PMU", "knl", 1);
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	setenv("PAPI_ROCMSMI_ROOT", "/nonexistent", 1);
	ck_assert_str_eq(one("PAPI_DP_OPS", "skx", NULL)->formula,
			 "N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|");
}
END_TEST

START_TEST(unknown)
{
	refused("PAPI_NONSENSE", "skx", NULL, "no preset of that name");
	refused("PAPI_L3_TCM", "skx", NULL, "no formula of it");
	refused("", "skx", NULL, "no event of that name");
	refused("NO::SUCH;\n%s", "skx", NULL, "no event of that name");
	refused("PAPI_TOT_INS", "no_such_processor", NULL, "PAPI");
}
END_TEST
#else
START_TEST(absent)
{
	refused("PAPI_TOT_INS", NULL, NULL, "libp");
	ck_assert_uint_eq(sw_papi_presets(counters, 1,
					  &(struct sw_papi_origin){0},
					  &library),
			  0);
}
END_TEST
#endif

static void crash(void *context)
{
	int *shared = context;

	*shared = getenv("PATH") || getpid() == shared[1];
	raise(SIGABRT);
}

/* It has no environment, and its end is nobody else's. */
START_TEST(child)
{
	int *shared = sw_papi_child_memory(2 * sizeof(*shared));

	ck_assert_ptr_nonnull(shared);
	shared[0] = -1;
	shared[1] = getpid();
	setenv("PATH", "/bin", 1);
	sw_papi_child_run(crash, shared, &(struct sw_papi_place){0});
	ck_assert_int_eq(shared[0], 0);
	munmap(shared, 2 * sizeof(*shared));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("papi");
	TCase *tcase = tcase_create("papi");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 60);
#if defined(HAVE_PAPI) && defined(HAVE_LIBPFM)
	tcase_add_loop_test(tcase, presets, 0,
			    sizeof(processors) / sizeof(processors[0]));
	tcase_add_test(tcase, told);
	tcase_add_test(tcase, own_file);
	tcase_add_test(tcase, natives);
	tcase_add_test(tcase, poisoned);
	tcase_add_test(tcase, unknown);
#else
	tcase_add_test(tcase, absent);
#endif
	tcase_add_test(tcase, child);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
