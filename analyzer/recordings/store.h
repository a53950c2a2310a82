/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where profiles lie: the user's own folder of recordings.
 */
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
};

struct sw_store {
	struct sw_store_entry *entries;	/* newest first */
	size_t count;
};

/* $XDG_STATE_HOME/stepwell, else ~/.local/state/stepwell.  -1: no home. */
int sw_store_folder(char *path, size_t size, struct sw_error *error);

/*
 * The profiles in a folder (*.stepwell, and *.stepwell.part of runs that are
 * going on or were cut off): regular files, and links that the caller or root
 * made to such.  A folder that is not there is empty.
 */
int sw_store_list(struct sw_store *store, const char *folder,
		  struct sw_error *error);

/* The same of a folder that has to be a real one and this user's. */
int sw_store_list_of(struct sw_store *store, const char *folder, uint64_t uid,
		     struct sw_error *error);

void sw_store_fini(struct sw_store *store);

/* The id of a recording: its file's name without its endings. */
void sw_store_id(const char *path, char *id, size_t size);

#endif
