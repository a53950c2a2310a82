/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts the node's recorder from slurmd if no unit has. */
#ifndef SW_SPANK_START_H
#define SW_SPANK_START_H

/*
 * Execute the recorder at path, which detaches itself, unless the socket
 * accepts: then a recorder is running or being started by systemd.  Waits five
 * seconds at most.  Return 0, or -1 with errno: EINPROGRESS if the recorder is
 * not ready yet.
 */
int sw_start_recorder(const char *path, const char *socket_path);

#endif
