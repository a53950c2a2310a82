/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recorder takes from slurm.conf. */
#ifndef SW_RECORDER_NODE_CONF_H
#define SW_RECORDER_NODE_CONF_H

#include <stddef.h>

/*
 * The value of a key of the slurm.conf at path, or (NULL) at the usual places;
 * "" where there is none.
 */
void sw_node_conf_read(const char *path, const char *key, char *value,
		       size_t size);

#endif
