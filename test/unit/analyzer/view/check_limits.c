/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of a step: an interval's account, and the resource derived from it. */
#include <check.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/fields.h"
#include "common/missing.h"
#include "common/units.h"
#include "test/run_tests.h"

/* Shares of the named limits, in per cent; the rest have none. */
struct want {
	enum sw_limit limit;
	double percent;
};

static const struct {
	const char *name;
	struct sw_sight sight;
	struct want want[3];
} sights[] = {
	{ "nothing is known", { .cores = NAN, .io_full = NAN }, { { 0, 0 } } },
	{ "one CPU is busy", { .cores = 1, .cpus = 4 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "one of four CPUs is busy at times, and nobody waits for one",
	  { .cores = 0.5, .cpus = 4 },
	  { { SW_LIMIT_CPU, 50 }, { SW_LIMIT_UNSEEN, 50 } } },
	{ "it waits for I/O, and the shell for it",
	  { .cores = 0.2, .cpus = 1, .has_waits = true, .io_threads = 0.8,
	    .idle = { [SW_LIMIT_IO] = 0.8, [SW_LIMIT_CHILD] = 0.8 } },
	  { { SW_LIMIT_IO, 80 }, { SW_LIMIT_CPU, 20 } } },
	{ "a sort waits for what a sleeper writes",
	  { .cores = 0, .cpus = 1, .has_waits = true,
	    .idle = { [SW_LIMIT_PIPE] = 1, [SW_LIMIT_SLEEP] = 1 } },
	  { { SW_LIMIT_SLEEP, 100 } } },
	{ "looks saw seven eighths of the time that CPU time leaves",
	  { .cores = 0.2, .cpus = 1, .has_waits = true,
	    .idle = { [SW_LIMIT_IO] = 0.3, [SW_LIMIT_LOCK] = 0.4 } },
	  { { SW_LIMIT_IO, 34.3 }, { SW_LIMIT_LOCK, 45.7 },
	    { SW_LIMIT_CPU, 20 } } },
	{ "no look saw why",
	  { .cores = 0.2, .cpus = 1, .has_waits = true },
	  { { SW_LIMIT_UNSEEN, 80 }, { SW_LIMIT_CPU, 20 } } },
	{ "without looks pressure tells of I/O",
	  { .cores = 0.2, .cpus = 1, .io_full = 0.5 },
	  { { SW_LIMIT_IO, 50 }, { SW_LIMIT_UNSEEN, 30 },
	    { SW_LIMIT_CPU, 20 } } },
	{ "looks met the shell only, the pressure tells of I/O",
	  { .cores = 0.2, .cpus = 1, .has_waits = true, .io_full = 0.7,
	    .idle = { [SW_LIMIT_CHILD] = 0.8 } },
	  { { SW_LIMIT_IO, 70 }, { SW_LIMIT_CHILD, 10 },
	    { SW_LIMIT_CPU, 20 } } },
	{ "who waits for a peer does so whatever the pressure tells",
	  { .cores = 0, .cpus = 1, .has_waits = true, .io_full = 0.7,
	    .idle = { [SW_LIMIT_SOCKET] = 1 } },
	  { { SW_LIMIT_SOCKET, 100 } } },
	{ "eight threads, each half of the time in I/O",
	  { .cores = 4, .cpus = 8, .has_waits = true, .io_threads = 4 },
	  { { SW_LIMIT_IO, 50 }, { SW_LIMIT_CPU, 50 } } },
	{ "one thread computes, one reads ahead",
	  { .cores = 1, .cpus = 8, .has_waits = true, .io_threads = 1 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "two threads take turns",
	  { .cores = 1, .cpus = 8, .has_waits = true, .io_threads = 1,
	    .idle = { [SW_LIMIT_IO] = 0.25 } },
	  { { SW_LIMIT_IO, 57 }, { SW_LIMIT_CPU, 43 } } },
	{ "all CPUs are busy, and some threads read ahead",
	  { .cores = 8, .cpus = 8, .has_waits = true, .io_threads = 2 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "nearly all CPUs are busy, and a look met one that wrote",
	  { .cores = 1.8, .cpus = 2, .has_waits = true, .io_threads = 1 },
	  { { SW_LIMIT_IO, 10 }, { SW_LIMIT_CPU, 90 } } },
	{ "four threads on two CPUs of their own",
	  { .cores = 2, .cpu_waits = 2, .cpus = 2 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "a step that has both of its CPUs has a third thread now and then",
	  { .cores = 2, .cpu_waits = 0.2, .cpus = 2 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "two threads get one of their two CPUs",
	  { .cores = 1, .cpu_waits = 1, .cpus = 2 },
	  { { SW_LIMIT_NEIGHBORS, 50 }, { SW_LIMIT_CPU, 50 } } },
	{ "four threads get half of one of the two CPUs of theirs",
	  { .cores = 0.5, .cpu_waits = 3.5, .cpus = 2, .knows_bound = true },
	  { { SW_LIMIT_NEIGHBORS, 75 }, { SW_LIMIT_CPU, 25 } } },
	{ "four threads that may all be bound to one CPU",
	  { .cores = 1, .cpu_waits = 3, .cpus = 2 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "four threads that may all be bound to one CPU get a fifth of it",
	  { .cores = 0.2, .cpu_waits = 3.2, .cpus = 2 },
	  { { SW_LIMIT_NEIGHBORS, 80 }, { SW_LIMIT_CPU, 20 } } },
	{ "eight threads use more than one of the two CPUs, and get no more",
	  { .cores = 1.2, .cpu_waits = 2.4, .cpus = 2 },
	  { { SW_LIMIT_NEIGHBORS, 40 }, { SW_LIMIT_CPU, 60 } } },
	{ "three threads get half of the only CPU",
	  { .cores = 0.5, .cpu_waits = 2.5, .cpus = 1 },
	  { { SW_LIMIT_NEIGHBORS, 50 }, { SW_LIMIT_CPU, 50 } } },
	{ "a quota is used up in all periods",
	  { .cores = 1, .cpu_waits = 1, .cpus = 2, .throttled = 1 },
	  { { SW_LIMIT_QUOTA, 100 } } },
	{ "what is read back for want of memory is no I/O",
	  { .cores = 0.1, .cpus = 1, .has_waits = true, .memory_full = 0.7,
	    .idle = { [SW_LIMIT_IO] = 0.9 }, .io_threads = 0.9 },
	  { { SW_LIMIT_MEMORY, 70 }, { SW_LIMIT_IO, 20 },
	    { SW_LIMIT_CPU, 10 } } },
	{ "what is read had been evicted, for the most part",
	  { .cores = 0.4, .cpus = 1, .has_waits = true, .io_full = 0.5,
	    .memory_full = 0.2, .reread = 0.75,
	    .idle = { [SW_LIMIT_IO] = 0.6 }, .io_threads = 0.6 },
	  { { SW_LIMIT_MEMORY, 50 }, { SW_LIMIT_IO, 10 },
	    { SW_LIMIT_CPU, 40 } } },
	{ "the kernel computes to read back 400,000 pages per second",
	  { .cores = 0.5, .cpus = 1, .has_waits = true, .io_full = 0.3,
	    .memory_full = 0.2, .reread = 1, .refaults = 4e5,
	    .idle = { [SW_LIMIT_IO] = 0.5 }, .io_threads = 0.5 },
	  { { SW_LIMIT_MEMORY, 70 }, { SW_LIMIT_CPU, 30 } } },
	{ "no more is computed for that than is computed",
	  { .cores = 0.1, .cpus = 1, .has_waits = true, .io_full = 0.9,
	    .reread = 1, .refaults = 1e6,
	    .idle = { [SW_LIMIT_IO] = 0.9 }, .io_threads = 0.9 },
	  { { SW_LIMIT_MEMORY, 100 } } },
	{ "some of it is read back, and it waits for no disk",
	  { .cores = 0.4, .cpus = 1, .has_waits = true, .io_full = 0,
	    .reread = 1,
	    .idle = { [SW_LIMIT_IO] = 0.6 }, .io_threads = 0.6 },
	  { { SW_LIMIT_IO, 60 }, { SW_LIMIT_CPU, 40 } } },
	{ "two threads are bound to one of two CPUs",
	  { .cores = 1, .cpu_waits = 1, .cpus = 1, .knows_bound = true },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "a neighbor has most of the CPU that two threads are bound to",
	  { .cores = 0.3, .cpu_waits = 1.7, .cpus = 1, .knows_bound = true },
	  { { SW_LIMIT_NEIGHBORS, 70 }, { SW_LIMIT_CPU, 30 } } },
	{ "four threads take turns at a lock",
	  { .cores = 1, .cpus = 4, .has_waits = true, .lock_threads = 3,
	    .in_turn = 4 },
	  { { SW_LIMIT_TURNS, 100 } } },
	{ "three take turns, and who gets the lock waits for a CPU at times",
	  { .cores = 0.92, .cpu_waits = 0.44, .cpus = 2, .has_waits = true,
	    .lock_threads = 1.4, .in_turn = 3 },
	  { { SW_LIMIT_TURNS, 92 }, { SW_LIMIT_NEIGHBORS, 8 } } },
	{ "one that gets the lock wants a CPU while the other one still runs",
	  { .cores = 1, .cpu_waits = 0.25, .cpus = 4, .has_waits = true,
	    .lock_threads = 2.75, .in_turn = 4 },
	  { { SW_LIMIT_TURNS, 100 } } },
	{ "more CPU time than one thread has: they overlap at times",
	  { .cores = 1.15, .cpus = 4, .has_waits = true, .lock_threads = 2.85,
	    .in_turn = 4 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "others have a CPU of theirs while none of those in turn runs",
	  { .cores = 0.7, .cpu_waits = 0.7, .cpus = 4, .has_waits = true,
	    .lock_threads = 2.6, .in_turn = 4 },
	  { { SW_LIMIT_TURNS, 70 }, { SW_LIMIT_NEIGHBORS, 30 } } },
	{ "two threads get half a CPU, and others wait for work from them",
	  { .cores = 0.5, .cpu_waits = 1.5, .cpus = 2, .has_waits = true,
	    .lock_threads = 2, .in_turn = 2 },
	  { { SW_LIMIT_NEIGHBORS, 75 }, { SW_LIMIT_CPU, 25 } } },
	{ "two threads each run and wait for a lock, on their own",
	  { .cores = 1, .cpus = 4, .has_waits = true, .lock_threads = 1,
	    .in_turn = 2, .idle = { [SW_LIMIT_LOCK] = 0.25 } },
	  { { SW_LIMIT_CPU, 75 }, { SW_LIMIT_LOCK, 25 } } },
	{ "helpers wait for work from a thread that computes",
	  { .cores = 1, .cpus = 4, .has_waits = true, .lock_threads = 3 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "two of four threads run at a time",
	  { .cores = 2, .cpus = 4, .has_waits = true, .lock_threads = 2,
	    .in_turn = 4 },
	  { { SW_LIMIT_CPU, 100 } } },
	{ "a thread spins while its GPU computes",
	  { .cores = 1, .cpus = 1, .gpu = 0.9 },
	  { { SW_LIMIT_GPU, 90 }, { SW_LIMIT_CPU, 10 } } },
};

START_TEST(interval)
{
	const struct want *want = sights[_i].want;
	double share[SW_LIMITS], wanted;
	int i, j;

	sw_limits_share(&sights[_i].sight, share);
	for (i = 0; i < SW_LIMITS; i++) {
		for (wanted = 0, j = 0; j < 3; j++) {
			if (want[j].percent > 0 && (int)want[j].limit == i)
				wanted = want[j].percent;
		}
		ck_assert_msg(fabs(share[i] * 100 - wanted) < 1,
			      "%s: %s is %g %%, not %g", sights[_i].name,
			      sw_limit_name((enum sw_limit)i), share[i] * 100,
			      wanted);
	}
}
END_TEST

static const struct {
	uint64_t seconds[SW_LIMITS];
	const char *resource;
	enum sw_limit limit;
	double percent;
} accounts[] = {
	{ { [SW_LIMIT_CPU] = 60, [SW_LIMIT_IO] = 40 }, "cpu", SW_LIMIT_CPU,
	  60 },
	{ { [SW_LIMIT_CPU] = 30, [SW_LIMIT_QUOTA] = 40,
	    [SW_LIMIT_IO] = 30 }, "cpu", SW_LIMIT_QUOTA, 70 },
	{ { [SW_LIMIT_PIPE] = 30, [SW_LIMIT_SLEEP] = 31,
	    [SW_LIMIT_IO] = 39 }, "waiting", SW_LIMIT_SLEEP, 61 },
	{ { [SW_LIMIT_CPU] = 49, [SW_LIMIT_IO] = 48, [SW_LIMIT_LOCK] = 3 },
	  "none", SW_LIMIT_CPU, 49 },
	/* It would have taken two thirds of the time by itself. */
	{ { [SW_LIMIT_CPU] = 66, [SW_LIMIT_NEIGHBORS] = 34 }, "node",
	  SW_LIMIT_NEIGHBORS, 34 },
	{ { [SW_LIMIT_CPU] = 70, [SW_LIMIT_NEIGHBORS] = 30 }, "cpu",
	  SW_LIMIT_CPU, 70 },
	{ { [SW_LIMIT_IO] = 60, [SW_LIMIT_NEIGHBORS] = 40 }, "io",
	  SW_LIMIT_IO, 60 },
	/* Half of the time left by others, clearly, nearly, or less. */
	{ { [SW_LIMIT_LOCK] = 48, [SW_LIMIT_CPU] = 38,
	    [SW_LIMIT_NEIGHBORS] = 14 }, "lock", SW_LIMIT_LOCK, 48 },
	{ { [SW_LIMIT_CPU] = 43, [SW_LIMIT_LOCK] = 37,
	    [SW_LIMIT_NEIGHBORS] = 20 }, "none", SW_LIMIT_CPU, 43 },
	{ { [SW_LIMIT_CPU] = 41, [SW_LIMIT_SLEEP] = 37,
	    [SW_LIMIT_NEIGHBORS] = 22 }, "cpu", SW_LIMIT_CPU, 41 },
	{ { [SW_LIMIT_LOCK] = 44, [SW_LIMIT_CPU] = 46,
	    [SW_LIMIT_NEIGHBORS] = 4, [SW_LIMIT_IO] = 6 }, "none",
	  SW_LIMIT_CPU, 46 },
	{ { [SW_LIMIT_IO] = 48, [SW_LIMIT_CPU] = 18,
	    [SW_LIMIT_NEIGHBORS] = 34 }, "node", SW_LIMIT_NEIGHBORS, 34 },
};

START_TEST(account)
{
	struct sw_view_limits limits = { .waits_source = NULL };
	struct sw_bottleneck found;
	int i;

	for (i = 0; i < SW_LIMITS; i++)
		limits.usec[i] = accounts[_i].seconds[i] * 1000000;
	ck_assert(sw_bottleneck_find(&found, &limits));
	ck_assert_str_eq(sw_limited_by_name(found.resource),
			 accounts[_i].resource);
	ck_assert_int_eq(found.limit, accounts[_i].limit);
	ck_assert_double_eq_tol(found.share * 100, accounts[_i].percent, 0.01);
	ck_assert_double_eq_tol(found.observed_seconds, 100, 0.01);
	limits.usec[SW_LIMIT_GPU] = SW_MISSING;
	ck_assert(!sw_bottleneck_find(&found, &limits));
	ck_assert(isnan(sw_limits_ratio(&limits, SW_LIMITED_BY_CPU)));
}
END_TEST

START_TEST(names)
{
	enum sw_limit i, j;

	for (i = 0; i < SW_LIMITS; i++) {
		for (j = 0; j < i; j++)
			ck_assert_str_ne(sw_limit_name(i), sw_limit_name(j));
	}
	ck_assert_int_eq(sw_limit_of_wait("network"), SW_LIMIT_SOCKET);
	ck_assert_int_eq(sw_limit_of_wait("lock"), SW_LIMIT_LOCK);
	/* It is no wait, although its name in JSON is what the recorder calls
	 * another one. */
	ck_assert_str_eq(sw_limit_name(SW_LIMIT_LINK), "network");
	ck_assert_int_eq(sw_limit_of_wait(""), SW_LIMIT_OTHER);
	ck_assert_int_eq(sw_limit_of_wait("peer"), SW_LIMIT_OTHER);
	/* Of a later recorder; and names that no wait has. */
	ck_assert_int_eq(sw_limit_of_wait("dream"), SW_LIMIT_OTHER);
	ck_assert_int_eq(sw_limit_of_wait("cpu"), SW_LIMIT_OTHER);
}
END_TEST

/* A member missing in the fields would be lost in sums of views. */
START_TEST(is_a_field)
{
	size_t at = offsetof(struct sw_view_limits, usec) +
		    (size_t)_i * sizeof(uint64_t);
	const struct sw_field *field = sw_limit_fields;

	while (field->type != SW_FIELD_END &&
	       (field->fold != SW_FOLD_ADD || field->offset != at))
		field++;
	ck_assert_msg(field->type != SW_FIELD_END, "%s",
		      sw_limit_name((enum sw_limit)_i));
}
END_TEST

/* Remedies that would not help are stated with the limit. */
static const struct {
	enum sw_limit limit;
	double cores;		/* average, of four */
	const char *words;
} verdicts[] = {
	{ SW_LIMIT_CPU, 4, "Limited by CPU: all CPUs were busy for 100 % of "
	  "the time." },
	{ SW_LIMIT_CPU, 1, "Limited by the speed of one CPU, for 100 % of the "
	  "time: one of 4 was busy; more CPUs alone would not make it "
	  "faster." },
	{ SW_LIMIT_QUOTA, 1, "Limited by its CPU quota, which was used up for "
	  "100 % of the time; more memory would not make that faster, a "
	  "larger quota would." },
	{ SW_LIMIT_NEIGHBORS, 1, "Limited by other programs on its CPUs: its threads "
	  "waited for a CPU for 100 % of the time; dedicated CPUs would "
	  "help, more memory would not." },
	{ SW_LIMIT_MEMORY, 0, "Limited by memory: for 100 % of the time the "
	  "kernel was making room or reading back; more CPUs would not make "
	  "that faster." },
	{ SW_LIMIT_IO, 0, "Limited by I/O, which it waited for 100 % of the "
	  "time; more CPUs or memory would not make it faster." },
	{ SW_LIMIT_GPU, 1, "Limited by the GPU, which was busy for 100 % of "
	  "the time; more CPUs or memory would not make that faster." },
	{ SW_LIMIT_TURNS, 1, "Limited by a lock: for 100 % of the time its "
	  "threads took turns, one at a time; more CPUs or memory would not "
	  "make that faster." },
	{ SW_LIMIT_LOCK, 0, "Idle for 100 % of the time: it "
	  "waited for a lock; more CPUs or memory would not make that "
	  "faster." },
	{ SW_LIMIT_SOCKET, 0, "Idle for 100 % of the time: it "
	  "waited for a network peer; more CPUs or memory would not make that "
	  "faster." },
	{ SW_LIMIT_LINK, 0, "Limited by the network, which it filled and "
	  "waited for 100 % of the time; more CPUs or memory would not make "
	  "that faster." },
	{ SW_LIMIT_CHILD, 0, "Idle for 100 % of the time: it "
	  "waited for a child process; more CPUs would not make that "
	  "faster." },
	{ SW_LIMIT_UNSEEN, 0, "Idle for 100 % of the time, for a reason "
	  "that was not recorded." },
};

START_TEST(says_what_would_not_help)
{
	struct sw_view view = {
		.cpu = { .allocated_cores = 4,
			 .mean_cores = verdicts[_i].cores },
	};
	char text[384];

	memset(view.limits.stood_usec, 0xff, sizeof(view.limits.stood_usec));
	view.limits.usec[verdicts[_i].limit] = 60 * 1000000;
	ck_assert_str_eq(sw_bottleneck_words(text, sizeof(text), &view),
			 verdicts[_i].words);
}
END_TEST

/* It may or may not be known whether reads were cached before. */
START_TEST(more_memory_may_help)
{
	struct sw_view view = {
		.cpu = { .allocated_cores = 4, .mean_cores = 0.1 },
		.io = { .read_bytes = 10 * SW_GIB },
		.memory = { .limit_bytes = SW_MISSING,
			    .requested_bytes = 1 * SW_GIB,
			    .available_bytes = 64 * SW_GIB,
			    .refaulted_file_pages = SW_MISSING },
	};
	char text[384];

	memset(view.limits.stood_usec, 0xff, sizeof(view.limits.stood_usec));
	view.limits.usec[SW_LIMIT_IO] = 60 * 1000000;
	sw_bottleneck_words(text, sizeof(text), &view);
	ck_assert_ptr_nonnull(strstr(text, "; more CPUs would not"));
	/* All of it fits. */
	view.io.read_bytes = SW_GIB / 2;
	sw_bottleneck_words(text, sizeof(text), &view);
	ck_assert_ptr_nonnull(strstr(text, "; more CPUs or memory would not"));
	/* It was read once. */
	view.io.read_bytes = 10 * SW_GIB;
	view.memory.refaulted_file_pages = 0;
	sw_bottleneck_words(text, sizeof(text), &view);
	ck_assert_ptr_nonnull(strstr(text, "; more CPUs or memory would not"));
}
END_TEST

/* CPU time of a node in 60 s, in which the step waited for CPUs. */
#define NODE(idle, steal, other) \
	{ .busy_usec = 100 * 1000000, .idle_usec = (idle) * 1000000, \
	  .iowait_usec = 0, .steal_usec = (steal) * 1000000, \
	  .other_usec = (other) * 1000000 }

static const struct {
	const char *what;
	struct sw_view_surroundings around;
	enum sw_cpu_taker taker;
} takers[] = {
	{ "others", NODE(10, 0, 60), SW_TAKEN_BY_OTHERS },
	{ "half of it is enough", NODE(10, 0, 30), SW_TAKEN_BY_OTHERS },
	{ "others, more than the host", NODE(10, 40, 41), SW_TAKEN_BY_OTHERS },
	{ "the host, more than others", NODE(10, 40, 39), SW_TAKEN_BY_HOST },
	{ "the host hardly took any", NODE(100, 10, 9), SW_TAKEN_UNSEEN },
	{ "nobody that was seen", NODE(10, 0, 29), SW_TAKEN_UNSEEN },
	{ "others are not known",
	  { .busy_usec = SW_MISSING, .idle_usec = SW_MISSING,
	    .iowait_usec = SW_MISSING, .steal_usec = 20 * 1000000,
	    .other_usec = SW_MISSING },
	  SW_TAKEN_BY_OTHERS },
};

START_TEST(who_had_its_cpus)
{
	static const char *const by[] = {
		[SW_TAKEN_BY_OTHERS] = "Limited by other programs on its CPUs",
		[SW_TAKEN_BY_HOST] = "Limited by the host of this virtual "
				     "machine, which used its CPUs for other work",
		[SW_TAKEN_UNSEEN] = "Limited by CPUs that it did not get",
	};
	struct sw_view view = {
		.cpu = { .allocated_cores = 4, .mean_cores = 1 },
		.nearby.around = takers[_i].around,
	};
	const char *start = by[takers[_i].taker];
	char text[384];

	memset(view.limits.stood_usec, 0xff, sizeof(view.limits.stood_usec));
	view.limits.usec[SW_LIMIT_NEIGHBORS] = 60 * 1000000;
	ck_assert_msg(strncmp(sw_bottleneck_words(text, sizeof(text), &view),
			      start, strlen(start)) == 0,
		      "%s: %s", takers[_i].what, text);
}
END_TEST

/* Only one CPU may have been busy because of the quota. */
START_TEST(says_that_a_quota_was_a_part)
{
	struct sw_view view = {
		.cpu = { .allocated_cores = 4, .mean_cores = 1 },
	};
	char text[384];

	memset(view.limits.stood_usec, 0xff, sizeof(view.limits.stood_usec));
	view.limits.usec[SW_LIMIT_CPU] = 42 * 1000000;
	view.limits.usec[SW_LIMIT_QUOTA] = 18 * 1000000;
	ck_assert_str_eq(sw_bottleneck_words(text, sizeof(text), &view),
			 "Limited by CPU for 100 % of the time; for 30 % its "
			 "CPU quota was used up, and a larger one would make "
			 "that faster.");
}
END_TEST

/* Ranks that wait for others keep their CPUs busy. */
START_TEST(says_how_much_was_spent_in_mpi)
{
	struct sw_view_program ranks = { .mpi_usec = 120 * 1000000 };
	struct sw_view view = {
		.cpu = { .allocated_cores = 4, .mean_cores = 4,
			 .used_usec = 240 * 1000000 },
		.programs = &ranks,
		.program_count = 1,
	};
	char text[384];

	memset(view.limits.stood_usec, 0xff, sizeof(view.limits.stood_usec));
	view.limits.usec[SW_LIMIT_CPU] = 60 * 1000000;
	ck_assert_str_eq(sw_bottleneck_words(text, sizeof(text), &view),
			 "Limited by CPU: all CPUs were busy for 100 % of the "
			 "time. 50 % of its CPU time was spent in MPI, which "
			 "polls while it waits.");
	ranks.mpi_usec = 24 * 1000000;
	ck_assert_str_eq(sw_bottleneck_words(text, sizeof(text), &view),
			 "Limited by CPU: all CPUs were busy for 100 % of the "
			 "time.");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("limits");

	tcase_add_loop_test(tests, interval, 0,
			    sizeof(sights) / sizeof(sights[0]));
	tcase_add_loop_test(tests, account, 0,
			    sizeof(accounts) / sizeof(accounts[0]));
	tcase_add_test(tests, names);
	tcase_add_loop_test(tests, is_a_field, 0, SW_LIMITS);
	tcase_add_loop_test(tests, says_what_would_not_help, 0,
			    sizeof(verdicts) / sizeof(verdicts[0]));
	tcase_add_test(tests, more_memory_may_help);
	tcase_add_loop_test(tests, who_had_its_cpus, 0,
			    sizeof(takers) / sizeof(takers[0]));
	tcase_add_test(tests, says_that_a_quota_was_a_part);
	tcase_add_test(tests, says_how_much_was_spent_in_mpi);
	return run_tests("limits", tests, NULL);
}
