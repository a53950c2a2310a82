/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fold names of nodes.  A name consists of a prefix, its last number, and a
 * suffix; numbers of more than NUMBER_DIGITS_MAX digits count as letters.
 */
#include "analyzer/accounting/node_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_DIGITS_MAX = 18 };

struct part {
	size_t head;	/* bytes before the number */
	size_t digits;	/* 0: no number */
	uint64_t number;
	const char *tail;
	bool is_padded;	/* "007": same number of digits only */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct part split(const char *name)
{
	struct part part = { .head = strlen(name) };
	const char *at = name + part.head;

	part.tail = at;
	while (at > name && !is_digit(at[-1]))
		at--;
	if (at == name)
		return part;
	part.tail = at;
	while (at > name && is_digit(at[-1]) &&
	       part.digits < NUMBER_DIGITS_MAX) {
		at--;
		part.digits++;
	}
	part.head = (size_t)(at - name);
	part.number = strtoull(at, NULL, 10);
	part.is_padded = *at == '0' && part.digits > 1;
	return part;
}

static int compare_size(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Sort by group, then by number. */
static int compare(const void *one, const void *two)
{
	const char *a = *(const char *const *)one;
	const char *b = *(const char *const *)two;
	struct part p = split(a), q = split(b);
	size_t head = p.head < q.head ? p.head : q.head;
	int order = memcmp(a, b, head);

	if (order == 0)
		order = compare_size(p.head, q.head);
	if (order == 0)
		order = strcmp(p.tail, q.tail);
	if (order == 0)
		order = compare_size(p.digits, q.digits);
	if (order == 0)
		order = compare_size(p.number, q.number);
	return order ? order : strcmp(a, b);
}

/*
 * True if both fit into one pair of brackets: "08" and "10" have the same
 * number of digits, and "9" and "10" are not padded.
 */
static bool is_alike(const char *a, const char *b)
{
	struct part p = split(a), q = split(b);

	return p.digits && q.digits && p.head == q.head &&
	       memcmp(a, b, p.head) == 0 && strcmp(p.tail, q.tail) == 0 &&
	       (p.is_padded || q.is_padded ? p.digits == q.digits : true);
}

int sw_node_names_add(struct sw_node_names *names, const char *name)
{
	char **grown, *copy;

	if (!*name || strlen(name) >= SW_NODE_NAME_SIZE_MAX) {
		errno = EINVAL;
		return -1;
	}
	copy = strdup(name);
	grown = realloc(names->names, (names->count + 1) * sizeof(*grown));
	if (grown)
		names->names = grown;
	if (!copy || !grown) {
		free(copy);
		return -1;
	}
	names->names[names->count++] = copy;
	return 0;
}

void sw_node_names_sort(struct sw_node_names *names)
{
	size_t i, kept = 0;

	if (names->count)
		qsort(names->names, names->count, sizeof(*names->names),
		      compare);
	for (i = 0; i < names->count; i++) {
		if (kept && !strcmp(names->names[kept - 1], names->names[i]))
			free(names->names[i]);
		else
			names->names[kept++] = names->names[i];
	}
	names->count = kept;
}

/* Number of leading names with consecutive numbers. */
static size_t run_length(char *const *names, size_t count)
{
	size_t n = 1;

	while (n < count && is_alike(names[0], names[n]) &&
	       split(names[n]).number == split(names[n - 1]).number + 1)
		n++;
	return n;
}

static void print_range(FILE *out, const char *first, const char *last)
{
	struct part p = split(first), q = split(last);

	fprintf(out, "%.*s", (int)p.digits, first + p.head);
	if (first != last)
		fprintf(out, "-%.*s", (int)q.digits, last + q.head);
}

/* Print a pair of brackets, or one name.  Return the number of names. */
static size_t print_group(FILE *out, char *const *names, size_t count)
{
	struct part part = split(names[0]);
	size_t n = 1, i, length;

	while (n < count && is_alike(names[0], names[n]))
		n++;
	if (n == 1) {
		fputs(names[0], out);
		return 1;
	}
	fprintf(out, "%.*s[", (int)part.head, names[0]);
	for (i = 0; i < n; i += length) {
		length = run_length(names + i, n - i);
		if (i)
			fputc(',', out);
		print_range(out, names[i], names[i + length - 1]);
	}
	fprintf(out, "]%s", part.tail);
	return n;
}

char *sw_node_names_fold(struct sw_node_names *names)
{
	char *text = NULL;
	size_t size, i;
	FILE *out;

	sw_node_names_sort(names);
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (i = 0; i < names->count;) {
		if (i)
			fputc(',', out);
		i += print_group(out, names->names + i, names->count - i);
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

void sw_node_names_fini(struct sw_node_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct sw_node_names){ NULL, 0 };
}
