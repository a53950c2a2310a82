/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The synthetic trace: counters of a parallel program.
 *
 * Fails if memory for the tasks cannot be allocated.
 */
#include "bench/trace_synthetic.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

enum phase { COMPUTE, EXCHANGE, CHECKPOINT, PHASE_COUNT };

enum {
	ITERATION_TICKS = 60,	/* compute, then exchange */
	EXCHANGE_TICKS = 8,
	CHECKPOINT_TICKS = 600,	/* interval */
	WRITING_TICKS = 15,

	LATENESS_USEC = 300,	/* sampler; standard deviation */
	OWN_LATENESS_USEC = 20,	/* a task's read within the pass */
	IMBALANCE_PPM = 8000,	/* work of tasks; standard deviation */

	PAGE_BYTES = 4096,
	MIB_BYTES = 1024 * 1024,
	PPM = 1000000,
	GAUSS_ONE = 1 << 24,
};

enum column {
	CYCLES, REF_CYCLES, INSTRUCTIONS, BRANCHES, BRANCH_MISSES,
	CACHE_REFERENCES, CACHE_MISSES, FLOPS,
	USER_USEC, SYSTEM_USEC, RUN_QUEUE_WAIT_USEC, VOLUNTARY_SWITCHES,
	NONVOLUNTARY_SWITCHES, MINOR_FAULTS, MAJOR_FAULTS,
	MEMORY_CURRENT, MEMORY_PEAK, ANON, FILE_CACHE, KERNEL,
	SLAB_RECLAIMABLE,
	RCHAR, WCHAR, SYSCR, SYSCW, READ_BYTES, WRITE_BYTES,
	RX_BYTES, TX_BYTES, RX_PACKETS, TX_PACKETS, RETRANSMITS,
	CPU_SOME, CPU_FULL, MEMORY_SOME, MEMORY_FULL, IO_SOME, IO_FULL,
	THREADS, OPEN_FILES,
};

#define COUNTER(name_, unit_) \
	{ .name = (name_), .unit = (unit_), .kind = SW_KIND_COUNTER }
#define GAUGE(name_, unit_) \
	{ .name = (name_), .unit = (unit_), .kind = SW_KIND_GAUGE }

const struct sw_column trace_synthetic_columns[TRACE_SYNTHETIC_COLUMNS] = {
	[CYCLES] = COUNTER("cycles", "count"),
	[REF_CYCLES] = COUNTER("ref_cycles", "count"),
	[INSTRUCTIONS] = COUNTER("instructions", "count"),
	[BRANCHES] = COUNTER("branches", "count"),
	[BRANCH_MISSES] = COUNTER("branch_misses", "count"),
	[CACHE_REFERENCES] = COUNTER("cache_references", "count"),
	[CACHE_MISSES] = COUNTER("cache_misses", "count"),
	[FLOPS] = COUNTER("fp_ops", "count"),
	[USER_USEC] = COUNTER("user_usec", "usec"),
	[SYSTEM_USEC] = COUNTER("system_usec", "usec"),
	[RUN_QUEUE_WAIT_USEC] = COUNTER("run_queue_wait_usec", "usec"),
	[VOLUNTARY_SWITCHES] = COUNTER("voluntary_ctxt_switches", "count"),
	[NONVOLUNTARY_SWITCHES] =
		COUNTER("nonvoluntary_ctxt_switches", "count"),
	[MINOR_FAULTS] = COUNTER("minflt", "count"),
	[MAJOR_FAULTS] = COUNTER("majflt", "count"),
	[MEMORY_CURRENT] = GAUGE("memory.current", "bytes"),
	[MEMORY_PEAK] = { .name = "memory.peak", .unit = "bytes",
			  .kind = SW_KIND_PEAK },
	[ANON] = GAUGE("anon", "bytes"),
	[FILE_CACHE] = GAUGE("file", "bytes"),
	[KERNEL] = GAUGE("kernel", "bytes"),
	[SLAB_RECLAIMABLE] = GAUGE("slab_reclaimable", "bytes"),
	[RCHAR] = COUNTER("rchar", "bytes"),
	[WCHAR] = COUNTER("wchar", "bytes"),
	[SYSCR] = COUNTER("syscr", "count"),
	[SYSCW] = COUNTER("syscw", "count"),
	[READ_BYTES] = COUNTER("read_bytes", "bytes"),
	[WRITE_BYTES] = COUNTER("write_bytes", "bytes"),
	[RX_BYTES] = COUNTER("rx_bytes", "bytes"),
	[TX_BYTES] = COUNTER("tx_bytes", "bytes"),
	[RX_PACKETS] = COUNTER("rx_packets", "count"),
	[TX_PACKETS] = COUNTER("tx_packets", "count"),
	[RETRANSMITS] = COUNTER("tcp_retransmits", "count"),
	[CPU_SOME] = COUNTER("cpu.some.total", "usec"),
	[CPU_FULL] = COUNTER("cpu.full.total", "usec"),
	[MEMORY_SOME] = COUNTER("memory.some.total", "usec"),
	[MEMORY_FULL] = COUNTER("memory.full.total", "usec"),
	[IO_SOME] = COUNTER("io.some.total", "usec"),
	[IO_FULL] = COUNTER("io.full.total", "usec"),
	[THREADS] = GAUGE("threads", "count"),
	[OPEN_FILES] = GAUGE("open_files", "count"),
};

