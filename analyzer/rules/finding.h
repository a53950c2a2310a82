/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings: what a rule says about a step.  A finding cannot be made without
 * evidence.
 */
#ifndef SW_ANALYZER_FINDING_H
#define SW_ANALYZER_FINDING_H

#include <stddef.h>
#include <stdint.h>

enum sw_severity {
	SW_INFO,		/* good to know */
	SW_WARNING,		/* wastes something, or will fail soon */
	SW_CRITICAL,		/* failed, or the output is in doubt */
};

/* What a finding is of; of the same severity the first kind is told first. */
enum sw_finding_kind {
	SW_FINDING_RESULT = 1,
	SW_FINDING_FAILURE,
	SW_FINDING_STALL,
	SW_FINDING_WASTE,
	SW_FINDING_HINT,
};

/* "result", "failure", "stall", "waste", "hint": what it is called in JSON. */
const char *sw_finding_kind_name(enum sw_finding_kind kind);

/* "results may be wrong", "requested and not used": what it says. */
const char *sw_finding_kind_words(enum sw_finding_kind kind);

/* A counter's value and what it was held against. */
struct sw_evidence {
	const char *counter;	/* "memory.peak"; static or of the profile */
	double value;
	const char *unit;	/* "bytes", "seconds", "cores", "ratio", "count" */
	double threshold;	/* NAN where there is none */
	uint64_t when_usec;	/* CLOCK_BOOTTIME; SW_MISSING: the whole run */
};

enum {
	SW_EVIDENCE_MAX = 6,
	SW_SENTENCE_SIZE = 768,
	SW_REASON_SIZE = 384,
	SW_FINDING_NAME_SIZE = 256,
};

/*
 * How well a finding says why a step failed.  The status of shells and of
 * programs that start others may come from what they started.
 */
enum sw_reason {
	SW_REASON_NONE,
	SW_REASON_SHELL,
	SW_REASON_STARTER,
	SW_REASON_POSSIBLE,	/* scripts get over such failures */
	SW_REASON_LIKELY,
};

struct sw_view;

struct sw_finding {
	const char *id;
	const char *title; /* in place of its rule's; static; NULL */
	const struct sw_view *view;	/* what it was found in */
	size_t other_occurrences;	/* on other steps and nodes */
	enum sw_severity severity;
	enum sw_finding_kind kind;	/* of its rule */
	double confidence;	/* 0 to 1: how far the sources can be trusted */
	char because[160];	/* why: what it rests on, and what that lacks */
	size_t lowered_at;	/* where it says what is lacking; 0: nothing */
	char subject[128];	/* "step run", "program gzip"; hostile text */
	/* number, consequence and what to do; hostile names are in it */
	char sentence[SW_SENTENCE_SIZE];
	/*
	 * In a clause for the first line, and when that was: "bwa was killed
	 * by SIGSEGV".  CLOCK_BOOTTIME in rules, real time from then on.
	 */
	enum sw_reason reason;
	uint64_t reason_usec;
	char reason_words[SW_REASON_SIZE];
	const char *covers;	/* id of one that is the same illness; NULL */
	/*
	 * Where it begins to say what would have fitted this one run, and of
	 * which resource; 0: it does not.  Advice from more runs takes the
	 * place of that.
	 */
	size_t remedy_at;
	unsigned remedy_of;	/* an enum sw_resource */
	struct sw_evidence evidence[SW_EVIDENCE_MAX];
	size_t evidence_count;	/* at least 1 */
	double wasted_core_hours;	/* NAN where it does not apply */
	double wasted_gib_hours;
};

struct sw_findings {
	struct sw_finding *items;
	size_t count, capacity;
};

/*
 * Append a finding with its first evidence; wasted_* are NAN.  Returns it for
 * the rule to fill in (valid until the next append), or NULL (errno ENOMEM;
 * EINVAL without evidence).
 */
struct sw_finding *sw_finding_add(struct sw_findings *findings,
				  const char *id, enum sw_severity severity,
				  double confidence,
				  const struct sw_evidence *evidence);

/* More evidence; silently left out beyond SW_EVIDENCE_MAX. */
void sw_finding_evidence(struct sw_finding *finding,
			 const struct sw_evidence *evidence);

void sw_finding_subject(struct sw_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sw_finding_sentence(struct sw_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Why the step failed, or what went wrong in it, and since when. */
void sw_finding_reason(struct sw_finding *finding, enum sw_reason reason,
		       uint64_t usec, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* What would have fitted, at the end of the sentence. */
void sw_finding_remedy(struct sw_finding *finding, unsigned resource,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a batch system calls a step is a run elsewhere: that word in its texts. */
void sw_finding_say_run(struct sw_finding *finding);
void sw_say_run(char *text);

/* In its place: from how many runs there is advice. */
void sw_finding_point(struct sw_finding *finding, size_t runs);

/*
 * A program's name for a sentence: spaces become "\x20", so that no name can
 * end the sentence and begin one of its own; "the batch script" for Slurm's.
 */
char *sw_finding_name(char *buf, size_t size, const char *program);

/* A path likewise; of a long one the end. */
char *sw_finding_path(char *buf, size_t size, const char *path);

/* What was wasted in core-hours, memory in its share of a node; 0: nothing. */
double sw_finding_waste(const struct sw_finding *finding);

/*
 * Critical first; of these the best reason, and the earliest; then by kind, by
 * waste, by id.
 */
void sw_findings_sort(struct sw_findings *findings);

/* Of those with the same id and subject keep the first, and count. */
void sw_findings_merge(struct sw_findings *findings);
void sw_findings_fini(struct sw_findings *findings);

/* "1.2 core-hours", "25 GiB-seconds" where that is little. */
char *sw_waste_words(char *buf, size_t size, double hours, const char *unit);

#endif
