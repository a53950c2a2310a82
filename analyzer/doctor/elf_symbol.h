/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read the value of an exported symbol from a shared object's file without
 * loading it.  The file is untrusted.
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
 * Read a file of up to SW_ELF_SIZE_MAX bytes.  Return 0, or -1 with *error: not
 * an ELF shared object of this machine's class, byte order and processor.
 */
int sw_elf_read(struct sw_elf *elf, int fd, struct sw_error *error);
void sw_elf_fini(struct sw_elf *elf);

/*
 * Return the bytes of a data symbol in the dynamic symbol table as stored in
 * the file, *size of them; NULL if there are none.
 */
const void *sw_elf_symbol(const struct sw_elf *elf, const char *name,
			  size_t *size);

#endif
