/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_storm: cost of recording programs while they are started as fast
 * as one process can, in the followed step and in another job; the same for
 * threads, and for signals of a process to itself; and whether the records are
 * complete.
 *
 * A machine's speed changes by more than the effects measured here, and many
 * times per second.  So the recorder's BPF programs stay loaded, and short
 * blocks without them, with them beside a followed step, and as that step,
 * follow each other in random order, on one CPU.  Two blocks of each round are
 * without them: their ratio shows the precision of the others.
 *
 * The median within a block is precise, but misses work deferred for many at
 * once, such as freeing ended ones; CPU time includes all of it, and other
 * interruptions; the kernel's BPF statistics exclude the calls.
 *
 * Fails (exit 1) if the records are unavailable or a spawn fails, not if they
 * are slow or lossy.
 */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/interval.h"
#include "bench/measure.h"
#include "bench/storm_deeds.h"
#include "bench/storm_recorder.h"
#include "bench/storm_switch.h"

enum {
	PAIRS_MAX = 10000,
	SPAWNS_MAX = 1000000,
	/*
	 * Patching the kernel's text slows what follows: programs by 8 % if
	 * five are measured right after it.  So there is a pause, and the first
	 * ones are not measured.  Longer blocks would tell less in the same
	 * time, as the machine changes meanwhile.
	 */
	SETTLE_USEC = 300,
	BEFORE = 10,
	PROGRAMS = 40,
	THREADS = 120,
	BLOCK_MAX = THREADS,
	/*
	 * With the kernel's BPF statistics: enough that most are freed within
	 * the block.
	 */
	CLOCKED = 1000,
	CLOCKED_BLOCKS = 15,
	NSEC_PER_USEC = 1000,
	NSEC_PER_SECOND = 1000000000,
};

/* Nanoseconds per deed in the block of each pair; cpu is an average. */
struct blocks {
	double median[PAIRS_MAX], cpu[PAIRS_MAX];
};

/* By deed and phase. */
static struct blocks blocks[STORM_DEEDS][STORM_PHASES];
static double bpf_nsec[STORM_DEEDS][STORM_PHASES];
static uint64_t pair_count = 1500, spawn_count = 20000;

/* CPU time of this process and its ended children, to a microsecond. */
static double cpu_nsec(void)
{
	struct rusage children;

	getrusage(RUSAGE_CHILDREN, &children);
	return (double)measure_cpu_nsec() +
	       (double)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) *
	       NSEC_PER_SECOND +
	       (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) *
	       NSEC_PER_USEC;
}

static int run_block(enum storm_deed deed, struct blocks *blocks_of,
		     uint64_t pair)
{
	const uint64_t count = deed == STORM_PROGRAM ? PROGRAMS : THREADS;
	uint64_t nsec[BLOCK_MAX], begin, i;
	double cpu;

	for (i = 0; i < BEFORE; i++)
		if (storm_do(deed) < 0)
			return -1;
	cpu = cpu_nsec();
	for (i = 0; i < count; i++) {
		begin = measure_wall_nsec();
		if (storm_do(deed) < 0)
			return -1;
		nsec[i] = measure_wall_nsec() - begin;
	}
	blocks_of->cpu[pair] = (cpu_nsec() - cpu) / (double)count;
	blocks_of->median[pair] = (double)measure_quantile(nsec, count, 500);
	return 0;
}

/* Fisher-Yates shuffle. */
static void shuffle(enum storm_phase *phase)
{
	int i, at;
	enum storm_phase kept;

	for (i = STORM_PHASES - 1; i > 0; i--) {
		at = rand() % (i + 1);
		kept = phase[i];
		phase[i] = phase[at];
		phase[at] = kept;
	}
}

static int run_pair(struct storm_switch *sw, enum storm_deed deed,
		    uint64_t pair)
{
	enum storm_phase phase[STORM_PHASES];
	int i;

	for (i = 0; i < STORM_PHASES; i++)
		phase[i] = (enum storm_phase)i;
	shuffle(phase);
	for (i = 0; i < STORM_PHASES; i++) {
		if (storm_switch_to(sw, phase[i]) < 0)
			return -1;
		usleep(SETTLE_USEC);
		if (run_block(deed, &blocks[deed][phase[i]], pair) < 0)
			return -1;
	}
	return 0;
}

/*
 * Measure a deed by the kernel's BPF statistics: the median of some blocks, as
 * a BPF program can be interrupted for milliseconds.
 */
static int run_clock(struct storm_switch *sw, enum storm_deed deed,
		     enum storm_phase phase)
{
	double nsec[CLOCKED_BLOCKS];
	uint64_t before, after;
	int block, i;

	if (storm_switch_to(sw, phase) < 0)
		return -1;
	for (block = 0; block < CLOCKED_BLOCKS; block++) {
		if (storm_switch_clock(sw, &before) < 0)
			return -1;
		for (i = 0; i < CLOCKED; i++)
			if (storm_do(deed) < 0)
				return -1;
		if (storm_switch_clock(sw, &after) < 0)
			return -1;
		nsec[block] = (double)(after - before) / CLOCKED;
	}
	bpf_nsec[deed][phase] = interval_of_median(nsec, CLOCKED_BLOCKS).value;
	return 0;
}

