/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sentences of the morning page, which all its forms have.  Each is written
 * to a buffer, SW_SWEEP_WORDS_SIZE bytes of which are enough.
 */
#ifndef SW_ANALYZER_SWEEP_PAGE_WORDS_H
#define SW_ANALYZER_SWEEP_PAGE_WORDS_H

#include "analyzer/sweep/page/page.h"

/* sweep_words.c */
char *sw_sweep_head(char *buf, size_t size, const struct sw_sweep_page *page);
/* "12 jobs"; of components alone, whose job is in another group, other words.
 */
char *sw_sweep_jobs(char *buf, size_t size, const struct sw_sweep_row *row);
char *sw_sweep_waste(char *buf, size_t size, const struct sw_sweep_page *page,
		     const struct sw_sweep_row *row);
/* "As in the 3 nights before: waiting for I/O."; "" where it is no repeat. */
char *sw_sweep_repeats(char *buf, size_t size, const struct sw_sweep_row *row);
/* repeats_of.c: in full, or folded if they are old. */
char *sw_sweep_failure(char *buf, size_t size, const struct sw_sweep_page *page,
		       const struct sw_failure_row *row, bool is_folded);
char *sw_sweep_retry(char *buf, size_t size, const struct sw_sweep_page *page,
		     const struct sw_retry_chain *chain, bool is_folded);
/* lists.c: lists that all forms have, a sentence for each item. */
enum sw_sweep_list_of {
	SW_SWEEP_LIST_FAILURES,
	SW_SWEEP_LIST_RETRIES,
	SW_SWEEP_LIST_CHANGES,
	SW_SWEEP_LISTS,
};

struct sw_sweep_list {
	const char *head, *names;	/* "Retries", "chains of retries" */
	size_t count;
	/* Whether one of the first rows of groups has it; NULL: none does. */
	bool (*is_said)(const struct sw_sweep_page *page, size_t i,
			size_t rows);
	/* Of item i, in full, or folded if it is old; returns buf. */
	char *(*words)(char *buf, size_t size, const struct sw_sweep_page *page,
		       size_t i, bool is_folded);
};

void sw_sweep_lists(struct sw_sweep_list lists[SW_SWEEP_LISTS],
		    const struct sw_sweep_page *page);
/* The item at i, or the next that is not said by so many rows; or the count. */
size_t sw_sweep_list_at(const struct sw_sweep_list *list,
			const struct sw_sweep_page *page, size_t i,
			size_t rows);
/* Rows of groups that a page has: the costly ones, at most rows_max; 0: all. */
size_t sw_sweep_rows_shown(const struct sw_sweep_page *page, size_t rows_max);
/*
 * said.c: why a row is there, with the failures and retries of its group, in
 * sentences until it is NULL; "": this one is of another row.
 */
char *sw_sweep_why(char *buf, size_t size, const struct sw_sweep_page *page,
		   size_t row, size_t i, bool is_folded);
bool sw_sweep_is_failure_said(const struct sw_sweep_page *page, size_t i,
			      size_t rows);
bool sw_sweep_is_retry_said(const struct sw_sweep_page *page, size_t i,
			    size_t rows);
/* The groups from a row on. */
char *sw_sweep_rest(char *buf, size_t size, const struct sw_sweep_page *page,
		    size_t first);
/*
 * Its lines, each beside how many of the runs that it is for it would have
 * fitted; or why there is none.  "": nothing to change; NULL: no more.
 */
char *sw_sweep_advice(char *buf, size_t size, const struct sw_sweep_page *page,
		      const struct sw_sweep_row *row, size_t i);
/* "for jobs that request 4.0 GiB of memory; enough for 3 of 3 runs" */
char *sw_sweep_line_words(char *buf, size_t size,
			  const struct sw_sweep_line *line);
/* Why there is no line; "": there is one, or none is wanted. */
char *sw_sweep_no_line(char *buf, size_t size, const struct sw_sweep_row *row);
/*
 * kind_words.c: which kind of node a group should have, in sentences; ""
 * where one is not needed, NULL: no more.
 */
char *sw_sweep_kind_words(char *buf, size_t size,
			  const struct sw_sweep_page *page,
			  const struct sw_sweep_row *row, size_t i);
/* by.c: "star_align of alice, nf-core/rnaseq"; returns buf. */
char *sw_sweep_by_name(char *buf, size_t size, const struct sw_tally *tally);
/*
 * What a table by user and others has of a tally: jobs, core-hours, CPU,
 * memory, lost, cost; percent: behind a number of them, "%" or " %".
 */
enum { SW_SWEEP_BY_CELLS = 6, SW_SWEEP_CELL_SIZE = 64 };
void sw_sweep_by_cells(char cells[SW_SWEEP_BY_CELLS][SW_SWEEP_CELL_SIZE],
		       const struct sw_sweep_page *page,
		       const struct sw_tally *tally, const char *percent);
void sw_sweep_say_folded(char *buf, size_t size,
			 const struct sw_sweep_page *page);
/* What the jobs of a tally cost; "?" where none has a cost; returns buf. */
char *sw_sweep_cost_cell(char *buf, size_t size,
			 const struct sw_sweep_page *page, const uint64_t *n);
/* In which currency that is, and of when; "" without costs; returns buf. */
char *sw_sweep_cost_note(char *buf, size_t size,
			 const struct sw_sweep_page *page);
/* "12,340 core-hours", "3.4 ...", "0.12 ...", behind what is there. */
void sw_sweep_add_hours(char *buf, size_t size, double hours,
			const char *unit);
/* "12.30 USD", "0.0042 USD"; returns buf. */
char *sw_sweep_money(char *buf, size_t size, const struct sw_sweep_page *page,
		     double amount);
/* "2026-01-08" of 20260108; returns buf. */
char *sw_sweep_day(char *buf, size_t size, uint64_t day);
/*
 * "prices of 2026-01-08", "prices of 2025-11-01 to 2026-01-08": of the numbers
 * of a tally; returns buf.
 */
char *sw_sweep_price_days(char *buf, size_t size, const uint64_t *n);
char *sw_sweep_change(char *buf, size_t size, const struct sw_change *change);
/* savings.c: in sentences, "" where there is nothing to say. */
char *sw_sweep_savings(char *buf, size_t size,
		       const struct sw_sweep_page *page);
char *sw_sweep_taken(char *buf, size_t size, const struct sw_taken *taken);
/* What the numbers do not have; sentences, "" at the end of them. */
char *sw_sweep_missing(char *buf, size_t size,
		       const struct sw_sweep_page *page, size_t i);

#endif
