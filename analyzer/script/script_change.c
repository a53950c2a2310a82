/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Change the request of a batch script: values are replaced in place, with the
 * user's spelling of the option; missing options are added on new lines.
 * Anything that cannot be changed safely is kept, with a note.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "advice/text.h"
#include "analyzer/dialects/dialect.h"
#include "analyzer/script/script.h"
#include "common/missing.h"

enum { EDITS_MAX = 32, EDIT_SIZE = SW_DIALECT_ITEM_SIZE };

/* Replacement of length bytes at an offset. */
struct edit {
	size_t at, length;
	char text[EDIT_SIZE];
};

struct editor {
	const struct sw_script *script;
	const struct sw_request *request;
	struct sw_script_change *change;
	struct edit edits[EDITS_MAX];
	size_t count;
	char added[SW_RESOURCES][SW_DIALECT_ITEM_SIZE];
	size_t added_count;
};

__attribute__((format(printf, 2, 3)))
static void note(struct editor *editor, const char *format, ...)
{
	struct sw_script_change *change = editor->change;
	va_list args;

	if (change->note_count == SW_SCRIPT_NOTES)
		return;
	va_start(args, format);
	vsnprintf(change->notes[change->note_count++], SW_SCRIPT_NOTE_SIZE,
		  format, args);
	va_end(args);
}

/* Leave something unchanged, with a note. */
#define LEAVE(editor, ...) \
	do { \
		(editor)->change->left++; \
		note(editor, __VA_ARGS__); \
	} while (0)

static void put(struct editor *editor, size_t at, size_t length,
		const char *text)
{
	struct edit *edit;

	if (editor->count == EDITS_MAX)
		return;
	edit = &editor->edits[editor->count++];
	edit->at = at;
	edit->length = length;
	snprintf(edit->text, sizeof(edit->text), "%s", text);
}

static void replace(struct editor *editor,
		    const struct sw_script_option *option, const char *value)
{
	put(editor, option->value_at, option->value_length, value);
	editor->change->changed++;
}

