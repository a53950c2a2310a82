/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A heterogeneous job as a whole, and each of its components. */
#include "analyzer/report/loaded_components.h"

#include <stdlib.h>
#include <string.h>

bool sw_are_components(const struct sw_jobfiles *files)
{
	const struct sw_jobfiles_group *group = files->groups;
	size_t i;

	for (i = 0; i < files->count; i++) {
		if (sw_is_missing(group[i].id.het_component) ||
		    group[i].id.job != group[0].id.job ||
		    group[i].uid != group[0].uid ||
		    strcmp(group[i].cluster, group[0].cluster) != 0)
			return false;
	}
	return files->count > 1;
}

static int compare(const void *a, const void *b)
{
	const struct sw_jobfiles_group *const *one = a, *const *two = b;
	uint64_t first = (*one)->id.het_component,
		 second = (*two)->id.het_component;

	return first < second ? -1 : first > second;
}

/* Parameters common to all components. */
struct reading {
	struct sw_judge *judge;
	bool is_asked;
	struct sw_history *history;
	const struct sw_settings *settings;
	uint64_t uid;
};

static int read_one(struct sw_loaded *loaded, const struct reading *reading,
		    const char *const *paths, size_t count,
		    struct sw_error *error)
{
	const struct sw_job_files files = {
		.paths = paths,
		.count = count,
		.judge = reading->judge,
		.uid = reading->uid,
	};

	if (sw_loaded_read(loaded, &files, error) < 0)
		return -1;
	if (reading->is_asked)
		sw_loaded_ask(loaded);
	return sw_loaded_judge(loaded, NULL, reading->history,
			       reading->settings, error);
}

static int read_part(struct sw_loaded_components *loaded,
		     const struct reading *reading,
		     const struct sw_jobfiles_group *group,
		     struct sw_error *error)
{
	struct sw_loaded *part = &loaded->parts[loaded->count];
	const char *const *paths = (const char *const *)group->paths;

	memcpy(loaded->paths + loaded->path_count, paths,
	       group->count * sizeof(*paths));
	loaded->path_count += group->count;
	loaded->results[loaded->count++] = &part->result;
	if (read_one(part, reading, paths, group->count, error) < 0)
		return -1;
	part->job.earlier_paths = (const char *const *)group->earlier_paths;
	part->job.earlier_count = group->earlier_count;
	part->job.earlier_runs = group->earlier_runs;
	sw_loaded_advise(part, reading->history, reading->settings);
	return 0;
}

static int read_all(struct sw_loaded_components *loaded,
		    const struct reading *reading,
		    const struct sw_jobfiles_group *const *groups, size_t count,
		    struct sw_error *error)
{
	struct reading whole = *reading;
	size_t i;

	for (i = 0; i < count; i++) {
		if (read_part(loaded, reading, groups[i], error) < 0)
			return -1;
	}
	/* The earlier run is known for components only. */
	whole.history = NULL;
	if (read_one(&loaded->whole, &whole, loaded->paths, loaded->path_count,
		     error) < 0)
		return -1;
	loaded->whole.result.components = loaded->results;
	loaded->whole.result.component_count = count;
	return 0;
}

int sw_loaded_components_read(struct sw_loaded_components *loaded,
			      const struct sw_jobfiles *files,
			      struct sw_judge *judge, bool is_asked,
			      struct sw_history *history,
			      const struct sw_settings *settings,
			      struct sw_error *error)
{
	const struct reading reading = {
		judge, is_asked, history, settings, files->groups[0].uid,
	};
	const struct sw_jobfiles_group **groups;
	size_t i, paths = 0;
	int rc = -1;

	memset(loaded, 0, sizeof(*loaded));
	for (i = 0; i < files->count; i++)
		paths += files->groups[i].count;
	groups = calloc(files->count, sizeof(*groups));
	loaded->parts = calloc(files->count, sizeof(*loaded->parts));
	loaded->results = calloc(files->count, sizeof(*loaded->results));
	loaded->paths = calloc(paths + 1, sizeof(*loaded->paths));
	if (groups && loaded->parts && loaded->results && loaded->paths) {
		for (i = 0; i < files->count; i++)
			groups[i] = &files->groups[i];
		qsort(groups, files->count, sizeof(*groups), compare);
		rc = read_all(loaded, &reading, groups, files->count, error);
	} else {
		sw_error_set(error, "not enough memory for the report");
	}
	free(groups);
	return rc;
}

void sw_loaded_components_fini(struct sw_loaded_components *loaded)
{
	size_t i;

	for (i = 0; i < loaded->count; i++)
		sw_loaded_fini(&loaded->parts[i]);
	sw_loaded_fini(&loaded->whole);
	free(loaded->parts);
	free(loaded->results);
	free(loaded->paths);
	memset(loaded, 0, sizeof(*loaded));
}
