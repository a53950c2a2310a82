/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every rule against its fixtures in test/rules/<id>/: fires.txt must give
 * the sentence in expected.txt, quiet.txt none, missing.txt "not evaluated".
 */
#include <check.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/import/import.h"
#include "analyzer/report/loaded.h"
#include "analyzer/settings/settings.h"
#include "analyzer/view/bottleneck.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

extern const struct sw_rule sw_rule_template;

static char profile[] = "/tmp/check_rules.XXXXXX";
static char history[sizeof(profile) + 8];

static const char *fixture(const char *id, const char *name)
{
	static char path[1024];
	const char *top = getenv("abs_top_srcdir");

	snprintf(path, sizeof(path), "%s/test/rules/%s/%s.txt",
		 top ? top : ".", id, name);
	return path;
}

/* A site that has set all that it alone can know; NULL: that has not. */
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

static void free_site(void)
{
	sw_settings_free(site);
	site = NULL;
}

/* The past runs in past_NAME.txt, as sacct prints them; NULL: there are none. */
static struct sw_history *history_of(const char *id, const char *name)
{
	struct sw_import import = { .history = NULL };
	struct sw_error error = { "" };
	char past[64];

	snprintf(past, sizeof(past), "past_%s", name);
	if (access(fixture(id, past), R_OK) < 0)
		return NULL;
	unlink(history);
	import.history = sw_history_open(history, true, &error);
	ck_assert_msg(import.history &&
		      sw_import_sacct(&import, fixture(id, past), &error) == 0,
		      "%s", error.text);
	ck_assert_uint_eq(import.skipped, 0);
	ck_assert_uint_gt(import.added, 0);
	return import.history;
}

static void load_step(struct sw_loaded *loaded, const char *id,
		      const char *name, const char *step)
{
	struct sw_history *past = history_of(id, name);
	const char *path = profile;
	const struct sw_job_files files = {
		.paths = &path, .count = 1, .step = step, .uid = SW_MISSING,
	};
	struct sw_error error;

	ck_assert_msg(text_profile_write(fixture(id, name), profile, true,
					 &error) == 0, "%s", error.text);
	ck_assert_msg(sw_loaded_read(loaded, &files, &error) == 0 &&
		      sw_loaded_judge(loaded, NULL, past, site, &error) == 0,
		      "%s/%s: %s", id, name, error.text);
	sw_history_close(past);
}

static void load(struct sw_loaded *loaded, const char *id, const char *name)
{
	load_step(loaded, id, name, NULL);
}

static const struct sw_finding *find(const struct sw_findings *findings,
				     const char *id)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		if (!strcmp(findings->items[i].id, id))
			return &findings->items[i];
	}
	return NULL;
}

static const struct sw_not_evaluated *
find_not_evaluated(const struct sw_result *result, const char *id)
{
	size_t i;

	for (i = 0; i < result->not_evaluated_count; i++) {
		if (!strcmp(result->not_evaluated[i].id, id))
			return &result->not_evaluated[i];
	}
	return NULL;
}

static void check_finding(const struct sw_finding *finding, const char *id,
			  const char *name)
{
	char expected[SW_SENTENCE_SIZE] = "";
	FILE *file = fopen(fixture(id, name), "r");
	size_t i;

	ck_assert_msg(file != NULL, "%s: no %s.txt", id, name);
	ck_assert_ptr_nonnull(fgets(expected, sizeof(expected), file));
	fclose(file);
	expected[strcspn(expected, "\n")] = '\0';
	ck_assert_str_eq(finding->sentence, expected);
	ck_assert_uint_ge(finding->evidence_count, 1);
	ck_assert(finding->confidence > 0 && finding->confidence <= 1);
	ck_assert_str_ne(finding->subject, "");
	for (i = 0; i < finding->evidence_count; i++) {
		ck_assert(isfinite(finding->evidence[i].value));
		ck_assert_str_ne(finding->evidence[i].unit, "");
	}
}

static void check_fires(const char *id, const char *name, const char *expected)
{
	const struct sw_finding *finding;
	struct sw_loaded loaded;

	load(&loaded, id, name);
	finding = find(&loaded.result.findings, id);
	ck_assert_msg(finding != NULL, "%s does not fire", id);
	check_finding(finding, id, expected);
	ck_assert_ptr_null(find_not_evaluated(&loaded.result, id));
	sw_loaded_fini(&loaded);
}

