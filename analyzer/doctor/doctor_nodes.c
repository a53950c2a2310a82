/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sum the answers of many nodes: those with a check in the same state for the
 * same cause share a line.  All input is from other nodes and untrusted.
 *
 * "srun --label" puts the task number and a colon before each line, and splits
 * lines at 1024 bytes; pieces with the same number are joined.  Answers of more
 * than ANSWER_SIZE_MAX bytes are dropped.
 */
#include "analyzer/doctor/doctor_nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/accounting/node_names.h"
#include "analyzer/print/json.h"
#include "analyzer/print/messages.h"
#include "common/missing.h"
#include "common/open_file.h"

enum { ANSWER_SIZE_MAX = 1 << 20 };

/* State of a check on several nodes. */
struct state {
	enum sw_health health;
	char *id, *cause, *fix;
	struct sw_node_names nodes;
};

/* Partial answer of a task of srun. */
struct piece {
	unsigned long label;
	char *text;	/* NULL between answers */
	size_t length;
};

struct sum {
	struct piece *pieces;
	size_t piece_count;
	struct state *states;
	size_t count;
	size_t answers, answers_bad;	/* read; invalid */
	struct sw_node_names nodes;
};

static void sum_fini(struct sum *sum)
{
	size_t i;

	for (i = 0; i < sum->count; i++) {
		free(sum->states[i].id);
		free(sum->states[i].cause);
		free(sum->states[i].fix);
		sw_node_names_fini(&sum->states[i].nodes);
	}
	free(sum->states);
	for (i = 0; i < sum->piece_count; i++)
		free(sum->pieces[i].text);
	free(sum->pieces);
	sw_node_names_fini(&sum->nodes);
}

static struct state *find_state(struct sum *sum, enum sw_health health,
				const char *id, const char *cause)
{
	struct state *state;
	size_t i;

	for (i = 0; i < sum->count; i++) {
		state = &sum->states[i];
		if (state->health == health && !strcmp(state->id, id) &&
		    !strcmp(state->cause, cause))
			return state;
	}
	state = realloc(sum->states, (sum->count + 1) * sizeof(*state));
	if (!state)
		return NULL;
	sum->states = state;
	state += sum->count;
	memset(state, 0, sizeof(*state));
	state->health = health;
	state->id = strdup(id);
	state->cause = strdup(cause);
	if (!state->id || !state->cause) {
		free(state->id);
		free(state->cause);
		return NULL;
	}
	sum->count++;
	return state;
}

static int add_check(struct sum *sum, const struct json_object *check,
		     const char *node)
{
	const char *id = sw_json_get_text(check, "id");
	const char *name = sw_json_get_text(check, "state");
	const char *cause = sw_json_get_text(check, "cause");
	const char *fix = sw_json_get_text(check, "fix");
	enum sw_health health = name ? sw_health_parse(name) : SW_HEALTH_NONE;
	struct state *state;

	if (!id || health == SW_HEALTH_NONE)
		return -1;
	state = find_state(sum, health, id, sw_text(cause));
	if (!state || sw_node_names_add(&state->nodes, node) < 0)
		return -1;
	if (fix && !state->fix)
		state->fix = strdup(fix);
	return 0;
}

static int add_node(struct sum *sum, const struct json_object *root)
{
	const char *schema = sw_json_get_text(root, "schema");
	const char *node = sw_json_get_text(root, "node");
	const struct json_object *check;
	size_t i;

	if (!schema || strcmp(schema, SW_DOCTOR_SCHEMA) != 0 || !node ||
	    !sw_json_get_item(root, "checks", 0) ||
	    sw_node_names_add(&sum->nodes, node) < 0)
		return -1;
	for (i = 0; (check = sw_json_get_item(root, "checks", i)); i++) {
		if (add_check(sum, check, node) < 0)
			return -1;
	}
	return 0;
}

/* Return true for a JSON object, which is then counted. */
static bool take_answer(struct sum *sum, const char *text)
{
	struct json_object *root = sw_json_parse(text);

	if (!root)
		return false;
	sum->answers++;
	if (add_node(sum, root) < 0)
		sum->answers_bad++;
	sw_json_free(root);
	return true;
}

