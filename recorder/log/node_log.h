/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the node's recorder has to say, on standard error: the journal's, or a
 * file's where it was started by slurmd.  Bounded, so that a fault that
 * repeats fills no disk.
 */
#ifndef SW_RECORDER_NODE_LOG_H
#define SW_RECORDER_NODE_LOG_H

/* A line; what users could have put into it has to be escaped before. */
__attribute__((format(printf, 1, 2)))
void sw_node_log(const char *format, ...);

#endif
