/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of the node's recorder on standard error: the journal, or a file if
 * it was started by slurmd.  Rate-limited, so that a repeated error does not
 * fill the disk.
 */
#ifndef SW_RECORDER_NODE_LOG_H
#define SW_RECORDER_NODE_LOG_H

/* Write a line.  Text that users can influence must be escaped before. */
__attribute__((format(printf, 1, 2)))
void sw_node_log(const char *format, ...);

#endif
