/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_walltime FOLDER|LOG...: replay time limits on logs of real jobs,
 * queried in the order of submission and learned when jobs end.  Prints for the
 * user's request, predictors of the literature and stepwell's advice how close
 * they are, how many jobs they kill and how much time they plan in vain; and
 * for stated risks, how often the limit was exceeded.  Limits are capped at the
 * user's request, as schedulers would not run a job any longer.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/time_model.h"
#include "bench/joblog.h"
#include "bench/walltime_sides.h"

enum { SIDES_MAX = 16, RISKS = 5, LEAST_RUNS = 3, PATH_SIZE = 4096 };

static const double stated_risks[RISKS] = { 0.01, 0.02, 0.05, 0.1, 0.2 };

/* Sums over the jobs of a log for one side. */
struct tally {
	size_t advised;
	size_t killed;		/* that would have ended by themselves */
	size_t doomed;		/* that the user's own limit also killed */
	double accuracy;
	double unused, unused_cores;	/* seconds planned in vain */
	double lost_cores;		/* in killed jobs */
};

/* Number of times that a limit with a stated risk was exceeded. */
struct calibration {
	size_t asked, exceeded, unknown;
};

/* All runs of a group that have ended so far. */
struct group {
	struct sw_run *runs;
	size_t count, size;
	struct sw_time_model models[RISKS];
};

struct replay {
	const struct joblog *log;
	struct group *groups;
	double (*last)[2];	/* by user */
	size_t *by_end;		/* jobs by end time */
	size_t warm;		/* jobs whose work has LEAST_RUNS ended runs */
	size_t hit;		/* jobs that hit the user's own limit */
	double used_cores;
	struct tally tallies[SIDES_MAX];
	struct calibration calibrations[RISKS];
};

static const struct joblog_job *sorted_jobs;	/* for compare_ends() */

static int compare_ends(const void *one, const void *two)
{
	const struct sw_run *a = &sorted_jobs[*(const size_t *)one].run;
	const struct sw_run *b = &sorted_jobs[*(const size_t *)two].run;

	return (a->end_seconds > b->end_seconds) -
		(a->end_seconds < b->end_seconds);
}

static bool is_hit(const struct sw_run *run)
{
	return run->elapsed_seconds >= 0.995 * run->requested_seconds;
}

static int learn(struct replay *replay, const struct joblog_job *job)
{
	struct group *group = &replay->groups[job->group];
	double *last = replay->last[job->user];
	bool is_end = job->run.state == SW_RUN_COMPLETED;

	last[0] = last[1];
	last[1] = job->run.elapsed_seconds;
	for (size_t i = 0; i < RISKS; i++)
		if (sw_time_model_learn(&group->models[i],
					job->run.elapsed_seconds, !is_end,
					NAN) < 0)
			return -1;
	if (group->count == group->size) {
		size_t size = group->size ? group->size * 2 : 8;
		struct sw_run *runs = reallocarray(group->runs, size,
						   sizeof(*runs));

		if (!runs)
			return -1;
		group->runs = runs;
		group->size = size;
	}
	group->runs[group->count++] = job->run;
	return 0;
}

static void tally_job(struct tally *tally, const struct sw_run *run,
		      double limit)
{
	double used = run->elapsed_seconds;
	bool is_advised = limit < run->requested_seconds;

	if (!is_advised)
		limit = run->requested_seconds;
	tally->advised += is_advised;
	tally->accuracy += fmin(used, limit) / fmax(used, limit);
	if (used > limit && is_advised) {
		tally->killed += !is_hit(run);
		tally->doomed += is_hit(run);
		tally->lost_cores += is_hit(run) ? 0 :
			limit * run->requested_cores;
	} else {
		tally->unused += fmax(limit - used, 0);
		tally->unused_cores +=
			fmax(limit - used, 0) * run->requested_cores;
	}
}

