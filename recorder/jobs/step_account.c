/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Account for a step's time, sample by sample. */
#include "recorder/jobs/step_account.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/units.h"
#include "recorder/waits/wait_tally.h"

/* Minimum interval of a rate */
enum { RATE_USEC_MIN = SW_USEC_PER_SEC / 2 };

static void read_rows(struct sw_step_reading *now,
		      const struct sw_sampler *sampler)
{
	uint64_t began = SW_MISSING, value;
	size_t i;

	for (i = 0; i < SW_STEP_FIELDS; i++) {
		const struct sw_step_field *field = &sw_step_fields[i];

		/* First field of each source. */
		if (!strcmp(field->column, "time_usec")) {
			began = sw_sampler_began_usec(sampler, field->source);
			value = sw_min_u64(began,
					   sw_sampler_last_usec(sampler,
								field->source));
		} else {
			value = sw_is_missing(began) ?
				sw_sampler_last(sampler, field->source,
						field->column) : 0;
		}
		sw_step_rows_set(&now->rows, field, value);
	}
}

static void read_waits(struct sw_step_reading *now,
		       const struct sw_wait_tally *waits,
		       const struct sw_sampler *sampler)
{
	enum sw_limit limit;
	size_t i;

	now->waits.usec = sw_sampler_began_usec(sampler, "waits");
	if (!waits || !waits->looks || !sw_is_missing(now->waits.usec))
		return;
	now->waits.usec = sw_sampler_last_usec(sampler, "waits");
	now->waits.idle_usec[SW_LIMIT_IO] = waits->io.idle_usec;
	now->waits.io_thread_usec = waits->io.thread_usec;
	for (i = 0; i < waits->count; i++) {
		const struct sw_wait_group *group = &waits->group[i];

		if (group->reason.kind == SW_WAIT_IO)
			continue;
		limit = sw_limit_of_wait(sw_wait_kind_name(group->reason.kind));
		now->waits.idle_usec[limit] += group->idle_usec;
		if (limit == SW_LIMIT_LOCK)
			now->waits.lock_thread_usec += group->thread_usec;
	}
}

static void read_gpus(struct sw_step_reading *now,
		      const struct sw_step_gpus *gpus)
{
	if (!gpus->last_usec)
		return;
	now->gpu.usec = gpus->last_usec;
	now->gpu.busy_usec = gpus->any_busy_usec;
	now->gpu.seen_usec = gpus->any_seen_usec;
}

/* Raise the rate to that between two rows of a source, if known. */
static void raise_rate(uint64_t *rate, uint64_t later, uint64_t earlier,
		       uint64_t usec)
{
	double found = sw_real_u64(sw_delta_u64(later, earlier)) *
		       SW_USEC_PER_SEC / sw_real_u64(usec);

	if (found > (double)*rate && found < 0x1p60)
		*rate = (uint64_t)found;
}

static void watch_rates(struct sw_step_account *account,
			const struct sw_step_reading *now)
{
	const struct sw_step_rows *from = &account->fast.rows;
	const struct sw_step_rows *to = &now->rows;
	uint64_t start = sw_step_reading_usec(&account->fast), usec;

	if (start && sw_excess_u64(sw_step_reading_usec(now), start) <
			     RATE_USEC_MIN)
		return;
	if (start) {
		raise_rate(&account->disk_bytes_per_sec,
			   sw_add_u64(to->io.read_bytes, to->io.written_bytes),
			   sw_add_u64(from->io.read_bytes,
				      from->io.written_bytes),
			   sw_delta_u64(to->io.usec, from->io.usec));
		usec = sw_delta_u64(to->net.usec, from->net.usec);
		raise_rate(&account->net_bytes_per_sec, to->net.received_bytes,
			   from->net.received_bytes, usec);
		raise_rate(&account->net_bytes_per_sec, to->net.sent_bytes,
			   from->net.sent_bytes, usec);
	}
	account->fast = *now;
}

void sw_step_account_add(struct sw_step_account *account,
			 const struct sw_step_reading *reading)
{
	sw_step_limits_add(&account->limits, reading);
	watch_rates(account, reading);
}

void sw_step_account_take(struct sw_step_account *account,
			  const struct sw_sampler *sampler,
			  struct sw_shared *shared,
			  const struct sw_wait_tally *waits,
			  const struct sw_step_given *given)
{
	const struct sw_step_rows *rows;
	struct sw_step_reading now;

	sw_step_reading_init(&now);
	rows = &now.rows;
	read_rows(&now, sampler);
	sw_step_gpus_take(&account->gpus, shared, given->gpu_count,
			  given->gpu_list,
			  sw_sampler_rows(sampler, "gpu_process"),
			  given->asked_usec);
	sw_step_link_take(&account->link, shared, rows->net.received_bytes,
			  rows->net.sent_bytes, given->asked_usec);
	now.is_by_proc = sw_is_missing(rows->cpu.usage_usec);
	/* Skip it if it is from an earlier sample. */
	if (sw_is_missing(sw_step_reading_usage(&now)) ||
	    sw_step_reading_usec(&now) < given->asked_usec)
		return;
	read_waits(&now, waits, sampler);
	read_gpus(&now, &account->gpus);
	now.link_bytes_per_sec = account->link.bytes_per_sec;
	account->limits.cpus = given->cpus;
	account->limits.page_bytes = (double)sysconf(_SC_PAGESIZE);
	account->limits.start_usec = given->start_usec;
	sw_step_account_add(account, &now);
}

void sw_step_account_end(struct sw_step_account *account,
			 uint64_t usec[SW_LIMITED_BY_RESOURCES])
{
	uint64_t limited[SW_LIMITS];

	sw_step_limits_end(&account->limits);
	sw_step_limits_sum(&account->limits, limited);
	sw_limits_by_resource(limited, usec);
}
