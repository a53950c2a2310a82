/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads logs of jobs; malformed lines are skipped and counted.  Compressed logs
 * are read through gzip(1).
 */
#include "bench/joblog.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIELDS_MAX = 64, SWF_FIELDS = 18, KEY_SIZE = 512 };

extern char **environ;

/* Maps texts to numbers: open addressing, by hash alone (64 bits). */
struct names {
	uint64_t *hashes;	/* 0: free */
	size_t *numbers;
	size_t size, count;
};

/* State of reading one log. */
struct reader {
	struct joblog *log;
	struct names users, groups;
	/* CSV only: position of each enum column, -1: none. */
	int columns[16];
};

enum column {
	USER, NAME, REQUEST, PROCESSORS, SUBMIT, START, END, RUN, STATE,
	COLUMNS,
};

static const char *const column_names[COLUMNS] = {
	[USER] = "user",
	[NAME] = "name",
	[REQUEST] = "wallclock_req",
	[PROCESSORS] = "processors_req",
	[SUBMIT] = "submit_time",
	[START] = "start_time",
	[END] = "end_time",
	[RUN] = "run_time",
	[STATE] = "state",
};

/* Keep twice as many slots as entries, so that one is always free. */
static int names_grow(struct names *names)
{
	struct names grown = { .size = names->size ? names->size * 2 : 1024 };

	grown.hashes = calloc(grown.size, sizeof(*grown.hashes));
	grown.numbers = calloc(grown.size, sizeof(*grown.numbers));
	if (!grown.hashes || !grown.numbers)
		return -1;
	for (size_t i = 0; i < names->size; i++) {
		size_t at = names->hashes[i] & (grown.size - 1);

		if (!names->hashes[i])
			continue;
		while (grown.hashes[at])
			at = (at + 1) & (grown.size - 1);
		grown.hashes[at] = names->hashes[i];
		grown.numbers[at] = names->numbers[i];
	}
	grown.count = names->count;
	free(names->hashes);
	free(names->numbers);
	*names = grown;
	return 0;
}

static int names_number(struct names *names, const char *text, size_t *number)
{
	uint64_t hash = XXH3_64bits(text, strlen(text)) | 1;
	size_t at;

	if (names->count * 2 >= names->size && names_grow(names) < 0)
		return -1;
	at = (hash >> 1) & (names->size - 1);
	while (names->hashes[at] && names->hashes[at] != hash)
		at = (at + 1) & (names->size - 1);
	if (!names->hashes[at]) {
		names->hashes[at] = hash;
		names->numbers[at] = names->count++;
	}
	*number = names->numbers[at];
	return 0;
}

static void names_fini(struct names *names)
{
	free(names->hashes);
	free(names->numbers);
}

/* Split in place; separators are runs of blanks, or single commas. */
static size_t split(char *line, const char *separators, char **fields)
{
	size_t count = 0;
	char *field;

	line[strcspn(line, "\r\n")] = '\0';
	if (*separators == ',') {
		while (count < FIELDS_MAX && (field = strsep(&line, ",")))
			fields[count++] = field;
		return count;
	}
	for (field = strtok(line, separators); field && count < FIELDS_MAX;
	     field = strtok(NULL, separators))
		fields[count++] = field;
	return count;
}

static double number(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end == text || *end ? NAN : value;
}

/* Parse "2019-01-01 08:55:55"; all times are in the same zone, any one. */
static double moment(const char *text)
{
	struct tm tm = { 0 };
	char *end = strptime(text, "%Y-%m-%d %H:%M:%S", &tm);

	return end && !*end ? (double)timegm(&tm) : NAN;
}

/* Add a job whose run, submit time and names are known. */
static int add_job(struct reader *reader, struct joblog_job *job,
		   const char *user, const char *program)
{
	struct joblog *log = reader->log;
	char key[KEY_SIZE];

	if (!(job->run.elapsed_seconds > 0) ||
	    !(job->run.requested_seconds > 0) ||
	    !(job->run.requested_cores > 0) || isnan(job->submit_seconds) ||
	    isnan(job->run.end_seconds)) {
		log->left_out++;
		return 0;
	}
	snprintf(key, sizeof(key), "%s\n%s\n%.0f\n%.0f", user, program,
		 job->run.requested_cores, job->run.requested_seconds);
	if (names_number(&reader->users, user, &job->user) < 0 ||
	    names_number(&reader->groups, key, &job->group) < 0)
		return -1;
	if (log->count == log->size) {
		size_t size = log->size ? log->size * 2 : 4096;
		struct joblog_job *jobs = reallocarray(log->jobs, size,
						       sizeof(*jobs));

		if (!jobs)
			return -1;
		log->jobs = jobs;
		log->size = size;
	}
	log->jobs[log->count++] = *job;
	return 0;
}

/* Status codes of the format: 0 failed, 1 completed, 5 cancelled. */
static enum sw_run_state swf_state(const char *status)
{
	switch (strtol(status, NULL, 10)) {
	case 0: return SW_RUN_FAILED;
	case 1: return SW_RUN_COMPLETED;
	case 5: return SW_RUN_CANCELLED;
	default: return SW_RUN_UNKNOWN;
	}
}

/*
 * Feitelson's definition of the format, version 2.2: job, submit, wait, run,
 * processors, CPU, memory, requested processors, time and memory, status, user,
 * group, program, queue, partition, two about the preceding job.
 */
