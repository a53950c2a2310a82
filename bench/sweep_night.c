/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sweep_night JOBS FOLDER [--records-only|--summaries-only|
 * --without-programs]: write a
 * night of bench/sweep_rows.h as its nodes' summaries (FOLDER/summaries), as
 * Slurm's records of each hour for bench/sweep_sacct (FOLDER/records), and as
 * one table for databases (FOLDER/steps.csv).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/sweep_rows.h"
#include "common/missing.h"
#include "common/units.h"
#include "profiles/writer.h"
#include "recorder/delivery/summaries.h"
#include "recorder/tables/tables.h"

enum { HOURS = 24, HOUR_SECONDS = 3600, EXIT_SHIFT = 8, KILLED = 9 };

static const char help_fields[] =
	"JobIDRaw JobID Cluster UID User Account Partition QOS State ExitCode "
	"DerivedExitCode Submit Eligible Start End ElapsedRaw TimelimitRaw "
	"ReqCPUS ReqMem ReqTRES AllocCPUS AllocTRES NNodes NTasks NodeList "
	"TotalCPU MaxRSS AveRSS TRESUsageInTot TRESUsageOutTot ConsumedEnergyRaw "
	"Restarts Comment WorkDir JobName\n";

struct night {
	uint64_t count;
	const char *folder;
	bool has_programs;
	struct sw_writer *writers[SWEEP_NODES];
	int tables[SWEEP_NODES];
	FILE *hours[HOURS];
	FILE *table;
};

static FILE *open_file(const struct night *night, const char *name)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", night->folder, name);
	file = fopen(path, "w");
	if (!file)
		perror(path);
	return file;
}

static int make_folder(const struct night *night, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", night->folder, name);
	if (mkdir(path, 0750) == 0 || errno == EEXIST)
		return 0;
	perror(path);
	return -1;
}

static int open_summaries(struct night *night)
{
	char path[PATH_MAX], name[64];
	struct sw_error error;
	int dirfd, i;

	snprintf(path, sizeof(path), "%s/summaries", night->folder);
	dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (i = 0; dirfd >= 0 && i < SWEEP_NODES; i++) {
		snprintf(name, sizeof(name), "2026-11-22.n%d.stepwell", i);
		night->writers[i] = sw_writer_create(dirfd, name, true, &error);
		if (!night->writers[i]) {
			fprintf(stderr, "%s: %s\n", name, error.text);
			return -1;
		}
		sw_writer_fill_blocks(night->writers[i]);
		night->tables[i] = sw_writer_table(
			night->writers[i], &sw_step_summaries_table, &error);
	}
	return dirfd < 0 ? -1 : 0;
}

static int open_records(struct night *night)
{
	char name[32];
	FILE *help = open_file(night, "records/help");
	int i;

	if (!help)
		return -1;
	fputs(help_fields, help);
	fclose(help);
	for (i = 0; i < HOURS; i++) {
		snprintf(name, sizeof(name), "records/hour.%d", i);
		night->hours[i] = open_file(night, name);
		if (!night->hours[i])
			return -1;
	}
	return 0;
}

/* Return the status as wait(2) encodes it. */
static uint64_t wait_status(const struct sweep_row *row)
{
	if (!strcmp(row->state, "OUT_OF_MEMORY") ||
	    !strcmp(row->state, "TIMEOUT"))
		return KILLED;
	return row->exit_code << EXIT_SHIFT;
}

static bool is_oom(const struct sweep_row *row)
{
	return !strcmp(row->state, "OUT_OF_MEMORY");
}

struct cell {
	const char *column;
	uint64_t number;
	const char *text;
};

static void put_cells(union sw_value *values, const struct cell *cells,
		      size_t count)
{
	const struct sw_table *table = &sw_step_summaries_table;
	size_t i, j;

	for (i = 0; i < table->column_count; i++) {
		values[i].number = SW_MISSING;
		if (table->columns[i].kind == SW_KIND_TEXT)
			values[i].text = NULL;
		for (j = 0; j < count; j++) {
			if (strcmp(cells[j].column, table->columns[i].name))
				continue;
			if (cells[j].text)
				values[i].text = cells[j].text;
			else
				values[i].number = cells[j].number;
		}
	}
}

