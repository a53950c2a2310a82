/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submit a Slurm job that runs a shell script. */
#include "analyzer/sweep/gather/sbatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/sacct_child.h"

enum { SBATCH_WAIT_SECONDS = 120, SBATCH_OUTPUT_MAX = 4096, WORDS_MAX = 24 };

void sw_sbatch_put_quoted(FILE *out, const char *text)
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

static void put_locale(FILE *out)
{
	const char *locale = getenv("LC_ALL");

	fputs("unset LC_ALL SLURM_TIME_FORMAT SLURM_BITSTR_LEN\n", out);
	if (!locale)
		return;
	fputs("export LC_ALL=", out);
	sw_sbatch_put_quoted(out, locale);
	fputc('\n', out);
}

char *sw_sbatch_script(void (*put)(FILE *out, const void *context),
		       const void *context)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_locale(out);
	put(out, context);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* sbatch has no way to escape these characters. */
int sw_sbatch_check_folder(const char *folder, struct sw_error *error)
{
	if (!strpbrk(folder, "%\\"))
		return 0;
	errno = EINVAL;
	return sw_error_set(error,
			    "%s: sbatch writes into no folder with \"%%\" or "
			    "\"\\\" in its path",
			    folder);
}

/* Parse the job id printed by sbatch: "123", "123;cluster". */
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

int sw_sbatch_run(char job[SW_SBATCH_JOB_SIZE], size_t size,
		  const struct sw_sbatch *sbatch, struct sw_error *error)
{
	char name[64];
	const char *argv[WORDS_MAX] = {
		"sbatch",     "--parsable",	      name,
		"--ntasks=1", "--open-mode=truncate", sbatch->output,
	};
	const struct sw_sacct_call call = {
		.argv = argv,
		.wait_seconds = sbatch->wait_seconds ? sbatch->wait_seconds
						     : SBATCH_WAIT_SECONDS,
		.output_bytes_max = SBATCH_OUTPUT_MAX,
		.is_empty_suspect = true,
	};
	const char *const *word;
	size_t count = 6;
	char *said;
	int rc;

	snprintf(name, sizeof(name), "--job-name=%s", sbatch->name);
	for (word = sbatch->words; *word && count + 3 < WORDS_MAX; word++)
		argv[count++] = *word;
	argv[count++] = "--wrap";
	argv[count] = sbatch->script;
	if (!sbatch->script) {
		errno = ENOMEM;
		return sw_error_errno(error, "sbatch");
	}
	said = sw_sacct_run(&call, error);
	rc = said ? take_number(job, size, said, error) : -1;
	free(said);
	return rc;
}
