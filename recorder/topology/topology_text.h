/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A topology as lines of text, for the cache of a boot. */
#ifndef SW_RECORDER_TOPOLOGY_TEXT_H
#define SW_RECORDER_TOPOLOGY_TEXT_H

#include "recorder/topology/topology.h"

enum { SW_TOPOLOGY_TEXT_MAX = 512 * 1024 };

/* Write it; key identifies machine and boot.  Return 0, or -1 with errno. */
int sw_topology_text_write(const struct sw_topology *topology,
			   const char *key, int fd);

/*
 * Parse the complete output of sw_topology_text_write() with this key.  Return
 * 0, or -1 with an empty *topology for any other text.
 */
int sw_topology_text_parse(struct sw_topology *topology, const char *key,
			   char *text);

#endif
