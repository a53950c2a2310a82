/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that stepwell-stack needs. */
#ifndef SW_RECORDER_STACK_FILTER_H
#define SW_RECORDER_STACK_FILTER_H

/*
 * Restrict this process to reading files and descriptors, writing to those that
 * it has, and memory that is not executable: every other system call fails with
 * EPERM.  Does nothing if the kernel or the processor is not supported.
 */
void sw_stack_filter(void);

#endif
