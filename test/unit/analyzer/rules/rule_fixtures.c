/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings of test/rules/, written as text, and results of the rules. */
#include "test/unit/analyzer/rules/rule_fixtures.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/compare/fingerprint_view.h"
#include "analyzer/history/history_profile.h"
#include "analyzer/import/import.h"
#include "analyzer/settings/settings.h"
#include "test/golden_file.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

enum { USUAL_RUNS = 20, DAY_SECONDS = 86400 };

static char profile[] = "/tmp/rule_fixtures.XXXXXX";
static char history[sizeof(profile) + 8];

const char *fixture_path(const char *id, const char *name)
{
	static char path[1024];
	const char *top = getenv("abs_top_srcdir");

	snprintf(path, sizeof(path), "%s/test/rules/%s/%s.txt",
		 top ? top : ".", id, name);
	return path;
}

/* A site with all its settings; NULL: without. */
static struct sw_settings *site;

static void load_site(void)
{
	struct sw_error error;
	char path[1024];
	const char *top = getenv("abs_top_srcdir");

	snprintf(path, sizeof(path), "%s/test/rules/site.yaml",
		 top ? top : ".");
	site = sw_settings_load(path, &error);
	ck_assert_msg(site != NULL, "%s", error.text);
}

void fixture_free_site(void)
{
	sw_settings_free(site);
	site = NULL;
}

/* Past runs in past_NAME.txt, in sacct's format; NULL: none. */
static struct sw_history *history_of(const char *id, const char *name)
{
	struct sw_import import = { .history = NULL };
	struct sw_error error = { "" };
	char past[64];

	snprintf(past, sizeof(past), "past_%s", name);
	if (access(fixture_path(id, past), R_OK) < 0)
		return NULL;
	unlink(history);
	import.history = sw_history_open(history, true, &error);
	ck_assert_msg(import.history &&
		      sw_import_sacct(&import, fixture_path(id, past), &error) == 0,
		      "%s", error.text);
	sw_numbered_fini(&import.seen);
	ck_assert_uint_eq(import.skipped, 0);
	ck_assert_uint_gt(import.added, 0);
	return import.history;
}

/* Past runs like the recording usual_NAME.txt; NULL: none. */
static struct sw_history *usual_of(const char *id, const char *name)
{
	const char *path = profile;
	const struct sw_job_files files = { .paths = &path, .count = 1,
					    .uid = SW_MISSING };
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	struct sw_error error = { "" };
	struct sw_fingerprint print;
	struct sw_history *past;
	struct sw_profile_run run;
	struct sw_job job;
	char usual[64], number[16];
	int i;

	snprintf(usual, sizeof(usual), "usual_%s", name);
	if (access(fixture_path(id, usual), R_OK) < 0)
		return NULL;
	unlink(history);
	past = sw_history_open(history, true, &error);
	ck_assert_msg(past && text_profile_write(fixture_path(id, usual),
						 profile, true, &error) == 0 &&
		      sw_job_read(&job, &files, &error) == 0,
		      "%s", error.text);
	sw_profile_run(&run, &job, NULL, sw_settings_group_rules(site));
	sw_fingerprint_of_view(&print, &job.total, run.row.run.state, false,
			       NULL);
	run.row.fingerprint = bytes;
	run.row.fingerprint_size = sw_fingerprint_encode(&print, bytes);
	run.row.job = number;
	for (i = 1; i <= USUAL_RUNS; i++) {
		snprintf(number, sizeof(number), "%d", i);
		run.row.run.start_seconds -= DAY_SECONDS;
		run.row.run.end_seconds -= DAY_SECONDS;
		ck_assert_int_eq(sw_history_add(past, &run.row, &error),
				 SW_HISTORY_NEW);
	}
	sw_job_fini(&job);
	return past;
}

void fixture_load_step(struct sw_loaded *loaded, const char *id,
		      const char *name, const char *step)
{
	struct sw_history *past = usual_of(id, name);
	const char *path = profile;
	const struct sw_job_files files = {
		.paths = &path, .count = 1, .step = step, .uid = SW_MISSING,
	};
	struct sw_error error;

	if (!past)
		past = history_of(id, name);
	ck_assert_msg(text_profile_write(fixture_path(id, name), profile, true,
					 &error) == 0, "%s", error.text);
	ck_assert_msg(sw_loaded_read(loaded, &files, &error) == 0 &&
		      sw_loaded_judge(loaded, NULL, past, site, &error) == 0,
		      "%s/%s: %s", id, name, error.text);
	sw_history_close(past);
}

void fixture_load(struct sw_loaded *loaded, const char *id, const char *name)
{
	fixture_load_step(loaded, id, name, NULL);
}

const struct sw_finding *fixture_finding(const struct sw_findings *findings,
				     const char *id)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		if (!strcmp(findings->items[i].id, id))
			return &findings->items[i];
	}
	return NULL;
}

const struct sw_not_evaluated *
fixture_not_evaluated(const struct sw_result *result, const char *id)
{
	size_t i;

	for (i = 0; i < result->not_evaluated_count; i++) {
		if (!strcmp(result->not_evaluated[i].id, id))
			return &result->not_evaluated[i];
	}
	return NULL;
}

static void check_sentence(const struct sw_finding *finding, const char *id,
			   const char *name)
{
	char text[SW_SENTENCE_SIZE + 1];

	snprintf(text, sizeof(text), "%s\n", finding->sentence);
	golden_file_compare(fixture_path(id, name), text);
}

void fixture_check_finding(const struct sw_finding *finding, const char *id,
			   const char *expected)
{
	size_t i;

	if (expected)
		check_sentence(finding, id, expected);
	ck_assert_uint_ge(finding->evidence_count, 1);
	ck_assert(finding->confidence > 0 && finding->confidence <= 1);
	ck_assert_str_ne(finding->subject, "");
	for (i = 0; i < finding->evidence_count; i++) {
		ck_assert(isfinite(finding->evidence[i].value));
		ck_assert_str_ne(finding->evidence[i].unit, "");
	}
}

int fixture_run_tests(const char *name, TCase *tests)
{
	int fd = mkstemp(profile), status;

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	snprintf(history, sizeof(history), "%s.sqlite", profile);
	tcase_add_checked_fixture(tests, load_site, fixture_free_site);
	status = run_tests(name, tests, NULL);
	unlink(history);
	unlink(profile);
	return status;
}
