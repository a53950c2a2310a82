/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder takes from slurm.conf: the cluster's name, which the
 * environment of a job's keeper (its extern step) is without, and where slurmd
 * is.  Gives up where the line is in an included file.
 */
#include "recorder/node_conf.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

static void read_file(const char *path, const char *key, char *value,
		      size_t size)
{
	FILE *file = fopen(path, "re");
	char line[1024];

	while (file && fgets(line, sizeof(line), file)) {
		if (take_line(line, key, value, size) == 0)
			break;
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
		read_file(path, key, value, size);
	for (i = 0; !path && !value[0] &&
	     i < sizeof(usual_paths) / sizeof(usual_paths[0]); i++)
		read_file(usual_paths[i], key, value, size);
}