static void calibrate(struct replay *replay, const struct group *group,
		      const struct joblog_job *job)
{
	bool is_end = job->run.state == SW_RUN_COMPLETED;

	for (size_t i = 0; i < RISKS; i++) {
		struct calibration *self = &replay->calibrations[i];
		double limit = sw_time_model_limit(&group->models[i],
						   NAN).seconds;

		if (isnan(limit))
			continue;
		self->asked++;
		if (job->run.elapsed_seconds > limit)
			self->exceeded++;
		else if (!is_end)
			self->unknown++;
	}
}

static void ask(struct replay *replay, const struct joblog_job *job)
{
	const struct group *group = &replay->groups[job->group];
	const struct sw_run *run = &job->run;
	struct sw_runs runs = { group->runs, group->count };
	struct walltime_past past = {
		.group = &runs,
		.last = { replay->last[job->user][0],
			  replay->last[job->user][1] },
	};

	replay->warm += group->count >= LEAST_RUNS;
	replay->hit += is_hit(run);
	replay->used_cores += run->elapsed_seconds * run->requested_cores;
	for (size_t i = 0; i < walltime_side_count; i++)
		tally_job(&replay->tallies[i], run,
			  walltime_sides[i].limit(&past, job));
	if (group->count >= LEAST_RUNS)
		calibrate(replay, group, job);
}

static int replay_jobs(struct replay *replay)
{
	const struct joblog *log = replay->log;
	size_t ended = 0;

	for (size_t i = 0; i < log->count; i++) {
		const struct joblog_job *job = &log->jobs[i];

		while (ended < log->count) {
			const struct joblog_job *past =
				&log->jobs[replay->by_end[ended]];

			if (past->run.end_seconds > job->submit_seconds)
				break;
			if (learn(replay, past) < 0)
				return -1;
			ended++;
		}
		ask(replay, job);
	}
	return 0;
}

static int replay_init(struct replay *replay, const struct joblog *log)
{
	*replay = (struct replay){
		.log = log,
		.groups = calloc(log->groups + 1, sizeof(*replay->groups)),
		.last = calloc(log->users + 1, sizeof(*replay->last)),
		.by_end = calloc(log->count + 1, sizeof(*replay->by_end)),
	};
	if (!replay->groups || !replay->last || !replay->by_end)
		return -1;
	for (size_t i = 0; i < log->users; i++)
		replay->last[i][0] = replay->last[i][1] = NAN;
	for (size_t i = 0; i < log->groups; i++)
		for (size_t j = 0; j < RISKS; j++)
			sw_time_model_init(&replay->groups[i].models[j],
					   stated_risks[j]);
	for (size_t i = 0; i < log->count; i++)
		replay->by_end[i] = i;
	sorted_jobs = log->jobs;
	qsort(replay->by_end, log->count, sizeof(*replay->by_end),
	      compare_ends);
	return 0;
}