static void add(struct editor *editor, enum sw_resource resource)
{
	sw_slurm_option(editor->added[editor->added_count++], editor->request,
			resource, 1);
	editor->change->changed++;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Remove an option with the blanks before it; remove an empty line. */
static void take_out(struct editor *editor,
		     const struct sw_script_option *option)
{
	const char *text = editor->script->text;
	size_t from = option->name_at, line;
	size_t to = option->name_at + option->name_length;

	if (option->value)
		to = option->value_at + option->value_length;
	if (memchr(text + from, '\n', to - from)) {
		LEAVE(editor, "%.*s is not changed: its value is on another "
		      "line",
		      (int)option->name_length, text + from);
		return;
	}
	while (is_blank(text[from - 1]))
		from--;
	for (line = from; line > 0 && text[line - 1] != '\n'; line--)
		;
	while (is_blank(text[to]) || text[to] == '\r')
		to++;
	if (from - line == strlen("#SBATCH") && (!text[to] ||
						 text[to] == '\n')) {
		from = line;
		to += text[to] == '\n';
	} else {
		to = option->value ? option->value_at + option->value_length :
		     option->name_at + option->name_length;
	}
	put(editor, from, to - from, "");
}

static const char *name_of(char *buf, size_t size, const struct editor *editor,
			   const struct sw_script_option *option)
{
	snprintf(buf, size, "%.*s", (int)option->name_length,
		 editor->script->text + option->name_at);
	buf[strcspn(buf, "=")] = '\0';
	return buf;
}

static bool is_memory(enum sw_script_key key)
{
	return key == SW_SCRIPT_MEM || key == SW_SCRIPT_MEM_PER_CPU ||
	       key == SW_SCRIPT_MEM_PER_GPU;
}

/* sbatch uses one of the three options, the last. */
static const struct sw_script_option *
find_memory(const struct sw_script *script)
{
	const struct sw_script_option *last = NULL;
	size_t i;

	for (i = 0; i < script->count; i++) {
		if (is_memory(script->options[i].key))
			last = &script->options[i];
	}
	return last;
}

/* The count in the script, or in its next version. */
static double count_then(const struct editor *editor,
			 enum sw_resource resource, double now)
{
	const struct sw_request_item *item = &editor->request->items[resource];

	return item->is_change ? (double)item->next : now;
}

/* Number of an option's memory units per node; NAN if unknown. */
static double parts_of(const struct editor *editor, enum sw_script_key key)
{
	struct sw_run run;
	double nodes, tasks, cores;

	sw_script_request(editor->script, &run);
	nodes = count_then(editor, SW_RESOURCE_NODES,
			   isnan(run.nodes) ? 1 : run.nodes);
	if (key == SW_SCRIPT_MEM_PER_GPU)
		return count_then(editor, SW_RESOURCE_GPUS,
				  run.requested_gpus / nodes);
	tasks = isnan(run.tasks) ? nodes : run.tasks;
	cores = count_then(editor, SW_RESOURCE_CORES,
			   run.requested_cores / tasks);
	return cores * count_then(editor, SW_RESOURCE_TASKS, tasks) / nodes;
}

/* Use the option's unit, or per node if the number of units is unknown. */
static void put_memory(struct editor *editor,
		       const struct sw_script_option *option, uint64_t mib)
{
	char value[SW_DIALECT_ITEM_SIZE], name[64];
	double parts = 1;

	if (option->key != SW_SCRIPT_MEM)
		parts = parts_of(editor, option->key);
	if (parts >= 1) {
		mib = sw_whole_real(ceil((double)mib / parts));
	} else {
		note(editor, "--mem, which counts per node, replaces %s",
		     name_of(name, sizeof(name), editor, option));
		put(editor, option->name_at, option->name_length, "--mem");
	}
	replace(editor, option,
		sw_slurm_value(value, SW_RESOURCE_MEMORY, mib));
}

/* Add a new option in the unit that the site prefers. */
static void add_memory(struct editor *editor, uint64_t mib)
{
	bool is_of_cpu = editor->request->memory_per == SW_MEMORY_PER_CPU;
	const char *unit = is_of_cpu ? "cpu" : "gpu";
	char value[SW_DIALECT_ITEM_SIZE];
	double parts = parts_of(editor, is_of_cpu ? SW_SCRIPT_MEM_PER_CPU
						  : SW_SCRIPT_MEM_PER_GPU);

	if (!is_of_cpu && editor->request->memory_per != SW_MEMORY_PER_GPU) {
		add(editor, SW_RESOURCE_MEMORY);
	} else if (!(parts >= 1)) {
		LEAVE(editor,
		      "the memory is not changed: --mem-per-%s depends "
		      "on a number that the script does not have",
		      unit);
	} else {
		sw_slurm_value(value, SW_RESOURCE_MEMORY,
			       (uint64_t)ceil((double)mib / parts));
		snprintf(editor->added[editor->added_count++],
			 SW_DIALECT_ITEM_SIZE, "--mem-per-%s=%.64s", unit,
			 value);
		editor->change->changed++;
	}
}

static void change_memory(struct editor *editor, uint64_t mib)
{
	const struct sw_script *script = editor->script;
	const struct sw_script_option *last = find_memory(script);
	size_t i;

	if (!last || !last->value) {
		add_memory(editor, mib);
		return;
	}
	if (!strcmp(last->value, "0")) {
		LEAVE(editor, "the memory is not changed: --mem=0 takes all of "
		      "a node");
		return;
	}
	for (i = 0; i < script->count; i++) {
		const struct sw_script_option *option = &script->options[i];

		if (is_memory(option->key) && option->key != last->key)
			take_out(editor, option);
	}
	put_memory(editor, last, mib);
}

static void change_time(struct editor *editor, const char *value)
{
	const struct sw_script_option *option =
		sw_script_find(editor->script, SW_SCRIPT_TIME);

	if (sw_script_find(editor->script, SW_SCRIPT_TIME_MIN)) {
		LEAVE(editor, "the time is not changed: --time-min depends on "
		      "it, and may not be more");
		return;
	}
	if (option && option->value)
		replace(editor, option, value);
	else
		add(editor, SW_RESOURCE_TIME);
}

static void change_cores(struct editor *editor, const char *value)
{
	const struct sw_script *script = editor->script;
	const struct sw_script_option *option =
		sw_script_find(script, SW_SCRIPT_CPUS_PER_TASK);

	if (sw_script_find(script, SW_SCRIPT_EXCLUSIVE))
		LEAVE(editor, "the CPUs are not changed: --exclusive takes all "
		      "of a node");
	else if (option && option->value)
		replace(editor, option, value);
	else if (sw_script_find(script, SW_SCRIPT_CPUS_PER_GPU))
		LEAVE(editor, "the CPUs are not changed: --cpus-per-gpu "
		      "depends on the GPUs; %s in total would do", value);
	else
		add(editor, SW_RESOURCE_CORES);
}

static void change_tasks(struct editor *editor, const char *value)
{
	const struct sw_request *request = editor->request;
	const struct sw_script_option *option =
		sw_script_find(editor->script, SW_SCRIPT_NTASKS);
	const struct sw_script_option *each =
		sw_script_find(editor->script, SW_SCRIPT_NTASKS_PER_NODE);
	char number[EDIT_SIZE];

	if (option && option->value) {
		replace(editor, option, value);
	} else if (each && each->value) {
		snprintf(number, sizeof(number), "%" PRIu64,
			 (request->tasks + request->nodes - 1) /
				 request->nodes);
		replace(editor, each, number);
	} else {
		add(editor, SW_RESOURCE_TASKS);
	}
}

static void change_nodes(struct editor *editor, const char *value)
{
	const struct sw_script_option *option =
		sw_script_find(editor->script, SW_SCRIPT_NODES);

	if (option && option->value)
		replace(editor, option, value);
	else
		add(editor, SW_RESOURCE_NODES);
}

/* Find the script's option for GPUs, and the count in its unit. */
static const struct sw_script_option *
find_gpus(const struct editor *editor, uint64_t *count)
{
	static const enum sw_script_key keys[] = {
		SW_SCRIPT_GPUS, SW_SCRIPT_GPUS_PER_NODE, SW_SCRIPT_GRES,
	};
	const struct sw_script_option *option = NULL;
	uint64_t each = editor->request->items[SW_RESOURCE_GPUS].next;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]) && !option; i++) {
		option = sw_script_find(editor->script, keys[i]);
		if (option && !option->value)
			option = NULL;
	}
	*count = option && option->key == SW_SCRIPT_GPUS ?
		 each * editor->request->nodes : each;
	return option;
}

