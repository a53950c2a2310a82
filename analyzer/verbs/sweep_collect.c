/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "sweep --collect", and its work on each node. */
#include "analyzer/verbs/sweep_collect.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/sweep/gather/gather.h"
#include "analyzer/sweep/gather/gather_jobs.h"
#include "analyzer/verbs/verb.h"

#define LOCK_NAME ".collect.lock"

enum { DAY_SECONDS = 86400, COMPLAINTS_MAX = 20 };

static void complain(void *context, const char *text)
{
	size_t *complaints = context;

	if ((*complaints)++ < COMPLAINTS_MAX)
		sw_complain(SW_EXIT_OK, "%s", text);
	else if (*complaints == COMPLAINTS_MAX + 1)
		sw_complain(SW_EXIT_OK, "more of the same follows and is only "
					"counted");
}

static uint64_t oldest_seconds(const struct sw_settings *settings)
{
	uint64_t days = sw_settings_sweep_keep_days(settings);
	uint64_t now = (uint64_t)time(NULL);

	return days && days * DAY_SECONDS < now ? now - days * DAY_SECONDS : 0;
}

int sw_verb_sweep_collect_into(const struct sw_settings *settings,
			       const char *folder, bool is_quiet)
{
	size_t complaints = 0;
	const struct sw_gather gather = {
		.from = sw_places_summaries(sw_settings_places(settings)),
		.into = folder,
		.oldest_seconds = oldest_seconds(settings),
		.complain = complain,
		.context = &complaints,
	};
	struct sw_gathered gathered;
	struct sw_error error;

	if (sw_gather(&gathered, &gather, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE,
				   "no summaries were copied: "
				   "%s",
				   error.text);
	if (!is_quiet)
		printf("%zu file%s copied to %s, %zu unchanged.\n",
		       gathered.copied, gathered.copied == 1 ? "" : "s", folder,
		       gathered.unchanged);
	return gathered.refused ? SW_EXIT_PARTIAL : SW_EXIT_OK;
}

/* Slurm opens output files in it, by path, as this user. */
static int check_owner(int dirfd, const char *folder, struct sw_error *error)
{
	struct stat status;

	if (fstat(dirfd, &status) < 0)
		return sw_error_errno(error, "%s", folder);
	if (status.st_uid == geteuid())
		return 0;
	errno = EPERM;
	return sw_error_set(error,
			    "%s is owned by user %lu, who could redirect what "
			    "is written there; run the sweep as that user",
			    folder, (unsigned long)status.st_uid);
}

/* Lock until the descriptor is closed; -1: held by another, or *error. */
static int lock(const char *folder, struct sw_error *error)
{
	int dirfd = sw_gather_open(folder, error), fd;

	if (dirfd < 0)
		return -1;
	fd = check_owner(dirfd, folder, error);
	if (fd < 0) {
		close(dirfd);
		return -1;
	}
	fd = openat(dirfd, LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		    0640);
	close(dirfd);
	if (fd < 0)
		return sw_error_errno(error, "%s", folder);
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	close(fd);
	if (errno != EWOULDBLOCK)
		return sw_error_errno(error, "%s", folder);
	return sw_error_set(error, "%s: another sweep is collecting there",
			    folder);
}

static int wait_for_all(const struct sw_node_names *submitted,
			const struct sw_gather_jobs *jobs, bool is_quiet,
			struct sw_error *error)
{
	size_t count = submitted->count, failed;
	char job[SW_SBATCH_JOB_SIZE];
	int rc;

	if (!is_quiet)
		fprintf(stderr,
			"stepwell: sweep: waiting for the summaries of "
			"%zu node%s, %d minutes at most\n",
			count, count == 1 ? "" : "s",
			2 * SW_GATHER_DEADLINE_MINUTES);
	rc = sw_gather_submit_end(job, true, error);
	/* Nodes that finished have copied their summaries all the same. */
	failed = sw_gather_messages(submitted, jobs);
	if (failed)
		sw_complain(SW_EXIT_OK,
			    "%zu of %zu node%s did not copy all "
			    "summaries; the next --collect copies them",
			    failed, count, count == 1 ? "" : "s");
	return rc;
}

static int collect(const struct sw_gather_jobs *jobs, bool is_quiet,
		   char *after, struct sw_error *error)
{
	struct sw_node_names submitted;
	int rc = sw_gather_submit(&submitted, jobs, error);

	if (rc == 0)
		rc = after ? sw_gather_submit_end(after, false, error)
			   : wait_for_all(&submitted, jobs, is_quiet, error);
	sw_node_names_fini(&submitted);
	return rc;
}

int sw_verb_sweep_collect(const struct sw_settings *settings, bool is_quiet,
			  char after[SW_SBATCH_JOB_SIZE])
{
	const struct sw_places *places = sw_settings_places(settings);
	char program[PATH_MAX];
	size_t complaints = 0;
	struct sw_gather_jobs jobs = {
		.program = program,
		.complain = complain,
		.context = &complaints,
	};
	struct sw_error error;
	int fd, rc;

	if (!places || !places->summary_dir_count)
		return sw_complain(SW_EXIT_USAGE,
				   "--collect copies to the "
				   "first folder of summary_dirs in "
				   "stepwell.yaml, which has none");
	jobs.folder = places->summary_dirs[0];
	if (sw_verb_own_path(program, sizeof(program)) < 0)
		return sw_complain(SW_EXIT_FAILURE,
				   "sweep: cannot find my own "
				   "program: %s",
				   strerror(errno));
	fd = lock(jobs.folder, &error);
	rc = fd < 0 ? -1 : collect(&jobs, is_quiet, after, &error);
	if (rc == 0 && oldest_seconds(settings))
		sw_gather_expire(jobs.folder, oldest_seconds(settings));
	if (fd >= 0)
		close(fd);
	return rc == 0 ? SW_EXIT_OK
		       : sw_complain(SW_EXIT_PARTIAL,
				     "--collect: %s; the page "
				     "has the summaries that were there",
				     error.text);
}
