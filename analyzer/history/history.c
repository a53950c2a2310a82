/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open the history.  Fail if the file belongs to another program or a newer
 * stepwell, or is inaccessible; move a damaged one aside.
 */
#include "analyzer/history/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/history/history_internal.h"
#include "analyzer/recordings/store.h"
#include "common/clock.h"
#include "common/path.h"

enum { LOCK_WAIT_MSEC = 5000, ASIDE_MAX = 100 };

static bool can_use(const char *path, bool is_to_write)
{
	char folder[PATH_MAX];

	if (access(path, is_to_write ? W_OK : R_OK) == 0)
		return true;
	if (errno != ENOENT || !is_to_write)
		return false;
	return sw_path_folder(path, folder, sizeof(folder)) == 0 &&
	       access(folder, W_OK) == 0;
}

int sw_history_path(const char *setting, bool is_to_write, char *path,
		    size_t size, struct sw_error *error)
{
	const char *name = getenv("STEPWELL_HISTORY");
	char folder[PATH_MAX];
	int length;

	if ((!name || !*name) && setting && can_use(setting, is_to_write))
		name = setting;
	if (name && *name) {
		length = snprintf(path, size, "%s", name);
	} else {
		if (sw_store_folder(folder, sizeof(folder), error) < 0)
			return -1;
		length = snprintf(path, size, "%s/history.sqlite", folder);
	}
	if (length < 0 || (size_t)length >= size) {
		errno = ENAMETOOLONG;
		return sw_error_errno(error, "the file of the history");
	}
	return 0;
}

/* Create the parent folders, readable by their owner only. */
static int make_folders(const char *path, struct sw_error *error)
{
	char folder[PATH_MAX];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", path);
	for (slash = strchr(folder + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0700) < 0 && errno != EEXIST)
			return sw_error_errno(error, "%s: the folder cannot be "
					      "created, so there is no history",
					      folder);
		*slash = '/';
	}
	return 0;
}

/*
 * A write-ahead log needs shared memory between all users, which network and
 * cluster file systems lack even if byte-range locks work.
 */
static bool is_shared_file_system(const char *path)
{
	static const long magics[] = {
		0x6969, 0xff534d42L, 0xfe534d42L, 0x517b,	/* NFS, SMB */
		0x0bd00bd0, 0x47504653, 0x19830326,	/* Lustre, GPFS, BeeGFS */
		0x00c36400, 0x65735546, 0x5346414f,	/* Ceph, FUSE, AFS */
		0x6b414653, 0x7461636f, 0x20030528,	/* AFS, OCFS2, OrangeFS */
		0x013661, 0xaad7aaeaL, 0x01021997,	/* WekaFS, PanFS, 9p */
	};
	char folder[PATH_MAX];
	struct statfs status;
	size_t i;

	if (sw_path_folder(path, folder, sizeof(folder)) < 0 ||
	    statfs(folder, &status) < 0)
		return true;
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if ((status.f_type & 0xffffffffL) == (magics[i] & 0xffffffffL))
			return true;
	}
	return false;
}

/* URI for reading where nothing can be written: there can be no log. */
static char *immutable_name(const char *path)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	const char *at;

	sqlite3_str_appendall(text, "file:");
	for (at = path; *at; at++) {
		if (strchr("?#%", *at))
			sqlite3_str_appendf(text, "%%%02X", (unsigned char)*at);
		else
			sqlite3_str_appendchar(text, 1, *at);
	}
	sqlite3_str_appendall(text, "?immutable=1");
	return sqlite3_str_finish(text);
}

/* RLIMIT_FSIZE is 0 at the end of a job: writing would kill it. */
static bool may_write_files(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur > 0;
}

