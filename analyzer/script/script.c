/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse the options of a batch script like sbatch(1): lines that begin with
 * #SBATCH, up to the first line that is no comment; words with quotes and
 * backslashes, all lines forming one command line; "#" outside of quotes ends a
 * line.  Fail if sbatch would reject the script.
 */
#include "analyzer/script/script.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/script/sbatch_options.h"
#include "common/escape.h"

static const char magic[] = "#SBATCH";

/* Marks of other schedulers' lines, and their names. */
static const struct {
	const char *mark, *name;
} others[] = {
	{ "#PBS", "PBS or Torque" }, { "#BSUB", "LSF" },
	{ "#$ -", "Grid Engine" },   { "#COBALT", "Cobalt" },
	{ "#OAR", "OAR" },	     { "#MSUB", "Moab" },
	{ "#FLUX:", "Flux" },	     { "#PJM", "PJM" },
};

/* A word's position in the text, and its meaning. */
struct word {
	size_t at, length;
	char *text;
	bool is_open;	/* a quote is not closed */
};

struct reader {
	struct sw_script *script;
	struct word *words;
	size_t count, room;
	const char *other;	/* another scheduler with lines here */
	size_t hetjob_line;	/* from 1; 0 if none */
	size_t open_line;	/* of an unclosed quote; 0 if none */
};

static size_t line_end(const struct sw_script *script, size_t at)
{
	const char *end = memchr(script->text + at, '\n', script->length - at);

	return end ? (size_t)(end - script->text) + 1 : script->length;
}

static size_t line_of(const struct sw_script *script, size_t at)
{
	size_t line = 1, i;

	for (i = 0; i < at; i++)
		line += script->text[i] == '\n';
	return line;
}

static bool begins(const struct sw_script *script, size_t at,
		   const char *with)
{
	size_t length = strlen(with);

	return script->length - at >= length &&
	       !memcmp(script->text + at, with, length);
}

/*
 * Parse one word at *at; meaning has enough space.  Advance *at past it.
 * Return false at the end of the line, or at a comment.
 */
static bool take_word(const char *text, size_t end, size_t *at,
		      struct word *word, char *meaning)
{
	char quote = '\0';
	size_t used = 0;

	word->is_open = false;
	while (*at < end && isspace((unsigned char)text[*at]))
		(*at)++;
	word->at = *at;
	for (; *at < end; (*at)++) {
		char c = text[*at];

		if (c == '\\' && *at + 1 < end)
			meaning[used++] = text[++*at];
		else if (quote && c == quote)
			quote = '\0';
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		else if (!quote && (isspace((unsigned char)c) || c == '#'))
			break;
		else
			meaning[used++] = c;
	}
	meaning[used] = '\0';
	word->length = *at - word->at;
	word->is_open = quote != '\0';
	return word->length > 0;
}

static int keep_word(struct reader *reader, const struct word *word,
		     const char *meaning)
{
	struct word *grown;

	if (reader->count == reader->room) {
		reader->room = reader->room ? reader->room * 2 : 32;
		grown = realloc(reader->words,
				reader->room * sizeof(*grown));
		if (!grown)
			return -1;
		reader->words = grown;
	}
	reader->words[reader->count] = *word;
	reader->words[reader->count].text = strdup(meaning);
	return reader->words[reader->count].text ? (int)reader->count++ : -1;
}

static int read_line(struct reader *reader, size_t at, size_t end)
{
	const char *text = reader->script->text;
	char *meaning = malloc(end - at + 1);
	struct word word;
	int rc = 0;

	if (!meaning)
		return -1;
	at += sizeof(magic) - 1;
	while (rc >= 0 && take_word(text, end, &at, &word, meaning)) {
		if (!strcasecmp(meaning, "hetjob") ||
		    !strcasecmp(meaning, "packjob"))
			reader->hetjob_line = line_of(reader->script, at);
		if (word.is_open)
			reader->open_line = line_of(reader->script, word.at);
		rc = keep_word(reader, &word, meaning);
	}
	free(meaning);
	return rc < 0 ? -1 : 0;
}

/* True for a blank line or a comment. */
static bool is_quiet(const struct sw_script *script, size_t at, size_t end)
{
	while (at < end && isspace((unsigned char)script->text[at]))
		at++;
	return at == end || script->text[at] == '#';
}

