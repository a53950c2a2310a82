/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of profiles. */
#include "analyzer/recordings/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/recordings/index.h"
#include "analyzer/trust/profile_name.h"
#include "common/escape.h"
#include "common/grow.h"
#include "common/missing.h"
#include "common/path.h"
#include "common/text.h"
#include "common/users_folder.h"

/* Most files read from another user's folder; delivery keeps as many. */
enum { OF_OTHERS_MAX = 65536 };

int sw_store_folder(char *path, size_t size, struct sw_error *error)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	int length;

	if (state && state[0] == '/')
		length = snprintf(path, size, "%s/stepwell", state);
	else if (home && home[0] == '/')
		length = snprintf(path, size, "%s/.local/state/stepwell", home);
	else {
		errno = ENOENT;
		return sw_error_set(error, "neither XDG_STATE_HOME nor HOME is "
				    "set, so there is no folder of recordings");
	}
	if (length < 0 || (size_t)length >= size) {
		errno = ENAMETOOLONG;
		return sw_error_errno(error, "the folder of recordings");
	}
	return 0;
}

/* stat() a file, or the target of a trusted link. */
static int look_at(int dirfd, const char *name, bool follows_links,
		   struct stat *status)
{
	if (fstatat(dirfd, name, status, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (S_ISLNK(status->st_mode) && follows_links &&
	    (status->st_uid == geteuid() || status->st_uid == 0) &&
	    fstatat(dirfd, name, status, 0) < 0)
		return -1;
	return S_ISREG(status->st_mode) ? 0 : -1;
}

static int add(struct sw_store *store, int dirfd, const char *folder,
	       const char *name, bool is_own)
{
	struct sw_store_entry *entry;
	struct stat status;

	if (strlen(folder) + strlen(name) + 2 > PATH_MAX ||
	    look_at(dirfd, name, is_own, &status) < 0)
		return 0;
	/* Skip empty files: another user may have made very many. */
	if (!is_own && status.st_size == 0)
		return 0;
	if (sw_grow(&store->entries, store->count, sizeof(*entry)) < 0)
		return -1;
	entry = &store->entries[store->count];
	if (asprintf(&entry->path, "%s/%s", folder, name) < 0)
		return -1;
	entry->changed = status.st_mtime;
	entry->stamp = sw_index_stamp(entry->path, &status);
	store->count++;
	return 0;
}

static int compare_newest(const void *a, const void *b)
{
	const struct sw_store_entry *one = a, *two = b;

	if (one->changed != two->changed)
		return one->changed < two->changed ? 1 : -1;
	return strcmp(two->path, one->path);
}

/* Return NULL with errno ENOTDIR unless it is this user's folder. */
static DIR *open_folder(const char *folder, uint64_t uid)
{
	int fd = sw_is_missing(uid)
			 ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
			 : sw_users_folder_open(folder, (uint32_t)uid);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

int sw_store_list(struct sw_store *store, const char *folder,
		  struct sw_error *error)
{
	return sw_store_list_of(store, folder, SW_MISSING, error);
}

int sw_store_list_of(struct sw_store *store, const char *folder, uint64_t uid,
		     struct sw_error *error)
{
	const bool is_own = sw_is_missing(uid);
	char shown[160];
	struct dirent *item;
	DIR *dir;

	memset(store, 0, sizeof(*store));
	dir = open_folder(folder, uid);
	if (!dir && errno == ENOENT)
		return 0;
	if (!dir)
		return sw_error_errno(error, "%s: cannot be listed",
				      sw_escape_ascii(shown, sizeof(shown),
						      folder));
	while ((item = readdir(dir)) &&
	       (is_own || store->count < OF_OTHERS_MAX)) {
		if (sw_is_profile_name(item->d_name) &&
		    add(store, dirfd(dir), folder, item->d_name, is_own) < 0) {
			closedir(dir);
			sw_store_fini(store);
			return sw_error_set(error, "not enough memory");
		}
	}
	closedir(dir);
	if (store->count)
		qsort(store->entries, store->count, sizeof(*store->entries),
		      compare_newest);
	return 0;
}

void sw_store_fini(struct sw_store *store)
{
	while (store->count)
		free(store->entries[--store->count].path);
	free(store->entries);
	memset(store, 0, sizeof(*store));
}

void sw_store_id(const char *path, char *id, size_t size)
{
	char *end;

	snprintf(id, size, "%s", sw_path_name(path));
	if (sw_has_suffix(id, ".part"))
		id[strlen(id) - strlen(".part")] = '\0';
	end = strrchr(id, '.');
	if (end && !strcmp(end, ".stepwell"))
		*end = '\0';
}
