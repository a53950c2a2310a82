/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe what a step waited for while it stood still. */
#include "analyzer/rules/hang_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/finding.h"
#include "analyzer/rules/hang.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"

/* Number of functions of a stack that are shown. */
enum { SHOWN_MAX = 5, FUNCTION_SIZE = 64 };

enum { NAME_SIZE = 72, PROCESS_SIZE = 112, OBJECT_SIZE = 264 };

/* A wait, with its names escaped for a sentence. */
struct words {
	const struct sw_view_hang *hang, *partner, *victim;
	char program[PROCESS_SIZE], other[PROCESS_SIZE], object[OBJECT_SIZE];
	char call[NAME_SIZE];	/* " (futex)" or "" */
};

static bool is(const char *text, const char *what)
{
	return text && !strcmp(text, what);
}

static void put_process(char *buf, size_t size, const char *program,
			uint64_t pid)
{
	char name[NAME_SIZE];

	sw_finding_name(name, sizeof(name), program ? program : "a program");
	snprintf(buf, size, "%s (process %" PRIu64 ")", name, pid);
}

static bool is_write(const char *call)
{
	return call && (strstr(call, "write") || !strncmp(call, "send", 4));
}

/* Return true if the wait is for another process. */
static bool has_other(const struct words *words)
{
	return words->hang->other && !sw_is_missing(words->hang->other_pid) &&
	       words->hang->other_pid != words->hang->pid;
}

static void say_lock(const struct words *words, char *buf, size_t size)
{
	const struct sw_view_hang *hang = words->hang;
	char holder[PROCESS_SIZE + 32] = "";

	if (!words->object[0] && !sw_is_missing(hang->other_pid))
		snprintf(holder, sizeof(holder),
			 " that its thread %" PRIu64 " holds, or for that "
			 "thread to end", hang->other_pid);
	else if (has_other(words))
		snprintf(holder, sizeof(holder), ", which %s holds",
			 words->other);
	else if (words->object[0] && !sw_is_missing(hang->other_pid) &&
		 hang->other_pid != hang->pid)
		snprintf(holder, sizeof(holder), ", taken by process %"
			 PRIu64 ", which is not of this step, or has ended",
			 hang->other_pid);
	snprintf(buf, size, "%s waited for %s%s%s%s", words->program,
		 words->object[0] ? "the lock of " : "a lock",
		 words->object, words->call, holder);
}

static void say_pipe(const struct words *words, char *buf, size_t size)
{
	bool is_full = is_write(words->hang->call);

	if (words->hang->call && !strncmp(words->hang->call, "open", 4))
		snprintf(buf, size, "%s waited for the other end of %s%s to be "
			 "opened%s", words->program,
			 words->object[0] ? "the named pipe " : "a named pipe",
			 words->object, words->call);
	else if (!has_other(words))
		snprintf(buf, size, "%s waited %s %s%sa pipe whose other end "
			 "no other program of the step %s", words->program,
			 is_full ? "to write to" : "for data from",
			 words->object, words->object[0] ? ", " : "",
			 is_full ? "reads" : "writes to");
	else if (is_full)
		snprintf(buf, size, "%s waited: its pipe was full and %s, at "
			 "the other end, read nothing", words->program,
			 words->other);
	else
		snprintf(buf, size, "%s waited for data from a pipe, and %s, "
			 "at the other end, wrote nothing", words->program,
			 words->other);
}

static void say_socket(const struct words *words, char *buf, size_t size)
{
	const char *call = words->hang->call;
	const char *peer = words->object[0] ? words->object : "a socket";

	if (has_other(words))
		snprintf(buf, size, "%s waited for %s, at the other end of a "
			 "socket%s", words->program, words->other,
			 words->call);
	else if (sw_hang_is_server(words->hang))
		snprintf(buf, size, "%s waited for a connection%s to %s%s",
			 words->program, call && !strncmp(call, "accept", 6) ?
			 "" : ", or a message,", peer, words->call);
	else if (is(call, "connect") || words->hang->is_connecting == 1)
		snprintf(buf, size,
			 "%s tried to connect to %s, which did not "
			 "answer%s",
			 words->program, peer, words->call);
	else if (is_write(call))
		snprintf(buf, size, "%s waited for %s to take data%s",
			 words->program, peer, words->call);
	else
		snprintf(buf, size, "%s waited for a reply from %s%s",
			 words->program, peer, words->call);
}

