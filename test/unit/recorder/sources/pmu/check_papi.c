/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PAPI's names as the kernel's counters, for processors other than this one:
 * test/fixtures/papi has the translation of each preset by PAPI 7.0.
 */
#include <check.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config.h"
#include "common/missing.h"
#include "recorder/sources/pmu/components.h"
#include "recorder/sources/pmu/papi_child.h"
#include "recorder/sources/pmu/pmu_names.h"
#include "recorder/sources/pmu/pmu_papi.h"
#include "recorder/sources/pmu/presets.h"
#include "recorder/sources/reading.h"
#include "recorder/sources/source.h"
#include "test/golden_file.h"
#include "test/run_tests.h"
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
	sw_papi_translate(
		counters, 1,
		&(struct sw_papi_origin){ .processor = processor,
					  .events_file = events_file });
	return &counters[0];
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
static void path_of(char *path, size_t size, const char *file)
{
	const char *top = getenv("abs_top_srcdir");

	snprintf(path, size, "%s/test/fixtures/papi/%s", top ? top : ".", file);
}

static const struct processor {
	const char *name, *file;
	size_t presets;
} processors[] = {
	{ "bdw_ep", "bdw_ep.txt", 54 },
	{ "skx", "skx.txt", 53 },
	{ "icx", "icx.txt", 34 },
	{ "knl", "knl.txt", 26 },
	{ "amd64_fam17h_zen2", "zen2.txt", 16 },
	{ "amd64_fam19h_zen3", "zen3.txt", 23 },
};

/* PAPI 7.0: papiStdEventDefs.h. */
enum { ALL_PRESETS = 108 };

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
	char *text = NULL;
	size_t i, size = 0;
	FILE *file = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(file);
	for (i = 0; i < count; i++)
		write_counter(file, &counters[i]);
	fclose(file);
	golden_file_compare(path, text);
	free(text);
}

/* All of PAPI's names: each is translated, or refused with a reason. */
START_TEST(presets)
{
	const struct processor *processor = &processors[_i];
	size_t count, i, formulas = 0;
	char path[4096];

	count = sw_papi_presets(
		counters, SW_PAPI_PRESETS_MAX,
		&(struct sw_papi_origin){ .processor = processor->name },
		&library);
	ck_assert_str_eq(library.why, "");
	ck_assert_uint_gt(count, 0);
	for (i = 0; i < count; i++) {
		formulas += counters[i].has_formula;
		ck_assert_msg(!counters[i].reason[0] ==
				      (counters[i].term_count > 0),
			      "%s", counters[i].name);
		ck_assert_msg(!counters[i].reason[0] ==
				      (counters[i].formula[0] != '\0'),
			      "%s", counters[i].name);
		/* Those with a formula are refused for another reason. */
		if (counters[i].has_formula)
			ck_assert_ptr_null(
				strstr(counters[i].reason, "has no formula"));
	}
	ck_assert_uint_gt(formulas, 0);
	/* Other releases have other formulas. */
	if (strncmp(library.version, "7.0.", 4) != 0)
		return;
	ck_assert_uint_eq(count, ALL_PRESETS);
	ck_assert_uint_eq(formulas, processor->presets);
	path_of(path, sizeof(path), processor->file);
	compare(path, count);
}
END_TEST

static char *print_presets(const char *processor)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(file);
	sw_presets_print(file, &(struct sw_papi_origin){ .processor =
								processor });
	fclose(file);
	return text;
}

