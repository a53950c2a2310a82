/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell diff: two runs, or two periods of a group, side by side. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/diff/diff.h"
#include "analyzer/print/out_file.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/settings/settings.h"
#include "analyzer/verbs/diff_period.h"
#include "analyzer/verbs/diff_reference.h"
#include "analyzer/verbs/inputs.h"
#include "analyzer/verbs/operand.h"
#include "analyzer/verbs/verb.h"

struct request {
	const char *step, *user, *group, *from, *until, *html;
	bool is_json, is_forced, is_without_sacct;
	const struct sw_settings *settings;
	struct sw_history *history; /* NULL: none */
};

/* A run that is compared. */
struct side {
	struct sw_operand_run files;
	struct sw_loaded loaded;
};

static int load(struct side *side, const char *what,
		const struct request *request)
{
	struct sw_error error;
	int status = sw_operand_run_find(&side->files, what, request->user,
					 request->settings);

	if (status != SW_EXIT_OK)
		return status;
	if (request->step)
		side->files.job.step = request->step;
	if (sw_loaded_read(&side->loaded, &side->files.job, &error) < 0)
		return sw_complain(errno == ENOENT && side->files.job.step
					   ? SW_EXIT_NOTHING_FOUND
					   : SW_EXIT_FAILURE,
				   "%s", error.text);
	if (!request->is_without_sacct)
		sw_loaded_ask(&side->loaded);
	if (sw_loaded_judge(&side->loaded, NULL, request->history,
			    request->settings, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	return SW_EXIT_OK;
}

static void unload(struct side *side)
{
	sw_loaded_fini(&side->loaded);
	sw_operand_run_fini(&side->files);
}

static int write_page(const struct request *request, const struct sw_diff *diff,
		      const char *const *paths, size_t count)
{
	const struct sw_report_style style = sw_style_of_stdout();
	struct sw_out_request page = {
		.path = request->html,
		.kind = SW_OWN_PAGE,
		.is_forced = request->is_forced,
	};
	struct sw_inputs inputs;
	struct sw_out_file file;
	struct sw_error error;
	int rc = -1, status = SW_EXIT_OK;

	if (sw_inputs_init(&inputs, request->settings, paths, count) < 0)
		return sw_complain(SW_EXIT_FAILURE, "not enough memory");
	page.inputs = inputs.paths;
	page.input_count = inputs.count;
	if (sw_out_file_open(&file, &page, &error) < 0) {
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	} else {
		rc = sw_diff_html(file.stream, diff, &style);
		if (sw_out_file_close(&file, rc == 0, &error) < 0)
			status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
		else if (rc < 0)
			status = sw_complain(SW_EXIT_FAILURE, "%s: not written",
					     request->html);
		else if (strcmp(request->html, "-") != 0)
			sw_complain(SW_EXIT_OK, "wrote %s, %s beside %s",
				    request->html, diff->b.name, diff->a.name);
	}
	sw_inputs_fini(&inputs);
	return status;
}

/* paths: files that the page must not replace. */
static int put(const struct request *request, const struct sw_diff *diff,
	       const char *const *paths, size_t count)
{
	const struct sw_report_style style = sw_style_of_stdout();

	if (request->html)
		return write_page(request, diff, paths, count);
	if (request->is_json)
		sw_diff_json(stdout, diff, &style);
	else
		sw_diff_text(stdout, diff, &style);
	return SW_EXIT_OK;
}

static int complain_side(const struct sw_loaded *loaded, int status)
{
	return status != SW_EXIT_FAILURE && sw_job_is_partial(&loaded->job)
		       ? sw_complain_partial(&loaded->job, "the comparison")
		       : status;
}

/* paths: of both; a: NULL if only the history has it. */
static int compare(const struct request *request, const struct sw_diff_run *a,
		   struct side *b, const char *chosen,
		   const char *const *paths)
{
	const struct sw_diff_run run = { &b->loaded, NULL };
	struct sw_diff diff;
	int status;

	if (sw_diff_runs(&diff, a, &run) < 0) {
		status = sw_complain(SW_EXIT_FAILURE, "not enough memory");
	} else {
		diff.chosen = chosen;
		status = put(request, &diff, paths, 2);
	}
	sw_diff_fini(&diff);
	if (a->loaded)
		status = complain_side(a->loaded, status);
	return complain_side(&b->loaded, status);
}

static int diff_two(const struct request *request, const char *const *what)
{
	struct side a = { 0 }, b = { 0 };
	int status = load(&a, what[0], request);

	if (status == SW_EXIT_OK)
		status = load(&b, what[1], request);
	if (status == SW_EXIT_OK) {
		const char *const paths[] = { a.files.job.paths[0],
					      b.files.job.paths[0] };

		status = compare(request,
				 &(struct sw_diff_run){ &a.loaded, NULL }, &b,
				 NULL, paths);
	}
	unload(&a);
	unload(&b);
	return status;
}

static int compare_reference(const struct request *request, struct side *b,
			     const char *what)
{
	struct sw_diff_reference found;
	const char *paths[2] = { NULL, b->files.job.paths[0] };
	int status;

	sw_diff_reference_find(&found, &b->loaded, &b->files, request->history,
			       request->settings);
	if (found.is_loaded)
		paths[0] = found.files.job.paths[0];
	if (!found.chosen)
		status = sw_complain(SW_EXIT_NOTHING_FOUND,
				     "no other successful run of the group of "
				     "%s, neither in the history nor among the "
				     "recordings; name two runs to compare",
				     what);
	else
		status = compare(request,
				 &(struct sw_diff_run){
					 found.is_loaded ? &found.loaded : NULL,
					 found.print },
				 b, found.chosen, paths);
	sw_diff_reference_fini(&found);
	return status;
}

static int diff_one(const struct request *request, const char *what)
{
	struct side b = { 0 };
	int status = load(&b, what, request);

	if (status == SW_EXIT_OK)
		status = compare_reference(request, &b, what);
	unload(&b);
	return status;
}

static int diff_period(const struct request *request)
{
	struct sw_diff_period period;
	int status = sw_diff_period_find(&period, request->group, request->from,
					 request->until, request->settings);

	if (status == SW_EXIT_OK)
		status = put(request, &period.diff, NULL, 0);
	sw_diff_period_fini(&period);
	return status;
}

static int diff(struct request *request, const char *const *what, int count)
{
	int status;

	if (request->group)
		return diff_period(request);
	request->history = sw_loaded_history(request->settings);
	status = count == 1 ? diff_one(request, what[0])
			    : diff_two(request, what);
	sw_history_close(request->history);
	return status;
}

static int check(const struct request *request, int count)
{
	if (request->html && request->is_json)
		return sw_complain(SW_EXIT_USAGE, "diff: --json and --html "
						  "exclude each other");
	if (request->group && (count > 0 || request->step || request->user))
		return sw_complain(SW_EXIT_USAGE, "diff: --group compares "
						  "periods, not single runs");
	if (request->group && !request->from)
		return sw_complain(SW_EXIT_USAGE,
				   "diff: --group needs --from TIME, the "
				   "beginning of the period");
	if (!request->group && (request->from || request->until))
		return sw_complain(SW_EXIT_USAGE, "diff: --from and --until "
						  "need --group NAME");
	if (!request->group && count != 1 && count != 2)
		return sw_complain(SW_EXIT_USAGE,
				   "diff: name two runs, or one to compare with "
				   "the last good run of its group");
	return SW_EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	const struct sw_option options[] = {
		{ "step=STEP", NULL, &request.step,
		  "only this step of both, such as 0 or batch" },
		{ "user=USER", NULL, &request.user,
		  "owner of the jobs, where several users claim them" },
		{ "group=NAME", NULL, &request.group,
		  "compare a period of this group with the runs before it" },
		{ "from=TIME", NULL, &request.from,
		  "runs of the group that ended from then on" },
		{ "until=TIME", NULL, &request.until,
		  "and before then (default: now)" },
		{ "json", &request.is_json, NULL, "print JSON" },
		{ "html=FILE", NULL, &request.html,
		  "write a page for a browser into FILE" },
		{ "force", &request.is_forced, NULL,
		  "replace FILE even if it is not a page of stepwell" },
		{ "no-sacct", &request.is_without_sacct, NULL,
		  "do not ask sacct for the jobs' final states" },
		{ NULL, NULL, NULL, NULL },
	};
	int first = sw_options_parse(&sw_verb_diff, argc, argv, options);
	struct sw_settings *settings;
	int status;

	if (first < 0)
		return sw_options_exit(first);
	status = check(&request, argc - first);
	if (status != SW_EXIT_OK)
		return status;
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	request.settings = settings;
	status = diff(&request, (const char *const *)&argv[first],
		      argc - first);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_diff = {
	.name = "diff",
	.usage = "[OPTION]... [A] B | --group NAME --from TIME",
	.help = "two runs side by side, or a run and the last good one",
	.manual = "stepwell-diff(1)",
	.run = run,
};
