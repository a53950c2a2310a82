/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The open block, in memory shared with a file.  The file's blocks are
 * allocated before it is mapped: a store to a mapped hole on a full disk would
 * raise SIGBUS.  If that fails, the memory is private and a killed writer's
 * open rows are lost.
 */
#include "profiles/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/pages.h"
#include "common/whole.h"
#include "profiles/writer.h"

enum { ZEROES_SIZE = 4096 };

#define TAIL_SIZE ((size_t)SW_TAIL_HEAD_SIZE + SW_BLOCK_BYTES_MAX)

static int write_zeroes(int fd)
{
	static const uint8_t zeroes[ZEROES_SIZE];

	for (size_t at = 0; at < TAIL_SIZE;) {
		size_t want = TAIL_SIZE - at < ZEROES_SIZE ? TAIL_SIZE - at :
							     ZEROES_SIZE;

		if (sw_write_whole(fd, zeroes, want, at) < 0)
			return -1;
		at += want;
	}
	return 0;
}

/*
 * btrfs moves a block that is rewritten, and needs room to do so, unless
 * copy-on-write is off for the file, which can be set only while it is empty.
 */
static int forbid_moving(int fd)
{
	struct statfs fs;
	int flags;

	if (fstatfs(fd, &fs) < 0 || (uint32_t)fs.f_type != BTRFS_SUPER_MAGIC)
		return 0;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
		return -1;
	flags |= FS_NOCOW_FL;
	return ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

/* A file above the limit would not fail but raise SIGXFSZ. */
static bool is_over_limit(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur < TAIL_SIZE;
}

static int take_blocks(int fd)
{
	int status;

	if (is_over_limit() || forbid_moving(fd) < 0)
		return -1;
	do {
		status = fallocate(fd, 0, 0, (off_t)TAIL_SIZE);
	} while (status < 0 && errno == EINTR);
	if (status < 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
		status = write_zeroes(fd);
	return status;
}

/* Return NULL if the file cannot be created or mapped; it is then removed. */
static void *map_file(int dirfd, const char *name)
{
	void *memory = MAP_FAILED;
	int fd = openat(dirfd, name,
			O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			0600);

	if (fd < 0)
		return NULL;
	if (take_blocks(fd) == 0)
		memory = mmap(NULL, TAIL_SIZE, PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
	close(fd);
	if (memory == MAP_FAILED) {
		unlinkat(dirfd, name, 0);
		return NULL;
	}
	/* Most of it stays untouched: disable read-ahead. */
	madvise(memory, TAIL_SIZE, MADV_RANDOM);
	return memory;
}

int sw_tail_open(struct sw_tail *tail, int dirfd, const char *name,
		 uint64_t id)
{
	uint8_t *head = map_file(dirfd, name);

	memset(tail, 0, sizeof(*tail));
	tail->is_shared = head != NULL;
	if (!head)
		head = sw_pages_take(TAIL_SIZE);
	if (!head)
		return -1;
	tail->memory = head;
	tail->id = id;
	tail->generation = 1;
	sw_put_u16(head + SW_TAIL_AT_MAJOR, SW_FORMAT_MAJOR);
	sw_put_u16(head + SW_TAIL_AT_MINOR, SW_FORMAT_MINOR);
	sw_put_u64(head + SW_TAIL_AT_ID, id);
	sw_tail_note(tail, 0, 0, SW_MISSING, SW_MISSING);
	sw_put_u32(head + SW_TAIL_AT_MAGIC, SW_TAIL_MAGIC);
	return 0;
}

void sw_tail_close(struct sw_tail *tail)
{
	if (tail->memory)
		munmap(tail->memory, TAIL_SIZE);
	tail->memory = NULL;
}

static size_t round_up(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

size_t sw_tail_row_bytes(const struct sw_row_shape *shape,
			 const union sw_value *values)
{
	size_t size = SW_TAIL_ROW_HEAD_SIZE +
		      (size_t)shape->column_count * SW_TAIL_SLOT_SIZE;

	for (size_t i = 0; shape->text_count && i < shape->column_count; i++) {
		size_t length;

		if (!shape->is_text[i] || !values[i].text)
			continue;
		length = strnlen(values[i].text, SW_TEXT_SIZE_MAX);
		if (length == SW_TEXT_SIZE_MAX) {
			errno = EMSGSIZE;
			return 0;
		}
		size += length;
	}
	return round_up(size);
}

size_t sw_tail_room(const struct sw_tail *tail)
{
	return SW_BLOCK_BYTES_MAX - tail->used_bytes;
}

/* A text's slot holds its length plus 1 (0: missing) and its offset. */
static size_t put_text(uint8_t *row, uint8_t *slot, const char *text,
		       size_t at)
{
	size_t length;

	if (!text) {
		sw_put_u64(slot, 0);
		return at;
	}
	length = strnlen(text, SW_TEXT_SIZE_MAX - 1);
	sw_put_u32(slot, (uint32_t)length + 1);
	sw_put_u32(slot + 4, (uint32_t)at);
	memcpy(row + at, text, length);
	return at + length;
}

static void put_values(uint8_t *row, const struct sw_row_shape *shape,
		       const union sw_value *values, size_t row_bytes)
{
	uint8_t *slot = row + SW_TAIL_ROW_HEAD_SIZE;
	size_t at = SW_TAIL_ROW_HEAD_SIZE +
		    (size_t)shape->column_count * SW_TAIL_SLOT_SIZE;

	if (!shape->text_count && __BYTE_ORDER == __LITTLE_ENDIAN) {
		memcpy(slot, values, row_bytes - SW_TAIL_ROW_HEAD_SIZE);
		return;
	}
	for (size_t i = 0; i < shape->column_count;
	     i++, slot += SW_TAIL_SLOT_SIZE) {
		if (shape->is_text[i])
			at = put_text(row, slot, values[i].text, at);
		else
			sw_put_u64(slot, values[i].number);
	}
	memset(row + at, 0, row_bytes - at);
}

/* Write the head of a row with values; this makes it valid. */
static void finish_row(struct sw_tail *tail, uint8_t *row, uint16_t table,
		       size_t row_bytes)
{
	uint8_t head[8];
	uint64_t sum;

	sw_put_u32(head, (uint32_t)row_bytes);
	sw_put_u16(head + 4, table);
	sw_put_u16(head + 6, SW_TAIL_ROW_MAGIC);
	sw_put_u32(row + 16, tail->generation);
	sum = sw_layout_checksum(tail->id, head, sizeof(head), row + 16,
				 row_bytes - 16);
	sw_put_u64(row + 8, sum);
	memcpy(row + 4, head + 4, 4);
	/* This store makes the row valid: a kill before leaves a bad sum. */
	__atomic_store_n((uint32_t *)(void *)row, htole32((uint32_t)row_bytes),
			 __ATOMIC_RELEASE);
	tail->used_bytes += row_bytes;
	__atomic_store_n((uint64_t *)(void *)(tail->memory +
					      SW_TAIL_AT_USED),
			 htole64(tail->used_bytes), __ATOMIC_RELEASE);
}

void sw_tail_append(struct sw_tail *tail, const struct sw_row_shape *shape,
		    uint32_t ordinal, const union sw_value *values,
		    size_t row_bytes, uint64_t now_usec)
{
	uint8_t *row = tail->memory + SW_TAIL_HEAD_SIZE + tail->used_bytes;

	sw_put_u32(row + 20, ordinal);
	sw_put_u64(row + 24, now_usec);
	put_values(row, shape, values, row_bytes);
	finish_row(tail, row, shape->table, row_bytes);
}

bool sw_tail_append_definition(struct sw_tail *tail, const uint8_t *definition,
			       size_t size)
{
	uint8_t *row = tail->memory + SW_TAIL_HEAD_SIZE + tail->used_bytes;
	size_t row_bytes = round_up(SW_TAIL_ROW_HEAD_SIZE + size);

	if (row_bytes > sw_tail_room(tail))
		return false;
	memset(row + 16, 0, row_bytes - 16);
	memcpy(row + SW_TAIL_ROW_HEAD_SIZE, definition, size);
	finish_row(tail, row, SW_TAIL_DEFINITION, row_bytes);
	return true;
}

size_t sw_tail_collect(const struct sw_tail *tail, uint16_t table,
		       uint32_t ordinal, const uint8_t **rows)
{
	const uint8_t *row = tail->memory + SW_TAIL_HEAD_SIZE;
	const uint8_t *end = row + tail->used_bytes;
	size_t count = 0;

	for (; row < end && count < SW_FRAME_ROWS_MAX; row += sw_get_u32(row))
		if (sw_get_u16(row + 4) == table &&
		    sw_get_u32(row + 20) >= ordinal)
			rows[count++] = row;
	return count;
}

void sw_tail_reset(struct sw_tail *tail)
{
	tail->used_bytes = 0;
	tail->generation++;
	__atomic_store_n((uint64_t *)(void *)(tail->memory +
					      SW_TAIL_AT_USED),
			 0, __ATOMIC_RELEASE);
}

void sw_tail_note(struct sw_tail *tail, uint64_t file_end, uint64_t dropped,
		  uint64_t first_drop_usec, uint64_t last_drop_usec)
{
	uint8_t *head = tail->memory;

	sw_put_u64(head + SW_TAIL_AT_FILE_END, file_end);
	sw_put_u64(head + SW_TAIL_AT_DROPPED, dropped);
	sw_put_u64(head + SW_TAIL_AT_FIRST_DROP, first_drop_usec);
	sw_put_u64(head + SW_TAIL_AT_LAST_DROP, last_drop_usec);
}