static int open_database(struct sw_history *history, bool is_to_write)
{
	int flags = is_to_write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE :
				  SQLITE_OPEN_READONLY;
	char wal[PATH_MAX + 8], *name = NULL;
	int rc;

	snprintf(wal, sizeof(wal), "%s-wal", history->path);
	if (!is_to_write && (!can_use(wal, true) || !may_write_files())) {
		name = immutable_name(history->path);
		flags |= SQLITE_OPEN_URI;
	}
	rc = sqlite3_open_v2(name ? name : history->path, &history->db,
			     flags | SQLITE_OPEN_NOMUTEX, NULL);
	sqlite3_free(name);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_busy_timeout(history->db, history->wait_msec);
	rc = sqlite3_exec(history->db, "PRAGMA trusted_schema = OFF;"
			  "PRAGMA cell_size_check = ON;"
			  "PRAGMA foreign_keys = OFF;"
			  "PRAGMA cache_size = -16384", NULL, NULL, NULL);
	if (rc != SQLITE_OK || !is_to_write)
		return rc;
	return sqlite3_exec(history->db, is_shared_file_system(history->path) ?
			    "PRAGMA journal_mode = TRUNCATE" :
			    "PRAGMA journal_mode = WAL;"
			    "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
}

static void forget(struct sw_history *history)
{
	size_t i;

	for (i = 0; i < SW_HISTORY_STATEMENTS; i++) {
		sqlite3_finalize(history->statements[i]);
		history->statements[i] = NULL;
	}
	sqlite3_close(history->db);
	history->db = NULL;
	history->is_in_transaction = false;
}

static int try_using(struct sw_history *history, bool is_to_write,
		     struct sw_error *error)
{
	struct stat status;
	mode_t mask;
	int rc;

	if (!is_to_write && stat(history->path, &status) < 0)
		return sw_error_errno(error, "%s: the history cannot be read",
				      history->path);
	/* Other users' runs are not public. */
	mask = umask(0027);
	rc = open_database(history, is_to_write);
	umask(mask);
	if (rc != SQLITE_OK)
		return sw_history_fail(history, rc, is_to_write ?
				       "nothing was added to the history" :
				       "the history was not read", error);
	if (is_to_write && sqlite3_db_readonly(history->db, "main") == 1) {
		errno = EACCES;
		return sw_error_errno(error, "%s: nothing was added to the "
				      "history", history->path);
	}
	return sw_history_migrate(history, error);
}

/*
 * SQLite waits for locks, but not while the last user of the file removes its
 * log, or while a log is recovered (sqlite.org/wal.html, "Sometimes Queries
 * Return SQLITE_BUSY In WAL Mode").
 */
static int begin_using(struct sw_history *history, bool is_to_write,
		       struct sw_error *error)
{
	const struct timespec nap = { .tv_nsec = 10000000 };
	uint64_t start = sw_clock_boottime_usec();
	uint64_t patience = 1000 * (uint64_t)history->wait_msec;

	for (;;) {
		if (try_using(history, is_to_write, error) == 0)
			return 0;
		if (errno != EBUSY ||
		    sw_clock_boottime_usec() - start >= patience)
			return -1;
		forget(history);
		nanosleep(&nap, NULL);
	}
}

static int rename_all(const char *path, const char *aside)
{
	static const char *const endings[] = { "-wal", "-shm", "-journal" };
	char from[PATH_MAX + 16], to[PATH_MAX + 64];
	size_t i;

	if (rename(path, aside) < 0)
		return -1;
	/* The new database must not find the old one's log. */
	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		snprintf(from, sizeof(from), "%s%s", path, endings[i]);
		snprintf(to, sizeof(to), "%s%s", aside, endings[i]);
		(void)rename(from, to);
	}
	return 0;
}

static int move_aside(const char *path, struct sw_error *error)
{
	char aside[PATH_MAX + 32];
	int i;

	for (i = 1; i <= ASIDE_MAX; i++) {
		snprintf(aside, sizeof(aside), "%s.damaged-%d", path, i);
		if (access(aside, F_OK) == 0)
			continue;
		if (rename_all(path, aside) < 0)
			return sw_error_errno(error, "%s: damaged, and cannot "
					      "be moved aside; nothing was "
					      "added to the history", path);
		fprintf(stderr, "stepwell: %s: damaged; moved to %s, and a new "
			"history was started\n", path, aside);
		return 0;
	}
	errno = EEXIST;
	return sw_error_set(error, "%s: damaged, and %d earlier damaged copies "
			    "lie beside it; remove these first",
			    path, ASIDE_MAX);
}

