/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open the file of a recording.  The default directory is created if missing;
 * that of --output is not.
 */
#include "recorder/run/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/escape.h"
#include "common/find_program.h"
#include "common/own_file.h"
#include "common/units.h"
#include "recorder/log/say.h"
#include "recorder/tables/identity.h"

enum { QUOTED_SIZE = 160, INPUTS_MAX = 4096 };

static const char *const leftovers[] = { ".part", ".tail" };

/* Get $XDG_STATE_HOME/stepwell, or ~/.local/state/stepwell. */
static int default_folder(char *path, size_t size, struct sw_error *error)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	int length;

	if (state && state[0] == '/')
		length = snprintf(path, size, "%s/stepwell", state);
	else if (home && home[0] == '/')
		length = snprintf(path, size, "%s/.local/state/stepwell", home);
	else
		return sw_error_set(error, "neither XDG_STATE_HOME nor HOME is "
				    "set, so there is no folder to record to");
	if (length < 0 || (size_t)length >= size)
		return sw_error_set(error, "the name of the folder to record "
				    "to is too long");
	return 0;
}

/* Create missing directories of the path, accessible to the user only (XDG). */
static int make_folders(char *path)
{
	char *slash = path;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST &&
		    access(path, X_OK) < 0) {
			*slash = '/';
			return -1;
		}
		*slash = '/';
	}
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -1 : 0;
}

/* Write the part of the name that identifies the recorded run. */
static void name_run(char *name, size_t size, const struct sw_options *options)
{
	const struct sw_jobid *job = &options->job;

	if (!options->job_of)
		snprintf(name, size, "run.%d", getpid());
	else if (sw_is_missing(job->array_task))
		snprintf(name, size, "%s.%" PRIu64, options->job_of, job->job);
	else
		snprintf(name, size, "%s-%" PRIu64 ".%" PRIu64, options->job_of,
			 job->array_task, job->job);
}

static int place_default(struct sw_destination *place,
			 const struct sw_options *options,
			 struct sw_error *error)
{
	struct utsname host = { .nodename = "" };
	char node[sizeof(host.nodename)], folder[PATH_MAX - NAME_MAX - 2];
	char quoted[QUOTED_SIZE], run[64];

	if (default_folder(folder, sizeof(folder), error) < 0)
		return -1;
	if (make_folders(folder) < 0)
		goto complain;
	uname(&host);
	sw_identity_plain(node, sizeof(node), host.nodename, true);
	name_run(run, sizeof(run), options);
	snprintf(place->name, sizeof(place->name), "%s.%" PRIu64 ".%s.stepwell",
		 run, sw_clock_realtime_usec() / SW_USEC_PER_SEC, node);
	snprintf(place->path, sizeof(place->path), "%s/%s", folder,
		 place->name);
	place->dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place->dirfd >= 0)
		return 0;
complain:
	sw_escape_terminal(quoted, sizeof(quoted), folder);
	return sw_error_errno(error, "%s", quoted);
}

static int place_given(struct sw_destination *place, const char *path,
		       struct sw_error *error)
{
	const char *name = sw_identity_basename(path);
	char folder[PATH_MAX], quoted[QUOTED_SIZE];
	size_t length = (size_t)(name - path);

	sw_escape_terminal(quoted, sizeof(quoted), path);
	if (strlen(path) >= sizeof(place->path) ||
	    strlen(name) >= sizeof(place->name)) {
		errno = ENAMETOOLONG;
		return sw_error_errno(error, "--output %s", quoted);
	}
	if (strchr(name, '/')) {
		errno = EISDIR;
		return sw_error_errno(error, "--output %s", quoted);
	}
	snprintf(folder, sizeof(folder), "%.*s", (int)length, path);
	strcpy(place->path, path);
	strcpy(place->name, name);
	place->dirfd = open(length ? folder : ".",
			     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place->dirfd < 0)
		return sw_error_errno(error, "--output %s", quoted);
	return 0;
}

/* Find the program and files among its arguments: input of the command. */
static size_t find_inputs(const char **inputs, const struct sw_options *options,
			  char program[PATH_MAX])
{
	char *const *word = options->command;
	size_t count = 0;

	inputs[count++] = options->events_file;
	if (word && *word)
		inputs[count++] = sw_find_program(*word, program);
	for (; word && *word && count < INPUTS_MAX; word++)
		inputs[count++] = *word;
	return count;
}

