/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Part of a job on one node, from one or several profiles. */
#include "analyzer/job/job_node.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/view_sum.h"
#include "common/delta.h"

/* Cgroups of these hold the request of the others, or no work. */
static bool is_around_others(const struct sw_view *view)
{
	const char *id = sw_text(view->step_id);

	return !strcmp(id, "batch") || !strcmp(id, "interactive") ||
	       !strcmp(id, "extern");
}

int sw_node_compare_steps(const void *a, const void *b)
{
	const struct sw_view *one = a, *two = b;
	int order = sw_stepid_compare(sw_text(one->step_id),
				      sw_text(two->step_id));

	if (order)
		return order;
	return one->step_key < two->step_key ? -1 :
					       one->step_key > two->step_key;
}

const char *sw_node_name(const struct sw_node *node)
{
	const struct sw_view *step = node->steps;

	return node->step_count && step->node ? step->node : "";
}

int sw_node_compare(const void *a, const void *b)
{
	const struct sw_node *one = a, *two = b;
	int order = strcmp(sw_node_name(one), sw_node_name(two));

	return order ? order :
		       strcmp(one->files[0].path, two->files[0].path);
}

/* A step that is not judged and uses less had finished its work. */
static const double IDLE_CORES = 0.005;

static int add_worked(struct sw_spans *worked, const struct sw_view *view,
		      uint64_t start_usec, uint64_t end_usec)
{
	return sw_spans_add(worked, sw_view_realtime_usec(view, start_usec),
			    sw_view_realtime_usec(view, end_usec));
}

/*
 * Add when the step worked on behalf of the enclosing one: always, since its
 * own view shows its progress, except for extern, which has no findings: when
 * it used a CPU (ssh from another node).
 */
static int note_worked(struct sw_spans *worked, const struct sw_view *view)
{
	const struct sw_curve *cores = &view->cores;
	size_t i;

	if (!is_around_others(view))
		return add_worked(worked, view, view->start_usec,
				  view->end_usec);
	if (strcmp(sw_text(view->step_id), "extern") != 0)
		return 0;
	for (i = 0; i < cores->count; i++) {
		if (cores->value[i] > IDLE_CORES &&
		    add_worked(worked, view, cores->start_usec[i],
			       cores->end_usec[i]) < 0)
			return -1;
	}
	return 0;
}

/* Read over all steps, sorted by time. */
static const char *const of_all_steps[] = {
	"series.gpu", "series.gpu_amd", "series.node", "series.dram",
	"series.energy", "series.papi", "series.job_memory", "subjects",
	"topology", "topology.node", "identity", NULL,
};

static int read_steps(struct sw_node *node, const struct sw_node_open *open,
		      struct sw_error *error)
{
	size_t steps_max = open->verdict.trust >= SW_TRUST_CLAIM ?
				   SW_VIEW_CLAIMED_STEPS_MAX :
				   SW_VIEW_STEPS_MAX;
	const char *step = open->files->step;
	size_t i, count;
	uint64_t *keys;
	int rc = 0;

	if (sw_reader_group(node->files[0].reader, "step", of_all_steps) < 0)
		return sw_error_set(error, "not enough memory for the report");
	if (sw_view_steps(node->files[0].reader, &keys, &count, error) < 0)
		return -1;
	node->seen_count = count;
	if (count > steps_max && !step) {
		node->left_out = count - steps_max;
		count = steps_max;
	}
	node->steps = calloc(count, sizeof(*node->steps));
	if (!node->steps)
		rc = sw_error_set(error, "not enough memory for the report");
	for (i = 0; rc == 0 && i < count; i++) {
		struct sw_view *view = &node->steps[node->step_count];

		rc = sw_view_init(view, node->files[0].reader, keys[i],
				  error);
		if (rc < 0)
			break;
		if (note_worked(&node->worked, view) < 0)
			rc = sw_error_set(error, "not enough memory for the "
					  "report");
		if (step && strcmp(step, sw_text(view->step_id)) != 0)
			sw_view_fini(view);
		else
			node->step_count++;
	}
	free(keys);
	return rc;
}

static void file_fini(struct sw_node_file *file)
{
	free(file->path);
	sw_reader_close(file->reader);
}

