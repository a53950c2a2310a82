/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sections of a report for people: report_text_*.c.  What they write to may
 * be HTML, too.
 */
#ifndef SW_ANALYZER_REPORT_TEXT_H
#define SW_ANALYZER_REPORT_TEXT_H

#include "analyzer/report/page.h"
#include "analyzer/report/report.h"

/* When it began, how long it took, what limited it, on which nodes. */
void sw_text_report_facts(const struct sw_page *page);

/* What it used, of what it had requested. */
void sw_text_report_use(const struct sw_page *page);

/* report_text_advice.c: what to request next time. */
void sw_text_report_advice(const struct sw_page *page);

/* report_text_counters.c: what kernel and processor counted. */
void sw_text_report_counters(const struct sw_page *page);

/* Network file systems; network, energy, and what else the node did. */
void sw_text_report_mounts(const struct sw_page *page);
void sw_text_report_waits(const struct sw_page *page);
void sw_text_report_network(const struct sw_page *page);
void sw_text_report_node(const struct sw_page *page);

/* Those that the step used; of AMD's it is not known. */
void sw_text_report_gpus(const struct sw_page *page);

/* The table of programs, dearest first. */
void sw_text_report_programs(const struct sw_page *page);

/* What a job of a scheduler has: id and nodes, steps, how even it was. */
void sw_text_report_job(const struct sw_page *page);
void sw_text_report_steps(const struct sw_page *page);
void sw_text_report_balance(const struct sw_page *page);

/* Where tasks were allowed to run; of a job the step that used most. */
void sw_text_report_placement(const struct sw_page *page);

/* Which rules could not be asked, and why: once for each reason. */
void sw_text_report_not_evaluated(const struct sw_page *page);

/* How the recording was made, what it cost and what it lost. */
void sw_text_report_recording(const struct sw_page *page);

#endif