/* Check for a file that --force does not, or must not, replace. */
static int check_free(const struct sw_destination *place,
		      const struct sw_options *options, struct sw_error *error)
{
	char quoted[QUOTED_SIZE], program[PATH_MAX];
	const char *inputs[INPUTS_MAX];
	const struct sw_target target = {
		.dirfd = place->dirfd, .name = place->name, .path = quoted,
		.kind = SW_OWN_PROFILE, .is_forced = options->is_forced,
		.inputs = inputs,
		.input_count = find_inputs(inputs, options, program),
	};
	struct sw_error why;
	struct stat there;

	sw_escape_terminal(quoted, sizeof(quoted), place->path);
	if (sw_target_check(&target, &there, &why) < 0 && errno != EEXIST)
		return sw_error_set(error, "run: --output %s; the command was "
				    "not started", why.text);
	if (!there.st_nlink || options->is_forced)
		return 0;
	return sw_error_set(error, "run: --output %s exists and would "
			    "be lost; the command was not started "
			    "(--force replaces it)", quoted);
}

/* Leftovers that --force removes, too */
static int check_leftovers(const struct sw_destination *place,
			   struct sw_error *error)
{
	static const enum sw_own kinds[] = { SW_OWN_PROFILE, SW_OWN_TAIL };
	char name[NAME_MAX + 8], quoted[QUOTED_SIZE];
	struct sw_target target = {
		.dirfd = place->dirfd, .name = name, .path = quoted,
	};
	struct sw_error why;
	struct stat there;
	size_t i;

	for (i = 0; i < sizeof(leftovers) / sizeof(*leftovers); i++) {
		snprintf(name, sizeof(name), "%s%s", place->name, leftovers[i]);
		sw_escape_terminal(quoted, sizeof(quoted), name);
		target.kind = kinds[i];
		if (sw_target_check(&target, &there, &why) < 0)
			return sw_error_set(error, "run: %s exists and is not "
					    "a recording; the command was not "
					    "started", quoted);
	}
	return 0;
}

/*
 * Create the profile.  Return 0, or an exit code with *error: SW_EXIT_USAGE if
 * a file is in the way, SW_EXIT_FAILURE otherwise.
 */
static int create(struct sw_destination *place,
		  const struct sw_options *options, struct sw_error *error)
{
	int result;

	*place = (struct sw_destination){ .dirfd = -1 };
	if (options->output)
		result = place_given(place, options->output, error);
	else
		result = place_default(place, options, error);
	if (result < 0)
		return SW_EXIT_FAILURE;
	if (options->output &&
	    (check_free(place, options, error) < 0 ||
	     (options->is_forced && check_leftovers(place, error) < 0))) {
		sw_destination_close(place);
		return SW_EXIT_USAGE;
	}
	place->writer = sw_writer_create(place->dirfd, place->name,
					  options->is_forced, error);
	if (place->writer)
		return 0;
	sw_destination_close(place);
	return SW_EXIT_FAILURE;
}

int sw_destination_begin(struct sw_destination *place,
			 const struct sw_options *options)
{
	struct sw_error error;
	int status = create(place, options, &error);

	if (status == 0)
		return 0;
	if (options->is_attached || !options->output) {
		sw_say("%s; the command runs unrecorded", error.text);
		return 0;
	}
	sw_say("%s%s", error.text,
	       status == SW_EXIT_USAGE ? "" : "; the command was not started");
	return status;
}

void sw_destination_discard(struct sw_destination *place)
{
	char name[NAME_MAX + 8];
	size_t i;

	if (place->writer) {
		for (i = 0; i < sizeof(leftovers) / sizeof(*leftovers); i++) {
			snprintf(name, sizeof(name), "%s%s", place->name,
				 leftovers[i]);
			unlinkat(place->dirfd, name, 0);
		}
	}
	sw_destination_close(place);
}

bool sw_destination_fall_back(struct sw_destination *place)
{
	char name[NAME_MAX + 8];
	size_t length = strlen(place->path);

	snprintf(name, sizeof(name), "%s.part", place->name);
	if (faccessat(place->dirfd, name, F_OK, 0) < 0) {
		snprintf(place->path, sizeof(place->path), "/proc/%d/fd/%d",
			 getpid(), sw_writer_fd(place->writer));
		return false;
	}
	snprintf(place->path + length, sizeof(place->path) - length, ".part");
	/* Release the lock: the recording is not written any more. */
	sw_writer_destroy(place->writer);
	place->writer = NULL;
	return true;
}

void sw_destination_close(struct sw_destination *place)
{
	sw_writer_destroy(place->writer);
	place->writer = NULL;
	if (place->dirfd >= 0)
		close(place->dirfd);
	place->dirfd = -1;
}