static void count_bad(struct sum *sum)
{
	sum->answers++;
	sum->answers_bad++;
}

static struct piece *find_piece(struct sum *sum, unsigned long label)
{
	struct piece *piece;
	size_t i;

	for (i = 0; i < sum->piece_count; i++) {
		if (sum->pieces[i].label == label)
			return &sum->pieces[i];
	}
	piece = realloc(sum->pieces, (i + 1) * sizeof(*piece));
	if (!piece)
		return NULL;
	sum->pieces = piece;
	sum->piece_count = i + 1;
	piece[i] = (struct piece){ .label = label };
	return &piece[i];
}

static void drop_piece(struct piece *piece)
{
	free(piece->text);
	piece->text = NULL;
	piece->length = 0;
}

static void add_piece(struct sum *sum, unsigned long label, const char *text,
		      size_t length)
{
	struct piece *piece = find_piece(sum, label);
	char *grown = NULL;

	if (piece && piece->length + length < ANSWER_SIZE_MAX &&
	    (piece->length || *text == '{'))
		grown = realloc(piece->text, piece->length + length + 1);
	if (!grown) {
		count_bad(sum);
		if (piece)
			drop_piece(piece);
		return;
	}
	piece->text = grown;
	memcpy(piece->text + piece->length, text, length + 1);
	piece->length += length;
	if (piece->text[piece->length - 1] == '}' &&
	    take_answer(sum, piece->text))
		drop_piece(piece);
}

static void take_line(struct sum *sum, char *line)
{
	char *start = line + strspn(line, " "), *end;
	unsigned long label = strtoul(start, &end, 10);

	line[strcspn(line, "\r\n")] = '\0';
	if (*start >= '0' && *start <= '9' && !strncmp(end, ": ", 2))
		add_piece(sum, label, end + 2, strlen(end + 2));
	else if (*start && !take_answer(sum, start))
		count_bad(sum);
}

static void read_lines(struct sum *sum, FILE *file)
{
	char *line = NULL;
	size_t size = 0, i;

	while (getline(&line, &size, file) > 0)
		take_line(sum, line);
	free(line);
	for (i = 0; i < sum->piece_count; i++) {
		if (sum->pieces[i].text)
			count_bad(sum);
	}
}

/* Worst first, then in the order of the table. */
static size_t rank(const struct state *state)
{
	static const size_t by_health[SW_HEALTH_COUNT] = {
		[SW_HEALTH_FAIL] = 0, [SW_HEALTH_WARN] = 1,
		[SW_HEALTH_SKIP] = 2, [SW_HEALTH_OK] = 3,
	};
	const struct sw_check *check = sw_checks;

	while (check->id && strcmp(check->id, state->id) != 0)
		check++;
	return by_health[state->health] * 1000 + (size_t)(check - sw_checks);
}

static int compare_states(const void *one, const void *two)
{
	const struct state *a = one, *b = two;
	int order;

	if (rank(a) != rank(b))
		return rank(a) < rank(b) ? -1 : 1;
	order = strcmp(a->id, b->id);
	return order ? order : strcmp(a->cause, b->cause);
}

/* sw_shown() for any length; the caller frees it. */
static char *shown(const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	char *buf = malloc(size);

	return buf ? sw_shown(buf, size, text) : NULL;
}

static void print_state(const struct state *state, const char *folded,
			bool is_fix)
{
	char *id = shown(state->id), *cause = shown(state->cause);
	char *nodes = shown(folded), *fix = shown(sw_text(state->fix));

	if (!id || !cause || !nodes || !fix)
		goto out;
	if (!is_fix)
		printf("%-4s  %-11s  %zu %s %s%s%s\n",
		       sw_health_name(state->health), id, state->nodes.count,
		       state->nodes.count == 1 ? "node:" : "nodes:", nodes,
		       *cause ? ": " : "", cause);
	else if (*fix)
		printf("# %s %s: %s: %s\n%s\n", sw_health_name(state->health),
		       id, nodes, cause, fix);
out:
	free(id);
	free(cause);
	free(nodes);
	free(fix);
}

