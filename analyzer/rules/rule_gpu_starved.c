/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gpu.starved: a GPU that waits for the CPUs or for I/O. */
#include <math.h>

#include "analyzer/rules/rule_gpu.h"
#include "common/units.h"

/*
 * GPU below 10 % while CPUs are above 90 % for half of the time: defaults of
 * Amazon's SageMaker Debugger (CPUBottleneck).  Half of the time in stalls is
 * its counterpart for storage (IOBottleneck, io_threshold 50).
 */
enum { MAX_BUSY_RATIO, MIN_CPU_RATIO, MIN_STALL_RATIO, MIN_WAITING_RATIO,
       MIN_ELAPSED_SECONDS };

/* Time in which the GPU was idle, by what was busy instead. */
struct waiting {
	double cpu_usec, storage_usec, all_usec;
};

/* Return a curve's value at a time, or NAN. */
static double value_at(const struct sw_curve *curve, uint64_t usec)
{
	size_t low = 0, high = curve->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (curve->end_usec[middle] >= usec)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == curve->count || curve->start_usec[low] >= usec)
		return NAN;
	return curve->value[low];
}

static struct waiting look(const struct sw_view *view,
			   const struct sw_view_gpu *gpu,
			   const double *setting)
{
	struct waiting waiting = { 0, 0, 0 };
	double cores = view->cpu.allocated_cores * setting[MIN_CPU_RATIO];
	size_t i;

	for (i = 0; i < gpu->busy.count; i++) {
		uint64_t end = gpu->busy.end_usec[i];
		double width = (double)(end - gpu->busy.start_usec[i]);

		if (isnan(gpu->busy.value[i]))
			continue;
		waiting.all_usec += width;
		if (gpu->busy.value[i] >= setting[MAX_BUSY_RATIO])
			continue;
		if (value_at(&view->cores, end) >= cores)
			waiting.cpu_usec += width;
		else if (value_at(&view->io_stall, end) >=
			 setting[MIN_STALL_RATIO])
			waiting.storage_usec += width;
	}
	return waiting;
}

static int report(const struct sw_view *view, const struct sw_view_gpu *gpu,
		  const struct waiting *waiting, const double *setting,
		  struct sw_findings *findings)
{
	double cpu = waiting->cpu_usec / waiting->all_usec;
	double storage = waiting->storage_usec / waiting->all_usec;
	struct sw_evidence share = {
		"time with an idle GPU and busy CPUs or I/O",
		cpu + storage, "ratio", setting[MIN_WAITING_RATIO], SW_MISSING,
	};
	struct sw_evidence busy = {
		"utilization.gpu, mean", gpu->busy_ratio, "ratio", NAN,
		SW_MISSING,
	};
	char name[SW_GPU_NAME_SIZE];
	struct sw_finding *finding;

	finding = sw_gpu_finding(findings, gpu, "gpu.starved", SW_WARNING, 0.7,
				 &share);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &busy);
	sw_finding_sentence(finding,
		"%s was idle for %.0f %% of the time while the step's %.0f "
		"CPUs were busy (%.0f %%) or waiting for I/O (%.0f %%): it was "
		"waiting for its data. %s",
		sw_gpu_name(name, sizeof(name), gpu), share.value * 100,
		view->cpu.allocated_cores, cpu * 100, storage * 100,
		cpu >= storage ?
		"Request more CPUs per GPU, start more workers that load data, "
		"or preprocess the data once and keep the result." :
		"Put the data on the node's local disk, in larger files, or "
		"read ahead.");
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct waiting waiting;
	size_t i;

	if (sw_view_is_shorter(view, setting[MIN_ELAPSED_SECONDS]))
		return 0;
	for (i = 0; i < view->gpu_count; i++) {
		const struct sw_view_gpu *gpu = &view->gpus[i];

		if (!gpu->is_used)
			continue;
		waiting = look(view, gpu, setting);
		if (waiting.all_usec > 0 &&
		    waiting.cpu_usec + waiting.storage_usec >=
			    setting[MIN_WAITING_RATIO] * waiting.all_usec &&
		    report(view, gpu, &waiting, setting, findings) < 0)
			return -1;
	}
	return 0;
}

const struct sw_rule sw_rule_gpu_starved = {
	.id = "gpu.starved",
	.title = "A GPU waiting for its data",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"Nothing ran on a GPU of the step while its CPUs were busy or its "
	"processes waited for I/O: the GPU is faster than what feeds it.",
	.what_to_do =
	"Use more CPUs or data loaders per GPU, preprocess the data once, read "
	"from local disks and from larger files.",
	.computed =
	"From samples: the share of time in which NVML's utilization.gpu was "
	"below max_busy_ratio and either min_cpu_ratio of the step's CPUs were "
	"busy or io.pressure was at min_stall_ratio. Reported from "
	"min_waiting_ratio of the time on, in steps of min_elapsed_seconds. "
	"The CPUs may also be busy with a part of the program that does not "
	"use the GPU; FUSE and direct NFS I/O do not appear in io.pressure.",
	.needs = { { "series.gpu", "utilization.gpu" },
		   { "series.gpu_process", "processes" } },
	.settings = {
		{ "max_busy_ratio", 0.10, 0, 1,
		  "a GPU busier than this is not waiting" },
		{ "min_cpu_ratio", 0.90, 0, 1,
		  "share of the step's CPUs that are busy" },
		{ "min_stall_ratio", 0.50, 0, 1,
		  "share of an interval in I/O stalls" },
		{ "min_waiting_ratio", 0.50, 0, 1, "share of the time" },
		{ "min_elapsed_seconds", 60, 0, 86400,
		  "shorter steps are not evaluated" },
	},
	.eval = eval,
	.blind_to = sw_gpu_blind_to_use,
};
