/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that stepwell-stack needs. */
#ifndef SW_RECORDER_STACK_FILTER_H
#define SW_RECORDER_STACK_FILTER_H

/*
 * From now on this process can read files and descriptors, write to those that
 * it has, and use memory that is not executable: every other system call fails
 * with EPERM.  Nothing where the kernel or the processor is not known to.
 */
void sw_stack_filter(void);

#endif
