/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile [--inputs N] [--seed N] [--only TARGET] [--keep FOLDER] SOURCE BUILD:
 * give damaged inputs to all readers, each in a child limited to two seconds of
 * CPU time and 256 MiB.  Inputs that crash a reader or exceed a limit are kept
 * as FOLDER/TARGET-SEED-NUMBER and make this fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/missing.h"
#include "test/fuzz/hostile.h"
#include "test/text_profile.h"

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

enum {
	CPU_SECONDS = 2,
	MEMORY_MAX = 256 << 20,
	WAIT_SECONDS = 300, /* wall time, if no CPU time is used */
	OUTPUT_MAX = 64 << 20,
	SEEDS_MAX = 2048,
	TARGETS_MAX = 32,
	SAID_SIZE = 16384,
};

enum verdict { GOOD, CRASHED, TOO_LONG, TOO_LARGE, VERDICTS };

static const char *const verdict_names[] = { "", "crashed", "took too long",
					     "took too much memory" };

struct tally {
	size_t inputs, accepted, bad[VERDICTS];
	double cpu_max;
	long resident_max; /* KiB */
};

static struct hostile {
	struct hostile_places places;
	glob_t seeds[TARGETS_MAX]; /* never freed: used until the end */
	struct tally tally[TARGETS_MAX];
	size_t inputs, seed;
	const char *only, *keep;
	int said_fd;
} run = { .inputs = 1000, .seed = 1, .keep = "." };

/* A sanitizer's report raises a signal, unlike a reader's own failure. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
	return "abort_on_error=1:detect_leaks=0:quarantine_size_mb=8:"
	       "allocator_may_return_null=1:handle_abort=0";
}

const char *__ubsan_default_options(void)
{
	return "abort_on_error=1:print_stacktrace=1";
}

__attribute__((noreturn)) static void die(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static uint8_t *allocate(void)
{
	uint8_t *at = malloc(INPUT_SIZE_MAX);

	if (!at)
		die("hostile");
	return at;
}

static size_t read_file(const char *path, uint8_t *bytes, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, bytes, room);

	if (fd >= 0)
		close(fd);
	return got < 0 ? 0 : (size_t)got;
}

static void write_file(const char *path, const struct input *input)
{
	int fd;

	/* Another user may own it by now, or may have replaced it. */
	if (unlink(path) < 0 && errno != ENOENT)
		die(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, input->bytes, input->size) < 0)
		die(path);
	close(fd);
}

/* Load a text form as plain rows; one that is invalid is empty. */
static void load_text(struct input *input, const char *path)
{
	FILE *out = fmemopen(input->bytes, INPUT_SIZE_MAX, "w");
	struct sw_error error;
	long size = -1;

	if (!out)
		die("fmemopen");
	if (text_profile_print(path, out, &error) == 0 && fflush(out) == 0)
		size = ftell(out);
	input->size = size < 0 ? 0 : (size_t)size;
	fclose(out);
}

static void find_seeds(const struct hostile_target *target, glob_t *seeds)
{
	char pattern[3 * PATH_MAX];
	size_t i;

	for (i = 0; target->seeds[i]; i++) {
		const char *name = target->seeds[i];
		const char *folder = run.places.source;

		if (!strncmp(name, "build/", 6))
			folder = run.places.build, name += 6;
		else if (!strncmp(name, "work/", 5))
			folder = run.places.work, name += 5;
		snprintf(pattern, sizeof(pattern), "%s/%s", folder, name);
		glob(pattern, i ? GLOB_APPEND : 0, NULL, seeds);
	}
}

static void load_seed(struct input *input, const struct hostile_target *target,
		      const glob_t *seeds, struct dice *dice)
{
	const char *path = seeds->gl_pathv[dice_below(dice, seeds->gl_pathc)];

	input->size = 0;
	if (target->is_text_profile)
		load_text(input, path);
	else
		input->size = read_file(path, input->bytes, INPUT_SIZE_MAX);
}

/* Turn the text into the profile at path; false if it is no text form. */
static bool make_profile(const struct input *input, const char *path)
{
	char text[PATH_MAX + 8];
	struct sw_error error;

	if (!input->size)
		return false;
	snprintf(text, sizeof(text), "%.4000s/text", run.places.work);
	write_file(text, input);
	unlink(path);
	return text_profile_write(text, path, true, &error) == 0;
}

static void limit(int resource, rlim_t value)
{
	const struct rlimit limits = { value, value };

	if (setrlimit(resource, &limits) < 0)
		die("setrlimit");
}

