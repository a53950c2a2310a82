/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of the largest tables that a view or a rule reads.  Others are not
 * decoded, as if a recording lacked them; check_columns compares this list with
 * what is looked up.
 */
#include "analyzer/view/view.h"

static const char *const of_memory[] = {
	"anon", "events.max", "events.oom", "events.oom_kill", "file",
	"file_mapped", "kernel", "kernel_stack", "memory.current",
	"memory.max", "memory.peak", "memory.swap.current",
	"memory.swap.peak", "memory.zswap.current", "pagetables",
	"percpu", "pgsteal_direct", "shmem", "slab_reclaimable",
	"slab_unreclaimable", "sock", "unevictable", "vmalloc",
	"workingset_refault_anon", "workingset_refault_file", "zswap",
	NULL,
};

static const char *const of_mount[] = {
	"all.exec_usec", "all.ops", "getattr.ops", "open.ops",
	"read.exec_usec", "read.ops", "retransmits",
	"server_read_bytes", "server_write_bytes", "subject",
	"write.exec_usec", "write.ops",
	NULL,
};

static const char *const of_node[] = {
	"idle_usec", "iowait_usec", "irq_usec", "mem_available_bytes",
	"nice_usec", "softirq_usec", "steal_usec", "subject",
	"system_usec", "user_usec",
	NULL,
};

static const char *const of_proc[] = {
	"hiwater_anon_max", "hiwater_max", "hugetlb_sum", "opens",
	"rchar", "read_bytes", "rss_anon_low", "rss_anon_sum",
	"rss_file_low", "rss_file_sum", "rss_shmem_max", "rss_sum",
	"run_queue_wait_usec", "stime_usec", "swap_sum", "syscr",
	"syscw", "unparsed_processes", "utime_usec", "wchar",
	"write_bytes",
	NULL,
};

static const char *const of_recorder[] = {
	"cpu_usec", "hiwater_bytes",
	NULL,
};

static const char *const of_task[] = {
	"cpu_usec", "subject",
	NULL,
};

const struct sw_reader_only sw_view_only[SW_VIEW_ONLY_COUNT] = {
	{ .table = "series.memory", .columns = of_memory },
	{ .table = "series.mount", .columns = of_mount },
	{ .table = "series.node", .columns = of_node },
	{ .table = "series.proc", .columns = of_proc },
	{ .table = "series.recorder", .columns = of_recorder },
	{ .table = "series.task", .columns = of_task },
};
