/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was read of recordings before: a cache in the user's own folder, which
 * may be deleted at any time.  An entry belongs to files as they were (path,
 * owner, size, times), so that another file, or a file that was changed, has
 * none.  Only for files of the calling user or root.
 */
#ifndef SW_ANALYZER_INDEX_H
#define SW_ANALYZER_INDEX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "analyzer/keyed/pack.h"

struct sw_index;

/*
 * Read $XDG_CACHE_HOME/stepwell/list, or that in ~/.cache.  It is empty if it
 * is missing, damaged, not the caller's alone, or written in another context:
 * by another build of stepwell, or with other settings.  NULL: out of memory.
 */
struct sw_index *sw_index_open(const char *context);

/* Will it be written?  Then entries that were not asked for are lost. */
bool sw_index_is_changed(const struct sw_index *index);

/* Write it if it has changed, without the entries not asked for; free it. */
void sw_index_close(struct sw_index *index);

/* Delete the file: what was read rests on something that has changed. */
void sw_index_forget(void);

/* A file as it is now, or 0 if it may still change unnoticed. */
uint64_t sw_index_stamp(const char *path, const struct stat *status);

/* Combine the stamps of several files; 0 if one is 0. */
uint64_t sw_index_combine(uint64_t stamp, uint64_t other);

/* Find an entry; false for stamp 0, or if index is NULL. */
bool sw_index_find(struct sw_index *index, uint64_t stamp,
		   struct sw_unpack *entry);

/* Add an entry, and take its bytes; without memory for it, it is left out. */
void sw_index_add(struct sw_index *index, uint64_t stamp,
		  struct sw_pack *entry);

#endif
