/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every rule with its fixtures in test/rules/ID/: fires*.txt must give the
 * sentence in expected*.txt, quiet*.txt none, missing.txt "not evaluated".
 */
#include <check.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/rules/worth.h"
#include "test/unit/analyzer/rules/rule_fixtures.h"

extern const struct sw_rule sw_rule_template;

enum { EXPLAIN_WORDS_MAX = 120 };

/* What to do with each fixture of a rule whose name begins so. */
static void each_fixture(const char *id, const char *begin,
			 void (*check)(const char *id, const char *name))
{
	char pattern[32], name[64];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s*", begin);
	ck_assert_int_eq(glob(fixture_path(id, pattern), 0, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++) {
		const char *slash = strrchr(found.gl_pathv[i], '/');

		snprintf(name, sizeof(name), "%.*s",
			 (int)strcspn(slash + 1, "."), slash + 1);
		check(id, name);
	}
	globfree(&found);
}

/* The sentence of fires; that of fires_NAME, if there is an expected_NAME. */
static void check_fires(const char *id, const char *name)
{
	const struct sw_finding *finding;
	struct sw_loaded loaded;
	char expected[64];

	bool is_any;

	snprintf(expected, sizeof(expected), "expected%s",
		 name + strlen("fires"));
	is_any = strcmp(name, "fires") != 0 &&
		 access(fixture_path(id, expected), F_OK) < 0;
	fixture_load(&loaded, id, name);
	finding = fixture_finding(&loaded.result.findings, id);
	ck_assert_msg(finding != NULL, "%s does not fire on %s", id, name);
	fixture_check_finding(finding, id, is_any ? NULL : expected);
	ck_assert_ptr_null(fixture_not_evaluated(&loaded.result, id));
	sw_loaded_fini(&loaded);
}

static void check_is_there(const char *id, const char *name)
{
	const char *path = fixture_path(id, name);

	ck_assert_msg(access(path, F_OK) == 0, "no %s: each finding needs a "
		      "recording of which it is told (fires), of which it is "
		      "not (quiet), and one without its needs (missing)", path);
}

/* An expected sentence of no fixture would check nothing. */
static void check_is_used(const char *id, const char *name)
{
	char fires[64];

	snprintf(fires, sizeof(fires), "fires%s", name + strlen("expected"));
	ck_assert_msg(access(fixture_path(id, fires), F_OK) == 0,
		      "%s: %s.txt without %s.txt", id, name, fires);
}

START_TEST(fires)
{
	const char *id = sw_rules[_i]->id;

	check_is_there(id, "fires");
	each_fixture(id, "fires", check_fires);
	each_fixture(id, "expected", check_is_used);
}
END_TEST

static void check_quiet(const char *id, const char *name)
{
	const struct sw_finding *finding;
	struct sw_loaded loaded;

	fixture_load(&loaded, id, name);
	finding = fixture_finding(&loaded.result.findings, id);
	ck_assert_msg(finding == NULL, "%s fires on %s: %s", id, name,
		      finding ? finding->sentence : "");
	/* Quiet because of its numbers, not for lack of them. */
	if (!strcmp(name, "quiet"))
		ck_assert_ptr_null(fixture_not_evaluated(&loaded.result, id));
	sw_loaded_fini(&loaded);
}

/* Each quiet*.txt is a similar case. */
START_TEST(stays_quiet)
{
	check_is_there(sw_rules[_i]->id, "quiet");
	each_fixture(sw_rules[_i]->id, "quiet", check_quiet);
}
END_TEST

START_TEST(says_what_is_missing)
{
	const char *id = sw_rules[_i]->id;
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	check_is_there(id, "missing");
	fixture_load(&loaded, id, "missing");
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, id));
	note = fixture_not_evaluated(&loaded.result, id);
	ck_assert_msg(note != NULL, "%s: not among not_evaluated", id);
	ck_assert_str_ne(note->because, "");
	sw_loaded_fini(&loaded);
}
END_TEST

static void check_text(const struct sw_rule *rule, const char *text,
		       const char *field)
{
	ck_assert_msg(text && *text, "%s: set %s (rule.h)", rule->id, field);
}

/* Return the number of words in text, as wc(1) counts them. */
static size_t count_words(const char *text)
{
	size_t count = 0;

	for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
		text += strcspn(text, " \n");
		count++;
	}
	return count;
}

