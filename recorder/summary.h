/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "summary": how the command ended, what the recording missed. */
#ifndef SW_RECORDER_SUMMARY_H
#define SW_RECORDER_SUMMARY_H

#include "recorder/loop.h"

struct sw_summary {
	const struct sw_loop *loop;
	const char *final_source;	/* where the last sample came from */
	uint64_t leftover_processes;
};

void sw_summary_write(const struct sw_summary *summary,
		      struct sw_writer *writer);

#endif
