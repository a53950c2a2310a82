/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages between plugin and recorder.  Used by both, with nothing but
 * functions of libc that are async-signal-safe: the plugin runs in other
 * programs.
 */
#include "common/protocol.h"

#include <limits.h>
#include <string.h>

struct sw_job_key sw_message_job(const struct sw_message_step *step)
{
	return (struct sw_job_key){
		.job_id = step->job_id,
		.array_job_id = sw_message_number(step->array_job_id),
		.array_task_id = sw_message_number(step->array_task_id),
		.het_job_id = sw_message_number(step->het_job_id),
		.het_component = sw_message_number(step->het_component),
		.restart_count = sw_message_number(step->restart_count),
		.uid = step->uid,
	};
}

size_t sw_message_start_length(uint32_t task_count)
{
	return offsetof(struct sw_message_step_start, tasks) +
	       task_count * sizeof(struct sw_message_task);
}

static uint16_t version_of(uint16_t type)
{
	return type == SW_MESSAGE_PING || type == SW_MESSAGE_ANSWER ?
		       SW_HEADER_VERSION : SW_PROTOCOL_VERSION;
}

void sw_message_head(struct sw_message_header *header,
		     enum sw_message_type type, size_t length)
{
	*header = (struct sw_message_header){
		.magic = SW_MESSAGE_MAGIC,
		.version = version_of((uint16_t)type),
		.type = (uint16_t)type,
		.length = (uint32_t)length,
	};
}

static bool ends(const char *text, size_t size)
{
	return memchr(text, 0, size) != NULL;
}

static bool is_good_step(const struct sw_message_step *step)
{
	return ends(step->cluster, sizeof(step->cluster)) &&
	       ends(step->job_name, sizeof(step->job_name)) &&
	       ends(step->cgroup, sizeof(step->cgroup)) &&
	       ends(step->gpus, sizeof(step->gpus)) &&
	       ends(step->sluid, sizeof(step->sluid)) &&
	       step->mode <= SW_MODE_REPORT && step->stepd_pid > 0 &&
	       step->stepd_pid <= INT_MAX;
}

static bool is_good_task(const struct sw_message_task *task)
{
	return task->pid > 0 && task->pid <= INT_MAX &&
	       task->cgroup_kind <= SW_TASK_CGROUP_OWN;
}

static bool are_good_finals(const struct sw_message_final_values *final_values)
{
	return ends(final_values->memory_peak, sizeof(final_values->memory_peak)) &&
	       ends(final_values->memory_events, sizeof(final_values->memory_events)) &&
	       ends(final_values->cpu_stat, sizeof(final_values->cpu_stat));
}

static bool is_good_start(const struct sw_message_step_start *start,
			  size_t length)
{
	uint32_t i;

	if (length < sw_message_start_length(0) ||
	    start->task_count > SW_MESSAGE_TASKS_MAX ||
	    length != sw_message_start_length(start->task_count) ||
	    !is_good_step(&start->step))
		return false;
	for (i = 0; i < start->task_count; i++) {
		if (!is_good_task(&start->tasks[i]))
			return false;
	}
	return true;
}

bool sw_message_check(const void *bytes, size_t length)
{
	const union sw_message *message = bytes;

	if (length < sizeof(message->header) ||
	    message->header.magic != SW_MESSAGE_MAGIC ||
	    message->header.version != version_of(message->header.type) ||
	    message->header.length != length)
		return false;
	switch (message->header.type) {
	case SW_MESSAGE_STEP_START:
		return is_good_start(&message->start, length);
	case SW_MESSAGE_TASK_END:
		return length == sizeof(message->task_end) &&
		       is_good_step(&message->task_end.step) &&
		       is_good_task(&message->task_end.task) &&
		       are_good_finals(&message->task_end.final_values);
	case SW_MESSAGE_STEP_END:
		return length == sizeof(message->step_end) &&
		       is_good_step(&message->step_end.step) &&
		       are_good_finals(&message->step_end.final_values);
	case SW_MESSAGE_PING:
	case SW_MESSAGE_ANSWER:
		return length == sizeof(message->header);
	default:
		return false;
	}
}

