/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that runs the job script. */
#ifndef SW_LSF_SHELL_H
#define SW_LSF_SHELL_H

#include "contrib/lsf/process.h"

/*
 * Find it among the ancestors of this process that belong to the same user: the
 * one in LS_JOBPID, else the one named like the job's file.  Return false if
 * there is none.
 */
bool sw_lsf_shell_find(struct sw_lsf_process *shell);

#endif
