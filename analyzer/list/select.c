/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose lines of "stepwell list" by their values. */
#include "analyzer/list/select.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analyzer/rules/rule.h"
#include "common/job_state.h"
#include "common/missing.h"
#include "common/units.h"

enum { WORD_SIZE = 128 };

/* Own words for a state, and Slurm's for the same. */
static const struct {
	const char *word;
	enum sw_job_state state;
} own_states[] = {
	{ "ok", SW_JOB_COMPLETED },
	{ "failed", SW_JOB_FAILED },
	{ "killed", SW_JOB_UNKNOWN },
	{ "interrupted", SW_JOB_UNKNOWN },
	{ "still running", SW_JOB_RUNNING },
	{ "end not seen", SW_JOB_UNKNOWN },
};

/* Copy the next word of a list; false at the end. */
static bool next_word(const char **list, char word[WORD_SIZE])
{
	size_t length = strcspn(*list, ",");

	if (**list == '\0')
		return false;
	snprintf(word, WORD_SIZE, "%.*s", (int)length, *list);
	*list += length + ((*list)[length] == ',');
	return true;
}

/* Slurm's state for a word of either kind, in any case; unknown if it has none. */
static enum sw_job_state read_state(const char *word, bool *is_known)
{
	char upper[WORD_SIZE];
	enum sw_job_state state;
	size_t i;

	*is_known = true;
	for (i = 0; i < sizeof(own_states) / sizeof(own_states[0]); i++) {
		if (!strcasecmp(word, own_states[i].word))
			return own_states[i].state;
	}
	for (i = 0; word[i] && i + 1 < sizeof(upper); i++)
		upper[i] = (char)toupper((unsigned char)word[i]);
	upper[i] = '\0';
	state = sw_job_state_read(upper);
	*is_known = state != SW_JOB_UNKNOWN;
	return state;
}

/* "oom" is a family, "oom.killed" an id, "*.killed" a pattern. */
static bool is_finding(const char *word, const char *id)
{
	size_t length = strlen(word);

	return !fnmatch(word, id, 0) ||
	       (!strncmp(word, id, length) && id[length] == '.');
}

static bool is_known_finding(const char *word)
{
	size_t i;

	for (i = 0; sw_rules[i]; i++) {
		if (is_finding(word, sw_rules[i]->id))
			return true;
	}
	return false;
}

int sw_list_select_check(const struct sw_list_select *select,
			 struct sw_error *error)
{
	const char *states = select->states ? select->states : "";
	const char *findings = select->findings ? select->findings : "";
	char word[WORD_SIZE];
	bool is_known;

	errno = EINVAL;
	while (next_word(&states, word)) {
		read_state(word, &is_known);
		if (!is_known)
			return sw_error_set(error, "--state: no state \"%s\"; "
				"use one of Slurm's, or ok, failed, killed, "
				"interrupted, \"still running\", \"end not "
				"seen\"", word);
	}
	while (next_word(&findings, word)) {
		if (!is_known_finding(word))
			return sw_error_set(error, "--findings: no finding "
				"\"%s\"; \"stepwell explain\" lists them",
				word);
	}
	return 0;
}

static bool has_state(const struct sw_list_row *row, const char *states)
{
	const char *own = row->values[SW_LIST_STATE].text;
	enum sw_job_state state;
	char word[WORD_SIZE];
	bool is_known;

	if (!own)
		return false;
	state = read_state(own, &is_known);
	while (next_word(&states, word)) {
		if (!strcasecmp(word, own) ||
		    (state && read_state(word, &is_known) == state))
			return true;
	}
	return false;
}

static bool has_finding(const struct sw_list_row *row, const char *findings)
{
	const char *ids;
	char word[WORD_SIZE], id[WORD_SIZE];
	size_t length;

	while (next_word(&findings, word)) {
		ids = row->values[SW_LIST_FINDINGS].text;
		for (; ids && *ids; ids += length + (ids[length] == ' ')) {
			length = strcspn(ids, " ");
			snprintf(id, sizeof(id), "%.*s", (int)length, ids);
			if (is_finding(word, id))
				return true;
		}
	}
	return false;
}

static bool is_within(const struct sw_list_select *select,
		      const struct sw_list_row *row, size_t *undated)
{
	uint64_t start = row->values[SW_LIST_START].number;
	uint64_t end = start + sw_zero_if_missing(
		row->values[SW_LIST_ELAPSED].number);

	if (sw_is_missing(select->since_seconds) &&
	    sw_is_missing(select->until_seconds))
		return true;
	if (sw_is_missing(start)) {
		(*undated)++;
		return false;
	}
	return (sw_is_missing(select->since_seconds) ||
		end / SW_USEC_PER_SEC >= select->since_seconds) &&
	       (sw_is_missing(select->until_seconds) ||
		start / SW_USEC_PER_SEC < select->until_seconds);
}

/* By the name that the text shows. */
static bool has_name(const struct sw_list_row *row, const char *pattern)
{
	const char *name = row->values[SW_LIST_NAME].text;

	if (!name)
		name = row->values[SW_LIST_PROGRAM].text;
	return name && fnmatch(pattern, name, 0) == 0;
}

bool sw_list_selects(const struct sw_list_select *select,
		     const struct sw_list_row *row, size_t *undated)
{
	return (sw_is_missing(select->uid) ||
		row->values[SW_LIST_UID].number == select->uid) &&
	       (!select->name || has_name(row, select->name)) &&
	       (!select->states || has_state(row, select->states)) &&
	       (!select->findings || has_finding(row, select->findings)) &&
	       is_within(select, row, undated);
}
