/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence of a finding, by the kind and the completeness of its sources. */
#ifndef SW_ANALYZER_CONFIDENCE_H
#define SW_ANALYZER_CONFIDENCE_H

#include "analyzer/rules/finding.h"
#include "analyzer/view/view.h"

/*
 * Confidence of a finding that follows from samples of a complete recording,
 * unless its rule has a reason for another.  Chosen by hand.
 */
#define SW_PROBABLE 0.8

/* Factor on the confidence for each thing that lowers it.  Chosen by hand. */
#define SW_LESS_SURE 0.8

/* Sources of a rule's findings. */
enum sw_basis {
	SW_BASIS_UNSET,		/* no rule's: check_rules refuses it */
	SW_BASIS_SAMPLES,	/* over the run: gaps and few of them matter */
	SW_BASIS_COUNTERS,	/* the kernel's own, which miss nothing */
	SW_BASIS_PROGRAMS,	/* starts and ends, of which some may be missed */
	SW_BASIS_RECORD,	/* how it ended, what was requested, past runs */
};

/* "samples over the run" */
const char *sw_basis_words(enum sw_basis basis);

/* "gaps and few samples lower it"; NULL if nothing does */
const char *sw_basis_limits(enum sw_basis basis);

/*
 * Lower a finding's confidence, given for a complete recording, by the data
 * that this recording lacks, and say so in finding->because.
 */
void sw_confidence_lower(struct sw_finding *finding, const struct sw_view *view,
			 enum sw_basis basis);

#endif
