/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse and format Slurm's job ids. */
#include "common/jobid.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const named_steps[] = { "batch", "interactive", "extern" };

enum { NAMED_STEPS = sizeof(named_steps) / sizeof(named_steps[0]) };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read digits and advance *text; 32 bits as in Slurm. */
static int read_number(const char **text, uint64_t *number)
{
	uint64_t value = 0;
	const char *in = *text;

	if (!is_digit(*in)) {
		errno = EINVAL;
		return -1;
	}
	for (; is_digit(*in); in++) {
		value = value * 10 + (uint64_t)(*in - '0');
		if (value > UINT32_MAX) {
			errno = ERANGE;
			return -1;
		}
	}
	*number = value;
	*text = in;
	return 0;
}

/* Read "12", "12+1" or a named step, which must end the text. */
static int read_step(const char *text, char *step)
{
	uint64_t number, component;
	size_t i;

	for (i = 0; i < NAMED_STEPS; i++) {
		if (!strcmp(text, named_steps[i])) {
			snprintf(step, SW_STEPID_SIZE, "%s", text);
			return 0;
		}
	}
	if (read_number(&text, &number) < 0)
		return -1;
	snprintf(step, SW_STEPID_SIZE, "%llu", (unsigned long long)number);
	if (*text == '+') {
		text++;
		if (read_number(&text, &component) < 0)
			return -1;
		snprintf(step, SW_STEPID_SIZE, "%llu+%llu",
			 (unsigned long long)number,
			 (unsigned long long)component);
	}
	if (*text == '\0')
		return 0;
	errno = EINVAL;
	return -1;
}

int sw_jobid_parse(const char *text, struct sw_jobid *id)
{
	struct sw_jobid parsed = {
		.array_task = SW_MISSING, .het_component = SW_MISSING,
	};

	if (read_number(&text, &parsed.job) < 0)
		return -1;
	if (*text == '_' || *text == '+') {
		uint64_t *part = *text == '_' ? &parsed.array_task :
						&parsed.het_component;

		text++;
		if (read_number(&text, part) < 0)
			return -1;
	}
	if (*text == '.' && read_step(text + 1, parsed.step) < 0)
		return -1;
	/* Slurm has no job 0. */
	if ((*text != '.' && *text != '\0') || parsed.job == 0) {
		errno = EINVAL;
		return -1;
	}
	*id = parsed;
	return 0;
}

char *sw_jobid_format(char *buf, size_t size, const struct sw_jobid *id)
{
	char part[24] = "";

	if (!sw_is_missing(id->array_task))
		snprintf(part, sizeof(part), "_%llu",
			 (unsigned long long)id->array_task);
	else if (!sw_is_missing(id->het_component))
		snprintf(part, sizeof(part), "+%llu",
			 (unsigned long long)id->het_component);
	snprintf(buf, size, "%llu%s%s%s", (unsigned long long)id->job, part,
		 id->step[0] ? "." : "", id->step);
	return buf;
}

struct sw_jobid_text sw_jobid_text(const struct sw_jobid *id)
{
	struct sw_jobid_text text;

	sw_jobid_format(text.s, sizeof(text.s), id);
	return text;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

int sw_jobid_compare(const struct sw_jobid *one, const struct sw_jobid *two)
{
	int order = compare_u64(one->job, two->job);

	if (!order)
		order = compare_u64(one->array_task, two->array_task);
	return order ? order :
		       compare_u64(one->het_component, two->het_component);
}

static bool is_named(uint64_t wanted, uint64_t number)
{
	return sw_is_missing(wanted) || wanted == number;
}

bool sw_jobid_covers(const struct sw_jobid *wanted, const struct sw_jobid *id)
{
	return wanted->job == id->job &&
	       is_named(wanted->array_task, id->array_task) &&
	       is_named(wanted->het_component, id->het_component) &&
	       (!wanted->step[0] || !id->step[0] ||
		!strcmp(wanted->step, id->step));
}

bool sw_jobid_is_part(const struct sw_jobid *id)
{
	return !sw_is_missing(id->array_task) ||
	       !sw_is_missing(id->het_component);
}

/* Numbers are compared by value, so that 2 comes before 10. */
static unsigned step_class(const char *step)
{
	if (!strcmp(step, "batch"))
		return 0;
	if (!strcmp(step, "interactive"))
		return 1;
	if (is_digit(step[0]))
		return 2;
	return strcmp(step, "extern") ? 3 : 4;
}

int sw_stepid_compare(const char *one, const char *two)
{
	unsigned class_one = step_class(one), class_two = step_class(two);
	uint64_t a, b;
	const char *rest_one = one, *rest_two = two;

	if (class_one != class_two)
		return class_one < class_two ? -1 : 1;
	if (class_one != 2 || read_number(&rest_one, &a) < 0 ||
	    read_number(&rest_two, &b) < 0)
		return strcmp(one, two);
	if (a != b)
		return a < b ? -1 : 1;
	return strcmp(rest_one, rest_two);
}

bool sw_stepid_is_of_user(const char *step)
{
	return step && (!strcmp(step, "interactive") || !strcmp(step, "extern"));
}
