/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read all jobs that ended in a range of time, in windows of at most a day.
 * Gives up if a window still fails or times out after seven halvings, or if a
 * window of a second is too large.
 */
#include "analyzer/records/records.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "analyzer/accounting/record_jobs.h"
#include "analyzer/accounting/sacct_child.h"
#include "analyzer/records/records_lsf.h"

enum {
	WINDOW_SECONDS = 86400, HOUR_SECONDS = 3600, WAIT_SECONDS = 600,
	LONG_WAIT_SECONDS = 120, /* for a window of more than an hour */
	HALVINGS_OF_FAILURE = 7, /* leaves 11 minutes of a day */
	HELP_BYTES_MAX = 1 << 20, WINDOW_BYTES_MAX = 16 << 20,
	/* Double the window if an answer is smaller than the maximum by this
	 * factor. */
	ROOM_LEFT = 4,
	PATIENCE_MAX = 64,
};

/* Output of the program */
struct answer {
	char *text;
	char delimiter[16];
};

struct reader {
	struct sw_record_fields facts, texts;
	const struct sw_records_source *source;
	const struct sw_records_taker *taker;
	struct sw_records_sums *sums;
	struct sw_error *error;
	const char *program;
	/* Length of the next window, and its maximum */
	uint64_t span_seconds, span_seconds_max;
	unsigned failures;	/* since the last answer */
	/* Number of small answers before the window grows, and the number so
	 * far */
	unsigned patience, small_answers;
	bool is_longer;		/* than the previous window */
};

/* Wait less if the window can be divided. */
static unsigned wait_seconds(const struct reader *reader, uint64_t span)
{
	if (reader->source->wait_seconds)
		return reader->source->wait_seconds;
	return span > HOUR_SECONDS ? LONG_WAIT_SECONDS : WAIT_SECONDS;
}

static char *run(const struct reader *reader, const char *const *argv,
		 size_t bytes_max, uint64_t span)
{
	const struct sw_sacct_call call = {
		.argv = argv, .output_bytes_max = bytes_max,
		.wait_seconds = wait_seconds(reader, span),
		.is_empty_suspect = true,
	};

	return sw_sacct_run(&call, reader->error);
}

static int ask_fields(struct reader *reader)
{
	const char *const argv[] = { reader->program, "--helpformat", NULL };
	char *help = run(reader, argv, HELP_BYTES_MAX, 0);
	struct sw_record_fields all;
	int rc = -1;

	if (help) {
		rc = sw_record_fields_read(&all, help, reader->error);
		if (rc == 0)
			sw_record_fields_divide(&all, &reader->facts,
						&reader->texts);
		errno = EIO;
	}
	free(help);
	return rc;
}

/*
 * Fall back to sacct, which has the same records, if a program for one release
 * of Slurm is missing or does not start with another.
 */
static int learn_fields(struct reader *reader)
{
	static const char sacct[] = "sacct";
	char text[2 * SW_ERROR_TEXT_SIZE];
	int rc = ask_fields(reader);

	if (rc == 0 || !strcmp(reader->program, sacct))
		return rc;
	snprintf(text, sizeof(text), "%s; jobs are read from sacct instead",
		 reader->error->text);
	if (reader->taker->complain)
		reader->taker->complain(reader->taker->context, text);
	reader->program = sacct;
	return ask_fields(reader);
}

/*
 * Choose a control character and a random number that nobody can know when
 * naming a job.  Each query needs a new one, since anybody can read it
 * afterwards.
 */
static int choose_delimiter(const struct reader *reader, struct answer *answer)
{
	uint32_t chance = 0;

	if (getrandom(&chance, sizeof(chance), 0) < 0)
		return sw_error_errno(reader->error, "random number");
	snprintf(answer->delimiter, sizeof(answer->delimiter), "\x1f%08x",
		 (unsigned)chance);
	return 0;
}

static size_t bytes_max(const struct reader *reader)
{
	size_t max = reader->source->window_bytes_max;

	return max ? max : WINDOW_BYTES_MAX;
}

/*
 * The caller frees answer->text.  If only final states are given, -S and -E
 * apply to the end of jobs.
 */
static int ask(const struct reader *reader,
	       const struct sw_record_window *window,
	       const struct sw_record_fields *fields, struct answer *answer)
{
	char delimiter[40], from[32], until[32];
	char ended[SW_JOB_STATE_LETTERS_SIZE];
	const char *const argv[] = {
		reader->program, "--allusers", "--duplicates", "--parsable2",
		"--noheader", "--noconvert", delimiter, "--state",
		sw_job_state_letters(ended),
		"--starttime", from, "--endtime", until,
		"--format", fields->format, NULL,
	};

	answer->text = NULL;
	if (choose_delimiter(reader, answer) < 0)
		return -1;
	snprintf(delimiter, sizeof(delimiter), "--delimiter=%s",
		 answer->delimiter);
	/* Both times are inclusive, with a resolution of one second. */
	snprintf(from, sizeof(from), "uts%llu",
		 (unsigned long long)window->from_seconds);
	snprintf(until, sizeof(until), "uts%llu",
		 (unsigned long long)window->until_seconds);
	answer->text = run(reader, argv, bytes_max(reader),
			   window->until_seconds - window->from_seconds);
	return answer->text ? 0 : -1;
}

