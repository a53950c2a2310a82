/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read plugstack.conf like Slurm's spank.c: "required|optional PATH ARGS",
 * "include GLOB" relative to the including file, '#' to the end of the line.
 * Limited to DEPTH_MAX nested includes and FILES_MAX files.
 */
#include "analyzer/doctor/plugstack.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/path.h"
#include "common/slurm_conf.h"
#include "common/text.h"

enum { DEPTH_MAX = 8, FILES_MAX = 256, LINE_SIZE_MAX = PATH_MAX };

#define PLUGIN_NAME "stepwell.so"

/* No others: what else looks like a blank is part of a word. */
static const char spaces[] = " \t\n";

static const char include[] = "include";

static const struct {
	const char *bytes, *name;
} odd[] = {
	{ "\r", "a carriage return" },
	{ "\v", "a vertical tab" },
	{ "\f", "a form feed" },
	{ "\xc2\xa0", "a no-break space" },
	{ "\xe2\x80\x8b", "a zero-width space" },
	{ "\xef\xbb\xbf", "a byte-order mark" },
};

/* Locations of slurm.conf in packages and after "make install". */
static const char *const conf_folders[] = {
	"/etc/slurm", "/etc/slurm-llnl", "/run/slurm/conf",
	"/usr/local/etc", "/opt/slurm/etc", NULL,
};

static const char *const plugin_folders[] = {
	"/usr/lib/*/slurm-wlm", "/usr/lib64/slurm", "/usr/lib/*/slurm",
	"/usr/lib/slurm", "/usr/local/lib/slurm", "/usr/local/lib64/slurm",
	"/opt/slurm/lib/slurm", "/opt/slurm/lib64/slurm", NULL,
};

static FILE *open_text(const struct sw_doctor *doctor, const char *path)
{
	int fd = sw_doctor_open(doctor, path, O_RDONLY | O_NONBLOCK);
	struct stat stat;
	FILE *file;

	if (fd < 0)
		return NULL;
	file = fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) ?
		fdopen(fd, "r") : NULL;
	if (!file)
		close(fd);
	return file;
}

/* Folder of a file; at least "/". */
static void folder_of(char *buf, size_t size, const char *path)
{
	char *slash;

	snprintf(buf, size, "%s", path);
	slash = strrchr(buf, '/');
	if (slash)
		*slash = '\0';
}

static int join(char *buf, size_t size, const char *folder, const char *name)
{
	int length = snprintf(buf, size, "%s/%s", folder, name);

	return length > 0 && (size_t)length < size ? 0 : -1;
}

static bool has_in(const struct sw_doctor *doctor, const char *folder,
		   const char *name)
{
	char path[PATH_MAX];

	return join(path, sizeof(path), folder, name) == 0 &&
	       sw_doctor_has(doctor, path);
}

static void choose_folder(struct sw_plugstack *plugstack,
			  const struct sw_doctor *doctor, char *folder,
			  size_t size)
{
	const char *const *each, *conf = getenv("SLURM_CONF");

	plugstack->has_slurm = true;
	if (doctor->is_live && conf && *conf == '/') {
		folder_of(folder, size, conf);
		return;
	}
	for (each = conf_folders; *each; each++) {
		if (has_in(doctor, *each, "slurm.conf") ||
		    has_in(doctor, *each, "plugstack.conf")) {
			snprintf(folder, size, "%s", *each);
			return;
		}
	}
	plugstack->has_slurm = false;
	snprintf(folder, size, "%s", conf_folders[0]);
}

static FILE *open_conf(const void *doctor, const char *path)
{
	return open_text(doctor, path);
}

