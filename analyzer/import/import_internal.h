/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the import share. */
#ifndef SW_ANALYZER_IMPORT_INTERNAL_H
#define SW_ANALYZER_IMPORT_INTERNAL_H

#include "analyzer/import/import.h"

/* Whether a file of stepwell's own begins like this. */
bool sw_import_is_recording(const char *head, size_t length);

/*
 * Summaries of a node's day; its rows wait for those of other nodes.  Anybody
 * can write such a table: only those in the folder of summaries count.
 */
int sw_import_summary(struct sw_import *import, struct sw_judge *judge,
		      const char *path, struct sw_error *error);
/* All files were read: their rows become runs. */
int sw_import_summaries_end(struct sw_import *import, struct sw_error *error);

#endif
