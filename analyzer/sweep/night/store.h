/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of past nights, one file for each: "2026-11-22.sweep".  One
 * writer at a time; a file is there as a whole or not at all, so that a sweep
 * that was killed is run again and gives the same.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_STORE_H
#define SW_ANALYZER_SWEEP_NIGHT_STORE_H

#include "analyzer/print/out_file.h"
#include "analyzer/sweep/night/month.h"

/* Where it is without --state or a setting: of this user. */
int sw_sweep_folder(const char *setting, char *path, size_t size,
		    struct sw_error *error);

/* Make the folder, and those above it.  0, or -1 with *error. */
int sw_sweep_make_folder(const char *folder, struct sw_error *error);

/*
 * Make the folder, and lock it until sw_sweep_unlock().  A descriptor, or -1
 * with *error (EBUSY: another sweep writes there).
 */
int sw_sweep_lock(const char *folder, struct sw_error *error);
void sw_sweep_unlock(int fd);

/* One night from or to a file.  0, or -1 with *error. */
int sw_night_load(struct sw_night *night, const char *path,
		  struct sw_error *error);
int sw_night_save(const struct sw_night *night,
		  const struct sw_out_request *request, struct sw_error *error);

/* Of a path in the folder of past nights. */
struct sw_out_request sw_night_request(const char *path);

/* The path of a day's file. */
void sw_sweep_path(char *path, size_t size, const char *folder,
		   uint64_t from_seconds);

enum {
	SW_PAST_DAYS = 14,	/* that a night is compared with */
	SW_MONTH_DAYS = 30,	/* of savings */
};

/* The nights before one; all zero is none. */
struct sw_past {
	struct sw_night night;		/* of SW_PAST_DAYS, as one */
	size_t nights;			/* that were there */
	struct sw_month month;		/* of SW_MONTH_DAYS, each by itself */
};

/*
 * Those before night, which the month has as well; folder NULL: none.  A
 * damaged file is left out, with a complaint on stderr.  0, or -1 with *error
 * (ENOMEM).
 */
int sw_past_load(struct sw_past *past, const char *folder,
		 const struct sw_night *night,
		 const struct sw_settings *settings, struct sw_error *error);
void sw_past_fini(struct sw_past *past);

/* Whether the file below dirfd is a night. */
bool sw_sweep_is_night(int dirfd, const char *name);

/* Delete the nights of more than days before, with their pages. */
void sw_sweep_expire(const char *folder, uint64_t before_seconds, int days);

#endif
