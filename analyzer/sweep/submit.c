/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep as a job array. */
#include "analyzer/sweep/submit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/print/messages.h"
#include "analyzer/sacct/sacct_child.h"
#include "analyzer/sweep/store.h"
#include "analyzer/sweep/times.h"

enum { SBATCH_WAIT_SECONDS = 120, SBATCH_OUTPUT_MAX = 4096, WORDS_MAX = 24 };

/* For a shell, whatever it holds. */
static void put_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	}
	fputc('\'', out);
}

/* What was set for sbatch's own answers is not for the job. */
static void put_locale(FILE *out)
{
	const char *locale = getenv("LC_ALL");

	fputs("unset LC_ALL SLURM_TIME_FORMAT SLURM_BITSTR_LEN\n", out);
	if (!locale)
		return;
	fputs("export LC_ALL=", out);
	put_quoted(out, locale);
	fputc('\n', out);
}

static void put_time(FILE *out, const char *option, uint64_t seconds)
{
	char text[SW_TIME_SIZE];

	fprintf(out, " --%s=%s", option, sw_time_second(text, seconds));
}

/* A part goes by its number. */
static char *parts_script(const struct sw_submission *submission,
			  const char *folder)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_locale(out);
	fputs("exec ", out);
	put_quoted(out, submission->program);
	fprintf(out, " sweep --quiet --shard=\"$SLURM_ARRAY_TASK_ID/%llu\"",
		(unsigned long long)submission->parts);
	put_time(out, "from", submission->from_seconds);
	put_time(out, "until", submission->until_seconds);
	fputs(" --output=", out);
	put_quoted(out, folder);
	fputs("\"/part.$SLURM_ARRAY_TASK_ID\"\n", out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* Once there is a page, or no job to be on it, the parts are needed no more. */
static char *page_script(const struct sw_submission *submission,
			 const char *folder)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_locale(out);
	put_quoted(out, submission->program);
	fputs(" merge", out);
	for (i = 0; submission->options[i]; i++) {
		fputc(' ', out);
		put_quoted(out, submission->options[i]);
	}
	fputs(" --state=", out);
	put_quoted(out, submission->folder);
	fputc(' ', out);
	put_quoted(out, folder);
	fprintf(out,
		"/part.*\nstatus=$?\n"
		"[ $status -eq 0 ] || [ $status -eq %d ] || exit $status\n"
		"rm -r ",
		SW_EXIT_NOTHING_FOUND);
	put_quoted(out, folder);
	fputc('\n', out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* The number that sbatch prints: "123", "123;cluster". */
static int take_number(char *job, size_t size, const char *text,
		       struct sw_error *error)
{
	size_t length = strspn(text, "0123456789");

	if (length && length < size && strchr(";\n", text[length])) {
		memcpy(job, text, length);
		job[length] = '\0';
		return 0;
	}
	errno = EIO;
	sw_error_set(error, "sbatch printed no number of a job; "
			    "\"squeue --me\" shows whether there is one");
	return -1;
}

static int run_sbatch(char *job, size_t size, const char *const *words,
		      const char *output, const char *script,
		      struct sw_error *error)
{
	const char *argv[WORDS_MAX] = {
		"sbatch",
		"--parsable",
		"--job-name=stepwell-sweep",
		"--ntasks=1",
		"--open-mode=truncate",
		output,
	};
	const struct sw_sacct_call call = {
		.argv = argv,
		.wait_seconds = SBATCH_WAIT_SECONDS,
		.output_bytes_max = SBATCH_OUTPUT_MAX,
		.is_empty_suspect = true,
	};
	size_t count = 6;
	char *said;
	int rc;

	while (*words)
		argv[count++] = *words++;
	argv[count++] = "--wrap";
	argv[count] = script;
	if (!script) {
		errno = ENOMEM;
		return sw_error_errno(error, "sbatch");
	}
	said = sw_sacct_run(&call, error);
	rc = said ? take_number(job, size, said, error) : -1;
	free(said);
	return rc;
}

static int submit_parts(struct sw_submitted *submitted,
			const struct sw_submission *submission,
			const char *folder, struct sw_error *error)
{
	char array[32], output[PATH_MAX + 32];
	const char *const words[] = {array, NULL};
	char *script = parts_script(submission, folder);
	int rc;

	snprintf(array, sizeof(array), "--array=1-%llu",
		 (unsigned long long)submission->parts);
	snprintf(output, sizeof(output), "--output=%s/log.%%a", folder);
	rc = run_sbatch(submitted->parts_job, sizeof(submitted->parts_job),
			words, output, script, error);
	free(script);
	return rc;
}

static int submit_page(struct sw_submitted *submitted,
		       const struct sw_submission *submission,
		       const char *folder, struct sw_error *error)
{
	char after[64], output[PATH_MAX + 16];
	const char *const words[] = {after, "--kill-on-invalid-dep=yes", NULL};
	char *script = page_script(submission, folder);
	struct sw_error why;
	int rc;

	snprintf(after, sizeof(after), "--dependency=afterok:%s",
		 submitted->parts_job);
	snprintf(output, sizeof(output), "--output=%s", submitted->page);
	rc = run_sbatch(submitted->page_job, sizeof(submitted->page_job), words,
			output, script, &why);
	free(script);
	if (rc < 0)
		sw_error_set(error,
			     "%s; job %s sweeps the parts, and no job "
			     "will join them: scancel %s",
			     why.text, submitted->parts_job,
			     submitted->parts_job);
	return rc;
}

/* sbatch takes "%" for one of its patterns, and has no way around that. */
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
	if (!strpbrk(submission->folder, "%\\"))
		return 0;
	errno = EINVAL;
	sw_error_set(error,
		     "%s: sbatch writes into no folder with \"%%\" or "
		     "\"\\\" in its path",
		     submission->folder);
	return -1;
}

int sw_sweep_submit(struct sw_submitted *submitted,
		    const struct sw_submission *submission,
		    struct sw_error *error)
{
	char folder[PATH_MAX];

	if (name_files(submitted, folder, submission, error) < 0 ||
	    sw_sweep_make_folder(submission->folder, error) < 0)
		return -1;
	if (!mkdtemp(folder))
		return sw_error_errno(error, "%s", folder);
	if (submit_parts(submitted, submission, folder, error) < 0) {
		rmdir(folder);
		return -1;
	}
	return submit_page(submitted, submission, folder, error);
}
