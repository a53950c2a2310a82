/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse JOB_FINISH of LSF 9 and 10 and of its free relatives.  If those have
 * more or fewer texts, the next number marks the end of the texts.
 */
#include "analyzer/records/lsf_line.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/run_state.h"
#include "common/jobid.h"
#include "common/text.h"
#include "common/units.h"

/* All have the same fields up to the queue. */
enum { EVENT_TIME = 2, JOB_ID, USER_ID, OPTIONS, PROCESSORS, SUBMIT, BEGIN,
       TERM, START, USER, QUEUE, RES_REQ, FIXED_COUNT = RES_REQ };

/* Bits of jStatus; others describe the end of the post-exec. */
enum { STATUS_EXIT = 32, STATUS_DONE = 64 };

/* Values of exitInfo; bacct(1) calls them TERM_RUNLIMIT and so on. */
enum { BY_PREEMPTION = 1, BY_RUN_LIMIT = 5, BY_DEADLINE = 6,
       BY_OWNER_AT_ONCE = 8, BY_ADMIN_AT_ONCE = 9, BY_OWNER = 14,
       BY_ADMIN = 15, BY_MEMORY = 16 };

/* With fewer than two polls their maximum is not reliable. */
#define POLLED_SECONDS 60.0

enum { RUSAGE_COUNT = 19, LIST_MAX = 1000000 };