/* Properties used by explain, stepwell.yaml and the engine. */
START_TEST(describes_itself)
{
	const struct sw_rule *rule = sw_rules[_i];
	const struct sw_rule_setting *setting = rule->settings;
	size_t i, words;

	ck_assert_ptr_eq(sw_rule_find(rule->id), rule);
	/* The list is sorted by names of files, which are made of the ids. */
	ck_assert_msg(_i == 0 || strcmp(sw_rules[_i - 1]->id, rule->id) < 0,
		      "%s: its file has to be called rule_, its id with _ in "
		      "place of \".\", and .c", rule->id);
	check_text(rule, rule->title, ".title");
	check_text(rule, rule->meaning, ".meaning");
	check_text(rule, rule->what_to_do, ".what_to_do");
	check_text(rule, rule->computed, ".computed");
	words = count_words(rule->meaning) + count_words(rule->what_to_do);
	ck_assert_msg(words <= EXPLAIN_WORDS_MAX,
		      "%s: .meaning and .what_to_do have %zu words, more than "
		      "%d", rule->id, words, EXPLAIN_WORDS_MAX);
	ck_assert_msg(rule->kind >= SW_FINDING_RESULT &&
			      rule->kind <= SW_FINDING_HINT,
		      "%s: set .kind to its place in a report (finding.h)",
		      rule->id);
	ck_assert_msg(rule->basis != SW_BASIS_UNSET, "%s: set .basis to what "
		      "it rests on (confidence.h)", rule->id);
	check_text(rule, rule->needs[0].table, ".needs");
	ck_assert_msg(rule->eval != NULL, "%s: set .eval", rule->id);
	for (i = 0; i < SW_RULE_SETTINGS_MAX && setting[i].key; i++) {
		check_text(rule, setting[i].help, "the help of each setting");
		ck_assert_double_ge(setting[i].value, setting[i].min);
		ck_assert_double_le(setting[i].value, setting[i].max);
		/* The explanation names each threshold. */
		ck_assert_msg(strstr(rule->computed, setting[i].key) != NULL,
			      "%s: computed lacks %s", rule->id,
			      setting[i].key);
	}
}
END_TEST

/* The template file works: evaluated as by the engine. */
static size_t ask_template(const char *name, char *sentence, size_t size)
{
	const struct sw_rule *rule = &sw_rule_template;
	double setting[SW_RULE_SETTINGS_MAX] = { rule->settings[0].value };
	struct sw_findings findings = { 0 };
	struct sw_loaded loaded;
	size_t count;

	fixture_load(&loaded, rule->id, name);
	ck_assert_int_eq(sw_view_has(loaded.result.view, rule->needs[0].table,
				     rule->needs[0].column),
			 strcmp(name, "missing") != 0);
	ck_assert_int_eq(rule->eval(loaded.result.view, setting, &findings), 0);
	count = findings.count;
	snprintf(sentence, size, "%s", count ? findings.items[0].sentence :
					       "");
	if (count)
		fixture_check_finding(&findings.items[0], rule->id, "expected");
	sw_findings_fini(&findings);
	sw_loaded_fini(&loaded);
	return count;
}

/* Rules about lost time have the same first settings, and mean the same. */
START_TEST(one_measure_of_lost_time)
{
	static const char *const ids[] = {
		"cpu.idle_middle", "cpu.idle_start", "cpu.idle_tail",
		"cpu.imbalance", "cpu.serial_phase", "cpu.slow_stage",
		"cpu.slow_start", "cpu.starved",
		"io.scratch_on_shared", "io.stalled", "io.tiny",
		"lock.contended", "memory.cache_squeezed", "memory.thrashing",
		"net.bound", "place.too_few_cpus", "progress.waiting",
	};
	const struct sw_rule_setting *shared =
		sw_rule_find("io.stalled")->settings;
	size_t i, j;

	ck_assert_str_eq(shared[SW_MIN_LOST_RATIO].key, "min_lost_ratio");
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		const struct sw_rule *rule = sw_rule_find(ids[i]);

		for (j = 0; j < SW_WORTH_SETTINGS_COUNT; j++) {
			ck_assert_str_eq(rule->settings[j].key, shared[j].key);
			ck_assert(rule->settings[j].value == shared[j].value);
		}
	}
}
END_TEST