START_TEST(fires)
{
	check_fires(sw_rules[_i]->id, "fires", "expected");
}
END_TEST

/* Rules with more than one thing to say. */
START_TEST(says_why)
{
	check_fires("io.stalled", "fires_waits", "expected_waits");
	check_fires("io.saturated", "fires_proc", "expected_proc");
	check_fires("io.saturated", "fires_readahead", "expected_readahead");
	check_fires("io.saturated", "fires_link", "expected_link");
	check_fires("net.bound", "fires_waits", "expected_waits");
	check_fires("memory.cache_squeezed", "fires_shared",
		    "expected_shared");
	check_fires("io.tiny", "fires_read", "expected_read");
	check_fires("io.tiny", "fires_sync", "expected_sync");
	check_fires("progress.frozen", "fires_stall", "expected_stall");
	check_fires("program.failed", "fires_each", "expected_each");
	check_fires("progress.waiting", "fires_poll", "expected_poll");
	check_fires("progress.waiting", "fires_poll_alone",
		    "expected_poll_alone");
	check_fires("progress.waiting", "fires_paced", "expected_paced");
	check_fires("progress.waiting", "fires_limits", "expected_limits");
	check_fires("progress.waiting", "fires_server", "expected_limits");
	check_fires("progress.waiting", "fires_events", "expected_poll_alone");
	check_fires("cpu.slow_stage", "fires_packer", "expected_packer");
	check_fires("cpu.slow_stage", "fires_worker", "expected_worker");
	check_fires("oom.silent", "fires_shared", "expected_shared");
	check_fires("program.failed", "fires_retried", "expected_retried");
	check_fires("program.failed", "fires_end", "expected_end");
	check_fires("program.failed", "fires_timeout", "expected_timeout");
	check_fires("program.failed", "fires_unrecorded",
		    "expected_unrecorded");
	check_fires("time.limit_hit", "fires_idle", "expected_idle");
	check_fires("program.failed", "fires_passed_on", "expected_passed_on");
	check_fires("program.failed", "fires_several", "expected_several");
	check_fires("program.failed", "fires_not_found", "expected_not_found");
	check_fires("program.failed", "fires_not_executable",
		    "expected_not_executable");
	check_fires("program.failed", "fires_cause", "expected_cause");
	check_fires("program.killed", "fires_cause", "expected_cause");
	check_fires("program.killed", "fires_abort", "expected_abort");
	check_fires("program.killed", "fires_kill", "expected_kill");
	check_fires("program.failed", "fires_step", "expected_step");
	check_fires("program.failed", "fires_went_on", "expected_went_on");
	check_fires("program.failed", "fires_step_read",
		    "expected_step_read");
	check_fires("program.failed", "fires_step_weak",
		    "expected_step_weak");
	check_fires("program.failed", "fires_step_lost",
		    "expected_step_lost");
	check_fires("program.failed", "fires_step_memory",
		    "expected_step_memory");
	check_fires("program.failed", "fires_step_else",
		    "expected_step_else");
	check_fires("program.failed", "fires_step_tried",
		    "expected_step_tried");
	check_fires("program.failed", "fires_step_last",
		    "expected_step_last");
	check_fires("program.failed", "fires_step_sender",
		    "expected_step_sender");
	check_fires("program.failed", "fires_wrote", "expected_wrote");
	check_fires("program.killed", "fires_worker", "expected_worker");
	check_fires("program.killed", "fires_limit", "expected_limit");
	check_fires("program.killed", "fires_mover", "expected_mover");
	check_fires("memory.over_allocated", "fires_peak", "expected_peak");
	check_fires("memory.over_allocated", "fires_tree", "expected_tree");
	check_fires("memory.over_allocated", "fires_mapped",
		    "expected_mapped");
	check_fires("memory.near_limit", "fires_missed", "expected_missed");
	check_fires("memory.thrashing", "fires_files", "expected_files");
	check_fires("cpu.over_allocated", "fires_waited", "expected_waited");
	check_fires("cpu.over_allocated", "fires_unseen", "expected_unseen");
	check_fires("cpu.throttled", "fires_wanted", "expected_wanted");
	check_fires("memory.growth", "fires_freed", "expected_freed");
	check_fires("memory.growth", "fires_exit", "expected_freed");
	check_fires("cpu.single_threaded", "fires_burst", "expected_burst");
	check_fires("cpu.single_threaded", "fires_starved", "expected");
	check_fires("place.too_few_cpus", "fires_task", "expected_task");
	check_fires("place.too_few_cpus", "fires_threads", "expected_threads");
	check_fires("place.too_few_cpus", "fires_neighbor",
		    "expected_neighbor");
	check_fires("cpu.starved", "fires_apart", "expected_apart");
	check_fires("cpu.idle_start", "fires_ticks", "expected_ticks");
	check_fires("cpu.idle_middle", "fires_heartbeat",
		    "expected_heartbeat");
	check_fires("cpu.idle_tail", "fires_poll", "expected_poll");
	check_fires("cpu.imbalance", "fires_workers", "expected_workers");
	check_fires("cpu.imbalance", "fires_threads", "expected_threads");
	check_fires("cpu.imbalance", "fires_ranks", "expected_ranks");
	check_fires("cpu.imbalance", "fires_starved", "expected_starved");
	check_fires("lock.contended", "fires_hog", "expected_hog");
	check_fires("lock.contended", "fires_processes", "expected_processes");
	check_fires("io.many_files", "fires_local", "expected_local");
	check_fires("io.many_files", "fires_names", "expected_names");
	check_fires("progress.spinning", "fires_poll", "expected_poll");
	check_fires("progress.spinning", "fires_mpi", "expected_mpi");
	check_fires("oom.retry", "fires_again", "expected_again");
	check_fires("retry.futile", "fires_requeue", "expected_requeue");
}
END_TEST

