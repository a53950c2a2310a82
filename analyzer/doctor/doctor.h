/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for checks of `stepwell doctor`: one function (check_*.c) and
 * one row in checks.c for each line that the doctor says.  A check looks at
 * one thing below the root folder, leaves nothing changed, never ends the
 * process, and always answers; what it could not look at is SKIP, never OK.
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

/* The places that the packages, the units and the recorder agree on. */
#define SW_DOCTOR_SOCKET "/run/stepwell/recorder.sock"
#define SW_DOCTOR_OFF "/etc/stepwell/off"
#define SW_DOCTOR_SPOOL_PARENT SPOOLDIR
#define SW_DOCTOR_SPOOL SW_DOCTOR_SPOOL_PARENT "/node"
#define SW_DOCTOR_ACCOUNT "stepwell"

/*
 * What a folder of files cannot answer.  Tests put answers of their own here;
 * NULL where the root is not this machine: the check then says so.
 */
struct sw_doctor_probes {
	/* The first line that a program prints: 0, or -1 with errno. */
	int (*run)(const char *const *argv, char *line, size_t size);
	/* May a program be loaded? */
	int (*try_bpf)(void);	/* 0, or -1 with errno */
	/* Is an ordinary user told how processes end?  Else why not. */
	bool (*try_exits)(struct sw_error *why);
	int (*statfs)(int fd, struct statfs *statfs);
};

struct sw_doctor {
	const char *root;	/* "" for this machine, else a folder's name */
	int root_fd;
	bool is_live;		/* the root is this machine */
	bool is_root;		/* we are who owns the root folder */
	uid_t owner;		/* who that is: root, or who unpacked it */
	struct sw_doctor_probes probes;
};

enum sw_health {
	SW_HEALTH_NONE = 0,	/* a check that did not answer: a defect */
	SW_HEALTH_OK,
	SW_HEALTH_WARN,		/* works, with less */
	SW_HEALTH_FAIL,		/* something has to be done */
	SW_HEALTH_SKIP,		/* does not apply, or could not be seen */
	SW_HEALTH_COUNT,
};

struct sw_answer {
	enum sw_health health;
	/* What nodes are summed by: constant, with nothing of one node. */
	const char *cause;
	char text[512];		/* what was seen and what follows */
	char fix[512];		/* a command, or "" where there is none */
};

typedef void sw_check_f(const struct sw_doctor *doctor,
			struct sw_answer *answer);

struct sw_check {
	const char *id;
	const char *help;	/* what is looked at, half a sentence */
	sw_check_f *run;
};

extern const struct sw_check sw_checks[];	/* id NULL at the end */

sw_check_f sw_check_plugstack, sw_check_plugin, sw_check_tracking,
	sw_check_switch, sw_check_recorder, sw_check_hooks, sw_check_cpus;
sw_check_f sw_check_account, sw_check_settings, sw_check_spool,
	sw_check_profile_dir, sw_check_folders, sw_check_unit, sw_check_travel;
sw_check_f sw_check_cgroup, sw_check_controllers, sw_check_pressure,
	sw_check_bpf, sw_check_causes, sw_check_perf, sw_check_exits,
	sw_check_papi, sw_check_gpus;

/* "OK", "WARN", ...; SW_HEALTH_NONE for a word that is none of them. */
const char *sw_health_name(enum sw_health health);
enum sw_health sw_health_parse(const char *name);

/* root NULL or "/" is this machine.  Returns 0, or -1 with *error. */
int sw_doctor_init(struct sw_doctor *doctor, const char *root,
		   struct sw_error *error);
void sw_doctor_fini(struct sw_doctor *doctor);

/* Run one check; an answer is always there afterwards. */
void sw_doctor_ask(const struct sw_doctor *doctor,
		   const struct sw_check *check, struct sw_answer *answer);

/* As open(2), path absolute; links cannot lead out of the root. */
int sw_doctor_open(const struct sw_doctor *doctor, const char *path,
		   int flags);

/* As lstat(2). */
int sw_doctor_stat(const struct sw_doctor *doctor, const char *path,
		   struct stat *stat);
bool sw_doctor_has(const struct sw_doctor *doctor, const char *path);

/*
 * Up to size - 1 bytes of a file into buf, terminated.  Returns their number,
 * or -1 with errno.
 */
ssize_t sw_doctor_read(const struct sw_doctor *doctor, const char *path,
		       char *buf, size_t size);

/*
 * The first file that matches one of the NULL-ended patterns, as a path below
 * the root.  Returns how many match in all.
 */
size_t sw_doctor_find(const struct sw_doctor *doctor,
		      const char *const *patterns, char *path, size_t size);

/*
 * The id of a user ("/etc/passwd") or a group ("/etc/group"): without the
 * name service where the root is a folder.  0, or -1 with ENOENT.
 */
int sw_doctor_user(const struct sw_doctor *doctor, const char *name,
		   uid_t *uid);
int sw_doctor_group(const struct sw_doctor *doctor, const char *name,
		    gid_t *gid);

/* Where users get their profiles: as the settings say, or the default. */
void sw_doctor_profile_dir(const struct sw_doctor *doctor, char *path,
			   size_t size);

/* Does systemd know the recorder?  Else it is slurmd that starts it. */
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
/* The command that mends it; only words that a shell takes as they are. */
void sw_answer_fix(struct sw_answer *answer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether a shell takes the word as it is. */
bool sw_is_plain_word(const char *word);

#endif
