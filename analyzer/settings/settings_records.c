/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source of job records, and the meaning of LSF's numbers. */
#include <string.h>

#include "analyzer/settings/settings_internal.h"
#include "config.h"

/* Source of job records: a program, or LSF's file. */
int sw_settings_read_job_records(const struct sw_walk *walk,
				 const yaml_node_t *value)
{
	struct sw_settings *settings = sw_walk_settings(walk);
	const char *text = sw_walk_scalar(value);
	bool is_slurmdb = text && !strcmp(text, "slurmdb");

	if (text && *text == '/')
		return sw_walk_path(walk, "job_records", value,
				    &settings->lsb_acct);
	if (!is_slurmdb && (!text || strcmp(text, "sacct") != 0))
		return sw_walk_complain(walk, value, "job_records must be "
					"sacct, slurmdb or the path of an "
					"lsb.acct");
	settings->records_program =
		is_slurmdb ? PKGLIBEXECDIR "/stepwell-slurmdb" : "sacct";
	return 0;
}

static int read_lsf_key(const struct sw_walk *walk, const yaml_node_t *key,
			const yaml_node_t *value, const void *context)
{
	struct sw_lsf_site *site = &sw_walk_settings(walk)->lsf;
	const char *name = sw_walk_scalar(key), *text = sw_walk_scalar(value);

	(void)context;
	if (name && !strcmp(name, "reserve_per_task"))
		return sw_walk_bool(walk, name, value,
				    &site->reserves_per_task);
	if (!name || strcmp(name, "unit_for_limits") != 0)
		return sw_walk_complain_name(walk, key, "unknown setting of "
					     "lsf");
	site->unit_bytes = text ? sw_lsf_unit_bytes(text) : 0;
	return site->unit_bytes ? 0 :
	       sw_walk_complain(walk, value, "unit_for_limits must be KB, MB, "
				"GB, TB, PB or EB");
}

/* Meaning of the numbers in LSF's records. */
int sw_settings_read_lsf(const struct sw_walk *walk, const yaml_node_t *value)
{
	return sw_walk_pairs(walk, value, read_lsf_key, NULL);
}

const char *sw_settings_lsb_acct(const struct sw_settings *settings)
{
	return settings ? settings->lsb_acct : NULL;
}

const char *sw_settings_scheduler(const struct sw_settings *settings)
{
	return sw_settings_lsb_acct(settings) ? "LSF" : "Slurm";
}

const struct sw_lsf_site *sw_settings_lsf(const struct sw_settings *settings)
{
	return settings ? &settings->lsf : NULL;
}
