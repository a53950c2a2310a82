/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/step_cgroup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SLUID_LENGTH = 14 };

bool sw_is_sluid(const char *text, size_t length)
{
	/* strspn() might read beyond the end of text. */
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	bool is_zero = true;
	size_t i;

	if (length != SLUID_LENGTH || text[0] != 's')
		return false;
	for (i = 1; i < length; i++) {
		if (!text[i] || !strchr(digits, text[i]))
			return false;
		is_zero &= text[i] == '0';
	}
	return !is_zero;
}

/* Return the length of a leading "/step_<s>"; 0 for anything else. */
static size_t step_length(const char *path)
{
	static const char step[] = "/step_";
	size_t length;

	if (strncmp(path, step, strlen(step)) != 0)
		return 0;
	length = strcspn(path + strlen(step), "/");
	return length > 0 ? strlen(step) + length : 0;
}

static bool is_dots(const char *name, size_t length)
{
	return length <= 2 && strspn(name, ".") >= length;
}

bool sw_step_cgroup_find(const char *path, uint32_t job_id,
			 struct sw_step_cgroup *found)
{
	size_t at = 0, length, step;
	bool is_job, is_sluid;
	char job[32];

	*found = (struct sw_step_cgroup){ 0 };
	snprintf(job, sizeof(job), "job_%" PRIu32, job_id);
	while (path[at] == '/') {
		length = strcspn(path + ++at, "/");
		/* Also an empty component. */
		if (is_dots(path + at, length))
			return false;
		is_job = length == strlen(job) &&
			 memcmp(path + at, job, length) == 0;
		is_sluid = sw_is_sluid(path + at, length);
		at += length;
		step = step_length(path + at);
		/* The first one is Slurm's; a job may create others in it. */
		if (step &&
		    ((is_job && (!found->step_length || found->is_sluid)) ||
		     (is_sluid && !found->step_length)))
			*found = (struct sw_step_cgroup){ at, at + step,
							  is_sluid };
	}
	return !path[at] && found->step_length > 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void sw_cgroup_form(const char *path, char *form, size_t size)
{
	size_t length = 0, letters, digits, i;

	for (; *path && length + 1 < size; path += i) {
		letters = digits = 0;
		for (i = 0; is_digit(path[i]) || is_letter(path[i]); i++) {
			digits += is_digit(path[i]);
			letters += is_letter(path[i]);
		}
		if (digits) {
			form[length++] = letters ? 'X' : 'N';
			continue;
		}
		i = i ? i : 1;
		if (length + i >= size)
			break;
		memcpy(form + length, path, i);
		length += i;
	}
	form[length] = '\0';
}
