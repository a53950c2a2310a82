/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sections of a report for people: report_text_*.c.  Their page may also be
 * HTML.
 */
#ifndef SW_ANALYZER_REPORT_TEXT_H
#define SW_ANALYZER_REPORT_TEXT_H

#include "analyzer/report/page.h"
#include "analyzer/report/report.h"

/* Start, duration, limits and nodes. */
void sw_text_report_facts(const struct sw_page *page);

/* Usage compared with the request. */
void sw_text_report_use(const struct sw_page *page);

/* report_text_advice.c: requests for the next run. */
void sw_text_report_advice(const struct sw_page *page);

/* report_text_counters.c: kernel and hardware counters. */
void sw_text_report_counters(const struct sw_page *page);

/* Network file systems; network, energy and other activity of the node. */
void sw_text_report_mounts(const struct sw_page *page);
void sw_text_report_waits(const struct sw_page *page);
void sw_text_report_network(const struct sw_page *page);
void sw_text_report_node(const struct sw_page *page);

/* GPUs that the step used; for AMD's that is not known. */
void sw_text_report_gpus(const struct sw_page *page);

/* The table of programs, most expensive first. */
void sw_text_report_programs(const struct sw_page *page);

/* Parts for jobs of a scheduler: id and nodes, steps, balance. */
void sw_text_report_job(const struct sw_page *page);
void sw_text_report_steps(const struct sw_page *page);
void sw_text_report_balance(const struct sw_page *page);

/* Placement of tasks; for a job, in the step that used most CPU time. */
void sw_text_report_placement(const struct sw_page *page);

/* Rules that could not be evaluated, grouped by reason. */
void sw_text_report_not_evaluated(const struct sw_page *page);

/* The recording: how it was made, its cost and its gaps. */
void sw_text_report_recording(const struct sw_page *page);

#endif
