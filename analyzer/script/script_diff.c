/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unified diff, as in POSIX diff -u.  Common lines are found by the longest
 * common subsequence of the part between the first and the last difference; if
 * that part is long, it is one change.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/script/script.h"
#include "common/escape.h"

enum { CONTEXT = 3, CELLS_MAX = 4000000 };

struct line {
	const char *text;
	size_t length;	/* with newline */
};

struct text {
	struct line *lines;
	size_t count;
};

/* A line with its sign, ' ', '-' or '+'. */
struct step {
	char sign;
	const struct line *line;
};

struct diff {
	bool is_shown;		/* escape for a terminal */
	struct text old, new;
	size_t head, tail;	/* numbers of equal lines */
	struct step *steps;
	size_t count;
};

static int split(struct text *text, const struct sw_script_text *of)
{
	const char *from = of->text, *end = from + of->length, *next;
	size_t lines = 1, i;

	for (i = 0; i < of->length; i++)
		lines += from[i] == '\n';
	text->lines = calloc(lines, sizeof(*text->lines));
	if (!text->lines)
		return -1;
	for (; from < end; from = next) {
		next = memchr(from, '\n', (size_t)(end - from));
		next = next ? next + 1 : end;
		text->lines[text->count++] =
			(struct line){ from, (size_t)(next - from) };
	}
	return 0;
}

static bool is_same(const struct line *one, const struct line *two)
{
	return one->length == two->length &&
	       !memcmp(one->text, two->text, one->length);
}

static void find_ends(struct diff *diff)
{
	const struct text *old = &diff->old, *new = &diff->new;

	while (diff->head < old->count && diff->head < new->count &&
	       is_same(&old->lines[diff->head], &new->lines[diff->head]))
		diff->head++;
	while (diff->tail < old->count - diff->head &&
	       diff->tail < new->count - diff->head &&
	       is_same(&old->lines[old->count - 1 - diff->tail],
		       &new->lines[new->count - 1 - diff->tail]))
		diff->tail++;
}

static void step(struct diff *diff, char sign, const struct line *line)
{
	diff->steps[diff->count++] = (struct step){ sign, line };
}

/* lengths[i][j]: length of the longest subsequence from old i and new j on. */
static void walk(struct diff *diff, const unsigned *lengths, size_t rows,
		 size_t columns)
{
	const struct line *old = diff->old.lines + diff->head;
	const struct line *new = diff->new.lines + diff->head;
	size_t i = 0, j = 0, wide = columns + 1;

	while (i < rows || j < columns) {
		if (i < rows && j < columns && lengths &&
		    is_same(&old[i], &new[j])) {
			step(diff, ' ', &old[i++]);
			j++;
		} else if (i < rows && (j == columns || !lengths ||
			   lengths[(i + 1) * wide + j] >=
			   lengths[i * wide + j + 1])) {
			step(diff, '-', &old[i++]);
		} else {
			step(diff, '+', &new[j++]);
		}
	}
}

static int compare(struct diff *diff)
{
	size_t rows = diff->old.count - diff->head - diff->tail;
	size_t columns = diff->new.count - diff->head - diff->tail;
	const struct line *old = diff->old.lines + diff->head;
	const struct line *new = diff->new.lines + diff->head;
	size_t wide = columns + 1, i, j;
	unsigned *lengths = NULL;

	if ((rows + 1) * wide <= CELLS_MAX) {
		lengths = calloc((rows + 1) * wide, sizeof(*lengths));
		if (!lengths)
			return -1;
		for (i = rows; i-- > 0;) {
			for (j = columns; j-- > 0;) {
				unsigned down = lengths[(i + 1) * wide + j];
				unsigned right = lengths[i * wide + j + 1];

				lengths[i * wide + j] =
					is_same(&old[i], &new[j]) ?
					lengths[(i + 1) * wide + j + 1] + 1 :
					down > right ? down : right;
			}
		}
	}
	walk(diff, lengths, rows, columns);
	free(lengths);
	return 0;
}

static int make_steps(struct diff *diff)
{
	size_t i;

	diff->steps = calloc(diff->old.count + diff->new.count + 1,
			     sizeof(*diff->steps));
	if (!diff->steps)
		return -1;
	for (i = 0; i < diff->head; i++)
		step(diff, ' ', &diff->old.lines[i]);
	if (compare(diff) < 0)
		return -1;
	for (i = diff->old.count - diff->tail; i < diff->old.count; i++)
		step(diff, ' ', &diff->old.lines[i]);
	return 0;
}

