/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generate profiles from text; fails at the first unknown line. */
#include "test/text_profile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profiles/writer.h"

enum { LINE_SIZE_MAX = 16384, DEPTH_MAX = 4 };

struct word {
	char *text;
	bool is_quoted;
};

struct state {
	const char *path;
	unsigned line;
	struct sw_writer *writer;
	struct sw_error *error;
	/* the table being described; number is -1 until its first row */
	char name[SW_NAME_SIZE_MAX], source[SW_NAME_SIZE_MAX];
	struct sw_table table;
	struct sw_column columns[SW_TABLE_COLUMNS_MAX];
	int number;
	uint64_t now_usec;
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

/* Return the character after a backslash; NULL if it is unknown. */
static char *unescape(char *in, char *out)
{
	char hex[3] = "";

	switch (*in) {
	case 'n':
		*out = '\n';
		return in + 1;
	case 't':
		*out = '\t';
		return in + 1;
	case '"':
	case '\\':
		*out = *in;
		return in + 1;
	case 'x':
		if (!isxdigit((unsigned char)in[1]) ||
		    !isxdigit((unsigned char)in[2]))
			return NULL;
		memcpy(hex, in + 1, 2);
		*out = (char)strtoul(hex, NULL, 16);
		return in + 3;
	default:
		return NULL;
	}
}

/* Cut one word off *rest, in place; 0 at the end, -1 for a bad quote. */
static int next_word(char **rest, struct word *word)
{
	char *in = *rest + strspn(*rest, " \t\n"), *out;

	if (*in == '\0' || *in == '#')
		return 0;
	word->is_quoted = *in == '"';
	if (!word->is_quoted) {
		word->text = in;
		in += strcspn(in, " \t\n");
		if (*in)
			*in++ = '\0';
		*rest = in;
		return 1;
	}
	word->text = out = ++in;
	while (in && *in && *in != '"') {
		if (*in == '\\')
			in = unescape(in + 1, out++);
		else
			*out++ = *in++;
	}
	if (!in || *in != '"')
		return -1;
	*out = '\0';
	*rest = in + 1;
	return 1;
}

static int begin_table(struct state *state, const struct word *words,
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
	return 0;
}

static int add_column(struct state *state, const struct word *words,
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
	return column->name && column->unit ? 0 : complain(state, "no memory");
}

static int set_value(struct state *state, const struct sw_column *column,
		     const struct word *word, union sw_value *value)
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

static int add_row(struct state *state, const struct word *words,
		   size_t count)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	size_t i;

	if (!state->name[0] || count != state->table.column_count)
		return complain(state, "expected: row, one value per column");
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

static int read_file(struct state *state, const char *path, unsigned depth);

static int include(struct state *state, const struct word *words,
		   size_t count, unsigned depth)
{
	const char *slash = strrchr(state->path, '/');
	const char *outer = state->path;
	unsigned line = state->line;
	char path[PATH_MAX];

	if (count != 1 || depth == DEPTH_MAX)
		return complain(state, "expected: include FILE");
	snprintf(path, sizeof(path), "%.*s%s",
		 slash ? (int)(slash + 1 - outer) : 0, outer, words[0].text);
	if (read_file(state, path, depth + 1) < 0)
		return -1;
	state->path = outer;
	state->line = line;
	return 0;
}

static int read_line(struct state *state, char *line, unsigned depth)
{
	struct word words[SW_TABLE_COLUMNS_MAX + 2];
	size_t count = 0;
	int rc;

	while ((rc = next_word(&line, &words[count])) > 0) {
		if (++count == sizeof(words) / sizeof(words[0]))
			return complain(state, "too many words");
	}
	if (rc < 0)
		return complain(state, "bad quotes");
	if (count == 0)
		return 0;
	if (!strcmp(words[0].text, "include"))
		return include(state, words + 1, count - 1, depth);
	if (!strcmp(words[0].text, "table"))
		return begin_table(state, words + 1, count - 1);
	if (!strcmp(words[0].text, "column"))
		return add_column(state, words + 1, count - 1);
	if (!strcmp(words[0].text, "row"))
		return add_row(state, words + 1, count - 1);
	return complain(state, "expected include, table, column or row");
}

static int read_file(struct state *state, const char *path, unsigned depth)
{
	FILE *file = fopen(path, "re");
	char line[LINE_SIZE_MAX];
	int rc = 0;

	if (!file)
		return sw_error_errno(state->error, "%s", path);
	state->path = path;
	state->line = 0;
	while (rc == 0 && fgets(line, sizeof(line), file)) {
		state->line++;
		rc = read_line(state, line, depth);
	}
	fclose(file);
	return rc;
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

int text_profile_write(const char *text_path, const char *path,
		       bool is_finished, struct sw_error *error)
{
	static const struct word none[] = {
		{ .text = "" }, { .text = "job" }, { .text = "" },
	};
	struct state state = { .error = error, .number = -1 };
	const char *name;
	int dirfd = open_folder(path, &name), rc = -1;

	if (dirfd < 0)
		return sw_error_errno(error, "%s", path);
	state.writer = sw_writer_create(dirfd, name, true, error);
	if (state.writer)
		rc = read_file(&state, text_path, 0);
	if (rc == 0 && is_finished)
		rc = sw_writer_finish(state.writer, state.now_usec, error);
	sw_writer_destroy(state.writer);
	begin_table(&state, none, 3);	/* frees the last table's columns */
	close(dirfd);
	return rc;
}