__attribute__((noreturn)) static void serve(const struct hostile_target *target,
					    size_t way)
{
	int null = open("/dev/null", O_RDWR);

	limit(RLIMIT_CPU, CPU_SECONDS);
	limit(RLIMIT_FSIZE, OUTPUT_MAX);
	limit(RLIMIT_CORE, 0);
	/* A sanitizer maps terabytes that it never touches. */
	if (!IS_SANITIZED)
		limit(RLIMIT_AS, MEMORY_MAX);
	alarm(WAIT_SECONDS);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(run.said_fd, STDERR_FILENO) < 0)
		_exit(EXIT_FAILURE);
	_exit(target ? target->run(&run.places, way)
		     : hostile_prepare(&run.places));
}

/* Return its last output, which has the reason if memory ran out. */
static const char *what_it_said(void)
{
	static char said[SAID_SIZE];
	off_t end = lseek(run.said_fd, 0, SEEK_END);
	off_t from = end < SAID_SIZE ? 0 : end - SAID_SIZE + 1;
	ssize_t got = pread(run.said_fd, said, SAID_SIZE - 1, from);

	said[got < 0 ? 0 : got] = '\0';
	return said;
}

static enum verdict judge(int status, const struct rusage *usage)
{
	if (WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ||
	     WTERMSIG(status) == SIGALRM))
		return TOO_LONG;
	if (WIFSIGNALED(status))
		return CRASHED;
	if (usage->ru_maxrss > MEMORY_MAX / 1024 ||
	    strstr(what_it_said(), strerror(ENOMEM)) ||
	    strstr(what_it_said(), "out of memory"))
		return TOO_LARGE;
	return GOOD;
}

static enum verdict try_one(const struct hostile_target *target, size_t way,
			    struct tally *tally)
{
	struct rusage usage;
	double seconds;
	int status;
	pid_t pid;

	if (ftruncate(run.said_fd, 0) < 0)
		die("what was said");
	pid = fork();
	if (pid == 0)
		serve(target, way);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		die("fork");
	seconds =
		(double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	tally->inputs++;
	/* 4 and 10 are successes, too (stepwell(1)). */
	tally->accepted += WIFEXITED(status) && (WEXITSTATUS(status) == 0 ||
						 WEXITSTATUS(status) == 4);
	if (seconds > tally->cpu_max)
		tally->cpu_max = seconds;
	if (usage.ru_maxrss > tally->resident_max)
		tally->resident_max = usage.ru_maxrss;
	return judge(status, &usage);
}

static void keep(const struct hostile_target *target, size_t number,
		 enum verdict verdict, size_t way)
{
	static struct input input;
	char path[PATH_MAX + 64];

