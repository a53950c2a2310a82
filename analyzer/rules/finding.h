/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings: what a rule reports about a step.  A finding cannot be made without
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

/* Kind of a finding; within a severity, findings are sorted in this order. */
enum sw_finding_kind {
	SW_FINDING_RESULT = 1,
	SW_FINDING_FAILURE,
	SW_FINDING_STALL,
	SW_FINDING_WASTE,
	SW_FINDING_HINT,
};

/* Name of the kind in JSON: "result", "failure", "stall", "waste", "hint". */
const char *sw_finding_kind_name(enum sw_finding_kind kind);

/* Words for the kind: "results may be wrong", "requested and not used". */
const char *sw_finding_kind_words(enum sw_finding_kind kind);

/* A counter's value and the threshold it was compared with. */
struct sw_evidence {
	const char *counter;	/* "memory.peak"; static or of the profile */
	double value;
	const char *unit;	/* "bytes", "seconds", "cores", "ratio", "count" */
	double threshold;	/* NAN if there is none */
	uint64_t when_usec;	/* CLOCK_BOOTTIME; SW_MISSING: whole run */
};

enum {
	SW_EVIDENCE_MAX = 6,
	SW_SENTENCE_SIZE = 768,
	SW_REASON_SIZE = 384,
	SW_FINDING_NAME_SIZE = 256,
};

/*
 * Grades of how well a finding explains why a step failed.  Shells and programs
 * that start others may return the status of what they started.
 */
enum sw_reason {
	SW_REASON_NONE,
	SW_REASON_SHELL,
	SW_REASON_STARTER,
	SW_REASON_POSSIBLE,	/* scripts often recover from such failures */
	SW_REASON_LIKELY,
};

struct sw_view;
struct sw_view_past;

struct sw_finding {
	const char *id;
	const char *title; /* replaces the rule's title; static; or NULL */
	const struct sw_view *view;	/* view it was found in */
	size_t other_occurrences;	/* on other steps and nodes */
	enum sw_severity severity;
	enum sw_finding_kind kind;	/* its rule's, unless that sets one */
	double confidence;	/* 0 to 1: how far the sources can be trusted */
	char because[160];	/* reason for the confidence */
	size_t lowered_at;	/* where because lists gaps; 0: nowhere */
	char subject[128];	/* "step run", "program gzip"; untrusted text */
	/* Number, consequence and remedy; contains untrusted names. */
	char sentence[SW_SENTENCE_SIZE];
	/*
	 * Clause for the first line of a report and its time: "bwa was killed
	 * by SIGSEGV".  CLOCK_BOOTTIME in rules, real time afterwards.
	 */
	enum sw_reason reason;
	uint64_t reason_usec;
	char reason_words[SW_REASON_SIZE];
	const char *covers;	/* id of a finding for the same problem; NULL */
	/*
	 * Offset in sentence of the request that would have been enough for
	 * this one run, and its resource; 0 if there is none.  Advice from
	 * several runs replaces it.
	 */
	size_t remedy_at;
	unsigned remedy_of;	/* an enum sw_resource */
	struct sw_evidence evidence[SW_EVIDENCE_MAX];
	size_t evidence_count;	/* at least 1 */
	double wasted_core_hours;	/* NAN if not applicable */
	double wasted_gib_hours;
};

struct sw_findings {
	struct sw_finding *items;
	size_t count, capacity;
};

/*
 * Append a finding with its first evidence; wasted_* are NAN.  Return it for
 * the rule to fill in (valid until the next append), or NULL (errno ENOMEM;
 * EINVAL without evidence).
 */
struct sw_finding *sw_finding_add(struct sw_findings *findings,
				  const char *id, enum sw_severity severity,
				  double confidence,
				  const struct sw_evidence *evidence);

/* Add evidence; silently ignored beyond SW_EVIDENCE_MAX. */
void sw_finding_evidence(struct sw_finding *finding,
			 const struct sw_evidence *evidence);

void sw_finding_subject(struct sw_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sw_finding_sentence(struct sw_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Set why the step failed, or what went wrong in it, and since when. */
void sw_finding_reason(struct sw_finding *finding, enum sw_reason reason,
		       uint64_t usec, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Append the request that would have been enough to the sentence. */
void sw_finding_remedy(struct sw_finding *finding, unsigned resource,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Replace "step" by "run" in texts about a run outside of a batch system. */
void sw_finding_say_run(struct sw_finding *finding);
void sw_say_run(char *text);

/* Replace the remedy by the number of runs from which on there is advice. */
void sw_finding_point(struct sw_finding *finding, size_t runs);

/* As sw_name_words(). */
char *sw_finding_name(char *buf, size_t size, const char *program);

/* Format a path likewise; only the end of a long one. */
char *sw_finding_path(char *buf, size_t size, const char *path);

/* Set the waste to what earlier runs of the job used. */
void sw_finding_waste_past(struct sw_finding *finding,
			   const struct sw_view_past *past);

/* Waste in core-hours, with memory as its share of a node; 0 if none. */
double sw_finding_waste(const struct sw_finding *finding);

/* Sort by severity, then reason (best, then earliest), kind, waste and id. */
void sw_findings_sort(struct sw_findings *findings);

/* Keep the first finding of each id and subject, and count the others. */
void sw_findings_merge(struct sw_findings *findings);
void sw_findings_fini(struct sw_findings *findings);

/* Format as "1.2 core-hours", or "25 GiB-seconds" if small. */
char *sw_waste_words(char *buf, size_t size, double hours, const char *unit);

#endif
