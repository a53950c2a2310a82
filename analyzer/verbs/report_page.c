/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output file of "report --html". */
#include "analyzer/verbs/report_page.h"

#include <string.h>
#include <unistd.h>

#include "analyzer/print/messages.h"
#include "analyzer/recordings/choose.h"
#include "analyzer/settings/settings.h"
#include "common/jobid.h"
#include "common/text.h"

static bool has_recording(const char *word, const struct sw_settings *settings)
{
	struct sw_jobfiles files = { 0 };
	struct sw_folders folders;
	struct sw_error error;
	bool has;

	if (sw_folders_init(&folders, sw_settings_places(settings), &error) < 0)
		return false;
	has = sw_recordings_find(&files, &folders, word, &error, &error) == 0 &&
	      files.count;
	sw_jobfiles_fini(&files);
	sw_folders_fini(&folders);
	return has;
}

/* True for the name of a recording in place of an output file. */
static bool is_recording(const char *word, const struct sw_settings *settings)
{
	struct sw_jobid id;

	if (sw_has_suffix(word, ".stepwell"))
		return true;
	if (strchr(word, '/') || !strcmp(word, "-") ||
	    sw_has_suffix(word, ".html") || sw_has_suffix(word, ".htm"))
		return false;
	return sw_jobid_parse(word, &id) == 0 ||
	       (access(word, F_OK) < 0 && has_recording(word, settings));
}

int sw_report_page_check(const char *path, const struct sw_settings *settings)
{
	if (!is_recording(path, settings))
		return SW_EXIT_OK;
	return sw_complain(SW_EXIT_USAGE, "report: --html needs the file to "
			   "write, and \"%s\" is a recording; to report on it: "
			   "stepwell report %s --html FILE (--force writes to "
			   "\"%s\")", path, path, path);
}
