/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the text report; only report_text*.c include this. */
#ifndef SW_ANALYZER_REPORT_TEXT_H
#define SW_ANALYZER_REPORT_TEXT_H

#include "analyzer/report/report.h"

struct sw_letter {
	FILE *out;
	const struct sw_result *result;
	const struct sw_report_style *style;
};

enum { SW_LETTER_PICTURE_MAX = 60 };

void sw_letter_heading(const struct sw_letter *letter, const char *text);

/* "  label     text", wrapped below the text's start. */
void sw_letter_line(const struct sw_letter *letter, const char *label,
		    const char *text);

/* Columns that a picture has beside its label and numbers. */
unsigned sw_letter_picture_width(const struct sw_letter *letter);

/* "  label     PICTURE  low to high"; numbers below where it is narrow. */
void sw_letter_picture(const struct sw_letter *letter, const char *label,
		       const char *picture, const char *low,
		       const char *high);

/* report_text_advice.c: what to ask for next time. */
void sw_letter_advice(const struct sw_letter *letter);

/* report_text_counters.c: what kernel and processor counted. */
void sw_letter_counters(const struct sw_letter *letter);

/* Network file systems; network, energy, and what else the node did. */
void sw_letter_mounts(const struct sw_letter *letter);
void sw_letter_waits(const struct sw_letter *letter);
void sw_letter_network(const struct sw_letter *letter);
void sw_letter_node(const struct sw_letter *letter);

/* Those that the step used; of AMD's it is not known. */
void sw_letter_gpus(const struct sw_letter *letter);

/* The table of programs, dearest first. */
void sw_letter_programs(const struct sw_letter *letter);

/* What a job of a scheduler has: id and nodes, steps, how even it was. */
void sw_letter_job(const struct sw_letter *letter);
void sw_letter_steps(const struct sw_letter *letter);
void sw_letter_balance(const struct sw_letter *letter);

/* Where tasks were allowed to run; of a job the step that used most. */
void sw_letter_placement(const struct sw_letter *letter);

/* Which rules could not be asked, and why: once for each reason. */
void sw_letter_not_evaluated(const struct sw_letter *letter);

/* How the recording was made, what it cost and what it lost. */
void sw_letter_recording(const struct sw_letter *letter);

#endif
