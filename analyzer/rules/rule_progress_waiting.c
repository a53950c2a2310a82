/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.waiting: idle for most of the time, and not waiting for I/O. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/hang.h"
#include "analyzer/rules/hang_words.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

static const char *const causes[] = { "progress.frozen", "cpu.idle_start",
				      "cpu.idle_middle", "cpu.idle_tail",
				      NULL };

/* Kinds of waits: meaning and remedy. */
static const struct {
	enum sw_limit limit;
	bool is_deliberate;	/* nobody sleeps by mistake */
	const char *remedy;
} kinds[] = {
	{ SW_LIMIT_LOCK, false,
	  "If it did not end by itself, look for a deadlock; otherwise for "
	  "work that is done under one lock." },
	{ SW_LIMIT_SOCKET, false,
	  "The other end decides how fast this goes: check whether that "
	  "server or task is busy, far away or has exited." },
	{ SW_LIMIT_PIPE, false,
	  "What writes to the pipe, or reads from it, is not part of this "
	  "step, or waits as well." },
	{ SW_LIMIT_SLEEP, true,
	  "Waiting costs as much as computing: start the job when what it "
	  "waits for is there (sbatch --dependency or --begin)." },
	{ SW_LIMIT_SIGNAL, true,
	  "A signal comes from another program, most often when a child ends: "
	  "find out what should send it." },
	{ SW_LIMIT_POLL, false,
	  "The events may come from a peer, a pipe or a timer of its own: find "
	  "out what should send them." },
	{ SW_LIMIT_TERMINAL, true,
	  "A batch job has no keyboard: give the input in a file." },
	{ SW_LIMIT_STOPPED, false,
	  "Find out who stopped it (kill -STOP, a read from a terminal in the "
	  "background); scontrol suspend and preemption do so, too." },
};

/* Return NULL if no remedy is known. */
static const char *remedy_of(enum sw_limit limit, bool *is_deliberate)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].limit == limit) {
			*is_deliberate = kinds[i].is_deliberate;
			return kinds[i].remedy;
		}
	}
	return NULL;
}

/* Return the wait found in samples of hangs; NULL if it adds nothing. */
static const struct sw_view_hang *find_hang(const struct sw_view *view)
{
	const struct sw_view_hang *hang = sw_hang_open(view, view->start_usec,
						       view->end_usec);

	return hang && (sw_hang_is_named(view, hang) ||
			!strcmp(hang->kind, "lock"))
		       ? hang
		       : NULL;
}

static const char PACED[] =
	"A program that paces itself, tries again after a pause, or has no "
	"requests to serve waits like that. If it is not meant to, find out "
	"what should send the events.";

/*
 * Return true if polling may be normal: the program wakes up by itself, waits
 * for clients, or a thread beside it sleeps and may set the pace.
 */
static bool is_paced(const struct sw_view *view, enum sw_limit limit)
{
	const struct sw_view_hang *hang = sw_hang_find(view, view->start_usec,
						       view->end_usec);
	const struct sw_view_limits *limits = &view->limits;
	uint64_t slept = limits->stood_usec[SW_LIMIT_SLEEP];

	if (limit != SW_LIMIT_POLL && limit != SW_LIMIT_SOCKET)
		return false;
	if (hang && sw_hang_is_named(view, hang))
		return false;
	if (hang && (sw_hang_is_sleep(hang) || sw_hang_is_idle(view, hang)))
		return true;
	return limit == SW_LIMIT_POLL && !sw_is_missing(slept) &&
	       (double)slept >= SW_MAINLY * (double)limits->usec[limit];
}

/*
 * Return the wait for a pipe from the last sample; in a chain, the one that
 * waits for a program that does not wait itself.
 */
static const struct sw_view_pipe *find_pipe(const struct sw_view *view)
{
	const struct sw_view_pipe *found = NULL;
	size_t i, j;

	for (i = 0; i < view->pipe_count; i++) {
		const struct sw_view_pipe *pipe = &view->pipes[i];
		bool is_waited = false;

		for (j = 0; j < view->pipe_count; j++)
			is_waited |= view->pipes[j].time_usec ==
					     pipe->time_usec &&
				     view->pipes[j].pid == pipe->other_pid;
		if (!is_waited && pipe->others == 1 && pipe->program &&
		    pipe->other)
			found = pipe;
	}
	return found;
}

/* "bwa (process 7) waited for curl (process 6), which was to write ..." */
static const char *pipe_words(char *buf, size_t size,
			      const struct sw_view_pipe *pipe)
{
	char waiter[SW_FINDING_NAME_SIZE], other[SW_FINDING_NAME_SIZE];

	sw_finding_name(waiter, sizeof(waiter), pipe->program);
	sw_finding_name(other, sizeof(other), pipe->other);
	snprintf(buf, size, "%.72s (process %llu) waited for %.72s (process "
		 "%llu), which %s: find out what that program waits for, or "
		 "why it is slow.", waiter, (unsigned long long)pipe->pid, other,
		 (unsigned long long)pipe->other_pid,
		 pipe->is_writing == 1 ? "was to read from its pipe" :
					 "was to write to its pipe");
	return buf;
}

/* Return what to do, or to look at. */
static const char *advise(char *buf, size_t size, const struct sw_view *view,
			  enum sw_limit limit, const char *remedy)
{
	const struct sw_view_hang *hang = find_hang(view);
	const struct sw_view_pipe *pipe = find_pipe(view);

	if (hang)
		return sw_hang_when_words(buf, size, view, hang);
	if (limit == SW_LIMIT_PIPE && pipe)
		return pipe_words(buf, size, pipe);
	return remedy;
}

