/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell sweep: all jobs of a night on one page. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/nodes/kinds.h"
#include "analyzer/sweep/night/collect.h"
#include "analyzer/sweep/night/store.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/verbs/sweep_collect.h"
#include "analyzer/verbs/sweep_histories.h"
#include "analyzer/verbs/sweep_page.h"
#include "analyzer/verbs/sweep_submit.h"
#include "analyzer/verbs/verb.h"
#include "common/units.h"

enum {
	SHARDS_MAX = 4096,
	COMPLAINTS_MAX = 20, LOG_SECONDS = 60,
};

struct request {
	struct sw_sweep_request page;
	const char *from, *until, *shard, *submit, *collect_into;
	bool is_collecting;
	uint64_t from_seconds, until_seconds, shard_number, shards;
	const struct sw_settings *settings;
};

/* State of progress messages. */
struct talk {
	const struct request *request;
	bool is_terminal;
	struct timespec start, last;
	size_t complaints;
};

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) +
	       (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

/* Print a bar on a terminal, or a line a minute in a log. */
static void progress(void *context, uint64_t until_seconds, uint64_t jobs)
{
	struct talk *talk = context;
	const struct request *request = talk->request;
	double done = (double)(until_seconds - request->from_seconds) /
		      (double)(request->until_seconds - request->from_seconds);
	double took = seconds_since(&talk->start);

	if (request->page.is_quiet ||
	    (!talk->is_terminal && seconds_since(&talk->last) < LOG_SECONDS))
		return;
	clock_gettime(CLOCK_MONOTONIC, &talk->last);
	fprintf(stderr,
		"%sstepwell: sweep: %3.0f %% of the time, %s jobs, "
		"%.0f a second, %s left%s",
		talk->is_terminal ? "\r\033[K" : "", done * 100,
		sw_count_text(jobs).s, took > 0 ? (double)jobs / took : 0,
		sw_duration_text(sw_whole_real(took / done * (1 - done) * 1e6))
			.s,
		talk->is_terminal ? "" : "\n");
}

static void end_progress(const struct talk *talk)
{
	if (talk->is_terminal && !talk->request->page.is_quiet)
		fputs("\r\033[K", stderr);
}

static void complain(void *context, const char *text)
{
	struct talk *talk = context;

	end_progress(talk);
	if (talk->complaints++ < COMPLAINTS_MAX)
		sw_complain(SW_EXIT_OK, "%s", text);
	else if (talk->complaints == COMPLAINTS_MAX + 1)
		sw_complain(SW_EXIT_OK, "more of the same follows and is only "
			    "counted");
}

static int collect(struct sw_night *night, const struct request *request)
{
	struct talk talk = {
		.request = request, .is_terminal = isatty(STDERR_FILENO),
	};
	const struct sw_collect what = {
		.settings = request->settings,
		.from_seconds = request->from_seconds,
		.until_seconds = request->until_seconds,
		.shard = request->shard_number, .shards = request->shards,
		.progress = progress, .complain = complain, .context = &talk,
	};
	struct sw_error error;
	int rc;

	clock_gettime(CLOCK_MONOTONIC, &talk.start);
	talk.last = talk.start;
	rc = sw_collect(night, &what, &error);
	end_progress(&talk);
	return rc < 0 ? sw_complain(SW_EXIT_FAILURE, "%s", error.text) :
			SW_EXIT_OK;
}

/* Without its catalogue the night only lacks costs. */
static int collect_with_kinds(struct sw_night *night,
			      const struct request *request)
{
	struct talk talk = { .request = request };
	struct sw_error error;
	int status;

	if (sw_kinds_open(&night->kinds,
			  sw_settings_node_catalogue(request->settings),
			  complain, &talk, &error) < 0)
		sw_complain(SW_EXIT_OK, "%s; no job has a cost", error.text);
	status = collect(night, request);
	sw_kinds_close(night->kinds);
	night->kinds = NULL;
	return status;
}

/* Whole days are kept for comparison with later ones. */
static bool is_kept(const struct request *request)
{
	return request->shards == 1 &&
	       sw_time_is_day(request->from_seconds, request->until_seconds);
}

static int save(const struct sw_night *night,
		const struct sw_out_request *file)
{
	struct sw_error error;

	return sw_night_save(night, file, &error) == 0 ?
		       SW_EXIT_OK :
		       sw_complain(SW_EXIT_FAILURE, "%s", error.text);
}

static int keep(const struct sw_night *night, const char *folder,
		const struct request *request)
{
	unsigned days = sw_settings_sweep_keep_days(request->settings);
	char path[PATH_MAX];
	const struct sw_out_request file = sw_night_request(path);
	int status;

	sw_sweep_path(path, sizeof(path), folder, night->from_seconds);
	status = save(night, &file);
	if (status != SW_EXIT_OK)
		return status;
	if (days)
		sw_sweep_expire(folder, night->from_seconds, (int)days);
	return sw_verb_sweep_histories(night, request->settings);
}

static int finish(const struct sw_night *night, const char *folder,
		  const struct request *request)
{
	const struct sw_out_request part = sw_sweep_out(&request->page,
							SW_OWN_NIGHT);
	int kept = SW_EXIT_OK, status;

	if (request->page.output)
		return save(night, &part);
	if (is_kept(request))
		kept = keep(night, folder, request);
	if (kept != SW_EXIT_OK && kept != SW_EXIT_PARTIAL)
		return kept;
	status = sw_sweep_print(night, folder, request->settings,
				&request->page);
	return status == SW_EXIT_OK ? kept : status;
}

static int sweep_here(const struct request *request, const char *folder)
{
	struct sw_night night;
	int status;

	sw_night_init(&night, request->settings);
	status = collect_with_kinds(&night, request);
	if (status == SW_EXIT_OK)
		status = finish(&night, folder, request);
	sw_night_fini(&night);
	return status;
}

/*
 * The submitter may be allowed to chown files, unlike the job that merges the
 * parts: then write users' histories from the previous night.
 */
static int submit(const struct request *request, const char *folder,
		  const char *after)
{
	const struct sw_sweep_parts parts = {
		.parts = request->submit, .folder = folder, .after = after,
		.from_seconds = request->from_seconds,
		.until_seconds = request->until_seconds,
	};

	int given = sw_sweep_joins_histories()
			    ? SW_EXIT_OK
			    : sw_verb_sweep_last_histories(
				      folder, request->from_seconds,
				      request->settings);
	int status = sw_verb_sweep_submit(&request->page, &parts);

	return status == SW_EXIT_OK ? given : status;
}

/*
 * Fail at once instead of after hours: try the output files and lock the folder
 * until sw_sweep_unlock(*lock).
 */
static int prepare(const struct request *request, const char *folder, int *lock)
{
	struct sw_error error;

	/* Shards run in parallel, and keep nothing there. */
	if (request->submit || (is_kept(request) && !request->page.output)) {
		*lock = sw_sweep_lock(folder, &error);
		if (*lock < 0 && !(request->submit && errno == EBUSY))
			return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	}
	if (!request->submit)
		return sw_sweep_try_files(&request->page);
	/* The job that merges the parts needs the lock. */
	sw_sweep_unlock(*lock);
	*lock = -1;
	return SW_EXIT_OK;
}

/* Make a page even without the nodes' summaries. */
static int collect_and_sweep(const struct request *request, const char *folder)
{
	char after[SW_SBATCH_JOB_SIZE] = "";
	int collected = SW_EXIT_OK, status;

	if (request->is_collecting)
		collected = sw_verb_sweep_collect(request->settings,
						  request->page.is_quiet,
						  request->submit ? after :
								    NULL);
	if (collected != SW_EXIT_OK && collected != SW_EXIT_PARTIAL)
		return collected;
	status = request->submit ?
			 submit(request, folder, after[0] ? after : NULL) :
			 sweep_here(request, folder);
	return status == SW_EXIT_OK ? collected : status;
}

static int sweep(const struct request *request)
{
	const char *setting =
		request->page.state ? request->page.state
				    : sw_settings_sweep_dir(request->settings);
	char folder[PATH_MAX];
	struct sw_error error;
	int lock = -1, status;

	if (sw_sweep_folder(setting, folder, sizeof(folder), &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	status = prepare(request, folder, &lock);
	if (status == SW_EXIT_OK)
		status = collect_and_sweep(request, folder);
	sw_sweep_unlock(lock);
	return status;
}

static int parse_time(const char *option, const char *text, uint64_t now,
		      uint64_t *seconds)
{
	if (sw_time_parse(text, now, seconds) == 0)
		return SW_EXIT_OK;
	return sw_complain(SW_EXIT_USAGE, "%s: \"%s\" is no time; examples: "
			   "yesterday, 2026-11-22, 2026-11-22T18:00, now-7days",
			   option, text);
}

/* Default: yesterday. */
static int put_times(struct request *request)
{
	uint64_t now = (uint64_t)time(NULL);
	int status = SW_EXIT_OK;

	request->from_seconds = sw_time_midnight(now, -1);
	if (request->from)
		status = parse_time("--from", request->from, now,
				    &request->from_seconds);
	if (status != SW_EXIT_OK)
		return status;
	request->until_seconds = sw_time_midnight(request->from_seconds, 1);
	if (request->until)
		status = parse_time("--until", request->until, now,
				    &request->until_seconds);
	if (status == SW_EXIT_OK &&
	    request->until_seconds <= request->from_seconds)
		return sw_complain(SW_EXIT_USAGE, "--until must be later than "
				   "--from (without --from: yesterday)");
	return status;
}

static int put_shard(struct request *request)
{
	unsigned shard, shards;
	char more;

	request->shard_number = request->shards = 1;
	if (!request->shard)
		return SW_EXIT_OK;
	if (request->submit)
		return sw_complain(SW_EXIT_USAGE, "--submit makes all parts; "
				   "leave --shard out");
	if (sscanf(request->shard, "%4u/%4u%c", &shard, &shards, &more) != 2 ||
	    !shard || shard > shards || shards > SHARDS_MAX)
		return sw_complain(SW_EXIT_USAGE, "--shard must be one of a "
				   "number, like 3/8, not \"%s\"",
				   request->shard);
	if (!request->page.output)
		return sw_complain(SW_EXIT_USAGE, "--shard needs --output=FILE "
				   "for its part, which \"stepwell merge\" "
				   "then takes");
	request->shard_number = shard;
	request->shards = shards;
	return SW_EXIT_OK;
}

static int check(struct request *request)
{
	int status = sw_sweep_request_check(&request->page);

	if (status == SW_EXIT_OK)
		status = put_times(request);
	if (status == SW_EXIT_OK)
		status = put_shard(request);
	if (status == SW_EXIT_OK && request->submit)
		status = sw_verb_sweep_submit_check(&request->page,
						    request->submit);
	if (status == SW_EXIT_OK && request->shard && request->is_collecting)
		return sw_complain(SW_EXIT_USAGE, "--collect is done once, not "
				   "for each part; leave --shard out");
	return status;
}

static int sweep_with(struct request *request, struct sw_settings *settings)
{
	struct sw_inputs inputs;
	int status;

	request->settings = settings;
	request->page.inputs = &inputs;
	if (sw_inputs_init(&inputs, settings, NULL, 0) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "not enough memory");
	else if (request->collect_into)
		status = sw_verb_sweep_collect_into(settings,
						    request->collect_into,
						    request->page.is_quiet);
	else
		status = sweep(request);
	sw_inputs_fini(&inputs);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = { .from = NULL };
	struct sw_sweep_request *page = &request.page;
	const struct sw_option options[] = {
		{ "from=TIME", NULL, &request.from,
		  "jobs that ended from then on (default: yesterday)" },
		{ "until=TIME", NULL, &request.until,
		  "jobs that ended before (default: a day later)" },
		{ "user=NAME", NULL, &page->part.user, "the page of one user" },
		{ "group=NAME", NULL, &page->part.group,
		  "the page of one group of jobs" },
		{ "pipeline=NAME", NULL, &page->part.pipeline,
		  "the page of one pipeline" },
		{ "run=ID", NULL, &page->part.run,
		  "the page of one run of a pipeline" },
		{ "rows=N", NULL, &page->rows,
		  "rows of each list (default 10; 0: all)" },
		{ "json", &page->is_json, NULL, "print JSON" },
		{ "csv", &page->is_csv, NULL, "print the groups as CSV" },
		{ "html=FILE", NULL, &page->html, "write one HTML file" },
		{ "state=FOLDER", NULL, &page->state,
		  "folder of past nights" },
		{ "shard=PART", NULL, &request.shard,
		  "only one part of the users: 3/8" },
		{ "submit=N", NULL, &request.submit,
		  "as a job array of N parts, and a job that joins them" },
		{ "collect", &request.is_collecting, NULL,
		  "first copy the nodes' summaries, by a job on each" },
		{ "collect-into=FOLDER", NULL, &request.collect_into,
		  "copy this node's summaries there, and no page" },
		{ "output=FILE", NULL, &page->output,
		  "write what \"merge\" takes, and no page" },
		{ "force", &page->is_forced, NULL,
		  "replace FILE even if stepwell did not write it" },
		{ "quiet", &page->is_quiet, NULL, "show no progress" },
		{ NULL, NULL, NULL, NULL },
	};
	struct sw_settings *settings;
	int first = sw_options_parse(&sw_verb_sweep, argc, argv, options);
	int status;

	if (first < 0)
		return sw_options_exit(first);
	if (first < argc)
		return sw_complain(SW_EXIT_USAGE, "sweep: unexpected \"%s\"",
				   argv[first]);
	status = check(&request);
	if (status != SW_EXIT_OK)
		return status;
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	status = sweep_with(&request, settings);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_sweep = {
	.name = "sweep",
	.usage = "[OPTION]...",
	.help = "shows what all jobs of a night wasted, lost and repeated",
	.manual = "stepwell-sweep(1)",
	.run = run,
};
