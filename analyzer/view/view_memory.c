/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a view: need as an interval, never as memory.peak alone, which
 * includes reclaimable page cache.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/shares.h"
#include "analyzer/view/view_internal.h"
#include "common/delta.h"
#include "common/need.h"

/* Columns of a series with parts of the need. */
struct columns {
	const struct sw_series *series;
	size_t count;
	struct {
		const struct sw_need_field *field;
		const uint64_t *numbers;
	} items[SW_NEED_FIELDS];
};

static struct columns open_columns(const struct sw_series *series,
				   const char *source)
{
	struct columns columns = { .series = series };
	size_t i;

	for (i = 0; i < SW_NEED_FIELDS; i++) {
		const struct sw_need_field *field = &sw_need_fields[i];
		const uint64_t *numbers =
			strcmp(field->source, source) ? NULL :
			sw_series_numbers(series, field->column);

		if (!numbers)
			continue;
		columns.items[columns.count].field = field;
		columns.items[columns.count++].numbers = numbers;
	}
	return columns;
}

static void read_row(struct sw_need_reading *reading,
		     const struct columns *columns, size_t row)
{
	size_t i;

	sw_need_reading_init(reading);
	if (!sw_series_is_ours(columns->series, row))
		return;
	for (i = 0; i < columns->count; i++)
		sw_need_reading_set(reading, columns->items[i].field,
				    columns->items[i].numbers[row]);
}

static void take_rows(struct sw_need *need, const struct sw_series *series,
		      const char *source)
{
	const struct columns columns = open_columns(series, source);
	struct sw_need_reading reading;
	size_t row;

	for (row = 0; row < sw_series_rows(series); row++) {
		read_row(&reading, &columns, row);
		/* Missing in older recordings. */
		if (sw_is_missing(reading.file_low))
			reading.file_low = reading.file_sum;
		sw_need_take(need, &reading);
	}
}

/* Take the programs, whose processes samples may have missed. */
static void take_programs(struct sw_need *need, const struct sw_view *view)
{
	struct sw_need_reading reading;
	size_t i;

	sw_need_reading_init(&reading);
	for (i = 0; i < view->program_count; i++) {
		reading.process_anon = view->programs[i].peak_anon_bytes;
		reading.process_all = view->programs[i].peak_bytes;
		sw_need_take(need, &reading);
	}
}

static void put_need(struct sw_view_memory *memory, const struct sw_need *need)
{
	static const char *const names[] = {
		[SW_NEED_NONE] = NULL,
		[SW_NEED_CGROUP] = "memory.stat",
		[SW_NEED_CGROUP_MAPPED] =
			"memory.stat with mapped files in use",
		[SW_NEED_PROCESSES] = "RssAnon of the processes",
		[SW_NEED_PROCESS] =
			"one process's high-water mark less its file pages",
	};
	enum sw_need_source source;

	memory->need_bytes = sw_need_low(need, &source);
	memory->need_source = names[source];
	memory->floor_bytes = sw_need_floor(need);
	memory->mapped_bytes = sw_need_mapped(need);
	memory->has_missed_files = source == SW_NEED_CGROUP_MAPPED;
}

static void fill_need(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_need_reading rusage;
	struct sw_need need;

	sw_need_init(&need, view->page_bytes);
	take_rows(&need, &parts->memory, "memory");
	take_rows(&need, &parts->proc, "proc");
	take_programs(&need, view);
	sw_need_reading_init(&rusage);
	rusage.process_all = sw_series_last(&parts->summary,
					    "rusage_maxrss_bytes");
	sw_need_take(&need, &rusage);
	put_need(&view->memory, &need);
}

/* memory.stat counts shmem in "file", but it is not reclaimable. */
static uint64_t page_cache(const struct sw_series *memory)
{
	const uint64_t *file = sw_series_numbers(memory, "file");
	const uint64_t *shmem = sw_series_numbers(memory, "shmem");
	uint64_t cache = SW_MISSING;
	size_t row;

	for (row = 0; file && row < sw_series_rows(memory); row++) {
		if (sw_series_is_ours(memory, row))
			cache = sw_max_u64(cache, sw_excess_u64(file[row],
				shmem ? sw_zero_if_missing(shmem[row]) : 0));
	}
	return cache;
}

static uint64_t programs_peak(const struct sw_view *view)
{
	uint64_t peak = SW_MISSING;
	size_t i;

	for (i = 0; i < view->program_count; i++)
		peak = sw_max_u64(peak, view->programs[i].peak_bytes);
	return peak;
}

