/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell report: report recordings, for people or programs. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/print/out_file.h"
#include "analyzer/recordings/choose.h"
#include "analyzer/recordings/jobfiles.h"
#include "analyzer/recordings/store.h"
#include "analyzer/report/loaded_components.h"
#include "analyzer/report/report_acct.h"
#include "analyzer/report/words.h"
#include "analyzer/settings/settings.h"
#include "analyzer/verbs/inputs.h"
#include "analyzer/verbs/report_page.h"
#include "analyzer/verbs/report_user.h"
#include "analyzer/verbs/operand.h"
#include "analyzer/verbs/verb.h"
#include "common/text.h"
#include "common/units.h"

#define HTML_HINT "; to choose the recording: stepwell report NAME --html FILE"

struct request {
	const char *what;	/* NULL: newest */
	const char *step;	/* NULL: all */
	const char *user;	/* job's user; NULL: anybody */
	const char *html;	/* page file; NULL: standard output */
	struct sw_inputs inputs;	/* never overwritten by the page */
	const struct sw_report_format *format;
	const struct sw_settings *settings;
	bool has_exit, is_without_sacct, is_forced;
};

static const struct sw_report_format *find_format(const char *name)
{
	const struct sw_report_format *const *format;

	for (format = sw_report_formats; *format; format++) {
		if (!strcmp((*format)->name, name))
			return *format;
	}
	return sw_report_formats[0];
}

static void set_earlier(struct sw_job *job,
			const struct sw_jobfiles_group *group)
{
	job->earlier_paths = (const char *const *)group->earlier_paths;
	job->earlier_count = group->earlier_count;
	job->earlier_runs = group->earlier_runs;
}

/* Write a report to a stream: 0, or -1 if the stream failed. */
typedef int (*write_f)(const struct request *request, FILE *out,
		       const void *context);

/*
 * Write to the requested output and print errors.  of: name of the run.  Return
 * an exit status.
 */
