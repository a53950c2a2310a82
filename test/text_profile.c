/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generate profiles from text; fails at the first unknown line.  The short forms
 * "columns" and "rows" become the "column" and "row" that they stand for.
 */
#include "test/text_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profiles/writer.h"
#include "test/text_words.h"

enum { LINE_SIZE_MAX = 16384, DEPTH_MAX = 4, TIMES_MAX = 1000000 };

struct state {
	const char *path;
	unsigned line;
	struct sw_writer *writer;
	FILE *plain;	/* for the text without short forms, if no writer */
	struct sw_error *error;
	/* the table being described; number is -1 until its first row */
	char name[SW_NAME_SIZE_MAX], source[SW_NAME_SIZE_MAX];
	struct sw_table table;
	struct sw_column columns[SW_TABLE_COLUMNS_MAX];
	int number;
	uint64_t now_usec;
	/* lines of "rows" and its "and", until the group is complete */
	char group[4 * LINE_SIZE_MAX];
	unsigned group_line;	/* of the first */
	unsigned long times;
};

static int complain(const struct state *state, const char *what)
{
	errno = EINVAL;
	return sw_error_set(state->error, "%s:%u: %s", state->path,
			    state->line, what);
}

static int lookup(const char *const *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (names[i] && !strcmp(names[i], name))
			return (int)i;
	}
	return -1;
}

static int find_kind(const char *name)
{
	static const char *const names[] = {
		[SW_KIND_COUNTER] = "counter", [SW_KIND_GAUGE] = "gauge",
		[SW_KIND_PEAK] = "peak",       [SW_KIND_STATE] = "state",
		[SW_KIND_TIME] = "time",       [SW_KIND_KEY] = "key",
		[SW_KIND_TEXT] = "text",
	};

	return lookup(names, sizeof(names) / sizeof(names[0]), name);
}

static int find_scope(const char *name)
{
	static const char *const names[] = {
		[SW_SCOPE_NODE] = "node", [SW_SCOPE_JOB] = "job",
		[SW_SCOPE_STEP] = "step", [SW_SCOPE_TASK] = "task",
		[SW_SCOPE_PROGRAM] = "program",
	};

	return lookup(names, sizeof(names) / sizeof(names[0]), name);
}

/* Return stepwell-profile(5), which is read once; NULL with errno. */
static const char *read_manual(void)
{
	static char *page;
	const char *top = getenv("abs_top_builddir");
	char path[PATH_MAX];
	size_t size = 0;
	FILE *file;

	if (page)
		return page;
	snprintf(path, sizeof(path), "%s/man/stepwell-profile.5",
		 top ? top : ".");
	file = fopen(path, "re");
	if (!file)
		return NULL;
	if (getdelim(&page, &size, '\0', file) < 0) {
		free(page);
		page = NULL;
	}
	fclose(file);
	return page;
}

/* Return what follows "NAME No (" in the table's columns; NULL if nothing. */
static const char *find_in_manual(const char *page, const char *table,
				  const char *name)
{
	char start[SW_NAME_SIZE_MAX + 16];
	const char *found, *end;

	snprintf(start, sizeof(start), "\n.Ss %s\n", table);
	page = strstr(page, start);
	if (!page)
		return NULL;
	end = strstr(page + 1, "\n.S");
	snprintf(start, sizeof(start), "\n.It Sy %s No (", name);
	found = strstr(page, start);
	return found && (!end || found < end) ? found + strlen(start) : NULL;
}

/* Find unit and kind with which the recorder writes a column. */
static int find_column(const struct state *state, const char *name,
		       char unit[32], char kind[16])
{
	/* The manual page describes them for all series at once. */
	static const char of_all_series[] = "\n.Ss series\n"
		"\n.It Sy time_usec No (time, usec)"
		"\n.It Sy step No (key)\n.It Sy subject No (state)";
	const char *page = read_manual(), *found;

	if (!page)
		return complain(state, "no man/stepwell-profile.5, which has "
				"the columns, in $abs_top_builddir");
	found = find_in_manual(page, state->name, name);
	if (!found && !strncmp(state->name, "series.", 7))
		found = find_in_manual(of_all_series, "series", name);
	strcpy(unit, "-");
	if (found && sscanf(found, "%15[a-z], %31[^)]", kind, unit) > 0)
		return 0;
	errno = EINVAL;
	return sw_error_set(state->error, "%s:%u: the recorder writes no %s in "
			    "%s; expected: column NAME UNIT KIND",
			    state->path, state->line, name, state->name);
}

static int begin_table(struct state *state, const struct text_word *words,
		       size_t count)
{
	int scope = count == 3 ? find_scope(words[1].text) : -1;
	size_t i;

	if (scope < 0)
		return complain(state, "expected: table NAME SCOPE SOURCE");
	for (i = 0; i < state->table.column_count; i++) {
		free((char *)(uintptr_t)state->columns[i].name);
		free((char *)(uintptr_t)state->columns[i].unit);
	}
	snprintf(state->name, sizeof(state->name), "%s", words[0].text);
	snprintf(state->source, sizeof(state->source), "%s", words[2].text);
	state->table = (struct sw_table){
		.name = state->name,
		.scope = (enum sw_scope)scope,
		.source = state->source,
		.columns = state->columns,
	};
	state->number = -1;
	if (state->plain)
		return text_words_print(state->plain, "table", words, count);
	return 0;
}

