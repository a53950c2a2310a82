/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pages.h"

#include <sys/mman.h>

void *sw_pages_take(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void sw_pages_give(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, bytes);
}
