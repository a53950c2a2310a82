/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe what limited a step. */
#include "analyzer/view/bottleneck_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_sums.h"
#include "analyzer/view/shares.h"
#include "common/one_cpu.h"
#include "common/text.h"
#include "common/units.h"

static const char *const waits[SW_LIMIT_WAITS] = {
	[SW_LIMIT_IO] = "I/O",
	[SW_LIMIT_MEMORY] = "memory",
	[SW_LIMIT_LINK] = "the network",
	[SW_LIMIT_SOCKET] = "a network peer",
	[SW_LIMIT_LOCK] = "a lock",
	[SW_LIMIT_PIPE] = "a pipe",
	[SW_LIMIT_TERMINAL] = "a terminal",
	[SW_LIMIT_STOPPED] = "a process that was stopped",
	[SW_LIMIT_OTHER] = "something else in the kernel",
	[SW_LIMIT_POLL] = "one of several events (poll)",
	[SW_LIMIT_SLEEP] = "a timer (sleep)",
	[SW_LIMIT_SIGNAL] = "a signal",
	[SW_LIMIT_CHILD] = "a child process",
	[SW_LIMIT_UNSEEN] = "what was not recorded",
};

static const char *const resources[] = {
	[SW_LIMITED_BY_CPU] = "CPU",
	[SW_LIMITED_BY_IO] = "I/O",
	[SW_LIMITED_BY_MEMORY] = "memory",
	[SW_LIMITED_BY_NETWORK] = "network",
	[SW_LIMITED_BY_LOCK] = "locks",
	[SW_LIMITED_BY_GPU] = "GPU",
	[SW_LIMITED_BY_NODE] = "other programs",
	[SW_LIMITED_BY_WAITING] = "waiting",
	[SW_LIMITED_BY_NONE] = "mixed",
};

const char *sw_limited_by_words(enum sw_limited_by resource)
{
	return resources[resource];
}

/* Return the object of the wait: "a lock", "a pipe". */
static const char *limit_words(enum sw_limit limit)
{
	return limit < SW_LIMIT_WAITS ? waits[limit] : "";
}

char *sw_wait_clause(char *buf, size_t size,
		     const struct sw_view_limits *limits, enum sw_limit limit)
{
	char words[160];

	if (limit == SW_LIMIT_STOPPED)
		snprintf(buf, size, "it was stopped by a signal, or suspended");
	else
		snprintf(buf, size, "it waited for %s",
			 limits ? sw_waits_words(words, sizeof(words), limits,
						 limit) :
				  limit_words(limit));
	return buf;
}

char *sw_waits_words(char *buf, size_t size,
		     const struct sw_view_limits *limits, enum sw_limit limit)
{
	static const enum sw_limit beside[] = {
		SW_LIMIT_SOCKET, SW_LIMIT_TERMINAL, SW_LIMIT_STOPPED,
		SW_LIMIT_POLL, SW_LIMIT_SLEEP, SW_LIMIT_LOCK,
	};
	/* It may be the one that matters. */
	double least = SW_MAINLY * (double)limits->usec[limit];
	size_t i;

	snprintf(buf, size, "%s", waits[limit]);
	for (i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		uint64_t stood = limits->stood_usec[beside[i]];

		if (beside[i] != limit && !sw_is_missing(stood) &&
		    (double)stood >= least)
			sw_text_add(buf, size, " and for %s",
				    waits[beside[i]]);
	}
	return buf;
}

static bool find(struct sw_bottleneck *bottleneck, const struct sw_view *view)
{
	return sw_bottleneck_find(bottleneck, &view->limits) &&
	       sw_bottleneck_is_sampled(bottleneck);
}

char *sw_io_place_words(char *buf, size_t size, const struct sw_view_io *io)
{
	const struct sw_view_wait *wait = io->waits;
	const char *words = io->wait_count ? sw_view_wait_words(wait) : NULL;

	buf[0] = '\0';
	if (words && (double)wait->waited_usec >=
			     SW_MOST * sw_real_u64(io->waited_usec))
		snprintf(buf, size, " on %.64s", words);
	return buf;
}

/* " (eth0, 125 MB/s)" with the link speed, or "". */
static const char *link_of(char *buf, size_t size,
			   const struct sw_view_node *node)
{
	const struct sw_view_link *link = sw_view_busiest_device(node);
	char rate[SW_UNITS_TEXT_SIZE];

	buf[0] = '\0';
	if (link && !sw_is_missing(link->bits_per_sec))
		snprintf(buf, size, " (%.32s, %s)", link->name,
			 sw_rate_format(rate, sizeof(rate),
					(double)link->bits_per_sec / 8));
	return buf;
}

