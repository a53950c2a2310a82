/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failures and retries in words and in JSON. */
#include "analyzer/failures/failure_words.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/print/json.h"
#include "common/text.h"
#include "common/units.h"

enum { JOBS_NAMED = 6, MIB_OF_GIB = 1024 };

static const char *const classes[SW_FAILURE_CLASSES] = {
	[SW_FAILURE_EXIT] = "exit",
	[SW_FAILURE_NOT_FOUND] = "program_not_found",
	[SW_FAILURE_NOT_EXECUTABLE] = "program_not_executable",
	[SW_FAILURE_SIGNAL] = "signal",
	[SW_FAILURE_OUT_OF_MEMORY] = "out_of_memory",
	[SW_FAILURE_TIME_LIMIT] = "time_limit",
	[SW_FAILURE_DEADLINE] = "deadline",
	[SW_FAILURE_NODE] = "node_failed",
};

static void add_signal(char *buf, size_t size, uint64_t signal)
{
	const char *name = signal < 65 ? sigabbrev_np((int)signal) : NULL;

	if (name)
		sw_text_add(buf, size, "was killed by SIG%s", name);
	else
		sw_text_add(buf, size, "was killed by signal %llu",
			    (unsigned long long)signal);
}

static void add_exit(char *buf, size_t size, uint64_t exit_code)
{
	if (sw_is_missing(exit_code))
		sw_text_add(buf, size, "failed");
	else
		sw_text_add(buf, size, "ended with exit code %llu",
			    (unsigned long long)exit_code);
}

static void add_end(char *buf, size_t size, const struct sw_failure_row *row)
{
	switch (row->class) {
	case SW_FAILURE_NOT_FOUND:
		sw_text_add(buf, size,
			    "ended with exit code 127 (a program "
			    "was not found)");
		break;
	case SW_FAILURE_NOT_EXECUTABLE:
		sw_text_add(buf, size,
			    "ended with exit code 126 (a program "
			    "could not be executed)");
		break;
	case SW_FAILURE_SIGNAL:
		add_signal(buf, size, row->signal);
		break;
	case SW_FAILURE_OUT_OF_MEMORY:
		sw_text_add(buf, size, "ran out of memory");
		break;
	case SW_FAILURE_TIME_LIMIT:
		sw_text_add(buf, size, "hit the time limit");
		break;
	case SW_FAILURE_DEADLINE:
		sw_text_add(buf, size, "missed the deadline");
		break;
	case SW_FAILURE_NODE:
		sw_text_add(buf, size, "ended when the node failed");
		break;
	default:
		add_exit(buf, size, row->exit_code);
	}
}

char *sw_failure_cause_words(char *buf, size_t size,
			     const struct sw_failure_row *row)
{
	buf[0] = '\0';
	if (*row->program)
		sw_text_add(buf, size, "%s ", row->program);
	add_end(buf, size, row);
	if (*row->message)
		sw_text_add(buf, size, ": %s", row->message);
	return buf;
}

static void add_chance(char *buf, size_t size, double chance)
{
	uint64_t of = chance > 1e-6 ? (uint64_t)(1 / chance) : 1000000;

	sw_text_add(buf, size, "; the chance of that is %s1 in %s",
		    chance > 1e-6 ? "" : "less than ", sw_count_text(of).s);
}

/* Format the counts only: why it is that node is not known. */
static void add_node(char *buf, size_t size, const struct sw_failure_row *row)
{
	const struct sw_failure_node *node = &row->node;

	sw_text_add(buf, size,
		    ", %s node %s%s (%s of %s there, %s of %s "
		    "on other nodes",
		    node->failures == row->count ? "on" : "mostly on",
		    node->name, node->failures == row->count ? " only" : "",
		    sw_count_text(node->failures).s,
		    sw_count_text(node->jobs).s,
		    sw_count_text(node->other_failures).s,
		    sw_count_text(node->other_jobs).s);
	add_chance(buf, size, node->chance);
	sw_text_add(buf, size, ")");
}

