/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every counter source against the trees test/fixtures/sources/NAME/good,
 * missing and garbage.  The file "expected" of each has lines "COLUMN VALUE"
 * ("-": missing; "+": 0 at first, and not less each time), "status ok|absent|gone|garbage", and "root PID" where /proc
 * is read.  Of a source with several rows the lines are "row INDEX COLUMN
 * VALUE" and "subject INDEX KIND NAME DETAIL".  Sources that have a backend of
 * cgroup v1 have trees v1-good, v1-missing, v1-garbage and v1-rhel8, too; the
 * trees elN are RHEL's with v2 (test/fixtures/rhel/README).  "make golden"
 * writes all of "expected" but "root" and "+".
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/processes/tree.h"
#include "recorder/sources/pmu/counters.h"
#include "recorder/sources/reading.h"
#include "recorder/sources/source.h"
#include "test/golden_file.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"
#include "test/unit/recorder/sources/gpu/nvml_kit.h"
#include "test/unit/recorder/sources/pmu/papi_kit.h"
#include "test/unit/recorder/sources/pmu/pmu_kit.h"
#include "test/unit/recorder/sources/shared_here.h"

static const char *const trees[] = { "good", "missing", "garbage" };
static const char *const v1_trees[] = {
	"v1-good", "v1-missing", "v1-garbage", "v1-rhel8",
};
static const struct {
	const char *source, *tree;
} rhel_trees[] = {
	{ "cpu", "el9.3" }, { "cpu", "el9.4" },
	{ "memory", "el8.6" }, { "memory", "el9.3" }, { "memory", "el9.4" },
	{ "pressure", "el9.3" }, { "pressure", "el9.4" },
};
static const char *const v1_sources[] = { "cpu", "memory", "task_memory" };
static const char *const statuses[] = {
	[SW_READ_OK] = "ok",
	[SW_READ_ABSENT] = "absent",
	[SW_READ_GONE] = "gone",
	[SW_READ_GARBAGE] = "garbage",
};

enum {
	TREES = 3, V1_TREES = 4, V1_SOURCES = 3, EXPECTED_ROWS_MAX = 32,
	RHEL_TREES = sizeof(rhel_trees) / sizeof(rhel_trees[0]),
};

static int source_count(void)
{
	int count = 0;

	while (sw_sources[count])
		count++;
	return count + 1;
}

/* The table of sources, followed by the template. */
static const struct sw_source *source_at(int index)
{
	return sw_sources[index] ? sw_sources[index] : &sw_src_template;
}

/* Contents of a tree's file "expected". */
struct expected_row {
	uint64_t index;		/* SW_MISSING: source with one row */
	bool has[SW_TABLE_COLUMNS_MAX];
	bool grows[SW_TABLE_COLUMNS_MAX];	/* from the value on */
	uint64_t values[SW_TABLE_COLUMNS_MAX];
	char subject[600];	/* "kind name detail" */
};

struct expected {
	char status[64];
	pid_t root_pid;
	size_t count;
	struct expected_row row[EXPECTED_ROWS_MAX];
};

static struct expected_row *row_of(struct expected *expected, uint64_t index)
{
	size_t i;

	for (i = 0; i < expected->count; i++) {
		if (expected->row[i].index == index)
			return &expected->row[i];
	}
	ck_assert_uint_lt(expected->count, EXPECTED_ROWS_MAX);
	expected->row[expected->count].index = index;
	return &expected->row[expected->count++];
}

static void put_expected(struct expected_row *row,
			 const struct sw_source *source, const char *name,
			 const char *value)
{
	char *end = NULL;
	size_t i;

	for (i = 0; i < source->column_count; i++) {
		if (!strcmp(source->columns[i].name, name))
			break;
	}
	ck_assert_msg(i < source->column_count, "%s has no column %s",
		      source->name, name);
	ck_assert_msg(!row->has[i], "%s: %s twice", source->name, name);
	row->has[i] = true;
	row->values[i] = SW_MISSING;
	if (!strcmp(value, "-"))
		return;
	row->grows[i] = !strcmp(value, "+");
	if (row->grows[i])
		value = "0";
	row->values[i] = strtoull(value, &end, 10);
	ck_assert_msg(*end == '\0', "%s: %s: %s", source->name, name, value);
}

