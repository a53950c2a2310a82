/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Zeroed memory in pages of its own, for tables with room for much of which
 * little is used: what is not touched takes neither time nor memory, which
 * calloc() promises for its first such block only.
 */
#ifndef SW_COMMON_PAGES_H
#define SW_COMMON_PAGES_H

#include <stddef.h>

/* NULL with errno. */
void *sw_pages_take(size_t bytes);

/* Takes NULL; bytes as they were taken. */
void sw_pages_give(void *memory, size_t bytes);

#endif
