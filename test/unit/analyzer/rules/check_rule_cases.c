/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Properties of findings other than the sentence, for some fixtures. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "test/unit/analyzer/rules/rule_fixtures.h"

/* A poller may pace itself, or have nothing to serve: no fault. */
START_TEST(severity_is_of_what_is_waited_for)
{
	static const struct {
		const char *name;
		enum sw_severity severity;
	} cases[] = {
		{ "fires_poll_alone", SW_WARNING },
		{ "fires_events", SW_WARNING }, { "fires_asked", SW_WARNING },
		{ "fires_pipe", SW_WARNING }, { "fires_stopped", SW_WARNING },
		{ "fires_paced", SW_INFO }, { "fires_limits", SW_INFO },
		{ "fires_server", SW_INFO },
	};
	const struct sw_finding *finding;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, "progress.waiting", cases[i].name);
		finding = fixture_finding(&loaded.result.findings, "progress.waiting");
		ck_assert_ptr_nonnull(finding);
		ck_assert_msg(finding->severity == cases[i].severity, "%s: %s",
			      cases[i].name, finding->sentence);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A finding's confidence depends on the completeness of its recording. */
START_TEST(confidence_is_of_what_was_recorded)
{
	static const struct {
		const char *id, *name;
		double confidence;
		const char *because;
	} cases[] = {
		{ "cpu.single_threaded", "fires", 0.9,
		  "samples over the run" },
		{ "cpu.single_threaded", "fires_gap", 0.54,
		  "samples over the run; 40 % of the run was not sampled" },
		{ "cpu.single_threaded", "fires_few", 0.72,
		  "samples over the run; only 5 intervals between samples" },
		{ "cpu.imbalance", "fires_ranks", 0.8,
		  "samples over the run" },
		{ "cpu.fork_heavy", "fires", 0.7,
		  "starts and ends of programs" },
		{ "oom.killed", "fires", 1,
		  "how runs ended and what they requested" },
	};
	const struct sw_finding *finding;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, cases[i].id, cases[i].name);
		finding = fixture_finding(&loaded.result.findings, cases[i].id);
		ck_assert_ptr_nonnull(finding);
		ck_assert_str_eq(finding->because, cases[i].because);
		ck_assert_double_eq_tol(finding->confidence,
					cases[i].confidence, 1e-9);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Waiting for a peer counts as network only if the link is full. */
START_TEST(network_is_what_it_filled)
{
	static const struct {
		const char *name, *resource;
	} cases[] = {
		{ "fires_waits", "network" }, { "quiet_peer", "waiting" },
		{ "quiet_others", "waiting" },
	};
	struct sw_bottleneck found;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, "net.bound", cases[i].name);
		ck_assert(sw_bottleneck_find(&found,
					     &loaded.result.view->limits));
		ck_assert_str_eq(sw_limited_by_name(found.resource),
				 cases[i].resource);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Report a wrapper and its program once, however many are around it. */
START_TEST(wrappers_are_told_once)
{
	static const struct {
		const char *name, *subject;
	} cases[] = {
		{ "fires_wrapper", "program STAR-avx2" },
		{ "fires_wrapped", "program samtools.real" },
		{ "fires_wrappers", "program run.real" },
		{ "fires_step_launcher", "program solver" },
	};
	const struct sw_findings *findings;
	struct sw_loaded loaded;
	size_t i, k, count;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, "program.failed", cases[i].name);
		findings = &loaded.result.findings;
		for (k = count = 0; k < findings->count; k++)
			count += !strcmp(findings->items[k].id,
					 "program.failed");
		ck_assert_uint_eq(count, 1);
		ck_assert_str_eq(fixture_finding(findings, "program.failed")->subject,
				 cases[i].subject);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Past runs, if there are enough, know what a status means. */
START_TEST(failure_is_told_by_one_rule)
{
	static const struct {
		const char *name;
		bool is_failed, is_unlike;
	} cases[] = {
		{ "fires_workers", true, false },
		{ "quiet_past_new", false, true },
		{ "quiet_past_usual", false, false },
	};
	const struct sw_findings *findings;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, "program.failed", cases[i].name);
		findings = &loaded.result.findings;
		ck_assert_int_eq(fixture_finding(findings, "program.failed") !=
				 NULL, cases[i].is_failed);
		ck_assert_int_eq(fixture_finding(findings, "run.unlike_past") !=
				 NULL, cases[i].is_unlike);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A command not found is no failure of the shell. */
START_TEST(lost_commands_have_a_title)
{
	static const struct {
		const char *name, *title;
	} cases[] = {
		{ "fires_not_found", "A command was not found" },
		{ "fires_step_lost", "A command was not found" },
		{ "fires_not_executable", "A command could not be executed" },
		{ "fires_each", "A program failed" },
	};
	const struct sw_finding *finding;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, "program.failed", cases[i].name);
		finding = fixture_finding(&loaded.result.findings, "program.failed");
		ck_assert_str_eq(
			sw_finding_title(finding, sw_rule_find(finding->id)),
			cases[i].title);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A program that may have been killed on purpose is not critical. */
