/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step, as the analyzer has it of a profile, but for what takes
 * a look back: threads that take turns at a lock count as the CPU's here, and
 * of neighbors only what threads waited for.
 */
#include "recorder/jobs/step_account.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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

static void read_others(struct sw_step_reading *now,
			const struct sw_sampler *sampler)
{
	now->io_full_usec =
		sw_sampler_last(sampler, "pressure", "io.full.total");
	now->memory_full_usec =
		sw_sampler_last(sampler, "pressure", "memory.full.total");
	now->disk_bytes = sw_add_u64(sw_sampler_last(sampler, "io", "rbytes"),
				     sw_sampler_last(sampler, "io", "wbytes"));
	now->net_bytes =
		sw_max_u64(sw_sampler_last(sampler, "net", "rx_bytes"),
			   sw_sampler_last(sampler, "net", "tx_bytes"));
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

static void look(struct sw_sight *sight, const struct sw_step_reading *now,
		 const struct sw_step_reading *last, double cpus)
{
	double usec = (double)(now->usec - last->usec);
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
		.has_waits = now->has_waits && last->has_waits,
	};
	for (i = 0; sight->has_waits && i < SW_LIMIT_WAITS; i++)
		sight->idle[i] =
			grown(now->idle_usec[i], last->idle_usec[i]) / usec;
	sight->io_threads =
		grown(now->io_thread_usec, last->io_thread_usec) / usec;
	sight->lock_threads =
		grown(now->lock_thread_usec, last->lock_thread_usec) / usec;
}

static void observe(struct sw_step_account *account,
		    const struct sw_step_reading *now, double cpus)
{
	double share[SW_LIMITS];
	struct sw_sight sight;
	int i;

	look(&sight, now, &account->last, cpus);
	if (isnan(sight.cores))
		return;
	sw_limits_share(&sight, share);
	for (i = 0; i < SW_LIMITS; i++)
		account->limited_usec[i] +=
			share[i] * (double)(now->usec - account->last.usec);
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

void sw_step_account_take(struct sw_step_account *account,
			  const struct sw_sampler *sampler,
			  const struct sw_wait_tally *waits,
			  const struct sw_step_reading *gpus,
			  uint64_t asked_usec, double cpus)
{
	struct sw_step_reading now = {
		.gpu_busy_usec = gpus->gpu_busy_usec,
		.gpu_seen_usec = gpus->gpu_seen_usec,
	};

	read_cpu(&now, sampler);
	/* Else it is from a sample before this one. */
	if (sw_is_missing(now.usec) || now.usec < asked_usec)
		return;
	read_others(&now, sampler);
	read_waits(&now, waits);
	if (account->last.usec && now.usec > account->last.usec)
		observe(account, &now, cpus);
	watch_rates(account, &now);
	account->last = now;
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
	double limited[SW_LIMITS], sum[SW_STEP_RESOURCES] = {0};
	int i;

	memcpy(limited, account->limited_usec, sizeof(limited));
	sw_limits_spread(limited);
	for (i = 0; i < SW_LIMITS; i++)
		sum[resource_of((enum sw_limit)i)] += limited[i];
	for (i = 0; i < SW_STEP_RESOURCES; i++)
		usec[i] = account->is_observed ? (uint64_t)(sum[i] + 0.5)
					       : SW_MISSING;
}
