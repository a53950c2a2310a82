/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions shared by the files of the import. */
#ifndef SW_ANALYZER_IMPORT_INTERNAL_H
#define SW_ANALYZER_IMPORT_INTERNAL_H

#include "analyzer/import/import.h"

/*
 * Import summaries of a node's day; its rows wait for those of other nodes.
 * Since anybody can write such a table, only those in the folder of summaries
 * count.
 */
int sw_import_summary(struct sw_import *import, struct sw_judge *judge,
		      const char *path, struct sw_error *error);
/* Convert the rows to runs after all files were read. */
int sw_import_summaries_end(struct sw_import *import, struct sw_error *error);

#endif
