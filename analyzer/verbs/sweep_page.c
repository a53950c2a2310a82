/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the page of a sweep in the requested form. */
#include "analyzer/verbs/sweep_page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/print/messages.h"
#include "analyzer/print/out_file.h"
#include "analyzer/sweep/night/store.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/sweep/views/views.h"
#include "common/text.h"
#include "common/units.h"

enum { ROWS_DEFAULT = 10, ROWS_MAX = 100000 };

int sw_sweep_request_check(struct sw_sweep_request *request)
{
	uint64_t rows = ROWS_DEFAULT;

	if (request->is_json && request->is_csv)
		return sw_complain(SW_EXIT_USAGE, "--json and --csv both go to "
				   "standard output; use one of them");
	if (request->part.pipeline && request->part.run)
		return sw_complain(SW_EXIT_USAGE, "a run is of one pipeline: "
				   "use --pipeline or --run");
	if (request->rows &&
	    sw_count_parse(request->rows, 0, ROWS_MAX, &rows) < 0)
		return sw_complain(SW_EXIT_USAGE, "--rows must be a whole "
				   "number from 0 to %d, not \"%s\"", ROWS_MAX,
				   request->rows);
	request->rows_max = (size_t)rows;
	return SW_EXIT_OK;
}

struct sw_out_request sw_sweep_out(const struct sw_sweep_request *request,
				   enum sw_own kind)
{
	return (struct sw_out_request){
		.path = kind == SW_OWN_PAGE ? request->html : request->output,
		.kind = kind,
		.is_forced = request->is_forced,
		.inputs = request->inputs->paths,
		.input_count = request->inputs->count,
	};
}

int sw_sweep_try_files(const struct sw_sweep_request *request)
{
	const struct sw_out_request page = sw_sweep_out(request, SW_OWN_PAGE);
	const struct sw_out_request part = sw_sweep_out(request, SW_OWN_NIGHT);
	struct sw_error error;

	if ((page.path && sw_out_file_try(&page, &error) < 0) ||
	    (part.path && sw_out_file_try(&part, &error) < 0))
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	return SW_EXIT_OK;
}

static int write_html(const struct sw_sweep_page *page,
		      const struct sw_sweep_request *request,
		      const struct sw_sweep_options *options)
{
	const struct sw_out_request out = sw_sweep_out(request, SW_OWN_PAGE);
	struct sw_out_file file;
	char from[SW_TIME_SIZE], until[SW_TIME_SIZE];
	struct sw_error error;
	bool is_good;

	if (sw_out_file_open(&file, &out, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	is_good = sw_sweep_html(file.stream, page, options) == 0;
	if (sw_out_file_close(&file, is_good, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (!request->is_quiet && strcmp(out.path, "-"))
		sw_complain(SW_EXIT_OK, "wrote %s, the page of the jobs that "
			    "ended from %s until %s", out.path,
			    sw_time_second(from, page->night->from_seconds),
			    sw_time_second(until, page->night->until_seconds));
	return SW_EXIT_OK;
}

static int print(const struct sw_sweep_page *page,
		 const struct sw_sweep_request *request)
{
	const struct sw_sweep_options options = {
		.rows_max = request->rows_max, .style = sw_style_of_stdout(),
	};
	int status = SW_EXIT_OK;

	if (request->html)
		status = write_html(page, request, &options);
	if (request->is_json)
		sw_sweep_json(stdout, page);
	else if (request->is_csv)
		sw_sweep_csv(stdout, page);
	else if (!request->html)
		sw_sweep_text(stdout, page, &options);
	if (status == SW_EXIT_OK && !page->total[SW_TALLY_JOBS])
		status = SW_EXIT_NOTHING_FOUND;
	return status;
}

static int say_none(const struct sw_sweep_part *part)
{
	const struct {
		const char *what, *name;
	} parts[] = {
		{ "the group", part->group },
		{ "the pipeline", part->pipeline },
		{ "the run", part->run },
		{ "the user", part->user },
	};
	char words[512] = "";
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].name)
			sw_text_add(words, sizeof(words), " of %s \"%.100s\"",
				    parts[i].what, parts[i].name);
	}
	return sw_complain(SW_EXIT_NOTHING_FOUND, "no job%s ended in that time",
			   words);
}

int sw_sweep_print(const struct sw_night *night, const char *folder,
		   const struct sw_settings *settings,
		   const struct sw_sweep_request *request)
{
	struct sw_sweep_page page;
	struct sw_past past;
	struct sw_error error;
	int status;

	if (sw_past_load(&past, folder, night, settings, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (sw_sweep_page_init(&page, night, &past, settings,
			       &request->part) < 0) {
		status = errno == ENOENT ? say_none(&request->part) :
			 sw_complain(SW_EXIT_FAILURE, "not enough memory for "
				     "the page");
	} else {
		status = print(&page, request);
		sw_sweep_page_fini(&page);
	}
	sw_past_fini(&past);
	return status;
}
