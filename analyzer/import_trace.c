/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces of workflows into the history. */
#include "analyzer/import_internal.h"

int sw_import_trace(struct sw_import *import, const char *path,
		    struct sw_error *error)
{
	(void)error;
	sw_import_skip(import, "neither a recording, sacct's output nor a "
		       "trace", path);
	return 0;
}