START_TEST(unseen_senders_are_a_warning)
{
	static const struct {
		const char *name;
		enum sw_severity severity;
	} cases[] = {
		{ "fires", SW_CRITICAL }, { "fires_kill", SW_CRITICAL },
		{ "fires_outside", SW_CRITICAL }, { "fires_some", SW_CRITICAL },
		{ "fires_unseen", SW_WARNING }, { "fires_mover", SW_WARNING },
		{ "fires_limit", SW_CRITICAL },
	};
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, "program.killed", cases[i].name);
		ck_assert_int_eq(fixture_finding(&loaded.result.findings,
				      "program.killed")->severity,
				 cases[i].severity);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Report the CPUs left idle by a single thread once. */
START_TEST(one_thread_is_one_waste)
{
	static const struct {
		const char *name;
		enum sw_severity severity;
		bool has_other;		/* cpu.over_allocated */
	} cases[] = {
		{ "fires", SW_INFO, true }, { "fires_half", SW_INFO, true },
		{ "fires_burst", SW_WARNING, false },
	};
	const struct sw_findings *findings;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_load(&loaded, "cpu.single_threaded", cases[i].name);
		findings = &loaded.result.findings;
		ck_assert_int_eq(fixture_finding(findings, "cpu.single_threaded")->severity,
				 cases[i].severity);
		ck_assert_int_eq(fixture_finding(findings, "cpu.over_allocated") != NULL,
				 cases[i].has_other);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A thread that others wait for at each barrier is not single. */
START_TEST(unequal_threads_are_not_one)
{
	struct sw_loaded loaded;

	fixture_load(&loaded, "cpu.imbalance", "fires_pair");
	ck_assert_ptr_nonnull(fixture_finding(&loaded.result.findings, "cpu.imbalance"));
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings,
				"cpu.single_threaded"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* Intended sleep is no hang, whatever waits for it, nor is slow work. */
START_TEST(sleep_is_no_standstill)
{
	static const char *const quiet[] = {
		"quiet_sleep", "quiet_pool", "quiet_workers", "quiet_half",
		"quiet_slow", "quiet_signal", "quiet_end", "quiet_went_on",
		"quiet_starved",
	};
	const struct sw_finding *finding;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++) {
		fixture_load(&loaded, "progress.frozen", quiet[i]);
		finding = fixture_finding(&loaded.result.findings, "progress.frozen");
		ck_assert_msg(finding == NULL, "%s: %s", quiet[i],
			      finding ? finding->sentence : "");
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Mapped files refaulted now and then: nothing stalled. */
START_TEST(missed_at_times)
{
	struct sw_loaded loaded;

	fixture_load(&loaded, "memory.near_limit", "quiet_missed");
	ck_assert(loaded.result.view->memory.has_missed_files);
	ck_assert(!loaded.result.view->memory.need_is_lower_bound);
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, "memory.near_limit"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* A failure long before, a kill, or another status. */
START_TEST(step_failed_otherwise)
{
	struct sw_loaded loaded;

	fixture_load(&loaded, "program.failed", "quiet_step");
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, "program.failed"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* CPU time that a step did not get is not unneeded. */
START_TEST(held_back_is_not_idle)
{
	static const char *const id = "cpu.over_allocated";
	static const char *const unseen[] = { "missing_starved",
					      "missing_throttled" };
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;
	size_t i;

	fixture_load(&loaded, id, "quiet_starved");
	ck_assert(loaded.result.view->cpu.is_constrained);
	ck_assert_double_eq_tol(loaded.result.view->cpu.demand_peak_cores, 2,
				0.01);
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, id));
	sw_loaded_fini(&loaded);
	fixture_load(&loaded, id, "quiet_paced");
	note = fixture_not_evaluated(&loaded.result, id);
	ck_assert_ptr_nonnull(note);
	ck_assert_ptr_nonnull(strstr(note->because, "at pipes"));
	sw_loaded_fini(&loaded);
	for (i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
		fixture_load(&loaded, id, unseen[i]);
		ck_assert(loaded.result.view->cpu.is_constrained);
		ck_assert(isnan(loaded.result.view->cpu.demand_peak_cores));
		ck_assert_ptr_null(fixture_finding(&loaded.result.findings, id));
		note = fixture_not_evaluated(&loaded.result, id);
		ck_assert_ptr_nonnull(note);
		ck_assert_ptr_nonnull(strstr(note->because, "held back"));
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A hanging call is one finding; many slow ones are no hang. */
START_TEST(stuck_and_slow_io_differ)
{
	struct sw_loaded loaded;

	fixture_load(&loaded, "progress.frozen", "fires_io");
	ck_assert_ptr_nonnull(fixture_finding(&loaded.result.findings, "progress.frozen"));
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, "io.stalled"));
	sw_loaded_fini(&loaded);
	fixture_load(&loaded, "progress.frozen", "quiet_io");
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, "progress.frozen"));
	ck_assert_ptr_nonnull(fixture_finding(&loaded.result.findings, "io.stalled"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* A process that waits for others progresses as they do. */
START_TEST(waiting_for_others_is_no_standstill)
{
	static const char *const id = "progress.frozen";
	static const char *const quiet[] = {
		"quiet_srun", "quiet_chain", "quiet_head", "quiet_asked",
		"quiet_unseen", "quiet_prompt", "quiet_extern",
	};
	const struct sw_finding *finding;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++) {
		fixture_load(&loaded, id, quiet[i]);
		finding = fixture_finding(&loaded.result.findings, id);
		ck_assert_msg(finding == NULL, "%s: %s", quiet[i],
			      finding ? finding->sentence : "");
		sw_loaded_fini(&loaded);
	}
	/* Also in a report on the script only. */
	fixture_load_step(&loaded, id, "quiet_chain", "batch");
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, id));
	sw_loaded_fini(&loaded);
	fixture_load(&loaded, id, "fires_inside");
	finding = fixture_finding(&loaded.result.findings, id);
	ck_assert_str_eq(finding->view->step_id, "0");
	ck_assert_uint_eq(finding->other_occurrences, 0);
	sw_loaded_fini(&loaded);
}
END_TEST

/* The past is that of whole jobs. */
START_TEST(a_step_is_not_compared_with_jobs)
{
	static const char *const id = "run.unlike_past";
	const struct sw_finding *finding;
	struct sw_loaded loaded;

	fixture_load(&loaded, id, "quiet_steps");
	ck_assert_ptr_null(fixture_not_evaluated(&loaded.result, id));
	sw_loaded_fini(&loaded);
	fixture_load_step(&loaded, id, "quiet_steps", "batch");
	finding = fixture_finding(&loaded.result.findings, id);
	ck_assert_msg(finding == NULL, "%s", finding ? finding->sentence : "");
	ck_assert_ptr_nonnull(fixture_not_evaluated(&loaded.result, id));
	sw_loaded_fini(&loaded);
}
END_TEST

/* A process killed at another time is no victim, which is weak evidence. */
START_TEST(killed_at_another_time)
{
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	fixture_load(&loaded, "oom.silent", "quiet_shared");
	ck_assert_ptr_nonnull(fixture_finding(&loaded.result.findings, "program.killed"));
	note = fixture_not_evaluated(&loaded.result, "oom.silent");
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->because, "the command has no cgroup of its own");
	sw_loaded_fini(&loaded);
}
END_TEST

