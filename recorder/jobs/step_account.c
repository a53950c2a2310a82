/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step, as the analyzer has it of a profile, but for what is
 * before the second look at its threads, and for workers of whom one did more
 * than three quarters: whether more than one CPU was ever wanted is not known.
 */
#include "recorder/jobs/step_account.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/missing.h"
#include "common/units.h"
#include "recorder/waits/wait_tally.h"

/* No rate is of a shorter time. */
enum { RATE_USEC_MIN = SW_USEC_PER_SEC / 2 };

static void read_cpu(struct sw_step_reading *now,
		     const struct sw_sampler *sampler)
{
	const char *source = "cpu";

	now->usage_usec = sw_sampler_last(sampler, source, "usage_usec");
	if (sw_is_missing(now->usage_usec)) {
		source = "proc";
		now->usage_usec = sw_add_u64(
			sw_sampler_last(sampler, source, "utime_usec"),
			sw_sampler_last(sampler, source, "stime_usec"));
	}
	if (!sw_is_missing(now->usage_usec))
		now->usec = sw_sampler_last_usec(sampler, source);
	now->queued_usec =
		sw_sampler_last(sampler, "proc", "run_queue_wait_usec");
	/* The one of its own, or the nearest above. */
	now->throttled = sw_max_u64(
		sw_sampler_last(sampler, "cpu", "nr_throttled"),
		sw_sampler_last(sampler, "cpu", "ancestor.nr_throttled"));
	now->periods = sw_max_u64(
		sw_sampler_last(sampler, "cpu", "nr_periods"),
		sw_sampler_last(sampler, "cpu", "ancestor.nr_periods"));
}

static void read_reads(struct sw_step_reading *now,
		       const struct sw_sampler *sampler)
{
	now->refaults = sw_add_u64(
		sw_sampler_last(sampler, "memory", "workingset_refault_file"),
		sw_sampler_last(sampler, "memory", "workingset_refault_anon"));
	now->read_bytes = sw_sampler_last(sampler, "io", "rbytes");
	if (sw_is_missing(now->read_bytes))
		now->read_bytes =
			sw_sampler_last(sampler, "proc", "read_bytes");
}

static void read_others(struct sw_step_reading *now,
			const struct sw_sampler *sampler)
{
	now->io_full_usec =
		sw_sampler_last(sampler, "pressure", "io.full.total");
	now->memory_full_usec =
		sw_sampler_last(sampler, "pressure", "memory.full.total");
	now->disk_bytes = sw_add_u64(sw_sampler_last(sampler, "io", "rbytes"),
				     sw_sampler_last(sampler, "io", "wbytes"));
	now->net_bytes = sw_step_account_net_bytes(sampler);
	read_reads(now, sampler);
}

static void read_waits(struct sw_step_reading *now,
		       const struct sw_wait_tally *waits)
{
	enum sw_limit limit;
	size_t i;

	now->has_waits = waits && waits->looks > 0;
	if (!now->has_waits)
		return;
	now->idle_usec[SW_LIMIT_IO] = waits->io.idle_usec;
	now->io_thread_usec = waits->io.thread_usec;
	for (i = 0; i < waits->count; i++) {
		const struct sw_wait_group *group = &waits->group[i];

		if (group->reason.kind == SW_WAIT_IO)
			continue;
		limit = sw_limit_of_wait(sw_wait_kind_name(group->reason.kind));
		now->idle_usec[limit] += group->idle_usec;
		if (limit == SW_LIMIT_LOCK)
			now->lock_thread_usec += group->thread_usec;
	}
}

/* NAN: not known, or it went back. */
static double grown(uint64_t now, uint64_t before)
{
	return sw_is_missing(now) || sw_is_missing(before) || now < before
		       ? NAN
		       : (double)(now - before);
}

/* Whether its own traffic filled the link of its node. */
static bool fills_link(const struct sw_step_reading *now,
		       const struct sw_step_reading *last)
{
	double rate = grown(now->net_bytes, last->net_bytes) *
		      SW_USEC_PER_SEC / (double)(now->usec - last->usec);

	return now->link_bytes_per_sec &&
	       rate >= SW_LINK_FULL_RATIO * (double)now->link_bytes_per_sec;
}

