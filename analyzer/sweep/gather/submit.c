/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submit a sweep as a job array. */
#include "analyzer/sweep/gather/submit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/print/messages.h"
#include "analyzer/sweep/gather/sbatch.h"
#include "analyzer/sweep/night/store.h"
#include "analyzer/sweep/night/times.h"
#include "common/open_file.h"

static void put_time(FILE *out, const char *option, uint64_t seconds)
{
	fprintf(out, " --%s=uts%llu", option, (unsigned long long)seconds);
}

/* Contents of the scripts. */
struct parts {
	const struct sw_submission *submission;
	const char *folder;
};

/* Write the script of a part, which is identified by its number. */
static void put_parts_script(FILE *out, const void *context)
{
	const struct parts *parts = context;
	const struct sw_submission *submission = parts->submission;

	fputs("exec ", out);
	sw_sbatch_put_quoted(out, submission->program);
	fprintf(out, " sweep --quiet --shard=\"$SLURM_ARRAY_TASK_ID/%llu\"",
		(unsigned long long)submission->parts);
	put_time(out, "from", submission->from_seconds);
	put_time(out, "until", submission->until_seconds);
	fputs(" --output=", out);
	sw_sbatch_put_quoted(out, parts->folder);
	fputs("\"/part.$SLURM_ARRAY_TASK_ID\"\n", out);
}

/* Delete the parts when there is a page, or no job to put on it. */
static void put_page_script(FILE *out, const void *context)
{
	const struct parts *parts = context;
	const struct sw_submission *submission = parts->submission;
	size_t i;

	sw_sbatch_put_quoted(out, submission->program);
	fputs(" merge", out);
	for (i = 0; submission->options[i]; i++) {
		fputc(' ', out);
		sw_sbatch_put_quoted(out, submission->options[i]);
	}
	fputs(" --state=", out);
	sw_sbatch_put_quoted(out, submission->folder);
	fputc(' ', out);
	sw_sbatch_put_quoted(out, parts->folder);
	fprintf(out,
		"/part.*\nstatus=$?\ncase $status in 0|%d|%d) rm -r ",
		SW_EXIT_NOTHING_FOUND, SW_EXIT_PARTIAL);
	sw_sbatch_put_quoted(out, parts->folder);
	fprintf(out, " ;;\nesac\n[ $status -eq %d ] || exit $status\n",
		SW_EXIT_NOTHING_FOUND);
}

/* Submit a job that runs the output of put(). */
static int submit(char job[SW_SBATCH_JOB_SIZE], struct sw_sbatch sbatch,
		  void (*put)(FILE *out, const void *context),
		  const struct parts *parts, struct sw_error *error)
{
	char *script = sw_sbatch_script(put, parts);
	int rc;

	sbatch.name = "stepwell-sweep";
	sbatch.script = script;
	rc = sw_sbatch_run(job, SW_SBATCH_JOB_SIZE, &sbatch, error);
	free(script);
	return rc;
}

static int submit_parts(struct sw_submitted *submitted,
			const struct parts *parts, struct sw_error *error)
{
	const struct sw_submission *submission = parts->submission;
	char array[32], after[64], output[PATH_MAX + 32];
	const char *const words[] = { array, submission->after ? after : NULL,
				      NULL };
	const struct sw_sbatch sbatch = { .output = output, .words = words };

	snprintf(after, sizeof(after), "--dependency=afterany:%s",
		 submission->after ? submission->after : "");
	snprintf(array, sizeof(array), "--array=1-%llu",
		 (unsigned long long)submission->parts);
	snprintf(output, sizeof(output), "--output=%s/log.%%a", parts->folder);
	return submit(submitted->parts_job, sbatch, put_parts_script, parts,
		      error);
}

static int submit_page(struct sw_submitted *submitted,
		       const struct parts *parts, struct sw_error *error)
{
	char after[64], output[PATH_MAX + 16];
	const char *const words[] = { after, "--kill-on-invalid-dep=yes",
				      NULL };
	const struct sw_sbatch sbatch = { .output = output, .words = words };
	struct sw_error why;
	int rc;

	snprintf(after, sizeof(after), "--dependency=afterok:%s",
		 submitted->parts_job);
	snprintf(output, sizeof(output), "--output=%s", submitted->page);
	rc = submit(submitted->page_job, sbatch, put_page_script, parts, &why);
	if (rc < 0)
		sw_error_set(error,
			     "%s; job %s sweeps the parts, and no job "
			     "will join them: scancel %s",
			     why.text, submitted->parts_job,
			     submitted->parts_job);
	return rc;
}

/*
 * Slurm will overwrite the page.  It is a sweep's page if the night exists, or
 * if it contains the errors of a failed sweep.
 */
static bool is_free(const char *page, const struct sw_submission *submission)
{
	char night[PATH_MAX], head[sizeof("stepwell: ")] = "";
	struct stat status;
	ssize_t got;
	int fd;

	if (lstat(page, &status) < 0)
		return errno == ENOENT;
	sw_sweep_path(night, sizeof(night), submission->folder,
		      submission->from_seconds);
	if (!S_ISREG(status.st_mode) || status.st_size == 0)
		return S_ISREG(status.st_mode);
	if (sw_sweep_is_night(AT_FDCWD, night))
		return true;
	fd = sw_open_regular(page);
	got = fd < 0 ? -1 : read(fd, head, sizeof(head) - 1);
	if (fd >= 0)
		close(fd);
	return got > 0 && (!strcmp(head, "stepwell: ") ||
			   !strncmp(head, "slurmste", 8));
}

static int name_files(struct sw_submitted *submitted, char *folder,
		      const struct sw_submission *submission,
		      struct sw_error *error)
{
	char day[SW_TIME_SIZE];
	int length, other;

	sw_time_day(day, submission->from_seconds);
	length = snprintf(folder, PATH_MAX, "%s/parts.%s.XXXXXX",
			  submission->folder, day);
	other = snprintf(submitted->page, PATH_MAX, "%s/%s.page",
			 submission->folder, day);
	if (length >= PATH_MAX || other >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return sw_error_errno(error, "%.200s", submission->folder);
	}
	if (!is_free(submitted->page, submission)) {
		errno = EEXIST;
		return sw_error_set(error, "%s is not a page of a sweep, so "
				    "nothing was submitted; move it away",
				    submitted->page);
	}
	return sw_sbatch_check_folder(submission->folder, error);
}

int sw_sweep_submit(struct sw_submitted *submitted,
		    const struct sw_submission *submission,
		    struct sw_error *error)
{
	char folder[PATH_MAX];
	const struct parts parts = { submission, folder };

	if (name_files(submitted, folder, submission, error) < 0 ||
	    sw_sweep_make_folder(submission->folder, error) < 0)
		return -1;
	if (!mkdtemp(folder))
		return sw_error_errno(error, "%s", folder);
	if (submit_parts(submitted, &parts, error) < 0) {
		rmdir(folder);
		return -1;
	}
	return submit_page(submitted, &parts, error);
}
