/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A rung of the ladder of tool records; only tools*.c include this. */
#ifndef SW_RECORDER_TOOLS_INTERNAL_H
#define SW_RECORDER_TOOLS_INTERNAL_H

#include "recorder/programs/tool.h"

enum { SW_NO_TOOL = SW_TOOLS_MAX + 1 };

/* One way of seeing programs.  state is what create returned. */
struct sw_tools_rung {
	const char *name;
	bool follows_one;	/* one process and what comes of it, no more */
	/* As sw_tools_limit(); NULL: it has none. */
	void (*limit)(unsigned processes);
	/* As sw_tools_prepare(), and its news; NULL: nothing takes long. */
	void (*prepare)(unsigned int nap_msec);
	int (*news_fd)(void);
	void (*await)(void);
	/* NULL with *error: this machine or this user cannot have it. */
	void *(*create)(struct sw_tools *tools, struct sw_error *error);
	/* pid waits to execute.  0, or -1 with *error. */
	int (*attach)(void *state, pid_t pid, struct sw_error *error);
	int (*fd)(void *state);		/* NULL: none */
	void (*drain)(void *state, uint64_t now_usec);
	/* A new wake-up has begun; NULL: nothing is kept for one. */
	void (*expire)(void);
	/* As sw_tools_is_coming() and sw_tools_settle(); NULL: never. */
	bool (*is_coming)(void *state);
	void (*settle)(void *state);
	/* As sw_tools_look() and its rung; NULL: it sees no such thing. */
	const struct sw_account *(*look)(void *state);
	const char *(*look_rung)(void *state);
	/* As sw_tools_waits() and its rung, likewise. */
	const struct sw_wait_tally *(*waits)(void *state);
	const char *(*waits_rung)(void *state);
	void (*adopt_waits)(void *state, const struct sw_wait_tally *tally);
	void (*reaped)(void *state, pid_t pid, int wait_status);
	void (*destroy)(void *state);
};

extern const struct sw_tools_rung sw_tools_rung_bpf, sw_tools_rung_perf,
	sw_tools_rung_taskstats, sw_tools_rung_proc;

struct sw_tools {
	struct sw_tools_target target;
	const struct sw_tools_rung *rung;
	void *state;
	struct sw_error reason;		/* why no higher rung */
	int table;			/* -1: not defined yet */
	bool is_complete;		/* that every start and end was seen */
	bool has_other;			/* the last one is (other) */
	unsigned count;
	/* What is not used of it takes no memory: pages.h. */
	struct sw_tool tool[SW_TOOLS_MAX + 1];
};

/* The index of a program, made where it is new. */
unsigned sw_tools_find(struct sw_tools *tools, const char *program);

/* Whether every start and end was seen, of all programs. */
void sw_tools_set_complete(struct sw_tools *tools, bool is_complete);

/*
 * A process began to be *tool (an index, or SW_NO_TOOL at first) and is now
 * program: it counts for the program that it executed last.
 */
void sw_tools_belong(struct sw_tools *tools, unsigned *tool,
		     const char *program, uint64_t start_usec);

#endif
