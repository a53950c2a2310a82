/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only parser of kernel text. */
#include "recorder/kernel/kernfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum sw_read_status sw_kernfile_status_of(int error)
{
	if (error == ENODEV || error == ESRCH)
		return SW_READ_GONE;
	return SW_READ_ABSENT;
}

enum sw_read_status sw_kernfile_open(struct sw_kernfile *file, int dirfd,
				     const char *name)
{
	file->fd = dirfd < 0 ? -1 :
		   openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file->fd >= 0)
		return SW_READ_OK;
	return dirfd < 0 ? SW_READ_ABSENT : sw_kernfile_status_of(errno);
}

void sw_kernfile_close(struct sw_kernfile *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

enum sw_read_status sw_kernfile_read(const struct sw_kernfile *file, char *buf,
				     size_t size)
{
	size_t used = 0;
	ssize_t n;

	if (file->fd < 0)
		return SW_READ_ABSENT;
	for (;;) {
		n = pread(file->fd, buf + used, size - used, (off_t)used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return sw_kernfile_status_of(errno);
		if (n == 0)
			break;
		used += (size_t)n;
		if (used == size)
			return SW_READ_GARBAGE;
	}
	if (memchr(buf, '\0', used))
		return SW_READ_GARBAGE;
	buf[used] = '\0';
	return SW_READ_OK;
}

enum sw_read_status sw_kernfile_slurp(int dirfd, const char *name, char *buf,
				      size_t size)
{
	struct sw_kernfile file;
	enum sw_read_status status;

	status = sw_kernfile_open(&file, dirfd, name);
	if (status == SW_READ_OK)
		status = sw_kernfile_read(&file, buf, size);
	sw_kernfile_close(&file);
	return status;
}

int sw_kern_parse_u64(const char **text, uint64_t *value)
{
	const char *p = *text;
	uint64_t sum = 0;

	if (*p < '0' || *p > '9')
		return -1;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum))
			return -1;
	}
	if (sum == SW_MISSING)
		return -1;
	*text = p;
	*value = sum;
	return 0;
}

enum sw_read_status sw_kernfile_number(const struct sw_kernfile *file,
				       uint64_t *value)
{
	enum sw_read_status status;
	const char *p;
	uint64_t number = SW_MISSING;
	char buf[64];

	status = sw_kernfile_read(file, buf, sizeof(buf));
	if (status != SW_READ_OK)
		return status;
	p = buf;
	if (!strncmp(p, "max", 3))
		p += 3;
	else if (sw_kern_parse_u64(&p, &number) < 0)
		return SW_READ_GARBAGE;
	if (*p == '\n')
		p++;
	if (*p != '\0')
		return SW_READ_GARBAGE;
	*value = number;
	return SW_READ_OK;
}

/* Return the entry for the key of length bytes at text, or NULL. */
static const struct sw_kernkey *find_key(const struct sw_kernkey *keys,
					 size_t count, const char *text,
					 size_t length)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!strncmp(keys[i].key, text, length) &&
		    keys[i].key[length] == '\0')
			return &keys[i];
	}
	return NULL;
}

enum sw_read_status sw_kern_parse_keyed(const char *p,
					const struct sw_kernkey *keys,
					size_t key_count, uint64_t *values)
{
	const struct sw_kernkey *key;
	const char *space;
	uint64_t number;

	while (*p) {
		space = strchr(p, ' ');
		if (!space || space == p || memchr(p, '\n', (size_t)(space - p)))
			return SW_READ_GARBAGE;
		key = find_key(keys, key_count, p, (size_t)(space - p));
		p = space + 1;
		if (!strncmp(p, "max\n", 4)) {
			number = SW_MISSING;
			p += 3;
		} else if (sw_kern_parse_u64(&p, &number) < 0) {
			return SW_READ_GARBAGE;
		}
		if (*p++ != '\n')
			return SW_READ_GARBAGE;
		if (key)
			values[key->index] = number;
	}
	return SW_READ_OK;
}

enum sw_read_status sw_kernfile_keyed(const struct sw_kernfile *file,
				      const struct sw_kernkey *keys,
				      size_t key_count, uint64_t *values)
{
	char buf[SW_KERNFILE_SIZE_MAX];
	enum sw_read_status status;

	status = sw_kernfile_read(file, buf, sizeof(buf));
	if (status == SW_READ_OK)
		status = sw_kern_parse_keyed(buf, keys, key_count, values);
	return status;
}