/* "gpu:a100:4" -> "gpu:a100:2"; keep the type. */
static void change_gpus(struct editor *editor)
{
	uint64_t count;
	const struct sw_script_option *option = find_gpus(editor, &count);
	const char *value = option ? option->value : "";
	char number[EDIT_SIZE];
	size_t kept = strlen(value);

	if (!option && !sw_script_find(editor->script,
				       SW_SCRIPT_GPUS_PER_TASK)) {
		add(editor, SW_RESOURCE_GPUS);
		return;
	}
	if (!option || strpbrk(value, ",(\"' \\") || kept > 64) {
		LEAVE(editor, "the GPUs are not changed: only one kind of "
		      "them, per job or per node, can be changed; %" PRIu64 " "
		      "would do", count);
		return;
	}
	if (count == 0) {
		take_out(editor, option);
		editor->change->changed++;
		return;
	}
	while (kept > 0 && value[kept - 1] >= '0' && value[kept - 1] <= '9')
		kept--;
	/* "gpu", "gpu:a100": an implicit 1. */
	if (kept > 0 && value[kept - 1] != ':')
		snprintf(number, sizeof(number), "%s:%" PRIu64, value, count);
	else
		snprintf(number, sizeof(number), "%.*s%" PRIu64, (int)kept,
			 value, count);
	replace(editor, option, number);
}

