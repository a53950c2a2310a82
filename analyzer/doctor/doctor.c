/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code shared by the checks: files below a root that links cannot leave, and
 * answers.  A folder as root needs openat2(2) (Linux 5.6); the live machine
 * does not.
 */
#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/doctor_probes.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const health_names[SW_HEALTH_COUNT] = {
	[SW_HEALTH_NONE] = "?",
	[SW_HEALTH_OK] = "OK",
	[SW_HEALTH_WARN] = "WARN",
	[SW_HEALTH_FAIL] = "FAIL",
	[SW_HEALTH_SKIP] = "SKIP",
};

const char *sw_health_name(enum sw_health health)
{
	return health_names[health];
}

enum sw_health sw_health_parse(const char *name)
{
	enum sw_health health = SW_HEALTH_OK;

	while (health < SW_HEALTH_COUNT &&
	       strcmp(name, health_names[health]) != 0)
		health++;
	return health < SW_HEALTH_COUNT ? health : SW_HEALTH_NONE;
}

int sw_doctor_init(struct sw_doctor *doctor, const char *root,
		   struct sw_error *error)
{
	struct stat stat;
	int fd;

	if (!root || !strcmp(root, "/"))
		root = "";
	fd = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return sw_error_errno(error, "%s: cannot be opened", root);
	if (fstat(fd, &stat) < 0) {
		sw_error_errno(error, "%s: cannot be examined", root);
		close(fd);
		return -1;
	}
	*doctor = (struct sw_doctor){
		.root = root,
		.root_fd = fd,
		.is_live = *root == '\0',
		/* A tree unpacked by a user belongs to that user entirely. */
		.is_root = geteuid() == stat.st_uid,
		.owner = stat.st_uid,
		.probes = { .statfs = fstatfs },
	};
	if (doctor->is_live)
		doctor->probes = sw_probes_live;
	return 0;
}

void sw_doctor_fini(struct sw_doctor *doctor)
{
	close(doctor->root_fd);
	doctor->root_fd = -1;
}

void sw_doctor_ask(const struct sw_doctor *doctor,
		   const struct sw_check *check, struct sw_answer *answer)
{
	memset(answer, 0, sizeof(*answer));
	check->run(doctor, answer);
	if (answer->health == SW_HEALTH_NONE)
		sw_answer_fail(answer, "the check gave no answer",
			       "the check gave no answer; this is a defect of "
			       "stepwell");
}

int sw_doctor_open(const struct sw_doctor *doctor, const char *path, int flags)
{
	struct open_how how = { .resolve = RESOLVE_IN_ROOT };

	/* openat2() rejects meaningless combinations of flags. */
	flags |= O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY);
	if (doctor->is_live)
		return open(path, flags);
	how.flags = (unsigned)flags;
	return (int)syscall(SYS_openat2, doctor->root_fd, path, &how,
			    sizeof(how));
}

int sw_doctor_stat(const struct sw_doctor *doctor, const char *path,
		   struct stat *stat)
{
	int fd = sw_doctor_open(doctor, path, O_PATH | O_NOFOLLOW), rc;

	if (fd < 0)
		return -1;
	rc = fstat(fd, stat);
	close(fd);
	return rc;
}

bool sw_doctor_has(const struct sw_doctor *doctor, const char *path)
{
	struct stat stat;

	return sw_doctor_stat(doctor, path, &stat) == 0;
}

ssize_t sw_doctor_read(const struct sw_doctor *doctor, const char *path,
		       char *buf, size_t size)
{
	/* Do not block on a FIFO. */
	int fd = sw_doctor_open(doctor, path, O_RDONLY | O_NONBLOCK);
	size_t length = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -1;
	while (length < size - 1 && got > 0) {
		got = read(fd, buf + length, size - 1 - length);
		if (got > 0)
			length += (size_t)got;
	}
	buf[length] = '\0';
	close(fd);
	return got < 0 ? -1 : (ssize_t)length;
}