static void look(struct sw_sight *sight, const struct sw_step_reading *now,
		 const struct sw_step_reading *last, double cpus)
{
	double usec = (double)(now->usec - last->usec);
	double refaults = grown(now->refaults, last->refaults);
	int i;

	*sight = (struct sw_sight){
		.cores = grown(now->usage_usec, last->usage_usec) / usec,
		.cpu_waits = grown(now->queued_usec, last->queued_usec) / usec,
		.cpus = cpus,
		.throttled = grown(now->throttled, last->throttled) /
			     grown(now->periods, last->periods),
		.gpu = grown(now->gpu_busy_usec, last->gpu_busy_usec) /
		       grown(now->gpu_seen_usec, last->gpu_seen_usec),
		.io_full = grown(now->io_full_usec, last->io_full_usec) / usec,
		.memory_full =
			grown(now->memory_full_usec, last->memory_full_usec) /
			usec,
		.reread = refaults * (double)sysconf(_SC_PAGESIZE) /
			  grown(now->read_bytes, last->read_bytes),
		.refaults = refaults * SW_USEC_PER_SEC / usec,
		.has_waits = now->has_waits && last->has_waits,
	};
	for (i = 0; sight->has_waits && i < SW_LIMIT_WAITS; i++)
		sight->idle[i] =
			grown(now->idle_usec[i], last->idle_usec[i]) / usec;
	sight->io_threads =
		grown(now->io_thread_usec, last->io_thread_usec) / usec;
	sight->lock_threads =
		grown(now->lock_thread_usec, last->lock_thread_usec) / usec;
	if (sight->has_waits && fills_link(now, last))
		sw_limits_blame_link(sight->idle);
}

/* Threads that take turns, if any do; two before the first look. */
static double in_turn_at_least(const struct sw_step_account *account)
{
	return account->workers.count > 2 ? (double)account->workers.count : 2;
}

static void observe(struct sw_step_account *account,
		    const struct sw_step_reading *now, double cpus)
{
	double share[SW_LIMITS];
	struct sw_sight sight;
	int i, in_turn;

	look(&sight, now, &account->last, cpus);
	if (isnan(sight.cores))
		return;
	sight.cpus = sw_crowd_bound(sw_crowd_cpus(&account->crowd), cpus,
				    sight.cores);
	sight.knows_bound = sw_crowd_is_known(&account->crowd);
	for (in_turn = 0; in_turn < 2; in_turn++) {
		sight.in_turn = in_turn && sw_workers_may_take_turns(
				(double)account->workers_ran) ?
					in_turn_at_least(account) : 0;
		sw_limits_share(&sight, share);
		for (i = 0; i < SW_LIMITS; i++)
			account->limited_usec[in_turn][i] +=
				share[i] *
				(double)(now->usec - account->last.usec);
	}
	account->is_observed = true;
}

static void raise_rate(uint64_t *rate, uint64_t now, uint64_t before,
		       uint64_t usec)
{
	double found = grown(now, before) * SW_USEC_PER_SEC / (double)usec;

	if (found > (double)*rate && found < 0x1p60)
		*rate = (uint64_t)found;
}

static void watch_rates(struct sw_step_account *account,
			const struct sw_step_reading *now)
{
	const struct sw_step_reading *from = &account->fast;
	uint64_t usec = sw_excess_u64(now->usec, from->usec);

	if (from->usec && usec < RATE_USEC_MIN)
		return;
	if (from->usec) {
		raise_rate(&account->disk_bytes_per_sec, now->disk_bytes,
			   from->disk_bytes, usec);
		raise_rate(&account->net_bytes_per_sec, now->net_bytes,
			   from->net_bytes, usec);
	}
	account->fast = *now;
}

void sw_step_account_look(struct sw_step_account *account,
			  const struct sw_step_look *look)
{
	sw_crowd_add(&account->crowd, look->threads, look->cpus);
	if (!sw_is_missing(look->workers_ran))
		account->workers_ran = look->workers_ran;
	/* CPU time only grows: else it has not seen all of them. */
	if (sw_is_missing(look->workers.cpu_usec) ||
	    look->workers.cpu_usec <= account->workers.cpu_usec)
		return;
	account->workers = look->workers;
	account->are_workers_all =
		!sw_is_missing(look->step_usec) &&
		sw_workers_are_all(&look->workers, (double)look->step_usec);
}

