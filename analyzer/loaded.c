/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From paths to a result tree. */
#include "analyzer/loaded.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analyzer/history_profile.h"

/* A report does not wait longer for who writes the history. */
enum { WAIT_MSEC = 20 };

int sw_loaded_init(struct sw_loaded *loaded, const char *const *paths,
		   size_t count, const char *step,
		   const struct sw_settings *settings, struct sw_error *error)
{
	memset(loaded, 0, sizeof(*loaded));
	if (sw_job_init(&loaded->job, paths, count, step, error) < 0)
		return -1;
	return sw_result_init(&loaded->result, &loaded->job, settings, error);
}

static struct sw_history *open_history(const struct sw_settings *settings)
{
	const struct sw_history_access access = { .wait_msec = WAIT_MSEC };
	struct sw_error error;
	char path[PATH_MAX];

	if (sw_history_path(sw_settings_history_file(settings), false, path,
			    sizeof(path), &error) < 0)
		return NULL;
	return sw_history_open_as(path, &access, &error);
}

void sw_loaded_advise(struct sw_loaded *loaded,
		      const struct sw_settings *settings)
{
	const struct sw_job *job = &loaded->job;
	struct sw_advice_options options = { .input_bytes = NAN };
	struct sw_history *history = open_history(settings);
	struct sw_profile_run run;
	struct sw_error error;

	if (!history)
		return;
	sw_profile_run(&run, job, job->is_one_step && job->step_count == 1 ?
		       &job->steps[0] : NULL, sw_settings_work(settings));
	/* What goes on, or was seen in part, shows no need. */
	if (!sw_profile_run_refused(job) && !sw_job_is_partial(job))
		options.own = &run.row;
	else
		options.request = &run.row.run;
	if (sw_advice_init(&loaded->advice, history, run.row.group, settings,
			   &options, &error) == 0)
		sw_result_advise(&loaded->result, &loaded->advice);
	sw_history_close(history);
}

void sw_loaded_fini(struct sw_loaded *loaded)
{
	if (loaded->result.advice)
		sw_advice_fini(&loaded->advice);
	sw_result_fini(&loaded->result);
	sw_job_fini(&loaded->job);
}
