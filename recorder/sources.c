/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of counter sources. */
#include "recorder/source.h"

extern const struct sw_source sw_src_cpu, sw_src_io, sw_src_memory,
	sw_src_pids, sw_src_pressure, sw_src_proc;

const struct sw_source *const sw_sources[] = {
	&sw_src_cpu,
	&sw_src_memory,
	&sw_src_io,
	&sw_src_pressure,
	&sw_src_pids,
	&sw_src_proc,
	NULL,
};

const struct sw_source *const sw_hidden_sources[] = {
	NULL,
};