static int write_summary(struct night *night, const struct sweep_row *row)
{
	const struct cell cells[] = {
		{ "cluster", 0, "c1" },
		{ "job_name", 0, row->job_name },
		{ "job_id", row->job_id, NULL },
		{ "restart_count", 0, NULL },
		{ "uid", row->uid, NULL },
		{ "step_id", 0, "batch" },
		{ "backend", 0, "bpf.exec" },
		{ "final_source", 0, "step" },
		{ "start_realtime_usec", row->start_seconds * SW_USEC_PER_SEC,
		  NULL },
		{ "end_realtime_usec", row->end_seconds * SW_USEC_PER_SEC,
		  NULL },
		{ "task_count", 1, NULL },
		{ "node_task_count", 1, NULL },
		{ "node_count", 1, NULL },
		{ "node_index", 0, NULL },
		{ "requested_cpus_milli", row->cpus * 1000, NULL },
		{ "requested_memory_bytes", row->memory_mib * SW_MIB, NULL },
		{ "wait_status", wait_status(row), NULL },
		{ "is_armed", 1, NULL },
		{ "samples", row->end_seconds - row->start_seconds, NULL },
		{ "lost_samples", 0, NULL },
		{ "usage_usec", row->used_usec, NULL },
		{ "user_usec", row->used_usec / 10 * 9, NULL },
		{ "system_usec", row->used_usec / 10, NULL },
		{ "throttled_usec", 0, NULL },
		{ "need_bytes", row->need_bytes, NULL },
		{ "peak_bytes", row->need_bytes + row->read_bytes / 2, NULL },
		{ "floor_bytes", row->need_bytes / 2, NULL },
		{ "oom_kills", is_oom(row), NULL },
		{ "read_bytes", row->read_bytes, NULL },
		{ "written_bytes", row->written_bytes, NULL },
		{ "cpu_some_usec", row->io_full_usec / 3, NULL },
		{ "memory_full_usec", 0, NULL },
		{ "io_full_usec", row->io_full_usec, NULL },
	};
	union sw_value values[SW_TABLE_COLUMNS_MAX];

	put_cells(values, cells, sizeof(cells) / sizeof(cells[0]));
	return sw_writer_row(night->writers[row->node],
			     night->tables[row->node], values,
			     row->end_seconds * SW_USEC_PER_SEC);
}

/* Twelve programs, which run in each of a user's jobs as often as before. */
static void write_programs(struct night *night, const struct sweep_row *row)
{
	static const char *const names[] = { "bash", "bwa", "samtools", "sort",
					     "gzip", "python3", "awk", "grep",
					     "java", "fastp", "cat", "rm" };
	struct sw_summary_programs programs = { .is_complete = 1 };
	struct sw_summary_step step;
	uint64_t i, count = sizeof(names) / sizeof(names[0]);

	sw_summary_step_init(&step);
	strcpy(step.job.cluster, "c1");
	strcpy(step.step_id, "batch");
	step.job.key.job_id = row->job_id;
	step.start_realtime_usec = row->start_seconds * SW_USEC_PER_SEC;
	strcpy(programs.cpu_model, "AMD EPYC 7763 64-Core Processor");
	for (i = 0; i < count; i++) {
		struct sw_summary_program *program =
			&programs.items[programs.count++];
		uint64_t share = (row->name + i) % count + 1;

		strcpy(program->name, names[i]);
		program->processes = 1 + (row->name + i * i) % 40;
		program->exited_ok = program->processes;
		program->cpu_usec = row->used_usec / 80 * share;
		program->read_bytes = row->read_bytes / 80 * share;
		program->written_bytes = row->written_bytes / 80 * share;
		program->longest_usec = program->cpu_usec / program->processes +
					row->io_full_usec;
		if (strcmp(names[i], "grep") != 0)
			continue;
		program->exited_ok--;
		sw_exit_counts_add(&program->exits, 1, 1);
	}
	programs.known = programs.count;
	sw_summary_programs_write(night->writers[row->node], &step, &programs);
}