static void look_for_others(struct reader *reader, size_t at)
{
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (begins(reader->script, at, others[i].mark))
			reader->other = others[i].name;
	}
}

/* Strip the line's end: no quote or backslash extends beyond it. */
static size_t content_end(const struct sw_script *script, size_t at, size_t end)
{
	while (end > at && (script->text[end - 1] == '\n' ||
			    script->text[end - 1] == '\r'))
		end--;
	return end;
}

static int read_lines(struct reader *reader)
{
	struct sw_script *script = reader->script;
	size_t at = line_end(script, 0), end;

	script->insert_at = at;
	for (; at < script->length; at = end) {
		end = line_end(script, at);
		if (begins(script, at, magic)) {
			if (read_line(reader, at,
				      content_end(script, at, end)) < 0)
				return -1;
			script->insert_at = end;
		} else if (is_quiet(script, at, end)) {
			look_for_others(reader, at);
		} else {
			return 0;
		}
	}
	return 0;
}

/*
 * Return the offset in the text of the n-th character of a word's meaning, and
 * the quotes it is in; \0 for none.
 */
static size_t raw_offset(const struct sw_script *script,
			 const struct word *word, size_t n, char *in_quote)
{
	size_t at = word->at, end = word->at + word->length;
	char quote = '\0';

	*in_quote = '\0';
	for (; at < end; at++) {
		char c = script->text[at];

		if (c == '\\' && at + 1 < end) {
			if (n == 0)
				return at;
			at++;
		} else if (quote ? c == quote : c == '"' || c == '\'') {
			/* The value begins with its quote. */
			if (n == 0 && !quote)
				return at;
			*in_quote = quote = quote ? '\0' : c;
			continue;
		} else if (n == 0) {
			return at;
		}
		n--;
	}
	return end;
}

static int keep_option(struct sw_script *script,
		       const struct sw_script_option *option)
{
	struct sw_script_option *grown =
		realloc(script->options,
			(script->count + 1) * sizeof(*grown));

	if (!grown)
		return -1;
	script->options = grown;
	grown[script->count] = *option;
	if (option->value) {
		grown[script->count].value = strdup(option->value);
		if (!grown[script->count].value)
			return -1;
	}
	script->count++;
	return 0;
}

/* Set the value, from the n-th character of the word on. */
static void value_in(struct sw_script_option *option,
		     const struct sw_script *script, const struct word *word,
		     size_t n)
{
	size_t end = word->at + word->length;
	char quote;

	option->value_at = raw_offset(script, word, n, &quote);
	/* '--mem=4G': the final quote is not part of the value. */
	if (quote && script->text[end - 1] == quote)
		end--;
	option->value_length = end - option->value_at;
	option->value = word->text + n;
}

static bool is_option(const struct word *word)
{
	return word->text[0] == '-' && word->text[1];
}

/* Use the next word as the value, if there is one. */
static void value_next(struct sw_script_option *option,
		       const struct reader *reader, size_t *i)
{
	if (*i + 1 >= reader->count)
		return;
	(*i)++;
	value_in(option, reader->script, &reader->words[*i], 0);
}

static int read_long(struct reader *reader, size_t *i)
{
	const struct word *word = &reader->words[*i];
	size_t length = strcspn(word->text + 2, "=");
	bool has_value = word->text[2 + length] == '=';
	char quote;
	const struct sw_sbatch_option *known =
		sw_sbatch_find(word->text + 2, length);
	struct sw_script_option option = {
		.key = known ? known->key : SW_SCRIPT_OTHER,
		.name_at = word->at,
		.name_length = word->length,
	};

	if (has_value) {
		option.name_length = raw_offset(reader->script, word,
						2 + length, &quote) - word->at;
		value_in(&option, reader->script, word, 2 + length + 1);
	} else if (known ? known->argument == SW_SBATCH_REQUIRED :
		   *i + 1 < reader->count &&
		   !is_option(&reader->words[*i + 1])) {
		value_next(&option, reader, i);
	}
	return keep_option(reader->script, &option);
}

