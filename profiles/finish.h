/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of a profile's files, and the rename of NAME.part to NAME. */
#ifndef SW_PROFILES_FINISH_H
#define SW_PROFILES_FINISH_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

struct sw_profile_names {
	int dirfd;
	bool is_replacing;
	char name[NAME_MAX + 1];
	char part[NAME_MAX + 1];
	char tail[NAME_MAX + 1];
};

/*
 * Fill in the names.  Without is_replacing none of the three files may exist;
 * with it, opening the files removes old ones.  Returns -1 with errno and
 * *error.
 */
int sw_names_make(struct sw_profile_names *names, int dirfd, const char *name,
		  bool is_replacing, struct sw_error *error);

void sw_names_remove_part(const struct sw_profile_names *names);
void sw_names_remove_tail(const struct sw_profile_names *names);

/* Rename the finished .part to its final name and remove the tail. */
int sw_names_finish(const struct sw_profile_names *names,
		    struct sw_error *error);

#endif