static int run_pairs(pid_t other, struct storm_records *records)
{
	enum storm_deed deed;
	struct storm_switch sw;
	uint64_t pair;

	if (storm_switch_start(&sw, getpid(), other) < 0)
		return -1;
	for (deed = 0; deed < STORM_DEEDS; deed++) {
		for (pair = 0; pair < pair_count; pair++)
			if (run_pair(&sw, deed, pair) < 0)
				return -1;
		if (run_clock(&sw, deed, STORM_OTHER) < 0 ||
		    run_clock(&sw, deed, STORM_OWN) < 0)
			return -1;
	}
	return storm_switch_end(&sw, records);
}

static int measure_cost(struct storm_records *records)
{
	pid_t other = fork();
	int result;

	if (other < 0)
		return -1;
	if (other == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	result = run_pairs(other, records);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	return result;
}

/* Start programs without a pause; *nsec is the time this took. */
static int storm(struct storm_verdict *verdict, uint64_t *nsec)
{
	struct storm_recorder recorder;
	uint64_t i, begin;

	if (storm_recorder_start(&recorder) < 0)
		return -1;
	begin = measure_wall_nsec();
	for (i = 0; i < spawn_count; i++)
		if (storm_do(STORM_PROGRAM) < 0)
			return -1;
	*nsec = measure_wall_nsec() - begin;
	return storm_recorder_end(&recorder, verdict);
}

static void print_ratio(const char *what, enum storm_deed deed,
			enum storm_phase phase, const char *wanted)
{
	static double ratios[PAIRS_MAX];
	const struct blocks *with = &blocks[deed][phase];
	const struct blocks *none = &blocks[deed][STORM_NONE];
	struct interval median, all;
	uint64_t i;

	for (i = 0; i < pair_count; i++)
		ratios[i] = with->median[i] / none->median[i];
	median = interval_of_median(ratios, pair_count);
	all = interval_of_sums(with->cpu, none->cpu, pair_count);
	printf("  %-20s%.4f (%.4f-%.4f)  %.3f (%.3f-%.3f)  %s\n", what,
	       median.value, median.low, median.high, all.value, all.low,
	       all.high, wanted);
}

static void print_deed(const char *what, enum storm_deed deed,
		       const char *own, const char *other)
{
	static double usec[PAIRS_MAX];
	struct interval median;
	uint64_t i;

	for (i = 0; i < pair_count; i++)
		usec[i] = blocks[deed][STORM_NONE].median[i] / NSEC_PER_USEC;
	median = interval_of_median(usec, pair_count);
	printf("%s: %.2f usec without BPF\n", what, median.value);
	print_ratio("in the step", deed, STORM_OWN, own);
	print_ratio("in another job", deed, STORM_OTHER, other);
	print_ratio("without BPF, again", deed, STORM_CONTROL, "1");
	printf("  in BPF, with the clock of its statistics: %.2f usec in the "
	       "step, %.2f in another job\n",
	       bpf_nsec[deed][STORM_OWN] / NSEC_PER_USEC,
	       bpf_nsec[deed][STORM_OTHER] / NSEC_PER_USEC);
}

static void print_records(const struct storm_records *records,
			  const struct storm_verdict *verdict, uint64_t nsec)
{
	const uint64_t wanted = pair_count * (BEFORE + PROGRAMS) +
				CLOCKED_BLOCKS * CLOCKED;

	printf("records in these blocks: %" PRIu64 " forks, %" PRIu64
	       " execs, %" PRIu64 " exits of %" PRIu64 ", %" PRIu64
	       " counted as lost\n", records->forks, records->execs,
	       records->exits, wanted, records->lost);
	printf("the recorder, %.0f programs a second: %" PRIu64 " starts and %"
	       PRIu64 " ends of %" PRIu64 " (%.4f), %" PRIu64
	       " counted as lost\n",
	       (double)spawn_count * NSEC_PER_SECOND / (double)nsec,
	       verdict->started, verdict->ended, spawn_count,
	       (double)verdict->ended / (double)spawn_count, verdict->lost);
}

static int bench(void)
{
	struct storm_records records = { 0 };
	struct storm_verdict verdict = { 0 };
	uint64_t nsec = 0;

	storm_pin(true);
	if (measure_cost(&records) < 0 || storm(&verdict, &nsec) < 0)
		return -1;
	printf("%-22s%-25s%-22s%s\n", "", "median of the pairs", "CPU time of all",
	       "to reach");
	print_deed("a program", STORM_PROGRAM, "1.03", "1.01");
	print_deed("a thread, begun and joined", STORM_THREAD, "1.02", "1.02");
	print_deed("a signal, handled", STORM_SIGNAL, "-", "-");
	print_records(&records, &verdict, nsec);
	return 0;
}

static int parse_arguments(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pairs", required_argument, NULL, 'n' },
		{ "spawns", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	int option, bad = 0;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'n')
			bad |= measure_parse_number(optarg, PAIRS_MAX,
						    &pair_count);
		else if (option == 's')
			bad |= measure_parse_number(optarg, SPAWNS_MAX,
						    &spawn_count);
		else
			bad = -1;
	}
	return bad || optind != argc ? -1 : 0;
}

int main(int argc, char **argv)
{
	int result;

	if (parse_arguments(argc, argv) < 0) {
		fprintf(stderr, "usage: bench_storm [--pairs N] "
			"[--spawns N]\n");
		return 2;
	}
	if (storm_deeds_prepare() < 0) {
		perror("bench_storm");
		return 1;
	}
	/* A helper process may have failed, and reported why. */
	signal(SIGPIPE, SIG_IGN);
	result = bench();
	storm_deeds_finish();
	return result < 0 ? 1 : 0;
}