/* Escape glob characters in the root's name. */
static int glob_pattern(char *buf, size_t size, const char *root,
			const char *pattern)
{
	size_t length = 0;

	for (; *root && length + 2 < size; root++) {
		if (strchr("\\*?[", *root))
			buf[length++] = '\\';
		buf[length++] = *root;
	}
	if (*root || strlen(pattern) >= size - length) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(buf + length, pattern, strlen(pattern) + 1);
	return 0;
}

size_t sw_doctor_find(const struct sw_doctor *doctor,
		      const char *const *patterns, char *path, size_t size)
{
	char pattern[PATH_MAX];
	size_t count = 0;
	glob_t found;

	for (; *patterns; patterns++) {
		if (glob_pattern(pattern, sizeof(pattern), doctor->root,
				 *patterns) < 0)
			continue;
		if (glob(pattern, 0, NULL, &found) != 0)
			continue;
		if (count == 0 && found.gl_pathc)
			snprintf(path, size, "%s",
				 found.gl_pathv[0] + strlen(doctor->root));
		count += found.gl_pathc;
		globfree(&found);
	}
	return count;
}

static FILE *open_names(const struct sw_doctor *doctor, const char *path)
{
	int fd = sw_doctor_open(doctor, path, O_RDONLY | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (!file && fd >= 0)
		close(fd);
	return file;
}

static int find_uid(const struct sw_doctor *doctor, const char *name,
		    uid_t *uid)
{
	FILE *file = open_names(doctor, "/etc/passwd");
	const struct passwd *user = NULL;

	while (file && (user = fgetpwent(file)) != NULL &&
	       strcmp(user->pw_name, name) != 0)
		;
	if (user)
		*uid = user->pw_uid;
	if (file)
		fclose(file);
	errno = ENOENT;
	return user ? 0 : -1;
}

static int find_gid(const struct sw_doctor *doctor, const char *name,
		    gid_t *gid)
{
	FILE *file = open_names(doctor, "/etc/group");
	const struct group *group = NULL;

	while (file && (group = fgetgrent(file)) != NULL &&
	       strcmp(group->gr_name, name) != 0)
		;
	if (group)
		*gid = group->gr_gid;
	if (file)
		fclose(file);
	errno = ENOENT;
	return group ? 0 : -1;
}

int sw_doctor_user(const struct sw_doctor *doctor, const char *name,
		   uid_t *uid)
{
	const struct passwd *user;

	if (!doctor->is_live)
		return find_uid(doctor, name, uid);
	user = getpwnam(name);
	if (user)
		*uid = user->pw_uid;
	errno = ENOENT;
	return user ? 0 : -1;
}

int sw_doctor_group(const struct sw_doctor *doctor, const char *name,
		    gid_t *gid)
{
	const struct group *group;

	if (!doctor->is_live)
		return find_gid(doctor, name, gid);
	group = getgrnam(name);
	if (group)
		*gid = group->gr_gid;
	errno = ENOENT;
	return group ? 0 : -1;
}

static void say(struct sw_answer *answer, enum sw_health health,
		const char *cause, const char *format, va_list args)
{
	answer->health = health;
	answer->cause = cause;
	vsnprintf(answer->text, sizeof(answer->text), format, args);
}

void sw_answer_ok(struct sw_answer *answer, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(answer, SW_HEALTH_OK, "", format, args);
	va_end(args);
}

void sw_answer_warn(struct sw_answer *answer, const char *cause,
		    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(answer, SW_HEALTH_WARN, cause, format, args);
	va_end(args);
}

void sw_answer_fail(struct sw_answer *answer, const char *cause,
		    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(answer, SW_HEALTH_FAIL, cause, format, args);
	va_end(args);
}

void sw_answer_skip(struct sw_answer *answer, const char *cause,
		    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(answer, SW_HEALTH_SKIP, cause, format, args);
	va_end(args);
}

void sw_answer_fix(struct sw_answer *answer, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(answer->fix, sizeof(answer->fix), format, args);
	va_end(args);
}

bool sw_is_plain_word(const char *word)
{
	return *word && strspn(word, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789/._+-") == strlen(word);
}
