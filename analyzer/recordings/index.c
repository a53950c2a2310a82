/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cache of what was read of recordings. */
#include "analyzer/recordings/index.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/keyed/keyed.h"
#include "common/grow.h"
#include "common/text.h"

#define FOLDER "stepwell"
#define NAME "list"
#define MARK "stepwell.index\n"

enum {
	/* Within a tick of the file system's clock a second change of a file
	 * has the same time.  2 s is the coarsest, of FAT. */
	SETTLED_SECONDS = 2,
	HEAD_SIZE = 3 * 8,	/* checksum of the rest, context, count */
	PLACE_SIZE = 3 * 8,	/* stamp, offset, size */
};

/* Larger than 10^6 recordings need. */
#define FILE_BYTES_MAX ((off_t)4 << 30)

struct entry {
	uint64_t stamp;
	const uint8_t *bytes;
	size_t size;
	bool is_used, is_replaced;
};

struct sw_index {
	uint64_t context;
	uint8_t *file;
	struct entry *entries;	/* of the file, sorted */
	size_t count;
	struct entry *added;	/* which own their bytes */
	size_t added_count;
};

/* Folders above the file, of which the first must exist. */
static int find_folders(char path[PATH_MAX], const char **first,
			const char **second)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const bool is_cache = cache && cache[0] == '/';

	*first = is_cache ? NULL : ".cache";
	*second = FOLDER;
	if (!is_cache && !(home && home[0] == '/'))
		return -1;
	return snprintf(path, PATH_MAX, "%s", is_cache ? cache : home) <
			       PATH_MAX ? 0 : -1;
}

/*
 * Open a folder below parent, and close that.  It is only made, and only
 * trusted, where no other user decides: "sudo" may keep the HOME of its caller.
 */
