/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of counter sources. */
#include "recorder/source.h"

extern const struct sw_source sw_src_cpu, sw_src_energy, sw_src_infiniband,
	sw_src_interface, sw_src_io, sw_src_lustre, sw_src_memory,
	sw_src_mount, sw_src_net, sw_src_node, sw_src_pids, sw_src_pressure,
	sw_src_proc;

const struct sw_source *const sw_sources[] = {
	&sw_src_cpu,
	&sw_src_memory,
	&sw_src_io,
	&sw_src_pressure,
	&sw_src_pids,
	&sw_src_proc,
	&sw_src_net,
	&sw_src_node,
	&sw_src_interface,
	&sw_src_infiniband,
	&sw_src_mount,
	&sw_src_lustre,
	&sw_src_energy,
	NULL,
};

const struct sw_source *const sw_hidden_sources[] = {
	NULL,
};
