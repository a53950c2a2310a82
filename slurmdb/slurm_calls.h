/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libslurm, including functions that it exports under these names but omits
 * from its headers.
 */
#ifndef SW_SLURMDB_SLURM_CALLS_H
#define SW_SLURMDB_SLURM_CALLS_H

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

/* Return true if the headers are of this release or later. */
#define SW_SLURM_SINCE(year, month)                                            \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(year, month, 0))

enum {
	SW_TRES_CPU = 1, SW_TRES_MEM = 2, SW_TRES_ENERGY = 3, SW_TRES_NODE = 4,
	/* sizes in bytes, CPU as a time */
	SW_TRES_BYTES = SW_SLURM_SINCE(25, 11) ? 0x2000 : 0x800,
	SW_CONVERT_EXACT_NO = 0x3,	/* as sacct --noconvert */
};

/* The result is allocated; NULL if the list is empty. */
char *slurmdb_make_tres_string_from_simple(char *simple, void *tres_list,
					   int unit, uint32_t convert_flags,
					   uint32_t tres_flags, char *nodes);

/* Return INFINITE64 if it is not in the list. */
uint64_t slurmdb_find_tres_count_in_string(char *simple, int id);

/* Return "12", "12_3", "12_[4-9]" or "12+1", allocated. */
char *slurmdb_get_job_id_str(slurmdb_job_rec_t *job);

char *slurm_job_state_string(uint32_t state);
void slurm_xfree(void **memory);

extern slurm_conf_t slurm_conf;

#endif