/* The network may be the reason even if the polled object is unknown. */
static const char *network_words(char *buf, size_t size,
				 const struct sw_view *view,
				 enum sw_limit limit)
{
	const struct sw_view_network *network = &view->network;
	uint64_t received = sw_zero_if_missing(network->received_bytes) +
		sw_zero_if_missing(network->loopback_received_bytes);
	uint64_t sent = sw_zero_if_missing(network->sent_bytes) +
			sw_zero_if_missing(network->loopback_sent_bytes);

	buf[0] = '\0';
	if (limit == SW_LIMIT_POLL && received + sent >= SW_MESSAGES_BYTES)
		snprintf(buf, size, " It received %s and sent %s over the "
			 "network: a peer, or the network, may decide how fast "
			 "this goes.", sw_size_text(received).s,
			 sw_size_text(sent).s);
	return buf;
}

/* ": it waited for a lock, not for I/O" */
static const char *clause_of(char *buf, size_t size,
			     const struct sw_view *view, enum sw_limit limit)
{
	char words[160];

	if (limit == SW_LIMIT_STOPPED)
		snprintf(buf, size, ": %s",
			 sw_wait_clause(words, sizeof(words), NULL, limit));
	else
		snprintf(buf, size, ": it waited for %s, not for I/O",
			 sw_waits_words(words, sizeof(words), &view->limits,
					limit));
	return buf;
}

static void say(struct sw_finding *finding, const struct sw_view *view,
		const struct sw_bottleneck *bottleneck, bool is_deliberate,
		const char *remedy)
{
	enum sw_limit limit = bottleneck->limit;
	char waited_for[224], advice[512], network[192];
	const char *clause = clause_of(waited_for, sizeof(waited_for), view,
				       limit);
	const char *said = remedy;

	if (!is_deliberate)
		said = advise(advice, sizeof(advice), view, limit, remedy);
	sw_finding_sentence(finding,
		"Idle for %.0f %% of the time%s. More CPUs or memory would not "
		"make it faster. %s%s%s",
		bottleneck->share * 100, clause, said,
		said == remedy && remedy != PACED ?
			network_words(network, sizeof(network), view, limit) :
			"",
		is_deliberate && limit != SW_LIMIT_LOCK &&
				strstr(clause, "lock") ?
			" If that is not intended, look for a deadlock." : "");
}

static int tell(const struct sw_view *view,
		const struct sw_bottleneck *bottleneck, double threshold,
		struct sw_findings *findings)
{
	bool is_deliberate = false;
	const char *remedy = remedy_of(bottleneck->limit, &is_deliberate);
	double share = sw_limit_ratio(&view->limits, bottleneck->limit);
	struct sw_evidence waited = { "time in which nothing ran / elapsed",
				      bottleneck->share, "ratio", threshold,
				      SW_MISSING };
	struct sw_finding *finding;

	if (!remedy)
		return 0;
	if (is_paced(view, bottleneck->limit)) {
		is_deliberate = true;
		remedy = PACED;
	}
	finding = sw_finding_add(findings, "progress.waiting",
				 is_deliberate ? SW_INFO : SW_WARNING,
				 SW_PROBABLE, &waited);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		sw_limit_name(bottleneck->limit), share, "ratio", NAN,
		SW_MISSING });
	sw_finding_subject(finding, "step");
	if (view->cpu.is_requested)
		finding->wasted_core_hours =
			view->cpu.allocated_cores * bottleneck->share *
			(double)view->elapsed_usec / SW_USEC_PER_SEC / 3600;
	say(finding, view, bottleneck, is_deliberate, remedy);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct sw_bottleneck bottleneck;
	struct sw_loss loss;

	if (sw_is_missing(view->elapsed_usec) ||
	    !sw_bottleneck_find(&bottleneck, &view->limits) ||
	    (bottleneck.resource != SW_LIMITED_BY_WAITING &&
	     bottleneck.resource != SW_LIMITED_BY_LOCK) ||
	    bottleneck.limit == SW_LIMIT_TURNS)
		return 0;
	loss = sw_loss_by_resource(view, bottleneck.resource, SW_PROBABLE);
	if (!sw_is_worth_telling(view, &loss, setting))
		return 0;
	return tell(view, &bottleneck, sw_worth_ratio(&loss, setting),
		    findings);
}

const struct sw_rule sw_rule_progress_waiting = {
	.id = "progress.waiting",
	.title = "Waiting most of the time",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"For most of its time no thread of the step ran: its threads waited "
	"for each other, for another program, or for a time. It held its CPUs "
	"and memory meanwhile.",
	.what_to_do =
	"Find out what it waits for. A job that waits for another job, or for "
	"a file to appear, can be submitted with a dependency instead.",
	.computed =
	"From samples of what each thread waits for (system call and kernel "
	"function) and from CPU time, which bounds what samples may miss. A "
	"moment counts as waiting when no thread of the step ran or could have "
	"run; among several waits the one counts that causes the others: I/O, "
	"a network peer, a timer, then a lock, a pipe, a signal, a child. "
	"Reported when that limited the step most, and reaches min_lost_ratio "
	"and min_lost_seconds. Waiting for I/O is io.stalled; one long "
	"standstill is progress.frozen, which then takes the place of this. "
	"The finding names the waiting process and what it waited for if the "
	"recorder sampled that, which it does after 10 s without CPU time. "
	"Sleeping, and waiting for a terminal, are informational, since they "
	"may be intended; so is polling where a thread slept for four fifths "
	"of that time, where each wait for events ended by its timeout, or "
	"where the wait was for a connection, unless the peer is known.",
	.needs = { { "series.waits", "idle_usec" } },
	.settings = { SW_WORTH_SETTINGS },
	.yields_to = causes,
	.eval = eval,
};