char *sw_failure_words(char *buf, size_t size, const struct sw_failure_row *row)
{
	char cause[SW_FAILURE_WORDS_SIZE];

	const char *end = cause, *verb = "";

	sw_failure_cause_words(cause, sizeof(cause), row);
	/* Without a program, the jobs are the subject. */
	if (!*row->program && row->count != 1 && !strncmp(cause, "was ", 4)) {
		verb = "were ";
		end += 4;
	}
	snprintf(buf, size, "%s of %s jobs of %.200s",
		 sw_count_text(row->count).s, sw_count_text(row->group_jobs).s,
		 row->group);
	if (row->user)
		sw_text_add(buf, size, " of %.100s", row->user);
	else
		sw_text_add(buf, size, " of %s users",
			    sw_count_text(row->users).s);
	sw_text_add(buf, size, "%s %s%.300s", *row->program ? ":" : "", verb,
		    end);
	if (row->node.name)
		add_node(buf, size, row);
	sw_text_add(buf, size, ".");
	return buf;
}

static void add_memory(char *buf, size_t size, const struct sw_attempt *attempt)
{
	sw_text_add(buf, size, "%s", sw_size_text(attempt->n.memory_bytes).s);
}

static void add_limit(char *buf, size_t size, const struct sw_attempt *attempt)
{
	uint64_t seconds = attempt->n.limit_seconds;

	if (seconds == SW_ATTEMPT_UNLIMITED)
		sw_text_add(buf, size, "no limit");
	else
		sw_text_add(
			buf, size, "%s",
			sw_duration_text(sw_is_missing(seconds)
						 ? seconds
						 : seconds * SW_USEC_PER_SEC)
				.s);
}

typedef void (*add_f)(char *buf, size_t size, const struct sw_attempt *attempt);
typedef bool (*is_f)(const struct sw_attempt *attempt);

static bool is_oom(const struct sw_attempt *attempt)
{
	return attempt->n.is_out_of_memory != 0;
}

static bool is_timeout(const struct sw_attempt *attempt)
{
	return attempt->n.state == SW_JOB_TIMEOUT;
}

/* Append the value of each: "4.0 GiB, 8.0 GiB". */
static void add_each(char *buf, size_t size, const struct sw_retry_chain *chain,
		     is_f is, add_f add)
{
	const char *before = "";
	size_t i, named = 0;

	for (i = 0; i < chain->count; i++) {
		if (!is(chain->attempts[i]))
			continue;
		if (named++ == JOBS_NAMED) {
			sw_text_add(buf, size, ", ...");
			return;
		}
		sw_text_add(buf, size, "%s", before);
		add(buf, size, chain->attempts[i]);
		before = ", ";
	}
}

/* Append each job once: a requeued one has several attempts. */
static void add_jobs(char *buf, size_t size, const struct sw_retry_chain *chain)
{
	const struct sw_attempt *before = NULL;
	char jobs[SW_FAILURE_WORDS_SIZE] = "";
	size_t i, named = 0;

	for (i = 0; i < chain->count; before = chain->attempts[i++]) {
		if (before &&
		    sw_attempt_is_same_job(before, chain->attempts[i]))
			continue;
		if (named++ == JOBS_NAMED) {
			sw_text_add(jobs, sizeof(jobs), ", ...");
			break;
		}
		sw_text_add(jobs, sizeof(jobs), "%s%llu", named > 1 ? ", " : "",
			    (unsigned long long)chain->attempts[i]->n.job_id);
	}
	sw_text_add(buf, size, " (job%s %s).", named > 1 ? "s" : "", jobs);
}

/* Append the repeated end. */
static void add_repeated(char *buf, size_t size,
			 const struct sw_retry_chain *chain)
{
	const struct sw_attempt *attempt = chain->attempts[0];
	struct sw_failure_row row = { .program = attempt->step };

	if (attempt->n.is_out_of_memory)
		row.class = SW_FAILURE_OUT_OF_MEMORY;
	else if (attempt->n.signal && !sw_is_missing(attempt->n.signal))
		row.class = SW_FAILURE_SIGNAL;
	row.exit_code = attempt->n.exit_code;
	row.signal = attempt->n.signal;
	sw_text_add(buf, size, " ");
	add_end(buf, size, &row);
	sw_text_add(buf, size, ", and %zu more time%s with the same request",
		    chain->repeated, chain->repeated == 1 ? "" : "s");
}