/*
 * Increase of a counter per second in each phase: normally distributed, or if
 * sigma_ppm is 0 (small counts) uniform up to twice the mean.
 */
struct flow {
	enum column column;
	uint64_t mean[PHASE_COUNT];
	uint64_t sigma_ppm;
};

static const struct flow flows[] = {
	{ CYCLES, { 2610000000, 2540000000, 1120000000 }, 3000 },
	{ REF_CYCLES, { 1985000000, 1930000000, 860000000 }, 1500 },
	{ INSTRUCTIONS, { 4130000000, 1870000000, 690000000 }, 12000 },
	{ BRANCHES, { 487000000, 391000000, 139000000 }, 12000 },
	{ BRANCH_MISSES, { 2640000, 4910000, 2980000 }, 30000 },
	{ CACHE_REFERENCES, { 53400000, 28700000, 19200000 }, 40000 },
	{ CACHE_MISSES, { 9270000, 6130000, 7450000 }, 50000 },
	{ FLOPS, { 2910000000, 41000000, 90000 }, 12000 },
	{ USER_USEC, { 984000, 702000, 188000 }, 700 },
	{ SYSTEM_USEC, { 8700, 274000, 241000 }, 20000 },
	{ RUN_QUEUE_WAIT_USEC, { 2900, 7300, 5100 }, 90000 },
	{ VOLUNTARY_SWITCHES, { 6, 2410, 830 }, 50000 },
	{ NONVOLUNTARY_SWITCHES, { 9, 12, 7 }, 0 },
	{ MINOR_FAULTS, { 2, 61, 340 }, 0 },
	{ RCHAR, { 96, 11200, 5300 }, 0 },
	{ WCHAR, { 80, 3900, 402653184 }, 3000 },
	{ SYSCR, { 2, 14, 6 }, 0 },
	{ SYSCW, { 1, 5, 96 }, 0 },
	{ RX_BYTES, { 5300, 91400000, 21000 }, 50000 },
	{ TX_BYTES, { 4900, 90700000, 402100000 }, 50000 },
};

struct task {
	uint64_t random;
	uint64_t next_tick;
	uint64_t imbalance_ppm;	/* around PPM */
	uint64_t skew_ticks;	/* 0 or 1 after the others */
	uint64_t lateness_usec;	/* of its latest row */
	uint64_t target_anon_bytes;
	uint64_t dirty_bytes;	/* not yet written back to the device */
	uint64_t values[TRACE_SYNTHETIC_COLUMNS];
};

/* Shared by all tasks: the node's pressure and the sampler's clock. */
struct shared {
	uint64_t random;
	uint64_t tick;
	bool has_tick;
	uint64_t lateness_usec;
	uint64_t pressure[TRACE_SYNTHETIC_COLUMNS];
};

struct trace_synthetic {
	uint64_t task_count;
	uint64_t row_count;	/* of the current tick */
	struct shared shared;
	struct task tasks[];
};

/* splitmix64, from "Fast splittable pseudorandom number generators" (2014). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return limit == 0 ? 0 : next_random(state) % limit;
}

static bool is_once_in(uint64_t *state, uint64_t times)
{
	return random_below(state, times) == 0;
}

/*
 * The sum of 12 uniform numbers approximates a normal one, with GAUSS_ONE as
 * the standard deviation: without floating point, so that rounding does not
 * depend on the machine.
 */
static int64_t next_gauss(uint64_t *state)
{
	int64_t sum = -6 * (int64_t)GAUSS_ONE;

	for (int i = 0; i < 6; i++) {
		uint64_t bits = next_random(state);

		sum += (int64_t)(bits % GAUSS_ONE);
		sum += (int64_t)((bits >> 32) % GAUSS_ONE);
	}
	return sum;
}

static uint64_t add_noise(uint64_t *state, uint64_t mean, uint64_t sigma_ppm)
{
	int64_t amplitude = (int64_t)(mean * sigma_ppm / PPM);
	int64_t value;

	value = (int64_t)mean + amplitude * next_gauss(state) / GAUSS_ONE;
	return value < 0 ? 0 : (uint64_t)value;
}

