/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check the folders of profiles, and their owners. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/node_counted.h"
#include "analyzer/doctor/plugstack.h"
#include "analyzer/nodes/catalogue.h"
#include "analyzer/settings/settings.h"
#include "common/units.h"

enum {
	SPOOL_MODE = 0700,
	PROFILES_MODE = 03773,
	/* Full within a day, or at once, if less is free. */
	FREE_WARN_MIB = 1024,
	FREE_FAIL_MIB = 64,
};

/*
 * File systems that may hang or are remote (statfs(2), linux/magic.h; Lustre,
 * GPFS and BeeGFS define theirs in their own sources).
 */
static const struct {
	unsigned long magic;
	const char *name;
} remote_file_systems[] = {
	{ 0x6969, "NFS" }, { 0xff534d42, "CIFS" }, { 0xfe534d42, "SMB" },
	{ 0x65735546, "FUSE" }, { 0x00c36400, "Ceph" },
	{ 0x5346414f, "AFS" }, { 0x0bd00bd0, "Lustre" },
	{ 0x47504653, "GPFS" }, { 0x19830326, "BeeGFS" },
	{ 0x01021997, "9P" },
};

/* Skip what only a Slurm node needs. */
static bool is_not_needed(const struct sw_doctor *doctor,
			  struct sw_answer *answer, const char *what)
{
	if (sw_slurm_has_daemon(doctor))
		return false;
	sw_answer_skip(answer, "no slurmd here",
		       "no slurmd here, so no %s is needed", what);
	return true;
}

void sw_check_account(const struct sw_doctor *doctor,
		      struct sw_answer *answer)
{
	uid_t uid;
	gid_t gid;

	if (sw_doctor_user(doctor, SW_DOCTOR_ACCOUNT, &uid) < 0 ||
	    sw_doctor_group(doctor, SW_DOCTOR_ACCOUNT, &gid) < 0) {
		if (is_not_needed(doctor, answer, "account"))
			return;
		sw_answer_fail(answer, "no account",
			       "no user and group \"" SW_DOCTOR_ACCOUNT "\": "
			       "only their owners can read delivered "
			       "profiles");
		sw_answer_fix(answer, "useradd --system --user-group "
			      "--home-dir /nonexistent --shell "
			      "/usr/sbin/nologin " SW_DOCTOR_ACCOUNT);
	} else if (uid == 0 || gid == 0) {
		sw_answer_fail(answer, "the account is root",
			       "user or group \"" SW_DOCTOR_ACCOUNT "\" has "
			       "the id 0");
	} else {
		sw_answer_ok(answer, "user %u, group %u", uid, gid);
	}
}

static struct sw_settings *load_settings(const struct sw_doctor *doctor,
					 struct sw_error *error)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", doctor->root, SW_SETTINGS_PATH);
	return sw_settings_load(doctor->is_live ? NULL : path, error);
}

void sw_doctor_profile_dir(const struct sw_doctor *doctor, char *path,
			   size_t size)
{
	struct sw_settings *settings = NULL;
	const char *folder = NULL;

	/* For an image without the file, the default is no error either. */
	if (doctor->is_live || sw_doctor_has(doctor, SW_SETTINGS_PATH))
		settings = load_settings(doctor, NULL);
	if (settings)
		folder = sw_settings_places(settings)->profile_dir;
	snprintf(path, size, "%s", folder ? folder :
		 SW_DOCTOR_SPOOL_PARENT "/profiles");
	sw_settings_free(settings);
}

/* Without it, reports only lack costs. */
static void check_catalogue(const struct sw_doctor *doctor,
			    const struct sw_settings *settings,
			    struct sw_answer *answer)
{
	const char *name = sw_settings_node_catalogue(settings);
	struct sw_catalogue catalogue = { 0 };
	struct sw_error error;
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", doctor->root, name ? name : "");
	if (sw_catalogue_read(&catalogue, name ? path : NULL, &error) < 0)
		sw_answer_warn(answer, "an error in the catalogue of nodes",
			       "%s, so no job has a cost", error.text);
	else
		sw_answer_ok(answer, "the settings are valid");
	sw_catalogue_fini(&catalogue);
}

void sw_check_settings(const struct sw_doctor *doctor,
		       struct sw_answer *answer)
{
	struct sw_settings *settings;
	struct sw_error error;