static const struct {
	struct sw_loss loss;
	bool is_worth;
} losses[] = {
	{ { 11e6, 1, 1 }, true },	/* of 100 s */
	{ { 9e6, 1, 1 }, false },
	{ { 11e6, 0.5, 1 }, false },
	{ { 21e6, 0.5, 1 }, true },
	{ { 11e6, 1, 0.8 }, false },
	{ { 13e6, 1, 0.8 }, true },
	{ { NAN, 1, 1 }, false },
};

START_TEST(is_worth_telling)
{
	const double setting[] = { 0.1, 5 }, longer[] = { 0.1, 60 };
	struct sw_view view = { .elapsed_usec = 100000000 };
	const struct sw_loss *loss = &losses[_i].loss;

	ck_assert(sw_is_worth_telling(&view, loss, setting) ==
		  losses[_i].is_worth);
	ck_assert(!sw_is_worth_telling(&view, loss, longer));
	if (losses[_i].is_worth)
		ck_assert(loss->usec >= 1e8 * sw_worth_ratio(loss, setting));
}
END_TEST

START_TEST(template_works)
{
	char sentence[SW_SENTENCE_SIZE];

	ck_assert_uint_eq(ask_template("fires", sentence, sizeof(sentence)), 1);
	ck_assert_uint_eq(ask_template("quiet", sentence, sizeof(sentence)), 0);
	ck_assert_uint_eq(ask_template("missing", sentence, sizeof(sentence)),
			  0);
}
END_TEST

START_TEST(no_finding_without_evidence)
{
	const struct sw_evidence nameless = { .counter = NULL };
	struct sw_findings findings = { 0 };

	ck_assert_ptr_null(sw_finding_add(&findings, "x", SW_INFO, 1, NULL));
	ck_assert_ptr_null(sw_finding_add(&findings, "x", SW_INFO, 1,
					  &nameless));
	ck_assert_uint_eq(findings.count, 0);
	ck_assert_ptr_null(sw_rule_find("unknown"));
}
END_TEST

/* Critical first, then by kind, by waste, by id. */
START_TEST(sorts_findings)
{
	const struct sw_evidence evidence = { "c", 1, "count", NAN, 0 };
	static const char *const order[] = { "d", "f", "c", "b", "a", "e" };
	struct sw_findings findings = { 0 };
	size_t i;

	sw_finding_add(&findings, "e", SW_INFO, 1, &evidence);
	sw_finding_add(&findings, "a", SW_WARNING, 1, &evidence);
	sw_finding_add(&findings, "b", SW_WARNING, 1, &evidence)
		->wasted_core_hours = 1;
	sw_finding_add(&findings, "c", SW_WARNING, 1, &evidence)
		->wasted_gib_hours = 40;
	sw_finding_add(&findings, "d", SW_CRITICAL, 1, &evidence);
	sw_finding_add(&findings, "f", SW_WARNING, 1, &evidence);
	for (i = 0; i < findings.count; i++)
		findings.items[i].kind = SW_FINDING_WASTE;
	findings.items[0].kind = SW_FINDING_RESULT;
	findings.items[5].kind = SW_FINDING_STALL;
	sw_findings_sort(&findings);
	for (i = 0; i < findings.count; i++)
		ck_assert_str_eq(findings.items[i].id, order[i]);
	ck_assert_uint_eq(findings.count, 6);
	sw_findings_fini(&findings);
}
END_TEST

static int count_rules(void)
{
	int count = 0;

	while (sw_rules[count])
		count++;
	return count;
}

int main(void)
{
	TCase *tcase = tcase_create("fixtures");
	int rules = count_rules();

	setenv("TZ", "UTC", 1);
	tcase_add_loop_test(tcase, fires, 0, rules);
	tcase_add_loop_test(tcase, stays_quiet, 0, rules);
	tcase_add_loop_test(tcase, says_what_is_missing, 0, rules);
	tcase_add_loop_test(tcase, describes_itself, 0, rules);
	tcase_add_test(tcase, one_measure_of_lost_time);
	tcase_add_loop_test(tcase, is_worth_telling, 0,
			    sizeof(losses) / sizeof(losses[0]));
	tcase_add_test(tcase, template_works);
	tcase_add_test(tcase, no_finding_without_evidence);
	tcase_add_test(tcase, sorts_findings);
	return fixture_run_tests("rules", tcase);
}
