/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gpu.errors: a GPU failed while the step used it. */
#include <math.h>
#include <stdbool.h>

#include "analyzer/rules/rule_gpu.h"

/*
 * XIDs that a program's own mistake causes (NVIDIA, "XID Errors": illegal
 * instruction or address 13, memory page fault 31, stopped by its own fault
 * 43, pre-emptive cleanup after such a fault 45).
 */
static bool is_of_program(uint64_t xid)
{
	return xid == 13 || xid == 31 || xid == 43 || xid == 45;
}

enum { MIN_ERRORS };

/* nvmlReturn_t (nvml.h): fallen off the bus, or unusable until reset. */
enum { GPU_IS_LOST = 15, RESET_REQUIRED = 16 };

static bool is_lost(const struct sw_view_gpu *gpu)
{
	return gpu->status == GPU_IS_LOST || gpu->status == RESET_REQUIRED;
}

/* Return the worst error of a GPU. */
static struct sw_evidence worst(const struct sw_view_gpu *gpu,
				double threshold)
{
	struct sw_evidence evidence = {
		.unit = "count", .threshold = threshold,
		.when_usec = SW_MISSING };

	if (is_lost(gpu)) {
		evidence.counter = "status";
		evidence.unit = "nvmlReturn_t";
		evidence.threshold = NAN;
		evidence.value = (double)gpu->status;
	} else if (sw_zero_if_missing(gpu->ecc_uncorrected)) {
		evidence.counter = "ecc.uncorrected";
		evidence.value = (double)gpu->ecc_uncorrected;
	} else {
		evidence.counter = "xid.count";
		evidence.value = (double)sw_zero_if_missing(gpu->xids);
	}
	return evidence;
}

static void tell(struct sw_finding *finding, const struct sw_view_gpu *gpu)
{
	char name[SW_GPU_NAME_SIZE];

	sw_gpu_name(name, sizeof(name), gpu);
	if (is_lost(gpu))
		sw_finding_sentence(finding,
			"%s was lost while the step ran: the driver can no "
			"longer use it. What was computed on it since then is "
			"lost. Run the step again on another node, and tell "
			"the administrator: the GPU needs a reset or a repair.",
			name);
	else if (sw_zero_if_missing(gpu->ecc_uncorrected))
		sw_finding_sentence(finding,
			"%s had %llu uncorrectable memory errors while the "
			"step ran: its results may be wrong. Run it again, and "
			"tell the administrator.",
			name, (unsigned long long)gpu->ecc_uncorrected);
	else if (is_of_program(gpu->last_xid))
		sw_finding_sentence(finding,
			"The driver reported %llu error%s on %s while the step "
			"ran, the last one XID %llu, which is usually a bug in "
			"the program (a bad address, a bad instruction). Check "
			"its log, and run it with compute-sanitizer.",
			(unsigned long long)gpu->xids,
			gpu->xids == 1 ? "" : "s", name,
			(unsigned long long)gpu->last_xid);
	else
		sw_finding_sentence(finding,
			"The driver reported %llu critical error%s on %s while "
			"the step ran, the last one XID %llu: check the "
			"output. NVIDIA's list of XIDs explains it and names "
			"the administrator's next step.",
			(unsigned long long)gpu->xids,
			gpu->xids == 1 ? "" : "s", name,
			(unsigned long long)gpu->last_xid);
}

static int report(const struct sw_view_gpu *gpu, const double *setting,
		  struct sw_findings *findings)
{
	struct sw_evidence evidence = worst(gpu, setting[MIN_ERRORS]);
	struct sw_finding *finding;
	bool is_program = !is_lost(gpu) &&
			  !sw_zero_if_missing(gpu->ecc_uncorrected) &&
			  is_of_program(gpu->last_xid);

	finding = sw_gpu_finding(findings, gpu, "gpu.errors",
				 is_program ? SW_WARNING : SW_CRITICAL, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	tell(finding, gpu);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		const struct sw_view_gpu *gpu = &view->gpus[i];
		uint64_t both = sw_sum_u64(gpu->ecc_uncorrected, gpu->xids);
		double errors = (double)sw_zero_if_missing(both);

		if (gpu->is_used &&
		    (is_lost(gpu) ||
		     (errors > 0 && errors >= setting[MIN_ERRORS])) &&
		    report(gpu, setting, findings) < 0)
			return -1;
	}
	return 0;
}

const struct sw_rule sw_rule_gpu_errors = {
	.id = "gpu.errors",
	.title = "A GPU failed",
	.kind = SW_FINDING_RESULT,
	.basis = SW_BASIS_COUNTERS,
	.meaning =
	"The driver reported errors of a GPU while a process of the step was "
	"using it: uncorrectable memory errors, XIDs (NVIDIA's numbers of "
	"critical errors), or the loss of the GPU. Results may be wrong even "
	"if the step reports success.",
	.what_to_do =
	"Check the output, run the job again on another node, and report the "
	"XID to the administrator.",
	.computed =
	"From NVML: growth of the volatile count of uncorrected ECC errors, "
	"the XIDs received, and whether the driver says that the device is "
	"lost or needs a reset. Reported from min_errors on, and always for a "
	"lost GPU. XIDs 13, 31, 43 and 45 are usually mistakes of the program "
	"and give a warning; all others are critical. On a shared GPU the "
	"errors may come from another job.",
	.needs = { { "series.gpu", "status" },
		   { "series.gpu_process", "processes" } },
	.settings = {
		{ "min_errors", 1, 1, 1e6, "errors while the step ran" },
	},
	.eval = eval,
	.blind_to = sw_gpu_blind_to,
};
