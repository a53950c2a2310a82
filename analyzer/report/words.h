/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and numbers used by all reports for people. */
#ifndef SW_ANALYZER_WORDS_H
#define SW_ANALYZER_WORDS_H

#include "analyzer/report/report.h"
#include "analyzer/view/memory_words.h"

/*
 * Format " Nodes differ: CPU 96 % on n1 and 2 more, waiting 99 % on n2."; "" if
 * they do not, or if job is NULL.  Node names are untrusted text.
 */
char *sw_nodes_differ_words(char *buf, size_t size, const struct sw_job *job);

/* Format one line: how it ended and what matters most. */
char *sw_verdict_words(char *buf, size_t size, const struct sw_result *result);

/*
 * Return true for a Slurm job with the end of some nodes but not of its script,
 * which is not the end of the job.
 */
bool sw_has_end_of_some_nodes(const struct sw_result *result);

/*
 * Suffix of the duration if Slurm's record has an end that was not seen: " as
 * recorded (4 min 05 s in Slurm's record)"; or "".
 */
char *sw_elapsed_source(char *buf, size_t size, const struct sw_view *view);

/* Return true if it failed or was killed, as far as known. */
bool sw_has_no_success(const struct sw_view *view);

/* The finding that best explains why it did not succeed, or NULL. */
const struct sw_finding *sw_find_reason(const struct sw_result *result);

/*
 * Format "bwa was killed by SIGSEGV (step 0 on n1, task 3)" by that finding, or
 * else what is known without one; "" if nothing.
 */
char *sw_reason_words(char *buf, size_t size, const struct sw_result *result,
		      const struct sw_finding *finding);

/* Number of nonzero exits that mean "no", as grep's: not failures. */
uint64_t sw_answers(const struct sw_view_program *program);

/* Number of processes whose end is not known, or SW_MISSING. */
uint64_t sw_unseen_ends(const struct sw_view_program *program);

/* "how 3 of 4 programs ended could not be seen"; "" if all were seen */
char *sw_unseen_ends_words(char *buf, size_t size, const struct sw_view *view);

enum { SW_WENT_ON_SIZE = 640 };

/*
 * Format "ended with a nonzero exit status, and the script went on: python3 1
 * of 1 (status 1)": programs whose failures no finding has, in a step that
 * succeeded; "" if there are none.
 */
char *sw_went_on_words(char *buf, size_t size, const struct sw_result *result);

/* "2026-11-21 14:03:22" in local time; "?" if missing */
char *sw_realtime_words(char *buf, size_t size, uint64_t usec);

/* "340 J", "12.5 Wh" */
char *sw_energy_format(char *buf, size_t size, double joules);

/* The name to show: --name, or the program; untrusted text, never NULL. */
const char *sw_name_of(const struct sw_view *view);

/*
 * Format "11.4 s of CPU time; 2.85 of 4 requested CPUs busy on average, 3.0 at
 * the peak"; unknown parts are left out.
 */
char *sw_cpu_words(char *buf, size_t size, const struct sw_view_cpu *cpu);

/* A value of a curve in words: "2.8", "3.1 GiB", "3.1 GiB/s". */
typedef char *(*sw_value_words_f)(char *buf, size_t size, double value);
char *sw_cores_words(char *buf, size_t size, double cores);
char *sw_bytes_words(char *buf, size_t size, double bytes);
char *sw_bytes_rate_words(char *buf, size_t size, double bytes_per_sec);

/* "busy 12 % of the time, up to 3.1 GiB of 80 GiB, 96 W on average" */
char *sw_gpu_words(char *buf, size_t size, const struct sw_view_gpu *gpu);

/* "job 123_4", "job 123.0", or the name of a run; untrusted, never NULL */
const char *sw_title_of(char *buf, size_t size, const struct sw_result *result);

enum { SW_NODES_WORDS_SIZE = 1024 };

/* "2 of 2: n1, n2", "1 of 4: n1; no recording of the others was found" */
char *sw_nodes_words(char *buf, size_t size, const struct sw_job *job);

/*
 * Format "completed (exit status 0)", "TIMEOUT (limit 1 min 00 s, exit status
 * 0)", "killed by SIGKILL".  For a Slurm job whose record was not read, only
 * what was seen: "exit status 0", "ended by SIGTERM".
 */
char *sw_state_words(char *buf, size_t size, const struct sw_view *view);

struct sw_job_record;

/*
 * Slurm's exit code and signal of a job or step: "exit code 139 (which a shell
 * returns for SIGSEGV)", "signal 9 (SIGKILL)", "exit code 0:53 (its output or
 * error file could not be opened)"; "" if it has none.
 */
char *sw_slurm_exit_words(char *buf, size_t size,
			  const struct sw_job_record *row);

/* True if Slurm's exit code says that an output file could not be opened. */
bool sw_slurm_has_no_output(const struct sw_job_record *row);

/* "still running", "end not seen": for a step without known end. */
const char *sw_unfinished_word(const struct sw_view *view);

/* "ok", "exit 1", "SIGKILL", "not seen", "TIMEOUT", "CANCELLED" */
char *sw_end_words(char *buf, size_t size, const struct sw_view *view);

/* Likewise for a task; wait_status is that of wait(2). */
char *sw_task_end_words(char *buf, size_t size, uint64_t wait_status);

/* "step 0 on n1", "n1 and 3 more"; "" for a run.  Untrusted node names. */
char *sw_where_words(char *buf, size_t size, const struct sw_result *result,
		     const struct sw_finding *finding);

const char *sw_severity_word(enum sw_severity severity);

/* Begin of the color for that word; "" without color, or for another word. */
const char *sw_severity_color(const char *word,
			      const struct sw_report_style *style);

#endif