void sw_step_account_add(struct sw_step_account *account,
			 const struct sw_step_reading *now, double cpus)
{
	if (account->last.usec && now->usec > account->last.usec)
		observe(account, now, cpus);
	watch_rates(account, now);
	account->last = *now;
}

uint64_t sw_step_account_net_bytes(const struct sw_sampler *sampler)
{
	return sw_max_u64(sw_sampler_last(sampler, "net", "rx_bytes"),
			  sw_sampler_last(sampler, "net", "tx_bytes"));
}

/* The threads are not looked at with each sample. */
static void take_look(struct sw_step_account *account,
		      const struct sw_sampler *sampler,
		      const struct sw_step_given *given,
		      const struct sw_step_reading *now)
{
	static const char source[] = "runnable";
	uint64_t usec = sw_sampler_last_usec(sampler, source);
	struct sw_step_look look = {
		.threads = sw_sampler_last(sampler, source, "threads"),
		.cpus = sw_sampler_last(sampler, source, "cpus"),
		.workers = {
			.count = sw_sampler_last(sampler, source, "workers"),
			.cpu_usec = sw_sampler_last(sampler, source,
						    "workers_cpu_usec"),
			.busiest_usec = sw_sampler_last(sampler, source,
							"busiest_cpu_usec"),
			.usec = sw_excess_u64(usec, given->start_usec),
		},
		.workers_ran = sw_sampler_last(sampler, source, "workers_ran"),
		.step_usec = now->usage_usec,
	};

	if (!sw_is_missing(usec) && usec >= given->asked_usec)
		sw_step_account_look(account, &look);
}

void sw_step_account_take(struct sw_step_account *account,
			  const struct sw_sampler *sampler,
			  const struct sw_wait_tally *waits,
			  const struct sw_step_given *given,
			  uint64_t link_bytes_per_sec)
{
	struct sw_step_reading now = {
		.gpu_busy_usec = given->gpu_busy_usec,
		.gpu_seen_usec = given->gpu_seen_usec,
		.link_bytes_per_sec = link_bytes_per_sec,
	};

	read_cpu(&now, sampler);
	/* Else it is from a sample before this one. */
	if (sw_is_missing(now.usec) || now.usec < given->asked_usec)
		return;
	read_others(&now, sampler);
	read_waits(&now, waits);
	take_look(account, sampler, given, &now);
	sw_step_account_add(account, &now, given->cpus);
}

static enum sw_step_resource resource_of(enum sw_limit limit)
{
	static const char *const names[SW_STEP_RESOURCES] = {
		[SW_LIMITED_BY_CPU] = "cpu",
		[SW_LIMITED_BY_IO] = "io",
		[SW_LIMITED_BY_MEMORY] = "memory",
		[SW_LIMITED_BY_NETWORK] = "network",
		[SW_LIMITED_BY_LOCK] = "lock",
		[SW_LIMITED_BY_GPU] = "gpu",
		[SW_LIMITED_BY_NODE] = "node",
		[SW_LIMITED_BY_WAITING] = "waiting",
	};
	enum sw_step_resource i;

	for (i = 0; i < SW_LIMITED_BY_WAITING; i++) {
		if (!strcmp(sw_limit_resource(limit), names[i]))
			break;
	}
	return i;
}

void sw_step_account_sum(const struct sw_step_account *account,
			 uint64_t usec[SW_STEP_RESOURCES])
{
	double limited[SW_LIMITS], sum[SW_STEP_RESOURCES] = { 0 };
	int i;

	bool in_turn = account->are_workers_all &&
		       sw_workers_take_turns(&account->workers, false);

	memcpy(limited, account->limited_usec[in_turn], sizeof(limited));
	sw_limits_spread(limited);
	for (i = 0; i < SW_LIMITS; i++)
		sum[resource_of((enum sw_limit)i)] += limited[i];
	for (i = 0; i < SW_STEP_RESOURCES; i++)
		usec[i] = account->is_observed ? (uint64_t)(sum[i] + 0.5)
					       : SW_MISSING;
}
