/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of past nights, one file each: "2026-11-22.sweep".  There is one
 * writer at a time, and a file is complete or absent, so that a sweep that was
 * killed can be repeated with the same result.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_STORE_H
#define SW_ANALYZER_SWEEP_NIGHT_STORE_H

#include "analyzer/print/out_file.h"
#include "analyzer/sweep/night/month.h"
#include "analyzer/sweep/night/trail.h"

/* The folder without --state: from the setting, or the user's own. */
int sw_sweep_folder(const char *setting, char *path, size_t size,
		    struct sw_error *error);

/* Make the folder and its parents.  Return 0, or -1 with *error. */
int sw_sweep_make_folder(const char *folder, struct sw_error *error);

/*
 * Make the folder, and lock it until sw_sweep_unlock().  Return a descriptor,
 * or -1 with *error (EBUSY: locked by another sweep).
 */
int sw_sweep_lock(const char *folder, struct sw_error *error);
void sw_sweep_unlock(int fd);

/* Load or save one night.  Return 0, or -1 with *error. */
int sw_night_load(struct sw_night *night, const char *path,
		  struct sw_error *error);
int sw_night_save(const struct sw_night *night,
		  const struct sw_out_request *request, struct sw_error *error);

/* For a path in the folder of past nights. */
struct sw_out_request sw_night_request(const char *path);

/* Path of a day's file. */
void sw_sweep_path(char *path, size_t size, const char *folder,
		   uint64_t from_seconds);

enum {
	SW_PAST_DAYS = 14,	/* compared with a night */
	SW_MONTH_DAYS = 30,	/* for savings */
};

/* The nights before one; zeroed: none. */
struct sw_past {
	struct sw_night night;		/* of SW_PAST_DAYS, merged */
	size_t nights;			/* that were found */
	struct sw_month month;		/* of SW_MONTH_DAYS, separately */
	struct sw_keyed trails;		/* of SW_PAST_DAYS; struct sw_trail */
};

/*
 * Load the nights before night, which month includes as well; folder NULL:
 * none.  A damaged file is skipped, with a message on stderr.  Return 0, or -1
 * with *error (ENOMEM).
 */
int sw_past_load(struct sw_past *past, const char *folder,
		 const struct sw_night *night,
		 const struct sw_settings *settings, struct sw_error *error);
void sw_past_fini(struct sw_past *past);

/* True if the file below dirfd is a night. */
bool sw_sweep_is_night(int dirfd, const char *name);

/* Delete nights, with their pages, from more than days before. */
void sw_sweep_expire(const char *folder, uint64_t before_seconds, int days);

#endif
