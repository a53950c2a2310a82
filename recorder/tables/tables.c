/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of tables. */
#include "recorder/tables/tables.h"

#include <stddef.h>

const struct sw_table *const sw_tables[] = {
	&sw_identity_table,
	&sw_steps_table,
	&sw_tasks_table,
	&sw_program_table,
	&sw_program_exits_table,
	&sw_events_table,
	&sw_hangs_table,
	&sw_pipes_table,
	&sw_stacks_table,
	&sw_subjects_table,
	&sw_summary_table,
	&sw_self_table,
	&sw_topology_table,
	&sw_topology_node_table,
	&sw_topology_devices_table,
	&sw_step_summaries_table,
	&sw_step_programs_table,
	&sw_profiles_table,
	NULL,
};
