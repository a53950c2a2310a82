/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/slurm_conf.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/open_file.h"

enum { DEPTH_MAX = 4 };

struct search {
	sw_slurm_conf_open *open;
	const void *context;
	const char *key;
	char *value;
	size_t size;
};

static const char blanks[] = " \t\r\n";

/* Parse "Key = value" if it has the key searched for. */
static bool take_line(const struct search *search, const char *line)
{
	size_t length = strlen(search->key);

	if (strncasecmp(line, search->key, length) != 0)
		return false;
	line += length;
	line += strspn(line, blanks);
	if (*line++ != '=')
		return false;
	line += strspn(line, " \t\"");
	length = strcspn(line, " \t\r\n\"#");
	if (length > 0 && length < search->size)
		snprintf(search->value, search->size, "%.*s", (int)length,
			 line);
	return true;
}

/* Parse "Include FILE", relative to the including file unless absolute. */
static bool take_include(const char *line, const char *path, char *other,
			 size_t size)
{
	static const char include[] = "include";
	const char *slash = strrchr(path, '/');
	int folder, length;

	if (strncasecmp(line, include, strlen(include)) != 0)
		return false;
	line += strlen(include);
	if (!strspn(line, blanks))
		return false;
	line += strspn(line, blanks);
	folder = *line == '/' || !slash ? 0 : (int)(slash + 1 - path);
	length = snprintf(other, size, "%.*s%.*s", folder, path,
			  (int)strcspn(line, " \t\r\n#"), line);
	return length > 0 && (size_t)length < size;
}

static void read_file(const struct search *search, const char *path,
		      unsigned depth)
{
	FILE *file = search->open(search->context, path);
	char text[1024], other[PATH_MAX];
	const char *line;

	while (file && fgets(text, sizeof(text), file)) {
		line = text + strspn(text, blanks);
		if (!take_line(search, line) && depth < DEPTH_MAX &&
		    take_include(line, path, other, sizeof(other)))
			read_file(search, other, depth + 1);
	}
	if (file)
		fclose(file);
}

void sw_slurm_conf_read(sw_slurm_conf_open *open, const void *context,
			const char *path, const char *key, char *value,
			size_t size)
{
	value[0] = '\0';
	read_file(&(struct search){ open, context, key, value, size }, path, 0);
}

static FILE *open_here(const void *context, const char *path)
{
	(void)context;
	return sw_open_stream(path);
}

void sw_slurm_conf_here(const char *path, const char *key, char *value,
			size_t size)
{
	/* Slurm has a copy in /run if there is no file. */
	static const char *const usual[] = {
		"/etc/slurm/slurm.conf", "/run/slurm/conf/slurm.conf", NULL,
	};
	const char *const *each = usual;

	do
		sw_slurm_conf_read(open_here, NULL, path ? path : *each, key,
				   value, size);
	while (!path && !value[0] && *++each);
}
