/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "sweep --submit": the same request as Slurm jobs. */
#include "analyzer/verbs/sweep_submit.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/sweep/gather/submit.h"
#include "analyzer/verbs/sweep_histories.h"
#include "analyzer/verbs/verb.h"
#include "common/units.h"

enum { WORDS_MAX = 8 };

/* Options of the page, as arguments for "merge". */
struct words {
	char text[WORDS_MAX][PATH_MAX];
	const char *list[WORDS_MAX + 1];
	size_t count;
};

static void add_word(struct words *words, const char *option, const char *value)
{
	if (!value)
		return;
	snprintf(words->text[words->count], PATH_MAX, "--%s=%s", option, value);
	words->list[words->count] = words->text[words->count];
	words->count++;
}

static void put_words(struct words *words, const struct sw_sweep_request *page)
{
	words->count = 0;
	add_word(words, "user", page->part.user);
	add_word(words, "group", page->part.group);
	add_word(words, "pipeline", page->part.pipeline);
	add_word(words, "run", page->part.run);
	add_word(words, "rows", page->rows);
	add_word(words, "html", page->html);
	if (page->is_forced)
		words->list[words->count++] = "--force";
	if (page->is_json)
		words->list[words->count++] = "--json";
	if (page->is_csv)
		words->list[words->count++] = "--csv";
	if (!sw_sweep_joins_histories())
		words->list[words->count++] = "--no-histories";
	words->list[words->count] = NULL;
}

static int say(const struct sw_submitted *submitted,
	       const struct sw_sweep_request *page, uint64_t parts)
{
	printf("Submitted job %s (%llu parts), and job %s, which joins them.\n",
	       submitted->parts_job, (unsigned long long)parts,
	       submitted->page_job);
	if (page->html)
		printf("The page will be in %s; errors will be in %s.\n",
		       page->html, submitted->page);
	else
		printf("The page will be in %s.\n", submitted->page);
	return SW_EXIT_OK;
}

int sw_verb_sweep_submit_check(const struct sw_sweep_request *page,
			       const char *parts)
{
	uint64_t count;

	if (sw_count_parse(parts, 1, SW_SUBMIT_PARTS_MAX, &count) < 0)
		return sw_complain(SW_EXIT_USAGE,
				   "--submit must be a number "
				   "of parts from 1 to %d, not \"%s\"",
				   SW_SUBMIT_PARTS_MAX, parts);
	if (page->output)
		return sw_complain(SW_EXIT_USAGE,
				   "--submit makes a page, and "
				   "its parts itself; leave --output out");
	return SW_EXIT_OK;
}

int sw_verb_sweep_submit(const struct sw_sweep_request *page,
			 const struct sw_sweep_parts *parts)
{
	char program[PATH_MAX];
	struct words words;
	struct sw_submission submission = {
		.program = program,
		.folder = parts->folder,
		.after = parts->after,
		.from_seconds = parts->from_seconds,
		.until_seconds = parts->until_seconds,
		.options = words.list,
	};
	struct sw_submitted submitted;
	struct sw_error error;

	sw_count_parse(parts->parts, 1, SW_SUBMIT_PARTS_MAX, &submission.parts);
	if (sw_verb_own_path(program, sizeof(program)) < 0)
		return sw_complain(SW_EXIT_FAILURE,
				   "sweep: cannot find my own "
				   "program, so nothing was submitted: %s",
				   strerror(errno));
	put_words(&words, page);
	if (sw_sweep_submit(&submitted, &submission, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "sweep --submit: %s",
				   error.text);
	return say(&submitted, page, submission.parts);
}
