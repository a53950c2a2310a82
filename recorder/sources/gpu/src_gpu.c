/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the helper process.
 *
 * NVIDIA GPUs and their MIG instances by NVML: use, memory, power, clocks,
 * errors, traffic.  A value stays missing if the GPU, the driver or MIG does
 * not provide it; a lost GPU is not queried further.
 */
#include "common/missing.h"
#include "common/units.h"
#include "recorder/sources/gpu/gpus.h"
#include "recorder/sources/source.h"

enum {
	BUSY, MEMORY_BUSY, MEMORY_TOTAL, MEMORY_USED, MEMORY_RESERVED, POWER,
	POWER_LIMIT, ENERGY, TEMPERATURE, CLOCK_SM, CLOCK_SM_MAX, CLOCK_MEM,
	REASONS, ECC_CORRECTED, ECC_UNCORRECTED, REMAPPED_CORRECTABLE,
	REMAPPED_UNCORRECTABLE, REMAP_PENDING, REMAP_FAILED, RETIRED_SINGLE,
	RETIRED_DOUBLE, XID_COUNT, XID_LAST, PCIE_TX_BYTES, PCIE_RX_BYTES,
	PCIE_TX, PCIE_RX, NVLINK_TX, NVLINK_RX, STATUS, COLUMNS
};

static const struct sw_column columns[COLUMNS] = {
	[BUSY] = { "utilization.gpu", "percent", SW_KIND_GAUGE,
		   "Share of the last sample period in which a kernel ran." },
	[MEMORY_BUSY] = { "utilization.memory", "percent", SW_KIND_GAUGE,
			  "The same for reads and writes of its memory." },
	[MEMORY_TOTAL] = { "memory.total", "bytes", SW_KIND_GAUGE,
			   "Memory of the device." },
	[MEMORY_USED] = { "memory.used", "bytes", SW_KIND_GAUGE,
			  "Memory allocated by all processes." },
	[MEMORY_RESERVED] = { "memory.reserved", "bytes", SW_KIND_GAUGE,
			      "Memory reserved by driver and firmware "
			      "(R510)." },
	[POWER] = { "power.usage", "mW", SW_KIND_GAUGE,
		    "Power drawn by the whole board." },
	[POWER_LIMIT] = { "power.limit", "mW", SW_KIND_GAUGE,
			  "The power limit in force." },
	[ENERGY] = { "energy.total", "mJ", SW_KIND_COUNTER,
		     "Energy since the driver was loaded (Volta)." },
	[TEMPERATURE] = { "temperature.gpu", "celsius", SW_KIND_GAUGE,
			  "Temperature of the GPU die." },
	[CLOCK_SM] = { "clocks.sm", "MHz", SW_KIND_GAUGE,
		       "Clock of the multiprocessors." },
	[CLOCK_SM_MAX] = { "clocks.max.sm", "MHz", SW_KIND_GAUGE,
			   "The highest possible clock." },
	[CLOCK_MEM] = { "clocks.mem", "MHz", SW_KIND_GAUGE,
			"Clock of the memory." },
	[REASONS] = { "clocks.event_reasons", "", SW_KIND_STATE,
		      "Bits: why the clocks are not higher." },
	[ECC_CORRECTED] = { "ecc.corrected", "count", SW_KIND_COUNTER,
			    "Memory errors since the driver was loaded." },
	[ECC_UNCORRECTED] = { "ecc.uncorrected", "count", SW_KIND_COUNTER,
			      "Uncorrectable memory errors." },
	[REMAPPED_CORRECTABLE] = { "remapped_rows.correctable", "count",
				   SW_KIND_COUNTER,
				   "Rows of memory remapped (Ampere)." },
	[REMAPPED_UNCORRECTABLE] = { "remapped_rows.uncorrectable", "count",
				     SW_KIND_COUNTER,
				     "The same for uncorrectable errors." },
	[REMAP_PENDING] = { "remapped_rows.pending", "", SW_KIND_STATE,
			    "1: rows wait for a reset to be remapped." },
	[REMAP_FAILED] = { "remapped_rows.failed", "", SW_KIND_STATE,
			   "1: a row could not be remapped." },
	[RETIRED_SINGLE] = { "retired_pages.single_bit", "count",
			     SW_KIND_COUNTER, "Pages retired (up to Turing)." },
	[RETIRED_DOUBLE] = { "retired_pages.double_bit", "count",
			     SW_KIND_COUNTER,
			     "The same for double-bit errors." },
	[XID_COUNT] = { "xid.count", "count", SW_KIND_COUNTER,
			"Critical errors reported while recording." },
	[XID_LAST] = { "xid.last", "", SW_KIND_STATE,
		       "NVIDIA's number (XID) of the last one." },
	[PCIE_TX_BYTES] = { "pcie.tx_bytes", "bytes", SW_KIND_COUNTER,
			    "Sent over PCI Express; can wrap." },
	[PCIE_RX_BYTES] = { "pcie.rx_bytes", "bytes", SW_KIND_COUNTER,
			    "Received over PCI Express; can wrap." },
	[PCIE_TX] = { "pcie.tx", "KB/s", SW_KIND_GAUGE,
		      "Rate over 20 ms, where there are no counters." },
	[PCIE_RX] = { "pcie.rx", "KB/s", SW_KIND_GAUGE,
		      "Rate over 20 ms, where there are no counters." },
	[NVLINK_TX] = { "nvlink.tx_bytes", "bytes", SW_KIND_COUNTER,
			"Data sent over all NVLinks." },
	[NVLINK_RX] = { "nvlink.rx_bytes", "bytes", SW_KIND_COUNTER,
			"Data received over all NVLinks." },
	[STATUS] = { "status", "", SW_KIND_STATE,
		     "0, or why the device cannot be used (nvmlReturn_t)." },
};

