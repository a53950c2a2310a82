/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check that the recorder's unit may write to the profile folder set in
 * stepwell.yaml.  Read the unit and its drop-ins in the order of
 * systemd.unit(5): an option without value resets earlier ones.
 */
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/doctor/doctor.h"

#define UNIT "stepwell-recorder.service"

enum { UNIT_SIZE = 16384, PATHS_MAX = 64 };

/* Relevant options of the unit. */
struct unit {
	bool is_strict;			/* ProtectSystem=strict */
	char home[16];			/* ProtectHome=; "" */
	char text[UNIT_SIZE];		/* of all files, split into lines */
	size_t length;
	const char *writable[PATHS_MAX];	/* in text */
	size_t writable_count;
};

/* Search path: the first folder that has the file is used. */
static const char *const folders[] = {
	"/etc/systemd/system", "/run/systemd/system",
	"/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
	"/lib/systemd/system",
};

enum { FOLDERS = sizeof(folders) / sizeof(folders[0]) };

bool sw_recorder_has_units(const struct sw_doctor *doctor)
{
	char path[PATH_MAX];
	bool has_units = false;
	size_t i;

	for (i = 0; i < FOLDERS && !has_units; i++) {
		snprintf(path, sizeof(path), "%s/stepwell-recorder.socket",
			 folders[i]);
		has_units = sw_doctor_has(doctor, path);
	}
	return has_units;
}

static void take_paths(struct unit *unit, char *words)
{
	char *save = NULL, *word;

	if (!words[strspn(words, " \t")])
		unit->writable_count = 0;
	for (word = strtok_r(words, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		word += strspn(word, "-+");
		if (unit->writable_count < PATHS_MAX)
			unit->writable[unit->writable_count++] = word;
	}
}

static void take_line(struct unit *unit, char *line)
{
	if (!strncmp(line, "ReadWritePaths=", 15) ||
	    !strncmp(line, "BindPaths=", 10))
		take_paths(unit, strchr(line, '=') + 1);
	else if (!strncmp(line, "ProtectSystem=", 14))
		unit->is_strict = !strcmp(line + 14, "strict");
	else if (!strncmp(line, "ProtectHome=", 12))
		snprintf(unit->home, sizeof(unit->home), "%s", line + 12);
}

/* Return false if it cannot be read. */
static bool take_file(const struct sw_doctor *doctor, struct unit *unit,
		      const char *path)
{
	char *text = unit->text + unit->length, *save = NULL, *line;
	ssize_t length = sw_doctor_read(doctor, path, text,
					sizeof(unit->text) - unit->length);

	if (length < 0)
		return false;
	unit->length += (size_t)length;
	if (unit->length < sizeof(unit->text) - 1)
		unit->length++;
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		take_line(unit, line + strspn(line, " \t"));
	return true;
}

static void take_drop_ins(const struct sw_doctor *doctor, struct unit *unit,
			  const char *folder)
{
	char pattern[PATH_MAX];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s%s/" UNIT ".d/*.conf",
		 doctor->root, folder);
	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (i = 0; i < found.gl_pathc; i++)
		take_file(doctor, unit,
			  found.gl_pathv[i] + strlen(doctor->root));
	globfree(&found);
}

/* Return false if systemd has no such unit. */
static bool read_unit(const struct sw_doctor *doctor, struct unit *unit)
{
	char path[PATH_MAX];
	bool has_unit = false;
	size_t i;

	memset(unit, 0, sizeof(*unit));
	for (i = 0; i < FOLDERS && !has_unit; i++) {
		snprintf(path, sizeof(path), "%s/" UNIT, folders[i]);
		has_unit = take_file(doctor, unit, path);
	}
	for (i = FOLDERS; has_unit && i-- > 0;)
		take_drop_ins(doctor, unit, folders[i]);
	return has_unit;
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	while (length > 1 && folder[length - 1] == '/')
		length--;
	return !strncmp(path, folder, length) &&
	       (path[length] == '/' || path[length] == '\0' || length == 1);
}

static bool may_write(const struct unit *unit, const char *path)
{
	size_t i;

	for (i = 0; i < unit->writable_count; i++) {
		if (is_below(path, unit->writable[i]))
			return true;
	}
	return !unit->is_strict;
}

static bool is_hidden(const struct unit *unit, const char *path)
{
	return (!strcmp(unit->home, "tmpfs") || !strcmp(unit->home, "yes") ||
		!strcmp(unit->home, "true")) &&
	       (is_below(path, "/home") || is_below(path, "/root") ||
		is_below(path, "/run/user"));
}

void sw_check_unit(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct unit unit = { .length = 0 };
	char path[PATH_MAX];
	bool hides;

	if (!read_unit(doctor, &unit)) {
		sw_answer_ok(answer, "no " UNIT " here that could restrict the "
			     "recorder");
		return;
	}
	sw_doctor_profile_dir(doctor, path, sizeof(path));
	hides = is_hidden(&unit, path);
	if (may_write(&unit, path) && !hides) {
		sw_answer_ok(answer, "%s is writable", path);
		return;
	}
	sw_answer_fail(answer, "profile_dir is not in the unit",
		       "stepwell.yaml has profile_dir %s, and " UNIT
		       " does not let the recorder write there: users do not "
		       "get their profiles", path);
	if (sw_is_plain_word(path))
		sw_answer_fix(answer, "mkdir -p /etc/systemd/system/" UNIT
			      ".d; printf '[Service]\\n%sReadWritePaths=-%s\\n' "
			      ">/etc/systemd/system/" UNIT ".d/profile_dir.conf;"
			      " systemctl daemon-reload; systemctl try-restart "
			      UNIT, hides ? "ProtectHome=read-only\\n" : "",
			      path);
}