static int add_column(struct state *state, const struct text_word *words,
		      size_t count)
{
	int kind = count == 3 ? find_kind(words[2].text) : -1;
	struct sw_column *column;

	if (kind < 0 || !state->name[0] || state->number >= 0)
		return complain(state, "expected: column NAME UNIT KIND, "
				"behind a table and before its rows");
	if (state->table.column_count == SW_TABLE_COLUMNS_MAX)
		return complain(state, "too many columns");
	column = &state->columns[state->table.column_count++];
	column->name = strdup(words[0].text);
	column->unit = strdup(strcmp(words[1].text, "-") != 0 ?
			      words[1].text : "");
	column->kind = (enum sw_kind)kind;
	column->help = "";
	if (!column->name || !column->unit)
		return complain(state, "no memory");
	if (state->plain)
		return text_words_print(state->plain, "column", words, count);
	return 0;
}

static int add_columns(struct state *state, const struct text_word *words,
		       size_t count)
{
	char unit[32], kind[16];
	size_t i;

	if (count == 0)
		return complain(state, "expected: columns NAME...");
	for (i = 0; i < count; i++) {
		const struct text_word column[] = {
			words[i], { .text = unit }, { .text = kind },
		};

		if (find_column(state, words[i].text, unit, kind) < 0 ||
		    add_column(state, column, 3) < 0)
			return -1;
	}
	return 0;
}

static int set_value(struct state *state, const struct sw_column *column,
		     const struct text_word *word, union sw_value *value)
{
	bool is_missing = !word->is_quoted && !strcmp(word->text, "-");
	char *end;

	if (column->kind == SW_KIND_TEXT) {
		value->text = is_missing ? NULL : word->text;
		return 0;
	}
	value->number = SW_MISSING;
	if (is_missing)
		return 0;
	errno = 0;
	value->number = strtoull(word->text, &end, 10);
	if (errno || end == word->text || *end)
		return complain(state, "not a number");
	if (column->kind == SW_KIND_TIME)
		state->now_usec = value->number;
	return 0;
}

static int add_row(struct state *state, const struct text_word *words,
		   size_t count)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	size_t i;

	if (!state->name[0] || count != state->table.column_count)
		return complain(state, "expected: row, one value per column");
	if (state->plain)
		return text_words_print(state->plain, "row", words, count);
	if (state->number < 0)
		state->number = sw_writer_table(state->writer, &state->table,
						state->error);
	if (state->number < 0)
		return -1;
	for (i = 0; i < count; i++) {
		if (set_value(state, &state->columns[i], &words[i],
			      &values[i]) < 0)
			return -1;
	}
	if (sw_writer_row(state->writer, state->number, values,
			  state->now_usec) < 0)
		return complain(state, "the writer refused the row");
	return 0;
}

/* Add the row of that index of a line "rows COUNT VALUE..." or "and VALUE...". */
static int add_member(struct state *state, char *line, uint64_t index)
{
	struct text_word words[TEXT_WORDS_MAX];
	size_t count;
	const char *wrong = text_words_split(line, words, &count);
	size_t first = strcmp(words[0].text, "rows") ? 1 : 2, i;

	for (i = first; !wrong && i < count; i++)
		wrong = text_word_step(&words[i], index);
	return wrong ? complain(state, wrong) :
		       add_row(state, words + first, count - first);
}

/* Add all rows of "rows" and its "and", if there are any. */
static int end_group(struct state *state)
{
	unsigned line = state->line;
	unsigned long i;
	int rc = 0;

	for (i = 0; rc == 0 && i < state->times; i++) {
		char *copy = strdup(state->group), *rest = copy, *member;

		state->line = state->group_line;
		while (rc == 0 && (member = strsep(&rest, "\n")) && *member) {
			rc = add_member(state, member, i);
			state->line += rc == 0;
		}
		free(copy);
	}
	state->times = 0;
	state->group[0] = '\0';
	if (rc == 0)
		state->line = line;
	return rc;
}

/* Keep a line "rows" or "and" until the group has ended. */
static int add_to_group(struct state *state, const char *line)
{
	size_t length = strlen(state->group);

	if (length + strlen(line) >= sizeof(state->group))
		return complain(state, "too many rows alternate");
	strcpy(state->group + length, line);
	return 0;
}

static int begin_group(struct state *state, const char *line,
		       const struct text_word *words, size_t count)
{
	char *end = "";
	unsigned long times = 0;

	if (count > 0)
		times = strtoul(words[0].text, &end, 10);
	if (*end || times == 0 || times > TIMES_MAX)
		return complain(state, "expected: rows COUNT VALUE..., a count "
				"of 1 to 1000000");
	state->times = times;
	state->group_line = state->line;
	return add_to_group(state, line);
}

