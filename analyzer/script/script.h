/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A batch script as parsed by sbatch(1): the options in its #SBATCH lines, and
 * their positions in the text.  Pure, except for sw_script_load() and
 * sw_script_save().
 */
#ifndef SW_ANALYZER_SCRIPT_H
#define SW_ANALYZER_SCRIPT_H

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "advice/run.h"
#include "analyzer/requests/request.h"
#include "common/error.h"

/* Relevant options; all others are skipped like sbatch does. */
enum sw_script_key {
	SW_SCRIPT_OTHER,
	SW_SCRIPT_MEM, SW_SCRIPT_MEM_PER_CPU, SW_SCRIPT_MEM_PER_GPU,
	SW_SCRIPT_TIME, SW_SCRIPT_TIME_MIN,
	SW_SCRIPT_CPUS_PER_TASK, SW_SCRIPT_CPUS_PER_GPU, SW_SCRIPT_EXCLUSIVE,
	SW_SCRIPT_NTASKS, SW_SCRIPT_NTASKS_PER_NODE, SW_SCRIPT_NODES,
	SW_SCRIPT_GPUS, SW_SCRIPT_GPUS_PER_NODE, SW_SCRIPT_GPUS_PER_TASK,
	SW_SCRIPT_GRES,
	SW_SCRIPT_JOB_NAME, SW_SCRIPT_PARTITION, SW_SCRIPT_COMMENT,
};

/* An option and its position: offsets in the text as written. */
struct sw_script_option {
	enum sw_script_key key;
	size_t name_at, name_length;	/* "--mem", "-c" */
	size_t value_at, value_length;	/* with quotes; 0 if none */
	char *value;			/* without quotes; NULL if none */
};

struct sw_script {
	char *text;
	size_t length;
	struct sw_script_option *options;	/* in the order of the text */
	size_t count;
	size_t insert_at;	/* offset for additional lines */
	const char *newline;	/* "\n" or "\r\n" */
};

/*
 * Parse a copy of the text.  Return 0, or -1 with the reason if sbatch would
 * reject it, or if it is not supported: no "#!", another scheduler's,
 * heterogeneous, or with a word that is no option.
 */
int sw_script_init(struct sw_script *script, const char *text, size_t length,
		   struct sw_error *error);
void sw_script_fini(struct sw_script *script);

/* The effective option, i.e. the last of its key, or NULL. */
const struct sw_script_option *sw_script_find(const struct sw_script *script,
					      enum sw_script_key key);
/* Value of the effective option, or NULL. */
const char *sw_script_value(const struct sw_script *script,
			    enum sw_script_key key);

/*
 * Set the request of the script: requested_*, nodes, tasks; NAN if not given,
 * or if not understood.
 */
void sw_script_request(const struct sw_script *script, struct sw_run *request);

enum { SW_SCRIPT_NOTES = 8, SW_SCRIPT_NOTE_SIZE = 256 };

/* The script with a new request. */
struct sw_script_change {
	char *text;
	size_t length;
	size_t changed;		/* number of options */
	size_t left;		/* not changed; see the notes */
	char notes[SW_SCRIPT_NOTES][SW_SCRIPT_NOTE_SIZE];
	size_t note_count;
};

/* Return 0, or -1 (errno ENOMEM). */
int sw_script_change(struct sw_script_change *change,
		     const struct sw_script *script,
		     const struct sw_request *request);
void sw_script_change_fini(struct sw_script_change *change);

struct sw_script_text {
	const char *text;
	size_t length;
};

/*
 * Print a unified diff with three lines of context, as accepted by patch(1);
 * nothing if equal.  is_shown: escape control characters for a terminal.
 * Return 0, or -1 (errno ENOMEM).
 */
int sw_script_diff(FILE *out, const char *path,
		   const struct sw_script_text *old,
		   const struct sw_script_text *new, bool is_shown);

/* A file and its contents. */
struct sw_script_file {
	char *text;
	size_t length;
	struct stat status;
	char kept[PATH_MAX];	/* old file, kept by sw_script_save() */
};

int sw_script_load(struct sw_script_file *file, const char *path,
		   struct sw_error *error);
void sw_script_file_fini(struct sw_script_file *file);

/*
 * Replace the file atomically, keeping its mode and owner; the old one is kept
 * as PATH.orig-N.  Refuse symbolic and hard links, and files changed since they
 * were read.
 */
int sw_script_save(struct sw_script_file *file, const char *path,
		   const struct sw_script_text *text, struct sw_error *error);

#endif
