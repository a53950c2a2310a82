/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the text report; only report_text*.c include this. */
#ifndef SW_ANALYZER_REPORT_TEXT_H
#define SW_ANALYZER_REPORT_TEXT_H

#include "analyzer/report/report.h"

struct sw_text_report {
	FILE *out;
	const struct sw_result *result;
	const struct sw_report_style *style;
};

enum { SW_TEXT_PICTURE_MAX = 60 };

void sw_text_report_heading(const struct sw_text_report *report,
			    const char *text);

/* "  label     text", wrapped below the text's start. */
void sw_text_report_line(const struct sw_text_report *report, const char *label,
			 const char *text);

/* Columns that a picture has beside its label and numbers. */
unsigned sw_text_report_picture_width(const struct sw_text_report *report);

/* "  label     PICTURE  low to high"; numbers below where it is narrow. */
void sw_text_report_picture(const struct sw_text_report *report,
			    const char *label, const char *picture,
			    const char *low, const char *high);

/* report_text_advice.c: what to ask for next time. */
void sw_text_report_advice(const struct sw_text_report *report);

/* report_text_counters.c: what kernel and processor counted. */
void sw_text_report_counters(const struct sw_text_report *report);

/* Network file systems; network, energy, and what else the node did. */
void sw_text_report_mounts(const struct sw_text_report *report);
void sw_text_report_waits(const struct sw_text_report *report);
void sw_text_report_network(const struct sw_text_report *report);
void sw_text_report_node(const struct sw_text_report *report);

/* Those that the step used; of AMD's it is not known. */
void sw_text_report_gpus(const struct sw_text_report *report);

/* The table of programs, dearest first. */
void sw_text_report_programs(const struct sw_text_report *report);

/* What a job of a scheduler has: id and nodes, steps, how even it was. */
void sw_text_report_job(const struct sw_text_report *report);
void sw_text_report_steps(const struct sw_text_report *report);
void sw_text_report_balance(const struct sw_text_report *report);

/* Where tasks were allowed to run; of a job the step that used most. */
void sw_text_report_placement(const struct sw_text_report *report);

/* Which rules could not be asked, and why: once for each reason. */
void sw_text_report_not_evaluated(const struct sw_text_report *report);

/* How the recording was made, what it cost and what it lost. */
void sw_text_report_recording(const struct sw_text_report *report);

#endif
