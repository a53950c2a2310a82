/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of nodes, unfolded: each pair of brackets is a loop in those before. */
#include "analyzer/accounting/node_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 9 };

/* A partially unfolded name. */
struct unfolding {
	struct sw_node_names *names;
	size_t max;
	char name[SW_NODE_NAME_SIZE_MAX];
};

static int refuse(void)
{
	errno = EINVAL;
	return -1;
}

static int unfold(struct unfolding *unfolding, size_t length, const char *rest);

static int finish(struct unfolding *unfolding, size_t length)
{
	unfolding->name[length] = '\0';
	if (unfolding->names->count >= unfolding->max)
		return refuse();
	return sw_node_names_add(unfolding->names, unfolding->name);
}

/* Parse one or more digits at *at. */
static bool take_number(const char **at, size_t *digits, unsigned long *number)
{
	*digits = strspn(*at, "0123456789");
	if (!*digits || *digits > DIGITS_MAX)
		return false;
	*number = strtoul(*at, NULL, 10);
	*at += *digits;
	return true;
}

/* Unfold "1-3" or "7" in brackets, each with the rest of the name. */
static int unfold_range(struct unfolding *unfolding, size_t length,
			const char **at, const char *rest)
{
	unsigned long first, last, i;
	size_t digits, digits_last;
	int rc = 0, put;

	if (!take_number(at, &digits, &first))
		return refuse();
	last = first;
	if (**at == '-') {
		++*at;
		if (!take_number(at, &digits_last, &last) || last < first)
			return refuse();
	}
	for (i = first; rc == 0 && i <= last; i++) {
		put = snprintf(unfolding->name + length,
			       sizeof(unfolding->name) - length, "%0*lu",
			       (int)digits, i);
		if (put < 0 ||
		    (size_t)put >= sizeof(unfolding->name) - length)
			return refuse();
		rc = unfold(unfolding, length + (size_t)put, rest);
	}
	return rc;
}

static int unfold_brackets(struct unfolding *unfolding, size_t length,
			   const char *at)
{
	const char *end = strchr(at, ']');
	int rc = 0;

	if (!end)
		return refuse();
	while (rc == 0) {
		rc = unfold_range(unfolding, length, &at, end + 1);
		if (rc < 0 || at == end)
			return rc;
		if (*at++ != ',')
			return refuse();
	}
	return rc;
}

/* Unfold the rest of one name, up to its end or a comma. */
static int unfold(struct unfolding *unfolding, size_t length, const char *rest)
{
	size_t plain = strcspn(rest, "[,");

	if (length + plain >= sizeof(unfolding->name))
		return refuse();
	memcpy(unfolding->name + length, rest, plain);
	length += plain;
	if (rest[plain] == '[')
		return unfold_brackets(unfolding, length, rest + plain + 1);
	return finish(unfolding, length);
}

/* End of the name: the next comma outside of brackets. */
static const char *end_of(const char *at)
{
	while (*at && *at != ',') {
		const char *close = *at == '[' ? strchr(at, ']') : NULL;

		at = close ? close + 1 : at + 1;
	}
	return at;
}

int sw_node_names_unfold(struct sw_node_names *names, const char *list,
			 size_t max)
{
	struct unfolding unfolding = { .names = names, .max = max };
	int rc = *list && !strpbrk(list, " \t\n") ? 0 : refuse();

	while (rc == 0 && *list) {
		rc = unfold(&unfolding, 0, list);
		list = end_of(list);
		if (*list == ',')
			list++;
	}
	return rc;
}
