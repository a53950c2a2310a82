/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse memory requests of LSF. */
#include "common/lsf_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/missing.h"

static const char letters[] = "KMGTPE";
static const char section_name[] = "rusage[", mem[] = "mem=";

#define BYTES_MAX 0x1p62

/* Return the length of a leading "M", "MB" or "MiB"; 0 if there is none. */
static size_t unit_length(const char *text, uint64_t *bytes)
{
	const char *letter = *text ? strchr(letters, *text & ~0x20) : NULL;
	size_t length = 1;

	if (!letter || !*letter)
		return 0;
	*bytes = (uint64_t)1024 << 10 * (letter - letters);
	length += (text[length] | 0x20) == 'i';
	return length + ((text[length] | 0x20) == 'b');
}

uint64_t sw_lsf_unit_bytes(const char *word)
{
	uint64_t bytes = 0;
	size_t length = unit_length(word, &bytes);

	return length && !word[length] ? bytes : 0;
}

/* Return what follows "mem=", which may come after separators, or NULL. */
static const char *find_mem(const char *at, const char *end)
{
	while (at < end) {
		at += strspn(at, ":, ");
		if (!strncasecmp(at, mem, sizeof(mem) - 1))
			return at + sizeof(mem) - 1;
		at += strcspn(at, ":,]");
		if (*at == ']')
			break;
	}
	return NULL;
}

static bool read_per(const char *text, enum sw_lsf_per *per)
{
	static const char *const words[] = {
		[SW_LSF_PER_HOST] = "/host",
		[SW_LSF_PER_TASK] = "/task",
		[SW_LSF_PER_JOB] = "/job",
	};
	size_t length = strcspn(text, ":,] "), i;

	*per = SW_LSF_PER_SITE;
	for (i = SW_LSF_PER_HOST; i <= SW_LSF_PER_JOB; i++) {
		if (length == strlen(words[i]) &&
		    !strncasecmp(text, words[i], length))
			*per = (enum sw_lsf_per)i;
	}
	return length == 0 || *per != SW_LSF_PER_SITE;
}

static void read_value(struct sw_lsf_memory *memory, const char *text,
		       uint64_t unit_bytes)
{
	char *end;
	double value = strtod(text, &end);
	size_t length = unit_length(end, &unit_bytes);

	value *= (double)unit_bytes;
	memory->is_bad = end == text || !(value >= 0) || value > BYTES_MAX ||
			 !read_per(end + length, &memory->per);
	if (memory->is_bad || value == 0)
		return;
	memory->has_unit = length > 0;
	memory->bytes = (uint64_t)value;
}

/* "2*{...}+{...}" names several kinds of hosts, "||" alternatives. */
static bool is_simple(const char *res_req, const char *section)
{
	return !strpbrk(res_req, "{}") && !strstr(section, "||") &&
	       !strstr(section + 1, section_name);
}

struct sw_lsf_memory sw_lsf_memory_read(const char *res_req,
					uint64_t unit_bytes)
{
	struct sw_lsf_memory memory = { .bytes = SW_MISSING };
	const char *section = strstr(res_req, section_name), *value;

	if (!section || !is_simple(res_req, section))
		return memory;
	section += sizeof(section_name) - 1;
	value = find_mem(section, section + strcspn(section, "]"));
	/* "(400 200)" lists phases. */
	if (value && *value != '(')
		read_value(&memory, value, unit_bytes);
	return memory;
}
