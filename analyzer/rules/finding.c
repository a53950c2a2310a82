/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings: what a rule reports about a step. */
#include "analyzer/rules/finding.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_past.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"

static const struct {
	const char *name, *words;
} kinds[] = {
	[SW_FINDING_RESULT] = { "result", "results may be wrong" },
	[SW_FINDING_FAILURE] = { "failure", "the step did not do its work, or "
					 "soon will not" },
	[SW_FINDING_STALL] = { "stall", "it stood still, or was held back" },
	[SW_FINDING_WASTE] = { "waste", "requested and not used" },
	[SW_FINDING_HINT] = { "hint", "may make it faster" },
};

const char *sw_finding_kind_name(enum sw_finding_kind kind)
{
	return kinds[kind].name;
}

const char *sw_finding_kind_words(enum sw_finding_kind kind)
{
	return kinds[kind].words;
}

static int grow(struct sw_findings *findings)
{
	size_t capacity = findings->capacity ? findings->capacity * 2 : 16;
	struct sw_finding *items;

	items = realloc(findings->items, capacity * sizeof(*items));
	if (!items)
		return -1;
	findings->items = items;
	findings->capacity = capacity;
	return 0;
}

struct sw_finding *sw_finding_add(struct sw_findings *findings,
				  const char *id, enum sw_severity severity,
				  double confidence,
				  const struct sw_evidence *evidence)
{
	struct sw_finding *finding;

	if (!evidence || !evidence->counter) {
		errno = EINVAL;
		return NULL;
	}
	if (findings->count == findings->capacity && grow(findings) < 0)
		return NULL;
	finding = &findings->items[findings->count++];
	memset(finding, 0, sizeof(*finding));
	finding->id = id;
	finding->severity = severity;
	finding->confidence = confidence;
	finding->reason_usec = SW_MISSING;
	finding->wasted_core_hours = NAN;
	finding->wasted_gib_hours = NAN;
	sw_finding_evidence(finding, evidence);
	return finding;
}

void sw_finding_evidence(struct sw_finding *finding,
			 const struct sw_evidence *evidence)
{
	if (finding->evidence_count < SW_EVIDENCE_MAX)
		finding->evidence[finding->evidence_count++] = *evidence;
}

void sw_finding_subject(struct sw_finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->subject, sizeof(finding->subject), format, args);
	va_end(args);
}

void sw_finding_sentence(struct sw_finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->sentence, sizeof(finding->sentence), format, args);
	va_end(args);
}

void sw_finding_reason(struct sw_finding *finding, enum sw_reason reason,
		       uint64_t usec, const char *format, ...)
{
	va_list args;

	finding->reason = reason;
	finding->reason_usec = usec;
	va_start(args, format);
	vsnprintf(finding->reason_words, sizeof(finding->reason_words), format,
		  args);
	va_end(args);
}

void sw_finding_remedy(struct sw_finding *finding, unsigned resource,
		       const char *format, ...)
{
	size_t used = strlen(finding->sentence);
	va_list args;

	finding->remedy_at = used;
	finding->remedy_of = resource;
	va_start(args, format);
	vsnprintf(finding->sentence + used, sizeof(finding->sentence) - used,
		  format, args);
	va_end(args);
}

/* No name is matched: names never contain a blank, see sw_finding_name(). */
static void say_run(char *text, size_t *at)
{
	static const char *const words[] = { "the step", "The step",
					     "this step", "whole step" };
	static const char step[] = "step", run[] = "run";
	size_t i, shorter = strlen(step) - strlen(run);
	char *found, *end;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		for (found = text; (found = strstr(found, words[i]));) {
			end = found + strlen(words[i]);
			found = end - strlen(step);
			if (isalnum((unsigned char)*end))
				continue;
			if (*at >= (size_t)(end - text))
				*at -= shorter;
			memcpy(found, run, strlen(run));
			memmove(found + strlen(run), end, strlen(end) + 1);
		}
	}
}