static enum phase phase_at(uint64_t tick)
{
	if (tick % CHECKPOINT_TICKS >= CHECKPOINT_TICKS - WRITING_TICKS)
		return CHECKPOINT;
	if (tick % ITERATION_TICKS >= ITERATION_TICKS - EXCHANGE_TICKS)
		return EXCHANGE;
	return COMPUTE;
}

static uint64_t next_lateness(uint64_t *state, uint64_t sigma_usec)
{
	int64_t gauss = next_gauss(state);

	if (gauss < 0)
		gauss = -gauss;
	return sigma_usec * (uint64_t)gauss / GAUSS_ONE;
}

static void start_task(struct task *task, uint64_t seed)
{
	task->random = seed;
	task->imbalance_ppm = add_noise(&task->random, PPM, IMBALANCE_PPM);
	task->skew_ticks = random_below(&task->random, 2);
	task->target_anon_bytes =
		(1800 + random_below(&task->random, 400)) * MIB_BYTES;
	for (size_t i = CYCLES; i <= FLOPS; i++)
		task->values[i] = random_below(&task->random, 1000000000000u);
	task->values[ANON] = 41 * MIB_BYTES;
	task->values[FILE_CACHE] = 96 * MIB_BYTES;
	task->values[KERNEL] = 5 * MIB_BYTES;
	task->values[SLAB_RECLAIMABLE] = 2 * MIB_BYTES;
	task->values[THREADS] = 8;
}

struct trace_synthetic *trace_synthetic_create(uint64_t task_count,
					       uint64_t seed)
{
	struct trace_synthetic *trace;

	if (task_count == 0 || task_count > UINT32_MAX) {
		errno = EINVAL;
		return NULL;
	}
	trace = calloc(1, sizeof(*trace) + task_count * sizeof(struct task));
	if (trace == NULL)
		return NULL;
	trace->task_count = task_count;
	trace->shared.random = next_random(&seed);
	for (uint64_t i = 0; i < task_count; i++)
		start_task(&trace->tasks[i], next_random(&seed));
	return trace;
}

void trace_synthetic_destroy(struct trace_synthetic *trace)
{
	free(trace);
}

/* Stalls come in bursts, with almost nothing between them. */
static void advance_shared(struct shared *shared, uint64_t tick)
{
	enum phase phase = phase_at(tick);
	uint64_t *random = &shared->random;
	uint64_t *pressure = shared->pressure;

	shared->tick = tick;
	shared->has_tick = true;
	shared->lateness_usec = next_lateness(random, LATENESS_USEC);
	pressure[CPU_SOME] += random_below(random,
					   phase == COMPUTE ? 2800 : 64000);
	if (phase == EXCHANGE)
		pressure[CPU_FULL] += random_below(random, 900);
	if (is_once_in(random, 40))
		pressure[MEMORY_SOME] += random_below(random, 6000);
	if (phase == CHECKPOINT) {
		uint64_t stall_usec = add_noise(random, 610000, 120000);

		pressure[IO_SOME] += stall_usec;
		pressure[IO_FULL] += add_noise(random, stall_usec / 2, 90000);
	} else if (is_once_in(random, 12)) {
		pressure[IO_SOME] += random_below(random, 1500);
	}
}

static void add_flows(struct task *task, enum phase phase,
		      uint64_t interval_usec)
{
	for (size_t i = 0; i < sizeof(flows) / sizeof(flows[0]); i++) {
		const struct flow *flow = &flows[i];
		uint64_t mean = flow->mean[phase] * interval_usec / PPM;

		if (flow->column >= INSTRUCTIONS && flow->column <= FLOPS)
			mean = mean / PPM * task->imbalance_ppm;
		if (flow->sigma_ppm == 0)
			mean = random_below(&task->random, 2 * mean + 1);
		else
			mean = add_noise(&task->random, mean,
					 flow->sigma_ppm);
		task->values[flow->column] += mean;
	}
}

/* Packets follow from the bytes: full frames, and a few small ones. */
static void add_packets(struct task *task, uint64_t rx_before,
			uint64_t tx_before)
{
	enum { SEGMENT_BYTES = 8948 };
	uint64_t rx_bytes = task->values[RX_BYTES] - rx_before;
	uint64_t tx_bytes = task->values[TX_BYTES] - tx_before;

	task->values[RX_PACKETS] += rx_bytes / SEGMENT_BYTES +
		random_below(&task->random, rx_bytes / SEGMENT_BYTES / 8 + 4);
	task->values[TX_PACKETS] += tx_bytes / SEGMENT_BYTES +
		random_below(&task->random, tx_bytes / SEGMENT_BYTES / 8 + 4);
	if (tx_bytes > MIB_BYTES && is_once_in(&task->random, 9))
		task->values[RETRANSMITS] += 1 +
			random_below(&task->random, 5);
}