static void read_slurm_conf(struct sw_plugstack *plugstack,
			    const struct sw_doctor *doctor, const char *folder)
{
	const struct {
		const char *key;
		char *value;
		size_t size;
	} keys[] = {
		{ "PlugStackConfig", plugstack->path,
		  sizeof(plugstack->path) },
		{ "PluginDir", plugstack->plugin_dirs,
		  sizeof(plugstack->plugin_dirs) },
		{ "ProctrackType", plugstack->proctrack,
		  sizeof(plugstack->proctrack) },
	};
	char path[PATH_MAX];
	size_t i;

	if (join(path, sizeof(path), folder, "slurm.conf") < 0)
		return;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		sw_slurm_conf_read(open_conf, doctor, path, keys[i].key,
				   keys[i].value, keys[i].size);
	if (join(path, sizeof(path), folder, "cgroup.conf") == 0)
		sw_slurm_conf_read(open_conf, doctor, path, "CgroupSlice",
				   plugstack->slice, sizeof(plugstack->slice));
	if (!*plugstack->slice)
		snprintf(plugstack->slice, sizeof(plugstack->slice),
			 "system.slice");
}

/* Parse the arguments that affect the plugin. */
static void take_words(struct sw_plugstack *plugstack, char **next)
{
	static const char socket[] = "socket=", recorder[] = "recorder=";
	char *word;

	while ((word = strtok_r(NULL, spaces, next)) != NULL) {
		if (!strcmp(word, "off"))
			plugstack->is_off = true;
		else if (!strncmp(word, socket, strlen(socket)))
			snprintf(plugstack->socket, sizeof(plugstack->socket),
				 "%s", word + strlen(socket));
		else if (!strncmp(word, recorder, strlen(recorder)))
			snprintf(plugstack->recorder,
				 sizeof(plugstack->recorder), "%s",
				 word + strlen(recorder));
	}
}

/* Note a line that loads our plugin. */
static void take_plugin(struct sw_plugstack *plugstack, const char *plugin,
			bool is_required, const char *file, unsigned line,
			char **next)
{
	if (strcmp(sw_path_name(plugin), PLUGIN_NAME) != 0)
		return;
	if (plugstack->line_count++ > 0)
		return;
	snprintf(plugstack->plugin, sizeof(plugstack->plugin), "%s", plugin);
	snprintf(plugstack->file, sizeof(plugstack->file), "%s", file);
	plugstack->line = line;
	plugstack->is_required = is_required;
	take_words(plugstack, next);
}

static void read_file(struct sw_plugstack *plugstack,
		      const struct sw_doctor *doctor, const char *path,
		      unsigned depth);

static void read_include(struct sw_plugstack *plugstack,
			 const struct sw_doctor *doctor, const char *pattern,
			 const char *file, unsigned depth)
{
	char whole[PATH_MAX], folder[PATH_MAX], absolute[PATH_MAX] = "";
	size_t i, prefix = strlen(doctor->root);
	glob_t found;

	folder_of(folder, sizeof(folder), file);
	if (*pattern != '/') {
		if (join(absolute, sizeof(absolute), folder, pattern) < 0)
			return;
		pattern = absolute;
	}
	if (prefix + strlen(pattern) >= sizeof(whole))
		return;
	memcpy(whole, doctor->root, prefix);
	memcpy(whole + prefix, pattern, strlen(pattern) + 1);
	if (glob(whole, 0, NULL, &found) != 0)
		return;
	for (i = 0; i < found.gl_pathc; i++)
		read_file(plugstack, doctor, found.gl_pathv[i] + prefix,
			  depth + 1);
	globfree(&found);
}

/* What people would read as a line that is about the plugin, or an include. */
static void note_odd(struct sw_plugstack *plugstack, const char *text,
		     const char *file, unsigned line)
{
	const char *word = text + strcspn(text, "abcdefghijklmnopqrstuvwxyz");
	size_t i;

	if (plugstack->odd || (!strstr(text, PLUGIN_NAME) &&
			       strncmp(word, include, strlen(include)) != 0))
		return;
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		if (!strstr(text, odd[i].bytes))
			continue;
		plugstack->odd = odd[i].name;
		plugstack->is_of_windows = sw_has_suffix(text, "\r\n");
		plugstack->odd_line = line;
		snprintf(plugstack->odd_file, sizeof(plugstack->odd_file), "%s",
			 file);
		return;
	}
}

