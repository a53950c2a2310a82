/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings file stepwell.yaml: thresholds of the rules, folders of
 * profiles, the history, and the site's preferences for advice.
 */
#ifndef SW_ANALYZER_SETTINGS_H
#define SW_ANALYZER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "advice/policy.h"
#include "analyzer/failures/failures.h"
#include "analyzer/grouping/job_group.h"
#include "analyzer/retries/lineage.h"
#include "analyzer/trust/judge.h"
#include "common/error.h"
#include "common/lsf_memory.h"
#include "config.h"

struct sw_settings;
struct sw_thresholds;

#define SW_SETTINGS_PATH SYSCONFDIR "/stepwell/stepwell.yaml"

/*
 * Read path, or if NULL $STEPWELL_CONF, or else SW_SETTINGS_PATH; only the
 * latter may be missing, or unreadable with a warning.  Return NULL with
 * *error: "FILE:LINE:COLUMN: what is wrong, so what".
 */
struct sw_settings *sw_settings_load(const char *path, struct sw_error *error);

/* Why defaults are used although a file may exist; or NULL. */
const char *sw_settings_warning(const struct sw_settings *settings);

/* The file read, or NULL. */
const char *sw_settings_file(const struct sw_settings *settings);

/* Thresholds of the rules; NULL: defaults. */
const struct sw_thresholds *
sw_settings_thresholds(const struct sw_settings *settings);

/* Folders of profiles and summaries; NULL: defaults. */
const struct sw_places *sw_settings_places(const struct sw_settings *settings);

/* File of past runs; NULL: one per user. */
const char *sw_settings_history_file(const struct sw_settings *settings);

/* Folder of "stepwell sweep" for past nights; NULL: one per user. */
const char *sw_settings_sweep_dir(const struct sw_settings *settings);

/* Folder for users' histories; NULL: none. */
const char *sw_settings_user_history_dir(const struct sw_settings *settings);

/* Days to keep those, and gathered summaries; 0: forever. */
unsigned sw_settings_sweep_keep_days(const struct sw_settings *settings);

/* True if "stepwell run" adds its recording to the history. */
bool sw_settings_has_history_of_runs(const struct sw_settings *settings);

/* Source of job records: "sacct", or a program's path. */
const char *sw_settings_records_program(const struct sw_settings *settings);

/* LSF's lsb.acct as the source instead; NULL: none. */
const char *sw_settings_lsb_acct(const struct sw_settings *settings);

/* Scheduler of these records: "Slurm" or "LSF". */
const char *sw_settings_scheduler(const struct sw_settings *settings);

/* Meaning of numbers in LSF's records; NULL: LSF's defaults. */
const struct sw_lsf_site *sw_settings_lsf(const struct sw_settings *settings);

/* The site's policy for advice, and its prices; never NULL. */
const struct sw_policy *sw_settings_policy(const struct sw_settings *settings);

/* Rules for grouping jobs; may be NULL or empty. */
const struct sw_group_rules *
sw_settings_group_rules(const struct sw_settings *settings);

/* File for sw_catalogue_read(); NULL: none. */
const char *sw_settings_node_catalogue(const struct sw_settings *settings);

/* Criteria for naming a node, and for retries; never NULL. */
const struct sw_failure_settings *
sw_settings_failures(const struct sw_settings *settings);
const struct sw_retry_settings *
sw_settings_retries(const struct sw_settings *settings);

void sw_settings_free(struct sw_settings *settings);

#endif
