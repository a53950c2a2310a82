/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell merge: join the parts of a sweep into one page. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/sweep/night/store.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/verbs/sweep_histories.h"
#include "analyzer/verbs/sweep_page.h"
#include "analyzer/verbs/verb.h"

/* Parts read so far; all have to be of the same night. */
struct parts {
	bool *has;
	uint64_t shards, from_seconds, until_seconds;
};

static int check_part(struct parts *parts, const struct sw_night *part,
		      const char *path)
{
	if (!parts->has) {
		parts->shards = part->shards;
		parts->from_seconds = part->from_seconds;
		parts->until_seconds = part->until_seconds;
		parts->has = calloc(part->shards + 1, sizeof(bool));
		if (!parts->has)
			return sw_complain(SW_EXIT_FAILURE, "not enough "
					   "memory");
	}
	if (part->shards != parts->shards ||
	    part->from_seconds != parts->from_seconds ||
	    part->until_seconds != parts->until_seconds)
		return sw_complain(SW_EXIT_FAILURE, "%s is of another time, or "
				   "of another number of parts, than the "
				   "first; nothing was merged", path);
	if (parts->has[part->shard])
		return sw_complain(SW_EXIT_FAILURE, "%s: part %llu of %llu "
				   "was there before, and jobs count once; "
				   "nothing was merged", path,
				   (unsigned long long)part->shard,
				   (unsigned long long)part->shards);
	parts->has[part->shard] = true;
	return SW_EXIT_OK;
}

static bool is_part(const struct sw_night *part)
{
	return part->shard >= 1 && part->shard <= part->shards &&
	       part->shards <= 4096;
}

static int take(struct sw_night *night, struct parts *parts, const char *path)
{
	struct sw_night part;
	struct sw_error error;
	int status = SW_EXIT_OK;

	sw_night_init(&part, NULL);
	if (sw_night_load(&part, path, &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s; nothing was merged",
				     error.text);
	else if (!is_part(&part))
		status = sw_complain(SW_EXIT_FAILURE, "%s: no part of a "
				     "sweep; nothing was merged", path);
	else
		status = check_part(parts, &part, path);
	if (status == SW_EXIT_OK && sw_night_merge(night, &part) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "not enough memory");
	sw_night_fini(&part);
	return status;
}

static int check_all(const struct parts *parts)
{
	uint64_t i, missing = 0, first = 0;

	for (i = parts->shards; i >= 1; i--) {
		if (parts->has[i])
			continue;
		missing++;
		first = i;
	}
	if (!missing)
		return SW_EXIT_OK;
	return sw_complain(SW_EXIT_FAILURE, "%llu of %llu parts missing, the "
			   "first is %llu; a page without them would be wrong",
			   (unsigned long long)missing,
			   (unsigned long long)parts->shards,
			   (unsigned long long)first);
}

static int print_or_save(const struct sw_night *night, const char *folder,
			 const struct sw_settings *settings,
			 const struct sw_sweep_request *request)
{
	const struct sw_out_request part = sw_sweep_out(request, SW_OWN_NIGHT);
	struct sw_out_request night_file;
	struct sw_error error;
	char path[PATH_MAX];
	int fd, rc, kept = SW_EXIT_OK, status;

	if (request->output)
		return sw_night_save(night, &part, &error) == 0 ?
			       SW_EXIT_OK :
			       sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (sw_time_is_day(night->from_seconds, night->until_seconds)) {
		fd = sw_sweep_lock(folder, &error);
		sw_sweep_path(path, sizeof(path), folder, night->from_seconds);
		night_file = sw_night_request(path);
		rc = fd < 0 ? -1 : sw_night_save(night, &night_file, &error);
		if (rc == 0 && !request->has_no_histories)
			kept = sw_verb_sweep_histories(night, settings);
		sw_sweep_unlock(fd);
		if (rc < 0)
			return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	}
	status = sw_sweep_print(night, folder, settings, request);
	return status == SW_EXIT_OK ? kept : status;
}

static int merge(char **paths, const struct sw_settings *settings,
		 const struct sw_sweep_request *request)
{
	struct parts parts = { .has = NULL };
	struct sw_error error;
	struct sw_night night;
	char folder[PATH_MAX];
	int status = SW_EXIT_OK;

	if (sw_sweep_folder(request->state ? request->state :
			    sw_settings_sweep_dir(settings),
			    folder, sizeof(folder), &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	status = sw_sweep_try_files(request);
	if (status != SW_EXIT_OK)
		return status;
	sw_night_init(&night, settings);
	night.from_seconds = SW_MISSING;
	for (; status == SW_EXIT_OK && *paths; paths++)
		status = take(&night, &parts, *paths);
	if (status == SW_EXIT_OK)
		status = check_all(&parts);
	if (status == SW_EXIT_OK)
		status = print_or_save(&night, folder, settings, request);
	free(parts.has);
	sw_night_fini(&night);
	return status;
}

static int run(int argc, char **argv)
{
	struct sw_sweep_request request = { .is_json = false };
	const struct sw_option options[] = {
		{ "user=NAME", NULL, &request.part.user,
		  "the page of one user" },
		{ "group=NAME", NULL, &request.part.group,
		  "the page of one group of jobs" },
		{ "pipeline=NAME", NULL, &request.part.pipeline,
		  "the page of one pipeline" },
		{ "run=ID", NULL, &request.part.run,
		  "the page of one run of a pipeline" },
		{ "rows=N", NULL, &request.rows,
		  "rows of each list (default 10; 0: all)" },
		{ "json", &request.is_json, NULL, "print JSON" },
		{ "csv", &request.is_csv, NULL, "print the groups as CSV" },
		{ "html=FILE", NULL, &request.html, "write one HTML file" },
		{ "state=FOLDER", NULL, &request.state,
		  "folder of past nights" },
		{ "output=FILE", NULL, &request.output,
		  "write all parts as one, and no page" },
		{ "no-histories", &request.has_no_histories, NULL,
		  "leave no histories for users" },
		{ "force", &request.is_forced, NULL,
		  "replace FILE even if stepwell did not write it" },
		{ NULL, NULL, NULL, NULL },
	};
	struct sw_settings *settings;
	struct sw_inputs inputs;
	int first = sw_options_parse(&sw_verb_merge, argc, argv, options);
	int status;

	if (first < 0)
		return sw_options_exit(first);
	if (first == argc)
		return sw_complain(SW_EXIT_USAGE, "merge: which parts? Name "
				   "the files of \"sweep --shard --output\"");
	status = sw_sweep_request_check(&request);
	if (status != SW_EXIT_OK)
		return status;
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	request.inputs = &inputs;
	status = sw_inputs_init(&inputs, settings,
				(const char *const *)argv + first,
				(size_t)(argc - first)) < 0 ?
			 sw_complain(SW_EXIT_FAILURE, "not enough memory") :
			 merge(argv + first, settings, &request);
	sw_inputs_fini(&inputs);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_merge = {
	.name = "merge",
	.usage = "[OPTION]... FILE...",
	.help = "joins the parts of a sweep that was divided into one page",
	.manual = "stepwell-merge(1)",
	.run = run,
};