/* Size of the step in each version; other members follow it directly. */
static const size_t step_ends[] = {
	[1] = offsetof(struct sw_message_step, input_bytes),
	[2] = offsetof(struct sw_message_step, job_start_seconds),
	[SW_PROTOCOL_VERSION] = sizeof(struct sw_message_step),
};

static bool is_old(const struct sw_message_header *header, size_t length)
{
	return length >= sizeof(*header) &&
	       header->magic == SW_MESSAGE_MAGIC && header->version > 0 &&
	       header->version < version_of(header->type) &&
	       header->length == length;
}

size_t sw_message_upgrade(union sw_message *message, size_t length)
{
	const size_t step = offsetof(struct sw_message_step_start, step);
	char *bytes = (char *)message;
	size_t end, grown;

	if (is_old(&message->header, length)) {
		end = step_ends[message->header.version];
		grown = sizeof(struct sw_message_step) - end;
		end += step;
		if (length < end || length > sizeof(*message) - grown)
			return 0;
		memmove(bytes + end + grown, bytes + end, length - end);
		memset(bytes + end, 0, grown);
		length += grown;
		message->header.version = SW_PROTOCOL_VERSION;
		message->header.length = (uint32_t)length;
	}
	return sw_message_check(message, length) ? length : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Parse "1.5" as thousandths; *end points behind.  False if it is no number. */
static bool parse_milli(const char *text, uint64_t *milli, const char **end)
{
	uint64_t scale = 100;

	if (!is_digit(*text))
		return false;
	*milli = 0;
	for (; is_digit(*text); text++) {
		if (*milli > UINT32_MAX)
			return false;
		*milli = *milli * 10 + (uint64_t)(*text - '0') * 1000;
	}
	if (*text == '.') {
		for (text++; is_digit(*text); text++, scale /= 10)
			*milli += scale * (uint64_t)(*text - '0');
	}
	*end = text;
	return true;
}

static bool parse_period(const char *text, uint32_t *period_msec)
{
	static const struct { const char *suffix; uint64_t milli; } units[] = {
		{ "", 1000 }, { "s", 1000 }, { "ms", 1 }, { "m", 60000 },
	};
	const char *end;
	uint64_t milli;
	size_t i;

	if (!parse_milli(text, &milli, &end))
		return false;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].suffix) != 0)
			continue;
		milli = milli * units[i].milli / 1000;
		if (milli == 0 || milli > UINT32_MAX)
			return false;
		*period_msec = (uint32_t)milli;
		return true;
	}
	return false;
}

bool sw_mode_parse(const char *text, uint32_t *mode, uint32_t *period_msec)
{
	static const char *const words[] = {
		[SW_MODE_ON] = "on",
		[SW_MODE_OFF] = "off",
		[SW_MODE_QUIET] = "quiet",
		[SW_MODE_REPORT] = "report",
	};
	uint32_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i]) == 0) {
			*mode = i;
			return true;
		}
	}
	return parse_period(text, period_msec);
}

/* Does a component of the path begin with "step_"? */
static bool has_step(const char *path, size_t length)
{
	size_t i;

	for (i = 0; i + 6 < length; i++) {
		if (memcmp(path + i, "/step_", 6) == 0)
			return true;
	}
	return false;
}

static bool parse_task(const char *name, size_t length, uint16_t *kind,
		       uint32_t *number)
{
	uint64_t value = 0;
	size_t i;

	*number = 0;
	if (length == 12 && memcmp(name, "task_special", 12) == 0) {
		*kind = SW_TASK_CGROUP_SHARED;
		return true;
	}
	if (length < 6 || length > 15 || memcmp(name, "task_", 5) != 0)
		return false;
	for (i = 5; i < length; i++) {
		if (!is_digit(name[i]))
			return false;
		value = value * 10 + (uint64_t)(name[i] - '0');
	}
	*kind = SW_TASK_CGROUP_OWN;
	*number = (uint32_t)value;
	return value <= UINT32_MAX;
}