static void write_record(const struct night *night, const struct sweep_row *row)
{
	uint64_t elapsed = row->end_seconds - row->start_seconds;
	uint64_t used = row->used_usec / SW_USEC_PER_SEC;
	FILE *to = night->hours[(row->end_seconds - SWEEP_MIDNIGHT) /
				HOUR_SECONDS];
	char tres[64], cpu[40], ends[32];

	snprintf(tres, sizeof(tres), "cpu=%" PRIu64 ",mem=%" PRIu64 "M,node=1",
		 row->cpus, row->memory_mib);
	snprintf(cpu, sizeof(cpu), "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
		 used / 3600, used / 60 % 60, used % 60);
	snprintf(ends, sizeof(ends), "%u:%d", row->exit_code,
		 is_oom(row) ? 125 : 0);
	fprintf(to,
		"%" PRIu64 "|%" PRIu64 "|c1|%" PRIu64 "|u%u|a%u|p%u|normal"
		"|%s|%s|%s|%" PRIu64 "|%" PRIu64 "|%" PRIu64 "|%" PRIu64
		"|%" PRIu64 "|1440|%" PRIu64 "|%" PRIu64 "M|%s|%" PRIu64
		"|%s|1||n%u|%s||||||0||/home/u%u|%s\n",
		row->job_id, row->job_id, row->uid, row->user, row->user % 20,
		row->user % 4, row->state, ends, ends, row->submit_seconds,
		row->submit_seconds, row->start_seconds, row->end_seconds,
		elapsed, row->cpus, row->memory_mib, tres, row->cpus, tres,
		row->node, cpu, row->user, row->job_name);
	fprintf(to,
		"%" PRIu64 ".batch|%" PRIu64 ".batch|c1||||||%s|%s||%" PRIu64
		"||%" PRIu64 "|%" PRIu64 "|%" PRIu64 "||||%s|%" PRIu64
		"|%s|1|1|n%u|%s|%" PRIu64 "K||cpu=%s,fs/disk=%" PRIu64
		"|fs/disk=%" PRIu64 "|0||||batch\n",
		row->job_id, row->job_id, row->state, ends, row->start_seconds,
		row->start_seconds, row->end_seconds, elapsed, "", row->cpus,
		tres, row->node, cpu, row->need_bytes / 1024, cpu,
		row->read_bytes, row->written_bytes);
}

static void write_csv(const struct night *night, const struct sweep_row *row)
{
	fprintf(night->table,
		"c1,%" PRIu64 ",%s,%" PRIu64 ",n%u,%" PRIu64 ",%" PRIu64
		",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		",%" PRIu64 "\n",
		row->uid, row->job_name, row->job_id, row->node,
		row->start_seconds, row->end_seconds, row->cpus,
		row->memory_mib, row->need_bytes, row->used_usec,
		row->io_full_usec, row->read_bytes);
}

static int write_rows(struct night *night)
{
	struct sweep_row row;
	uint64_t i;

	for (i = 0; i < night->count; i++) {
		sweep_row_make(&row, i, night->count);
		if (night->writers[0] && write_summary(night, &row) < 0)
			return -1;
		if (night->writers[0] && night->has_programs)
			write_programs(night, &row);
		if (night->hours[0])
			write_record(night, &row);
		if (night->table)
			write_csv(night, &row);
	}
	return 0;
}

static int close_all(struct night *night)
{
	struct sw_error error;
	int rc = 0, i;

	for (i = 0; i < SWEEP_NODES; i++) {
		if (night->writers[i] &&
		    sw_writer_finish(night->writers[i],
				     (SWEEP_MIDNIGHT + SWEEP_NIGHT_SECONDS) *
					     SW_USEC_PER_SEC,
				     &error) < 0)
			rc = -1;
		sw_writer_destroy(night->writers[i]);
	}
	for (i = 0; i < HOURS; i++) {
		if (night->hours[i] && fclose(night->hours[i]) != 0)
			rc = -1;
	}
	if (night->table && fclose(night->table) != 0)
		rc = -1;
	return rc;
}

static int make(struct night *night, const char *only)
{
	bool is_all = !only || !strcmp(only, "--without-programs");
	bool has_records = is_all || !strcmp(only, "--records-only");
	bool has_summaries = is_all || !strcmp(only, "--summaries-only");

	if (make_folder(night, "") < 0 || make_folder(night, "records") < 0 ||
	    make_folder(night, "summaries") < 0 ||
	    (has_records && open_records(night) < 0) ||
	    (has_summaries && open_summaries(night) < 0))
		return -1;
	night->has_programs = !only || strcmp(only, "--without-programs") != 0;
	if (is_all) {
		night->table = open_file(night, "steps.csv");
		if (!night->table)
			return -1;
		fputs("cluster,uid,job_name,job_id,node,start_seconds,"
		      "end_seconds,cpus,memory_mib,need_bytes,used_usec,"
		      "io_full_usec,read_bytes\n",
		      night->table);
	}
	return write_rows(night);
}

int main(int argc, char **argv)
{
	struct night night = { .folder = argc > 2 ? argv[2] : NULL };
	int rc;

	if (argc < 3 || argc > 4) {
		fputs("usage: sweep_night JOBS FOLDER [--records-only|"
		      "--summaries-only|--without-programs]\n",
		      stderr);
		return 2;
	}
	night.count = strtoull(argv[1], NULL, 10);
	rc = make(&night, argc == 4 ? argv[3] : NULL);
	if (close_all(&night) < 0 || rc < 0) {
		perror(night.folder);
		return 1;
	}
	return 0;
}