void sw_node_fini(struct sw_node *node)
{
	size_t i;

	sw_view_fini(&node->total);
	for (i = 0; i < node->step_count; i++)
		sw_view_fini(&node->steps[i]);
	free(node->steps);
	for (i = 0; i < node->file_count; i++) {
		/* The only file's sum is the node's. */
		if (node->file_count > 1)
			sw_view_fini(&node->files[i].total);
		file_fini(&node->files[i]);
	}
	free(node->files);
	sw_spans_fini(&node->worked);
	memset(node, 0, sizeof(*node));
}

/* Files of other users must not use up the reader's memory. */
#define FOREIGN_BYTES_MAX ((size_t)256 << 20)

static struct sw_reader *open_once(const char *path,
				   struct sw_node_open *open,
				   struct sw_error *error)
{
	const struct sw_reader_want want = {
		.no_series = open->lacks_series,
		.only = sw_view_only,
		.only_count = SW_VIEW_ONLY_COUNT,
		.values_max_bytes = open->values_max_bytes,
		.foreign_max_bytes = FOREIGN_BYTES_MAX,
	};

	return sw_judge_open(open->files->judge, path, &want, &open->verdict,
			     error);
}

/* The file was judged before, but may have been replaced. */
static struct sw_reader *open_file(const char *path, struct sw_node_open *open,
				   struct sw_error *error)
{
	const struct sw_job_files *files = open->files;
	struct sw_reader *reader = open_once(path, open, error);

	if (!reader && errno == EFBIG && files->is_short) {
		open->lacks_series = true;
		reader = open_once(path, open, error);
	}
	if (!reader || files->is_named)
		return reader;
	if (open->verdict.trust != SW_TRUST_NONE &&
	    (sw_is_missing(files->uid) || open->verdict.uid == files->uid))
		return reader;
	sw_reader_close(reader);
	errno = EINVAL;
	sw_error_set(error, "%s: altered or foreign: %s", path,
		     open->verdict.because[0] ? open->verdict.because :
						"it belongs to another user's "
						"job");
	return NULL;
}

int sw_node_init(struct sw_node *node, const char *path,
		 struct sw_node_open *open, struct sw_error *error)
{
	memset(node, 0, sizeof(*node));
	node->files = calloc(1, sizeof(*node->files));
	if (!node->files)
		return sw_error_set(error, "not enough memory for the report");
	node->file_count = 1;
	node->files[0].path = strdup(path);
	if (!node->files[0].path)
		sw_error_set(error, "not enough memory for the report");
	else
		node->files[0].reader = open_file(path, open, error);
	if (node->files[0].reader && read_steps(node, open, error) == 0)
		return 0;
	sw_node_fini(node);
	return -1;
}

int sw_node_join(struct sw_node *to, struct sw_node *from)
{
	struct sw_node_file *files;
	struct sw_view *steps;

	files = realloc(to->files, (to->file_count + from->file_count) *
				   sizeof(*files));
	if (!files)
		return -1;
	to->files = files;
	steps = realloc(to->steps, (to->step_count + from->step_count) *
				   sizeof(*steps));
	if (!steps)
		return -1;
	to->steps = steps;
	memcpy(files + to->file_count, from->files,
	       from->file_count * sizeof(*files));
	memcpy(steps + to->step_count, from->steps,
	       from->step_count * sizeof(*steps));
	to->file_count += from->file_count;
	to->step_count += from->step_count;
	to->seen_count += from->seen_count;
	to->left_out += from->left_out;
	free(from->files);
	free(from->steps);
	memset(from, 0, sizeof(*from));
	return 0;
}

/* Choose the view of a step that saw more of it. */
static bool is_better(const struct sw_view *one, const struct sw_view *two)
{
	uint64_t seen_one = sw_zero_if_missing(one->recording.samples);
	uint64_t seen_two = sw_zero_if_missing(two->recording.samples);

	/* If equal, the one that saw the end. */
	return seen_one != seen_two ? seen_one > seen_two :
	       one->state != SW_STATE_UNKNOWN;
}

/*
 * A recorder that lost the job's profile starts another file for the end of a
 * running step: both are one step, with that end.
 */