bool sw_cgroup_has_controller(const char *list, const char *controller)
{
	size_t length = strlen(controller), here;

	for (;; list += here + 1) {
		here = strcspn(list, ",:\n");
		if (here == length && memcmp(list, controller, length) == 0)
			return true;
		if (list[here] != ',')
			return false;
	}
}

const char *sw_cgroup_path(const char *text, const char *controller)
{
	const char *end = text, *list, *path;

	for (; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		list = memchr(text, ':', (size_t)(end - text));
		path = list ? memchr(list + 1, ':',
				     (size_t)(end - list - 1)) : NULL;
		if (!path || path[1] != '/')
			continue;
		if (controller ?
			    sw_cgroup_has_controller(list + 1, controller) :
			    strncmp(text, "0::", 3) == 0)
			return path + 1;
	}
	return NULL;
}

/*
 * Return the last component of a path, and the length of its parent; NULL
 * outside of this process's cgroup namespace.
 */
static const char *find_last(const char *path, size_t *length)
{
	size_t whole = strcspn(path, "\n"), at;

	if (strncmp(path, "/..", 3) == 0)
		return NULL;
	for (at = whole; at > 0 && path[at - 1] != '/'; at--)
		;
	if (at == 0 || at == whole)
		return NULL;
	*length = at - 1;
	return path + at;
}

static bool put_folder(const char *path, size_t length, char *folder,
		       size_t size)
{
	if (length >= size)
		return false;
	memcpy(folder, path, length);
	folder[length] = '\0';
	return true;
}

bool sw_task_cgroup_parse(const char *text, char *folder, size_t size,
			  uint16_t *kind, uint32_t *number)
{
	const char *path = sw_cgroup_path(text, NULL), *last;
	size_t length;

	last = path ? find_last(path, &length) : NULL;
	return last && parse_task(last, strcspn(last, "\n"), kind, number) &&
	       has_step(path, length + 1) &&
	       put_folder(path, length, folder, size);
}

#define DIGITS "0123456789"
/* "batch", "0", "3+1" of a heterogeneous job */
#define STEP_NAME DIGITS "+abcdefghijklmnopqrstuvwxyz"

/* Skip a component that is word and one or more of some characters. */
static const char *skip_part(const char *at, const char *word,
			     const char *of)
{
	size_t length = at ? strlen(word) : 0, more;

	if (!at || strncmp(at, word, length) != 0)
		return NULL;
	at += length;
	more = strspn(at, of);
	at += more;
	return more > 0 && (*at == '/' || *at == '\n' || !*at) ? at : NULL;
}

/* Return the end of "/…/uid_<u>/job_<j>/step_<s>"; NULL if there is none. */
static const char *find_step_v1(const char *path)
{
	const char *end = path + strcspn(path, "\n"), *at, *rest;

	for (at = path; at < end; at++) {
		rest = skip_part(at, "/uid_", DIGITS);
		rest = skip_part(rest, "/job_", DIGITS);
		rest = skip_part(rest, "/step_", STEP_NAME);
		if (rest)
			return rest;
	}
	return NULL;
}

static bool parse_v1(const char *path, char *folder, size_t size,
		     uint16_t *kind, uint32_t *number)
{
	const char *end = strncmp(path, "/..", 3) == 0 ? NULL :
			  find_step_v1(path);

	if (!end || !put_folder(path, (size_t)(end - path), folder, size))
		return false;
	*kind = SW_TASK_CGROUP_SHARED;
	*number = 0;
	return *end != '/' ||
	       parse_task(end + 1, strcspn(end + 1, "\n"), kind, number);
}

bool sw_task_cgroup_parse_v1(const char *text, const char *controller,
			     char *folder, size_t size, uint16_t *kind,
			     uint32_t *number)
{
	static const char *const slurms[] = {
		"memory", "cpuacct", "devices", "cpuset", "freezer",
	};
	const char *path;
	size_t i;

	if (controller) {
		path = sw_cgroup_path(text, controller);
		return path && parse_v1(path, folder, size, kind, number);
	}
	for (i = 0; i < sizeof(slurms) / sizeof(slurms[0]); i++) {
		path = sw_cgroup_path(text, slurms[i]);
		if (path && parse_v1(path, folder, size, kind, number))
			return true;
	}
	return false;
}