/* A line of "expected". */
struct line {
	enum { LINE_VALUE, LINE_SUBJECT, LINE_STATUS, LINE_ROOT } kind;
	uint64_t index;		/* of the row; SW_MISSING: the only one */
	char name[64], value[600];
};

static struct line line_parse(const char *text)
{
	struct line line = { .index = SW_MISSING };

	if (sscanf(text, "row %" SCNu64 " %63s %63s", &line.index, line.name,
		   line.value) == 3)
		line.kind = LINE_VALUE;
	else if (sscanf(text, "subject %" SCNu64 " %599[^\n]", &line.index,
			line.value) == 2)
		line.kind = LINE_SUBJECT;
	else if (sscanf(text, "status %63s", line.value) == 1)
		line.kind = LINE_STATUS;
	else if (sscanf(text, "root %63s", line.value) == 1)
		line.kind = LINE_ROOT;
	else
		ck_assert_msg(sscanf(text, "%63s %63s", line.name,
				     line.value) == 2, "not understood: %s",
			      text);
	return line;
}

static void take_line(struct expected *expected,
		      const struct sw_source *source, const char *text)
{
	const struct line line = line_parse(text);

	if (line.kind == LINE_VALUE)
		put_expected(row_of(expected, line.index), source, line.name,
			     line.value);
	else if (line.kind == LINE_SUBJECT)
		strcpy(row_of(expected, line.index)->subject, line.value);
	else if (line.kind == LINE_STATUS)
		memcpy(expected->status, line.value, sizeof(expected->status));
	else
		expected->root_pid = (pid_t)atoi(line.value);
}

static void read_expected(struct expected *expected,
			  const struct sw_source *source, const char *folder)
{
	char path[4096], line[1024];
	FILE *file;
	size_t i, j;

	memset(expected, 0, sizeof(*expected));
	snprintf(path, sizeof(path), "%s/expected", folder);
	file = fopen(path, "re");
	ck_assert_msg(file, "no %s: each source needs one; \"make golden\" "
		      "writes it", path);
	while (fgets(line, sizeof(line), file))
		take_line(expected, source, line);
	fclose(file);
	for (j = 0; j < expected->count; j++) {
		for (i = 0; i < source->column_count; i++)
			ck_assert_msg(expected->row[j].has[i],
				      "%s: no line for %s; " GOLDEN_HINT, path,
				      source->columns[i].name);
	}
}

static void folder_of(char *folder, size_t size,
		      const struct sw_source *source, const char *tree)
{
	const char *top = getenv("abs_top_srcdir");
	char script[4096];

	snprintf(folder, size, "%s/test/fixtures/sources/%s/%s",
		 top ? top : ".", source->name, tree);
	/* It also has the script for the stand-in of NVIDIA's library. */
	snprintf(script, sizeof(script), "%.4000s/nvml.txt", folder);
	setenv("STEPWELL_NVML_SCRIPT", script, 1);
}

/* A source reading one folder. */
struct bench {
	const struct sw_source *source;
	struct sw_target target;
	struct sw_cgroup_v1 v1;
	struct sw_target_job job;
	struct sw_target_task task;
	struct sw_reading reading;
	void *memory;
	unsigned descriptors;	/* open before */
};

