/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small kernel files, read into fixed buffers. */
#ifndef SW_SPANK_FILE_H
#define SW_SPANK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/protocol.h"

/*
 * The text of a file, cut at the last line that fits; "" where it cannot be
 * read.  Returns its length.
 */
size_t sw_file_text(const char *path, char *text, size_t size);

/* Field 22 of /proc/PID/stat; 0 where there is no such process. */
uint64_t sw_file_start_ticks(uint32_t pid);

/* Does the process exist, and not exit right now? */
bool sw_file_is_alive(uint32_t pid);

/*
 * The last word of a cgroup's counters.  name is a folder below the step's
 * one, "" for that itself; final values are "" where there are none.
 */
void sw_file_final_values(const char *folder, const char *name,
			  struct sw_message_final_values *final_values);

/* The same in the trees of cgroup v1. */
void sw_file_final_values_v1(const char *folder, const char *name,
			     struct sw_message_final_values *final_values);

#endif
