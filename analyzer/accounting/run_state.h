/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert between states of accounting and of advice. */
#ifndef SW_ANALYZER_ACCOUNTING_RUN_STATE_H
#define SW_ANALYZER_ACCOUNTING_RUN_STATE_H

#include "advice/run.h"
#include "common/job_state.h"

enum sw_run_state sw_run_state_of_job(enum sw_job_state state);
enum sw_job_state sw_job_state_of_run(enum sw_run_state state);

#endif