/* Settings that only the site knows are not guessed. */
START_TEST(says_what_is_not_set)
{
	static const char *const id = "hw.memory_bandwidth";
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	fixture_free_site();
	fixture_load(&loaded, id, "fires");
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, id));
	note = fixture_not_evaluated(&loaded.result, id);
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->because,
			 "rules.hw.memory_bandwidth.node_gb_per_sec is not "
			 "set");
	sw_loaded_fini(&loaded);
}
END_TEST

/* The recorder's reason for a missing source takes precedence over ours. */
START_TEST(absence_has_the_recorders_reason)
{
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	fixture_load(&loaded, "oom.killed", "missing");
	note = fixture_not_evaluated(&loaded.result, "oom.killed");
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->because, "no memory controller here");
	sw_loaded_fini(&loaded);
}
END_TEST

/* Kernel activity of a program of two seconds is not known. */
START_TEST(says_what_is_too_short)
{
	static const char *const id = "io.many_files";
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	fixture_load(&loaded, id, "missing_brief");
	ck_assert_ptr_null(fixture_finding(&loaded.result.findings, id));
	note = fixture_not_evaluated(&loaded.result, id);
	ck_assert_ptr_nonnull(note);
	ck_assert_ptr_nonnull(strstr(note->because, "too short to judge"));
	sw_loaded_fini(&loaded);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("cases");

	tcase_add_test(tcase, severity_is_of_what_is_waited_for);
	tcase_add_test(tcase, confidence_is_of_what_was_recorded);
	tcase_add_test(tcase, network_is_what_it_filled);
	tcase_add_test(tcase, wrappers_are_told_once);
	tcase_add_test(tcase, failure_is_told_by_one_rule);
	tcase_add_test(tcase, lost_commands_have_a_title);
	tcase_add_test(tcase, unseen_senders_are_a_warning);
	tcase_add_test(tcase, one_thread_is_one_waste);
	tcase_add_test(tcase, unequal_threads_are_not_one);
	tcase_add_test(tcase, sleep_is_no_standstill);
	tcase_add_test(tcase, missed_at_times);
	tcase_add_test(tcase, step_failed_otherwise);
	tcase_add_test(tcase, held_back_is_not_idle);
	tcase_add_test(tcase, stuck_and_slow_io_differ);
	tcase_add_test(tcase, waiting_for_others_is_no_standstill);
	tcase_add_test(tcase, a_step_is_not_compared_with_jobs);
	tcase_add_test(tcase, killed_at_another_time);
	tcase_add_test(tcase, says_what_is_not_set);
	tcase_add_test(tcase, absence_has_the_recorders_reason);
	tcase_add_test(tcase, says_what_is_too_short);
	return fixture_run_tests("rule_cases", tcase);
}