static void add_what(char *buf, size_t size, const struct sw_retry_chain *chain)
{
	const char *before = "";

	if (chain->more_memory) {
		sw_text_add(buf, size, " ran out of memory with ");
		add_each(buf, size, chain, is_oom, add_memory);
		before = ",";
	} else if (chain->repeated) {
		add_repeated(buf, size, chain);
		before = ",";
	}
	if (chain->more_time) {
		sw_text_add(buf, size, "%s hit its time limit with ", before);
		add_each(buf, size, chain, is_timeout, add_limit);
		before = ",";
	}
	if (chain->requeued)
		sw_text_add(buf, size, "%s was requeued %zu time%s", before,
			    chain->requeued, chain->requeued == 1 ? "" : "s");
}

static void add_outcome(char *buf, size_t size,
			const struct sw_retry_chain *chain)
{
	static const char *const words[] = {
		[SW_RETRY_COMPLETED] = "completed",
		[SW_RETRY_CANCELLED] = "was cancelled",
		[SW_RETRY_GIVEN_UP] = "was not tried again",
		[SW_RETRY_FAILING] = "has not completed yet",
		[SW_RETRY_UNKNOWN] = "went on in several jobs at once",
	};
	const struct sw_attempt *last = chain->attempts[chain->count - 1];

	sw_text_add(buf, size, ", and %s", words[chain->outcome]);
	if (!sw_is_missing(chain->enough_memory_bytes)) {
		sw_text_add(buf, size, " with ");
		add_memory(buf, size, last);
	} else if (!sw_is_missing(chain->enough_limit_seconds)) {
		sw_text_add(buf, size, " with ");
		add_limit(buf, size, last);
	}
}

static void add_hours(char *buf, size_t size, double seconds, const char *unit)
{
	if (seconds < 360)
		sw_text_add(buf, size, "%.0f %s-seconds", seconds, unit);
	else
		sw_text_add(buf, size, "%.3g %s-hours", seconds / 3600, unit);
}

static void add_cost(char *buf, size_t size, const struct sw_retry_cost *cost)
{
	const char *before = "";

	if (!sw_is_missing(cost->core_seconds)) {
		add_hours(buf, size, (double)cost->core_seconds, "core");
		before = " and ";
	}
	if (!sw_is_missing(cost->mib_seconds)) {
		sw_text_add(buf, size, "%s", before);
		add_hours(buf, size, (double)cost->mib_seconds / MIB_OF_GIB,
			  "GiB");
	}
}

static bool has_cost(const struct sw_retry_cost *cost)
{
	return !sw_is_missing(cost->core_seconds) ||
	       !sw_is_missing(cost->mib_seconds);
}

char *sw_retry_words(char *buf, size_t size, const struct sw_retry_chain *chain)
{
	const struct sw_lineage_names *names = &chain->names;

	snprintf(buf, size, "%.100s%s%s of %.60s", names->name,
		 *names->element ? ", element " : "", names->element,
		 names->user);
	add_what(buf, size, chain);
	add_outcome(buf, size, chain);
	add_jobs(buf, size, chain);
	if (has_cost(&chain->lost)) {
		sw_text_add(buf, size, " The runs that did not complete had ");
		add_cost(buf, size, &chain->lost);
		sw_text_add(buf, size, ".");
	}
	return buf;
}

static void json_cost(struct json_object *object, uint64_t core_seconds,
		      uint64_t mib_seconds)
{
	sw_json_number(object, "core_seconds", core_seconds);
	sw_json_number(object, "gib_seconds",
		       sw_is_missing(mib_seconds) ? SW_MISSING
						  : mib_seconds / MIB_OF_GIB);
}

static void json_node(struct json_object *object,
		      const struct sw_failure_node *node)
{
	sw_json_text(object, "name", node->name);
	sw_json_number(object, "failures", node->failures);
	sw_json_number(object, "jobs", node->jobs);
	sw_json_number(object, "other_failures", node->other_failures);
	sw_json_number(object, "other_jobs", node->other_jobs);
	sw_json_double(object, "chance", node->chance);
}

