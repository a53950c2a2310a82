/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find mounts in /proc/PID/mountinfo.  For a file system mounted in several
 * places, use the mount that shows most of it.
 */
#include "recorder/waits/mounts.h"

#include <stdio.h>
#include <string.h>

#include "recorder/kernel/kernlines.h"

enum { MAJOR_SHIFT = 20 };

/* Cut off the word at *text; NULL if there is none. */
static char *take_word(char **text)
{
	char *word = *text;

	*text += strcspn(word, " ");
	if (**text)
		*(*text)++ = '\0';
	return *word ? word : NULL;
}

static int take_device(const char *word, uint32_t *device)
{
	uint64_t major, minor;

	if (!word || sw_kern_parse_u64(&word, &major) < 0 || *word++ != ':' ||
	    sw_kern_parse_u64(&word, &minor) < 0)
		return -1;
	*device = (uint32_t)(major << MAJOR_SHIFT | minor);
	return 0;
}

/* Check FUSE's options: "rw,user_id=1000,group_id=1000". */
static bool is_of_user(const char *options)
{
	static const char name[] = "user_id=";
	const char *at = strstr(options, name);

	return at && strncmp(at + sizeof(name) - 1, "0,", 2) != 0 &&
	       strcmp(at + sizeof(name) - 1, "0") != 0;
}

/*
 * Parse "36 35 98:0 /root /point rw,noatime master:1 - ext3 /dev/root rw".
 * Return the length of the root, or -1 on error.
 */
static int parse(char *line, struct sw_mount *mount)
{
	const char *id, *root, *point, *type, *source;
	char *rest = strstr(line, " - ");

	if (!rest)
		return -1;
	*rest = '\0';
	rest += 3;
	id = take_word(&line);
	take_word(&line);
	if (!id || sw_kern_parse_u64(&id, &mount->id) < 0 ||
	    take_device(take_word(&line), &mount->device) < 0)
		return -1;
	root = take_word(&line);
	point = take_word(&line);
	type = take_word(&rest);
	source = take_word(&rest);
	if (!root || !point || !type)
		return -1;
	snprintf(mount->type, sizeof(mount->type), "%s", type);
	snprintf(mount->source, sizeof(mount->source), "%s",
		 sw_text(source));
	snprintf(mount->point, sizeof(mount->point), "%s", point);
	mount->fs = sw_wait_fs_of_type(type);
	mount->is_of_user = is_of_user(rest);
	return (int)strlen(root);
}

struct search {
	const struct sw_mount *wanted;
	struct sw_mount found;
	int root_length;	/* -1: nothing found */
	bool is_unclear;
};

static bool is_wanted(const struct sw_mount *wanted,
		      const struct sw_mount *mount)
{
	if (wanted->id)
		return mount->id == wanted->id;
	if (wanted->device)
		return mount->device == wanted->device;
	return mount->fs == wanted->fs;
}

static void consider(struct search *search, char *line)
{
	const struct sw_mount *wanted = search->wanted;
	struct sw_mount mount;
	int length = parse(line, &mount);

	if (length < 0 || !is_wanted(wanted, &mount))
		return;
	if (search->root_length >= 0 && search->found.device != mount.device)
		search->is_unclear = true;
	if (search->root_length >= 0 && search->root_length <= length)
		return;
	search->found = mount;
	search->root_length = length;
}

enum sw_read_status sw_mount_find(struct sw_mount *mount, int proc_fd,
				  pid_t pid)
{
	struct search search = { .wanted = mount, .root_length = -1 };
	struct sw_kernlines lines;
	struct sw_kernfile file;
	enum sw_read_status status;
	char path[32], *line;

	snprintf(path, sizeof(path), "%d/mountinfo", (int)pid);
	status = sw_kernfile_open(&file, proc_fd, path);
	if (status != SW_READ_OK)
		return status;
	sw_kernlines_begin(&lines, &file);
	while ((status = sw_kernlines_next(&lines, &line)) == SW_READ_OK &&
	       line)
		consider(&search, line);
	sw_kernfile_close(&file);
	if (status != SW_READ_OK)
		return status;
	if (search.root_length < 0 || search.is_unclear)
		return SW_READ_ABSENT;
	*mount = search.found;
	return SW_READ_OK;
}