/* Return true if every page can be read. */
static bool is_sound(struct sw_history *history)
{
	sqlite3_stmt *statement = NULL;
	const char *answer;
	bool is_ok = false;

	if (sqlite3_prepare_v2(history->db, "PRAGMA quick_check(1)", -1,
			       &statement, NULL) == SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW) {
		answer = (const char *)sqlite3_column_text(statement, 0);
		is_ok = answer && !strcmp(answer, "ok");
	}
	sqlite3_finalize(statement);
	return is_ok;
}

/*
 * Two processes that find the damage at the same time must not also move the
 * new file aside: the second one finds it sound.
 */
static int replace_damaged(struct sw_history *history, bool is_to_check,
			   struct sw_error *error)
{
	char name[PATH_MAX + 8];
	int fd, rc;

	snprintf(name, sizeof(name), "%s.lock", history->path);
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return sw_error_errno(error, "%s: damaged, and no lock file "
				      "can be created to move it aside",
				      history->path);
	(void)flock(fd, LOCK_EX);
	rc = begin_using(history, true, error);
	if (rc == 0 && is_to_check && !is_sound(history)) {
		rc = -1;
		errno = EUCLEAN;
	}
	if (rc < 0 && errno == EUCLEAN) {
		forget(history);
		history->was_damaged = true;
		rc = move_aside(history->path, error);
		if (rc == 0)
			rc = begin_using(history, true, error);
	}
	(void)unlink(name);
	close(fd);
	return rc;
}

struct sw_history *sw_history_new(const char *path, int wait_msec,
				  struct sw_error *error)
{
	struct sw_history *history = calloc(1, sizeof(*history));

	if (history) {
		history->path = strdup(path);
		history->wait_msec = wait_msec;
	}
	if (history && history->path)
		return history;
	sw_error_set(error, "not enough memory");
	sw_history_close(history);
	errno = ENOMEM;
	return NULL;
}

struct sw_history *sw_history_open_as(const char *path,
				      const struct sw_history_access *access,
				      struct sw_error *error)
{
	struct sw_history *history;
	int rc;

	history = sw_history_new(path, access->wait_msec, error);
	if (!history)
		return NULL;
	rc = access->is_to_write ? make_folders(path, error) : 0;
	if (rc == 0)
		rc = begin_using(history, access->is_to_write, error);
	if (rc < 0 && errno == EUCLEAN && access->is_to_write &&
	    !access->leaves_damaged) {
		forget(history);
		rc = replace_damaged(history, false, error);
	}
	if (rc < 0) {
		rc = errno;
		sw_history_close(history);
		history = NULL;
		errno = rc;
	}
	return history;
}

const struct sw_history_access sw_history_patient = {
	.wait_msec = LOCK_WAIT_MSEC,
};

struct sw_history *sw_history_open(const char *path, bool is_to_write,
				   struct sw_error *error)
{
	const struct sw_history_access access = {
		.is_to_write = is_to_write, .wait_msec = LOCK_WAIT_MSEC,
	};

	return sw_history_open_as(path, &access, error);
}

struct sw_history *sw_history_replace(const char *path, struct sw_error *error)
{
	struct sw_history *history = sw_history_open(path, true, error);
	int rc;

	if (!history || history->was_damaged || is_sound(history))
		return history;
	forget(history);
	rc = replace_damaged(history, true, error);
	if (rc == 0)
		return history;
	rc = errno;
	sw_history_close(history);
	errno = rc;
	return NULL;
}

bool sw_history_was_damaged(const struct sw_history *history)
{
	return history->was_damaged;
}

int sw_history_count(struct sw_history *history, size_t *count,
		     struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc = sqlite3_prepare_v2(history->db, "SELECT count(*) FROM runs",
				    -1, &statement, NULL);

	*count = 0;
	if (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
		*count = (size_t)sqlite3_column_int64(statement, 0);
		rc = SQLITE_DONE;
	}
	if (rc != SQLITE_DONE)
		sw_history_fail(history, rc, "the history was not read", error);
	sqlite3_finalize(statement);
	return rc == SQLITE_DONE ? 0 : -1;
}

void sw_history_close(struct sw_history *history)
{
	if (!history)
		return;
	forget(history);
	free(history->path);
	free(history);
}