size_t sw_limits_parts(struct sw_limits_part parts[SW_LIMITS_PARTS_MAX],
		       const struct sw_view_limits *limits)
{
	double ratio[SW_LIMITED_BY_RESOURCES];
	size_t i, most, count = 0;

	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		ratio[i] = sw_limits_ratio(limits, (enum sw_limited_by)i);
	while (count < SW_LIMITS_PARTS_MAX) {
		for (most = 0, i = 1; i < SW_LIMITED_BY_RESOURCES; i++) {
			if (ratio[i] > ratio[most])
				most = i;
		}
		if (!(ratio[most] >= SW_PERCENT_MIN))
			break;
		parts[count].words = resources[most];
		parts[count].number = (unsigned)most;
		parts[count++].ratio = ratio[most];
		ratio[most] = 0;
	}
	return count;
}

char *sw_limits_words(char *buf, size_t size,
		      const struct sw_view_limits *limits)
{
	struct sw_limits_part parts[SW_LIMITS_PARTS_MAX];
	size_t i, count = sw_limits_parts(parts, limits);

	buf[0] = '\0';
	for (i = 0; i < count; i++)
		sw_text_add(buf, size, "%s%s %.0f %%", i ? ", " : "",
			    parts[i].words, parts[i].ratio * 100);
	return buf;
}

/* True if they used the CPUs that they are bound to, but no others. */
static bool is_bound(const struct sw_view *view, double busy)
{
	double bound = (double)view->placement.crowded_cpus;

	return bound > 0 && bound < view->cpu.allocated_cores &&
	       busy >= SW_NEARLY_ALL * bound && busy <= bound * SW_ONE_CPU_HIGH;
}

/* Any parallel program spends up to this share of its time in MPI.  Chosen by
 * hand. */
static const double MUCH_IN_MPI = 0.2;

/* Waiting MPI ranks poll: their CPUs are busy, too. */
static void add_mpi(char *buf, size_t size, const struct sw_view *view)
{
	double mpi = 0, share;
	size_t i;

	for (i = 0; i < view->program_count; i++)
		mpi += (double)sw_zero_if_missing(
			view->programs[i].mpi_usec);
	share = mpi / sw_real_u64(view->cpu.used_usec);
	if (share >= MUCH_IN_MPI)
		sw_text_add(buf, size, " %.0f %% of its CPU time was spent in "
			    "MPI, which polls while it waits.", share * 100);
}

/* Describe how many CPUs were busy while CPUs were the limit. */
static void cpu_words(char *buf, size_t size, const struct sw_view *view,
		      const struct sw_bottleneck *bottleneck)
{
	double cpus = view->cpu.allocated_cores, percent, busy;
	double quota = sw_limit_ratio(&view->limits, SW_LIMIT_QUOTA);

	percent = bottleneck->share * 100;
	busy = view->cpu.mean_cores / bottleneck->share;
	if (bottleneck->limit == SW_LIMIT_QUOTA)
		snprintf(buf, size, "Limited by its CPU quota, which was used "
			 "up for %.0f %% of the time; more memory would not "
			 "make that faster, a larger quota would.", percent);
	else if (quota >= SW_HARDLY)
		snprintf(buf, size, "Limited by CPU for %.0f %% of the time; "
			 "for %.0f %% its CPU quota was used up, and a larger "
			 "one would make that faster.", percent, quota * 100);
	else if (isnan(cpus) || isnan(busy))
		snprintf(buf, size, "Limited by CPU for %.0f %% of the time.",
			 percent);
	else if (busy >= SW_NEARLY_ALL * cpus)
		snprintf(buf, size, "Limited by CPU: %s busy for %.0f %% of "
			 "the time.", cpus > 1 ? "all CPUs were" :
						 "its CPU was", percent);
	else if (is_bound(view, busy))
		snprintf(buf, size, "Limited by being bound to %" PRIu64
			 " of %.4g CPUs, for %.0f %% of the time.",
			 view->placement.crowded_cpus, cpus, percent);
	else if (sw_is_one_cpu(busy) && cpus > 1)
		snprintf(buf, size, "Limited by the speed of one CPU, for "
			 "%.0f %% of the time: one of %.4g was busy; more CPUs "
			 "alone would not make it faster.",
			 percent, cpus);
	else if (cpus > 1)
		snprintf(buf, size, "Limited by CPU for %.0f %% of the time, "
			 "with %.1f of %.4g busy.", percent, busy, cpus);
	else
		snprintf(buf, size, "Limited by CPU for %.0f %% of the time.",
			 percent);
	add_mpi(buf, size, view);
}

