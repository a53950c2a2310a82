/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a shared object's file says without loading it: the bytes behind an
 * exported symbol.  Every byte of the file is hostile.
 */
#ifndef SW_ANALYZER_ELF_SYMBOL_H
#define SW_ANALYZER_ELF_SYMBOL_H

#include <stddef.h>

#include "common/error.h"

enum { SW_ELF_SIZE_MAX = 64 << 20 };

/* A file in memory. */
struct sw_elf {
	unsigned char *bytes;
	size_t size;
};

/*
 * Read a file of up to SW_ELF_SIZE_MAX bytes.  0, or -1 with *error: not an
 * ELF shared object of this machine's class, byte order and processor.
 */
int sw_elf_read(struct sw_elf *elf, int fd, struct sw_error *error);
void sw_elf_fini(struct sw_elf *elf);

/*
 * The bytes of a data symbol of the dynamic symbol table as they lie in the
 * file, *size of them; NULL where there are none.
 */
const void *sw_elf_symbol(const struct sw_elf *elf, const char *name,
			  size_t *size);

#endif