static void fill_cgroup(struct sw_view *view,
			const struct sw_view_parts *parts)
{
	struct sw_view_memory *memory = &view->memory;
	const struct sw_series *s = &parts->memory;

	memory->source = sw_series_source(s);
	memory->peak_bytes = sw_max_u64(sw_series_max(s, "memory.peak"),
					sw_series_max(s, "memory.current"));
	memory->cache_bytes = page_cache(s);
	memory->limit_bytes = sw_series_last(s, "memory.max");
	memory->swap_peak_bytes = sw_max_u64(
		sw_series_max(s, "memory.swap.current"),
		sw_series_last(s, "memory.swap.peak"));
	memory->zswap_peak_bytes = sw_max_u64(
		sw_series_max(s, "memory.zswap.current"),
		sw_series_max(s, "zswap"));
	memory->kernel_peak_bytes = sw_series_max(s, "kernel");
	memory->socket_peak_bytes = sw_series_max(s, "sock");
	memory->oom_kills = sw_series_growth(s, "events.oom_kill");
	memory->oom_events = sw_series_growth(s, "events.oom");
	memory->limit_hits = sw_series_growth(s, "events.max");
	memory->refaulted_file_pages =
		sw_series_growth(s, "workingset_refault_file");
	memory->refaulted_anon_pages =
		sw_series_growth(s, "workingset_refault_anon");
}

enum { HUGE_SIZES_MAX = 16 };

static void fill_tree(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_view_memory *memory = &view->memory;

	memory->source = "process.tree";
	memory->peak_bytes = sw_series_max(&parts->proc, "rss_sum");
	if (sw_is_missing(memory->peak_bytes))
		memory->source = "rusage";
	memory->cache_bytes = sw_series_max(&parts->proc, "rss_file_sum");
	memory->peak_bytes = sw_max_u64(memory->peak_bytes,
		sw_series_last(&parts->summary, "rusage_maxrss_bytes"));
	memory->peak_bytes = sw_max_u64(memory->peak_bytes,
		sw_series_max(&parts->proc, "hiwater_max"));
	memory->peak_bytes =
		sw_max_u64(memory->peak_bytes, programs_peak(view));
	memory->swap_peak_bytes = sw_series_max(&parts->proc, "swap_sum");
}

/* Sum the maximum for each page size, or else that of all processes. */
static void fill_huge_pages(struct sw_view *view,
			    const struct sw_view_parts *parts)
{
	struct sw_series s = sw_series_open(parts->reader, "series.hugetlb",
					    parts->step_key);
	uint64_t most[HUGE_SIZES_MAX], bytes = SW_MISSING, subject;
	size_t row, i;

	sw_set_missing(most, HUGE_SIZES_MAX);
	for (row = 0; row < sw_series_rows(&s); row++) {
		subject = sw_series_at(&s, row, "subject");
		if (subject < HUGE_SIZES_MAX)
			most[subject] = sw_max_u64(most[subject],
				sw_series_at(&s, row, "hugetlb.current"));
	}
	for (i = 0; i < HUGE_SIZES_MAX; i++)
		bytes = sw_sum_u64(bytes, most[i]);
	if (sw_is_missing(bytes))
		bytes = sw_series_max(&parts->proc, "hugetlb_sum");
	view->memory.huge_page_bytes = bytes;
}

/* For recordings without a page size: the smallest one. */
enum { PAGE_BYTES = 4096 };

double sw_view_pages_bytes(const struct sw_view *view, uint64_t pages)
{
	return sw_real_u64(pages) * (sw_is_missing(view->page_bytes) ?
					     PAGE_BYTES :
					     (double)view->page_bytes);
}

/*
 * Return true if evicted pages were refaulted, as far as known.  A program that
 * reads large files once also stalls for reclaim, but does not need more
 * memory.
 */
static bool is_cache_missed(const struct sw_view *view)
{
	const struct sw_view_memory *memory = &view->memory;
	uint64_t page_bytes = sw_is_missing(view->page_bytes) ? PAGE_BYTES :
							      view->page_bytes;

	return sw_is_missing(memory->refaulted_file_pages) ||
	       memory->refaulted_file_pages >=
		       memory->limit_bytes / 100 / page_bytes;
}

bool sw_view_is_page_cache(const struct sw_view_memory *memory)
{
	uint64_t used = sw_sum_u64(memory->need_bytes,
				   sw_zero_if_missing(memory->mapped_bytes));

	return !sw_is_missing(memory->need_bytes) &&
	       sw_ratio_u64(memory->peak_bytes, memory->limit_bytes) >=
		       SW_NEARLY_ALL &&
	       sw_ratio_u64(used, memory->limit_bytes) < SW_MOST;
}

