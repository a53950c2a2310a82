/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single values of slurm.conf(5). */
#ifndef SW_COMMON_SLURM_CONF_H
#define SW_COMMON_SLURM_CONF_H

#include <stddef.h>
#include <stdio.h>

/* Opens a file to read; NULL where it cannot.  The reader closes it. */
typedef FILE *sw_slurm_conf_open(const void *context, const char *path);

/*
 * The value of a key in the file at path or in those that it includes, some
 * files deep; "" where there is none.  As for Slurm, case and blanks around
 * "=" do not matter, and of several lines the last counts.
 */
void sw_slurm_conf_read(sw_slurm_conf_open *open, const void *context,
			const char *path, const char *key, char *value,
			size_t size);

/* The same of the running system: at path, or (NULL) at the usual places. */
void sw_slurm_conf_here(const char *path, const char *key, char *value,
			size_t size);

#endif
