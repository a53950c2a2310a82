/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of sentences about what went wrong in a night. */
#include "analyzer/sweep/page/words.h"

static char *failure_words(char *buf, size_t size,
			   const struct sw_sweep_page *page, size_t i,
			   bool is_folded)
{
	return sw_sweep_failure(buf, size, page, &page->failures.items[i],
				is_folded);
}

static char *retry_words(char *buf, size_t size,
			 const struct sw_sweep_page *page, size_t i,
			 bool is_folded)
{
	return sw_sweep_retry(buf, size, page, &page->chains.items[i],
			      is_folded);
}

static char *worse_words(char *buf, size_t size,
			  const struct sw_sweep_page *page, size_t i,
			  bool is_folded)
{
	(void)is_folded;
	return sw_sweep_worse(buf, size, &page->worses.items[i]);
}

void sw_sweep_lists(struct sw_sweep_list lists[SW_SWEEP_LISTS],
		    const struct sw_sweep_page *page)
{
	lists[SW_SWEEP_LIST_FAILURES] = (struct sw_sweep_list){
		"Failures by cause", "causes", page->failures.count,
		sw_sweep_is_failure_said, failure_words
	};
	lists[SW_SWEEP_LIST_RETRIES] =
		(struct sw_sweep_list){ "Retries", "chains of retries",
					page->shown_chains,
					sw_sweep_is_retry_said, retry_words };
	lists[SW_SWEEP_LIST_WORSE] =
		(struct sw_sweep_list){ "Worse than in the nights before",
					"changes", page->worses.count, NULL,
					worse_words };
}

size_t sw_sweep_list_at(const struct sw_sweep_list *list,
			const struct sw_sweep_page *page, size_t i, size_t rows)
{
	while (i < list->count && list->is_said && list->is_said(page, i, rows))
		i++;
	return i;
}

size_t sw_sweep_rows_shown(const struct sw_sweep_page *page, size_t rows_max)
{
	if (!rows_max)
		return page->count;
	return page->costly_count < rows_max ? page->costly_count : rows_max;
}
