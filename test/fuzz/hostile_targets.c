/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the readers and the valid inputs of each. */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "analyzer/compare/difference_words.h"
#include "analyzer/doctor/elf_symbol.h"
#include "analyzer/verbs/verb.h"
#include "recorder/daemon/node_settings.h"
#include "test/fuzz/hostile.h"

/* test/fuzz/fuzz_*.c, each with its function renamed. */
int fuzz_kernfile(const uint8_t *data, size_t size);
int fuzz_protocol(const uint8_t *data, size_t size);
int fuzz_reader(const uint8_t *data, size_t size);

enum { ARGUMENTS_MAX = 12, NOBODY = 65534 };

/* Run "stepwell WORDS"; "@" stands for the input, "%" for an output. */
static int stepwell(const struct hostile_places *places, const char *words)
{
	char text[256], output[PATH_MAX + 8], *argv[ARGUMENTS_MAX + 1],
		*rest = text;
	const struct sw_verb *verb;
	int argc = 0;

	snprintf(text, sizeof(text), "%s", words);
	snprintf(output, sizeof(output), "%.4000s/output", places->work);
	while (argc < ARGUMENTS_MAX && (argv[argc] = strsep(&rest, " "))) {
		if (!strcmp(argv[argc], "@"))
			argv[argc] = (char *)(uintptr_t)places->input;
		else if (!strcmp(argv[argc], "%"))
			argv[argc] = output;
		argc++;
	}
	argv[argc] = NULL;
	verb = sw_verb_find(argv[0]);
	return verb ? verb->run(argc, argv) : SW_EXIT_USAGE;
}