/* The page cache is written back in pages, some seconds later. */
static void write_back(struct task *task, uint64_t wchar_before)
{
	uint64_t pages;

	task->dirty_bytes += task->values[WCHAR] - wchar_before;
	pages = task->dirty_bytes / PAGE_BYTES;
	if (pages > 1024)
		pages = add_noise(&task->random, pages / 3, 80000);
	else if (!is_once_in(&task->random, 5))
		pages = 0;
	task->values[WRITE_BYTES] += pages * PAGE_BYTES;
	task->dirty_bytes -= pages * PAGE_BYTES;
}

static void change_memory(struct task *task, enum phase phase)
{
	uint64_t *values = task->values;
	uint64_t *random = &task->random;

	if (values[ANON] < task->target_anon_bytes && is_once_in(random, 4))
		values[ANON] += random_below(random, 2800) * PAGE_BYTES;
	else if (is_once_in(random, 20))
		values[ANON] -= random_below(random, 50) * PAGE_BYTES;
	if (phase == CHECKPOINT)
		values[FILE_CACHE] += random_below(random, 9000) * PAGE_BYTES;
	else if (values[FILE_CACHE] > 100 * (uint64_t)MIB_BYTES)
		values[FILE_CACHE] -= random_below(random, 4000) * PAGE_BYTES;
	if (is_once_in(random, 6)) {
		values[KERNEL] += random_below(random, 5) * PAGE_BYTES;
		values[KERNEL] -= random_below(random, 4) * PAGE_BYTES;
		values[SLAB_RECLAIMABLE] +=
			random_below(random, 2) * PAGE_BYTES;
	}
	values[MEMORY_CURRENT] = values[ANON] + values[FILE_CACHE] +
		values[KERNEL];
	if (values[MEMORY_PEAK] < values[MEMORY_CURRENT])
		values[MEMORY_PEAK] = values[MEMORY_CURRENT];
}

static void advance_task(struct task *task, const struct shared *shared,
			 uint64_t tick)
{
	enum phase phase = phase_at(tick - (tick > 0 ? task->skew_ticks : 0));
	uint64_t lateness_usec = shared->lateness_usec +
		next_lateness(&task->random, OWN_LATENESS_USEC);
	uint64_t rx_before = task->values[RX_BYTES];
	uint64_t tx_before = task->values[TX_BYTES];
	uint64_t wchar_before = task->values[WCHAR];

	add_flows(task, phase, TRACE_SYNTHETIC_PERIOD_USEC + lateness_usec -
		  task->lateness_usec);
	task->lateness_usec = lateness_usec;
	add_packets(task, rx_before, tx_before);
	write_back(task, wchar_before);
	change_memory(task, phase);
	if (is_once_in(&task->random, 3000))
		task->values[MAJOR_FAULTS]++;
	task->values[OPEN_FILES] = phase == CHECKPOINT ? 36 : 35;
	for (size_t i = CPU_SOME; i <= IO_FULL; i++)
		task->values[i] = shared->pressure[i];
}

int trace_synthetic_row(struct trace_synthetic *trace, uint64_t tick,
			uint64_t task,
			uint64_t values[TRACE_SYNTHETIC_COLUMNS])
{
	struct shared *shared = &trace->shared;
	bool is_new_tick = !shared->has_tick || tick != shared->tick;
	bool is_complete = !shared->has_tick ||
		trace->row_count == trace->task_count;

	if (task >= trace->task_count ||
	    trace->tasks[task].next_tick != tick ||
	    (is_new_tick && !is_complete)) {
		errno = EINVAL;
		return -1;
	}
	if (is_new_tick) {
		advance_shared(shared, tick);
		trace->row_count = 0;
	}
	advance_task(&trace->tasks[task], shared, tick);
	trace->tasks[task].next_tick++;
	trace->row_count++;
	for (size_t i = 0; i < TRACE_SYNTHETIC_COLUMNS; i++)
		values[i] = trace->tasks[task].values[i];
	return 0;
}

uint64_t trace_synthetic_usec(const struct trace_synthetic *trace,
			      uint64_t task)
{
	const struct task *one = &trace->tasks[task];
	uint64_t tick = one->next_tick > 0 ? one->next_tick - 1 : 0;

	return tick * TRACE_SYNTHETIC_PERIOD_USEC + one->lateness_usec;
}