/*
 * Name what would not help: a wait for a child, or in the kernel, may be for
 * memory.
 */
static const char *would_not_help(enum sw_limit limit)
{
	return limit == SW_LIMIT_CHILD || limit == SW_LIMIT_SIGNAL ||
			       limit == SW_LIMIT_OTHER ?
		       "; more CPUs would not make that faster" :
		       "; more CPUs or memory would not make that faster";
}

/* A larger page cache helps if this share of reads was read before, as for
 * memory.cache_squeezed.  Chosen by hand. */
static const double READ_AGAIN = 0.25;

/* Upper bound of memory for the step's page cache; missing if unknown. */
static uint64_t cache_bound(const struct sw_view_memory *memory)
{
	return sw_min_u64(sw_min_u64(memory->limit_bytes,
				     memory->requested_bytes),
			  memory->available_bytes);
}

bool sw_may_cache_help(const struct sw_view *view)
{
	double again = sw_view_pages_bytes(view,
					   view->memory.refaulted_file_pages);
	/* Each is incomplete: one lacks mounts, the other mapped files. */
	double read = fmax(sw_real_u64(view->io.read_bytes),
			   sw_real_u64(view->io.call_read_bytes));

	/* Data smaller than this bound would have stayed in memory. */
	if (isnan(again))
		return sw_real_u64(view->io.read_bytes) >
		       sw_real_u64(cache_bound(&view->memory));
	return again > 0 && again >= READ_AGAIN * read;
}

static double elsewhere_usec(const struct sw_view *view)
{
	double usec = 0;
	size_t i;

	for (i = 0; i < view->elsewhere.count; i++)
		usec += (double)(view->elsewhere.items[i].end_usec -
				 view->elsewhere.items[i].start_usec);
	return usec;
}

/* Explain idle time without, or with few, samples. */
static const char *sums_wait_words(const struct sw_view *view)
{
	if (elsewhere_usec(view) >= SW_MOST *
					    sw_real_u64(view->elapsed_usec))
		return "it waited for the jobs or steps that it had started";
	return "there are too few samples to tell why";
}

/* Without, or with few, samples; "" if the sums prove nothing. */
static char *sums_words(char *buf, size_t size, const struct sw_view *view)
{
	struct sw_sums_bottleneck b;

	buf[0] = '\0';
	if (!sw_sums_bottleneck_find(&b, view))
		return buf;
	if (b.resource == SW_LIMITED_BY_CPU)
		snprintf(buf, size,
			 "Probably limited by CPU: on average %.2f "
			 "of %.4g %s; there are too few samples to tell more.",
			 b.busy_cores, b.cores,
			 b.cores == 1 ? "CPU was busy" : "CPUs were busy");
	else if (b.resource == SW_LIMITED_BY_IO)
		snprintf(buf, size, "Probably limited by I/O: in total its "
			 "threads waited for I/O for %.0f %% of the time; "
			 "there are too few samples to tell more.",
			 b.share * 100);
	else
		snprintf(buf, size, "Idle for at least %.0f %% of the time; "
			 "%s.", b.share * 100, sums_wait_words(view));
	return buf;
}

static void node_words(char *buf, size_t size, const struct sw_view *view,
		       double share)
{
	static const struct {
		const char *by, *help;
	} words[] = {
		[SW_TAKEN_BY_OTHERS] = {
			"other programs on its CPUs",
			"dedicated CPUs would help, more memory would not" },
		[SW_TAKEN_BY_HOST] = {
			"the host of this virtual machine, which used its "
			"CPUs for other work",
			"more CPUs or memory may not make that faster" },
		[SW_TAKEN_UNSEEN] = {
			"CPUs that it did not get",
			"other processes on the node used too few to explain "
			"that" },
	};
	double computed = sw_limits_ratio(&view->limits, SW_LIMITED_BY_CPU);
	enum sw_cpu_taker taker =
		sw_cpu_taker(&view->nearby.around,
			     view->limits.usec[SW_LIMIT_NEIGHBORS]);

	/* It may have computed for longer than it waited. */
	if (computed > share)
		snprintf(buf, size, "Slowed down by %s: it computed for "
			 "%.0f %% of the time, and its threads waited for a "
			 "CPU for %.0f %%; %s.", words[taker].by,
			 computed * 100, share * 100, words[taker].help);
	else
		snprintf(buf, size, "Limited by %s: its threads waited for a "
			 "CPU for %.0f %% of the time; %s.", words[taker].by,
			 share * 100, words[taker].help);
}

