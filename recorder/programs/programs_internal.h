/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Backends of the programs table; included by programs*.c only. */
#ifndef SW_RECORDER_PROGRAMS_INTERNAL_H
#define SW_RECORDER_PROGRAMS_INTERNAL_H

#include "recorder/programs/exit_feed.h"
#include "recorder/programs/program.h"

enum { SW_NO_PROGRAM = SW_PROGRAMS_MAX + 1 };

/* A backend.  state is what create returned. */
struct sw_programs_backend {
	const char *name;
	bool follows_one;	/* only one process and its descendants */
	/* See sw_programs_limit(); may be NULL. */
	void (*limit)(unsigned processes);
	/* See sw_programs_prepare() ff.; NULL: not needed. */
	void (*prepare)(unsigned int nap_msec);
	bool (*is_preparing)(void);
	int (*news_fd)(void);
	void (*await)(void);
	/* Return NULL with *error if unavailable. */
	void *(*create)(struct sw_programs *programs, struct sw_error *error);
	/* pid waits to execute.  Return 0, or -1 with *error. */
	int (*attach)(void *state, pid_t pid, struct sw_error *error);
	int (*fd)(void *state);		/* NULL: none */
	void (*drain)(void *state, uint64_t now_usec);
	void (*finish)(void *state);	/* after the last drain; may be NULL */
	/* A new wake-up has begun; may be NULL. */
	void (*expire)(void);
	/* See sw_programs_is_coming() and sw_programs_settle(); NULL: never. */
	bool (*is_coming)(void *state);
	void (*settle)(void *state);
	/* See sw_programs_sample() and its backend; NULL: no samples. */
	const struct sw_account *(*sample)(void *state);
	const char *(*sample_backend)(void *state);
	/* See sw_programs_waits() and its backend; NULL: no samples. */
	const struct sw_wait_tally *(*waits)(void *state);
	const char *(*waits_backend)(void *state);
	void (*adopt_waits)(void *state, const struct sw_wait_tally *tally);
	/* NULL: failures are not observed. */
	const char *(*failures_source)(void);
	const char *(*failures_reason)(void);
	/* Return 0 if available, or -1 with *error; NULL: no failures seen. */
	int (*probe)(struct sw_error *error);
	void (*leave)(void);	/* see sw_programs_leave(); may be NULL */
	void (*reaped)(void *state, pid_t pid, int wait_status);
	void (*destroy)(void *state);
};

extern const struct sw_programs_backend sw_programs_backend_bpf,
	sw_programs_backend_perf, sw_programs_backend_proc;

struct sw_programs {
	struct sw_programs_target target;
	const struct sw_programs_backend *backend;
	void *state;
	struct sw_error reason;		/* why no better backend is used */
	const struct sw_exit_feeds *feeds;	/* NULL: none so far */
	bool has_asked_feeds;
	int table, exits_table;		/* -1: not defined yet */
	bool is_complete;		/* every start and exit was seen */
	bool has_other;			/* the last program is (other) */
	unsigned count;
	/* Unused entries take no memory: pages.h. */
	struct sw_program program[SW_PROGRAMS_MAX + 1];
};

/* Return the index of a program; adds it if new. */
unsigned sw_programs_find(struct sw_programs *programs, const char *name);

/* Return feeds of exits, for backends that need them; NULL: see reason. */
const struct sw_exit_feeds *sw_programs_feeds(struct sw_programs *programs);

/* Set for all programs whether every start and exit was seen. */
void sw_programs_set_complete(struct sw_programs *programs, bool is_complete);

/*
 * Move a process from *program (an index, or SW_NO_PROGRAM at first) to the
 * named one: it counts for the program it executed last.
 */
void sw_programs_belong(struct sw_programs *programs, unsigned *program,
			const char *name, uint64_t start_usec);

#endif
