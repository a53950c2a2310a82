/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The advisors, one file each; advisors.c lists them. */
#ifndef SW_ADVICE_ADVISORS_H
#define SW_ADVICE_ADVISORS_H

#include "advice/suggestion.h"

extern const struct sw_advisor sw_advisor_memory;
extern const struct sw_advisor sw_advisor_time;
extern const struct sw_advisor sw_advisor_cores;
extern const struct sw_advisor sw_advisor_gpus;
extern const struct sw_advisor sw_advisor_tasks;
extern const struct sw_advisor sw_advisor_nodes;

#endif