static int read_swf_line(struct reader *reader, char *line)
{
	char *field[FIELDS_MAX];
	struct joblog_job job = { .run = sw_run_unknown };

	if (*line == ';' || strspn(line, " \t\r\n") == strlen(line))
		return 0;
	if (split(line, " \t", field) < SWF_FIELDS) {
		reader->log->left_out++;
		return 0;
	}
	job.submit_seconds = number(field[1]);
	job.run.elapsed_seconds = number(field[3]);
	job.run.start_seconds = job.submit_seconds + fmax(number(field[2]), 0);
	job.run.end_seconds = job.run.start_seconds + job.run.elapsed_seconds;
	job.run.requested_cores = number(field[7]);
	if (!(job.run.requested_cores > 0))
		job.run.requested_cores = number(field[4]);
	job.run.requested_seconds = number(field[8]);
	job.run.state = swf_state(field[10]);
	return add_job(reader, &job, field[11], field[13]);
}

static int read_csv_head(struct reader *reader, char *line)
{
	char *field[FIELDS_MAX];
	size_t count = split(line, ",", field);

	for (int column = 0; column < COLUMNS; column++) {
		reader->columns[column] = -1;
		for (size_t i = 0; i < count; i++)
			if (strcmp(field[i], column_names[column]) == 0)
				reader->columns[column] = (int)i;
		if (reader->columns[column] < 0) {
			fprintf(stderr, "bench_walltime: no column \"%s\"\n",
				column_names[column]);
			errno = EINVAL;
			return -1;
		}
	}
	return 0;
}

static enum sw_run_state csv_state(const char *state)
{
	if (strcmp(state, "COMPLETED") == 0)
		return SW_RUN_COMPLETED;
	if (strcmp(state, "TIMEOUT") == 0)
		return SW_RUN_TIMEOUT;
	if (strncmp(state, "CANCELLED", 9) == 0)
		return SW_RUN_CANCELLED;
	return SW_RUN_FAILED;
}

static int read_csv_line(struct reader *reader, char *line)
{
	const int *columns = reader->columns;
	char *field[FIELDS_MAX];
	size_t count = split(line, ",", field);
	struct joblog_job job = { .run = sw_run_unknown };

	for (int i = 0; i < COLUMNS; i++) {
		if ((size_t)columns[i] < count)
			continue;
		reader->log->left_out++;
		return 0;
	}
	job.submit_seconds = moment(field[columns[SUBMIT]]);
	job.run.start_seconds = moment(field[columns[START]]);
	job.run.end_seconds = moment(field[columns[END]]);
	job.run.elapsed_seconds = number(field[columns[RUN]]);
	job.run.requested_seconds = number(field[columns[REQUEST]]);
	job.run.requested_cores = number(field[columns[PROCESSORS]]);
	job.run.state = csv_state(field[columns[STATE]]);
	return add_job(reader, &job, field[columns[USER]],
		       field[columns[NAME]]);
}

static int read_lines(struct reader *reader, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	bool is_csv = false;
	int status = 0;

	for (size_t i = 0; status == 0 && getline(&line, &size, file) > 0;
	     i++) {
		if (i == 0 && strchr(line, ',') && *line != ';') {
			is_csv = true;
			status = read_csv_head(reader, line);
		} else {
			status = is_csv ? read_csv_line(reader, line) :
				read_swf_line(reader, line);
		}
	}
	free(line);
	return status;
}

/* Run gzip -dc on the file; return its output, and its *pid to wait for. */
static FILE *open_packed(const char *path, pid_t *pid)
{
	char *const arguments[] = {
		(char[]){ "gzip" }, (char[]){ "-dc" }, (char[]){ "--" },
		(char *)(uintptr_t)path, NULL,
	};
	posix_spawn_file_actions_t actions;
	int ends[2], error;
	FILE *file;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	error = posix_spawnp(pid, "gzip", &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	file = error ? NULL : fdopen(ends[0], "r");
	if (!file)
		close(ends[0]);
	return file;
}

static int compare_jobs(const void *one, const void *two)
{
	const struct joblog_job *a = one, *b = two;

	if (a->submit_seconds == b->submit_seconds)
		return (a->run.end_seconds > b->run.end_seconds) -
			(a->run.end_seconds < b->run.end_seconds);
	return a->submit_seconds > b->submit_seconds ? 1 : -1;
}

static bool is_packed(const char *path)
{
	size_t length = strlen(path);

	return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

int joblog_read(const char *path, struct joblog *log)
{
	struct reader reader = { .log = log };
	pid_t pid = -1;
	int status = -1, ended = 0;
	FILE *file;

	*log = (struct joblog){ 0 };
	file = is_packed(path) ? open_packed(path, &pid) : fopen(path, "re");
	if (file)
		status = read_lines(&reader, file);
	if (file)
		fclose(file);
	if (pid > 0 && (waitpid(pid, &ended, 0) < 0 || ended != 0))
		status = -1;
	log->users = reader.users.count;
	log->groups = reader.groups.count;
	names_fini(&reader.users);
	names_fini(&reader.groups);
	if (status < 0) {
		fprintf(stderr, "bench_walltime: %s: cannot be read\n", path);
		joblog_fini(log);
		return -1;
	}
	if (log->count > 0)
		qsort(log->jobs, log->count, sizeof(*log->jobs), compare_jobs);
	return 0;
}

void joblog_fini(struct joblog *log)
{
	free(log->jobs);
	*log = (struct joblog){ 0 };
}
