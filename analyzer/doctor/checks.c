/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks of `stepwell doctor`, in the order of their output and of the
 * commands that fix a node: the recorder before the plugin, whose slurmd would
 * start another one.
 */
#include "analyzer/doctor/doctor.h"

const struct sw_check sw_checks[] = {
	{ "switch", "whether recording is switched off", sw_check_switch },
	{ "settings", "stepwell.yaml", sw_check_settings },
	{ "account", "the system user and group", sw_check_account },
	{ "spool", "where profiles are written", sw_check_spool },
	{ "profile_dir", "where users get them", sw_check_profile_dir },
	{ "folders", "whose folders these are", sw_check_folders },
	{ "unit", "whether the unit lets the recorder write there",
	 sw_check_unit },
	{ "travel", "a profile from end to end", sw_check_travel },
	{ "recorder", "whether the node's recorder answers", sw_check_recorder },
	{ "hooks", "whether the plugin's hooks are answered in time",
	 sw_check_hooks },
	{ "cpus", "whether it is confined to slurmd's CPUs", sw_check_cpus },
	{ "plugstack", "the line that loads the plugin", sw_check_plugstack },
	{ "plugin", "the plugin's file and its Slurm release", sw_check_plugin },
	{ "tracking", "whether steps have cgroups", sw_check_tracking },
	{ "cgroup", "which cgroups the kernel has", sw_check_cgroup },
	{ "controllers", "what a step's cgroup counts", sw_check_controllers },
	{ "pressure", "pressure stall information", sw_check_pressure },
	{ "bpf", "whether BPF programs can be loaded", sw_check_bpf },
	{ "causes", "whether failed calls of programs are seen",
	  sw_check_causes },
	{ "perf", "perf events and who may use them", sw_check_perf },
	{ "exits", "whether ordinary users receive exit events",
	  sw_check_exits },
	{ "papi", "the PAPI library", sw_check_papi },
	{ "gpus", "GPUs, their drivers and libraries", sw_check_gpus },
	{ NULL, NULL, NULL },
};
