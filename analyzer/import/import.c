/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts past runs into the history: what all kinds of files share. */
#include "analyzer/import/import_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/open_file.h"

/* One writer must not keep others waiting for all of a large import. */
enum { ROWS_AT_ONCE = 20000 };

void sw_import_skip(struct sw_import *import, const char *why,
		    const char *where)
{
	struct sw_import_reason *reason = NULL;
	size_t i;

	import->skipped++;
	for (i = 0; i < import->reason_count; i++) {
		if (!strncmp(import->reasons[i].text, why,
			     SW_IMPORT_WHERE_SIZE - 1))
			reason = &import->reasons[i];
	}
	if (!reason && import->reason_count < SW_IMPORT_REASONS) {
		reason = &import->reasons[import->reason_count++];
		snprintf(reason->text, sizeof(reason->text), "%s", why);
		snprintf(reason->where, sizeof(reason->where), "%s", where);
	}
	if (reason)
		reason->count++;
}

int sw_import_begin(struct sw_import *import, struct sw_error *error)
{
	return sw_history_begin(import->history, error);
}

int sw_import_end(struct sw_import *import, struct sw_error *error)
{
	return sw_history_commit(import->history, error);
}

static int note_merged(struct sw_import *import)
{
	int was_there = sw_import_seen_add(
		&import->seen, sw_history_last_row(import->history));

	import->merged += was_there > 0;
	return was_there < 0 ? -1 : 0;
}

int sw_import_run(struct sw_import *import, const struct sw_history_run *run,
		  struct sw_error *error)
{
	struct sw_history_run clean = *run;
	int added;

	import->absurd += sw_history_clean(&clean.run);
	added = sw_history_add(import->history, &clean, error);
	if (added < 0)
		return -1;
	if (added != SW_HISTORY_LEFT_OUT && note_merged(import) < 0)
		return sw_error_errno(error, "the import");
	import->rows++;
	import->steps += run->step && *run->step;
	import->added += added == SW_HISTORY_NEW;
	import->replaced += added == SW_HISTORY_REPLACED;
	import->completed += added == SW_HISTORY_COMPLETED;
	if (import->rows % ROWS_AT_ONCE)
		return 0;
	return sw_import_end(import, error) < 0 ? -1 :
	       sw_import_begin(import, error);
}

bool sw_import_is_recording(const char *head, size_t length)
{
	return length >= 4 && !memcmp(head, "SWF1", 4);
}

/* Whether the first line is sacct's header; it takes any case. */
static bool is_sacct(char *head)
{
	head[strcspn(head, "\r\n")] = '\0';
	return strchr(head, '|') && strcasestr(head, "JobID");
}

/*
 * Why sacct's output cannot be read, where it is for people or in JSON: the
 * columns of the first are cut to their width, and the second changes its
 * shape with each release of Slurm.  NULL: it is neither.
 */
static const char *unreadable_sacct(const char *head)
{
	const char *rule = strchr(head, '\n');

	if (rule && !strncasecmp(head + strspn(head, " "), "JobID", 5) &&
	    !strncmp(rule + 1 + strspn(rule + 1, " "), "-----", 5))
		return "sacct's table for people truncates its columns; use: "
		       "sacct --parsable2 --format FIELDS >FILE "
		       "(stepwell-import(1) lists the FIELDS)";
	if (head[strspn(head, " \t\r\n")] == '{')
		return "JSON cannot be imported; for sacct, use: sacct "
		       "--parsable2 --format FIELDS >FILE (stepwell-import(1) "
		       "lists the FIELDS)";
	return NULL;
}

int sw_import_file(struct sw_import *import, const char *path,
		   struct sw_error *error)
{
	char head[4096] = "";
	const char *why;
	ssize_t length;
	int fd = sw_open_regular(path);

	length = fd < 0 ? -1 : read(fd, head, sizeof(head) - 1);
	if (fd >= 0)
		close(fd);
	if (length < 0) {
		sw_import_skip(import, strerror(errno), path);
		return 0;
	}
	if (length == 0) {
		sw_import_skip(import, "the file is empty", path);
		return 0;
	}
	if (sw_import_is_recording(head, (size_t)length))
		return sw_import_profile(import, path, error);
	why = unreadable_sacct(head);
	if (why) {
		sw_import_skip(import, why, path);
		return 0;
	}
	if (is_sacct(head))
		return sw_import_sacct(import, path, error);
	return sw_import_trace(import, path, error);
}

int sw_import_finish(struct sw_import *import, struct sw_error *error)
{
	int rc = sw_import_summaries_end(import, error);

	sw_import_seen_fini(&import->seen);
	return rc;
}

int sw_import_own(struct sw_import *import, struct sw_error *error)
{
	struct sw_folders folders;
	int rc;

	if (sw_folders_init(&folders, sw_settings_places(import->settings), error) < 0)
		return -1;
	rc = sw_import_folders(import, &folders, error);
	sw_folders_complain(&folders);
	if (rc == 0)
		rc = sw_import_finish(import, error);
	sw_folders_fini(&folders);
	return rc;
}

static struct sw_history *make_anew(const struct sw_settings *settings,
				    struct sw_error *error)
{
	struct sw_import import = { .settings = settings };
	char path[PATH_MAX];

	if (sw_history_path(sw_settings_history_file(settings), true, path,
			    sizeof(path), error) < 0)
		return NULL;
	import.history = sw_history_open(path, true, error);
	if (!import.history)
		return NULL;
	if (sw_import_own(&import, error) < 0) {
		sw_import_seen_fini(&import.seen);
		sw_history_close(import.history);
		return NULL;
	}
	if (import.rows || sw_history_was_damaged(import.history))
		fprintf(stderr, "stepwell: the history was rebuilt from "
			"recordings: %zu run%s\n", import.rows,
			import.rows == 1 ? "" : "s");
	return import.history;
}

struct sw_history *sw_import_ready(const struct sw_settings *settings,
				   struct sw_error *error)
{
	struct sw_history *history;
	char path[PATH_MAX];

	if (sw_history_path(sw_settings_history_file(settings), false, path,
			    sizeof(path), error) < 0)
		return NULL;
	history = sw_history_open(path, false, error);
	if (history || (errno != ENOENT && errno != EUCLEAN))
		return history;
	return make_anew(settings, error);
}
