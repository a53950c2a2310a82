/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check that the folders in profile_dir belong to the users whose uids are
 * their names: everybody may create a name there.  Nothing is opened, since
 * others' folders may be on a file system that does not respond.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"
#include "common/escape.h"
#include "common/users_folder.h"

enum { NAMED_MAX = 3 };

struct strangers {
	size_t count, folders;
	size_t length;
	char text[320];		/* text for the first one */
};

/* As created by the recorder: "<uid>", "<uid>.1" to ".9", "<uid>.x<digits>". */
static bool parse_name(const char *name, uint32_t *uid)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)name[0]))
		return false;
	number = strtoull(name, &end, 10);
	*uid = (uint32_t)number;
	return number < UINT32_MAX &&
	       (!*end || !strncmp(end, ".x", 2) ||
		(end[0] == '.' && end[1] >= '1' && end[1] <= '9' && !end[2]));
}

static void add(struct strangers *strangers, const char *name, uint32_t owner,
		const char *why)
{
	char quoted[40];

	if (strangers->count++ >= NAMED_MAX)
		return;
	sw_escape_terminal(quoted, sizeof(quoted), name);
	strangers->length += (size_t)snprintf(
		strangers->text + strangers->length,
		sizeof(strangers->text) - strangers->length,
		"%s%s (%s, created by user %u)", strangers->length ? ", " : "",
		quoted, why, owner);
}

static void look(struct strangers *strangers, int dirfd, const char *name)
{
	struct statx status;
	const char *why;
	uint32_t uid = 0;
	bool is_named = parse_name(name, &uid);

	/* The doctor's own files, and names that are no user's folder. */
	if (name[0] == '.')
		return;
	why = sw_users_folder_fault(dirfd, dirfd, name, uid, &status);
	if (!status.stx_mask)
		return;
	if (!is_named)
		why = "not a user ID";
	else if (!why && (status.stx_mode & (S_IWGRP | S_IWOTH)))
		why = "writable by others";
	if (why)
		add(strangers, name, status.stx_uid, why);
	else
		strangers->folders++;
}

static void say(struct sw_answer *answer, const struct strangers *strangers,
		const char *path)
{
	if (strangers->count == 0)
		sw_answer_ok(answer, "%zu folder%s in %s, each owned by its "
			     "user",
			     strangers->folders,
			     strangers->folders == 1 ? "" : "s", path);
	else
		sw_answer_warn(answer, "names taken by others",
			       "%zu name%s in %.80s %s not the folder of the "
			       "user of that number: %s%s; such a user gets "
			       "profiles in UID.1 to UID.9; ask who created "
			       "them, then remove them", strangers->count,
			       strangers->count == 1 ? "" : "s", path,
			       strangers->count == 1 ? "is" : "are",
			       strangers->text,
			       strangers->count > NAMED_MAX ? ", ..." : "");
}

void sw_check_folders(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct strangers strangers = { .text = "" };
	char path[PATH_MAX];
	struct dirent *item;
	int fd;
	DIR *dir;

	sw_doctor_profile_dir(doctor, path, sizeof(path));
	fd = sw_doctor_open(doctor, path,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		sw_answer_skip(answer, errno == EACCES ? "needs root" :
			       "no folder for users", "%s: %s", path,
			       strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((item = readdir(dir)))
		look(&strangers, fd, item->d_name);
	closedir(dir);
	say(answer, &strangers, path);
}
