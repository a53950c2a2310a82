/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process tree of a command: every descendant, and the orphans that the
 * recorder has adopted as their subreaper.  Refreshed before the sources are
 * read.  The size is limited, and processes beyond the limit are counted.
 *
 * Totals cover the whole tree since its creation, including processes that have
 * exited: a process's own values include its reaped children (/proc/PID/stat
 * cutime, /proc/PID/io), and the recorder's include those that it has reaped.
 * Parents are read before their children, so that a child reaped in between is
 * missed once rather than counted twice.  Totals never decrease.  Children of a
 * process that ignores SIGCHLD are not reaped: their values are lost when they
 * exit.
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
 * memory that is needed.  Return NULL with *error if out of memory.
 */
struct sw_tree *sw_tree_create(int proc_fd, pid_t root_pid,
			       struct sw_error *error);

/*
 * Likewise for a process that is not a child of this one: orphans that it has
 * not reaped are lost.  root_pid 0: follow only the roots added later.
 */
struct sw_tree *sw_tree_create_of(int proc_fd, pid_t root_pid,
				  struct sw_error *error);

/*
 * Follow all descendants of another process that reaps its children,
 * slurmstepd, but not that process itself.
 */
struct sw_tree *sw_tree_create_below(int proc_fd, pid_t parent_pid,
				     struct sw_error *error);

/*
 * Add another root to a tree of sw_tree_create_of(), with its descendants.
 * Return false if the list is full.
 */
bool sw_tree_add_root(struct sw_tree *tree, pid_t pid, uint64_t start_ticks);

/* Charge share for the memory of processes beyond the first few. */
void sw_tree_charge(struct sw_tree *tree, struct sw_share *share);

void sw_tree_refresh(struct sw_tree *tree);
void sw_tree_destroy(struct sw_tree *tree);

/* Living processes (zombies too) of the last refresh, parents first. */
size_t sw_tree_count(const struct sw_tree *tree);
const struct sw_process *sw_tree_process(const struct sw_tree *tree,
					 size_t index);

/*
 * Return the process with the most anonymous memory among those that were alive
 * at the refresh before the last and had exited or were dying at the last.
 * NULL: none.
 */
const struct sw_process *sw_tree_fallen(const struct sw_tree *tree);

/* Return when the last refresh began, CLOCK_BOOTTIME. */
uint64_t sw_tree_time_usec(const struct sw_tree *tree);

/* Return the number of processes beyond the limit at the last refresh. */
uint64_t sw_tree_left_out(const struct sw_tree *tree);

/* Return the number of processes with a malformed file at that refresh. */
uint64_t sw_tree_garbled(const struct sw_tree *tree);

const struct sw_totals *sw_tree_totals(const struct sw_tree *tree);

#endif
