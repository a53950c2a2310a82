/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limit the recorder's CPU time. */
#include "recorder/daemon/cpu_budget.h"

#include "common/delta.h"

enum { PERCENT = 100 };

static int64_t income(const struct sw_cpu_budget *budget, uint64_t usec)
{
	return (int64_t)(budget->percent * usec);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

void sw_cpu_budget_start(struct sw_cpu_budget *budget, uint64_t percent,
			 uint64_t now_usec, uint64_t cpu_usec)
{
	budget->percent = percent;
	budget->now_usec = now_usec;
	budget->cpu_usec = cpu_usec;
	budget->left = income(budget, SW_CPU_BUDGET_SAVED_USEC);
}

uint64_t sw_cpu_budget_count(struct sw_cpu_budget *budget, uint64_t now_usec,
			     uint64_t cpu_usec)
{
	uint64_t passed = sw_excess_u64(now_usec, budget->now_usec);
	uint64_t used = sw_zero_if_missing(
		sw_excess_u64(cpu_usec, budget->cpu_usec));
	int64_t saved = income(budget, SW_CPU_BUDGET_SAVED_USEC);

	/* The limit also holds after a suspension of the machine. */
	if (passed > SW_CPU_BUDGET_SAVED_USEC + SW_CPU_BUDGET_WAIT_USEC)
		passed = SW_CPU_BUDGET_SAVED_USEC + SW_CPU_BUDGET_WAIT_USEC;
	budget->left = clamp(budget->left + income(budget, passed) -
				     (int64_t)(used * PERCENT),
			     -income(budget, SW_CPU_BUDGET_WAIT_USEC), saved);
	budget->now_usec = now_usec;
	budget->cpu_usec = sw_is_missing(cpu_usec) ? budget->cpu_usec :
						     cpu_usec;
	if (budget->left >= 0)
		return now_usec;
	return now_usec + (uint64_t)-budget->left / budget->percent;
}