static int read_lines(struct state *state, FILE *file, const char *path,
		      unsigned depth);

static int include(struct state *state, const struct text_word *words,
		   size_t count, unsigned depth)
{
	const char *slash = strrchr(state->path, '/');
	const char *outer = state->path;
	unsigned line = state->line;
	char path[PATH_MAX];
	FILE *file;
	int rc;

	if (count != 1 || depth == DEPTH_MAX)
		return complain(state, "expected: include FILE");
	snprintf(path, sizeof(path), "%.*s%s",
		 slash ? (int)(slash + 1 - outer) : 0, outer, words[0].text);
	file = fopen(path, "re");
	if (!file)
		return sw_error_errno(state->error, "%s", path);
	rc = read_lines(state, file, path, depth + 1);
	fclose(file);
	state->path = outer;
	state->line = line;
	return rc;
}

static int read_words(struct state *state, const char *line,
		      const struct text_word *words, size_t count, unsigned depth)
{
	const char *first = words[0].text;

	if (!strcmp(first, "include"))
		return include(state, words + 1, count - 1, depth);
	if (!strcmp(first, "table"))
		return begin_table(state, words + 1, count - 1);
	if (!strcmp(first, "columns"))
		return add_columns(state, words + 1, count - 1);
	if (!strcmp(first, "column"))
		return add_column(state, words + 1, count - 1);
	if (!strcmp(first, "row"))
		return add_row(state, words + 1, count - 1);
	if (!strcmp(first, "rows"))
		return begin_group(state, line, words + 1, count - 1);
	return complain(state, "expected include, table, columns, column, row, "
			"rows, or and behind rows");
}

static int read_line(struct state *state, const char *line, unsigned depth)
{
	struct text_word words[TEXT_WORDS_MAX];
	char copy[LINE_SIZE_MAX];
	const char *wrong;
	size_t count;

	strcpy(copy, line);
	wrong = text_words_split(copy, words, &count);
	if (wrong)
		return complain(state, wrong);
	if (count > 0 && state->times > 0 && !strcmp(words[0].text, "and"))
		return add_to_group(state, line);
	if (end_group(state) < 0)
		return -1;
	return count ? read_words(state, line, words, count, depth) : 0;
}

static int read_lines(struct state *state, FILE *file, const char *path,
		      unsigned depth)
{
	char line[LINE_SIZE_MAX];
	int rc = 0;

	state->path = path;
	state->line = 0;
	while (rc == 0 && fgets(line, sizeof(line), file)) {
		state->line++;
		rc = read_line(state, line, depth);
	}
	return rc < 0 ? rc : end_group(state);
}

static int open_folder(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";

	*name = slash ? slash + 1 : path;
	if (slash)
		snprintf(folder, sizeof(folder), "%.*s",
			 (int)(slash + 1 - path), path);
	return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Read the file, and free the last table's columns. */
static int read_all(struct state *state, FILE *file, const char *text_path)
{
	static const struct text_word none[] = {
		{ .text = "" }, { .text = "job" }, { .text = "" },
	};
	int rc = read_lines(state, file, text_path, 0);

	state->plain = NULL;
	begin_table(state, none, 3);
	return rc;
}

static int write_profile(FILE *file, const char *text_path, const char *path,
			 bool is_finished, struct sw_error *error)
{
	struct state state = { .error = error, .number = -1 };
	const char *name;
	int dirfd = open_folder(path, &name), rc = -1;

	if (dirfd < 0)
		return sw_error_errno(error, "%s", path);
	state.writer = sw_writer_create(dirfd, name, true, error);
	if (state.writer)
		rc = read_all(&state, file, text_path);
	if (rc == 0 && is_finished)
		rc = sw_writer_finish(state.writer, state.now_usec, error);
	sw_writer_destroy(state.writer);
	close(dirfd);
	return rc;
}

int text_profile_write(const char *text_path, const char *path,
		       bool is_finished, struct sw_error *error)
{
	FILE *file = fopen(text_path, "re");
	int rc;

	if (!file)
		return sw_error_errno(error, "%s", text_path);
	rc = write_profile(file, text_path, path, is_finished, error);
	fclose(file);
	return rc;
}

int text_profile_write_text(const char *text, const char *path,
			    bool is_finished, struct sw_error *error)
{
	FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int rc;

	if (!file)
		return sw_error_errno(error, "text of a profile");
	rc = write_profile(file, "text", path, is_finished, error);
	fclose(file);
	return rc;
}

int text_profile_print(const char *text_path, FILE *out, struct sw_error *error)
{
	struct state state = { .error = error, .number = -1, .plain = out };
	FILE *file = fopen(text_path, "re");
	int rc;

	if (!file)
		return sw_error_errno(error, "%s", text_path);
	rc = read_all(&state, file, text_path);
	fclose(file);
	return rc;
}
