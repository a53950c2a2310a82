/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell report: what a recording says, for people or programs. */
#include <limits.h>
#include <string.h>

#include "analyzer/loaded.h"
#include "analyzer/verb.h"

static const struct sw_report_format *find_format(const char *name)
{
	const struct sw_report_format *const *format;

	for (format = sw_report_formats; *format; format++) {
		if (!strcmp((*format)->name, name))
			return *format;
	}
	return sw_report_formats[0];
}

static int report_file(const char *path, const struct sw_settings *settings,
		       const struct sw_report_format *format, bool has_exit)
{
	struct sw_report_style style = sw_style_of_stdout();
	struct sw_loaded loaded;
	struct sw_error error;
	int status = SW_EXIT_OK;

	if (sw_loaded_init(&loaded, &path, 1, NULL, settings, &error) < 0) {
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	} else {
		format->write(stdout, &loaded.result, &style);
		if (has_exit && loaded.result.findings.count)
			status = SW_EXIT_FINDINGS;
		if (sw_job_is_partial(&loaded.job))
			status = sw_complain(SW_EXIT_PARTIAL,
				"%s: parts of the file are damaged, so the "
				"report lacks them; \"stepwell verify\" says "
				"which", path);
	}
	sw_loaded_fini(&loaded);
	return status;
}

static int run(int argc, char **argv)
{
	bool is_brief = false, is_json = false, has_exit = false;
	const struct sw_option options[] = {
		{ "brief", &is_brief },
		{ "json", &is_json },
		{ "exit-code", &has_exit },
		{ NULL, NULL },
	};
	struct sw_settings *settings;
	char path[PATH_MAX];
	struct sw_error error;
	int first, status;

	first = sw_options_parse(argc, argv, options);
	if (first < 0)
		return SW_EXIT_USAGE;
	if (argc - first > 1 || (is_brief && is_json))
		return sw_complain(SW_EXIT_USAGE, is_brief && is_json ?
			"report: --brief and --json exclude each other" :
			"report: one recording at a time");
	status = sw_find_profile(first < argc ? argv[first] : NULL, path,
				 sizeof(path));
	if (status != SW_EXIT_OK)
		return status;
	settings = sw_settings_load(NULL, &error);
	if (!settings)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	status = report_file(path, settings,
			     find_format(is_brief ? "brief" :
					 is_json  ? "json" : "text"),
			     has_exit);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_report = {
	.name = "report",
	.usage = "[--brief|--json] [--exit-code] [FILE|FOLDER|ID|NAME]",
	.help = "what a recording says; the newest if none is named",
	.run = run,
};
