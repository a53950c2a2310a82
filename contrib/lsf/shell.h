/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that runs the job's script. */
#ifndef SW_LSF_SHELL_H
#define SW_LSF_SHELL_H

#include "contrib/lsf/process.h"

/*
 * Among the ancestors of this process that are of the same user: the one that
 * LS_JOBPID names, else the one that is called like the job's file.  False
 * where there is none.
 */
bool sw_lsf_shell_find(struct sw_lsf_process *shell);

#endif
