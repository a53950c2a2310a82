/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of profiles: the user's own recordings. */
#ifndef SW_ANALYZER_STORE_H
#define SW_ANALYZER_STORE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/error.h"

struct sw_store_entry {
	char *path;
	time_t changed;
	uint64_t stamp;		/* sw_index_stamp(); 0: not to be indexed */
};

struct sw_store {
	struct sw_store_entry *entries;	/* newest first */
	size_t count;
};

/* $XDG_STATE_HOME/stepwell or ~/.local/state/stepwell.  -1: no home. */
int sw_store_folder(char *path, size_t size, struct sw_error *error);

/*
 * List the profiles of a folder (*.stepwell, and *.stepwell.part of runs that
 * continue or were cut off): regular files, and links to such that were made by
 * the caller or root.  A missing folder is empty.
 */
int sw_store_list(struct sw_store *store, const char *folder,
		  struct sw_error *error);

/* Likewise for a folder that has to be real and owned by uid. */
int sw_store_list_of(struct sw_store *store, const char *folder, uint64_t uid,
		     struct sw_error *error);

void sw_store_fini(struct sw_store *store);

/* Id of a recording: its file name without suffixes. */
void sw_store_id(const char *path, char *id, size_t size);

#endif