/* With little mapped, the refaults may be of files that it reads. */
static bool is_held_by_mapped(const struct sw_view_memory *memory)
{
	return memory->has_missed_files &&
	       memory->mapped_bytes >= memory->limit_bytes / 10;
}

/*
 * Return true if it fought for memory at its limit: then the peak only shows
 * what the limit allowed.  A peak at the limit without pressure is page cache.
 * Below a limit shared with others it is held if mapped files were refaulted.
 */
static bool is_held_at_limit(const struct sw_view *view)
{
	const struct sw_view_memory *m = &view->memory;
	uint64_t stalled = view->pressure.memory_full_usec;

	if (sw_is_missing(m->limit_bytes) || sw_is_missing(m->peak_bytes) ||
	    sw_is_missing(view->elapsed_usec))
		return false;
	return (is_held_by_mapped(m) ||
		(m->peak_bytes >= m->limit_bytes / 100 * 99 &&
		 sw_zero_if_missing(m->limit_hits) > 0 &&
		 is_cache_missed(view))) &&
	       !sw_is_missing(stalled) && stalled > view->elapsed_usec / 20;
}

static uint64_t tasks_oom_killed(const struct sw_view *view)
{
	uint64_t killed = SW_MISSING;
	size_t i;

	for (i = 0; i < view->task_count; i++)
		killed = sw_sum_u64(killed, view->tasks[i].memory_oom_kills);
	return killed;
}

/*
 * Use the peaks of the tasks, read at their end.  The step's peak is at least
 * the largest of them or, if the step was not seen, at most their sum.
 */
static void raise_to_tasks(struct sw_view *view)
{
	struct sw_view_memory *memory = &view->memory;
	bool is_only = sw_is_missing(memory->peak_bytes);
	uint64_t peak = sw_view_tasks_peak(view, is_only);

	if (is_only && !sw_is_missing(peak))
		memory->source = "tasks";
	memory->peak_bytes = sw_max_u64(memory->peak_bytes, peak);
}

/* True if every task ended in its own cgroup with a known peak. */
static bool is_told_by_tasks(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->task_count; i++) {
		const struct sw_view_task *task = &view->tasks[i];

		if (!task->final_source || !task->cgroup_kind ||
		    strcmp(task->cgroup_kind, "task") != 0 ||
		    sw_is_missing(task->memory_peak_bytes))
			return false;
	}
	return view->task_count > 0 &&
	       (sw_is_missing(view->slurm.node_task_count) ||
		view->task_count >= view->slurm.node_task_count);
}

/*
 * Return true if the observed peak is complete.  The kernel's watermark at the
 * end is; sums over sampled processes may miss a peak between two samples, and
 * lack page cache and kernel memory.
 */
static bool is_peak_whole(const struct sw_view *view,
			  const struct sw_view_parts *parts)
{
	const struct sw_view_recording *recording = &view->recording;

	if (recording->is_cgroup_lost || recording->has_left_cgroup ||
	    (recording->final_source &&
	     !strcmp(recording->final_source, "lost")))
		return false;
	if (!sw_is_missing(sw_series_max(&parts->memory, "memory.current")))
		return !sw_is_missing(sw_series_max(&parts->memory,
						    "memory.peak"));
	return is_told_by_tasks(view);
}

/* Mapped files may be charged to another cgroup, which read them first. */
static void fill_upper(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_view_memory *memory = &view->memory;

	if (is_peak_whole(view, parts))
		memory->need_upper_bytes = sw_max_u64(memory->peak_bytes,
						      memory->floor_bytes);
}

static uint64_t programs_oom_killed(const struct sw_view *view)
{
	uint64_t killed = SW_MISSING;
	size_t i;

	for (i = 0; i < view->program_count; i++)
		killed = sw_sum_u64(killed, view->programs[i].oom_killed);
	return killed;
}

/*
 * The limit of an ancestor, of a container or service, holds like the own one.
 * Without any cgroup limit, the available memory is the machine's.
 */
static void fill_limit(struct sw_view *view)
{
	struct sw_view_memory *memory = &view->memory;
	uint64_t above = memory->available_bytes;

	if (sw_is_missing(above) || sw_is_missing(view->node_memory_bytes) ||
	    above >= view->node_memory_bytes)
		return;
	if (sw_is_missing(memory->limit_bytes) ||
	    above < memory->limit_bytes) {
		memory->limit_bytes = above;
		memory->is_limit_above = true;
	}
}