/* "-c4", "-c 4", "-Hc4" */
static int read_letters(struct reader *reader, size_t *i)
{
	const struct word *word = &reader->words[*i];
	size_t n;

	for (n = 1; word->text[n]; n++) {
		const struct sw_sbatch_option *known =
			sw_sbatch_find_letter(word->text[n]);
		struct sw_script_option option = {
			.key = known ? known->key : SW_SCRIPT_OTHER,
			.name_at = word->at, .name_length = word->length,
		};
		bool is_last = !word->text[n + 1];

		if (!known || known->argument == SW_SBATCH_NONE)
			continue;
		if (!is_last) {
			value_in(&option, reader->script, word, n + 1);
			option.name_length = option.value_at - word->at;
		} else if (known->argument == SW_SBATCH_REQUIRED) {
			value_next(&option, reader, i);
		}
		return keep_option(reader->script, &option);
	}
	return 0;
}

static int read_options(struct reader *reader, struct sw_error *error)
{
	char shown[80];
	size_t i;
	int rc = 0;

	for (i = 0; i < reader->count && rc == 0; i++) {
		const struct word *word = &reader->words[i];

		if (!is_option(word) || !strcmp(word->text, "--")) {
			errno = EINVAL;
			return sw_error_set(error, "line %zu: \"%s\" is not an "
					    "option of sbatch, which reads no "
					    "options after it",
				line_of(reader->script, word->at),
				sw_escape_ascii(shown, sizeof(shown),
						word->text));
		}
		rc = word->text[1] == '-' ? read_long(reader, &i) :
					    read_letters(reader, &i);
	}
	if (rc < 0)
		return sw_error_set(error, "not enough memory");
	return 0;
}

static int read_script(struct reader *reader, struct sw_error *error)
{
	struct sw_script *script = reader->script;

	errno = EINVAL;
	if (!begins(script, 0, "#!"))
		return sw_error_set(error, "not a batch script: its first line "
				    "does not begin with \"#!\", and sbatch "
				    "accepts no other");
	if (memchr(script->text, '\0', script->length))
		return sw_error_set(error, "not a batch script: it contains "
				    "NUL bytes");
	if (read_lines(reader) < 0)
		return sw_error_set(error, "not enough memory");
	errno = EINVAL;
	if (reader->hetjob_line)
		return sw_error_set(error, "line %zu: a heterogeneous job, "
				    "each of whose components has its own "
				    "options; there is no advice for these",
				    reader->hetjob_line);
	if (reader->open_line)
		return sw_error_set(error, "line %zu: a quote is not closed, "
				    "so sbatch refuses the script",
				    reader->open_line);
	if (!reader->count && reader->other)
		return sw_error_set(error, "a script for %s: only #SBATCH "
				    "lines of Slurm are understood",
				    reader->other);
	return read_options(reader, error);
}

int sw_script_init(struct sw_script *script, const char *text, size_t length,
		   struct sw_error *error)
{
	struct reader reader = { .script = script };
	size_t i;
	int rc;

	memset(script, 0, sizeof(*script));
	script->text = malloc(length + 1);
	if (!script->text)
		return sw_error_set(error, "not enough memory");
	memcpy(script->text, text, length);
	script->text[length] = '\0';
	script->length = length;
	i = line_end(script, 0);
	script->newline = i > 1 && script->text[i - 1] == '\n' &&
			  script->text[i - 2] == '\r' ? "\r\n" : "\n";
	rc = read_script(&reader, error);
	for (i = 0; i < reader.count; i++)
		free(reader.words[i].text);
	free(reader.words);
	if (rc < 0)
		sw_script_fini(script);
	return rc;
}

void sw_script_fini(struct sw_script *script)
{
	int saved = errno;
	size_t i;

	for (i = 0; i < script->count; i++)
		free(script->options[i].value);
	free(script->options);
	free(script->text);
	memset(script, 0, sizeof(*script));
	errno = saved;
}

const struct sw_script_option *sw_script_find(const struct sw_script *script,
					      enum sw_script_key key)
{
	size_t i = script->count;

	while (i-- > 0) {
		if (script->options[i].key == key)
			return &script->options[i];
	}
	return NULL;
}

const char *sw_script_value(const struct sw_script *script,
			    enum sw_script_key key)
{
	const struct sw_script_option *option = sw_script_find(script, key);

	return option ? option->value : NULL;
}