enum { DEAR_EVERY = 10 };	/* reads; for values that rarely change */

/* Columns read in every tenth round, and written in each */
static const size_t dear[] = {
	REMAPPED_CORRECTABLE, REMAPPED_UNCORRECTABLE, REMAP_PENDING,
	REMAP_FAILED, RETIRED_SINGLE, RETIRED_DOUBLE,
};

enum { DEAR = sizeof(dear) / sizeof(dear[0]) };

struct state {
	struct sw_gpus *gpus;
	uint64_t round;
	uint64_t worn[SW_GPUS_MAX][DEAR];	/* last values */
	bool has_worn[SW_GPUS_MAX];
};

/* A device being read */
struct visit {
	const struct sw_nvml *nvml;
	struct sw_gpu *gpu;
	uint64_t *values;
};

/* Return whether the call succeeded; note a status for a lost GPU. */
static bool is_known(struct visit *visit, int status)
{
	if (status == NVML_GPU_IS_LOST || status == NVML_RESET_REQUIRED)
		visit->gpu->status = status;
	return status == NVML_SUCCESS;
}

static void put(struct visit *visit, size_t column, int status,
		uint64_t value)
{
	if (is_known(visit, status))
		visit->values[column] = value;
}

/* Ignore percentages above 100, which drivers do return. */
static uint64_t percent(unsigned int value)
{
	return value > 100 ? SW_MISSING : value;
}

static void read_use(struct visit *visit)
{
	const struct sw_nvml *nvml = visit->nvml;
	struct nvml_utilization use = { 0, 0 };

	if (!nvml->utilization ||
	    !is_known(visit, nvml->utilization(visit->gpu->handle, &use)))
		return;
	visit->values[BUSY] = percent(use.gpu);
	visit->values[MEMORY_BUSY] = percent(use.memory);
}

/* The first version counts reserved memory as used. */
static void read_memory(struct visit *visit)
{
	const struct sw_nvml *nvml = visit->nvml;
	struct nvml_memory_v2 now = { .version = NVML_MEMORY_V2_VERSION };
	struct nvml_memory old = { 0, 0, 0 };

	if (nvml->memory_v2 &&
	    is_known(visit, nvml->memory_v2(visit->gpu->handle, &now))) {
		visit->values[MEMORY_TOTAL] = now.total_bytes;
		visit->values[MEMORY_USED] = now.used_bytes;
		visit->values[MEMORY_RESERVED] = now.reserved_bytes;
		return;
	}
	if (!nvml->memory ||
	    !is_known(visit, nvml->memory(visit->gpu->handle, &old)))
		return;
	visit->values[MEMORY_TOTAL] = old.total_bytes;
	visit->values[MEMORY_USED] = old.used_bytes;
}