/* A window without jobs has no texts. */
static int ask_both(struct reader *reader,
		    const struct sw_record_window *window,
		    struct answer *facts, struct answer *texts)
{
	*texts = (struct answer){ .text = NULL };
	if (ask(reader, window, &reader->facts, facts) < 0)
		return -1;
	if (*facts->text && ask(reader, window, &reader->texts, texts) < 0)
		return -1;
	return 0;
}

static int take(struct reader *reader, const struct answer *facts,
		const struct answer *written,
		const struct sw_record_window *window)
{
	struct sw_record_lines lines = {
		.next = facts->text, .delimiter = facts->delimiter,
		.fields = &reader->facts,
	};
	struct sw_record_lines text_lines = {
		.next = written->text, .delimiter = written->delimiter,
		.fields = &reader->texts,
	};
	struct sw_record_texts texts = { .count = 0 };
	int rc = 0;

	if (written->text)
		rc = sw_record_texts_read(&texts, &text_lines, reader->taker,
					  reader->sums, reader->error);
	if (rc == 0)
		rc = sw_record_jobs_take(&lines, &texts, window, reader->taker,
					 reader->sums, reader->error);
	sw_record_texts_fini(&texts);
	if (rc != 0)
		return rc;
	reader->sums->windows++;
	if (!reader->taker->take_window)
		return 0;
	return reader->taker->take_window(reader->taker->context,
					  window->until_seconds);
}

/* A missing program will be missing for half a window, too. */
static bool can_halve(const struct reader *reader,
		      const struct sw_record_window *window)
{
	if (errno == ENOENT ||
	    window->until_seconds - window->from_seconds < 2)
		return false;
	return errno == EFBIG || reader->failures < HALVINGS_OF_FAILURE;
}

/* Halve the window, which got no answer (errno). */
static void halve(struct reader *reader, const struct sw_record_window *window)
{
	reader->sums->halved++;
	reader->span_seconds =
		(window->until_seconds - window->from_seconds) / 2;
	/* The time that an answer takes cannot be predicted. */
	if (errno != EFBIG) {
		reader->failures++;
		reader->span_seconds_max = reader->span_seconds;
	} else if (reader->is_longer && reader->patience < PATIENCE_MAX) {
		reader->patience *= 2;
	}
	reader->is_longer = false;
	reader->small_answers = 0;
}

/* Keep the length of the window, or double it after small answers. */
static void double_if_small(struct reader *reader, const struct answer *facts,
			    const struct answer *texts)
{
	size_t size = strlen(facts->text);
	uint64_t longer = 2 * reader->span_seconds;

	if (texts->text && strlen(texts->text) > size)
		size = strlen(texts->text);
	if (reader->is_longer && reader->patience > 1)
		reader->patience /= 2;
	reader->is_longer = false;
	reader->failures = 0;
	if (size >= bytes_max(reader) / ROOM_LEFT ||
	    reader->span_seconds >= reader->span_seconds_max) {
		reader->small_answers = 0;
	} else if (++reader->small_answers >= reader->patience) {
		reader->small_answers = 0;
		reader->is_longer = true;
		reader->span_seconds = longer < reader->span_seconds_max ?
					       longer :
					       reader->span_seconds_max;
	}
}

/* Return 0, also if it has to be halved, the taker's result, or -1. */
static int read_window(struct reader *reader,
		       const struct sw_record_window *window, bool *is_read)
{
	struct answer facts, texts;
	int rc = ask_both(reader, window, &facts, &texts), saved = errno;

	*is_read = rc == 0;
	if (*is_read) {
		rc = take(reader, &facts, &texts, window);
		saved = errno;
		double_if_small(reader, &facts, &texts);
	}
	free(facts.text);
	free(texts.text);
	errno = saved;
	if (!*is_read && can_halve(reader, window)) {
		halve(reader, window);
		rc = 0;
	}
	return rc;
}

static struct sw_record_window next_window(const struct reader *reader,
					   uint64_t from_seconds,
					   uint64_t until_seconds)
{
	struct sw_record_window window = {
		.from_seconds = from_seconds,
		.until_seconds = from_seconds + reader->span_seconds,
	};

	if (reader->span_seconds % HOUR_SECONDS == 0)
		window.until_seconds -= window.until_seconds % HOUR_SECONDS;
	if (window.until_seconds > until_seconds)
		window.until_seconds = until_seconds;
	return window;
}

int sw_records_read(const struct sw_records_source *source,
		    uint64_t from_seconds, uint64_t until_seconds,
		    const struct sw_records_taker *taker,
		    struct sw_records_sums *sums, struct sw_error *error)
{
	struct reader reader = {
		.source = source, .taker = taker, .sums = sums, .error = error,
		.program = source->program ? source->program : "sacct",
		.span_seconds = WINDOW_SECONDS,
		.span_seconds_max = WINDOW_SECONDS, .patience = 1,
	};
	struct sw_record_window window;
	bool is_read;
	int rc;

	if (source->lsb_acct)
		return sw_records_read_lsf(source, from_seconds, until_seconds,
					   taker, sums, error);
	*sums = (struct sw_records_sums){ 0 };
	rc = learn_fields(&reader);
	while (rc == 0 && from_seconds < until_seconds) {
		window = next_window(&reader, from_seconds, until_seconds);
		rc = read_window(&reader, &window, &is_read);
		if (is_read)
			from_seconds = window.until_seconds;
	}
	return rc;
}