static void say_file(const struct words *words, char *buf, size_t size)
{
	const struct sw_view_hang *hang = words->hang;
	const char *call = hang->call ? hang->call : "a page fault";

	snprintf(buf, size, "%s waited in %s%s%s%s%s%s", words->program, call,
		 words->object[0] ? " of " : "", words->object,
		 hang->function ? " (" : "", sw_text(hang->function),
		 hang->function ? ")" : "");
}

static void say_stopped(const struct words *words, char *buf, size_t size)
{
	snprintf(buf, size, "%s was stopped by a signal, or suspended",
		 words->program);
}

static void say_terminal(const struct words *words, char *buf, size_t size)
{
	snprintf(buf, size, "%s waited for a terminal%s", words->program,
		 words->call);
}

static void say_events(const struct words *words, char *buf, size_t size)
{
	snprintf(buf, size, "%s waited for one of several events%s",
		 words->program, words->call);
}

static void say_other(const struct words *words, char *buf, size_t size)
{
	snprintf(buf, size, "%s waited in the kernel%s", words->program,
		 words->call);
}

#define LOOK_FOR_DEADLOCK                                                      \
	"If it did not go on by itself, look for a deadlock with a debugger."

static const struct {
	const char *kind;
	void (*say)(const struct words *words, char *buf, size_t size);
	const char *remedy;
} kinds[] = {
	{ "io", say_file,
	  "The file system or its server did not answer; tell your "
	  "administrators which one and when." },
	{ "lock", say_lock,
	  LOOK_FOR_DEADLOCK },
	{ "network", say_socket,
	  "Find out whether that other end is there and answers, and set a "
	  "time limit for its answers." },
	{ "pipe", say_pipe,
	  "Look at the program at the other end." },
	{ "stopped", say_stopped,
	  "Find out who stopped it; scontrol suspend and preemption do." },
	{ "terminal", say_terminal,
	  "A batch job has no keyboard: give the input in a file." },
	{ "poll", say_events,
	  "Find out what is to send them." },
	{ "", say_other, "Find out what it waits for with a debugger." },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void fill(struct words *words, const struct sw_view *view,
		 const struct sw_view_hang *hang)
{
	*words = (struct words){ .hang = hang,
				 .partner = sw_hang_partner(view, hang),
				 .victim = sw_hang_victim(view, hang) };
	put_process(words->program, sizeof(words->program), hang->program,
		    hang->pid);
	if (has_other(words))
		put_process(words->other, sizeof(words->other), hang->other,
			    hang->other_pid);
	if (hang->object && sw_hang_is_server(hang) &&
	    !strncmp(hang->object, "port ", 5))
		snprintf(words->object, sizeof(words->object), "%.32s",
			 hang->object);
	else if (hang->object)
		sw_finding_name(words->object, sizeof(words->object),
				hang->object);
	if (hang->call)
		snprintf(words->call, sizeof(words->call), " (%.64s)",
			 hang->call);
}

/* Unnamed functions of the C library, and the callers of main(). */
static bool is_of_system(const char *function, size_t length)
{
	return !strncmp(function, "libc.so", 7) ||
	       !strncmp(function, "libpthread", 10) ||
	       !strncmp(function, "ld-linux", 8) ||
	       (length == 6 && !strncmp(function, "_start", 6)) ||
	       (length > 2 && !strncmp(function, "__", 2));
}

/* Innermost functions, "pthread_mutex_lock < lock_b < main", or "". */
static void put_functions(char *buf, size_t size,
			  const struct sw_view_hang *hang)
{
	const char *at = sw_text(hang->stack);
	char shown[FUNCTION_SIZE], name[FUNCTION_SIZE * 2];
	unsigned count = 0;
	size_t length;

	buf[0] = '\0';
	while (*at && count < SHOWN_MAX) {
		length = strcspn(at, " ");
		if (!is_of_system(at, length)) {
			snprintf(shown, sizeof(shown), "%.*s", (int)length, at);
			sw_finding_name(name, sizeof(name), shown);
			sw_text_add(buf, size, "%s%s", count++ ? " < " : "",
				    name);
		}
		at += length;
		at += strspn(at, " <");
	}
}

/* Append why functions are missing, if the recorder gave a reason. */
static void add_left_out(const char *why, char *buf, size_t size)
{
	if (is(why, "rights"))
		sw_text_add(buf, size, " Its functions were not read, because "
			    "it does not run with the user's rights alone.");
	else if (is(why, "budget"))
		sw_text_add(buf, size, " Its functions were not read: other "
			    "processes that stood still had used up the CPU "
			    "time for that.");
	else if (is(why, "time"))
		sw_text_add(buf, size, " Its functions could not be read in "
			    "time.");
}

/* Append " Thread 7 was in a < b; thread 8 in c < d.", as far as known. */
static void add_functions(const struct words *words, char *buf, size_t size)
{
	char own[SHOWN_MAX * FUNCTION_SIZE], other[sizeof(own)] = "";

	put_functions(own, sizeof(own), words->hang);
	if (words->partner)
		put_functions(other, sizeof(other), words->partner);
	if (own[0])
		sw_text_add(buf, size, " Thread %" PRIu64 " was in %s",
			    words->hang->tid, own);
	if (other[0])
		sw_text_add(buf, size, "%s %" PRIu64 " %s %s",
			    own[0] ? "; thread" : " Thread",
			    words->partner->tid, own[0] ? "in" : "was in",
			    other);
	if (own[0] || other[0])
		sw_text_add(buf, size, ".");
	else
		add_left_out(words->hang->stack_left_out, buf, size);
}

/* Describe two that wait for each other. */
static void say_partners(const struct words *words, char *buf, size_t size)
{
	const struct sw_view_hang *hang = words->hang, *other = words->partner;
	char partner[PROCESS_SIZE];

	put_process(partner, sizeof(partner), other->program, other->pid);
	if (hang->pid == other->pid)
		snprintf(buf, size, "threads %" PRIu64 " and %" PRIu64
			 " of %s waited for each other%s: a deadlock. Look at "
			 "the order in which they take their locks.",
			 hang->tid, other->tid, words->program, words->call);
	else
		snprintf(buf, size, "%s and %s waited for each other%s. Look "
			 "at which of them is to go on first.",
			 words->program, partner, words->call);
}

/* Another process that waits for it: ", and zcat (process 7) waited for it". */
static void put_victim(const struct words *words, char *buf, size_t size)
{
	const struct sw_view_hang *victim = words->victim;
	char name[PROCESS_SIZE];

	buf[0] = '\0';
	if (!victim || victim->pid == words->hang->pid)
		return;
	put_process(name, sizeof(name), victim->program, victim->pid);
	snprintf(buf, size, ", and %s waited for it", name);
}

/* Return what to look at: for a lock between processes, its holder. */
static const char *remedy_of(const struct words *words, const char *remedy)
{
	bool is_of_file = is(words->hang->kind, "lock") && words->object[0];

	if (is_of_file && has_other(words))
		return "It continues when that process releases the lock: look "
		       "at what that process does.";
	if (is_of_file)
		return "It continues when the lock is released: find out with "
		       "lslocks who holds it, and what that process does.";
	if (sw_hang_is_server(words->hang) && !words->victim)
		return "If no client will come any more, end it when the work is "
		       "done.";
	if (is(words->hang->kind, "pipe") && !has_other(words) &&
	    !(words->hang->call && !strncmp(words->hang->call, "open", 4)))
		return "Nothing will come through it: look for the end of it "
		       "that was never used, or not closed.";
	return remedy;
}

static void say(const struct words *words, char *buf, size_t size)
{
	char what[640], victim[144];
	size_t i;

	if (words->partner) {
		say_partners(words, buf, size);
		return;
	}
	for (i = 0; i < KINDS - 1; i++) {
		if (!strcmp(kinds[i].kind, words->hang->kind))
			break;
	}
	kinds[i].say(words, what, sizeof(what));
	put_victim(words, victim, sizeof(victim));
	snprintf(buf, size, "%s%s. %s", what, victim,
		 remedy_of(words, kinds[i].remedy));
}

char *sw_hang_words(char *buf, size_t size, const struct sw_view *view,
		    const struct sw_view_hang *hang)
{
	struct words words;

	fill(&words, view, hang);
	say(&words, buf, size);
	add_functions(&words, buf, size);
	return buf;
}

char *sw_hang_when_words(char *buf, size_t size, const struct sw_view *view,
			 const struct sw_view_hang *hang)
{
	struct words words;
	char said[512];

	fill(&words, view, hang);
	say(&words, said, sizeof(said));
	snprintf(buf, size, "When it had stood still for %s, %s",
		 sw_duration_text(hang->still_usec).s, said);
	return buf;
}