static void read_power(struct visit *visit)
{
	const struct sw_nvml *nvml = visit->nvml;
	struct nvml_device *handle = visit->gpu->handle;
	unsigned long long mj = 0;
	unsigned int number = 0;
	int status;

	if (nvml->power) {
		status = nvml->power(handle, &number);
		put(visit, POWER, status, number);
	}
	if (nvml->power_limit) {
		status = nvml->power_limit(handle, &number);
		put(visit, POWER_LIMIT, status, number);
	}
	if (nvml->energy) {
		status = nvml->energy(handle, &mj);
		put(visit, ENERGY, status, mj);
	}
	if (nvml->temperature) {
		status = nvml->temperature(handle, NVML_TEMPERATURE_GPU,
					   &number);
		put(visit, TEMPERATURE, status, number);
	}
}

static void read_clocks(struct visit *visit)
{
	const struct sw_nvml *nvml = visit->nvml;
	struct nvml_device *handle = visit->gpu->handle;
	unsigned long long reasons = 0;
	unsigned int mhz = 0;
	int status;

	if (nvml->clock) {
		status = nvml->clock(handle, NVML_CLOCK_SM, &mhz);
		put(visit, CLOCK_SM, status, mhz);
		status = nvml->clock(handle, NVML_CLOCK_MEM, &mhz);
		put(visit, CLOCK_MEM, status, mhz);
	}
	visit->values[CLOCK_SM_MAX] = visit->gpu->clock_max_mhz;
	if (nvml->event_reasons) {
		status = nvml->event_reasons(handle, &reasons);
		put(visit, REASONS, status, reasons);
	}
}

static void read_errors(struct visit *visit)
{
	const struct sw_nvml *nvml = visit->nvml;
	unsigned long long count = 0;
	int status;

	visit->values[XID_COUNT] = visit->gpu->xid_count;
	visit->values[XID_LAST] = visit->gpu->xid_last;
	if (!nvml->ecc_errors)
		return;
	status = nvml->ecc_errors(visit->gpu->handle, NVML_ERROR_CORRECTED,
				  NVML_ECC_VOLATILE, &count);
	put(visit, ECC_CORRECTED, status, count);
	status = nvml->ecc_errors(visit->gpu->handle, NVML_ERROR_UNCORRECTED,
				  NVML_ECC_VOLATILE, &count);
	put(visit, ECC_UNCORRECTED, status, count);
}

/* Query the count without a buffer: "insufficient" comes with the number. */
static void read_retired(struct visit *visit, size_t column,
			 unsigned int cause)
{
	unsigned int count = 0;
	int status;

	status = visit->nvml->retired_pages(visit->gpu->handle, cause, &count,
					    NULL);
	if (status == NVML_INSUFFICIENT_SIZE)
		status = NVML_SUCCESS;
	put(visit, column, status, count);
}

static void read_worn_memory(struct visit *visit)
{
	const struct sw_nvml *nvml = visit->nvml;
	unsigned int correctable = 0, uncorrectable = 0, pending = 0;
	unsigned int failed = 0;

	if (nvml->remapped_rows &&
	    is_known(visit, nvml->remapped_rows(visit->gpu->handle,
						&correctable, &uncorrectable,
						&pending, &failed))) {
		visit->values[REMAPPED_CORRECTABLE] = correctable;
		visit->values[REMAPPED_UNCORRECTABLE] = uncorrectable;
		visit->values[REMAP_PENDING] = pending != 0;
		visit->values[REMAP_FAILED] = failed != 0;
	}
	if (nvml->retired_pages) {
		read_retired(visit, RETIRED_SINGLE, NVML_RETIRED_SINGLE_BIT);
		read_retired(visit, RETIRED_DOUBLE, NVML_RETIRED_DOUBLE_BIT);
	}
}

/* Memory wears slowly: repeat the last values between reads. */
static void read_wear(struct state *state, struct visit *visit, size_t index)
{
	size_t i;

	if (state->round % DEAR_EVERY == 0 || !state->has_worn[index]) {
		read_worn_memory(visit);
		for (i = 0; i < DEAR; i++)
			state->worn[index][i] = visit->values[dear[i]];
		state->has_worn[index] = true;
	}
	for (i = 0; i < DEAR; i++)
		visit->values[dear[i]] = state->worn[index][i];
}