static void change(struct editor *editor, enum sw_resource resource)
{
	const struct sw_request_item *item = &editor->request->items[resource];
	char value[SW_DIALECT_ITEM_SIZE];

	if (!item->is_change)
		return;
	sw_slurm_value(value, resource, item->next);
	switch (resource) {
	case SW_RESOURCE_MEMORY:
		change_memory(editor, item->next);
		break;
	case SW_RESOURCE_TIME:
		change_time(editor, value);
		break;
	case SW_RESOURCE_CORES:
		change_cores(editor, value);
		break;
	case SW_RESOURCE_GPUS:
		change_gpus(editor);
		break;
	case SW_RESOURCE_TASKS:
		change_tasks(editor, value);
		break;
	case SW_RESOURCE_NODES:
		change_nodes(editor, value);
		break;
	}
}

/* Keep the total memory if it is per CPU or GPU and there are fewer of them. */
static void keep_memory(struct editor *editor)
{
	const struct sw_request_item *items = editor->request->items;
	const struct sw_script_option *last = find_memory(editor->script);
	bool has_fewer;

	if (!last || items[SW_RESOURCE_MEMORY].is_change)
		return;
	has_fewer = last->key == SW_SCRIPT_MEM_PER_GPU ?
		    items[SW_RESOURCE_GPUS].is_change :
		    last->key == SW_SCRIPT_MEM_PER_CPU &&
		    (items[SW_RESOURCE_CORES].is_change ||
		     items[SW_RESOURCE_TASKS].is_change ||
		     items[SW_RESOURCE_NODES].is_change);
	if (!has_fewer)
		return;
	if (sw_is_missing(items[SW_RESOURCE_MEMORY].now))
		LEAVE(editor, "the memory is not changed: it depends on the "
		      "CPUs or GPUs; check whether it is still enough");
	else
		change_memory(editor, items[SW_RESOURCE_MEMORY].now);
}

static int compare_edits(const void *a, const void *b)
{
	const struct edit *one = a, *two = b;

	return (one->at > two->at) - (one->at < two->at);
}

/* Do not add a newline to a script that ends without one. */
static void write_added(FILE *out, const struct editor *editor)
{
	const struct sw_script *script = editor->script;
	bool has_newline = script->insert_at > 0 &&
		script->text[script->insert_at - 1] == '\n';
	size_t i;

	for (i = 0; i < editor->added_count; i++)
		fprintf(out, "%s#SBATCH %s%s",
			has_newline ? "" : script->newline, editor->added[i],
			has_newline ? script->newline : "");
}

static int write_text(struct editor *editor)
{
	const struct sw_script *script = editor->script;
	struct sw_script_change *change = editor->change;
	FILE *out = open_memstream(&change->text, &change->length);
	size_t at = 0, i;

	if (!out)
		return -1;
	qsort(editor->edits, editor->count, sizeof(editor->edits[0]),
	      compare_edits);
	/* Additions follow all changes. */
	for (i = 0; i < editor->count; i++) {
		const struct edit *edit = &editor->edits[i];

		fwrite(script->text + at, 1, edit->at - at, out);
		fputs(edit->text, out);
		at = edit->at + edit->length;
	}
	fwrite(script->text + at, 1, script->insert_at - at, out);
	write_added(out, editor);
	fwrite(script->text + script->insert_at, 1,
	       script->length - script->insert_at, out);
	return fclose(out) == 0 ? 0 : -1;
}

int sw_script_change(struct sw_script_change *result,
		     const struct sw_script *script,
		     const struct sw_request *request)
{
	struct editor *editor = calloc(1, sizeof(*editor));
	unsigned i;
	int rc;

	memset(result, 0, sizeof(*result));
	if (!editor)
		return -1;
	editor->script = script;
	editor->request = request;
	editor->change = result;
	for (i = 0; i < SW_RESOURCES; i++)
		change(editor, (enum sw_resource)i);
	keep_memory(editor);
	rc = write_text(editor);
	if (rc < 0)
		errno = ENOMEM;
	free(editor);
	return rc;
}

void sw_script_change_fini(struct sw_script_change *change)
{
	free(change->text);
	memset(change, 0, sizeof(*change));
}