static int put_report(const struct request *request, write_f write,
		      const void *context, const char *of)
{
	const struct sw_out_request page = {
		.path = request->html, .kind = SW_OWN_PAGE,
		.is_forced = request->is_forced,
		.inputs = request->inputs.paths,
		.input_count = request->inputs.count,
	};
	struct sw_out_file file;
	struct sw_error error;
	int rc;

	if (!request->html) {
		write(request, stdout, context);
		return SW_EXIT_OK;
	}
	if (sw_out_file_open(&file, &page, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s%s", error.text,
				   request->what ? "" : HTML_HINT);
	rc = write(request, file.stream, context);
	if (sw_out_file_close(&file, rc == 0, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (rc < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s: not written",
				   request->html);
	if (strcmp(request->html, "-"))
		sw_complain(SW_EXIT_OK, "wrote %s, the report of %s",
			    request->html, of);
	return SW_EXIT_OK;
}

static int write_result(const struct request *request, FILE *out,
			const void *context)
{
	const struct sw_report_style style = sw_style_of_stdout();

	return request->format->write(out, context, &style);
}

static int write_acct(const struct request *request, FILE *out,
		      const void *context)
{
	const struct sw_report_style style = sw_style_of_stdout();

	return sw_report_acct(out, context, request->format->name, &style);
}

static int put_result(struct request *request, const char *const *paths,
		      size_t path_count, const struct sw_result *result)
{
	char title[SW_JOBID_TEXT_SIZE + 8];
	int status;

	if (sw_inputs_init(&request->inputs, request->settings, paths,
			   path_count) < 0)
		return sw_complain(SW_EXIT_FAILURE, "not enough memory");
	status = put_report(request, write_result, result,
			    sw_title_of(title, sizeof(title), result));
	sw_inputs_fini(&request->inputs);
	return status;
}

/* The exit status depends on findings and on the files. */
static int put_loaded(struct request *request, const struct sw_loaded *loaded,
		      const char *const *paths, size_t path_count)
{
	int status = put_result(request, paths, path_count, &loaded->result);

	if (status == SW_EXIT_OK && request->has_exit &&
	    loaded->result.findings.count)
		status = SW_EXIT_FINDINGS;
	if (status != SW_EXIT_FAILURE && sw_job_is_partial(&loaded->job))
		status = sw_complain_partial(&loaded->job, "the report");
	return status;
}

static int put_acct(struct request *request, const struct sw_acct *acct,
		    const struct sw_jobid *id)
{
	char title[SW_JOBID_TEXT_SIZE + 8];
	int status;

	if (sw_inputs_init(&request->inputs, request->settings, NULL, 0) < 0)
		return sw_complain(SW_EXIT_FAILURE, "not enough memory");
	snprintf(title, sizeof(title), "job %s", sw_jobid_text(id).s);
	status = put_report(request, write_acct, acct, title);
	sw_inputs_fini(&request->inputs);
	return status;
}

/* earlier NULL: a file was named, regardless of others. */
static int report_files(struct request *request,
			const struct sw_job_files *files,
			const struct sw_jobfiles_group *earlier)
{
	struct sw_history *history = sw_loaded_history(request->settings);
	struct sw_loaded loaded;
	struct sw_error error;
	int status = SW_EXIT_OK, rc;

	rc = sw_loaded_read(&loaded, files, &error);
	if (rc == 0 && !request->is_without_sacct)
		sw_loaded_ask(&loaded);
	if (rc < 0 || sw_loaded_judge(&loaded, NULL, history,
				      request->settings, &error) < 0) {
		status = sw_complain(errno == ENOENT && request->step ?
				     SW_EXIT_NOTHING_FOUND : SW_EXIT_FAILURE,
				     "%s", error.text);
	} else {
		if (earlier)
			set_earlier(&loaded.job, earlier);
		sw_loaded_advise(&loaded, history, request->settings);
		status = put_loaded(request, &loaded, files->paths,
				    files->count);
	}
	sw_loaded_fini(&loaded);
	sw_history_close(history);
	return status;
}

static int report_group(struct request *request,
			const struct sw_folders *folders,
			const struct sw_jobfiles_group *group)
{
	const struct sw_job_files files = {
		.paths = (const char *const *)group->paths,
		.count = group->count, .step = request->step,
		.judge = folders->judge, .uid = group->uid,
	};

	return report_files(request, &files, group);
}

/* Read named files as they are, even if other verbs ignore them. */
static int report_named(struct request *request, const char *const *paths,
			size_t count)
{
	const struct sw_job_files files = {
		.paths = paths, .count = count, .step = request->step,
		.judge = sw_judge_new(sw_settings_places(request->settings), NULL),
		.uid = SW_MISSING, .is_named = true,
	};
	int status = report_files(request, &files, NULL);

	sw_judge_free(files.judge);
	return status;
}

/* Report a whole heterogeneous job with its components. */
static int report_components(struct request *request,
			     const struct sw_folders *folders,
			     const struct sw_jobfiles *files)
{
	struct sw_history *history = sw_loaded_history(request->settings);
	struct sw_loaded_components loaded;
	struct sw_error error;
	int status;

	if (sw_loaded_components_read(&loaded, files, folders->judge,
				      !request->is_without_sacct, history,
				      request->settings, &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else
		status = put_loaded(request, &loaded.whole, loaded.paths,
				    loaded.path_count);
	sw_loaded_components_fini(&loaded);
	sw_history_close(history);
	return status;
}

/* Report the target.  --step takes precedence over id->step. */
static int report_target(struct request *request, struct sw_operand *operand,
			 bool *is_found)
{
	struct sw_folders folders;
	struct sw_jobfiles files = { 0 };
	struct sw_error error;
	int status = SW_EXIT_NOTHING_FOUND, rc;

	*is_found = true;
	if (operand->id && operand->id->step[0] && !request->step)
		request->step = operand->id->step;
	if (sw_operand_open(&folders, operand, request->settings, &error) < 0)
		return sw_complain_error(&error);
	rc = sw_operand_find(&files, &folders, operand, &error);
	if (rc == 0)
		sw_report_choose_user(request->user, operand->id, &files);
	if (rc < 0) {
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	} else if (files.count > 1 && operand->id) {
		status = sw_are_components(&files) && !request->step
				 ? report_components(request, &folders, &files)
				 : sw_operand_complain_several(request->what, &files);
	} else if (files.count) {
		sw_operand_tell_which(operand, &files);
		status = report_group(request, &folders, &files.groups[0]);
	} else {
		*is_found = false;
	}
	sw_folders_complain(&folders);
	/* Without a match in a named folder, print the ignored files. */
	if (*is_found || !operand->folder)
		sw_jobfiles_complain(&files, NULL);
	sw_jobfiles_fini(&files);
	sw_folders_fini(&folders);
	return status;
}

static int report_acct(struct request *request,
		       const struct sw_jobid *id)
{
	struct sw_acct acct;
	struct sw_error error;
	int status;

	if (sw_acct_query(&acct, id, &error) < 0)
		return sw_complain(errno == ENOTUNIQ ? SW_EXIT_USAGE :
						       SW_EXIT_NOTHING_FOUND,
				   "no recording of job %s, and %s",
				   sw_jobid_text(id).s, error.text);
	status = put_acct(request, &acct, id);
	sw_acct_fini(&acct);
	return status;
}

/* folder NULL: all folders of the user. */
static int report_newest(struct request *request, const char *folder)
{
	struct sw_operand operand = { .folder = folder };
	char own[PATH_MAX];
	struct sw_error error;
	bool is_found;
	int status = report_target(request, &operand, &is_found);

	if (is_found)
		return status;
	if (!folder && sw_store_folder(own, sizeof(own), &error) < 0)
		return sw_complain_error(&error);
	return sw_complain(SW_EXIT_NOTHING_FOUND, "no recording in %s",
			   folder ? folder : own);
}

/* A number is a job or part of a recording's id, but never a file. */
static int report_job(struct request *request, const struct sw_jobid *id)
{
	struct sw_operand operand = { .id = id };
	bool is_found;
	int status = report_target(request, &operand, &is_found);

	if (!is_found) {
		operand = (struct sw_operand){ .name = request->what };
		status = report_target(request, &operand, &is_found);
	}
	if (is_found)
		return status;
	if (!request->is_without_sacct)
		return report_acct(request, id);
	return sw_complain(SW_EXIT_NOTHING_FOUND, "no recording of job %s",
			   sw_jobid_text(id).s);
}

/* The name means a file or folder only if there is no such recording. */
static int report_name(struct request *request)
{
	struct sw_operand operand = { .name = request->what };
	bool is_found;
	int status = report_target(request, &operand, &is_found);

	if (is_found)
		return status;
	if (sw_is_folder(request->what))
		return report_newest(request, request->what);
	if (access(request->what, F_OK) == 0)
		return report_named(request, &request->what, 1);
	return sw_complain(SW_EXIT_NOTHING_FOUND, "%s", operand.unknown.text);
}

static int report(struct request *request)
{
	const char *what = request->what;
	struct sw_jobid id;

	if (!what || (sw_is_path(what) && sw_is_folder(what)))
		return report_newest(request, what);
	if (sw_is_path(what))
		return report_named(request, &request->what, 1);
	if (sw_jobid_parse(what, &id) == 0)
		return report_job(request, &id);
	return report_name(request);
}

static int run(int argc, char **argv)
{
	bool is_brief = false, is_json = false;
	struct request request = { 0 };
	const struct sw_option options[] = {
		{ "step=STEP", NULL, &request.step,
		 "only this step, such as 0 or batch" },
		{ "user=USER", NULL, &request.user,
		  "owner of the job, where several users claim it" },
		{ "brief", &is_brief, NULL, "print a few lines only" },
		{ "json", &is_json, NULL, "print JSON" },
		{ "html=FILE", NULL, &request.html,
		  "write a page for a browser into FILE" },
		{ "force", &request.is_forced, NULL,
		  "replace FILE even if it is not a page of stepwell" },
		{ "exit-code", &request.has_exit, NULL,
		 "exit with 10 if there are findings" },
		{ "no-sacct", &request.is_without_sacct, NULL,
		 "do not ask sacct for the job's final state" },
		{ NULL, NULL, NULL, NULL },
	};
	struct sw_settings *settings;
	int first, status, i;

	first = sw_options_parse(&sw_verb_report, argc, argv, options);
	if (first < 0)
		return sw_options_exit(first);
	if (is_brief + is_json + (request.html != NULL) > 1)
		return sw_complain(SW_EXIT_USAGE, "report: %s and %s exclude "
				   "each other",
				   is_brief ? "--brief" : "--json",
				   is_brief && is_json ? "--json" : "--html");
	for (i = first; i < argc && argc - first > 1; i++) {
		if (!sw_is_path(argv[i]))
			return sw_complain(SW_EXIT_USAGE, "report: one recording"
					   ", or paths of a job's files");
	}
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	request.what = first < argc ? argv[first] : NULL;
	request.format = find_format(is_brief	  ? "brief" :
				     is_json	  ? "json" :
				     request.html ? "html" : "text");
	request.settings = settings;
	if (request.html && !request.what && !request.is_forced)
		status = sw_report_page_check(request.html, settings);
	else
		status = SW_EXIT_OK;
	if (status == SW_EXIT_OK && argc - first > 1)
		status = report_named(&request,
				      (const char *const *)&argv[first],
				      (size_t)(argc - first));
	else if (status == SW_EXIT_OK)
		status = report(&request);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_report = {
	.name = "report",
	.usage = "[OPTION]... [JOBID|FILE...|FOLDER|ID|NAME]",
	.help = "what a recording says; by default, the newest",
	.manual = "stepwell-report(1)",
	.run = run,
};
