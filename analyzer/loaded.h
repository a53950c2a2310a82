/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a path to a result tree: the one place that chains the layers. */
#ifndef SW_ANALYZER_LOADED_H
#define SW_ANALYZER_LOADED_H

#include "analyzer/rule.h"

struct sw_loaded {
	struct sw_reader *reader;
	struct sw_view view;
	struct sw_result result;
};

/* 0, or -1 with *error; free with sw_loaded_fini(), also after a failure. */
int sw_loaded_init(struct sw_loaded *loaded, const char *path,
		   const struct sw_settings *settings, struct sw_error *error);
void sw_loaded_fini(struct sw_loaded *loaded);

/* Whether bytes of the file were damaged or missing. */
bool sw_loaded_is_partial(const struct sw_loaded *loaded);

#endif
