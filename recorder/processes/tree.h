/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process tree of a command: every descendant, and the orphans that the
 * recorder has adopted as their subreaper.  Refreshed before the sources are
 * read; bounded, and what is beyond the bound is counted.
 *
 * Totals are of the whole tree since its creation, the dead in it: what a
 * process has waited for is part of its own numbers (/proc/PID/stat cutime,
 * /proc/PID/io), and what the recorder has waited for is part of the
 * recorder's.  Parents are read before their children, so that a child that
 * is waited for in between is missed once rather than counted twice; totals
 * never go back.  Children of a process that ignores SIGCHLD are waited for by
 * nobody: their numbers are lost when they end.
 */
#ifndef SW_RECORDER_TREE_H
#define SW_RECORDER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/missing.h"
#include "recorder/kernel/process.h"
#include "recorder/processes/totals.h"

enum { SW_TREE_PROCESSES_MAX = 1024 };

struct sw_tree;
struct sw_share;

/*
 * Follow root_pid below proc_fd (/proc, or a recorded tree).  Allocates all
 * that will be needed.  NULL with *error where there is no memory.
 */
struct sw_tree *sw_tree_create(int proc_fd, pid_t root_pid,
			       struct sw_error *error);

/*
 * Likewise of a process that this one is no parent of: orphans that it does
 * not wait for are lost.  root_pid 0: of none, but of those that are added.
 */
struct sw_tree *sw_tree_create_of(int proc_fd, pid_t root_pid,
				  struct sw_error *error);

/*
 * Follow the children of another process that waits for them, slurmstepd: all
 * of them and what they start, and not itself.
 */
struct sw_tree *sw_tree_create_below(int proc_fd, pid_t parent_pid,
				     struct sw_error *error);

/*
 * Another process of a tree of sw_tree_create_of(), and all that it starts.
 * False where there is no room for it.
 */
bool sw_tree_add_root(struct sw_tree *tree, pid_t pid, uint64_t start_ticks);

/* Of more than a few processes the job pays for their memory. */
void sw_tree_charge(struct sw_tree *tree, struct sw_share *share);

void sw_tree_refresh(struct sw_tree *tree);
void sw_tree_destroy(struct sw_tree *tree);

/* Living processes (zombies too) of the last refresh, parents first. */
size_t sw_tree_count(const struct sw_tree *tree);
const struct sw_process *sw_tree_process(const struct sw_tree *tree,
					 size_t index);

/*
 * Of the processes that lived at the refresh before the last one and that by
 * the last one were gone or dying, the one that had the most anonymous memory;
 * NULL where there is none.
 */
const struct sw_process *sw_tree_fallen(const struct sw_tree *tree);

/* When the last refresh began, CLOCK_BOOTTIME. */
uint64_t sw_tree_time_usec(const struct sw_tree *tree);

/* Processes beyond the bound at the last refresh. */
uint64_t sw_tree_left_out(const struct sw_tree *tree);

/* Processes that a file of was not of the known form, at that refresh. */
uint64_t sw_tree_garbled(const struct sw_tree *tree);

const struct sw_totals *sw_tree_totals(const struct sw_tree *tree);

#endif
