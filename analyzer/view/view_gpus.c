/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GPUs of a view.  Rows of the node are written with whichever of its steps was
 * sampled; use those within the step's time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/delta.h"
#include "common/gpu_list.h"
#include "common/units.h"

/*
 * nvmlClocksEventReasons of the NVML API Reference Guide.  Clocks are low on
 * idle GPUs for lack of work, and on busy ones at the power limit.
 */
enum {
	REASON_IDLE = 0x1,
	REASON_POWER_CAP = 0x4,
	/* software and hardware thermal slowdown, external power brake */
	REASONS_SLOWED = 0x20 | 0x40 | 0x80,
};

struct sample {
	uint64_t subject, usec;
	size_t row;
};

struct samples {
	struct sw_series series;
	struct sample *item;	/* sorted by subject, time */
	size_t count;
};

static int compare_samples(const void *a, const void *b)
{
	const struct sample *one = a, *two = b;

	if (one->subject != two->subject)
		return one->subject < two->subject ? -1 : 1;
	if (one->usec != two->usec)
		return one->usec < two->usec ? -1 : 1;
	return one->row < two->row ? -1 : one->row > two->row;
}

/* Read the rows of a table within the view's time. */
static int open_samples(struct samples *samples, const struct sw_view *view,
			const char *table, uint64_t step_key)
{
	size_t i, rows;

	memset(samples, 0, sizeof(*samples));
	samples->series = sw_series_open(view->reader, table, step_key);
	rows = sw_series_rows(&samples->series);
	samples->item = calloc(rows + 1, sizeof(*samples->item));
	if (!samples->item)
		return -1;
	for (i = 0; i < rows; i++) {
		struct sample *item = &samples->item[samples->count];

		*item = (struct sample){
			sw_series_at(&samples->series, i, "subject"),
			sw_series_at(&samples->series, i, "time_usec"), i };
		if (!sw_is_missing(item->subject) &&
		    !sw_is_missing(item->usec) &&
		    (sw_is_missing(view->start_usec) ||
		     item->usec >= view->start_usec) &&
		    (sw_is_missing(view->end_usec) ||
		     item->usec <= view->end_usec))
			samples->count++;
	}
	qsort(samples->item, samples->count, sizeof(*samples->item),
	      compare_samples);
	return 0;
}

/* Samples of one subject. */
struct part {
	const struct samples *samples;
	size_t first, end;
};

static const uint64_t *numbers(const struct part *part, const char *column)
{
	return sw_series_numbers(&part->samples->series, column);
}

static uint64_t cell(const struct part *part, const uint64_t *values, size_t i)
{
	return sw_series_cell(&part->samples->series, values,
			      part->samples->item[i].row);
}

static uint64_t usec_of(const struct part *part, size_t i)
{
	return part->samples->item[i].usec;
}

/* Advance to the next subject; false at the end. */
static bool next_part(struct part *part)
{
	const struct samples *samples = part->samples;

	part->first = part->end;
	while (part->end < samples->count &&
	       samples->item[part->end].subject ==
		       samples->item[part->first].subject)
		part->end++;
	return part->end > part->first;
}

/* Time since the previous sample, which this one stands for. */
static double width_of(const struct part *part, size_t i)
{
	uint64_t width;

	if (part->end - part->first == 1)
		return 1;
	if (i == part->first)
		return 0;
	width = usec_of(part, i) - usec_of(part, i - 1);
	return width > SW_GPU_SAMPLE_USEC_MAX ? 0 : (double)width;
}

static double mean(const struct part *part, const char *column)
{
	const uint64_t *values = numbers(part, column);
	double sum = 0, time = 0;
	size_t i;

	for (i = part->first; i < part->end; i++) {
		uint64_t value = cell(part, values, i);

		if (sw_is_missing(value))
			continue;
		sum += (double)value * width_of(part, i);
		time += width_of(part, i);
	}
	return time > 0 ? sum / time : NAN;
}

static uint64_t maximum(const struct part *part, const char *column)
{
	const uint64_t *values = numbers(part, column);
	uint64_t max = SW_MISSING;
	size_t i;

	for (i = part->first; i < part->end; i++)
		max = sw_max_u64(max, cell(part, values, i));
	return max;
}

static uint64_t last(const struct part *part, const char *column)
{
	const uint64_t *values = numbers(part, column);
	size_t i;

	for (i = part->end; i-- > part->first;) {
		if (!sw_is_missing(cell(part, values, i)))
			return cell(part, values, i);
	}
	return SW_MISSING;
}

