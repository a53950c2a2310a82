/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sentences of the morning page, common to all its forms.  Each is written to a
 * buffer, for which SW_SWEEP_WORDS_SIZE bytes are enough.
 */
#ifndef SW_ANALYZER_SWEEP_PAGE_WORDS_H
#define SW_ANALYZER_SWEEP_PAGE_WORDS_H

#include "analyzer/sweep/page/page.h"

/* sweep_words.c */
char *sw_sweep_head(char *buf, size_t size, const struct sw_sweep_page *page);
/* "12 jobs", or other words for components, whose job is in another group */
char *sw_sweep_jobs(char *buf, size_t size, const struct sw_sweep_row *row);
char *sw_sweep_waste(char *buf, size_t size, const struct sw_sweep_page *page,
		     const struct sw_sweep_row *row);
/* "As in the 3 nights before: waiting for I/O."; "" if it is no repeat */
char *sw_sweep_repeats(char *buf, size_t size, const struct sw_sweep_row *row);
/* repeats_of.c: in full, or folded if old. */
char *sw_sweep_failure(char *buf, size_t size, const struct sw_sweep_page *page,
		       const struct sw_failure_row *row, bool is_folded);
char *sw_sweep_retry(char *buf, size_t size, const struct sw_sweep_page *page,
		     const struct sw_retry_chain *chain, bool is_folded);
/* lists.c: lists common to all forms, a sentence for each item. */
enum sw_sweep_list_of {
	SW_SWEEP_LIST_FAILURES,
	SW_SWEEP_LIST_RETRIES,
	SW_SWEEP_LIST_WORSE,
	SW_SWEEP_LISTS,
};

struct sw_sweep_list {
	const char *head, *names;	/* "Retries", "chains of retries" */
	size_t count;
	/* True if one of the first rows has it; NULL: none does. */
	bool (*is_said)(const struct sw_sweep_page *page, size_t i,
			size_t rows);
	/* Format item i, in full, or folded if old; return buf. */
	char *(*words)(char *buf, size_t size, const struct sw_sweep_page *page,
		       size_t i, bool is_folded);
};

void sw_sweep_lists(struct sw_sweep_list lists[SW_SWEEP_LISTS],
		    const struct sw_sweep_page *page);
/* Next item from i on that none of these rows has; the count at the end. */
size_t sw_sweep_list_at(const struct sw_sweep_list *list,
			const struct sw_sweep_page *page, size_t i,
			size_t rows);
/* Number of rows on a page: the expensive ones, up to rows_max; 0: all. */
size_t sw_sweep_rows_shown(const struct sw_sweep_page *page, size_t rows_max);
/*
 * said.c: the i-th sentence of a row about its cause, and the failures and
 * retries of its group; NULL at the end, "" if it belongs to another row.
 */
char *sw_sweep_why(char *buf, size_t size, const struct sw_sweep_page *page,
		   size_t row, size_t i, bool is_folded);
bool sw_sweep_is_failure_said(const struct sw_sweep_page *page, size_t i,
			      size_t rows);
bool sw_sweep_is_retry_said(const struct sw_sweep_page *page, size_t i,
			    size_t rows);
/* Summarize the groups from a row on. */
char *sw_sweep_rest(char *buf, size_t size, const struct sw_sweep_page *page,
		    size_t first);
/*
 * The i-th line of a row, with the number of its runs that would have fitted,
 * or why there is none.  "": nothing to change; NULL at the end.
 */
char *sw_sweep_advice(char *buf, size_t size, const struct sw_sweep_page *page,
		      const struct sw_sweep_row *row, size_t i);
/* "for jobs that request 4.0 GiB of memory; enough for 3 of 3 runs" */
char *sw_sweep_line_words(char *buf, size_t size,
			  const struct sw_sweep_line *line);
/* Why there is no line; "" if there is one, or none is needed. */
char *sw_sweep_no_line(char *buf, size_t size, const struct sw_sweep_row *row);
/*
 * kind_words.c: the i-th sentence about the kind of node for a group; "" if it
 * is not needed, NULL at the end.
 */
char *sw_sweep_kind_words(char *buf, size_t size,
			  const struct sw_sweep_page *page,
			  const struct sw_sweep_row *row, size_t i);
/* by.c: "star_align of alice, nf-core/rnaseq"; returns buf. */
char *sw_sweep_by_name(char *buf, size_t size, const struct sw_tally *tally);
/*
 * Cells of a tally in tables by user and others: jobs, core-hours, CPU, memory,
 * lost, cost; percent: suffix, "%" or " %".
 */
enum { SW_SWEEP_BY_CELLS = 6, SW_SWEEP_CELL_SIZE = 64 };
void sw_sweep_by_cells(char cells[SW_SWEEP_BY_CELLS][SW_SWEEP_CELL_SIZE],
		       const struct sw_sweep_page *page,
		       const struct sw_tally *tally, const char *percent);
void sw_sweep_say_folded(char *buf, size_t size,
			 const struct sw_sweep_page *page);
/* Cost of the jobs of a tally; "?" if none has a cost; return buf. */
char *sw_sweep_cost_cell(char *buf, size_t size,
			 const struct sw_sweep_page *page, const uint64_t *n);
/* Currency and dates of the costs; "" without costs; return buf. */
char *sw_sweep_cost_note(char *buf, size_t size,
			 const struct sw_sweep_page *page);
/* Append "12,340 core-hours", "3.4 ...", "0.12 ...". */
void sw_sweep_add_hours(char *buf, size_t size, double hours,
			const char *unit);
/* "12.30 USD", "0.0042 USD"; returns buf. */
char *sw_sweep_money(char *buf, size_t size, const struct sw_sweep_page *page,
		     double amount);
/* "2026-01-08" for 20260108; return buf. */
char *sw_sweep_day(char *buf, size_t size, uint64_t day);
/*
 * Dates of a tally's prices, "prices of 2026-01-08" or "prices of 2025-11-01 to
 * 2026-01-08"; return buf.
 */
char *sw_sweep_price_days(char *buf, size_t size, const uint64_t *n);
/* worse_words.c */
char *sw_sweep_worse(char *buf, size_t size, const struct sw_worse *worse);
/* savings.c: sentences; "" if there is nothing to report. */
char *sw_sweep_savings(char *buf, size_t size,
		       const struct sw_sweep_page *page);
char *sw_sweep_taken(char *buf, size_t size, const struct sw_taken *taken);
/* Sentences on missing data; "" at the end. */
char *sw_sweep_missing(char *buf, size_t size,
		       const struct sw_sweep_page *page, size_t i);

#endif