static int step_into(int parent, const char *name, bool is_to_write)
{
	struct stat status;
	int fd;

	if (parent < 0)
		return -1;
	if (is_to_write && fstat(parent, &status) == 0 &&
	    status.st_uid == geteuid())
		mkdirat(parent, name, 0700);
	fd = openat(parent, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(parent);
	if (fd >= 0 && (fstat(fd, &status) < 0 ||
			status.st_uid != geteuid() ||
			status.st_mode & (S_IWGRP | S_IWOTH))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The folder of the file, if it is the caller's alone. */
static int open_folder(bool is_to_write)
{
	const char *first, *second;
	char path[PATH_MAX];
	int fd;

	if (find_folders(path, &first, &second) < 0)
		return -1;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (first)
		fd = step_into(fd, first, is_to_write);
	return step_into(fd, second, is_to_write);
}

static uint8_t *read_all(int fd, size_t size)
{
	uint8_t *bytes = malloc(size ? size : 1);
	size_t done = 0;
	ssize_t got = 1;

	while (bytes && done < size && got > 0) {
		got = read(fd, bytes + done, size - done);
		if (got > 0)
			done += (size_t)got;
	}
	if (bytes && done == size)
		return bytes;
	free(bytes);
	return NULL;
}

static uint64_t checksum(const uint8_t *bytes, size_t size)
{
	return sw_keyed_hash_for_table((const char *)bytes, size);
}

/* Enter the places of all entries; false if one is not within the file. */
static bool enter(struct sw_index *index, struct sw_unpack *file,
		  size_t count, const uint8_t *start)
{
	const uint64_t size = (uint64_t)(file->end - start);
	size_t i;

	index->entries = calloc(count ? count : 1, sizeof(*index->entries));
	if (!index->entries)
		return false;
	for (i = 0; i < count; i++) {
		struct entry *entry = &index->entries[i];
		uint64_t offset;

		entry->stamp = sw_unpack_number(file);
		offset = sw_unpack_number(file);
		entry->size = sw_unpack_number(file);
		if (offset > size || entry->size > size - offset)
			return false;
		entry->bytes = start + offset;
	}
	index->count = count;
	return !file->is_bad;
}

static void parse(struct sw_index *index, size_t size)
{
	const size_t mark = strlen(MARK);
	struct sw_unpack file = { .at = index->file + mark,
				  .end = index->file + size };
	const uint8_t *checked;
	uint64_t sum, count;

	if (size < mark + HEAD_SIZE || memcmp(index->file, MARK, mark) != 0)
		return;
	sum = sw_unpack_number(&file);
	checked = file.at;
	if (sum != checksum(checked, (size_t)(file.end - checked)) ||
	    sw_unpack_number(&file) != index->context)
		return;
	count = sw_unpack_number(&file);
	if (count > (uint64_t)(file.end - file.at) / PLACE_SIZE ||
	    !enter(index, &file, (size_t)count, index->file))
		index->count = 0;
}

/* A file that others may write says nothing. */
static void load(struct sw_index *index, int dirfd)
{
	int fd = openat(dirfd, NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
			O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_uid == geteuid() && status.st_size < FILE_BYTES_MAX &&
	    !(status.st_mode & (S_IWGRP | S_IWOTH))) {
		index->file = read_all(fd, (size_t)status.st_size);
		if (index->file)
			parse(index, (size_t)status.st_size);
	}
	close(fd);
}

/* Also of this program: another build may read recordings differently. */
static uint64_t hash_context(const char *context)
{
	uint64_t hash = sw_fnv(SW_FNV_FIRST, context, strlen(context));
	struct stat status = { 0 };
	uint64_t self[4];

	if (stat("/proc/self/exe", &status) < 0)
		memset(&status, 0, sizeof(status));
	self[0] = (uint64_t)status.st_ino;
	self[1] = (uint64_t)status.st_size;
	self[2] = (uint64_t)status.st_mtim.tv_sec;
	self[3] = (uint64_t)status.st_mtim.tv_nsec;
	return sw_fnv(hash, self, sizeof(self));
}

struct sw_index *sw_index_open(const char *context)
{
	struct sw_index *index = calloc(1, sizeof(*index));
	int dirfd = index ? open_folder(false) : -1;

	if (index)
		index->context = hash_context(context);
	if (dirfd >= 0)
		load(index, dirfd);
	if (dirfd >= 0)
		close(dirfd);
	return index;
}

uint64_t sw_index_stamp(const char *path, const struct stat *status)
{
	const uint64_t as_is[] = {
		(uint64_t)status->st_dev, (uint64_t)status->st_ino,
		(uint64_t)status->st_size, status->st_uid, status->st_mode,
		(uint64_t)status->st_mtim.tv_sec,
		(uint64_t)status->st_mtim.tv_nsec,
		(uint64_t)status->st_ctim.tv_sec,
		(uint64_t)status->st_ctim.tv_nsec,
	};
	time_t now = time(NULL);

	/* Rows of a file that is being written arrive in another one. */
	if (sw_has_suffix(path, ".part") ||
	    status->st_ctim.tv_sec > now - SETTLED_SECONDS)
		return 0;
	return sw_fnv(sw_fnv(SW_FNV_FIRST, as_is, sizeof(as_is)), path,
		      strlen(path)) | 1;
}

uint64_t sw_index_combine(uint64_t stamp, uint64_t other)
{
	const uint64_t both[] = { stamp, other };

	return stamp && other ? sw_fnv(SW_FNV_FIRST, both, sizeof(both)) | 1 :
				0;
}

static int compare(const void *a, const void *b)
{
	const struct entry *one = a, *two = b;

	return one->stamp < two->stamp ? -1 : one->stamp > two->stamp;
}

/* An entry of the file; NULL: none. */
static struct entry *find(const struct sw_index *index, uint64_t stamp)
{
	const struct entry wanted = { .stamp = stamp };

	return !index || !stamp || !index->count ? NULL :
		bsearch(&wanted, index->entries, index->count,
			sizeof(wanted), compare);
}

bool sw_index_find(struct sw_index *index, uint64_t stamp,
		   struct sw_unpack *unpack)
{
	struct entry *entry = find(index, stamp);

	if (!entry)
		return false;
	entry->is_used = true;
	*unpack = (struct sw_unpack){
		.at = entry->bytes, .end = entry->bytes + entry->size,
	};
	return true;
}

void sw_index_add(struct sw_index *index, uint64_t stamp, struct sw_pack *pack)
{
	struct entry *old;

	if (!index || !stamp || pack->is_short ||
	    sw_grow(&index->added, index->added_count,
		    sizeof(struct entry)) < 0) {
		free(pack->bytes);
		return;
	}
	old = find(index, stamp);
	if (old)
		old->is_replaced = true;
	index->added[index->added_count++] = (struct entry){
		.stamp = stamp, .bytes = pack->bytes, .size = pack->size,
	};
}

/* Those to keep, sorted; NULL if out of memory. */
static struct entry *keep(const struct sw_index *index, size_t *count)
{
	struct entry *kept = calloc(index->count + index->added_count,
				    sizeof(*kept));
	size_t i;

	*count = 0;
	for (i = 0; kept && i < index->count; i++) {
		if (index->entries[i].is_used && !index->entries[i].is_replaced)
			kept[(*count)++] = index->entries[i];
	}
	for (i = 0; kept && i < index->added_count; i++)
		kept[(*count)++] = index->added[i];
	if (kept)
		qsort(kept, *count, sizeof(*kept), compare);
	return kept;
}

static void pack_all(struct sw_pack *pack, uint64_t context,
		     const struct entry *entries, size_t count)
{
	uint64_t offset = strlen(MARK) + HEAD_SIZE + count * PLACE_SIZE;
	size_t i;

	sw_pack_number(pack, context);
	sw_pack_number(pack, count);
	for (i = 0; i < count; i++) {
		sw_pack_number(pack, entries[i].stamp);
		sw_pack_number(pack, offset);
		sw_pack_number(pack, entries[i].size);
		offset += entries[i].size;
	}
	for (i = 0; i < count; i++)
		sw_pack_bytes(pack, entries[i].bytes, entries[i].size);
}

static int write_file(FILE *file, const struct sw_pack *pack)
{
	struct sw_pack sum = { 0 };
	bool is_good;

	sw_pack_number(&sum, checksum(pack->bytes, pack->size));
	is_good = !sum.is_short && fputs(MARK, file) >= 0 &&
		  fwrite(sum.bytes, sum.size, 1, file) == 1 &&
		  fwrite(pack->bytes, pack->size, 1, file) == 1;
	free(sum.bytes);
	return fclose(file) == 0 && is_good ? 0 : -1;
}

/* Replace the file at once; without success the old one stays. */
static void replace(int dirfd, const struct sw_pack *pack)
{
	char name[64];
	FILE *file;
	int fd;

	snprintf(name, sizeof(name), NAME ".%ld", (long)getpid());
	unlinkat(dirfd, name, 0);
	fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
		    O_CLOEXEC, 0600);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file && fd >= 0)
		close(fd);
	if (!file || write_file(file, pack) < 0 ||
	    renameat(dirfd, name, dirfd, NAME) < 0)
		unlinkat(dirfd, name, 0);
}

static void save(const struct sw_index *index)
{
	struct sw_pack pack = { 0 };
	int dirfd = open_folder(true);
	struct entry *kept;
	size_t count;

	if (dirfd < 0)
		return;
	kept = keep(index, &count);
	if (kept)
		pack_all(&pack, index->context, kept, count);
	if (kept && !pack.is_short)
		replace(dirfd, &pack);
	free(pack.bytes);
	free(kept);
	close(dirfd);
}

bool sw_index_is_changed(const struct sw_index *index)
{
	return index && index->added_count > 0;
}

void sw_index_close(struct sw_index *index)
{
	if (!index)
		return;
	if (sw_index_is_changed(index))
		save(index);
	while (index->added_count)
		free((void *)index->added[--index->added_count].bytes);
	free(index->added);
	free(index->entries);
	free(index->file);
	free(index);
}

void sw_index_forget(void)
{
	int dirfd = open_folder(false);

	if (dirfd >= 0) {
		unlinkat(dirfd, NAME, 0);
		close(dirfd);
	}
}
