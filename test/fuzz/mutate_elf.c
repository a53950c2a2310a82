/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damages the headers, tables and sections of a 64-bit ELF file. */
#include <elf.h>
#include <string.h>

#include "test/fuzz/mutate.h"

/*
 * Pick a section, a table or the head: most of a file is code, which nobody
 * reads.
 */
static void pick_region(const struct input *input, struct dice *dice,
			size_t *from, size_t *size)
{
	Elf64_Ehdr head;
	Elf64_Shdr section;
	size_t at;

	*from = 0;
	*size = input->size < sizeof(head) ? input->size : sizeof(head);
	if (*size < sizeof(head))
		return;
	memcpy(&head, input->bytes, sizeof(head));
	switch (dice_below(dice, 8)) {
	case 0:
		return;
	case 1:
		*from = head.e_phoff;
		*size = (size_t)head.e_phnum * sizeof(Elf64_Phdr);
		break;
	case 2:
	case 3:
		*from = head.e_shoff;
		*size = (size_t)head.e_shnum * sizeof(Elf64_Shdr);
		break;
	default:
		at = head.e_shoff +
		     sizeof(section) *
			     dice_below(dice, (size_t)head.e_shnum + 1);
		if (at > input->size || input->size - at < sizeof(section))
			return;
		memcpy(&section, input->bytes + at, sizeof(section));
		*from = section.sh_offset;
		*size = section.sh_size;
	}
}

void mutate_elf(struct input *input, const struct input *other,
		struct dice *dice)
{
	static const uint64_t edges[] = {
		0,	    1,	       0x7f,	       0x80,
		0xff,	    0xffff,    4096,	       0x7fffffff,
		0xffffffff, INT64_MAX, UINT64_MAX - 7, UINT64_MAX
	};
	size_t count = (size_t)1 << dice_below(dice, 7);

	if (dice_below(dice, 8) == 0)
		mutate_bytes(input, other, dice);
	while (count-- > 0) {
		size_t from, size, wide = (size_t)1 << dice_below(dice, 4);
		uint64_t value = edges[dice_below(
			dice, sizeof(edges) / sizeof(edges[0]))];

		pick_region(input, dice, &from, &size);
		if (from >= input->size || !size)
			continue;
		if (size > input->size - from)
			size = input->size - from;
		from += dice_below(dice, size);
		if (dice_below(dice, 2))
			input->bytes[from] ^=
				(uint8_t)(1u << dice_below(dice, 8));
		else if (wide <= input->size - from)
			memcpy(input->bytes + from, &value, wide);
	}
}
