/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of jobs by sacct's letters. */
#ifndef SW_SLURMDB_STATES_H
#define SW_SLURMDB_STATES_H

/* Convert "CA,CD,TO" to the list for slurmdbd, or NULL if one is unknown. */
void *sw_slurmdb_states_read(const char *text);

#endif