/* What it stood still for; a heartbeat, or a stray sample, does not matter. */
START_TEST(says_what_it_hangs_on)
{
	check_fires("progress.frozen", "fires_lock", "expected_lock");
	check_fires("progress.frozen", "fires_join", "expected_join");
	check_fires("progress.frozen", "fires_peer", "expected_peer");
	check_fires("progress.frozen", "fires_limits", "expected_limits");
	check_fires("progress.frozen", "fires_pipe", "expected_pipe");
	check_fires("progress.frozen", "fires_chain", "expected_chain");
	check_fires("progress.frozen", "fires_io", "expected_io");
	check_fires("progress.frozen", "fires_end", "expected_end");
	check_fires("cpu.idle_tail", "fires_peer", "expected_peer");
	check_fires("cpu.idle_tail", "fires_server", "expected");
	check_fires("cpu.idle_tail", "fires_ended", "expected_ended");
	check_fires("cpu.idle_tail", "fires_fifo", "expected_fifo");
	check_fires("progress.waiting", "fires_outside", "expected_outside");
	check_fires("progress.waiting", "fires_pipe", "expected_pipe");
	check_fires("progress.waiting", "fires_asked", "expected_asked");
	check_fires("progress.waiting", "fires_stopped", "expected_stopped");
}
END_TEST

/* Who polls may pace itself, or have nothing to serve: that is no fault. */
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
		load(&loaded, "progress.waiting", cases[i].name);
		finding = find(&loaded.result.findings, "progress.waiting");
		ck_assert_ptr_nonnull(finding);
		ck_assert_msg(finding->severity == cases[i].severity, "%s: %s",
			      cases[i].name, finding->sentence);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A finding is as sure as its recording is whole. */
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
		load(&loaded, cases[i].id, cases[i].name);
		finding = find(&loaded.result.findings, cases[i].id);
		ck_assert_ptr_nonnull(finding);
		ck_assert_str_eq(finding->because, cases[i].because);
		ck_assert_double_eq_tol(finding->confidence,
					cases[i].confidence, 1e-9);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Who waits for a peer waits for the network only where that is full. */
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
		load(&loaded, "net.bound", cases[i].name);
		ck_assert(sw_bottleneck_find(&found,
					     &loaded.result.view->limits));
		ck_assert_str_eq(found.resource, cases[i].resource);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A wrapper and its program are one illness, however many are around it. */