static uint64_t growth(const struct part *part, const char *column)
{
	uint64_t previous = SW_MISSING, sum = SW_MISSING, value, delta;
	const uint64_t *values = numbers(part, column);
	size_t i;

	for (i = part->first; i < part->end; i++) {
		value = cell(part, values, i);
		if (sw_is_missing(value))
			continue;
		delta = sw_delta_u64(value, previous);
		sum = sw_is_missing(sum) ? 0 : sum;
		if (!sw_is_missing(delta))
			sum = sw_add_u64(sum, delta);
		previous = value;
	}
	return sum;
}

/* Share of the time in which one of the reasons reduced the clocks. */
static double share_of_reasons(const struct part *part, uint64_t reasons)
{
	const uint64_t *values = numbers(part, "clocks.event_reasons");
	double held = 0, time = 0;
	size_t i;

	for (i = part->first; i < part->end; i++) {
		uint64_t value = cell(part, values, i);

		if (sw_is_missing(value))
			continue;
		time += width_of(part, i);
		if ((value & reasons) && !(value & REASON_IDLE))
			held += width_of(part, i);
	}
	return time > 0 ? held / time : NAN;
}

static int fill_busy(struct sw_curve *curve, const struct part *part)
{
	const uint64_t *values = numbers(part, "utilization.gpu");
	size_t i;

	if (sw_curve_reserve(curve, part->end - part->first) < 0)
		return -1;
	for (i = part->first + 1; i < part->end; i++) {
		uint64_t value = cell(part, values, i);

		if (usec_of(part, i) <= usec_of(part, i - 1))
			continue;
		curve->start_usec[curve->count] = usec_of(part, i - 1);
		curve->end_usec[curve->count] = usec_of(part, i);
		curve->value[curve->count++] = sw_real_u64(value) / 100;
	}
	sw_curve_summarise(curve);
	return 0;
}

static void fill_errors(struct sw_view_gpu *gpu, const struct part *part)
{
	gpu->ecc_corrected = growth(part, "ecc.corrected");
	gpu->ecc_uncorrected = growth(part, "ecc.uncorrected");
	gpu->xids = growth(part, "xid.count");
	gpu->last_xid = last(part, "xid.last");
	gpu->rows_remapped = sw_sum_u64(
		growth(part, "remapped_rows.correctable"),
		growth(part, "remapped_rows.uncorrectable"));
	gpu->pages_retired = sw_sum_u64(
		growth(part, "retired_pages.single_bit"),
		growth(part, "retired_pages.double_bit"));
	gpu->is_remap_pending = last(part, "remapped_rows.pending");
	gpu->has_remap_failed = last(part, "remapped_rows.failed");
	gpu->status = maximum(part, "status");
}

static int fill_gpu(struct sw_view_gpu *gpu, const struct part *part)
{
	gpu->index = part->samples->item[part->first].subject;
	gpu->busy_ratio = mean(part, "utilization.gpu") / 100;
	gpu->memory_busy_ratio = mean(part, "utilization.memory") / 100;
	gpu->memory_total_bytes = maximum(part, "memory.total");
	gpu->memory_used_bytes = maximum(part, "memory.used");
	gpu->mean_watts = mean(part, "power.usage") / 1000;
	gpu->energy_mj = growth(part, "energy.total");
	gpu->celsius_max = maximum(part, "temperature.gpu");
	gpu->slowed_ratio = share_of_reasons(part, REASONS_SLOWED);
	gpu->power_capped_ratio = share_of_reasons(part, REASON_POWER_CAP);
	gpu->pcie_sent_bytes = growth(part, "pcie.tx_bytes");
	gpu->pcie_received_bytes = growth(part, "pcie.rx_bytes");
	gpu->nvlink_sent_bytes = growth(part, "nvlink.tx_bytes");
	gpu->nvlink_received_bytes = growth(part, "nvlink.rx_bytes");
	fill_errors(gpu, part);
	return fill_busy(&gpu->busy, part);
}

/* Fill what the step's own processes did on it. */
static void fill_own(struct sw_view *view, const struct samples *samples)
{
	struct part part = { samples, 0, 0 };
	size_t i;

	while (next_part(&part)) {
		for (i = 0; i < view->gpu_count; i++) {
			struct sw_view_gpu *gpu = &view->gpus[i];

			if (strcmp(gpu->source, "gpu") != 0 ||
			    gpu->index != samples->item[part.first].subject)
				continue;
			gpu->is_used = true;
			gpu->used_since_usec = usec_of(&part, part.first);
			gpu->processes = maximum(&part, "processes");
			gpu->own_memory_bytes = maximum(&part, "memory.used");
			gpu->own_busy_ratio =
				mean(&part, "utilization.sm") / 100;
		}
	}
}