static unsigned count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	ck_assert_ptr_nonnull(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static void bench_fill(struct bench *bench, const struct sw_source *source,
		       int folder_fd, pid_t root_pid)
{
	memset(bench, 0, sizeof(*bench));
	bench->source = source;
	bench->descriptors = count_descriptors();
	/* Counts of processors and kernel are in the folder's "pmu". */
	pmu_kit_begin();
	pmu_kit_load(folder_fd);
	papi_kit_load(folder_fd);
	bench->target.cgroup_fd = bench->target.proc_fd =
		bench->target.sys_fd = folder_fd;
	bench->job.cgroup_fd = folder_fd;
	sw_cgroup_v1_none(&bench->job.v1);
	bench->target.job = &bench->job;
	bench->target.root_pid = root_pid;
	bench->target.shared = shared_here(folder_fd);
	if (root_pid) {
		bench->target.tree = sw_tree_create(folder_fd, root_pid, NULL);
		bench->task = (struct sw_target_task){
			.pid = root_pid, .rank = 0, .cgroup_number = 0 };
		bench->target.tasks = &bench->task;
		bench->target.task_count = 1;
	}
	/* Separate memory, so that a tool can detect overruns. */
	bench->memory = calloc(1, sw_reading_bytes(source));
	ck_assert_ptr_nonnull(bench->memory);
	sw_reading_init(&bench->reading, source, bench->memory);
}

/* The folder is the whole target; a folder_fd of -1 is nothing. */
static enum sw_read_status bench_open(struct bench *bench,
				      const struct sw_source *source,
				      int folder_fd, pid_t root_pid)
{
	bench_fill(bench, source, folder_fd, root_pid);
	return sw_reading_open(&bench->reading, &bench->target);
}

/* The target is only a folder in the hierarchies of cgroup v1. */
static enum sw_read_status bench_open_v1(struct bench *bench,
					 const struct sw_source *source,
					 int folder_fd, pid_t root_pid)
{
	size_t i;

	bench_fill(bench, source, folder_fd, root_pid);
	bench->target.cgroup_fd = -1;
	for (i = 0; i < SW_V1_CONTROLLERS; i++)
		bench->v1.fd[i] = folder_fd;
	bench->target.v1 = &bench->v1;
	return sw_reading_open(&bench->reading, &bench->target);
}

static enum sw_read_status bench_read(struct bench *bench)
{
	if (bench->target.tree)
		sw_tree_refresh(bench->target.tree);
	return sw_reading_take(&bench->reading, &bench->target);
}

static void bench_close(struct bench *bench)
{
	sw_reading_close(&bench->reading);
	shared_here(-1);
	free(bench->memory);
	sw_tree_destroy(bench->target.tree);
	/* A source without close must not keep anything open. */
	if (!bench->source->close)
		ck_assert_uint_eq(count_descriptors(), bench->descriptors);
	if (bench->target.proc_fd >= 0)
		close(bench->target.proc_fd);
}

static int read_file(const char *path, const struct stat *status, int type,
		     struct FTW *ftw)
{
	char text[4096];
	FILE *file;

	(void)status;
	(void)ftw;
	if (type == FTW_SL)
		(void)!readlink(path, text, sizeof(text));
	file = type == FTW_F ? fopen(path, "re") : NULL;
	while (file && fread(text, 1, sizeof(text), file) > 0)
		;
	if (file)
		fclose(file);
	return 0;
}

/*
 * Read all files first: a process whose files wait for a busy disk would count
 * as one that does not respond, which those in /proc never do for a disk.
 */
static int open_folder(const char *path)
{
	nftw(path, read_file, 8, FTW_PHYS);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void subject_text(const struct bench *bench, uint64_t index, char *text,
			 size_t size)
{
	struct sw_subject subject;

	ck_assert_msg(sw_reading_describe(&bench->reading, index, &subject),
		      "%s: row %" PRIu64 " is nobody's", bench->source->name,
		      index);
	snprintf(text, size, "%s %s%s%s", subject.kind, subject.name,
		 subject.detail[0] ? " " : "", subject.detail);
}

static void compare_subject(const struct bench *bench,
			    const struct expected_row *expected)
{
	char text[1100];

	if (!bench->source->read_rows)
		return;
	subject_text(bench, expected->index, text, sizeof(text));
	ck_assert_str_eq(text, expected->subject);
}

static void compare_value(const struct sw_source *source, const char *tree,
			  size_t i, uint64_t value, struct expected_row *row,
			  int round)
{
	bool may_grow = row->grows[i] && round > 0 && !sw_is_missing(value);

	ck_assert_msg(value == row->values[i] ||
			      (may_grow && value > row->values[i]),
		      "%s/%s: %s is %" PRIu64 ", not %" PRIu64 " as in "
		      "\"expected\" (" GOLDEN_HINT ")", source->name, tree,
		      source->columns[i].name, value, row->values[i]);
	row->values[i] = value;
}

/* A written row must be right; there is none unless the status is OK. */
static void compare(const struct bench *bench, const char *tree,
		    enum sw_read_status status, struct expected *expected,
		    int round)
{
	const struct sw_rows *rows = &bench->reading.rows;
	const struct sw_source *source = bench->source;
	size_t i, j;

	ck_assert_msg(!strcmp(statuses[status], expected->status),
		      "%s/%s: status %s, not %s", source->name, tree,
		      statuses[status], expected->status);
	/* If all columns are expected missing there is no row. */
	ck_assert_uint_eq(rows->count,
			  status == SW_READ_OK ? expected->count : 0);
	for (j = 0; j < rows->count; j++) {
		struct expected_row *row = &expected->row[j];
		const uint64_t *values = sw_rows_values(rows, j);

		ck_assert_uint_eq(sw_rows_index(rows, j), row->index);
		for (i = 0; i < source->column_count; i++)
			compare_value(source, tree, i, values[i], row, round);
		compare_subject(bench, row);
	}
}

/* "expected" anew, from what was read: its lines stay in their order. */
struct update {
	const struct bench *bench;
	enum sw_read_status status;
	struct expected done;	/* the lines that have been written */
	FILE *out;
};

/* NULL: it was not read. */
static const uint64_t *values_read(const struct update *update, uint64_t index)
{
	const struct sw_rows *rows = &update->bench->reading.rows;
	size_t i;

	for (i = 0; i < rows->count; i++) {
		if (sw_rows_index(rows, i) == index)
			return sw_rows_values(rows, i);
	}
	return NULL;
}

/* Of a source that could not be read each line says "missing". */
static void update_value(struct update *update, uint64_t index, size_t column,
			 bool grows)
{
	const uint64_t *values = values_read(update, index);

	if (update->status == SW_READ_OK && !values)
		return;
	row_of(&update->done, index)->has[column] = true;
	if (!sw_is_missing(index))
		fprintf(update->out, "row %" PRIu64 " ", index);
	fprintf(update->out, "%s ", update->bench->source->columns[column].name);
	if (!values || sw_is_missing(values[column]))
		fputs("-\n", update->out);
	else if (grows)
		fputs("+\n", update->out);
	else
		fprintf(update->out, "%" PRIu64 "\n", values[column]);
}

static void update_subject(struct update *update, uint64_t index)
{
	struct expected_row *row = row_of(&update->done, index);

	if (row->subject[0] || !values_read(update, index))
		return;
	subject_text(update->bench, index, row->subject, sizeof(row->subject));
	fprintf(update->out, "subject %" PRIu64 " %s\n", index, row->subject);
}

static void update_line(struct update *update, const char *text)
{
	const struct sw_source *source = update->bench->source;
	const struct line line = line_parse(text);
	size_t i;

	if (line.kind == LINE_STATUS)
		fprintf(update->out, "status %s\n", statuses[update->status]);
	else if (line.kind == LINE_ROOT)
		fprintf(update->out, "root %s\n", line.value);
	else if (line.kind == LINE_SUBJECT)
		update_subject(update, line.index);
	for (i = 0; line.kind == LINE_VALUE && i < source->column_count; i++) {
		if (!strcmp(source->columns[i].name, line.name))
			update_value(update, line.index, i,
				     !strcmp(line.value, "+"));
	}
}

/* What the file does not have yet: columns, rows and who they are of. */
static void update_rest(struct update *update)
{
	const struct sw_rows *rows = &update->bench->reading.rows;
	const struct sw_source *source = update->bench->source;
	size_t i, j;

	for (i = 0; i < rows->count; i++)
		row_of(&update->done, sw_rows_index(rows, i));
	for (i = 0; i < update->done.count; i++) {
		const struct expected_row *row = &update->done.row[i];

		for (j = 0; j < source->column_count; j++) {
			if (!row->has[j])
				update_value(update, row->index, j, false);
		}
		if (source->read_rows)
			update_subject(update, row->index);
	}
}

static enum sw_read_status open_and_read(struct bench *bench,
					 const struct sw_source *source, int fd,
					 pid_t root_pid, bool is_v1)
{
	enum sw_read_status status =
		is_v1 ? bench_open_v1(bench, source, fd, root_pid) :
			bench_open(bench, source, fd, root_pid);

	return status == SW_READ_OK ? bench_read(bench) : status;
}

/* Return what a read of the tree gives, as its file "expected" has it. */
static char *read_tree(const struct sw_source *source, const char *folder,
		       const char *path, bool is_v1)
{
	struct update update = { .bench = NULL };
	char *old = golden_file_read(path), *root, *text = NULL, *line,
	     *rest = NULL;
	struct bench bench;
	size_t size = 0;

	root = strstr(old, "root ");
	update.status = open_and_read(&bench, source, open_folder(folder),
				      root ? atoi(root + 5) : 0, is_v1);
	update.bench = &bench;
	update.out = open_memstream(&text, &size);
	ck_assert_ptr_nonnull(update.out);
	if (!strstr(old, "status "))
		fprintf(update.out, "status %s\n", statuses[update.status]);
	for (line = strtok_r(old, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		update_line(&update, line);
	update_rest(&update);
	fclose(update.out);
	bench_close(&bench);
	free(old);
	return text;
}

/* A process that did not respond in time on a busy machine is left out. */
static void update_tree(const struct sw_source *source, const char *folder,
			bool is_v1)
{
	char path[4096], *one, *two;

	snprintf(path, sizeof(path), "%s/expected", folder);
	one = read_tree(source, folder, path, is_v1);
	two = read_tree(source, folder, path, is_v1);
	ck_assert_msg(strcmp(one, two) == 0, "%s: two reads differ, so it was "
		      "not rewritten; run \"make golden\" again", path);
	golden_file_compare(path, one);
	free(one);
	free(two);
}

static void compare_tree(const struct sw_source *source, const char *tree,
			 bool is_v1)
{
	enum sw_read_status status;
	struct expected expected;
	struct bench bench;
	char folder[4000];
	int fd, round;

	folder_of(folder, sizeof(folder), source, tree);
	fd = open_folder(folder);
	ck_assert_msg(fd >= 0, "no %s: each source needs one", folder);
	if (golden_is_update())
		update_tree(source, folder, is_v1);
	read_expected(&expected, source, folder);
	status = is_v1 ? bench_open_v1(&bench, source, fd, expected.root_pid) :
			 bench_open(&bench, source, fd, expected.root_pid);
	if (status != SW_READ_OK)
		compare(&bench, tree, status, &expected, 0);
	else if (source->find_backend)
		ck_assert_str_eq(source->find_backend(bench.memory),
				 is_v1 ? "cgroup.v1" : source->backend);
	/* The same each time; a failed open is never followed by a read. */
	for (round = 0; status == SW_READ_OK && round < 3; round++)
		compare(&bench, tree, bench_read(&bench), &expected, round);
	bench_close(&bench);
}

START_TEST(fixtures)
{
	compare_tree(source_at(_i / TREES), trees[_i % TREES], false);
}
END_TEST

static const struct sw_source *source_called(const char *name)
{
	int i;

	for (i = 0; strcmp(source_at(i)->name, name) != 0; i++)
		ck_assert_int_lt(i, source_count());
	return source_at(i);
}

START_TEST(fixtures_v1)
{
	const struct sw_source *source =
		source_called(v1_sources[_i / V1_TREES]);

	ck_assert(source->find_backend != NULL);
	compare_tree(source, v1_trees[_i % V1_TREES], true);
}
END_TEST

/* Existing values are on the backend of v2; others are missing, never 0. */
START_TEST(fixtures_rhel)
{
	compare_tree(source_called(rhel_trees[_i].source),
		     rhel_trees[_i].tree, false);
}
END_TEST

/* Count the values expected in a tree. */
static size_t count_values(const struct expected *expected,
			   const struct sw_source *source)
{
	size_t i, j, count = 0;

	for (j = 0; j < expected->count; j++) {
		for (i = 0; i < source->column_count; i++)
			count += !sw_is_missing(expected->row[j].values[i]);
	}
	return count;
}

/* The three trees must differ to be meaningful. */
START_TEST(good_is_good)
{
	const struct sw_source *source = source_at(_i);
	struct expected good, garbage;
	char folder[4000];

	folder_of(folder, sizeof(folder), source, "good");
	read_expected(&good, source, folder);
	folder_of(folder, sizeof(folder), source, "garbage");
	read_expected(&garbage, source, folder);
	ck_assert_str_eq(good.status, "ok");
	ck_assert_uint_gt(count_values(&good, source),
			  count_values(&garbage, source));
}
END_TEST

START_TEST(no_folder)
{
	const struct sw_source *source = source_at(_i);
	struct bench bench;

	ck_assert_int_eq(bench_open(&bench, source, -1, 0), SW_READ_ABSENT);
	bench_close(&bench);
}
END_TEST

/* A temporary copy of a good tree, and its removal. */

static void copy_file(int from_dir, int to_dir, const char *name)
{
	int from = openat(from_dir, name, O_RDONLY | O_CLOEXEC);
	int to = openat(to_dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	char text[65536];
	ssize_t size = read(from, text, sizeof(text));

	ck_assert_int_ge(size, 0);
	ck_assert_int_eq(write(to, text, (size_t)size), size);
	close(from);
	close(to);
}

static void copy_tree(int from_dir, int to_dir)
{
	DIR *dir = fdopendir(from_dir);
	struct dirent *item;
	struct stat stat;

	ck_assert_ptr_nonnull(dir);
	while ((item = readdir(dir))) {
		const char *name = item->d_name;
		int to;

		if (name[0] == '.')
			continue;
		ck_assert_int_eq(fstatat(from_dir, name, &stat, 0), 0);
		if (!S_ISDIR(stat.st_mode)) {
			copy_file(from_dir, to_dir, name);
			continue;
		}
		ck_assert_int_eq(mkdirat(to_dir, name, 0700), 0);
		to = openat(to_dir, name, O_RDONLY | O_DIRECTORY);
		copy_tree(openat(from_dir, name, O_RDONLY | O_DIRECTORY), to);
		close(to);
	}
	closedir(dir);
}

/*
 * The folder is removed after the open.  Open files can still be read, with the
 * same contents; nothing is invented.
 */
START_TEST(vanishing)
{
	const struct sw_source *source = source_at(_i);
	char path[TEMP_FOLDER_SIZE], folder[4000];
	uint64_t before[SW_TABLE_COLUMNS_MAX];
	struct expected expected;
	const uint64_t *values;
	struct bench bench;
	size_t i;

	folder_of(folder, sizeof(folder), source, "good");
	read_expected(&expected, source, folder);
	temp_folder_make(path, "check_sources");
	ck_assert_int_eq(bench_open(&bench, source, -1, 0), SW_READ_ABSENT);
	bench_close(&bench);
	copy_tree(open_folder(folder), open_folder(path));
	ck_assert_int_eq(bench_open(&bench, source, open_folder(path),
				    expected.root_pid), SW_READ_OK);
	ck_assert_int_eq(bench_read(&bench), SW_READ_OK);
	memcpy(before, sw_rows_values(&bench.reading.rows, 0),
	       source->column_count * sizeof(*before));
	temp_folder_remove(path);
	if (bench_read(&bench) == SW_READ_OK &&
	    bench.reading.rows.count > 0) {
		values = sw_rows_values(&bench.reading.rows, 0);
		for (i = 0; i < source->column_count; i++) {
			if (source->columns[i].kind != SW_KIND_GAUGE)
				ck_assert_uint_eq(values[i], before[i]);
			else
				ck_assert(sw_is_missing(values[i]) ||
					  values[i] <= before[i]);
		}
	}
	bench_close(&bench);
}
END_TEST

/* It is removed before the first read: there is nothing to report. */
START_TEST(vanished_processes)
{
	const struct sw_source *source = source_at(_i);
	char path[TEMP_FOLDER_SIZE], folder[4000];
	enum sw_read_status status;
	struct expected expected;
	struct bench bench;

	folder_of(folder, sizeof(folder), source, "good");
	read_expected(&expected, source, folder);
	if (!expected.root_pid || !strncmp(source->backend, "cgroup", 6))
		return;
	temp_folder_make(path, "check_sources");
	copy_tree(open_folder(folder), open_folder(path));
	status = bench_open(&bench, source, open_folder(path),
			    expected.root_pid);
	temp_folder_remove(path);
	/* A source that looked for them at the open has found none. */
	if (status != SW_READ_OK)
		ck_assert_int_eq(status, SW_READ_ABSENT);
	else
		ck_assert_int_ne(bench_read(&bench), SW_READ_OK);
	ck_assert_uint_eq(bench.reading.rows.count, 0);
	bench_close(&bench);
}
END_TEST

/* Create a cgroup of the live kernel; -1 if not possible here. */
static int make_cgroup(char *path, size_t size)
{
	static const char *const mounts[] = {
		"/sys/fs/cgroup", "/sys/fs/cgroup/unified",
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(path, size, "%s/cgroup.controllers", mounts[i]);
		if (access(path, F_OK) < 0)
			continue;
		snprintf(path, size, "%s/check-sources-%d", mounts[i],
			 (int)getpid());
		if (mkdir(path, 0700) == 0)
			return open_folder(path);
	}
	return -1;
}

/* An open file of a removed cgroup returns ENODEV: gone, not zero. */
START_TEST(vanishing_cgroup)
{
	const struct sw_source *source = source_at(_i);
	struct bench bench;
	char path[256];
	int fd = make_cgroup(path, sizeof(path));

	if (fd < 0)
		return;
	/* The node's files are elsewhere. */
	if (bench_open(&bench, source, fd, 0) == SW_READ_OK &&
	    source->scope != SW_SCOPE_NODE) {
		ck_assert_int_ne(bench_read(&bench), SW_READ_GARBAGE);
		ck_assert_int_eq(rmdir(path), 0);
		ck_assert_int_eq(bench_read(&bench), SW_READ_GONE);
		ck_assert_uint_eq(bench.reading.rows.count, 0);
	} else {
		ck_assert_int_eq(rmdir(path), 0);
	}
	bench_close(&bench);
}
END_TEST

/* An absent source has a reason, a sentence; a complete one has none. */
static void check_reason(const struct sw_source *source)
{
	void *state = calloc(1, source->state_size);
	bool is_of_node = source->scope == SW_SCOPE_NODE;
	const char *text;

	text = sw_source_reason(source, is_of_node ? NULL : state,
				SW_READ_ABSENT);
	ck_assert_msg(text && *text, "%s: no reason", source->name);
	ck_assert_msg(!strchr(text, ':') && !strstr(text, "series."),
		      "%s: not in plain words: %s", source->name, text);
	text = sw_source_reason(source, is_of_node ? NULL : state, SW_READ_OK);
	ck_assert_msg(!text || !*text, "%s: %s", source->name, text);
	free(state);
}

/* Assumptions of the loop. */
START_TEST(contract)
{
	const struct sw_source *source = source_at(_i);
	size_t i, j;

	ck_assert_uint_gt(source->column_count, 0);
	ck_assert_uint_le(source->column_count + 3, SW_TABLE_COLUMNS_MAX);
	ck_assert_uint_gt(source->state_size, 0);
	ck_assert(source->backend && source->open);
	check_reason(source);
	ck_assert(!source->read != !source->read_rows);
	ck_assert(!source->read_rows || (source->rows_max > 0 &&
					 source->describe));
	ck_assert(!source->is_out_of_process ||
		  (source->scope == SW_SCOPE_NODE && source->read_rows));
	for (i = 0; i < source->column_count; i++) {
		const struct sw_column *column = &source->columns[i];

		ck_assert_msg(column->name && column->unit && column->help,
			      "%s: column %zu", source->name, i);
		ck_assert_uint_lt(strlen(column->name), SW_NAME_SIZE_MAX);
		for (j = 0; j < i; j++)
			ck_assert_str_ne(column->name,
					 source->columns[j].name);
	}
	for (i = 0; (int)i < _i; i++)
		ck_assert_str_ne(source->name, source_at((int)i)->name);
}
END_TEST

/* Only counters that were requested exist. */
static void want_counters(void)
{
	static const struct sw_papi_counter counters[] = {
		{ .name = "PAPI_LST_INS", .formula = "N0|N1|+|",
		  .term_count = 2,
		  .term = { { .name = "LOADS", .type = PERF_TYPE_RAW,
			      .config = 0x81d0 },
			    { .name = "STORES", .type = PERF_TYPE_RAW,
			      .config = 0x82d0 } } },
		{ .name = "PAPI_TOT_INS", .formula = "N0|", .term_count = 1,
		  .term = { { .name = "INSTRUCTIONS", .type = PERF_TYPE_RAW,
			      .config = 0xc0 } } },
	};

	sw_counters_take(counters, 2);
}

int main(void)
{
	TCase *tcase = tcase_create("sources");
	int count = source_count();

	tcase_add_loop_test(tcase, fixtures, 0, count * TREES);
	tcase_add_loop_test(tcase, good_is_good, 0, count);
	tcase_add_loop_test(tcase, fixtures_v1, 0, V1_SOURCES * V1_TREES);
	tcase_add_loop_test(tcase, fixtures_rhel, 0, RHEL_TREES);
	tcase_add_loop_test(tcase, no_folder, 0, count);
	tcase_add_loop_test(tcase, vanishing, 0, count);
	tcase_add_loop_test(tcase, vanished_processes, 0, count);
	tcase_add_loop_test(tcase, vanishing_cgroup, 0, count);
	tcase_add_loop_test(tcase, contract, 0, count);
	want_counters();
	nvml_kit_load(false);

	return run_tests("sources", tcase, NULL);
}
