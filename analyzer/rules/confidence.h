/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a finding can be trusted, by what it rests on and how whole that is. */
#ifndef SW_ANALYZER_CONFIDENCE_H
#define SW_ANALYZER_CONFIDENCE_H

#include "analyzer/rules/finding.h"
#include "analyzer/view/view.h"

/* What a rule's findings rest on. */
enum sw_basis {
	SW_BASIS_UNSET,		/* no rule's: check_rules refuses it */
	SW_BASIS_SAMPLES,	/* over the run: gaps and few of them matter */
	SW_BASIS_COUNTERS,	/* the kernel's own, which miss nothing */
	SW_BASIS_PROGRAMS,	/* starts and ends, of which some may be missed */
	SW_BASIS_RECORD,	/* how it ended, what was requested, past runs */
};

/* "samples over the run" */
const char *sw_basis_words(enum sw_basis basis);

/* "gaps and few samples lower it"; NULL: nothing does. */
const char *sw_basis_limits(enum sw_basis basis);

/*
 * Lowers the confidence of a finding, which is that in a whole recording, by
 * what this one lacks, and says so in finding->because.
 */
void sw_confidence_lower(struct sw_finding *finding, const struct sw_view *view,
			 enum sw_basis basis);

#endif
