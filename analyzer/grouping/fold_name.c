/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remove from a job's name what differs between runs of the same group. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/grouping/job_group.h"

/*
 * Separate digits differ between runs.  Digits after letters ("step1", "hg38",
 * "bwa2") do so only if there are many, or with a leading 0.
 */
enum { MANY_DIGITS = 3, HASH_LENGTH = 7 };

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

size_t sw_uuid_length(const char *text)
{
	static const int groups[] = { 8, 4, 4, 4, 12 };
	const char *at = text;
	size_t i;
	int j;

	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (i > 0 && *at++ != '-')
			return 0;
		for (j = 0; j < groups[i]; j++, at++) {
			if (!isxdigit((unsigned char)*at))
				return 0;
		}
	}
	return is_word(*at) ? 0 : (size_t)(at - text);
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (is_word(text[length]))
		length++;
	return length;
}

static bool is_hash(const char *word, size_t length)
{
	size_t digits = 0, i;

	for (i = 0; i < length; i++) {
		if (!isxdigit((unsigned char)word[i]))
			return false;
		digits += isdigit((unsigned char)word[i]) != 0;
	}
	/* "deadbeef" may be a hash; "1e6" and "defaced" are not. */
	return length >= HASH_LENGTH && digits > 0 && digits < length;
}

/* "20240131T120000Z", "120000" and the like. */
static bool is_time(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (!isdigit((unsigned char)word[i]) &&
		    !(word[i] == 'T' && i == 8) &&
		    !(word[i] == 'Z' && i + 1 == length))
			return false;
	}
	return length > 0 && isdigit((unsigned char)word[0]);
}

struct out {
	char *buf;
	size_t size, used;
};

static void put(struct out *out, const char *text, size_t length)
{
	if (length > out->size - 1 - out->used)
		length = out->size - 1 - out->used;
	memcpy(out->buf + out->used, text, length);
	out->used += length;
	out->buf[out->used] = '\0';
}

static bool ends_in(const struct out *out, const char *what, size_t length)
{
	return out->used >= length &&
	       !memcmp(out->buf + out->used - length, what, length);
}

/* "#-#-#" is a date, "#_#" a pair of numbers: one "#" is enough. */
static void put_number(struct out *out)
{
	if (out->used >= 2 && out->buf[out->used - 2] == '#' &&
	    strchr("-_.:,+", out->buf[out->used - 1]))
		out->used--;
	if (!ends_in(out, "#", 1))
		put(out, "#", 1);
	else
		out->buf[out->used] = '\0';
}

/* Write alternating letters and digits. */
static void put_mixed(struct out *out, const char *word, size_t length)
{
	size_t at = 0, end;

	while (at < length) {
		for (end = at; end < length &&
		     !isdigit((unsigned char)word[end]); end++)
			;
		put(out, word + at, end - at);
		at = end;
		while (end < length && isdigit((unsigned char)word[end]))
			end++;
		if (end > at && (end - at >= MANY_DIGITS || word[at] == '0'))
			put_number(out);
		else
			put(out, word + at, end - at);
		at = end;
	}
}

/* Length up to the tag of a workflow's task: "_(" or " (". */
static size_t name_length(const char *name)
{
	const char *tag = strchr(name, '(');
	size_t length = strlen(name);

	/* A truncated name lacks the ")". */
	if (tag && tag > name + 1 && (tag[-1] == ' ' ||
	     (tag[-1] == '_' && !strncmp(name, "nf-", 3))))
		return (size_t)(tag - 1 - name);
	return length;
}

char *sw_fold_name(char *buf, size_t size, const char *name)
{
	struct out out = { .buf = buf, .size = size };
	const char *end = name + name_length(name);
	size_t length;

	buf[0] = '\0';
	/* "snakejob.RULE.N.sh" */
	if (!strncmp(name, "snakejob.", 9) && end - name > 12 &&
	    !strncmp(end - 3, ".sh", 3))
		end -= 3;
	while (name < end) {
		length = sw_uuid_length(name);
		if (length) {
			put_number(&out);
			name += length;
			continue;
		}
		length = word_length(name);
		if (length > (size_t)(end - name))
			length = (size_t)(end - name);
		if (!length)
			put(&out, name++, 1);
		else if (is_hash(name, length) || is_time(name, length))
			put_number(&out);
		else
			put_mixed(&out, name, length);
		name += length;
	}
	/* Array elements and the N of a Snakemake job are at the end. */
	while (ends_in(&out, ".#", 2) && !strncmp(buf, "snakejob.", 9))
		buf[out.used -= 2] = '\0';
	return buf;
}
