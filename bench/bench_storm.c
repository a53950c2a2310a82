/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_storm: what the records of programs cost where programs are
 * started as fast as one process can, in the step that is followed and in
 * another job, and whether they are complete; likewise threads.
 *
 * In each pair one spawner works without BPF, beside a step that is followed,
 * and as that step, on one CPU.  Gives up (exit 1) where the records cannot
 * be had or a spawn fails, not where they are slow or lossy.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "common/clock.h"
#include "recorder/events.h"
#include "recorder/tools.h"
#include "recorder/tools_internal.h"

enum { SPAWNS_MAX = 20000, DRAIN_MS = 100, MILLI_PER_UNIT = 1000 };

/* Without BPF, followed somebody else, followed itself. */
enum phase { PHASE_NONE, PHASE_OTHER, PHASE_OWN, PHASES };

/* What the recorder's side answers at its end. */
struct verdict {
	uint64_t started, ended, lost;
};

/* The process that has BPF loaded, as a recorder. */
struct loader {
	pid_t pid;
	int ask, answer;
};

static uint64_t pair_count = 7, spawn_count = 1500;
static char program[] = "/tmp/bench_storm.XXXXXX";
static uint64_t nsec[SPAWNS_MAX];
static uint64_t lost_records;

extern char **environ;

#ifdef __x86_64__
/* An executable that does nothing but exit(0), the least that there is. */
static const unsigned char least[] = {
	0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	2, 0, 62, 0, 1, 0, 0, 0, 0x78, 0, 0x40, 0, 0, 0, 0, 0,
	64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 64, 0, 56, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0,
	129, 0, 0, 0, 0, 0, 0, 0, 129, 0, 0, 0, 0, 0, 0, 0,
	0, 0x10, 0, 0, 0, 0, 0, 0,
	/* mov eax, 60; xor edi, edi; syscall */
	0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05,
};
#endif

static int make_program(void)
{
#ifdef __x86_64__
	int fd = mkstemp(program);
	ssize_t written;

	if (fd < 0)
		return -1;
	written = write(fd, least, sizeof(least));
	fchmod(fd, 0755);
	close(fd);
	return written == (ssize_t)sizeof(least) ? 0 : -1;
#else
	strcpy(program, "/bin/true");
	return 0;
#endif
}

static void note_lost(void *context, const struct sw_event *event)
{
	(void)context;
	if (!strcmp(event->kind, "lost"))
		lost_records = event->value;
}

/* As the recorder's loop, until it is asked again. */
static void drain_until_asked(struct sw_tools *tools, int ask)
{
	struct pollfd polled[] = {
		{ .fd = ask, .events = POLLIN },
		{ .fd = sw_tools_fd(tools), .events = POLLIN },
	};

	do {
		poll(polled, 2, DRAIN_MS);
		sw_tools_drain(tools, sw_clock_boottime_usec());
	} while (!polled[0].revents);
}

/* The spawner has one CPU, and what is loaded beside it the others. */
static void pin(bool is_spawner)
{
	cpu_set_t set;
	size_t i;

	CPU_ZERO(&set);
	for (i = 0; i < CPU_SETSIZE; i++) {
		if ((i == 0) == is_spawner)
			CPU_SET(i, &set);
	}
	/* With a single CPU it stays where it is. */
	sched_setaffinity(0, sizeof(set), &set);
}

static void load(int ask, int answer)
{
	struct sw_tools_target target = {
		.cgroup_fd = -1, .has_many = true, .only = "bpf",
		.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.event = note_lost,
	};
	struct sw_tools *tools = sw_tools_create(&target, NULL);
	struct verdict verdict = { 0 };
	pid_t pid;
	unsigned i;

	pin(false);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!tools || read(ask, &pid, sizeof(pid)) != sizeof(pid) ||
	    sw_tools_attach(tools, pid) < 0) {
		fprintf(stderr, "bench_storm: %s\n",
			tools ? sw_tools_reason(tools) : "no memory");
		_exit(1);
	}
	/* All that a recorder has, before anything is measured. */
	sw_tools_prepare(0);
	while (sw_tools_is_coming(tools))
		poll(NULL, 0, 1);
	sw_tools_look(tools);
	if (write(answer, "x", 1) != 1)
		_exit(1);
	drain_until_asked(tools, ask);
	sw_tools_drain(tools, sw_clock_boottime_usec());
	for (i = 0; i < tools->count; i++) {
		verdict.started += tools->tool[i].started;
		verdict.ended += tools->tool[i].ended;
	}
	verdict.lost = lost_records;
	_exit(write(answer, &verdict, sizeof(verdict)) != sizeof(verdict));
}

static int start_loader(struct loader *loader, pid_t followed)
{
	int ask[2], answer[2];
	char c;

	if (pipe2(ask, O_CLOEXEC) < 0 || pipe2(answer, O_CLOEXEC) < 0)
		return -1;
	fflush(NULL);
	loader->pid = fork();
	if (loader->pid < 0)
		return -1;
	if (loader->pid == 0) {
		close(ask[1]);
		close(answer[0]);
		load(ask[0], answer[1]);
	}
	close(ask[0]);
	close(answer[1]);
	loader->ask = ask[1];
	loader->answer = answer[0];
	return write(loader->ask, &followed, sizeof(followed)) ==
	       sizeof(followed) && read(loader->answer, &c, 1) == 1 ? 0 : -1;
}

