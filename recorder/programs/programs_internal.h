/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A backend of the program records; only programs*.c include this. */
#ifndef SW_RECORDER_PROGRAMS_INTERNAL_H
#define SW_RECORDER_PROGRAMS_INTERNAL_H

#include "recorder/programs/exit_feed.h"
#include "recorder/programs/program.h"

enum { SW_NO_PROGRAM = SW_PROGRAMS_MAX + 1 };

/* One way of seeing programs.  state is what create returned. */
struct sw_programs_backend {
	const char *name;
	bool follows_one;	/* one process and what comes of it, no more */
	/* As sw_programs_limit(); NULL: it has none. */
	void (*limit)(unsigned processes);
	/* As sw_programs_prepare(), and its news; NULL: nothing takes long. */
	void (*prepare)(unsigned int nap_msec);
	bool (*is_preparing)(void);
	int (*news_fd)(void);
	void (*await)(void);
	/* NULL with *error: this machine or this user cannot have it. */
	void *(*create)(struct sw_programs *programs, struct sw_error *error);
	/* pid waits to execute.  0, or -1 with *error. */
	int (*attach)(void *state, pid_t pid, struct sw_error *error);
	int (*fd)(void *state);		/* NULL: none */
	void (*drain)(void *state, uint64_t now_usec);
	void (*finish)(void *state);	/* behind the last; NULL: nothing */
	/* A new wake-up has begun; NULL: nothing is kept for one. */
	void (*expire)(void);
	/* As sw_programs_is_coming() and sw_programs_settle(); NULL: never. */
	bool (*is_coming)(void *state);
	void (*settle)(void *state);
	/* As sw_programs_sample() and its backend; NULL: it sees no such thing. */
	const struct sw_account *(*sample)(void *state);
	const char *(*sample_backend)(void *state);
	/* As sw_programs_waits() and its backend, likewise. */
	const struct sw_wait_tally *(*waits)(void *state);
	const char *(*waits_backend)(void *state);
	void (*adopt_waits)(void *state, const struct sw_wait_tally *tally);
	/* NULL: it sees none. */
	const char *(*failures_source)(void);
	const char *(*failures_reason)(void);
	/* Can it be had here?  0, or -1 with *error; NULL: it sees no failures. */
	int (*probe)(struct sw_error *error);
	void (*leave)(void);	/* as sw_programs_leave(); NULL: nothing */
	void (*reaped)(void *state, pid_t pid, int wait_status);
	void (*destroy)(void *state);
};

extern const struct sw_programs_backend sw_programs_backend_bpf,
	sw_programs_backend_perf, sw_programs_backend_proc;

struct sw_programs {
	struct sw_programs_target target;
	const struct sw_programs_backend *backend;
	void *state;
	struct sw_error reason;		/* why no higher backend */
	const struct sw_exit_feeds *feeds;	/* NULL: not asked for, or none */
	bool has_asked_feeds;
	int table;			/* -1: not defined yet */
	bool is_complete;		/* that every start and end was seen */
	bool has_other;			/* the last one is (other) */
	unsigned count;
	/* What is not used of it takes no memory: pages.h. */
	struct sw_program program[SW_PROGRAMS_MAX + 1];
};

/* The index of a program, made where it is new. */
unsigned sw_programs_find(struct sw_programs *programs, const char *name);

/* How processes end, for who does not see it; NULL, and the reason says why. */
const struct sw_exit_feeds *sw_programs_feeds(struct sw_programs *programs);

/* Whether every start and end was seen, of all programs. */
void sw_programs_set_complete(struct sw_programs *programs, bool is_complete);

/*
 * A process began to be *program (an index, or SW_NO_PROGRAM at first) and is
 * now program: it counts for the program that it executed last.
 */
void sw_programs_belong(struct sw_programs *programs, unsigned *program,
			const char *name, uint64_t start_usec);

#endif
