/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The advisors, in the order in which they are shown. */
#include "advice/advisors.h"

#include <stddef.h>

const struct sw_advisor *const sw_advisors[] = {
	&sw_advisor_memory, &sw_advisor_time,  &sw_advisor_cores,
	&sw_advisor_gpus,   &sw_advisor_tasks, &sw_advisor_nodes,
	NULL,
};