static int end_loader(struct loader *loader, struct verdict *verdict)
{
	int result = write(loader->ask, "x", 1) == 1 &&
		     read(loader->answer, verdict, sizeof(*verdict)) ==
		     sizeof(*verdict) ? 0 : -1;

	close(loader->ask);
	close(loader->answer);
	waitpid(loader->pid, NULL, 0);
	return result;
}

static int spawn_one(void)
{
	char *const arguments[] = { program, NULL };
	int status;
	pid_t pid;

	/* glibc's is a vfork. */
	if (posix_spawn(&pid, program, NULL, NULL, arguments, environ) != 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status == 0 ? 0 : -1;
}

static void *do_nothing(void *unused)
{
	return unused;
}

static int thread_one(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, do_nothing, NULL) == 0 &&
	       pthread_join(thread, NULL) == 0 ? 0 : -1;
}

/* The median time of one, in nanoseconds. */
static int time_them(int (*one)(void), uint64_t *median_nsec)
{
	uint64_t i, begin;

	for (i = 0; i < spawn_count; i++) {
		begin = measure_wall_nsec();
		if (one() < 0)
			return -1;
		nsec[i] = measure_wall_nsec() - begin;
	}
	*median_nsec = measure_quantile(nsec, spawn_count, 500);
	return 0;
}

/* Of programs and of threads: thousandths of what they take without BPF. */
struct results {
	uint64_t base_nsec[2][MEASURE_PAIRS_MAX];
	uint64_t milli[2][PHASES][MEASURE_PAIRS_MAX];
	uint64_t wanted, started, ended, lost;
};

static int (*const deeds[2])(void) = { spawn_one, thread_one };

static int run_phase(struct results *results, enum phase phase, pid_t other,
		     uint64_t median[2])
{
	struct verdict verdict = { 0 };
	struct loader loader = { .pid = -1, .ask = -1, .answer = -1 };
	int i, result = 0;

	if (phase != PHASE_NONE &&
	    start_loader(&loader, phase == PHASE_OWN ? getpid() : other) < 0)
		return -1;
	for (i = 0; i < 2 && result == 0; i++)
		result = time_them(deeds[i], &median[i]);
	if (phase != PHASE_NONE && end_loader(&loader, &verdict) < 0)
		return -1;
	if (phase == PHASE_OWN) {
		results->wanted += spawn_count;
		results->started += verdict.started;
		results->ended += verdict.ended;
		results->lost += verdict.lost;
	}
	return result;
}

static int run_pair(struct results *results, uint64_t pair, pid_t other)
{
	uint64_t median[PHASES][2];
	int i, k;

	for (i = 0; i < PHASES; i++) {
		int phase = pair % 2 ? PHASES - 1 - i : i;

		if (run_phase(results, (enum phase)phase, other,
			      median[phase]) < 0)
			return -1;
	}
	for (k = 0; k < 2; k++) {
		results->base_nsec[k][pair] = median[PHASE_NONE][k];
		for (i = 0; i < PHASES; i++)
			results->milli[k][i][pair] = median[i][k] *
				MILLI_PER_UNIT / median[PHASE_NONE][k];
	}
	return 0;
}

static void print_ratio(const char *what, const uint64_t *milli,
			const char *wanted)
{
	struct measure_spread spread = measure_spread_of(milli, pair_count);

	printf("  %-28s %.3f (%.3f-%.3f), to reach: %s\n", what,
	       spread.median, spread.least, spread.greatest, wanted);
}

static void print_results(const struct results *results)
{
	struct measure_spread base;

	base = measure_spread_of(results->base_nsec[0], pair_count);
	printf("a program: %.1f usec without BPF (%.1f-%.1f)\n", base.median,
	       base.least, base.greatest);
	print_ratio("in the step", results->milli[0][PHASE_OWN], "1.03");
	print_ratio("in another job", results->milli[0][PHASE_OTHER], "1.01");
	printf("  records: %" PRIu64 " starts and %" PRIu64 " ends of %" PRIu64
	       " (%.4f), %" PRIu64 " counted as lost\n", results->started,
	       results->ended, results->wanted,
	       (double)results->ended / (double)results->wanted,
	       results->lost);
	base = measure_spread_of(results->base_nsec[1], pair_count);
	printf("a thread, begun and joined: %.1f usec (%.1f-%.1f)\n",
	       base.median, base.least, base.greatest);
	print_ratio("in the step", results->milli[1][PHASE_OWN], "1.02");
	print_ratio("in another job", results->milli[1][PHASE_OTHER], "1.02");
}

static int bench(void)
{
	static struct results results;
	uint64_t pair;
	pid_t other;
	int result = 0;

	other = fork();
	if (other == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	pin(true);
	for (pair = 0; pair < pair_count && result == 0; pair++)
		result = run_pair(&results, pair, other);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	if (result == 0)
		print_results(&results);
	return result;
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
			bad |= measure_parse_number(optarg, MEASURE_PAIRS_MAX,
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
	if (make_program() < 0) {
		perror("bench_storm");
		return 1;
	}
	result = bench();
	unlink(program);
	return result < 0 ? 1 : 0;
}
