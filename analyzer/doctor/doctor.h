/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for checks of `stepwell doctor`: one function (check_*.c) and
 * one row in checks.c for each line of output.  A check inspects one thing
 * below the root folder, changes nothing, never exits, and always answers; what
 * it could not inspect is SKIP, never OK.
 */
#ifndef SW_ANALYZER_DOCTOR_H
#define SW_ANALYZER_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/vfs.h>

#include "common/error.h"
#include "config.h"

/* Paths common to the packages, the units and the recorder. */
#define SW_DOCTOR_SOCKET "/run/stepwell/recorder.sock"
#define SW_DOCTOR_OFF "/etc/stepwell/off"
#define SW_DOCTOR_SPOOL_PARENT SPOOLDIR
#define SW_DOCTOR_SPOOL SW_DOCTOR_SPOOL_PARENT "/node"
#define SW_DOCTOR_ACCOUNT "stepwell"

/*
 * Queries that need a live machine.  Tests replace them; NULL if the root is a
 * folder, which the check then reports.
 */
struct sw_doctor_probes {
	/* First line of output of a program: 0, or -1 with errno. */
	int (*run)(const char *const *argv, char *line, size_t size);
	/* Try to load a BPF program. */
	int (*try_bpf)(void);	/* 0, or -1 with errno */
	/* True if ordinary users receive exit events; otherwise *why. */
	bool (*try_exits)(struct sw_error *why);
	int (*statfs)(int fd, struct statfs *statfs);
};

struct sw_doctor {
	const char *root;	/* "" for this machine, or a folder */
	int root_fd;
	bool is_live;		/* the root is this machine */
	bool is_root;		/* our uid owns the root folder */
	uid_t owner;		/* its owner: root, or who unpacked it */
	struct sw_doctor_probes probes;
};

enum sw_health {
	SW_HEALTH_NONE = 0,	/* no answer: a bug in the check */
	SW_HEALTH_OK,
	SW_HEALTH_WARN,		/* works, with limitations */
	SW_HEALTH_FAIL,		/* needs action */
	SW_HEALTH_SKIP,		/* not applicable, or not visible */
	SW_HEALTH_COUNT,
};

struct sw_answer {
	enum sw_health health;
	/* Key for summing nodes: constant, without data of one node. */
	const char *cause;
	char text[512];		/* observation and consequence */
	char fix[512];		/* a command, or "" */
};

typedef void sw_check_f(const struct sw_doctor *doctor,
			struct sw_answer *answer);

struct sw_check {
	const char *id;
	const char *help;	/* object of the check, half a sentence */
	sw_check_f *run;
};

extern const struct sw_check sw_checks[];	/* terminated by a NULL id */

sw_check_f sw_check_plugstack, sw_check_plugin, sw_check_tracking,
	sw_check_switch, sw_check_recorder, sw_check_hooks, sw_check_cpus;
sw_check_f sw_check_account, sw_check_settings, sw_check_spool,
	sw_check_profile_dir, sw_check_folders, sw_check_unit, sw_check_travel;
sw_check_f sw_check_cgroup, sw_check_controllers, sw_check_pressure,
	sw_check_bpf, sw_check_causes, sw_check_perf, sw_check_exits,
	sw_check_papi, sw_check_gpus;

/* "OK", "WARN", ...; SW_HEALTH_NONE for any other word. */
const char *sw_health_name(enum sw_health health);
enum sw_health sw_health_parse(const char *name);

/* root NULL or "/": this machine.  Return 0, or -1 with *error. */
int sw_doctor_init(struct sw_doctor *doctor, const char *root,
		   struct sw_error *error);
void sw_doctor_fini(struct sw_doctor *doctor);

/* Run a check; *answer is always set afterwards. */
void sw_doctor_ask(const struct sw_doctor *doctor,
		   const struct sw_check *check, struct sw_answer *answer);

/* Like open(2), for an absolute path; links cannot leave the root. */
int sw_doctor_open(const struct sw_doctor *doctor, const char *path,
		   int flags);

/* Like lstat(2). */
int sw_doctor_stat(const struct sw_doctor *doctor, const char *path,
		   struct stat *stat);
bool sw_doctor_has(const struct sw_doctor *doctor, const char *path);

/*
 * Read up to size - 1 bytes of a file and terminate them.  Return their number,
 * or -1 with errno.
 */
ssize_t sw_doctor_read(const struct sw_doctor *doctor, const char *path,
		       char *buf, size_t size);

/*
 * Find the first file that matches any of the NULL-terminated patterns, as a
 * path below the root.  Return the number of matches.
 */
size_t sw_doctor_find(const struct sw_doctor *doctor,
		      const char *const *patterns, char *path, size_t size);

/*
 * Look up the id of a user ("/etc/passwd") or a group ("/etc/group"), without
 * the name service if the root is a folder.  Return 0, or -1 with ENOENT.
 */
int sw_doctor_user(const struct sw_doctor *doctor, const char *name,
		   uid_t *uid);
int sw_doctor_group(const struct sw_doctor *doctor, const char *name,
		    gid_t *gid);

/* Folder of users' profiles, from the settings or the default. */
void sw_doctor_profile_dir(const struct sw_doctor *doctor, char *path,
			   size_t size);

/* True if systemd has units of the recorder; otherwise slurmd starts it. */
bool sw_recorder_has_units(const struct sw_doctor *doctor);

void sw_answer_ok(struct sw_answer *answer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sw_answer_warn(struct sw_answer *answer, const char *cause,
		    const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sw_answer_fail(struct sw_answer *answer, const char *cause,
		    const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sw_answer_skip(struct sw_answer *answer, const char *cause,
		    const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Set the command that fixes it, from words that need no quoting. */
void sw_answer_fix(struct sw_answer *answer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* True if a shell needs no quotes for the word. */
bool sw_is_plain_word(const char *word);

#endif
