/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kill_recorder STEPWELL W_STEADY FOLDER COUNT SEED: record w_steady COUNT
 * times and kill each recorder at a random moment.  The command must still run
 * to its end, and the recording must agree with what it did.  Stops at the
 * first failed run and keeps its files.
 *
 * kill_recorder is a subreaper, so it becomes the parent of the processes that
 * a killed recorder leaves behind: only the command, whose exit status it
 * collects.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "faults/agree.h"

#define PERIOD "10ms"

enum {
	PERIOD_USEC = 10000,
	LINES_MIN = 5, LINES_SPREAD = 20,
	START_USEC = 100000,	/* a recorder's longest start */
	LOOK_USEC = 1000, LOOKS_MAX = 5000,
	TEXT_SIZE = 16384,
	EXIT_PARTIAL = 4,	/* see stepwell(1) */
	/*
	 * Rows already taken are kept, so the last one is recent.  A busy
	 * machine may delay it in at most one run of ten.
	 */
	LAG_USEC = 5 * PERIOD_USEC, LATE_SHARE = 10,
};

/* Progress of the recorder when it was killed. */
enum stage {
	BEFORE_COMMAND, BEFORE_PROFILE, BEFORE_STEP, RECORDING, FINISHED,
	TOO_LATE, STAGES
};

static const char *const stage_names[STAGES] = {
	[BEFORE_COMMAND] = "before the command was started",
	[BEFORE_PROFILE] = "before the profile was begun",
	[BEFORE_STEP] = "before the first row",
	[RECORDING] = "while it recorded",
	[FINISHED] = "after the profile was whole",
	[TOO_LATE] = "too late: it had ended",
};

/* A recording and its result. */
struct trial {
	const char *stepwell, *steady;
	char log[PATH_MAX], profile[PATH_MAX];
	size_t lines;
	int status;		/* exit status of the command */
	bool is_early;		/* delay counts from the start */
	uint64_t delay_usec, kill_usec;
	pid_t recorder, command;	/* 0: none was seen */
	int recorder_status, command_status;
	enum stage stage;
	struct truth truth;
	char why[WHY_SIZE];
};

static int fail(struct trial *trial, const char *what)
{
	snprintf(trial->why, sizeof(trial->why), "%s", what);
	return -1;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void start(struct trial *trial)
{
	char lines[16], status[16];
	/* Open it here: the kill may precede anything the child does. */
	int log = open(trial->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		       0600);

	snprintf(lines, sizeof(lines), "%zu", trial->lines);
	snprintf(status, sizeof(status), "%d", trial->status);
	trial->recorder = fork();
	if (trial->recorder != 0) {
		close(log);
		return;
	}
	if (log >= 0 && dup2(log, STDOUT_FILENO) >= 0)
		execl(trial->stepwell, "stepwell", "run", "--no-report",
		      "--period", PERIOD, "--output", trial->profile, "--",
		      trial->steady, lines, status, NULL);
	_exit(126);
}

static void pause_usec(uint64_t usec)
{
	const struct timespec time = {
		.tv_sec = (time_t)(usec / 1000000),
		.tv_nsec = (long)(usec % 1000000 * 1000),
	};

	nanosleep(&time, NULL);
}

/*
 * Return true if info is about a helper process of the recorder, which dies
 * with it; it has ended.  All have stepwell's process names.  A helper that was
 * only just forked still has the recorder's name, and was killed with it or
 * found it gone.
 */
static bool is_helper(const siginfo_t *info)
{
	char path[64], comm[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)info->si_pid);
	file = fopen(path, "re");
	if (file && !fgets(comm, sizeof(comm), file))
		comm[0] = '\0';
	if (file)
		fclose(file);
	if (!strcmp(comm, "stepwell-record\n"))
		return info->si_status ==
		       (info->si_code == CLD_KILLED ? SIGKILL : 0);
	return !strncmp(comm, "stepwell", strlen("stepwell"));
}

/* Wait until all started processes end; the alarm ends those that hang. */
static int collect(struct trial *trial)
{
	int status, count = 0;
	bool is_left_out;
	siginfo_t info;
	pid_t pid;

	alarm(20);
	while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0) {
		is_left_out = info.si_pid != trial->recorder &&
			      is_helper(&info);
		pid = waitpid(info.si_pid, &status, 0);
		if (is_left_out)
			continue;
		if (pid == trial->recorder) {
			trial->recorder_status = status;
			continue;
		}
		trial->command = pid;
		trial->command_status = status;
		count++;
	}
	alarm(0);
	return count > 1 ? fail(trial, "more than the command was left") : 0;
}

