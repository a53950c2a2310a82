/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A batch script as sbatch(1) reads it: which options its #SBATCH lines give,
 * and where in the text they stand.  Pure but for sw_script_load() and
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

/* Options that matter here; all others are skipped as sbatch does. */
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

/* An option and where it stands: offsets into the text, as it is written. */
struct sw_script_option {
	enum sw_script_key key;
	size_t name_at, name_length;	/* "--mem", "-c" */
	size_t value_at, value_length;	/* with its quotes; 0: none */
	char *value;			/* without them; NULL: none */
};

struct sw_script {
	char *text;
	size_t length;
	struct sw_script_option *options;	/* in the order of the text */
	size_t count;
	size_t insert_at;	/* where a line with more of them goes */
	const char *newline;	/* "\n" or "\r\n" */
};

/*
 * Takes a copy of the text.  0, or -1 with why sbatch would not take it or it
 * is none that can be dealt with: no "#!", another scheduler's, heterogeneous,
 * a word that is no option.
 */
int sw_script_init(struct sw_script *script, const char *text, size_t length,
		   struct sw_error *error);
void sw_script_fini(struct sw_script *script);

/* The option that holds: the last of its key; NULL: none. */
const struct sw_script_option *sw_script_find(const struct sw_script *script,
					      enum sw_script_key key);
/* Its value; NULL. */
const char *sw_script_value(const struct sw_script *script,
			    enum sw_script_key key);

/*
 * What it asks for: requested_*, nodes, tasks; what it does not say, or what
 * cannot be read, is NAN.
 */
void sw_script_request(const struct sw_script *script, struct sw_run *request);

/* GPUs in "2", "a100:2", "gpu:a100:2,lustre:1"; NAN: cannot be told. */
double sw_script_gpus(const char *value, bool is_gres);

enum { SW_SCRIPT_NOTES = 8, SW_SCRIPT_NOTE_SIZE = 256 };

/* The script with what is to be asked for. */
struct sw_script_change {
	char *text;
	size_t length;
	size_t changed;		/* options */
	size_t left;		/* that could not be: the notes say why */
	char notes[SW_SCRIPT_NOTES][SW_SCRIPT_NOTE_SIZE];
	size_t note_count;
};

/* 0, or -1 (errno ENOMEM). */
int sw_script_change(struct sw_script_change *change,
		     const struct sw_script *script,
		     const struct sw_request *request);
void sw_script_change_fini(struct sw_script_change *change);

struct sw_script_text {
	const char *text;
	size_t length;
};

/*
 * A unified diff with three lines of context, as patch(1) takes it; nothing
 * where both are the same.  is_shown: for a terminal, where what is no text must
 * not get to.  0, or -1 (errno ENOMEM).
 */
int sw_script_diff(FILE *out, const char *path,
		   const struct sw_script_text *old,
		   const struct sw_script_text *new, bool is_shown);

/* A file as it was read. */
struct sw_script_file {
	char *text;
	size_t length;
	struct stat status;
	char kept[PATH_MAX];	/* where sw_script_save() left what it was */
};

int sw_script_load(struct sw_script_file *file, const char *path,
		   struct sw_error *error);
void sw_script_file_fini(struct sw_script_file *file);

/*
 * Put the text in place of the file, at once, with its mode and owner; what
 * was there is kept as PATH.orig-N.  Refuses symbolic and hard links, and a
 * file that was changed since it was read.
 */
int sw_script_save(struct sw_script_file *file, const char *path,
		   const struct sw_script_text *text, struct sw_error *error);

#endif
