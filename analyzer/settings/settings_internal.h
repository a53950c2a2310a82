/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of the settings, filled by the sections of the file. */
#ifndef SW_ANALYZER_SETTINGS_INTERNAL_H
#define SW_ANALYZER_SETTINGS_INTERNAL_H

#include <stdbool.h>

#include "analyzer/rules/rule.h"
#include "analyzer/settings/settings.h"
#include "common/yaml_walk.h"

struct sw_settings {
	char warning[SW_ERROR_TEXT_SIZE];	/* or "" */
	char *file;			/* file read; or NULL */
	struct sw_thresholds thresholds;
	struct sw_places places;
	char *history_file, *sweep_dir;	/* NULL: per user */
	char *user_history_dir;		/* NULL: none */
	double sweep_keep_days;		/* 0: forever */
	char *node_catalogue;		/* NULL: none */
	bool is_history_off;	/* "run" does not add to it */
	const char *records_program;	/* NULL: sacct */
	char *lsb_acct;			/* replaces it; or NULL */
	struct sw_lsf_site lsf;
	struct sw_policy policy;
	struct sw_failure_settings failures;
	struct sw_retry_settings retries;
	struct sw_group_rules group_rules;
};

static inline struct sw_settings *sw_walk_settings(const struct sw_walk *walk)
{
	return walk->into;
}

/* Sections advice, prices, groups; context is not used. */
int sw_settings_read_advice(const struct sw_walk *walk, const yaml_node_t *value);
int sw_settings_read_prices(const struct sw_walk *walk, const yaml_node_t *value);
int sw_settings_read_groups(const struct sw_walk *walk, const yaml_node_t *value);

/* Sections job_records and lsf. */
int sw_settings_read_job_records(const struct sw_walk *walk,
				 const yaml_node_t *value);
int sw_settings_read_lsf(const struct sw_walk *walk, const yaml_node_t *value);

/* Sections failures and retries. */
int sw_settings_read_failures(const struct sw_walk *walk,
			      const yaml_node_t *value);
int sw_settings_read_retries(const struct sw_walk *walk,
			     const yaml_node_t *value);

#endif
