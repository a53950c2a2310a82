/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read single values of slurm.conf(5). */
#ifndef SW_COMMON_SLURM_CONF_H
#define SW_COMMON_SLURM_CONF_H

#include <stddef.h>
#include <stdio.h>

/* Open a file for reading, or return NULL.  The reader closes it. */
typedef FILE *sw_slurm_conf_open(const void *context, const char *path);

/*
 * Read the value of a key from the file at path or the files it includes, to a
 * limited depth; "" if there is none.  As in Slurm, case and blanks around "="
 * are ignored, and the last of several lines counts.
 */
void sw_slurm_conf_read(sw_slurm_conf_open *open, const void *context,
			const char *path, const char *key, char *value,
			size_t size);

/* The same for the running system: at path, or (NULL) the default paths. */
void sw_slurm_conf_here(const char *path, const char *key, char *value,
			size_t size);

#endif