static void add_json(struct json_object *array, const struct state *state,
		     const char *folded)
{
	struct json_object *item = sw_json_item(array);

	sw_json_text(item, "id", state->id);
	sw_json_text(item, "state", sw_health_name(state->health));
	sw_json_text(item, "cause", *state->cause ? state->cause : NULL);
	sw_json_text(item, "fix", state->fix);
	sw_json_text(item, "nodes", folded);
	sw_json_number(item, "node_count", state->nodes.count);
}

/* Return 0, or -1 if out of memory. */
static int print_states(struct sum *sum, struct json_object *array,
			bool is_fix)
{
	char *folded;
	size_t i;

	for (i = 0; i < sum->count; i++) {
		folded = sw_node_names_fold(&sum->states[i].nodes);
		if (!folded)
			return -1;
		if (array)
			add_json(array, &sum->states[i], folded);
		else
			print_state(&sum->states[i], folded, is_fix);
		free(folded);
	}
	return 0;
}

static int print_sum(struct sum *sum, bool is_json, bool is_fix)
{
	struct json_object *root = NULL, *array = NULL;
	char *folded = sw_node_names_fold(&sum->nodes);
	int rc = -1;

	if (!folded)
		return -1;
	if (sum->count)
		qsort(sum->states, sum->count, sizeof(*sum->states),
		      compare_states);
	if (is_json) {
		root = sw_json_new();
		sw_json_text(root, "schema", SW_DOCTOR_NODES_SCHEMA);
		sw_json_text(root, "nodes", folded);
		sw_json_number(root, "node_count", sum->nodes.count);
		sw_json_number(root, "invalid_answers",
			       sum->answers_bad);
		array = sw_json_array(root, "states");
	}
	rc = print_states(sum, array, is_fix);
	if (root)
		sw_json_print_line(stdout, root);
	free(folded);
	return rc;
}

static int exit_status(const struct sum *sum)
{
	if (sum->answers_bad)
		return sw_complain(SW_EXIT_PARTIAL, "doctor: %zu of %zu "
				   "answers are not output of \"stepwell "
				   "doctor --json\"; the nodes that wrote them "
				   "are missing from the summary",
				   sum->answers_bad, sum->answers);
	if (!sum->nodes.count)
		return sw_complain(SW_EXIT_NOTHING_FOUND,
				   "doctor: the input has no answers of nodes");
	return sum->count && sum->states[0].health == SW_HEALTH_FAIL ?
		SW_EXIT_FAILURE : SW_EXIT_OK;
}

/* Return NULL with errno; ESPIPE for a FIFO, which may have no writer. */
static FILE *open_answers(const char *path)
{
	int fd = sw_open_file(AT_FDCWD, path, true);
	FILE *file = NULL;
	struct stat status;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0) {
		errno = ESPIPE;
		if (!S_ISFIFO(status.st_mode))
			file = fdopen(fd, "r");
	}
	if (!file)
		close(fd);
	return file;
}

int sw_doctor_sum(const char *path, bool is_json, bool is_fix)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *file = is_stdin ? stdin : open_answers(path);
	struct sum sum = { .states = NULL };
	int status;

	if (!file)
		return sw_complain(SW_EXIT_FAILURE, "doctor: %s: %s", path,
				   errno == ESPIPE
					   ? "a pipe, which may block; its "
					     "answers are read with --nodes -"
					   : strerror(errno));
	read_lines(&sum, file);
	if (ferror(file))
		status = sw_complain(SW_EXIT_FAILURE, "doctor: %s: %s", path,
				     strerror(errno));
	else if (print_sum(&sum, is_json, is_fix) < 0)
		status = sw_complain(SW_EXIT_FAILURE,
				     "doctor: not enough memory");
	else
		status = exit_status(&sum);
	if (!is_stdin)
		fclose(file);
	sum_fini(&sum);
	return status;
}