/* Keep the unknown part of mapped files above the need. */
static void set_need(struct sw_view_memory *memory, uint64_t bytes,
		     const char *source)
{
	uint64_t unknown = sw_excess_u64(memory->floor_bytes,
					 memory->need_bytes);

	memory->need_bytes = bytes;
	memory->need_source = source;
	memory->floor_bytes = sw_add_u64(bytes, sw_zero_if_missing(unknown));
}

/* Use the job's own cgroup, which samples of its steps may fall short of. */
void sw_view_use_job_memory(struct sw_view *total)
{
	struct sw_series s = sw_series_open(total->reader, "series.job_memory",
					    SW_ALL_STEPS);
	struct sw_view_memory *memory = &total->memory;
	uint64_t peak = sw_series_max(&s, "memory.peak"), low;
	struct sw_need need;

	sw_need_init(&need, total->page_bytes);
	take_rows(&need, &s, "memory");
	low = sw_need_low(&need, NULL);
	/* Samples of two steps are seldom from the same moment. */
	if (sw_zero_if_missing(sw_excess_u64(memory->need_bytes, peak)) > 0)
		set_need(memory, memory->step_need_bytes, "its largest step");
	if (!sw_is_missing(low) && (sw_is_missing(memory->need_bytes) ||
				    low > memory->need_bytes))
		set_need(memory, low, "memory.stat of the job");
	memory->floor_bytes = sw_max_u64(memory->floor_bytes,
					 sw_need_floor(&need));
	if (sw_is_missing(peak))
		return;
	memory->peak_bytes = peak;
	memory->need_upper_bytes = sw_max_u64(sw_max_u64(peak,
							 memory->floor_bytes),
					      memory->need_bytes);
}

uint64_t sw_view_memory_base(const struct sw_view_memory *memory)
{
	uint64_t high = sw_max_u64(memory->peak_bytes,
				   memory->need_upper_bytes);
	uint64_t gap = sw_excess_u64(high, memory->need_bytes);

	if (sw_is_missing(memory->need_bytes))
		return SW_MISSING;
	if (!sw_is_missing(memory->cache_bytes))
		gap = sw_excess_u64(gap, memory->cache_bytes);
	return sw_max_u64(memory->need_bytes + sw_zero_if_missing(gap),
			  memory->floor_bytes);
}

/* Return non-reclaimable memory at each sample; the caller frees it. */
static uint64_t *not_reclaimable(const struct sw_series *memory)
{
	const struct columns columns = open_columns(memory, "memory");
	uint64_t *values = calloc(sw_series_rows(memory), sizeof(*values));
	struct sw_need_reading reading;
	size_t row;

	for (row = 0; values && row < sw_series_rows(memory); row++) {
		read_row(&reading, &columns, row);
		values[row] = sw_need_bytes(&reading.parts);
	}
	return values;
}

static int fill_curve(struct sw_view *view, const struct sw_view_parts *parts)
{
	static const char *const anon[] = { "rss_anon_sum" };
	const struct sw_series *s = &parts->memory;
	uint64_t *values;
	int rc;

	if (!sw_is_missing(sw_series_last(s, "memory.current"))) {
		values = not_reclaimable(s);
	} else {
		s = &parts->proc;
		values = sw_series_sum(s, anon, 1);
	}
	if (!values)
		return -1;
	rc = sw_curve_level(&view->memory_bytes, s, values);
	free(values);
	return rc;
}

int sw_view_fill_memory(struct sw_view *view,
			const struct sw_view_parts *parts)
{
	struct sw_view_memory *memory = &view->memory;

	if (!sw_is_missing(sw_series_last(&parts->memory, "memory.current")))
		fill_cgroup(view, parts);
	else
		fill_tree(view, parts);
	fill_huge_pages(view, parts);
	raise_to_tasks(view);
	fill_need(view, parts);
	fill_upper(view, parts);
	memory->oom_kills =
		sw_max_u64(memory->oom_kills, programs_oom_killed(view));
	memory->oom_kills =
		sw_max_u64(memory->oom_kills, tasks_oom_killed(view));
	memory->requested_bytes =
		sw_series_last(&parts->steps, "requested_memory_bytes");
	memory->available_bytes =
		sw_series_last(&parts->steps, "available_memory_bytes");
	fill_limit(view);
	memory->need_is_lower_bound = is_held_at_limit(view) ||
				      sw_zero_if_missing(memory->oom_kills) > 0;
	if (sw_is_missing(memory->peak_bytes) &&
	    sw_is_missing(memory->need_bytes))
		memory->source = NULL;
	return fill_curve(view, parts);
}
