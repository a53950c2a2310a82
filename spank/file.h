/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small kernel files, read into fixed buffers. */
#ifndef SW_SPANK_FILE_H
#define SW_SPANK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/protocol.h"

/*
 * Read a file, truncated at the last line that fits; "" if it cannot be read.
 * Return the length.
 */
size_t sw_file_text(const char *path, char *text, size_t size);

/* Return field 22 of /proc/PID/stat, or 0 if there is no such process. */
uint64_t sw_file_start_ticks(uint32_t pid);

/* Return true if the process exists and is not exiting. */
bool sw_file_is_alive(uint32_t pid);

/*
 * Read the final counters of a cgroup.  name is a directory below that of the
 * step, or "" for the latter; a value that is not available is "".
 */
void sw_file_final_values(const char *folder, const char *name,
			  struct sw_message_final_values *final_values);

/* Likewise in the trees of cgroup v1. */
void sw_file_final_values_v1(const char *folder, const char *name,
			     struct sw_message_final_values *final_values);

#endif