static const char *or_absent(const char *text)
{
	return *text ? text : NULL;
}

void sw_failure_json(struct json_object *object,
		     const struct sw_failure_row *row)
{
	sw_json_text(object, "cluster", or_absent(row->cluster));
	sw_json_text(object, "group", row->group);
	sw_json_text(object, "user", row->user);
	sw_json_number(object, "users", row->users);
	sw_json_text(object, "program", or_absent(row->program));
	sw_json_text(object, "message", or_absent(row->message));
	sw_json_text(object, "cause", classes[row->class]);
	if (row->class == SW_FAILURE_EXIT)
		sw_json_number(object, "exit_code", row->exit_code);
	if (row->class == SW_FAILURE_SIGNAL)
		sw_json_number(object, "signal", row->signal);
	sw_json_number(object, "jobs", row->count);
	sw_json_number(object, "of_jobs", row->group_jobs);
	json_cost(object, row->core_seconds, row->mib_seconds);
	sw_json_number(object, "example_job_id", row->example_job_id);
	sw_json_number(object, "first_end", row->first_end_seconds);
	sw_json_number(object, "last_end", row->last_end_seconds);
	if (row->node.name)
		json_node(sw_json_object(object, "node"), &row->node);
}

static void json_attempt(struct json_object *object,
			 const struct sw_attempt *attempt)
{
	uint64_t limit = attempt->n.limit_seconds;

	sw_json_number(object, "job_id", attempt->n.job_id);
	sw_json_number(object, "start", attempt->n.start_seconds);
	sw_json_number(object, "end", attempt->n.end_seconds);
	sw_json_text(object, "state",
		     sw_job_state_name((enum sw_job_state)attempt->n.state));
	sw_json_number(object, "exit_code", attempt->n.exit_code);
	sw_json_number(object, "signal", attempt->n.signal);
	sw_json_number(object, "memory_bytes", attempt->n.memory_bytes);
	if (limit != SW_ATTEMPT_UNLIMITED)
		sw_json_number(object, "limit_seconds", limit);
}

static void json_names(struct json_object *object,
		       const struct sw_lineage_names *names)
{
	sw_json_text(object, "cluster", or_absent(names->cluster));
	sw_json_text(object, "user", names->user);
	sw_json_text(object, "name", names->name);
	sw_json_text(object, "folder", or_absent(names->folder));
	sw_json_text(object, "comment", or_absent(names->comment));
	sw_json_text(object, "element", or_absent(names->element));
}

void sw_retry_json(struct json_object *object,
		   const struct sw_retry_chain *chain)
{
	static const char *const outcomes[] = {
		[SW_RETRY_COMPLETED] = "completed",
		[SW_RETRY_CANCELLED] = "cancelled",
		[SW_RETRY_GIVEN_UP] = "given_up",
		[SW_RETRY_FAILING] = "failing",
		[SW_RETRY_UNKNOWN] = "unknown",
	};
	struct json_object *attempts;
	size_t i;

	json_names(object, &chain->names);
	sw_json_text(object, "outcome", outcomes[chain->outcome]);
	sw_json_number(object, "requeued", chain->requeued);
	sw_json_number(object, "more_memory", chain->more_memory);
	sw_json_number(object, "more_time", chain->more_time);
	sw_json_number(object, "repeated", chain->repeated);
	json_cost(sw_json_object(object, "lost"), chain->lost.core_seconds,
		  chain->lost.mib_seconds);
	if (has_cost(&chain->repeats))
		json_cost(sw_json_object(object, "repeats"),
			  chain->repeats.core_seconds,
			  chain->repeats.mib_seconds);
	sw_json_number(object, "enough_memory_bytes",
		       chain->enough_memory_bytes);
	sw_json_number(object, "enough_limit_seconds",
		       chain->enough_limit_seconds);
	attempts = sw_json_array(object, "attempts");
	for (i = 0; i < chain->count; i++)
		json_attempt(sw_json_item(attempts), chain->attempts[i]);
}