START_TEST(wrappers_are_told_once)
{
	static const struct {
		const char *name, *subject;
	} cases[] = {
		{"fires_wrapper", "program STAR-avx2"},
		{"fires_wrapped", "program samtools.real"},
		{"fires_wrappers", "program run.real"},
		{"fires_step_launcher", "program solver"},
	};
	const struct sw_findings *findings;
	struct sw_loaded loaded;
	size_t i, k, count;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load(&loaded, "program.failed", cases[i].name);
		findings = &loaded.result.findings;
		for (k = count = 0; k < findings->count; k++)
			count += !strcmp(findings->items[k].id,
					 "program.failed");
		ck_assert_uint_eq(count, 1);
		ck_assert_str_eq(find(findings, "program.failed")->subject,
				 cases[i].subject);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* What a shell did not find is no failure of the shell. */
START_TEST(lost_commands_have_a_title)
{
	static const struct {
		const char *name, *title;
	} cases[] = {
		{"fires_not_found", "A command was not found"},
		{"fires_step_lost", "A command was not found"},
		{"fires_not_executable", "A command could not be executed"},
		{"fires_each", "A program failed"},
	};
	const struct sw_finding *finding;
	struct sw_loaded loaded;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load(&loaded, "program.failed", cases[i].name);
		finding = find(&loaded.result.findings, "program.failed");
		ck_assert_str_eq(
			sw_finding_title(finding, sw_rule_find(finding->id)),
			cases[i].title);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Who may have been ended on purpose is no catastrophe. */
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
		load(&loaded, "program.killed", cases[i].name);
		ck_assert_int_eq(find(&loaded.result.findings,
				      "program.killed")->severity,
				 cases[i].severity);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* The CPUs that one thread leaves idle are told of as a waste once. */
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
		load(&loaded, "cpu.single_threaded", cases[i].name);
		findings = &loaded.result.findings;
		ck_assert_int_eq(find(findings, "cpu.single_threaded")->severity,
				 cases[i].severity);
		ck_assert_int_eq(find(findings, "cpu.over_allocated") != NULL,
				 cases[i].has_other);
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* A thread that others wait for at each barrier is not alone. */
START_TEST(unequal_threads_are_not_one)
{
	struct sw_loaded loaded;

	load(&loaded, "cpu.imbalance", "fires_pair");
	ck_assert_ptr_nonnull(find(&loaded.result.findings, "cpu.imbalance"));
	ck_assert_ptr_null(find(&loaded.result.findings,
				"cpu.single_threaded"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* Sleeping by design is none, whatever waits for it, nor is slow work. */
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
		load(&loaded, "progress.frozen", quiet[i]);
		finding = find(&loaded.result.findings, "progress.frozen");
		ck_assert_msg(finding == NULL, "%s: %s", quiet[i],
			      finding ? finding->sentence : "");
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* Mapped files that were missed now and then: nothing stood still for it. */
START_TEST(missed_at_times)
{
	struct sw_loaded loaded;

	load(&loaded, "memory.near_limit", "quiet_missed");
	ck_assert(loaded.result.view->memory.has_missed_files);
	ck_assert(!loaded.result.view->memory.need_is_lower_bound);
	ck_assert_ptr_null(find(&loaded.result.findings, "memory.near_limit"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* A failure that was long ago, or killed, or had another status. */
START_TEST(step_failed_otherwise)
{
	struct sw_loaded loaded;

	load(&loaded, "program.failed", "quiet_step");
	ck_assert_ptr_null(find(&loaded.result.findings, "program.failed"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* What a step did not get is not what it had no use for. */
START_TEST(held_back_is_not_idle)
{
	static const char *const id = "cpu.over_allocated";
	static const char *const unseen[] = { "missing_starved",
					      "missing_throttled" };
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;
	size_t i;

	load(&loaded, id, "quiet_starved");
	ck_assert(loaded.result.view->cpu.is_constrained);
	ck_assert_double_eq_tol(loaded.result.view->cpu.demand_peak_cores, 2,
				0.01);
	ck_assert_ptr_null(find(&loaded.result.findings, id));
	sw_loaded_fini(&loaded);
	for (i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
		load(&loaded, id, unseen[i]);
		ck_assert(loaded.result.view->cpu.is_constrained);
		ck_assert(isnan(loaded.result.view->cpu.demand_peak_cores));
		ck_assert_ptr_null(find(&loaded.result.findings, id));
		note = find_not_evaluated(&loaded.result, id);
		ck_assert_ptr_nonnull(note);
		ck_assert_ptr_nonnull(strstr(note->because, "held back"));
		sw_loaded_fini(&loaded);
	}
}
END_TEST

/* One call that hangs is one finding; many slow ones are no standstill. */
START_TEST(stuck_and_slow_io_differ)
{
	struct sw_loaded loaded;

	load(&loaded, "progress.frozen", "fires_io");
	ck_assert_ptr_nonnull(find(&loaded.result.findings, "progress.frozen"));
	ck_assert_ptr_null(find(&loaded.result.findings, "io.stalled"));
	sw_loaded_fini(&loaded);
	load(&loaded, "progress.frozen", "quiet_io");
	ck_assert_ptr_null(find(&loaded.result.findings, "progress.frozen"));
	ck_assert_ptr_nonnull(find(&loaded.result.findings, "io.stalled"));
	sw_loaded_fini(&loaded);
}
END_TEST

/* Who waits for others gets on as they do. */
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
		load(&loaded, id, quiet[i]);
		finding = find(&loaded.result.findings, id);
		ck_assert_msg(finding == NULL, "%s: %s", quiet[i],
			      finding ? finding->sentence : "");
		sw_loaded_fini(&loaded);
	}
	/* Also where the report is of the script alone. */
	load_step(&loaded, id, "quiet_chain", "batch");
	ck_assert_ptr_null(find(&loaded.result.findings, id));
	sw_loaded_fini(&loaded);
	check_fires(id, "fires_after", "expected");
	check_fires(id, "fires_led", "expected");
	check_fires(id, "fires_inside", "expected");
	load(&loaded, id, "fires_inside");
	finding = find(&loaded.result.findings, id);
	ck_assert_str_eq(finding->view->step_id, "0");
	ck_assert_uint_eq(finding->other_occurrences, 0);
	sw_loaded_fini(&loaded);
}
END_TEST

static void check_quiet(const char *id, const char *name)
{
	const struct sw_finding *finding;
	struct sw_loaded loaded;

	load(&loaded, id, name);
	finding = find(&loaded.result.findings, id);
	ck_assert_msg(finding == NULL, "%s fires on %s: %s", id, name,
		      finding ? finding->sentence : "");
	/* Quiet because of its numbers, not for want of them. */
	if (!strcmp(name, "quiet"))
		ck_assert_ptr_null(find_not_evaluated(&loaded.result, id));
	sw_loaded_fini(&loaded);
}

/* Each quiet*.txt is a look-alike. */
START_TEST(stays_quiet)
{
	const char *id = sw_rules[_i]->id;
	glob_t found;
	size_t i;

	ck_assert_int_eq(glob(fixture(id, "quiet*"), 0, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++) {
		const char *slash = strrchr(found.gl_pathv[i], '/');
		char name[64];

		snprintf(name, sizeof(name), "%.*s",
			 (int)strcspn(slash + 1, "."), slash + 1);
		check_quiet(id, name);
	}
	globfree(&found);
}
END_TEST

START_TEST(says_what_is_missing)
{
	const char *id = sw_rules[_i]->id;
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	load(&loaded, id, "missing");
	ck_assert_ptr_null(find(&loaded.result.findings, id));
	note = find_not_evaluated(&loaded.result, id);
	ck_assert_msg(note != NULL, "%s: not among not_evaluated", id);
	ck_assert_str_ne(note->because, "");
	sw_loaded_fini(&loaded);
}
END_TEST

/* Who was killed at another time is no victim, which does not say much. */
START_TEST(killed_at_another_time)
{
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	load(&loaded, "oom.silent", "quiet_shared");
	ck_assert_ptr_nonnull(find(&loaded.result.findings, "program.killed"));
	note = find_not_evaluated(&loaded.result, "oom.silent");
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->because, "the command has no cgroup of its own");
	sw_loaded_fini(&loaded);
}
END_TEST

/* What nobody can know but the site is not guessed. */
START_TEST(says_what_is_not_set)
{
	static const char *const id = "hw.memory_bandwidth";
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	free_site();
	load(&loaded, id, "fires");
	ck_assert_ptr_null(find(&loaded.result.findings, id));
	note = find_not_evaluated(&loaded.result, id);
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->because,
			 "rules.hw.memory_bandwidth.node_gb_per_sec is not "
			 "set");
	sw_loaded_fini(&loaded);
}
END_TEST

/* The recorder's own words on why a source is absent go before ours. */
START_TEST(absence_has_the_recorders_reason)
{
	const struct sw_not_evaluated *note;
	struct sw_loaded loaded;

	load(&loaded, "oom.killed", "missing");
	note = find_not_evaluated(&loaded.result, "oom.killed");
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note->because, "no memory controller here");
	sw_loaded_fini(&loaded);
}
END_TEST

static void check_text(const struct sw_rule *rule, const char *text)
{
	ck_assert_msg(text && *text, "%s: an empty text", rule->id);
}

/* What explain, stepwell.yaml and the engine rely on. */
START_TEST(describes_itself)
{
	const struct sw_rule *rule = sw_rules[_i];
	const struct sw_rule_setting *setting = rule->settings;
	size_t i;

	ck_assert_ptr_eq(sw_rule_find(rule->id), rule);
	check_text(rule, rule->title);
	check_text(rule, rule->explain);
	ck_assert_int_ge(rule->kind, SW_FINDING_RESULT);
	ck_assert_int_le(rule->kind, SW_FINDING_HINT);
	check_text(rule, rule->needs[0].table);
	ck_assert(rule->eval != NULL);
	for (i = 0; i < SW_RULE_SETTINGS_MAX && setting[i].key; i++) {
		check_text(rule, setting[i].help);
		ck_assert_double_ge(setting[i].value, setting[i].min);
		ck_assert_double_le(setting[i].value, setting[i].max);
		/* The explanation names each threshold. */
		ck_assert_msg(strstr(rule->explain, setting[i].key) != NULL,
			      "%s: explain lacks %s", rule->id,
			      setting[i].key);
	}
}
END_TEST

/* The file to copy keeps working: asked as the engine asks a rule. */
static size_t ask_template(const char *name, char *sentence, size_t size)
{
	const struct sw_rule *rule = &sw_rule_template;
	double setting[SW_RULE_SETTINGS_MAX] = { rule->settings[0].value };
	struct sw_findings findings = { 0 };
	struct sw_loaded loaded;
	size_t count;

	load(&loaded, rule->id, name);
	ck_assert_int_eq(sw_view_has(loaded.result.view, rule->needs[0].table,
				     rule->needs[0].column),
			 strcmp(name, "missing") != 0);
	ck_assert_int_eq(rule->eval(loaded.result.view, setting, &findings), 0);
	count = findings.count;
	snprintf(sentence, size, "%s", count ? findings.items[0].sentence :
					       "");
	if (count)
		check_finding(&findings.items[0], rule->id, "expected");
	sw_findings_fini(&findings);
	sw_loaded_fini(&loaded);
	return count;
}

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
	ck_assert_ptr_null(sw_rule_find("no.such_rule"));
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

static int run_suite(void)
{
	TCase *tcase = tcase_create("fixtures");
	int rules = count_rules();

	tcase_add_checked_fixture(tcase, load_site, free_site);
	tcase_add_loop_test(tcase, fires, 0, rules);
	tcase_add_test(tcase, says_why);
	tcase_add_test(tcase, step_failed_otherwise);
	tcase_add_test(tcase, says_what_it_hangs_on);
	tcase_add_test(tcase, severity_is_of_what_is_waited_for);
	tcase_add_test(tcase, sleep_is_no_standstill);
	tcase_add_test(tcase, held_back_is_not_idle);
	tcase_add_test(tcase, one_thread_is_one_waste);
	tcase_add_test(tcase, wrappers_are_told_once);
	tcase_add_test(tcase, lost_commands_have_a_title);
	tcase_add_test(tcase, unseen_senders_are_a_warning);
	tcase_add_test(tcase, unequal_threads_are_not_one);
	tcase_add_test(tcase, confidence_is_of_what_was_recorded);
	tcase_add_test(tcase, missed_at_times);
	tcase_add_test(tcase, stuck_and_slow_io_differ);
	tcase_add_test(tcase, waiting_for_others_is_no_standstill);
	tcase_add_loop_test(tcase, stays_quiet, 0, rules);
	tcase_add_loop_test(tcase, says_what_is_missing, 0, rules);
	tcase_add_loop_test(tcase, describes_itself, 0, rules);
	tcase_add_test(tcase, killed_at_another_time);
	tcase_add_test(tcase, says_what_is_not_set);
	tcase_add_test(tcase, absence_has_the_recorders_reason);
	tcase_add_test(tcase, template_works);
	tcase_add_test(tcase, no_finding_without_evidence);
	tcase_add_test(tcase, sorts_findings);
	tcase_add_test(tcase, network_is_what_it_filled);
	return run_tests("rules", tcase, NULL);
}

int main(void)
{
	int fd = mkstemp(profile), failed;

	snprintf(history, sizeof(history), "%s.sqlite", profile);
	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	failed = run_suite();
	unlink(history);
	unlink(profile);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
