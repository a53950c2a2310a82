/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All tables that a profile or a file of summaries can have, except those of
 * the counter sources (recorder/sources/source.h).
 */
#ifndef SW_RECORDER_TABLES_H
#define SW_RECORDER_TABLES_H

#include "profiles/table.h"

/* In a profile. */
extern const struct sw_table sw_identity_table;
extern const struct sw_table sw_steps_table;
extern const struct sw_table sw_tasks_table;
extern const struct sw_table sw_program_table;
extern const struct sw_table sw_program_exits_table;
extern const struct sw_table sw_events_table;
extern const struct sw_table sw_hangs_table;
extern const struct sw_table sw_pipes_table;
extern const struct sw_table sw_stacks_table;
extern const struct sw_table sw_subjects_table;
extern const struct sw_table sw_summary_table;
extern const struct sw_table sw_self_table;
/* In a profile; source is set to the origin of the rows. */
extern const struct sw_table sw_topology_table;
extern const struct sw_table sw_topology_node_table;
extern const struct sw_table sw_topology_devices_table;
/* In the summaries of a node for a day. */
extern const struct sw_table sw_step_summaries_table;
extern const struct sw_table sw_step_programs_table;
extern const struct sw_table sw_profiles_table;

/* All tables, NULL-terminated. */
extern const struct sw_table *const sw_tables[];

#endif
