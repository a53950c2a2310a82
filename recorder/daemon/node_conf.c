/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder takes from slurm.conf: the cluster's name, which nobody
 * else may say, as a job's environment is the user's; and where slurmd is.
 * Follows Include, some files deep.
 */
#include "recorder/daemon/node_conf.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 4 };

/* Slurm keeps its own copy in /run where there is no file. */
static const char *const usual_paths[] = {
	"/etc/slurm/slurm.conf", "/run/slurm/conf/slurm.conf",
};

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Slurm lets the case of its keys and blanks around "=" be. */
static int take_line(const char *line, const char *key, char *value,
		     size_t size)
{
	size_t length;

	line = skip_blanks(line);
	if (strncasecmp(line, key, strlen(key)) != 0)
		return -1;
	line = skip_blanks(line + strlen(key));
	if (*line != '=')
		return -1;
	line = skip_blanks(line + 1);
	length = strcspn(line, " \t\r\n#");
	if (length == 0 || length >= size)
		return -1;
	snprintf(value, size, "%.*s", (int)length, line);
	return 0;
}

/* "Include FILE", beside the file that says so unless it begins with "/". */
static bool take_include(const char *line, const char *path, char *other,
			 size_t size)
{
	const char *slash = strrchr(path, '/');
	int folder, length;

	line = skip_blanks(line);
	if (strncasecmp(line, "include", 7) != 0 ||
	    !isspace((unsigned char)line[7]))
		return false;
	line = skip_blanks(line + 7);
	folder = *line == '/' || !slash ? 0 : (int)(slash + 1 - path);
	length = snprintf(other, size, "%.*s%.*s", folder, path,
			  (int)strcspn(line, " \t\r\n#"), line);
	return length > 0 && (size_t)length < size;
}

static void read_file(const char *path, const char *key, char *value,
		      size_t size, unsigned depth)
{
	FILE *file = fopen(path, "re");
	char line[1024], other[PATH_MAX];

	while (file && !value[0] && fgets(line, sizeof(line), file)) {
		if (take_line(line, key, value, size) < 0 &&
		    depth < DEPTH_MAX &&
		    take_include(line, path, other, sizeof(other)))
			read_file(other, key, value, size, depth + 1);
	}
	if (file)
		fclose(file);
}

void sw_node_conf_read(const char *path, const char *key, char *value,
		       size_t size)
{
	size_t i;

	value[0] = '\0';
	if (path)
		read_file(path, key, value, size, 0);
	for (i = 0; !path && !value[0] &&
	     i < sizeof(usual_paths) / sizeof(usual_paths[0]); i++)
		read_file(usual_paths[i], key, value, size, 0);
}