void sw_finding_say_run(struct sw_finding *finding)
{
	say_run(finding->sentence, &finding->remedy_at);
	sw_say_run(finding->reason_words);
}

void sw_say_run(char *text)
{
	size_t no_remedy = 0;

	say_run(text, &no_remedy);
}

void sw_finding_point(struct sw_finding *finding, size_t runs)
{
	size_t at = finding->remedy_at;

	snprintf(finding->sentence + at, sizeof(finding->sentence) - at,
		 "; the advice for next time is from %zu run%s.",
		 runs, runs == 1 ? "" : "s");
	finding->remedy_at = 0;
}

char *sw_finding_name(char *buf, size_t size, const char *program)
{
	return sw_name_words(buf, size, program);
}

char *sw_finding_path(char *buf, size_t size, const char *path)
{
	enum { SHOWN_SIZE = 160 };
	size_t length = strlen(path);
	char shown[SHOWN_SIZE + 4];

	if (length <= SHOWN_SIZE)
		return sw_finding_name(buf, size, path);
	snprintf(shown, sizeof(shown), "...%s", path + length - SHOWN_SIZE);
	return sw_finding_name(buf, size, shown);
}

void sw_finding_waste_past(struct sw_finding *finding,
			   const struct sw_view_past *past)
{
	finding->wasted_core_hours = sw_real_u64(past->core_seconds) / 3600;
	finding->wasted_gib_hours =
		sw_real_u64(past->mib_seconds) / (SW_GIB / SW_MIB) / 3600;
}

double sw_finding_waste(const struct sw_finding *finding)
{
	double cores = finding->wasted_core_hours;
	double gib = finding->wasted_gib_hours;

	/* 4 GiB a core is the usual ratio of a node. */
	return (isnan(cores) ? 0 : cores) + (isnan(gib) ? 0 : gib / 4);
}

/* Best reason first; if equal the earliest, since others may follow from it. */
static int compare_reasons(const struct sw_finding *one,
			   const struct sw_finding *two)
{
	if (one->reason != two->reason)
		return one->reason < two->reason ? 1 : -1;
	if (one->reason == SW_REASON_NONE ||
	    one->reason_usec == two->reason_usec)
		return 0;
	return one->reason_usec < two->reason_usec ? -1 : 1;
}

static int compare(const void *a, const void *b)
{
	const struct sw_finding *one = a, *two = b;
	double difference = sw_finding_waste(two) - sw_finding_waste(one);

	if (one->severity != two->severity)
		return one->severity < two->severity ? 1 : -1;
	if (compare_reasons(one, two))
		return compare_reasons(one, two);
	if (one->kind != two->kind)
		return one->kind < two->kind ? -1 : 1;
	if (difference < 0 || difference > 0)
		return difference < 0 ? -1 : 1;
	if (strcmp(one->id, two->id))
		return strcmp(one->id, two->id);
	return strcmp(one->subject, two->subject);
}

void sw_findings_sort(struct sw_findings *findings)
{
	if (findings->count)
		qsort(findings->items, findings->count,
		      sizeof(*findings->items), compare);
}

void sw_findings_merge(struct sw_findings *findings)
{
	struct sw_finding *items = findings->items;
	size_t i, j, kept = 0;

	for (i = 0; i < findings->count; i++) {
		for (j = 0; j < kept; j++) {
			if (!strcmp(items[j].id, items[i].id) &&
			    !strcmp(items[j].subject, items[i].subject))
				break;
		}
		if (j < kept)
			items[j].other_occurrences++;
		else if (kept++ != i)
			items[kept - 1] = items[i];
	}
	findings->count = kept;
}

void sw_findings_fini(struct sw_findings *findings)
{
	free(findings->items);
	memset(findings, 0, sizeof(*findings));
}

char *sw_waste_words(char *buf, size_t size, double hours, const char *unit)
{
	if (hours < 0.1)
		snprintf(buf, size, "%.0f %s-seconds", hours * 3600, unit);
	else
		snprintf(buf, size, "%.3g %s-hours", hours, unit);
	return buf;
}
