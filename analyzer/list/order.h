/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort lines of "stepwell list". */
#ifndef SW_ANALYZER_LIST_ORDER_H
#define SW_ANALYZER_LIST_ORDER_H

#include "analyzer/list/row.h"

/* As strcmp(), by a column; missing values last, in either direction. */
int sw_list_compare(const struct sw_list_row *one,
		    const struct sw_list_row *two,
		    const struct sw_list_place *by);

/* Sort by these columns, then by id. */
void sw_list_sort(struct sw_list_rows *rows,
		  const struct sw_list_format *order);

#endif
