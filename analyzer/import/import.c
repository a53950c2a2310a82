/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detect the kind of a file to import, and open the history for reading. */
#include "analyzer/import/import_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/accounting/record_fields.h"
#include "analyzer/history/history_beside.h"
#include "analyzer/records/lsf_line.h"
#include "common/open_file.h"

/* Does a file with this beginning belong to stepwell? */
static bool is_recording(const char *head, size_t length)
{
	return length >= 4 && !memcmp(head, "SWF1", 4);
}

/* Is the first line sacct's header?  sacct ignores case. */
static bool is_sacct(char *head)
{
	struct sw_record_fields fields;

	head[strcspn(head, "\n")] = '\0';
	if (sw_record_is_header(head))
		return true;
	return !sw_record_fields_of_header(&fields, head);
}

/*
 * Return why sacct's output is unreadable: the table for people truncates its
 * columns, and the JSON schema changes with each release of Slurm.  NULL: it is
 * neither.
 */
static const char *unreadable_sacct(const char *head)
{
	const char *rule = strchr(head, '\n');

	if (rule && !strncasecmp(head + strspn(head, " "), "JobID", 5) &&
	    !strncmp(rule + 1 + strspn(rule + 1, " "), "-----", 5))
		return "sacct's table for people truncates its columns; use: "
		       "sacct --parsable2 --format FIELDS >FILE "
		       "(stepwell-import(1) lists the FIELDS)";
	if (sw_record_is_without_header(head))
		return "sacct's output is without the names of its columns; run "
		       "sacct without --noheader";
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
	if (is_recording(head, (size_t)length))
		return sw_import_profile(import, path, error);
	if (sw_lsf_is_log(head))
		return sw_import_lsf(import, path, error);
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

	sw_numbered_fini(&import->seen);
	return rc;
}

int sw_import_own(struct sw_import *import, struct sw_error *error)
{
	struct sw_folders folders;
	int rc;

	if (sw_folders_init(&folders, sw_settings_places(import->settings),
			    error) < 0)
		return -1;
	rc = sw_import_folders(import, &folders, error);
	sw_folders_complain(&folders);
	if (rc == 0)
		rc = sw_import_finish(import, error);
	sw_folders_fini(&folders);
	return rc;
}

void sw_import_beside(struct sw_import *import)
{
	const char *folder = sw_settings_user_history_dir(import->settings);
	size_t rows, added;

	if (!folder || sw_history_take_beside(import->history, folder, &rows,
					      &added) < 0)
		return;
	import->rows += rows;
	import->added += added;
	import->replaced += rows - added;
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
		sw_numbered_fini(&import.seen);
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
	if (!history && (errno == ENOENT || errno == EUCLEAN))
		history = make_anew(settings, error);
	return sw_history_join(history, sw_settings_user_history_dir(settings));
}