static uint64_t field_number(const struct nvml_field *field)
{
	if (field->status != NVML_SUCCESS)
		return SW_MISSING;
	switch (field->type) {
	case NVML_VALUE_UINT:
		return field->value.uint;
	case NVML_VALUE_ULONG:
		return field->value.ulong;
	case NVML_VALUE_ULONG_LONG:
		return field->value.ulong_long;
	}
	return SW_MISSING;
}

static uint64_t kib(uint64_t number)
{
	return number > UINT64_MAX / SW_KIB ? SW_MISSING : number * SW_KIB;
}

/* Read all counters by one call. */
static void read_traffic(struct visit *visit)
{
	struct nvml_field fields[] = {
		{ .field = NVML_FIELD_NVLINK_DATA_TX, .scope = NVML_ALL_LINKS },
		{ .field = NVML_FIELD_NVLINK_DATA_RX, .scope = NVML_ALL_LINKS },
		{ .field = NVML_FIELD_PCIE_TX_BYTES },
		{ .field = NVML_FIELD_PCIE_RX_BYTES },
	};
	enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };
	size_t i;

	/* Unknown fields remain unchanged. */
	for (i = 0; i < FIELDS; i++)
		fields[i].status = NVML_NOT_SUPPORTED;
	if (!visit->nvml->fields ||
	    !is_known(visit, visit->nvml->fields(visit->gpu->handle, FIELDS,
						 fields)))
		return;
	visit->values[NVLINK_TX] = kib(field_number(&fields[0]));
	visit->values[NVLINK_RX] = kib(field_number(&fields[1]));
	visit->values[PCIE_TX_BYTES] = field_number(&fields[2]);
	visit->values[PCIE_RX_BYTES] = field_number(&fields[3]);
}

/* These calls sleep for 20 ms each: only one GPU per read. */
static void read_pcie(struct visit *visit)
{
	const struct sw_nvml *nvml = visit->nvml;
	unsigned int rate = 0;
	int status;

	if (!nvml->pcie || !sw_is_missing(visit->values[PCIE_TX_BYTES]))
		return;
	status = nvml->pcie(visit->gpu->handle, NVML_PCIE_TX, &rate);
	put(visit, PCIE_TX, status, rate);
	status = nvml->pcie(visit->gpu->handle, NVML_PCIE_RX, &rate);
	put(visit, PCIE_RX, status, rate);
}

/* An instance has its own memory; the rest is reported for its GPU. */
static void read_gpu(struct state *state, struct visit *visit, size_t index)
{
	static void (*const parts[])(struct visit *) = {
		read_use, read_power, read_clocks, read_errors, read_traffic,
	};
	struct sw_gpu *gpu = visit->gpu;
	size_t i;

	if (gpu->handle) {
		gpu->status = NVML_SUCCESS;
		read_memory(visit);
	}
	if (gpu->is_mig) {
		visit->values[XID_COUNT] = gpu->xid_count;
		visit->values[XID_LAST] = gpu->xid_last;
	}
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (gpu->status == NVML_SUCCESS && !gpu->is_mig)
			parts[i](visit);
	}
	if (gpu->status == NVML_SUCCESS && !gpu->is_mig)
		read_wear(state, visit, index);
	if (gpu->status == NVML_SUCCESS && !gpu->is_mig &&
	    state->round % state->gpus->count == index)
		read_pcie(visit);
	visit->values[STATUS] = (uint64_t)gpu->status;
}

static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	struct state *state = memory;
	struct sw_gpus *gpus = state->gpus;
	size_t i;

	(void)target;
	sw_gpus_refresh(gpus);
	sw_gpus_take_events(gpus);
	for (i = 0; i < gpus->count; i++) {
		struct visit visit = { &gpus->nvml, &gpus->gpu[i], NULL };

		if (!gpus->gpu[i].is_there)
			continue;
		visit.values = sw_rows_add(rows, i);
		if (visit.values)
			read_gpu(state, &visit, i);
	}
	state->round++;
	return SW_READ_OK;
}

const struct sw_source sw_src_gpu = {
	.name = "gpu",
	.backend = "nvml",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_PERIOD,
	.is_out_of_process = true,
	.is_there = sw_gpus_are_there,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = sw_gpus_open,
	.rows_max = SW_GPUS_MAX,
	.read_rows = read_rows,
	.describe = sw_gpus_describe,
	.absence = "no NVIDIA GPU on this node",
	.close = sw_gpus_close,
};
