/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of jobs by sacct's letters. */
#ifndef SW_SLURMDB_STATES_H
#define SW_SLURMDB_STATES_H

/* "CA,CD,TO" as the list that slurmdbd takes; NULL: one is not known. */
void *sw_slurmdb_states_read(const char *text);

#endif