	if (!doctor->is_live && !sw_doctor_has(doctor, SW_SETTINGS_PATH)) {
		sw_answer_ok(answer, "no " SW_SETTINGS_PATH ": the defaults are "
			     "used");
		return;
	}
	settings = load_settings(doctor, &error);
	if (settings && sw_settings_warning(settings))
		sw_answer_warn(answer, "settings not readable", "%s",
			       sw_settings_warning(settings));
	else if (settings)
		check_catalogue(doctor, settings, answer);
	else
		sw_answer_fail(answer, "an error in the settings",
			       "%s, so no report can be written", error.text);
	sw_settings_free(settings);
}

static const char *remote_name(const struct statfs *statfs)
{
	size_t i, count = sizeof(remote_file_systems) /
			  sizeof(*remote_file_systems);

	for (i = 0; i < count; i++) {
		if ((uint32_t)statfs->f_type ==
		    (uint32_t)remote_file_systems[i].magic)
			return remote_file_systems[i].name;
	}
	return NULL;
}

static uint64_t free_bytes(const struct statfs *statfs)
{
	return (uint64_t)statfs->f_bavail * (uint64_t)statfs->f_bsize;
}

static void fix_folder(struct sw_answer *answer, const char *path,
		       unsigned mode, const char *group)
{
	if (!sw_is_plain_word(path))
		return;
	sw_answer_fix(answer, "install -d -m %04o -o root -g %s %s", mode,
		      group, path);
}

/* Warn about recordings that were removed because of spool_max_mib. */
static bool is_too_small(const struct sw_doctor *doctor,
			 struct sw_answer *answer)
{
	struct sw_counted counts;
	char path[PATH_MAX];

	if (sw_node_counted_read(doctor, &counts, path, sizeof(path)) < 0 ||
	    counts.number[SW_COUNT_REMOVED] == 0)
		return false;
	sw_answer_warn(answer, "recordings were removed",
		       "spool_max_mib was reached: %" PRIu64 " recordings that "
		       "could not be delivered were removed since the recorder "
		       "started; its log says whose, and why they were not "
		       "delivered",
		       counts.number[SW_COUNT_REMOVED]);
	return true;
}

static void judge_space(int fd, const struct sw_doctor *doctor,
			struct sw_answer *answer)
{
	char size[SW_UNITS_TEXT_SIZE];
	struct statfs statfs;

	if (doctor->probes.statfs(fd, &statfs) < 0) {
		sw_answer_fail(answer, "cannot be read",
			       SW_DOCTOR_SPOOL ": %s", strerror(errno));
		return;
	}
	sw_size_format(size, sizeof(size), free_bytes(&statfs));
	if (remote_name(&statfs))
		sw_answer_fail(answer, "the spool is on a network",
			       SW_DOCTOR_SPOOL " is on %s: it must be on a "
					       "local disk of this node, or in "
					       "its memory",
			       remote_name(&statfs));
	else if (free_bytes(&statfs) < FREE_FAIL_MIB * SW_MIB)
		sw_answer_fail(answer, "no space",
			       "%s free for " SW_DOCTOR_SPOOL ": series are "
			       "being dropped; make room", size);
	else if (free_bytes(&statfs) < FREE_WARN_MIB * SW_MIB)
		sw_answer_warn(answer, "little space",
			       "%s free for " SW_DOCTOR_SPOOL ": series are "
			       "dropped when it is full; make room", size);
	else if (!is_too_small(doctor, answer))
		sw_answer_ok(answer, SW_DOCTOR_SPOOL ", root's alone, %s free",
			     size);
}

static void judge_spool(const struct sw_doctor *doctor,
			const struct stat *spool, struct sw_answer *answer)
{
	int fd = sw_doctor_open(doctor, SW_DOCTOR_SPOOL,
				O_PATH | O_DIRECTORY | O_NOFOLLOW);

	if (fd < 0)
		sw_answer_fail(answer, "cannot be read",
			       SW_DOCTOR_SPOOL ": %s", strerror(errno));
	else if (spool->st_uid != doctor->owner ||
		 (spool->st_mode & 07777) != SPOOL_MODE)
		sw_answer_fail(answer, "wrong owner or mode",
			       SW_DOCTOR_SPOOL " is owned by user %u with mode "
					       "%04o instead of root with "
					       "0700: profiles of one user "
					       "must not be readable by others",
			       spool->st_uid, spool->st_mode & 07777);
	else
		judge_space(fd, doctor, answer);
	if (fd >= 0)
		close(fd);
}