/* "12,5"; for an empty range, the number before it */
static void print_range(FILE *out, char sign, size_t first, size_t count)
{
	fprintf(out, "%c%zu", sign, count ? first + 1 : first);
	if (count != 1)
		fprintf(out, ",%zu", count);
}

/* Print text between tabs and NULs, escaped; false if out of memory. */
static bool print_piece(FILE *out, const char *piece, size_t length)
{
	size_t size = 4 * length + 1;
	char *copy = strndup(piece, length), *shown = malloc(size);

	if (copy && shown)
		fputs(sw_escape_terminal(shown, size, copy), out);
	free(copy);
	free(shown);
	return copy && shown;
}

static void print_shown(FILE *out, const struct line *line)
{
	const char *at = line->text, *end = at + line->length, *next;

	for (; at < end; at = next + 1) {
		for (next = at; next < end && *next != '\t' &&
		     *next != '\n' && *next; next++)
			;
		if (!print_piece(out, at, (size_t)(next - at)))
			return;
		if (next < end && *next)
			fputc(*next, out);
		else if (next < end)
			fputs("\\x00", out);
	}
}

static void print_line(FILE *out, const struct diff *diff,
		       const struct line *line)
{
	if (diff->is_shown)
		print_shown(out, line);
	else
		fwrite(line->text, 1, line->length, out);
	if (line->text[line->length - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", out);
}

static void print_hunk(FILE *out, const struct diff *diff, size_t from,
		       size_t to)
{
	size_t old_first = 0, new_first = 0, old = 0, new = 0, i;

	for (i = 0; i < to; i++) {
		bool is_old = diff->steps[i].sign != '+';
		bool is_new = diff->steps[i].sign != '-';

		old_first += is_old && i < from;
		new_first += is_new && i < from;
		old += is_old && i >= from;
		new += is_new && i >= from;
	}
	fputs("@@ ", out);
	print_range(out, '-', old_first, old);
	fputc(' ', out);
	print_range(out, '+', new_first, new);
	fputs(" @@\n", out);
	for (i = from; i < to; i++) {
		fputc(diff->steps[i].sign, out);
		print_line(out, diff, diff->steps[i].line);
	}
}

/* Nearby differences share a hunk. */
static void print_hunks(FILE *out, const struct diff *diff)
{
	size_t from, last, i = 0;

	for (;;) {
		while (i < diff->count && diff->steps[i].sign == ' ')
			i++;
		if (i == diff->count)
			return;
		from = i > CONTEXT ? i - CONTEXT : 0;
		for (last = i; i < diff->count && i - last <= 2 * CONTEXT + 1;
		     i++)
			last = diff->steps[i].sign == ' ' ? last : i;
		i = last + 1 + CONTEXT < diff->count ? last + 1 + CONTEXT :
						       diff->count;
		print_hunk(out, diff, from, i);
	}
}

/* Quote like a C string if needed, which git and GNU patch(1) accept. */
static void print_name(FILE *out, const char *sign, const char *path)
{
	const unsigned char *c;
	bool is_plain = true, has_blank = false;

	for (c = (const unsigned char *)path; *c; c++) {
		is_plain = is_plain && *c >= 32 && *c != 127 && *c != '"' &&
			   *c != '\\';
		has_blank = has_blank || *c == ' ';
	}
	fprintf(out, "%s ", sign);
	if (is_plain) {
		fprintf(out, "%s%s\n", path, has_blank ? "\t" : "");
		return;
	}
	fputc('"', out);
	for (c = (const unsigned char *)path; *c; c++) {
		if (*c == '"' || *c == '\\')
			fprintf(out, "\\%c", *c);
		else if (*c < 32 || *c >= 127)
			fprintf(out, "\\%03o", *c);
		else
			fputc(*c, out);
	}
	fputs("\"\n", out);
}

int sw_script_diff(FILE *out, const char *path,
		   const struct sw_script_text *old,
		   const struct sw_script_text *new, bool is_shown)
{
	struct diff diff = { .is_shown = is_shown };
	int rc = -1;

	if (split(&diff.old, old) == 0 && split(&diff.new, new) == 0) {
		find_ends(&diff);
		rc = make_steps(&diff);
	}
	if (rc == 0 && (diff.head < diff.old.count ||
			diff.head < diff.new.count)) {
		print_name(out, "---", path);
		print_name(out, "+++", path);
		print_hunks(out, &diff);
	}
	if (rc < 0)
		errno = ENOMEM;
	free(diff.old.lines);
	free(diff.new.lines);
	free(diff.steps);
	return rc;
}