/* Split "MODEL, BUS, UUID" (NVIDIA) or "MODEL, ID" (AMD). */
static void split_detail(struct sw_view_gpu *gpu, const char *detail)
{
	char text[sizeof(gpu->model)], *comma;

	snprintf(text, sizeof(text), "%s", detail);
	comma = strrchr(text, ',');
	if (comma) {
		*comma = '\0';
		snprintf(gpu->uuid, sizeof(gpu->uuid), "%.95s",
			 comma + (comma[1] == ' ' ? 2 : 1));
	}
	comma = strcmp(gpu->source, "gpu") ? NULL : strrchr(text, ',');
	if (comma)
		*comma = '\0';
	snprintf(gpu->model, sizeof(gpu->model), "%s", text);
}

static void name_gpu(struct sw_view_gpu *gpu, const struct sw_series *names)
{
	size_t i;

	for (i = 0; i < sw_series_rows(names); i++) {
		const char *source = sw_series_text(names, i, "source");
		const char *kind = sw_series_text(names, i, "kind");
		const char *detail = sw_series_text(names, i, "detail");

		if (!source || strcmp(source, gpu->source) != 0 ||
		    sw_series_at(names, i, "subject") != gpu->index)
			continue;
		gpu->name = sw_series_text(names, i, "name");
		gpu->is_mig = kind && !strcmp(kind, "mig");
		if (detail)
			split_detail(gpu, detail);
		return;
	}
}

static size_t count_parts(const struct samples *samples)
{
	struct part part = { samples, 0, 0 };
	size_t count = 0;

	while (next_part(&part))
		count++;
	return count;
}

static int add_gpus(struct sw_view *view, const struct samples *samples,
		    const char *source)
{
	struct sw_series names = sw_series_open(view->reader, "subjects",
						SW_ALL_STEPS);
	struct part part = { samples, 0, 0 };
	size_t count = view->gpu_count + count_parts(samples);
	struct sw_view_gpu *gpus;

	if (count == view->gpu_count)
		return 0;
	gpus = realloc(view->gpus, count * sizeof(*gpus));
	if (!gpus)
		return -1;
	view->gpus = gpus;
	while (next_part(&part)) {
		struct sw_view_gpu *gpu = &gpus[view->gpu_count];

		memset(gpu, 0, sizeof(*gpu));
		sw_fields_clear(gpu, sw_gpu_fields);
		gpu->source = source;
		gpu->used_since_usec = SW_MISSING;
		gpu->node = view->node;
		view->gpu_count++;
		if (fill_gpu(gpu, &part) < 0)
			return -1;
		name_gpu(gpu, &names);
	}
	return 0;
}

int sw_view_fill_gpus(struct sw_view *view, uint64_t step_key)
{
	struct samples nvidia, amd, own;
	int rc = -1;

	own.item = amd.item = NULL;
	if (open_samples(&nvidia, view, "series.gpu", SW_ALL_STEPS) == 0 &&
	    open_samples(&amd, view, "series.gpu_amd", SW_ALL_STEPS) == 0 &&
	    open_samples(&own, view, "series.gpu_process", step_key) == 0 &&
	    add_gpus(view, &nvidia, "gpu") == 0 &&
	    add_gpus(view, &amd, "gpu_amd") == 0) {
		fill_own(view, &own);
		rc = 0;
	}
	free(nvidia.item);
	free(amd.item);
	free(own.item);
	return rc;
}

/* True if another recording of the same node already has the GPU. */
static bool is_known(const struct sw_view *total,
		     const struct sw_view_gpu *gpu)
{
	size_t i;

	for (i = 0; !gpu->is_used && i < total->gpu_count; i++) {
		const struct sw_view_gpu *other = &total->gpus[i];

		if (!strcmp(other->uuid, gpu->uuid) &&
		    !strcmp(other->source, gpu->source) &&
		    sw_is_same_text(other->node, gpu->node))
			return true;
	}
	return false;
}

int sw_view_gather_gpus(struct sw_view *total,
			const struct sw_view *const *view, size_t count)
{
	size_t i, j, sum = 0;

	for (i = 0; i < count; i++)
		sum += view[i]->gpu_count;
	if (!sum)
		return 0;
	total->gpus = calloc(sum, sizeof(*total->gpus));
	if (!total->gpus)
		return -1;
	for (i = 0; i < count; i++) {
		for (j = 0; j < view[i]->gpu_count; j++) {
			struct sw_view_gpu *gpu =
				&total->gpus[total->gpu_count];

			if (is_known(total, &view[i]->gpus[j]))
				continue;
			*gpu = view[i]->gpus[j];
			memset(&gpu->busy, 0, sizeof(gpu->busy));
			total->gpu_count++;
		}
	}
	return 0;
}

void sw_view_free_gpus(struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->gpu_count; i++)
		sw_curve_fini(&view->gpus[i].busy);
	free(view->gpus);
	view->gpus = NULL;
	view->gpu_count = 0;
}
