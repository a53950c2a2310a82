/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Order of findings in the first line of a report. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include <check.h>

#include "analyzer/report/words.h"
#include "analyzer/rules/finding.h"
#include "analyzer/rules/rule.h"
#include "test/run_tests.h"

static const struct {
	const char *id;
	enum sw_severity severity;
	enum sw_state state;
	enum sw_limit limit;	/* for all of its time */
	int signal;		/* of the program, if the step was killed */
	const char *words;
} lines[] = {
	/* Findings hidden by success come before the limit. */
	{ "program.failed", SW_WARNING, SW_STATE_COMPLETED, SW_LIMIT_CPU, 0,
	  "Completed (exit status 0) after 1 min 00 s. A program failed "
	  "(sort). Limited by CPU: its CPU was busy for 100 % of the time." },
	/* So do possible causes of the step's failure. */
	{ "program.failed", SW_WARNING, SW_STATE_FAILED, SW_LIMIT_CPU, 0,
	  "Failed (exit status 1) after 1 min 00 s. A program failed (sort). "
	  "Limited by CPU: its CPU was busy for 100 % of the time." },
	{ "oom.killed", SW_CRITICAL, SW_STATE_FAILED, SW_LIMIT_CPU, 0,
	  "Failed (exit status 1) after 1 min 00 s. Out of memory. Limited by "
	  "CPU: its CPU was busy for 100 % of the time." },
	{ "program.killed", SW_INFO, SW_STATE_COMPLETED, SW_LIMIT_CPU, 0,
	  "Completed (exit status 0) after 1 min 00 s. Limited by CPU: its CPU "
	  "was busy for 100 % of the time. No warnings." },
	/* That a run did something new is news, even as information. */
	{ "run.unlike_past", SW_INFO, SW_STATE_COMPLETED, SW_LIMIT_CPU, 0,
	  "Completed (exit status 0) after 1 min 00 s. Unlike its past. Limited "
	  "by CPU: its CPU was busy for 100 % of the time." },
	{ "memory.near_limit", SW_WARNING, SW_STATE_COMPLETED, SW_LIMIT_CPU, 0,
	  "Completed (exit status 0) after 1 min 00 s. Limited by CPU: its CPU "
	  "was busy for 100 % of the time. Memory close to its limit, or above "
	  "it." },
	/* The end is already described. */
	{ "program.killed", SW_WARNING, SW_STATE_KILLED, SW_LIMIT_CPU, SIGALRM,
	  "Killed by SIGALRM after 1 min 00 s. Limited by CPU: its CPU was "
	  "busy for 100 % of the time. No other findings." },
	/* Another program was killed by another signal. */
	{ "program.killed", SW_WARNING, SW_STATE_KILLED, SW_LIMIT_CPU, SIGSEGV,
	  "Killed by SIGALRM after 1 min 00 s. A program was killed by a "
	  "signal (sort). Limited by CPU: its CPU was busy for 100 % of the "
	  "time." },
	/* The title would repeat the limit. */
	{ "cpu.starved", SW_WARNING, SW_STATE_COMPLETED, SW_LIMIT_NEIGHBORS, 0,
	  "Completed (exit status 0) after 1 min 00 s. Limited by other programs on "
	  "its CPUs: its threads waited for a CPU for 100 % of the time; dedicated "
	  "CPUs would help, more memory would not. No other findings." },
	{ "cpu.starved", SW_WARNING, SW_STATE_COMPLETED, SW_LIMIT_CPU, 0,
	  "Completed (exit status 0) after 1 min 00 s. Limited by CPU: its CPU "
	  "was busy for 100 % of the time. Starved of CPUs." },
	{ "cpu.throttled", SW_WARNING, SW_STATE_COMPLETED, SW_LIMIT_QUOTA, 0,
	  "Completed (exit status 0) after 1 min 00 s. Limited by its CPU "
	  "quota, which was used up for 100 % of the time; more memory would "
	  "not make that faster, a larger quota would. No other findings." },
	{ "progress.waiting", SW_WARNING, SW_STATE_COMPLETED, SW_LIMIT_LOCK, 0,
	  "Completed (exit status 0) after 1 min 00 s. Idle for 100 % of the "
	  "time: it waited for a lock; more CPUs or memory would "
	  "not make that faster. No other findings." },
	{ "progress.waiting", SW_WARNING, SW_STATE_COMPLETED, SW_LIMIT_SLEEP, 0,
	  "Completed (exit status 0) after 1 min 00 s. Idle for 100 % of the "
	  "time: it waited for a timer (sleep); more CPUs or "
	  "memory would not make that faster. No other findings." },
};

START_TEST(first_things_first)
{
	struct sw_view_program sort = {
		.name = "sort",
		.last_signal = (uint64_t)lines[_i].signal,
	};
	struct sw_view view = {
		.programs = &sort,
		.program_count = 1,
		.elapsed_usec = 60 * 1000000,
		.slurm.limit_realtime_usec = SW_MISSING,
		.cpu = { .allocated_cores = 1, .mean_cores = 1 },
		.state = lines[_i].state,
		.exit_code = lines[_i].state == SW_STATE_FAILED,
		.signal = lines[_i].state == SW_STATE_KILLED ? SIGALRM : 0,
	};
	struct sw_result result = { .view = &view };
	const struct sw_evidence evidence = { "count", 1, "", NAN, 0 };
	struct sw_finding *finding;
	char words[512];

	memset(view.limits.stood_usec, 0xff, sizeof(view.limits.stood_usec));
	view.limits.usec[lines[_i].limit] = 60 * 1000000;
	finding = sw_finding_add(&result.findings, lines[_i].id,
				 lines[_i].severity, 0.9, &evidence);
	ck_assert_ptr_nonnull(finding);
	finding->kind = sw_rule_find(lines[_i].id)->kind;
	sw_finding_subject(finding, "program sort");
	sw_verdict_words(words, sizeof(words), &result);
	ck_assert_str_eq(words, lines[_i].words);
	sw_findings_fini(&result.findings);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("verdict");

	tcase_add_loop_test(tests, first_things_first, 0,
			    sizeof(lines) / sizeof(lines[0]));
	return run_tests("verdict", tests, NULL);
}
