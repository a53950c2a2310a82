/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of CPUs as the kernel lists them. */
#include "common/cpus.h"

#include <string.h>

#include "common/missing.h"

enum { WORD_BITS = 64 };

/*
 * Read digits and advance *text; -1 if there are none, or the number is too
 * large.
 */
static int take_number(const char **text, uint32_t *number)
{
	const char *p = *text;

	*number = 0;
	while (*p >= '0' && *p <= '9') {
		*number = *number * 10 + (uint32_t)(*p++ - '0');
		if (*number >= SW_CPUS_MAX)
			return -1;
	}
	if (p == *text)
		return -1;
	*text = p;
	return 0;
}

int sw_cpus_parse(struct sw_cpus *cpus, const char *text)
{
	uint32_t from, to;

	memset(cpus, 0, sizeof(*cpus));
	while (*text && *text != '\n') {
		if (take_number(&text, &from) < 0)
			return -1;
		to = from;
		if (*text == '-' && (text++, take_number(&text, &to) < 0))
			return -1;
		if (to < from)
			return -1;
		for (; from <= to; from++)
			cpus->word[from / WORD_BITS] |=
				UINT64_C(1) << from % WORD_BITS;
		if (*text != ',')
			break;
		text++;
		if (!*text || *text == '\n')
			return -1;
	}
	return *text == '\0' || (*text == '\n' && text[1] == '\0') ? 0 : -1;
}

size_t sw_cpus_count(const struct sw_cpus *cpus)
{
	size_t i, count = 0;

	for (i = 0; i < SW_CPUS_WORDS; i++)
		count += (size_t)__builtin_popcountll(cpus->word[i]);
	return count;
}

bool sw_cpus_has(const struct sw_cpus *cpus, uint64_t cpu)
{
	return cpu < SW_CPUS_MAX &&
	       (cpus->word[cpu / WORD_BITS] >> cpu % WORD_BITS & 1) != 0;
}

void sw_cpus_add(struct sw_cpus *cpus, const struct sw_cpus *more)
{
	size_t i;

	for (i = 0; i < SW_CPUS_WORDS; i++)
		cpus->word[i] |= more->word[i];
}

bool sw_cpus_is_within(const struct sw_cpus *part, const struct sw_cpus *whole)
{
	size_t i;

	for (i = 0; i < SW_CPUS_WORDS; i++) {
		if (part->word[i] & ~whole->word[i])
			return false;
	}
	return true;
}

uint64_t sw_cpus_first(const struct sw_cpus *cpus)
{
	size_t i;

	for (i = 0; i < SW_CPUS_WORDS; i++) {
		if (cpus->word[i])
			return i * WORD_BITS +
			       (uint64_t)__builtin_ctzll(cpus->word[i]);
	}
	return SW_MISSING;
}
