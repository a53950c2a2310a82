/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a group that nodes are judged by: cells with request, lineage
 * and stratum, some thousand of each group at most.
 *
 * Where there would be more, whole strata are left out: those are kept whose
 * hash ends in at least so many zeros as the group's level, which is the
 * smallest with which the rest has room.  Such a sample (distinct sampling,
 * P. Gibbons, VLDB 2001) is the same in whatever order the jobs came and
 * however they were divided; and as nothing of the outcome is in the hash, what
 * is kept of a stratum is all of it, and the test over strata stays exact.
 */
#ifndef SW_ANALYZER_EVIDENCE_H
#define SW_ANALYZER_EVIDENCE_H

#include "analyzer/failures/failure_cell.h"

/* Of each group; 300 bytes each.  A node is named by a few dozen jobs. */
enum { SW_EVIDENCE_CELLS_MAX = 2048 };

struct sw_evidence {
	struct sw_keyed_entry entry; /* the cluster and the group */
	struct sw_keyed cells;
	uint64_t level;
	char key[];
};

/* A job of one node.  0, or -1 (errno ENOMEM). */
int sw_evidence_add_job(struct sw_keyed *evidence,
			const char *const text[SW_CELL_TEXTS],
			const struct sw_cell_numbers *numbers);

/* Of the group that this is a cell of; NULL: there is none. */
const struct sw_evidence *sw_evidence_of(const struct sw_keyed *evidence,
					 const struct sw_failure_cell *cell);

/* Adds all of other, which is as it was.  0, or -1 (ENOMEM). */
int sw_evidence_merge(struct sw_keyed *evidence, const struct sw_keyed *other);

/* 0, or -1 (ENOMEM). */
int sw_evidence_write(const struct sw_keyed *evidence, struct sw_pack *pack);
/* Adds what was written, which is not trusted; -1: EINVAL, ENOMEM. */
int sw_evidence_read(struct sw_keyed *evidence, struct sw_unpack *unpack);

void sw_evidence_fini(struct sw_keyed *evidence);

#endif