char *sw_bottleneck_words(char *buf, size_t size, const struct sw_view *view)
{
	struct sw_bottleneck b;
	char text[192];

	buf[0] = '\0';
	if (!find(&b, view))
		return sums_words(buf, size, view);
	if (b.resource == SW_LIMITED_BY_CPU)
		cpu_words(buf, size, view, &b);
	else if (b.resource == SW_LIMITED_BY_IO)
		snprintf(buf, size, "Limited by I/O%s, which it waited for "
			 "%.0f %% of the time; %s would not make it faster.",
			 sw_io_place_words(text, sizeof(text), &view->io),
			 b.share * 100, sw_may_cache_help(view) ? "more CPUs" :
			 "more CPUs or memory");
	else if (b.resource == SW_LIMITED_BY_MEMORY)
		snprintf(buf, size, "Limited by memory: for %.0f %% of the "
			 "time the kernel was making room or reading back; "
			 "more CPUs would not make that faster.",
			 b.share * 100);
	else if (b.resource == SW_LIMITED_BY_NODE)
		node_words(buf, size, view, b.share);
	else if (b.resource == SW_LIMITED_BY_GPU)
		snprintf(buf, size, "Limited by the GPU, which was busy for "
			 "%.0f %% of the time; more CPUs or memory would not "
			 "make that faster.", b.share * 100);
	else if (b.resource == SW_LIMITED_BY_NETWORK)
		snprintf(buf, size, "Limited by the network%s, which it "
			 "filled and waited for %.0f %% of the time; more CPUs "
			 "or memory would not make that faster.",
			 link_of(text, sizeof(text), &view->nearby),
			 b.share * 100);
	else if (b.resource == SW_LIMITED_BY_NONE)
		snprintf(buf, size, "Limited by no single resource: %s.",
			 sw_limits_words(text, sizeof(text), &view->limits));
	else if (b.limit == SW_LIMIT_TURNS)
		snprintf(buf, size, "Limited by a lock: for %.0f %% of the "
			 "time its %s took turns, one at a time; more "
			 "CPUs or memory would not make that faster.",
			 b.share * 100, view->workers.are_processes ?
			 "processes" : "threads");
	else if (b.limit == SW_LIMIT_UNSEEN)
		snprintf(buf, size, "Idle for %.0f %% of the time, for a "
			 "reason that was not recorded.", b.share * 100);
	else
		snprintf(buf, size, "Idle for %.0f %% of the time: %s%s.",
			 b.share * 100,
			 sw_wait_clause(text, sizeof(text), &view->limits,
					b.limit),
			 would_not_help(b.limit));
	return buf;
}

char *sw_bottleneck_brief(char *buf, size_t size, const struct sw_view *view)
{
	struct sw_sums_bottleneck sums;
	struct sw_bottleneck b;
	char text[80] = "";

	snprintf(buf, size, "?");
	if (!find(&b, view) && sw_sums_bottleneck_find(&sums, view)) {
		snprintf(buf, size, "probably %s", resources[sums.resource]);
		return buf;
	}
	/* Too few samples for a verdict are enough for shares. */
	if (!sw_bottleneck_find(&b, &view->limits))
		return buf;
	if (b.resource == SW_LIMITED_BY_IO)
		sw_io_place_words(text, sizeof(text), &view->io);
	snprintf(buf, size, "%s%s", resources[b.resource], text);
	if (b.resource != SW_LIMITED_BY_NONE)
		sw_text_add(buf, size, " %.0f %%", b.share * 100);
	return buf;
}

bool sw_is_idle_explained(const struct sw_view *view)
{
	const struct sw_view_limits *limits = &view->limits;
	struct sw_bottleneck b;

	/* Demand for CPUs includes what others and quotas take. */
	return find(&b, view) &&
	       sw_limits_ratio(limits, SW_LIMITED_BY_CPU) +
			       sw_limits_ratio(limits, SW_LIMITED_BY_NODE) +
			       sw_limit_ratio(limits, SW_LIMIT_UNSEEN) <=
		       1 - SW_MOST;
}