/* Whoever can write to the parent folder can replace the spool. */
static bool is_parent_safe(const struct sw_doctor *doctor)
{
	struct stat parent;

	return sw_doctor_stat(doctor, SW_DOCTOR_SPOOL_PARENT, &parent) == 0 &&
	       S_ISDIR(parent.st_mode) && parent.st_uid == doctor->owner &&
	       !(parent.st_mode & (S_IWGRP | S_IWOTH));
}

void sw_check_spool(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct stat spool;

	if (sw_doctor_stat(doctor, SW_DOCTOR_SPOOL, &spool) < 0) {
		if (is_not_needed(doctor, answer, "spool"))
			return;
		sw_answer_fail(answer, "no spool",
			       SW_DOCTOR_SPOOL ": %s, so profiles of Slurm "
					       "jobs cannot be stored",
					       strerror(errno));
		fix_folder(answer, SW_DOCTOR_SPOOL, SPOOL_MODE, "root");
	} else if (!S_ISDIR(spool.st_mode)) {
		sw_answer_fail(answer, "the spool is not a folder",
			       SW_DOCTOR_SPOOL
			       " is not a folder, and links "
			       "are not followed: move it away");
	} else if (!is_parent_safe(doctor)) {
		sw_answer_fail(answer, "the parent folder is not root's",
			       SW_DOCTOR_SPOOL_PARENT " is writable by others "
						      "than root, who could "
						      "replace the spool");
		fix_folder(answer, SW_DOCTOR_SPOOL_PARENT, 0755, "root");
	} else {
		judge_spool(doctor, &spool, answer);
		if (!strcmp(answer->cause, "wrong owner or mode"))
			fix_folder(answer, SW_DOCTOR_SPOOL, SPOOL_MODE,
				   "root");
	}
}

/*
 * A remote folder may be on a server with root squash: a failing command must
 * not stop the others.
 */
static void fix_profile_dir(struct sw_answer *answer, const char *path)
{
	char command[sizeof(answer->fix)];

	fix_folder(answer, path, PROFILES_MODE, SW_DOCTOR_ACCOUNT);
	if (!answer->fix[0] || !strncmp(path, SW_DOCTOR_SPOOL_PARENT "/",
					strlen(SW_DOCTOR_SPOOL_PARENT "/")))
		return;
	snprintf(command, sizeof(command), "%s", answer->fix);
	sw_answer_fix(answer, "%.200s || echo 'run this on the file server: "
		      "%.200s' >&2", command, command);
}

static void judge_profile_dir(const struct sw_doctor *doctor,
			      const char *path, const struct stat *folder,
			      struct sw_answer *answer)
{
	gid_t gid = 0;

	if (!S_ISDIR(folder->st_mode)) {
		sw_answer_fail(answer, "no folder",
			       "%s is not a folder, and links are not "
			       "followed: move it away", path);
	} else if (sw_doctor_group(doctor, SW_DOCTOR_ACCOUNT, &gid) < 0) {
		sw_answer_skip(answer, "no account",
			       "without the group \"" SW_DOCTOR_ACCOUNT "\", "
			       "the right owner of %s is not known", path);
	} else if (folder->st_uid != doctor->owner || folder->st_gid != gid ||
		   (folder->st_mode & 07777) != PROFILES_MODE) {
		sw_answer_fail(answer, "wrong owner or mode",
			       "%s is owned by user %u, group %u with mode "
			       "%04o instead of root, group "
			       "\"" SW_DOCTOR_ACCOUNT "\" and 3773: users "
			       "cannot create their folder there, or can touch "
			       "another's", path,
			       folder->st_uid, folder->st_gid,
			       folder->st_mode & 07777);
		fix_profile_dir(answer, path);
	} else {
		sw_answer_ok(answer, "%s, mode 3773", path);
	}
}

void sw_check_profile_dir(const struct sw_doctor *doctor,
			  struct sw_answer *answer)
{
	char path[PATH_MAX];
	struct stat folder;

	sw_doctor_profile_dir(doctor, path, sizeof(path));
	if (sw_doctor_stat(doctor, path, &folder) == 0) {
		judge_profile_dir(doctor, path, &folder, answer);
	} else if (!is_not_needed(doctor, answer, "folder for users")) {
		sw_answer_fail(answer, "no folder for users",
			       "%s: %s, so users do not get their profiles",
			       path, strerror(errno));
		fix_profile_dir(answer, path);
	}
}
