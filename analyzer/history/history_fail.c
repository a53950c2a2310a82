/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of SQLite, with their consequence. */
#include "analyzer/history/history_internal.h"

#include <errno.h>

/* Convert an SQLite result to an errno of history.h. */
static int errno_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return EBUSY;
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_CANTOPEN:
		return EACCES;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return EUCLEAN;
	case SQLITE_NOMEM:
		return ENOMEM;
	default:
		return EIO;
	}
}

int sw_history_fail(struct sw_history *history, int code,
		    const char *consequence, struct sw_error *error)
{
	int number = errno_of(code);

	if (number == EBUSY)
		sw_error_set(error, "%s: locked by another process for more "
			     "than %.2g s; %s", history->path,
			     history->wait_msec / 1000.0, consequence);
	else
		sw_error_set(error, "%s: %s; %s", history->path,
			     history->db ? sqlite3_errmsg(history->db) :
			     sqlite3_errstr(code), consequence);
	errno = number;
	return -1;
}
