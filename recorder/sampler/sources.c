/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of counter sources. */
#include "recorder/sources/source.h"

const struct sw_source *const sw_sources[] = {
	&sw_src_cpu,
	&sw_src_memory,
	&sw_src_io,
	&sw_src_pressure,
	&sw_src_pids,
	&sw_src_proc,
	&sw_src_task_memory,
	&sw_src_job_memory,
	&sw_src_job_cpu,
	&sw_src_hugetlb,
	&sw_src_numa,
	&sw_src_binding,
	&sw_src_runnable,
	&sw_src_task,
	&sw_src_waits,
	&sw_src_net,
	&sw_src_node,
	&sw_src_interface,
	&sw_src_infiniband,
	&sw_src_mount,
	&sw_src_lustre,
	&sw_src_energy,
	&sw_src_dram,
	&sw_src_gpu,
	&sw_src_gpu_process,
	&sw_src_gpu_amd,
	&sw_src_perf,
	&sw_src_pmu,
	&sw_src_counters,
	&sw_src_papi,
	NULL,
};

const struct sw_source *const sw_hidden_sources[] = {
	&sw_src_gpu_pids,
	NULL,
};