static void read_line(struct sw_plugstack *plugstack,
		      const struct sw_doctor *doctor, char *text,
		      const char *file, unsigned line, unsigned depth)
{
	char *next, *verb, *word;

	text[strcspn(text, "#")] = '\0';
	note_odd(plugstack, text, file, line);
	verb = strtok_r(text, spaces, &next);
	word = verb ? strtok_r(NULL, spaces, &next) : NULL;
	if (!word)
		return;
	if (!strcmp(verb, include))
		read_include(plugstack, doctor, word, file, depth);
	else if (!strcmp(verb, "required") || !strcmp(verb, "optional"))
		take_plugin(plugstack, word, *verb == 'r', file, line, &next);
}

static void read_file(struct sw_plugstack *plugstack,
		      const struct sw_doctor *doctor, const char *path,
		      unsigned depth)
{
	char text[LINE_SIZE_MAX];
	unsigned line = 0;
	FILE *file;

	if (depth > DEPTH_MAX || plugstack->files_read >= FILES_MAX)
		return;
	file = open_text(doctor, path);
	if (!file) {
		if (depth > 0 && plugstack->files_unread++ == 0)
			snprintf(plugstack->unread, sizeof(plugstack->unread),
				 "%s", path);
		return;
	}
	plugstack->files_read++;
	while (fgets(text, sizeof(text), file))
		read_line(plugstack, doctor, text, path, ++line, depth);
	fclose(file);
}

void sw_plugstack_read(struct sw_plugstack *plugstack,
		       const struct sw_doctor *doctor)
{
	char folder[PATH_MAX];

	memset(plugstack, 0, sizeof(*plugstack));
	snprintf(plugstack->recorder, sizeof(plugstack->recorder), "%s",
		 PKGLIBEXECDIR "/stepwell-recorder");
	snprintf(plugstack->socket, sizeof(plugstack->socket), "%s",
		 SW_DOCTOR_SOCKET);
	choose_folder(plugstack, doctor, folder, sizeof(folder));
	read_slurm_conf(plugstack, doctor, folder);
	if (*plugstack->path != '/' &&
	    join(plugstack->path, sizeof(plugstack->path), folder,
		 "plugstack.conf") < 0)
		return;
	read_file(plugstack, doctor, plugstack->path, 0);
}

bool sw_slurm_has_daemon(const struct sw_doctor *doctor)
{
	static const char *const patterns[] = {
		"/usr/sbin/slurmd", "/usr/local/sbin/slurmd",
		"/opt/slurm/sbin/slurmd",
		"/etc/systemd/system/slurmd*.service",
		"/lib/systemd/system/slurmd*.service",
		"/usr/lib/systemd/system/slurmd*.service", NULL,
	};
	char path[PATH_MAX];

	return sw_doctor_find(doctor, patterns, path, sizeof(path)) > 0;
}

/* Find the plugin in one folder of the colon-separated PluginDir. */
static int look_in(const struct sw_doctor *doctor, const char *folder,
		   const char *name, char *path, size_t size)
{
	char pattern[PATH_MAX];
	const char *const patterns[] = { pattern, NULL };

	if (join(pattern, sizeof(pattern), folder, name) < 0)
		return -1;
	return sw_doctor_find(doctor, patterns, path, size) ? 0 : -1;
}

int sw_plugstack_locate(const struct sw_plugstack *plugstack,
			const struct sw_doctor *doctor, char *path, size_t size)
{
	char dirs[PATH_MAX], *next, *dir;
	const char *const *each;

	if (*plugstack->plugin == '/') {
		snprintf(path, size, "%s", plugstack->plugin);
		return sw_doctor_has(doctor, path) ? 0 : -1;
	}
	snprintf(dirs, sizeof(dirs), "%s", plugstack->plugin_dirs);
	for (dir = strtok_r(dirs, ":", &next); dir;
	     dir = strtok_r(NULL, ":", &next)) {
		if (look_in(doctor, dir, plugstack->plugin, path, size) == 0)
			return 0;
	}
	if (*plugstack->plugin_dirs)
		return -1;
	for (each = plugin_folders; *each; each++) {
		if (look_in(doctor, *each, plugstack->plugin, path, size) == 0)
			return 0;
	}
	return -1;
}