/* Copy the original history to a file that a reader may change. */
static void use_history(const struct hostile_places *places, const char *from,
			const char *name)
{
	static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
	static uint8_t bytes[INPUT_SIZE_MAX];
	char path[PATH_MAX + 64];
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	ssize_t got;
	size_t i;

	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		snprintf(path, sizeof(path), "%.4000s/%s%s", places->work, name,
			 endings[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%.4000s/%s", places->work, name);
	out = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	got = read(in, bytes, sizeof(bytes));
	if (got < 0 || write(out, bytes, (size_t)got) != got)
		exit(EXIT_FAILURE);
	close(in);
	close(out);
	setenv("STEPWELL_HISTORY", path, 1);
}

static int try_profile(const struct hostile_places *places, size_t way)
{
	static const char *const ways[] = {
		"report --no-sacct @",
		"report --no-sacct --json @",
		"report --no-sacct --brief @",
		"report --no-sacct --force --html % @",
		"dump @",
		"dump --json @",
		"verify @",
		"import --claims @",
		"list @",
	};

	use_history(places, "history.sqlite", "own.sqlite");
	/* Root treats files of other users with care. */
	if (geteuid() == 0 && way / 16 % 2)
		(void)!chown(places->input, NOBODY, NOBODY);
	return stepwell(places, ways[way % (sizeof(ways) / sizeof(ways[0]))]);
}

static int put_text(const struct hostile_places *places, const char *name,
		    const char *text)
{
	char path[PATH_MAX + 8];
	int fd;

	snprintf(path, sizeof(path), "%.4000s/%s", places->work, name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, text, strlen(text)) < 0 ||
	    lseek(fd, 0, SEEK_SET) < 0)
		exit(EXIT_FAILURE);
	return fd;
}

/* Sweep a site whose jobs are in this lsb.acct, with output to a file. */
static int sweep(const struct hostile_places *places, const char *acct,
		 const char *words)
{
	char text[4 * PATH_MAX], path[PATH_MAX + 16];

	snprintf(text, sizeof(text),
		 "job_records: %s\nsummaries_dir: %s\nsweep_dir: %s\n", acct,
		 places->work, places->work);
	close(put_text(places, "sweep.yaml", text));
	snprintf(path, sizeof(path), "%.4000s/sweep.yaml", places->work);
	setenv("STEPWELL_CONF", path, 1);
	return stepwell(places, words);
}

static int try_records(const struct hostile_places *places, size_t way)
{
	static const char *const ways[] = {
		"import --user ann @",
		"import --json --user ann @",
		"backtest --trace @",
		"backtest --csv --trace @",
	};
	int status;

	if (way % 8 == 7)
		return sweep(places, places->input,
			     "sweep --from 2026-11-18 --until 2026-11-25 "
			     "--json");
	use_history(places, "history.sqlite", "own.sqlite");
	status = stepwell(places, ways[way % 4]);
	if (way % 4 == 0)
		status |= stepwell(places, "suggest ann/align");
	return status;
}

static int try_script(const struct hostile_places *places, size_t way)
{
	static const char *const ways[] = {
		"suggest --apply @",
		"suggest @",
		"suggest --json @",
		"suggest --group ann/align --apply @",
		"suggest --group ann/align --write --apply @",
	};

	return stepwell(places, ways[way % 5]);
}

static int try_settings(const struct hostile_places *places, size_t way)
{
	static struct sw_node_settings settings;
	static const char *const ways[] = {
		"suggest ann/align",
		"suggest --json ann/align",
		"explain cpu",
		"list",
	};

	sw_node_settings_read(&settings, places->input);
	setenv("STEPWELL_CONF", places->input, 1);
	return stepwell(places, ways[way % 4]);
}

static int try_history(const struct hostile_places *places, size_t way)
{
	static const char *const ways[] = {
		"suggest",
		"suggest ann/align",
		"suggest --json ann/align",
		"suggest 1001",
		"backtest --all",
		"import --rebuild",
		"import --claims records",
	};

	use_history(places, places->input, "own.sqlite");
	return stepwell(places, ways[way % 7]);
}

static int try_night(const struct hostile_places *places, size_t way)
{
	static const char *const ways[] = {
		"merge @",
		"merge --json @",
		"merge --csv @",
		"merge --force --html % @",
		"merge --user ann @",
		"merge --force --output % @",
	};

	return stepwell(places, ways[way % 6]);
}

static int try_doctor(const struct hostile_places *places, size_t way)
{
	static const char *const ways[] = {
		"doctor --nodes @",
		"doctor --json --nodes @",
		"doctor --fix --nodes @",
	};

	return stepwell(places, ways[way % 3]);
}

static uint8_t *read_input(const struct hostile_places *places, size_t *size)
{
	uint8_t *bytes = malloc(INPUT_SIZE_MAX);
	int fd = open(places->input, O_RDONLY | O_CLOEXEC);
	ssize_t got = bytes && fd >= 0 ? read(fd, bytes, INPUT_SIZE_MAX) : -1;
	uint8_t *exact = got < 0 ? NULL : malloc((size_t)got + !got);

	if (!exact)
		exit(EXIT_FAILURE);
	/* Allocate the exact size, so that a sanitizer sees any overrun. */
	*size = (size_t)got;
	memcpy(exact, bytes, *size);
	free(bytes);
	close(fd);
	return exact;
}

static int feed(const struct hostile_places *places,
		int (*take)(const uint8_t *data, size_t size))
{
	size_t size;
	uint8_t *bytes = read_input(places, &size);

	take(bytes, size);
	free(bytes);
	return 0;
}

static int try_reader(const struct hostile_places *places, size_t way)
{
	(void)way;
	return feed(places, fuzz_reader);
}

static int try_protocol(const struct hostile_places *places, size_t way)
{
	(void)way;
	return feed(places, fuzz_protocol);
}

static int try_kernfile(const struct hostile_places *places, size_t way)
{
	(void)way;
	return feed(places, fuzz_kernfile);
}

/*
 * A fingerprint of another run, compared with itself and with one of which
 * nothing is known; encoding keeps what was decoded.
 */
static int try_fingerprint(const struct hostile_places *places, size_t way)
{
	struct sw_fingerprint print, again;
	const struct sw_fingerprint *past[2 * SW_EXPECTED_LEAST];
	uint8_t encoded[SW_FINGERPRINT_BYTES];
	char text[SW_DIFFERENCE_TEXT];
	struct sw_comparison comparison;
	size_t size, i;
	uint8_t *bytes = read_input(places, &size);
	int rc = sw_fingerprint_decode(&print, bytes, size);

	free(bytes);
	if (rc < 0)
		return EXIT_FAILURE;
	size = sw_fingerprint_encode(&print, encoded);
	if (sw_fingerprint_decode(&again, encoded, size) < 0)
		abort();
	if (way % 2)
		sw_fingerprint_init(&again);
	print.state = again.state = SW_RUN_COMPLETED;
	print.has_failure = again.has_failure = false;
	for (i = 0; i < 2 * SW_EXPECTED_LEAST; i++)
		past[i] = i % 2 ? &print : &again;
	rc = way / 2 % 2 ? sw_compare_run(&comparison, &print, past, i) :
			   sw_compare_sets(&comparison, past, i, past, i);
	sw_comparison_words(text, sizeof(text), &comparison);
	sw_comparison_fini(&comparison);
	return rc;
}

static int try_plugin(const struct hostile_places *places, size_t way)
{
	int fd = open(places->input, O_RDONLY | O_CLOEXEC);
	struct sw_error error;
	struct sw_elf elf;
	size_t size, i;
	const volatile unsigned char *at;

	(void)way;
	if (fd < 0 || sw_elf_read(&elf, fd, &error) < 0)
		return EXIT_FAILURE;
	at = sw_elf_symbol(&elf, "plugin_version", &size);
	for (i = 0; at && i < size; i++)
		(void)at[i];
	sw_elf_fini(&elf);
	close(fd);
	return 0;
}

/*
 * Run stepwell-stack on a process that has the input mapped as its program; the
 * input also stands for the process's memory.
 */
static int try_stack(const struct hostile_places *places, size_t way)
{
	enum { BASE = 0x400000, THREADS = 8 };
	char program[PATH_MAX + 32], text[PATH_MAX + 512], pid[16];
	int memory = open(places->input, O_RDONLY), maps, threads;
	struct stat status;
	size_t length = 0, i;

	if (memory < 0 || fstat(memory, &status) < 0)
		return EXIT_FAILURE;
	snprintf(text, sizeof(text),
		 "%x-%" PRIx64 " r-xp 00000000 %02x:%02x %" PRIu64 " %s\n",
		 BASE, BASE + (uint64_t)(status.st_size + 4095) / 4096 * 4096,
		 major(status.st_dev), minor(status.st_dev),
		 (uint64_t)status.st_ino, places->input);
	maps = put_text(places, "maps", text);
	for (i = 0; i < THREADS; i++) {
		size_t at =
			way * (i + 1) * 0x1021 % ((size_t)status.st_size + 1);

		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%zu %zx %zx %zx 0\n", i + 1,
					   BASE + at, at / 3 & ~(size_t)7,
					   at / 2);
	}
	threads = put_text(places, "threads", text);
	snprintf(program, sizeof(program), "%.4000s/recorder/stepwell-stack",
		 places->build);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	if (dup2(threads, STDIN_FILENO) < 0 || dup2(memory, 3) < 0 ||
	    dup2(maps, 4) < 0)
		return EXIT_FAILURE;
	execl(program, "stepwell-stack", pid, (char *)NULL);
	return access(program, X_OK) == 0 ? EXIT_FAILURE : 0;
}