/* A preset counts if the kernel opens all of its events. */
START_TEST(told)
{
	char *line = print_presets("spr");

	if (!strncmp(line, "PAPI 7.0.", 9))
		ck_assert_ptr_nonnull(strstr(line, "no presets of this"));
	free(line);
	pmu_kit_begin();
	/* Knights Landing: instructions, and loads without stores. */
	pmu_kit_set(&(struct pmu_kit_event){
		.type = PERF_TYPE_RAW, .config = 0xc0, .value = 1 });
	line = print_presets("knl");
	ck_assert_uint_eq(pmu_kit_open_count(), 0);
	ck_assert_msg(strstr(line, " presets for this processor, 1 count "
				   "here; not PAPI_L1_DCM, "), "%s", line);
	ck_assert_msg(strstr(line, " more: No such file or directory\n"), "%s",
		      line);
	ck_assert_msg(strstr(line, "\nPAPI_TOT_INS: counts here\n"), "%s",
		      line);
	ck_assert_msg(strstr(line, "\nPAPI_L1_DCM: No such file or dir"), "%s",
		      line);
	ck_assert_msg(strstr(line, "\nPAPI_L3_TCM: PAPI has no formula of it "
				   "for this processor\n"), "%s", line);
	free(line);
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
	/* Tremont: no release of PAPI has any. */
	refused("PAPI_DP_OPS", "tmt", NULL, "no presets of this processor");
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
/* Kinds of formulas, and the kernel's encoding of their last term. */
START_TEST(examples)
{
	static const struct {
		const char *processor, *name, *formula;
		uint64_t last_config;
	} rows[] = {
		{ "skx", "PAPI_DP_OPS", "N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|",
		  0x40c7 },
		{ "icx", "PAPI_DP_OPS", "N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|",
		  0x40c7 },
		{ "bdw_ep", "PAPI_DP_OPS", "N0|N1|2|*|+|N2|4|*|+|", 0x10c7 },
		{ "skx", "PAPI_LST_INS", "N0|N1|+|", 0x82d0 },
		{ "amd64_fam17h_zen2", "PAPI_TLB_IM", "N0|N1|+|", 0x785 },
		{ "amd64_fam19h_zen3", "PAPI_TLB_IM", "N0|N1|+|", 0xf85 },
		{ "amd64_fam19h_zen3", "PAPI_FP_OPS", "N0|", 0xf03 },
		{ "skx", "PAPI_BR_MSP", "N0|", 0x1c5 },
	};
	static const char *const no_l3[] = {
		"skx", "icx", "amd64_fam17h_zen2", "amd64_fam19h_zen3",
	};
	const struct sw_papi_counter *counter;
	size_t i;

	sw_papi_presets(counters, 1, &(struct sw_papi_origin){
		.processor = "skx" }, &library);
	if (strncmp(library.version, "7.0.", 4) != 0)
		return;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		counter = one(rows[i].name, rows[i].processor, NULL);
		ck_assert_str_eq(counter->formula, rows[i].formula);
		ck_assert_uint_eq(counter->term[counter->term_count - 1].config,
				  rows[i].last_config);
	}
	for (i = 0; i < sizeof(no_l3) / sizeof(no_l3[0]); i++)
		refused("PAPI_L3_TCM", no_l3[i], NULL, "no formula of it");
	refused("PAPI_DP_OPS", "amd64_fam19h_zen3", NULL, "no formula of it");
	refused("PAPI_DP_OPS", "hsw_ep", NULL, "no formula of it");
}
END_TEST

/* libsde is PAPI's: counters of the program that it is loaded into. */
static long long widgets = 5, limit = 9;

static bool register_counters(void)
{
	void *sde = dlopen("libsde.so.1", RTLD_NOW | RTLD_GLOBAL);
	int (*add)(void *handle, const char *name, int mode, int type,
		   void *counter);
	void *(*init)(const char *name), *address;

	if (!sde)
		return false;
	address = dlsym(sde, "papi_sde_init");
	memcpy(&init, &address, sizeof(init));
	address = dlsym(sde, "papi_sde_register_counter");
	memcpy(&add, &address, sizeof(add));
	/* 0x10: the value, not its growth; 0: a long long. */
	address = init("stepwell");
	return add(address, "widgets", 0x10, 0, &widgets) == 0 &&
	       add(address, "power_limit", 0x10, 0, &limit) == 0;
}

static uint64_t value_of(const struct sw_reading *reading, uint64_t index)
{
	size_t i;

	for (i = 0; i < reading->rows.count; i++) {
		if (sw_rows_index(&reading->rows, i) == index)
			return sw_rows_values(&reading->rows, i)[1];
	}
	return SW_MISSING;
}

static void is_subject(struct sw_reading *reading, uint64_t index,
		       const char *name, const char *detail)
{
	struct sw_subject subject;

	ck_assert(sw_reading_describe(reading, index, &subject));
	ck_assert_str_eq(subject.name, name);
	ck_assert_msg(strstr(subject.detail, detail), "%s: \"%s\"", name,
		      subject.detail);
}

/* The values of libsde, changed by the program. */
static void check_sde(struct sw_reading *reading,
		      const struct sw_target *target, bool is_there)
{
	if (!is_there) {
		printf("no libsde.so.1: values are not compared\n");
		is_subject(reading, 0, "sde", "libsde API not found");
		return;
	}
	is_subject(reading, 0, "sde", "1 event not read: can be set");
	is_subject(reading, 8, "sde:::stepwell::widgets", "");
	ck_assert_uint_eq(value_of(reading, 8), 5);
	widgets = 1234567890123;
	ck_assert_int_eq(sw_reading_take(reading, target), SW_READ_OK);
	ck_assert_uint_eq(value_of(reading, 8), 1234567890123);
}