/* Check for all lines and the exit status, unless the command never began. */
static int check_command(struct trial *trial)
{
	char text[80];

	if (truth_read_lines(&trial->truth, trial->log, trial->why) < 0)
		return -1;
	if (WIFEXITED(trial->recorder_status)) {
		trial->stage = TOO_LATE;
		if (WEXITSTATUS(trial->recorder_status) != trial->status)
			return fail(trial, "another exit status");
	} else if (WTERMSIG(trial->recorder_status) != SIGKILL) {
		return fail(trial, "the recorder ended by another signal");
	} else if (!trial->command && !trial->truth.line_count) {
		trial->stage = BEFORE_COMMAND;
		return 0;
	} else if (!trial->command) {
		/* The recorder had already reaped it and was about to end. */
		trial->stage = FINISHED;
	} else if (!WIFEXITED(trial->command_status) ||
		   WEXITSTATUS(trial->command_status) != trial->status) {
		snprintf(text, sizeof(text), "the command was disturbed: its "
			 "wait status is %#x", (unsigned)trial->command_status);
		return fail(trial, text);
	}
	if (trial->truth.line_count != trial->lines)
		return fail(trial, "the command's output is not complete");
	return 0;
}

/* Run stepwell; return its exit status, with all its output in text. */
static int ask(const struct trial *trial, const char *verb, char *text)
{
	size_t used = 0;
	ssize_t got;
	int ends[2], status = -1;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		execl(trial->stepwell, "stepwell", verb, trial->profile, NULL);
		_exit(126);
	}
	close(ends[1]);
	while (used < TEXT_SIZE - 1 &&
	       (got = read(ends[0], text + used, TEXT_SIZE - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	close(ends[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Check what verify and report print.  The end of the command may be known even
 * if the recording was not finished.
 */
static int check_words(struct trial *trial, bool is_finished, bool has_end)
{
	bool has_step = trial->stage != BEFORE_STEP;
	char text[TEXT_SIZE];
	int status = ask(trial, "verify", text);

	if (status != (is_finished ? 0 : EXIT_PARTIAL) ||
	    !strstr(text, is_finished ? "\ncomplete\n" : "not complete"))
		return fail(trial, "verify says something else");
	status = ask(trial, "report", text);
	if (status != (has_step ? 0 : 1) ||
	    (!has_step && !strstr(text, "holds no step")))
		return fail(trial, "report says something else");
	if (has_step && has_end == !!strstr(text, "recording ended at"))
		return fail(trial, "report is wrong about the end");
	return 0;
}

static bool is_there(const char *path, const char *suffix, off_t *size)
{
	char name[PATH_MAX + 8];
	struct stat status;

	snprintf(name, sizeof(name), "%s%s", path, suffix);
	if (stat(name, &status) < 0)
		return false;
	*size = status.st_size;
	return true;
}

/* The file may be unreadable only if its header was not yet written. */
static int check_unreadable(struct trial *trial, const char *reason)
{
	off_t size = 0;

	if (is_there(trial->profile, "", &size) ||
	    (is_there(trial->profile, ".part", &size) && size > 0)) {
		snprintf(trial->why, sizeof(trial->why), "not readable: %s",
			 reason);
		return -1;
	}
	if (trial->stage == TOO_LATE || trial->stage == FINISHED)
		return fail(trial, "the profile is not there");
	if (trial->stage != BEFORE_COMMAND)
		trial->stage = BEFORE_PROFILE;
	return 0;
}

static int check_content(struct trial *trial, const struct sw_reader *reader)
{
	const struct sw_reader_health *health = sw_reader_health(reader);
	const struct sw_reader_table *steps = sw_reader_find(reader, "steps");
	const struct sw_reader_table *ends = sw_reader_find(reader, "summary");

	if (health->frames_damaged || health->frames_missing ||
	    health->rows_dropped)
		return fail(trial, "a kill left damage");
	if (trial->stage == TOO_LATE && !health->is_finished)
		return fail(trial, "the recorder ended without finishing");
	if (!steps || !steps->row_count) {
		if (trial->stage != BEFORE_COMMAND)
			trial->stage = BEFORE_STEP;
	} else if (trial->stage != TOO_LATE) {
		trial->stage = health->is_finished ? FINISHED : RECORDING;
	}
	if (agrees(reader, &trial->truth, trial->command, PERIOD_USEC,
		   trial->why) < 0)
		return -1;
	return trial->stage == BEFORE_COMMAND ? 0 :
	       check_words(trial, health->is_finished,
			   ends && ends->row_count);
}

static int check(struct trial *trial, uint64_t *lag_usec)
{
	struct sw_error error;
	struct sw_reader *reader;
	int result;

	trial->stage = RECORDING;
	if (check_command(trial) < 0)
		return -1;
	reader = sw_reader_open(trial->profile, &error);
	if (!reader)
		return check_unreadable(trial, error.text);
	result = check_content(trial, reader);
	*lag_usec = SW_MISSING;
	if (trial->stage == RECORDING &&
	    trial->kill_usec >= last_sample_usec(reader))
		*lag_usec = trial->kill_usec - last_sample_usec(reader);
	sw_reader_close(reader);
	return result;
}

static void remove_files(const struct trial *trial)
{
	static const char *const suffixes[] = { "", ".part", ".tail" };
	char name[PATH_MAX + 8];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", trial->profile,
			 suffixes[i]);
		unlink(name);
	}
	unlink(trial->log);
}

/* Wait until the command writes: a busy machine starts programs slowly. */
static void await_output(const struct trial *trial)
{
	off_t size = 0;

	for (int i = 0; i < LOOKS_MAX && size == 0; i++) {
		pause_usec(LOOK_USEC);
		if (!is_there(trial->log, "", &size))
			size = 0;
	}
}

static int try_once(struct trial *trial, uint64_t *random, uint64_t *lag_usec)
{
	trial->command = 0;
	trial->lines = LINES_MIN + next_random(random) % LINES_SPREAD;
	trial->status = (int)(next_random(random) % 126);
	trial->delay_usec = next_random(random) % (trial->is_early ?
		START_USEC : (uint64_t)trial->lines * PERIOD_USEC);
	start(trial);
	if (!trial->is_early)
		await_output(trial);
	pause_usec(trial->delay_usec);
	trial->kill_usec = sw_clock_boottime_usec();
	kill(trial->recorder, SIGKILL);
	if (collect(trial) < 0 || check(trial, lag_usec) < 0)
		return -1;
	remove_files(trial);
	return 0;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;

	return one < two ? -1 : one > two;
}

static int sum_up(const size_t *stages, uint64_t *lags, size_t lag_count)
{
	size_t late = 0;

	for (size_t i = 0; i < STAGES; i++)
		printf("killed %zu %s\n", stages[i], stage_names[i]);
	if (!lag_count)
		return 0;
	qsort(lags, lag_count, sizeof(*lags), compare_u64);
	printf("lag %" PRIu64 " %" PRIu64 " %" PRIu64 " usec: from the last "
	       "row to the kill: median, 99 %%, largest\n",
	       lags[lag_count / 2], lags[lag_count * 99 / 100],
	       lags[lag_count - 1]);
	while (late < lag_count && lags[lag_count - 1 - late] > LAG_USEC)
		late++;
	printf("late %zu of %zu: the last row was older than %d usec\n", late,
	       lag_count, LAG_USEC);
	return late > lag_count / LATE_SHARE + 1 ? 1 : 0;
}

int main(int argc, char **argv)
{
	static struct trial trial;
	size_t count, i, lag_count = 0, stages[STAGES] = { 0 };
	int result;
	uint64_t random, *lags;

	if (argc != 6)
		return 2;
	count = strtoul(argv[4], NULL, 10);
	random = strtoull(argv[5], NULL, 10) * 2 + 1;
	lags = calloc(count + 1, sizeof(*lags));
	if (!lags || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return 2;
	trial.stepwell = argv[1];
	trial.steady = argv[2];
	snprintf(trial.log, sizeof(trial.log), "%s/log", argv[3]);
	snprintf(trial.profile, sizeof(trial.profile), "%s/p", argv[3]);
	for (i = 0; i < 16; i++)
		next_random(&random);
	for (i = 0; i < count; i++) {
		trial.is_early = i % 4 == 0;
		if (try_once(&trial, &random, &lags[lag_count]) < 0) {
			printf("run %zu, killed after %" PRIu64 " usec%s, %zu "
			       "lines, exit status %d: %s\n", i,
			       trial.delay_usec,
			       trial.is_early ? "" : " of output", trial.lines,
			       trial.status, trial.why);
			return 1;
		}
		stages[trial.stage]++;
		lag_count += trial.stage == RECORDING &&
			     !sw_is_missing(lags[lag_count]);
	}
	result = sum_up(stages, lags, lag_count);
	free(lags);
	return result;
}
