/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Zeroed memory in pages of its own, for large tables of which little is used:
 * untouched parts cost neither time nor memory, which calloc() guarantees for
 * its first such block only.
 */
#ifndef SW_COMMON_PAGES_H
#define SW_COMMON_PAGES_H

#include <stddef.h>

/* NULL with errno. */
void *sw_pages_take(size_t bytes);

/* NULL is allowed; bytes as passed to sw_pages_take(). */
void sw_pages_give(void *memory, size_t bytes);

#endif