static void replay_fini(struct replay *replay)
{
	for (size_t i = 0; replay->groups && i < replay->log->groups; i++) {
		for (size_t j = 0; j < RISKS; j++)
			sw_time_model_fini(&replay->groups[i].models[j]);
		free(replay->groups[i].runs);
	}
	free(replay->groups);
	free(replay->last);
	free(replay->by_end);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_sides(const struct replay *replay)
{
	const struct tally *user = &replay->tallies[0];
	double jobs = (double)replay->log->count;

	printf("%-13s %8s %8s %8s %8s %9s %8s %8s %7s\n", "limit",
	       "advised", "accuracy", "killed", "doomed", "of the",
	       "unused", "unused", "lost");
	printf("%-13s %8s %8s %8s %8s %9s %8s %8s %7s\n", "", "% jobs",
	       "", "% jobs", "% jobs", "% advised", "time", "core-h",
	       "% used");
	for (size_t i = 0; i < walltime_side_count; i++) {
		const struct tally *tally = &replay->tallies[i];

		printf("%-13s %8.1f %8.3f %8.2f %8.2f %9.2f %8.3f %8.3f "
		       "%7.2f\n", walltime_sides[i].name,
		       percent((double)tally->advised, jobs),
		       tally->accuracy / jobs,
		       percent((double)tally->killed, jobs),
		       percent((double)tally->doomed, jobs),
		       percent((double)(tally->killed + tally->doomed),
			       (double)tally->advised),
		       tally->unused / user->unused,
		       tally->unused_cores / user->unused_cores,
		       percent(tally->lost_cores, replay->used_cores));
	}
}

static void print_calibration(const struct replay *replay)
{
	printf("\nstated risk   asked  exceeded  %%, and at most (jobs that "
	       "were cut off below the limit)\n");
	for (size_t i = 0; i < RISKS; i++) {
		const struct calibration *self = &replay->calibrations[i];
		double asked = (double)self->asked;

		printf("%9.0f %% %8zu %9zu  %.2f  %.2f\n",
		       100 * stated_risks[i], self->asked, self->exceeded,
		       percent((double)self->exceeded, asked),
		       percent((double)(self->exceeded + self->unknown),
			       asked));
	}
	printf("\n");
}

static int bench_log(const char *path)
{
	const char *name = strrchr(path, '/');
	struct joblog log;
	struct replay replay;
	int status = -1;

	if (joblog_read(path, &log) < 0)
		return -1;
	if (replay_init(&replay, &log) < 0 || replay_jobs(&replay) < 0) {
		fprintf(stderr, "bench_walltime: %s: %s\n", path,
			strerror(errno));
		goto out;
	}
	printf("%s: %zu jobs (%zu lines left out), %zu users, %zu kinds of "
	       "work; %.1f %% have %d or more of their work that ended; "
	       "%.1f %% ran into the user's own limit\n", name ? name + 1 :
	       path, log.count, log.left_out, log.users, log.groups,
	       percent((double)replay.warm, (double)log.count), LEAST_RUNS,
	       percent((double)replay.hit, (double)log.count));
	print_sides(&replay);
	print_calibration(&replay);
	status = 0;
out:
	replay_fini(&replay);
	joblog_fini(&log);
	return status;
}

static int is_log(const struct dirent *entry)
{
	return strstr(entry->d_name, ".swf") || strstr(entry->d_name, ".csv");
}

static int bench_folder(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_log, alphasort), status = 0;

	if (count < 0 && errno == ENOTDIR)
		return bench_log(folder);
	if (count <= 0) {
		fprintf(stderr, "bench_walltime: %s: no *.swf or *.csv\n",
			folder);
		return -1;
	}
	for (int i = 0; i < count; i++) {
		char path[PATH_SIZE];

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		if (bench_log(path) < 0)
			status = -1;
		free(entries[i]);
	}
	free(entries);
	return status;
}

int main(int argc, char **argv)
{
	int status = EXIT_SUCCESS;

	if (argc < 2) {
		fprintf(stderr, "usage: bench_walltime FOLDER|LOG...\n");
		return 2;
	}
	printf("advised: given less than the user asked for; accuracy: mean of "
	       "the smaller to the larger of\nlimit and time; killed: by the "
	       "limit, would have ended in time; doomed: too, but the user's\n"
	       "own limit killed them later; of the advised: both; unused: "
	       "planned in vain, 1 is the user's\nrequest; lost: core-hours of "
	       "killed jobs.  TRIP's published point (ALCF Mira): accuracy 0.80"
	       "\nwith 5 %% under-estimated.\n\n");
	for (size_t i = 0; i < walltime_side_count; i++)
		printf("%-13s %s\n", walltime_sides[i].name,
		       walltime_sides[i].source);
	printf("\n");
	for (int i = 1; i < argc; i++)
		if (bench_folder(argv[i]) < 0)
			status = EXIT_FAILURE;
	return status;
}
