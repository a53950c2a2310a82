/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verbs share: settings, profiles, and what is missing of a job. */
#include "analyzer/verbs/verb.h"

#include <errno.h>

#include "analyzer/recordings/store.h"
#include "analyzer/settings/settings.h"

int sw_complain_partial(const struct sw_job *job, const char *what)
{
	const struct sw_node_file *file = sw_job_find_damaged(job);

	if (file)
		return sw_complain(SW_EXIT_PARTIAL,
			"%s: parts of the file are damaged and missing from "
			"%s; run \"stepwell verify\" for details",
			file->path, what);
	return sw_complain(SW_EXIT_PARTIAL, "%s; %zu recording%s missing from "
			   "%s",
			   job->unread.text, job->unread_count,
			   job->unread_count == 1 ? " is" : "s are", what);
}

struct sw_settings *sw_load_settings(bool warns)
{
	struct sw_error error;
	struct sw_settings *settings = sw_settings_load(NULL, &error);

	if (!settings)
		sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else if (warns && sw_settings_warning(settings))
		sw_complain(SW_EXIT_OK, "%s", sw_settings_warning(settings));
	return settings;
}

int sw_complain_error(const struct sw_error *error)
{
	return sw_complain(errno == ENOENT ? SW_EXIT_NOTHING_FOUND :
					     SW_EXIT_FAILURE, "%s", error->text);
}

int sw_find_profile(const char *what, char *path, size_t size)
{
	struct sw_error error;

	if (sw_store_find(what, path, size, &error) == 0)
		return SW_EXIT_OK;
	return sw_complain_error(&error);
}