/* By libpapi itself: components of Debian's. */
START_TEST(components)
{
	void *memory = calloc(1, sw_reading_bytes(&sw_src_papi));
	struct sw_target target = { .cgroup_fd = -1, .proc_fd = -1,
				    .sys_fd = -1 };
	bool has_sde = register_counters();
	struct sw_reading reading;

	setenv("PAPI_ROCMSMI_ROOT", "/nonexistent", 1);
	sw_components_choose("sde,perf_event_uncore,nonsense,powercap,"
			     "perf_event");
	ck_assert_str_eq(sw_components_refused(),
			 "powercap: it sets limits, and stepwell only reads; "
			 "perf_event: its events are requested in counters");
	sw_reading_init(&reading, &sw_src_papi, memory);
	ck_assert_int_eq(sw_reading_open(&reading, &target), SW_READ_OK);
	ck_assert_str_eq(getenv("PAPI_ROCMSMI_ROOT"), "/nonexistent");
	ck_assert_int_eq(sw_reading_take(&reading, &target), SW_READ_OK);
	is_subject(&reading, 2, "nonsense", "was built without it");
	is_subject(&reading, 3, "powercap", "it sets limits");
	check_sde(&reading, &target, has_sde);
	sw_reading_close(&reading);
	free(memory);
}
END_TEST
#else
START_TEST(absent)
{
	refused("PAPI_TOT_INS", NULL, NULL, "libp");
	ck_assert_uint_eq(sw_papi_presets(counters, 1,
					  &(struct sw_papi_origin){ 0 },
					  &library),
			  0);
}
END_TEST
#endif

/* Hostile names: each is refused separately, and escaped on a terminal. */
START_TEST(names)
{
	char text[400] = "";

	memset(text, 'x', 100);
	strcat(text, ",a b,\x1b[31m,,  good  ,a,b,c,d,e,f,g,h");
	sw_components_choose(text);
	ck_assert_ptr_nonnull(strstr(sw_components_refused(), "too long"));
	ck_assert_ptr_nonnull(strstr(sw_components_refused(),
				     "a b: no counter has a name with such"));
	ck_assert_ptr_nonnull(strstr(sw_components_refused(),
				     "h: at most 8 components are read"));
	ck_assert_ptr_null(strchr(sw_components_refused(), '\x1b'));
	ck_assert_ptr_null(strstr(sw_components_refused(), "good"));
	ck_assert(sw_src_papi.is_wanted());
	sw_components_choose(",,");
	ck_assert(!sw_src_papi.is_wanted());
	sw_components_choose(NULL);
	ck_assert(!sw_src_papi.is_wanted());
}
END_TEST

/* Names of components of PAPI up to 7.2 that accept PAPI_write(). */
START_TEST(settable)
{
	ck_assert_ptr_nonnull(sw_component_refusal("powercap"));
	ck_assert_ptr_nonnull(sw_component_refusal("libmsr"));
	ck_assert_ptr_null(sw_component_refusal("cray_pm"));
	ck_assert(sw_component_is_settable("nvml:::X:power_management_limit",
					   ""));
	ck_assert(sw_component_is_settable("x", "Writable (with privileges)"));
	ck_assert(sw_component_is_settable("x", "Fan Reset. Write Only, data"));
	ck_assert(sw_component_is_settable("rocm_smi:::power_cap:device=0",
					   "Power cap in microwatts."));
	ck_assert(!sw_component_is_settable("UNC_M_CAS_COUNT:WR",
					    "DRAM writes, all of them"));
	ck_assert(!sw_component_is_settable("cray_pm:::PM_ENERGY:NODE",
					    "Compute node energy"));
}
END_TEST

static void crash(void *context)
{
	int *shared = context;

	*shared = getenv("PATH") || getpid() == shared[1];
	raise(SIGABRT);
}

/* It has no environment, and its exit affects no other process. */
START_TEST(child)
{
	int *shared = sw_papi_child_memory(2 * sizeof(*shared));

	ck_assert_ptr_nonnull(shared);
	shared[0] = -1;
	shared[1] = getpid();
	setenv("PATH", "/bin", 1);
	sw_papi_child_run(crash, shared, &(struct sw_papi_place){ 0 });
	ck_assert_int_eq(shared[0], 0);
	munmap(shared, 2 * sizeof(*shared));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("papi");

	tcase_set_timeout(tcase, 60);
#if defined(HAVE_PAPI) && defined(HAVE_LIBPFM)
	tcase_add_loop_test(tcase, presets, 0,
			    sizeof(processors) / sizeof(processors[0]));
	tcase_add_test(tcase, told);
	tcase_add_test(tcase, own_file);
	tcase_add_test(tcase, examples);
	tcase_add_test(tcase, components);
	tcase_add_test(tcase, natives);
	tcase_add_test(tcase, poisoned);
	tcase_add_test(tcase, unknown);
#else
	tcase_add_test(tcase, absent);
#endif
	tcase_add_test(tcase, names);
	tcase_add_test(tcase, settable);
	tcase_add_test(tcase, child);
	return run_tests("papi", tcase, NULL);
}
