/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of sweep_json.c: failures, retries and what got worse, and data missing
 * from the page's numbers.
 */
#ifndef SW_ANALYZER_SWEEP_VIEWS_JSON_LISTS_H
#define SW_ANALYZER_SWEEP_VIEWS_JSON_LISTS_H

struct json_object;
struct sw_sweep_page;

void sw_sweep_json_lists(struct json_object *root,
			 const struct sw_sweep_page *page);
void sw_sweep_json_missing(struct json_object *root,
			   const struct sw_sweep_page *page);

#endif