static void merge_step(struct sw_view *to, struct sw_view *from)
{
	if (is_better(from, to)) {
		struct sw_view swapped = *to;

		*to = *from;
		*from = swapped;
	}
	if (to->state == SW_STATE_UNKNOWN && from->state != to->state) {
		to->state = from->state;
		to->exit_code = from->exit_code;
		to->signal = from->signal;
		to->end_usec = sw_max_u64(to->end_usec, from->end_usec);
		to->elapsed_usec = sw_delta_u64(to->end_usec, to->start_usec);
	}
	sw_view_fini(from);
}

/* Keep each step once; a repeated number in one file is another step. */
static void merge_steps(struct sw_node *node)
{
	size_t i, kept = 0;

	qsort(node->steps, node->step_count, sizeof(*node->steps),
	      sw_node_compare_steps);
	for (i = 0; i < node->step_count; i++) {
		struct sw_view *last = kept ? &node->steps[kept - 1] : NULL;
		const char *id = sw_text(node->steps[i].step_id);

		if (last && last->reader != node->steps[i].reader && *id &&
		    !strcmp(sw_text(last->step_id), id)) {
			merge_step(last, &node->steps[i]);
			node->seen_count--;
		} else {
			node->steps[kept++] = node->steps[i];
		}
	}
	node->step_count = kept;
	for (i = 0; i < kept; i++)
		node->steps[i].shares_request = node->seen_count > 1 &&
			is_around_others(&node->steps[i]);
}

/* Keep what a single step has and sums lack. */
static void keep_of_one(struct sw_view *total, const struct sw_view *step)
{
	total->step_key = step->step_key;
	total->step_id = step->step_id;
	total->pressure = step->pressure;
	total->io = step->io;
	total->shares_request = step->shares_request;
}

/* Stays empty if all of its steps are in other files. */
static int sum_file(struct sw_node_file *file, const struct sw_node *node,
		    bool is_all, struct sw_error *error)
{
	const struct sw_view **views;
	size_t i, count = 0;
	int rc = 0;

	file->total.reader = file->reader;
	views = calloc(node->step_count, sizeof(const struct sw_view *));
	if (!views)
		return sw_error_set(error, "not enough memory for the report");
	for (i = 0; i < node->step_count; i++) {
		if (node->steps[i].reader == file->reader)
			views[count++] = &node->steps[i];
	}
	if (count)
		rc = sw_view_sum(&file->total, views, count, SW_SUM_STEPS,
				 error);
	if (count && rc == 0 && is_all)
		sw_view_use_job_memory(&file->total);
	if (rc == 0 && count == 1)
		keep_of_one(&file->total, views[0]);
	free(views);
	return rc;
}

/* Drop files all of whose steps were seen better by others. */
static void drop_empty(struct sw_node *node)
{
	size_t i, j, kept = 0;

	for (i = 0; i < node->file_count; i++) {
		for (j = 0; j < node->step_count &&
		     node->steps[j].reader != node->files[i].reader; j++)
			;
		if (j < node->step_count)
			node->files[kept++] = node->files[i];
		else
			file_fini(&node->files[i]);
	}
	node->file_count = kept;
}

int sw_node_know_worked(struct sw_node *node, const struct sw_spans *worked)
{
	size_t i;

	for (i = 0; i < node->step_count; i++) {
		struct sw_view *view = &node->steps[i];
		/* Convert from real time; wrapping is fine. */
		uint64_t shift = view->start_usec -
				 sw_view_realtime_usec(view, view->start_usec);

		if (!is_around_others(view))
			continue;
		if (sw_spans_add_all(&view->elsewhere, worked, shift) < 0)
			return -1;
		sw_spans_join(&view->elsewhere);
	}
	return 0;
}

int sw_node_sum(struct sw_node *node, bool is_all, struct sw_error *error)
{
	const struct sw_view **views;
	size_t i;
	int rc = 0;

	merge_steps(node);
	drop_empty(node);
	views = calloc(node->file_count, sizeof(const struct sw_view *));
	if (!views)
		return sw_error_set(error, "not enough memory for the report");
	for (i = 0; rc == 0 && i < node->file_count; i++) {
		rc = sum_file(&node->files[i], node, is_all, error);
		views[i] = &node->files[i].total;
	}
	if (rc == 0 && node->file_count > 1)
		rc = sw_view_sum(&node->total, views, node->file_count,
				 SW_SUM_FILES, error);
	else if (node->file_count == 1)
		node->total = node->files[0].total;
	free(views);
	return rc;
}