/* Return the end of the line at p. */
static const char *line_end(const char *p)
{
	const char *end = strchr(p, '\n');

	return end ? end : p + strlen(p);
}

/* Add " key=value" pairs up to the end of the line to values[]. */
static int add_pairs(const char *p, const char *end,
		     const struct sw_kernkey *keys, size_t key_count,
		     uint64_t *values)
{
	const struct sw_kernkey *key;
	const char *equals;
	uint64_t number;

	while (p < end && *p == ' ' && p[1] != '\n' && p + 1 < end) {
		p++;
		equals = memchr(p, '=', (size_t)(end - p));
		if (!equals || equals == p ||
		    memchr(p, ' ', (size_t)(equals - p)))
			return -1;
		key = find_key(keys, key_count, p, (size_t)(equals - p));
		p = equals + 1;
		if (sw_kern_parse_u64(&p, &number) < 0)
			return -1;
		if (key)
			values[key->index] =
				sw_add_u64(values[key->index], number);
	}
	return p < end && *p != ' ' ? -1 : 0;
}

enum sw_read_status sw_kernfile_nested(const struct sw_kernfile *file,
				       const struct sw_kernkey *keys,
				       size_t key_count, uint64_t *values)
{
	char buf[SW_KERNFILE_SIZE_MAX];
	enum sw_read_status status;
	const char *p, *end, *space;
	size_t i;

	status = sw_kernfile_read(file, buf, sizeof(buf));
	if (status != SW_READ_OK)
		return status;
	for (i = 0; i < key_count; i++)
		values[keys[i].index] = 0;
	for (p = buf; *p; p = *end ? end + 1 : end) {
		end = line_end(p);
		space = memchr(p, ' ', (size_t)(end - p));
		/* An idle device may have no pairs at all. */
		if (!space)
			space = end;
		if (!memchr(p, ':', (size_t)(space - p)) ||
		    add_pairs(space, end, keys, key_count, values) < 0) {
			for (i = 0; i < key_count; i++)
				values[keys[i].index] = SW_MISSING;
			return SW_READ_GARBAGE;
		}
	}
	return SW_READ_OK;
}

static int parse_total(const char *line, uint64_t *total)
{
	const char *end = line_end(line), *p = strstr(line, " total=");
	uint64_t value;

	if (!p || p > end)
		return -1;
	p += strlen(" total=");
	if (sw_kern_parse_u64(&p, &value) < 0 || p != end)
		return -1;
	*total = value;
	return 0;
}

enum sw_read_status sw_kernfile_pressure(const struct sw_kernfile *file,
					 uint64_t *some, uint64_t *full)
{
	enum sw_read_status status;
	char buf[512];
	const char *p, *end;

	status = sw_kernfile_read(file, buf, sizeof(buf));
	if (status != SW_READ_OK)
		return status;
	if (!*buf)
		return SW_READ_GARBAGE;
	for (p = buf; *p; p = *end ? end + 1 : end) {
		end = line_end(p);
		if (!strncmp(p, "some ", 5) && parse_total(p, some) == 0)
			continue;
		if (!strncmp(p, "full ", 5) && parse_total(p, full) == 0)
			continue;
		*some = *full = SW_MISSING;
		return SW_READ_GARBAGE;
	}
	return SW_READ_OK;
}

/* Parse and skip "N0=value" followed by a space or the end of the line. */
static int take_node(const char **text, uint64_t *node, uint64_t *value)
{
	if (**text != 'N')
		return -1;
	(*text)++;
	if (sw_kern_parse_u64(text, node) < 0 || **text != '=')
		return -1;
	(*text)++;
	if (sw_kern_parse_u64(text, value) < 0)
		return -1;
	return **text == ' ' || **text == '\n' ? 0 : -1;
}

enum sw_read_status
sw_kern_parse_nodes(const char *p, const struct sw_kernkey *keys,
		    size_t key_count,
		    void (*take)(void *context, uint64_t node, size_t index,
				 uint64_t value),
		    void *context)
{
	const struct sw_kernkey *key;
	uint64_t node, value;
	size_t length;

	while (*p) {
		length = strcspn(p, " \n");
		if (length == 0 || p[length] != ' ')
			return SW_READ_GARBAGE;
		key = find_key(keys, key_count, p, length);
		p += length;
		while (*p == ' ') {
			p++;
			if (take_node(&p, &node, &value) < 0)
				return SW_READ_GARBAGE;
			if (key)
				take(context, node, key->index, value);
		}
		if (*p++ != '\n')
			return SW_READ_GARBAGE;
	}
	return SW_READ_OK;
}
