/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings file stepwell.yaml: thresholds of the rules, where profiles and
 * the history are, and what the site wants of advice.
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
 * Read path, or where it is NULL $STEPWELL_CONF, or else SW_SETTINGS_PATH; only
 * that last one may be missing, or not readable for this user, which is a
 * warning.
 * NULL with *error: "FILE:LINE:COLUMN: what is wrong, so what".
 */
struct sw_settings *sw_settings_load(const char *path, struct sw_error *error);

/* Why the defaults are in force although there may be a file; or NULL. */
const char *sw_settings_warning(const struct sw_settings *settings);

/* The file that was read; NULL: none. */
const char *sw_settings_file(const struct sw_settings *settings);

/* Of the rules; NULL: the defaults. */
const struct sw_thresholds *
sw_settings_thresholds(const struct sw_settings *settings);

/* Where profiles and summaries are; NULL: in the defaults' folders. */
const struct sw_places *sw_settings_places(const struct sw_settings *settings);

/* The file of past runs; NULL: each user has one. */
const char *sw_settings_history_file(const struct sw_settings *settings);

/* Where "stepwell sweep" keeps past nights; NULL: each user has a folder. */
const char *sw_settings_sweep_dir(const struct sw_settings *settings);

/* Where it leaves a history for each user; NULL: nowhere. */
const char *sw_settings_user_history_dir(const struct sw_settings *settings);

/* How long it keeps them, and gathered summaries; 0: for ever. */
unsigned sw_settings_sweep_keep_days(const struct sw_settings *settings);

/* Whether "stepwell run" puts what it recorded into the history. */
bool sw_settings_has_history_of_runs(const struct sw_settings *settings);

/* What the jobs of a time are read from: "sacct", or a program's path. */
const char *sw_settings_records_program(const struct sw_settings *settings);

/* LSF's lsb.acct in place of it; NULL: none. */
const char *sw_settings_lsb_acct(const struct sw_settings *settings);

/* Whose records these are: "Slurm" or "LSF". */
const char *sw_settings_scheduler(const struct sw_settings *settings);

/* What the numbers of LSF's jobs mean; NULL: LSF's defaults. */
const struct sw_lsf_site *sw_settings_lsf(const struct sw_settings *settings);

/* What the site wants of advice, and its prices; never NULL. */
const struct sw_policy *sw_settings_policy(const struct sw_settings *settings);

/* Which jobs are one group; NULL, or none. */
const struct sw_group_rules *
sw_settings_group_rules(const struct sw_settings *settings);

/* The file of kinds of nodes, for sw_catalogue_read(); NULL: none. */
const char *sw_settings_node_catalogue(const struct sw_settings *settings);

/* When a node is named for failures, and what a retry is; never NULL. */
const struct sw_failure_settings *
sw_settings_failures(const struct sw_settings *settings);
const struct sw_retry_settings *
sw_settings_retries(const struct sw_settings *settings);

void sw_settings_free(struct sw_settings *settings);

#endif
