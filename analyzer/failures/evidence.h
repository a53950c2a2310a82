/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of a group as evidence about nodes: cells with request, lineage and
 * stratum, a few thousand for each group at most.
 *
 * Beyond that whole strata are dropped: those are kept whose hash ends in at
 * least as many zeros as the group's level, the smallest with which the rest
 * fits.  Such a sample (distinct sampling, P. Gibbons, VLDB 2001) is the same
 * in any order and for any division of the jobs; since the hash does not
 * contain the outcome, a stratum is kept as a whole, and the test over strata
 * stays exact.
 */
#ifndef SW_ANALYZER_EVIDENCE_H
#define SW_ANALYZER_EVIDENCE_H

#include "analyzer/failures/failure_cell.h"

/* Per group; 300 bytes each.  A few dozen jobs suffice to name a node. */
enum { SW_EVIDENCE_CELLS_MAX = 2048 };

struct sw_evidence {
	struct sw_keyed_entry entry; /* cluster and group */
	struct sw_keyed cells;
	uint64_t level;
	char key[];
};

/* Add a job of one node.  Return 0, or -1 (errno ENOMEM). */
int sw_evidence_add_job(struct sw_keyed *evidence,
			const char *const text[SW_CELL_TEXTS],
			const struct sw_cell_numbers *numbers);

/* Evidence of the group that the cell belongs to, or NULL. */
const struct sw_evidence *sw_evidence_of(const struct sw_keyed *evidence,
					 const struct sw_failure_cell *cell);

/* Add all of other, which is unchanged.  Return 0, or -1 (ENOMEM). */
int sw_evidence_merge(struct sw_keyed *evidence, const struct sw_keyed *other);

/* Return 0, or -1 (ENOMEM). */
int sw_evidence_write(const struct sw_keyed *evidence, struct sw_pack *pack);
/* Add written evidence, which is untrusted.  0, or -1: EINVAL, ENOMEM. */
int sw_evidence_read(struct sw_keyed *evidence, struct sw_unpack *unpack);

void sw_evidence_fini(struct sw_keyed *evidence);

#endif