	if (!input.bytes)
		input.bytes = allocate();
	input.size = read_file(run.places.input, input.bytes, INPUT_SIZE_MAX);
	snprintf(path, sizeof(path), "%.4000s/%s-%zu-%zu%s", run.keep,
		 target->name, run.seed, number, sw_text(target->suffix));
	write_file(path, &input);
	printf("%s: %s (reader %zu)\n%s\n", path, verdict_names[verdict], way,
	       what_it_said());
	fflush(stdout);
}

static const struct hostile_target *choose(struct dice *dice)
{
	const struct hostile_target *target;
	size_t sum = 0, at;

	for (target = hostile_targets; target->name; target++)
		sum += target->share;
	at = dice_below(dice, sum);
	for (target = hostile_targets; at >= target->share; target++)
		at -= target->share;
	return target;
}

/* Numbers count from 0: each gives the same input in every run of this seed. */
static void try_number(size_t number)
{
	static struct input input, other;
	struct dice dice = { run.seed * UINT64_C(0x100000001b3) + number };
	const struct hostile_target *target = choose(&dice);
	const size_t index = (size_t)(target - hostile_targets);
	struct tally *tally = &run.tally[index];
	enum verdict verdict;
	size_t way;

	if (!input.bytes) {
		input.bytes = allocate();
		other.bytes = allocate();
	}
	if (run.only && strcmp(run.only, target->name) != 0)
		return;
	if (!run.seeds[index].gl_pathc)
		return;
	snprintf(run.places.input, PATH_MAX, "%.4000s/input%s", run.places.work,
		 sw_text(target->suffix));
	do {
		load_seed(&input, target, &run.seeds[index], &dice);
		load_seed(&other, target, &run.seeds[index], &dice);
		target->mutate(&input, &other, &dice);
	} while (target->is_text_profile &&
		 !make_profile(&input, run.places.input));
	if (!target->is_text_profile)
		write_file(run.places.input, &input);
	way = dice_below(&dice, 1 << 20);
	verdict = try_one(target, way, tally);
	tally->bad[verdict]++;
	if (verdict != GOOD)
		keep(target, number, verdict, way);
}

/* Make profiles of the text forms, for the targets that read profiles. */
static void make_seeds(void)
{
	static const char pattern[] = "%.3000s/test/rules/*/fires*.txt";
	char path[2 * PATH_MAX];
	struct sw_error error;
	glob_t found = { 0 };
	size_t i;

	snprintf(path, sizeof(path), pattern, run.places.source);
	glob(path, 0, NULL, &found);
	for (i = 0; i < found.gl_pathc; i++) {
		snprintf(path, sizeof(path), "%.4000s/seed-%zu.stepwell",
			 run.places.work, i);
		(void)text_profile_write(found.gl_pathv[i], path, true, &error);
	}
	globfree(&found);
}

static void set_environment(void)
{
	char path[PATH_MAX + 32];

	setenv("HOME", run.places.work, 1);
	setenv("abs_top_builddir", run.places.build, 0);
	setenv("XDG_STATE_HOME", run.places.work, 1);
	setenv("PATH", run.places.work, 1);
	setenv("TZ", "UTC", 1);
	setenv("COLUMNS", "80", 1);
	unsetenv("SLURM_CONF");
	setenv("STEPWELL_CONF", "/dev/null", 1);
	snprintf(path, sizeof(path), "%.4000s/history.sqlite", run.places.work);
	setenv("STEPWELL_HISTORY", path, 1);
}

static void prepare(void)
{
	const char *folder = getenv("TMPDIR");
	static struct input records;
	struct tally tally = { 0 };
	char path[PATH_MAX + 64];

	snprintf(run.places.work, PATH_MAX, "%s/stepwell-hostile.XXXXXX",
		 folder ? folder : "/tmp");
	run.said_fd = memfd_create("said", MFD_CLOEXEC);
	if (!mkdtemp(run.places.work) || chdir(run.places.work) < 0 ||
	    chmod(run.places.work, 0755) < 0 || run.said_fd < 0)
		die(run.places.work);
	fcntl(run.said_fd, F_SETFL, O_APPEND);
	set_environment();
	make_seeds();
	records.bytes = allocate();
	snprintf(path, sizeof(path), "%.4000s/test/fuzz/corpus/records/align",
		 run.places.source);
	records.size = read_file(path, records.bytes, INPUT_SIZE_MAX);
	write_file("records", &records);
	free(records.bytes);
	if (try_one(NULL, 0, &tally) != GOOD) {
		fputs(what_it_said(), stderr);
		die("the history could not be made");
	}
	for (size_t i = 0; hostile_targets[i].name; i++)
		find_seeds(&hostile_targets[i], &run.seeds[i]);
}

static int print_tally(void)
{
	size_t bad = 0;

	printf("%-10s %7s %8s %8s %8s %8s %8s %9s\n", "target", "inputs",
	       "accepted", "crashed", "too long", "too much", "CPU, s",
	       "peak, MiB");
	for (size_t i = 0; hostile_targets[i].name; i++) {
		const struct tally *tally = &run.tally[i];

		if (run.only && strcmp(run.only, hostile_targets[i].name) != 0)
			continue;
		printf("%-10s %7zu %8zu %8zu %8zu %8zu %8.2f %9ld\n",
		       hostile_targets[i].name, tally->inputs, tally->accepted,
		       tally->bad[CRASHED], tally->bad[TOO_LONG],
		       tally->bad[TOO_LARGE], tally->cpu_max,
		       tally->resident_max / 1024);
		bad += tally->inputs - tally->bad[GOOD];
	}
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int remove_path(const char *path, const struct stat *status, int type,
		       struct FTW *ftw)
{
	(void)status, (void)type, (void)ftw;
	return remove(path);
}

static void remove_work(void)
{
	if (chdir("/") < 0 ||
	    nftw(run.places.work, remove_path, 16, FTW_DEPTH | FTW_PHYS) < 0)
		perror(run.places.work);
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "inputs", required_argument, NULL, 'n' },
		{ "seed", required_argument, NULL, 's' },
		{ "only", required_argument, NULL, 'o' },
		{ "keep", required_argument, NULL, 'k' },
		{ 0 },
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (letter) {
		case 'n':
			run.inputs = strtoul(optarg, NULL, 10);
			break;
		case 's':
			run.seed = strtoul(optarg, NULL, 10);
			break;
		case 'o':
			run.only = optarg;
			break;
		case 'k':
			run.keep = optarg;
			break;
		default:
			exit(2);
		}
	}
	if (argc - optind != 2) {
		fputs("usage: hostile [--inputs N] [--seed N] [--only TARGET] "
		      "[--keep FOLDER] SOURCE BUILD\n",
		      stderr);
		exit(2);
	}
	run.keep = realpath(run.keep, NULL);
	if (!run.keep || !realpath(argv[optind], run.places.source) ||
	    !realpath(argv[optind + 1], run.places.build))
		die("folders");
}

int main(int argc, char **argv)
{
	int status;

	read_options(argc, argv);
	prepare();
	for (size_t number = 0; number < run.inputs; number++)
		try_number(number);
	status = print_tally();
	remove_work();
	return status;
}