int hostile_prepare(const struct hostile_places *places)
{
	char acct[PATH_MAX + 64];

	snprintf(acct, sizeof(acct), "%.4000s/test/fixtures/lsf/lsb.acct",
		 places->source);
	return stepwell(places, "import --quiet records") |
	       sweep(places, acct,
		     "sweep --from 2026-11-18 --until 2026-11-25 --quiet "
		     "--shard 1/1 --output night");
}

const struct hostile_target hostile_targets[] = {
	{ .name = "rows", .share = 24, .suffix = ".stepwell",
	  .seeds = { "test/rules/*/*.txt", "test/reports/*.txt" },
	  .is_text_profile = true, .mutate = mutate_rows, .run = try_profile },
	{ .name = "frames", .share = 16, .suffix = ".stepwell",
	  .seeds = { "work/seed-*.stepwell",
		     "test/fixtures/profiles/*.stepwell" },
	  .mutate = mutate_frames, .run = try_profile },
	{ .name = "profile", .share = 4, .suffix = ".stepwell",
	  .seeds = { "test/fixtures/profiles/*.stepwell",
		     "test/fixtures/profiles/*.part" },
	  .mutate = mutate_bytes, .run = try_profile },
	{ .name = "reader", .share = 8,
	  .seeds = { "test/fuzz/corpus/reader/*" },
	  .mutate = mutate_bytes, .run = try_reader },
	{ .name = "records", .share = 12, .suffix = ".txt",
	  .seeds = { "test/fixtures/sacct/*.txt", "test/fixtures/lsf/lsb.acct",
		     "test/fuzz/corpus/records/*" },
	  .mutate = mutate_lines, .run = try_records },
	{ .name = "script", .share = 6, .suffix = ".sh",
	  .seeds = { "test/fuzz/corpus/script/*" },
	  .mutate = mutate_lines, .run = try_script },
	{ .name = "settings", .share = 6, .suffix = ".yaml",
	  .seeds = { "test/fuzz/corpus/settings/*", "test/rules/*.yaml" },
	  .mutate = mutate_lines, .run = try_settings },
	{ .name = "history", .share = 6, .suffix = ".sqlite",
	  .seeds = { "work/history.sqlite" },
	  .mutate = mutate_history, .run = try_history },
	{ .name = "night", .share = 6, .seeds = { "work/night" },
	  .mutate = mutate_night, .run = try_night },
	{ .name = "doctor", .share = 4, .suffix = ".json",
	  .seeds = { "test/fuzz/corpus/doctor/*" },
	  .mutate = mutate_lines, .run = try_doctor },
	{ .name = "protocol", .share = 4,
	  .seeds = { "test/fuzz/corpus/protocol/*",
		     "test/fixtures/protocol/v*" },
	  .mutate = mutate_bytes, .run = try_protocol },
	{ .name = "kernfile", .share = 4,
	  .seeds = { "test/fuzz/corpus/kernfile/*" },
	  .mutate = mutate_lines, .run = try_kernfile },
	{ .name = "fingerprint", .share = 4,
	  .seeds = { "test/fuzz/corpus/fingerprint/*" },
	  .mutate = mutate_bytes, .run = try_fingerprint },
	{ .name = "plugin", .share = 2, .suffix = ".so",
	  .seeds = { "build/spank/stepwell.so" },
	  .mutate = mutate_elf, .run = try_plugin },
	{ .name = "stack", .share = 4,
	  .seeds = { "build/test/workloads/w_wait",
		     "build/test/workloads/w_net" },
	  .mutate = mutate_elf, .run = try_stack },
	{ .name = NULL },
};
