/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of a shared object, from its section headers (elf(5)); strip(1) keeps
 * those of dynamic symbols.  Files without them are rejected.  Not by libelf,
 * which a hostile file can keep busy: it looks for the end of a table of strings
 * once for each symbol (0.188: 32 s for 16 MB).
 */
#include "analyzer/doctor/elf_symbol.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/whole.h"

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Shdr) elf_section;
typedef ElfW(Phdr) elf_segment;
typedef ElfW(Sym) elf_entry;

/* The header of this program, named by the linker. */
extern const elf_header __ehdr_start __attribute__((visibility("hidden")));

/* True if [offset, offset + size) is inside the file. */
static bool is_inside(const struct sw_elf *elf, uint64_t offset, uint64_t size)
{
	return offset <= elf->size && size <= elf->size - offset;
}

/* Copy, since data in the file may be unaligned. */
static bool copy_at(const struct sw_elf *elf, uint64_t offset, void *to,
		    size_t size)
{
	if (!is_inside(elf, offset, size))
		return false;
	memcpy(to, elf->bytes + offset, size);
	return true;
}

static bool has_header(const struct sw_elf *elf, elf_header *header)
{
	return copy_at(elf, 0, header, sizeof(*header)) &&
	       memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

static int check_header(const struct sw_elf *elf, struct sw_error *error)
{
	elf_header header;

	errno = ENOEXEC;
	if (!has_header(elf, &header))
		return sw_error_set(error, "not an ELF file");
	if (header.e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS] ||
	    header.e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA] ||
	    header.e_machine != __ehdr_start.e_machine)
		return sw_error_set(error, "built for another processor");
	if (header.e_type != ET_DYN)
		return sw_error_set(error, "not a shared object");
	return 0;
}

int sw_elf_read(struct sw_elf *elf, int fd, struct sw_error *error)
{
	struct stat stat;
	ssize_t got;

	*elf = (struct sw_elf){ NULL, 0 };
	if (fstat(fd, &stat) < 0)
		return sw_error_errno(error, "cannot be examined");
	errno = EINVAL;
	if (!S_ISREG(stat.st_mode))
		return sw_error_set(error, "not a regular file");
	if (stat.st_size > SW_ELF_SIZE_MAX)
		return sw_error_set(error, "too large for a plugin");
	elf->bytes = malloc((size_t)stat.st_size + 1);
	if (!elf->bytes)
		return sw_error_set(error, "not enough memory");
	got = sw_read_whole(fd, elf->bytes, (size_t)stat.st_size, 0);
	if (got < 0)
		sw_error_errno(error, "cannot be read");
	else
		elf->size = (size_t)got;
	if (got < 0 || check_header(elf, error) < 0) {
		sw_elf_fini(elf);
		return -1;
	}
	return 0;
}

void sw_elf_fini(struct sw_elf *elf)
{
	free(elf->bytes);
	*elf = (struct sw_elf){ NULL, 0 };
}

static bool get_section(const struct sw_elf *elf, const elf_header *header,
			unsigned index, elf_section *section)
{
	if (header->e_shentsize != sizeof(*section) ||
	    index >= header->e_shnum || header->e_shoff > SW_ELF_SIZE_MAX)
		return false;
	return copy_at(elf, header->e_shoff + (uint64_t)index *
			       sizeof(*section), section, sizeof(*section));
}

/* Convert an address to an offset in the file; *left: bytes from there. */
static bool find_address(const struct sw_elf *elf, const elf_header *header,
			 uint64_t address, uint64_t *offset, uint64_t *left)
{
	elf_segment segment;
	unsigned i;

	if (header->e_phentsize != sizeof(segment) ||
	    header->e_phoff > SW_ELF_SIZE_MAX)
		return false;
	for (i = 0; i < header->e_phnum; i++) {
		if (!copy_at(elf, header->e_phoff + (uint64_t)i *
				     sizeof(segment), &segment,
			     sizeof(segment)))
			return false;
		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz ||
		    !is_inside(elf, segment.p_offset, segment.p_filesz))
			continue;
		*offset = segment.p_offset + (address - segment.p_vaddr);
		*left = segment.p_filesz - (address - segment.p_vaddr);
		return true;
	}
	return false;
}

static bool is_named(const struct sw_elf *elf, const elf_section *strings,
		     const elf_entry *entry, const char *name)
{
	size_t size = strlen(name) + 1;

	return entry->st_name < strings->sh_size &&
	       size <= strings->sh_size - entry->st_name &&
	       memcmp(elf->bytes + strings->sh_offset + entry->st_name, name,
		      size) == 0;
}

static bool find_entry(const struct sw_elf *elf, const elf_section *symbols,
		       const elf_section *strings, const char *name,
		       elf_entry *entry)
{
	uint64_t i, count = symbols->sh_size / sizeof(*entry);

	if (symbols->sh_entsize != sizeof(*entry) ||
	    !is_inside(elf, symbols->sh_offset, symbols->sh_size) ||
	    !is_inside(elf, strings->sh_offset, strings->sh_size))
		return false;
	for (i = 0; i < count; i++) {
		memcpy(entry, elf->bytes + symbols->sh_offset +
			      i * sizeof(*entry), sizeof(*entry));
		if (entry->st_shndx != SHN_UNDEF &&
		    is_named(elf, strings, entry, name))
			return true;
	}
	return false;
}

/* An object has one; searching many in a hostile file could take hours. */
static bool find_symbols(const struct sw_elf *elf, const elf_header *header,
			 elf_section *symbols)
{
	unsigned i;

	for (i = 0; get_section(elf, header, i, symbols); i++) {
		if (symbols->sh_type == SHT_DYNSYM)
			return true;
	}
	return false;
}

const void *sw_elf_symbol(const struct sw_elf *elf, const char *name,
			  size_t *size)
{
	elf_section symbols, strings;
	uint64_t offset, left;
	elf_header header;
	elf_entry entry;

	if (!has_header(elf, &header) ||
	    !find_symbols(elf, &header, &symbols) ||
	    !get_section(elf, &header, symbols.sh_link, &strings) ||
	    !find_entry(elf, &symbols, &strings, name, &entry) ||
	    !find_address(elf, &header, entry.st_value, &offset, &left))
		return NULL;
	*size = entry.st_size < left ? entry.st_size : left;
	return elf->bytes + offset;
}