static const char letters_of_kinds[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* The first line of lsb.events is "# POSITION". */
static const char *skip_remarks(const char *head)
{
	head = sw_text_skip_mark(head);
	while (*head == '#') {
		head += strcspn(head, "\n");
		head += *head == '\n';
	}
	return head;
}

bool sw_lsf_is_log(const char *head)
{
	const char *kind = skip_remarks(head);
	size_t letters = *kind == '"' ? strspn(kind + 1, letters_of_kinds) : 0;
	const char *version = kind + 1 + letters;

	return letters > 0 && !strncmp(version, "\" \"", 3) &&
	       version[3] >= '0' && version[3] <= '9';
}

static int add_field(struct sw_lsf_fields *fields, char *text, bool is_quoted)
{
	size_t room = fields->room ? fields->room * 2 : 128;
	void *grown;

	if (fields->count == fields->room) {
		grown = realloc(fields->items, room * sizeof(*fields->items));
		if (!grown)
			return -1;
		fields->items = grown;
		fields->room = room;
	}
	fields->items[fields->count++] =
		(struct sw_lsf_field){ .text = text, .is_quoted = is_quoted };
	return 0;
}

/* Unquote the text behind a quote, in place; NULL if it has no end. */
static char *unquote(char *text)
{
	char *to = text;

	for (; *text; text++) {
		/* A doubled quote stands for one. */
		if (*text == '"' && text[1] != '"') {
			*to = '\0';
			return text + 1;
		}
		text += *text == '"';
		*to++ = *text;
	}
	return NULL;
}

static enum sw_lsf_line split(struct sw_lsf_fields *fields, char *at)
{
	fields->count = 0;
	while (*(at += strspn(at, " \t"))) {
		bool is_quoted = *at == '"';
		char *text = at + is_quoted;

		at = is_quoted ? unquote(text) : text + strcspn(text, " \t");
		if (!at)
			return SW_LSF_CUT;
		if (*at && *at != ' ' && *at != '\t')
			return SW_LSF_BAD;
		if (*at)
			*at++ = '\0';
		if (add_field(fields, text, is_quoted) < 0)
			return SW_LSF_NO_MEMORY;
	}
	return SW_LSF_JOB;
}

/* Iterator over the fields; an error in state persists. */
struct walk {
	const struct sw_lsf_fields *fields;
	size_t at;
	enum sw_lsf_line state;
};

static const struct sw_lsf_field *take(struct walk *walk, bool is_quoted)
{
	static const struct sw_lsf_field none = { .text = NULL };
	const struct sw_lsf_field *field;

	if (walk->state == SW_LSF_JOB && walk->at >= walk->fields->count)
		walk->state = SW_LSF_CUT;
	if (walk->state != SW_LSF_JOB)
		return &none;
	field = &walk->fields->items[walk->at++];
	if (field->is_quoted == is_quoted)
		return field;
	walk->state = SW_LSF_BAD;
	return &none;
}

static char *take_text(struct walk *walk)
{
	return take(walk, true)->text;
}

static double take_number(struct walk *walk)
{
	const char *text = take(walk, false)->text;
	double value;
	char *end;

	if (!text)
		return NAN;
	value = strtod(text, &end);
	if (end == text || *end || !isfinite(value)) {
		walk->state = SW_LSF_BAD;
		return NAN;
	}
	return value;
}

static bool is_at_text(const struct walk *walk, size_t ahead)
{
	return walk->at + ahead < walk->fields->count &&
	       walk->fields->items[walk->at + ahead].is_quoted;
}

/* Skip fields by their kinds, texts or numbers. */
static void pass(struct walk *walk, const char *kinds)
{
	for (; *kinds && walk->state == SW_LSF_JOB; kinds++)
		take(walk, *kinds == 's');
}

static void pass_texts(struct walk *walk)
{
	while (walk->state == SW_LSF_JOB && is_at_text(walk, 0))
		take(walk, true);
}

/* Parse the number of texts that follow. */
static size_t take_count(struct walk *walk)
{
	double count = take_number(walk);

	if (count >= 0 && count <= LIST_MAX)
		return (size_t)count;
	if (walk->state == SW_LSF_JOB)
		walk->state = SW_LSF_BAD;
	return 0;
}

/* Parse a host per slot, or "4*n1" for four slots of one (SHORT_EVENTFILE). */
static void take_hosts(struct walk *walk, struct sw_lsf_job *job)
{
	size_t count = take_count(walk), hosts = 0;
	struct sw_run *run = &job->run;
	const char *last = "", *text, *star;
	double slots = 0, many;

	job->first_host = walk->at;
	job->host_items = count;
	while (count-- > 0 && (text = take_text(walk))) {
		star = strchr(text, '*');
		many = star ? strtod(text, NULL) : 1;
		slots += many >= 1 ? many : 1;
		text = star ? star + 1 : text;
		hosts += strcmp(text, last) != 0;
		last = text;
	}
	if (hosts > 0) {
		run->nodes = (double)hosts;
		run->requested_cores = slots;
	}
}

/* jStatus, hostFactor and a name: there is no list of hosts. */
static bool is_at_status(const struct walk *walk)
{
	return !is_at_text(walk, 0) && !is_at_text(walk, 1) &&
	       is_at_text(walk, 2);
}

static void take_state(struct walk *walk, struct sw_lsf_job *job)
{
	double status = take_number(walk);
	unsigned bits = status >= 0 && status <= 0xfffffff ?
				(unsigned)status : 0;

	if (bits & STATUS_DONE)
		job->state = SW_JOB_COMPLETED;
	else if (bits & STATUS_EXIT)
		job->state = SW_JOB_FAILED;
	else if (walk->state == SW_LSF_JOB)
		walk->state = SW_LSF_BAD;
}

static void take_usage(struct walk *walk, struct sw_run *run)
{
	double user = take_number(walk), system = take_number(walk);
	int i;

	for (i = 2; i < RUSAGE_COUNT; i++)
		take_number(walk);
	if (user >= 0 && system >= 0)
		run->used_core_seconds = user + system;
}

/* Slurm's state for the same end */
static enum sw_job_state state_of_reason(double reason)
{
	switch (reason >= 0 && reason <= BY_MEMORY ? (int)reason : 0) {
	case BY_RUN_LIMIT:
		return SW_JOB_TIMEOUT;
	case BY_MEMORY:
		return SW_JOB_OUT_OF_MEMORY;
	case BY_DEADLINE:
		return SW_JOB_DEADLINE;
	case BY_PREEMPTION:
		return SW_JOB_PREEMPTED;
	case BY_OWNER_AT_ONCE: case BY_ADMIN_AT_ONCE: case BY_OWNER:
	case BY_ADMIN:
		return SW_JOB_CANCELLED;
	default:
		return SW_JOB_FAILED;
	}
}

/*
 * Parse what releases since LSF 7 append: the reason of the end, the run limit,
 * and the request combined with the queue's requirements.  IBM's page of
 * lsb.acct has options3 before the run limit, and five fields per host; files
 * of 9.11, 10.1 and 10.108 have the run limit first, and six fields, the name
 * of which is not quoted.
 */
static void take_more(struct walk walk, struct sw_lsf_job *job)
{
	double reason, limit;
	size_t count;

	pass(&walk, "ssssns");
	reason = take_number(&walk);
	if (walk.state == SW_LSF_JOB && job->state == SW_JOB_FAILED &&
	    reason > 0 && reason < 1000)
		job->state = state_of_reason(reason);
	pass(&walk, "snssssnssnsnss");
	/* Keys and values of any kind. */
	count = take_count(&walk);
	if (walk.state == SW_LSF_JOB)
		walk.at += 2 * count;
	for (count = take_count(&walk); count > 0 && walk.state == SW_LSF_JOB;
	     count--) {
		walk.at++;
		pass(&walk, "nnnnn");
	}
	limit = take_number(&walk);
	/* options3 and the average memory; the end of the line may be
	 * truncated. */
	pass(&walk, "nn");
	job->effective_res_req = take_text(&walk);
	if (walk.state == SW_LSF_JOB && limit > 0)
		job->run.requested_seconds = limit;
}

/* kib: all processes on all hosts, polled. */
static void put_memory(struct sw_run *run, double kib)
{
	run->is_lower_bound = run->state == SW_RUN_OUT_OF_MEMORY ||
			      run->elapsed_seconds < POLLED_SECONDS ||
			      run->nodes > 1;
	/* Without hosts the sum may be over several. */
	if (!(kib > 0) || (isnan(run->nodes) && run->requested_cores > 1))
		return;
	run->need_upper_bytes = kib * SW_KIB;
	run->need_bytes = run->need_upper_bytes /
			  (run->nodes > 1 ? run->nodes : 1);
}

static void take_fixed(struct walk *walk, struct sw_lsf_job *job)
{
	struct sw_run *run = &job->run;

	walk->at = EVENT_TIME;
	run->end_seconds = take_number(walk);
	job->id = take(walk, false)->text;
	job->uid = take_number(walk);
	pass(walk, "n");
	run->requested_cores = take_number(walk);
	job->submit_seconds = take_number(walk);
	pass(walk, "nn");
	run->start_seconds = take_number(walk);
	run->elapsed_seconds = run->end_seconds - run->start_seconds;
	job->user = take_text(walk);
	job->queue = take_text(walk);
	job->res_req = take_text(walk);
}

double sw_lsf_line_time(const char *line)
{
	const char *at = line;
	int quotes;
	double time;
	char *end;

	/* "JOB_FINISH" "10.1" 1795003700 */
	for (quotes = 0; quotes < 4; quotes++) {
		at = strchr(at, '"');
		if (!at)
			return NAN;
		at++;
	}
	time = strtod(at, &end);
	return end != at && *end == ' ' ? time : NAN;
}

enum sw_lsf_line sw_lsf_line_read(struct sw_lsf_job *job, char *line,
				  struct sw_lsf_fields *fields)
{
	struct walk walk = { .fields = fields };
	size_t count;

	if (strncmp(line, "\"JOB_FINISH\" ", 13) != 0)
		return *line == '#' || sw_lsf_is_log(line) ? SW_LSF_OTHER
							    : SW_LSF_BAD;
	walk.state = split(fields, line);
	*job = (struct sw_lsf_job){ .run = sw_run_unknown };
	take_fixed(&walk, job);
	pass_texts(&walk);
	for (count = take_count(&walk); count > 0; count--)
		take_text(&walk);
	if (!is_at_status(&walk))
		take_hosts(&walk, job);
	take_state(&walk, job);
	take_number(&walk);
	job->name = take_text(&walk);
	take_text(&walk);
	take_usage(&walk, &job->run);
	pass(&walk, "s");
	job->project = take_text(&walk);
	job->wait_status = take_number(&walk);
	pass(&walk, "n");
	/* The login shell, and in LSF the time event. */
	pass_texts(&walk);
	job->index = take(&walk, false)->text;
	job->memory_kib = take_number(&walk);
	take_number(&walk);
	if (walk.state != SW_LSF_JOB)
		return walk.state;
	take_more(walk, job);
	job->run.state = sw_run_state_of_job(job->state);
	put_memory(&job->run, job->memory_kib);
	return SW_LSF_JOB;
}

const char *sw_lsf_line_reason(enum sw_lsf_line kind)
{
	return kind == SW_LSF_CUT ? "a line of lsb.acct ends too soon" :
				    "a line of lsb.acct is not of the known "
				    "form";
}

bool sw_lsf_job_id(char *text, size_t size, const struct sw_lsf_job *job)
{
	struct sw_jobid parsed;

	if (!strcmp(job->index, "0"))
		snprintf(text, size, "%.20s", job->id);
	else
		snprintf(text, size, "%.20s_%.20s", job->id, job->index);
	return sw_jobid_parse(text, &parsed) == 0 && !parsed.step[0];
}

void sw_lsf_cut_name(struct sw_lsf_job *job)
{
	char *range = strrchr(job->name, '[');

	if (strcmp(job->index, "0") != 0 && range && range != job->name)
		*range = '\0';
}

void sw_lsf_fields_fini(struct sw_lsf_fields *fields)
{
	free(fields->items);
	memset(fields, 0, sizeof(*fields));
}
