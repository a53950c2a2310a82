/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generate profiles of nodes of a Slurm job. */
#include "test/node_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/text_profile.h"

enum { TASKS = 4, EXTERN_KEY = 0, BATCH_KEY = 1, FIRST_KEY = 2, STEPS = 2 };

#define GIB ((uint64_t)1 << 30)
#define SECOND ((uint64_t)1000000)
#define REALTIME_USEC ((uint64_t)1780000000000000)

struct step {
	uint64_t key;
	const char *id;
	uint64_t start, end;	/* seconds since the job's start */
	uint64_t cores_milli, bytes;
	uint64_t tasks;		/* on this node */
};

struct node_profile node_profile_of(uint64_t job_id, unsigned node_index)
{
	return (struct node_profile){
		.job_id = job_id, .array_job_id = SW_MISSING,
		.array_task_id = SW_MISSING, .het_job_id = SW_MISSING,
		.het_component = SW_MISSING, .restart_count = SW_MISSING,
		.uid = 1000, .node_index = node_index, .node_count = 2,
		.task_count = TASKS, .signal = SW_MISSING,
		.limit_seconds = SW_MISSING,
	};
}

static uint64_t boot_usec(const struct node_profile *node)
{
	return (1000 + (uint64_t)node->node_index * 4000 +
		node->later_seconds) * SECOND;
}

static void put(FILE *out, uint64_t value)
{
	if (sw_is_missing(value))
		fputs(" -", out);
	else
		fprintf(out, " %" PRIu64, value);
}

static void write_identity(FILE *out, const struct node_profile *node)
{
	fputs("table identity job recorder\n"
	      "columns format_writer cluster job_id step_id node uid name "
	      "anchor_boottime_usec anchor_realtime_usec period_usec "
	      "node_cpus node_memory_bytes array_job_id array_task_id "
	      "het_job_id het_component restart_count\n"
	      "column node_count - state\ncolumns origin\n"
	      "row stepwell c1", out);
	put(out, node->job_id);
	fprintf(out, " - n%u", node->node_index + 1);
	put(out, node->uid);
	fputs(" \"ali<\\x1b>gn\"", out);
	put(out, boot_usec(node));
	put(out, REALTIME_USEC + node->later_seconds * SECOND);
	fputs(" 10000000 16 67108864000", out);
	put(out, node->array_job_id);
	put(out, node->array_task_id);
	put(out, node->het_job_id);
	put(out, node->het_component);
	put(out, node->restart_count);
	put(out, node->node_count);
	fputs(" slurm\n", out);
}

/* Surround it with "," so that no id matches a part of another. */
static bool is_wanted(const struct node_profile *node, const char *id)
{
	char all[128], one[32];

	snprintf(all, sizeof(all), ",%s,", node->only ? node->only : "");
	snprintf(one, sizeof(one), ",%s,", id);
	return !node->only || strstr(all, one);
}

static unsigned steps_of(const struct node_profile *node, struct step *steps)
{
	unsigned count = 0, i, kept = 0;
	bool is_first = node->node_index == 0;

	steps[count++] = (struct step){ EXTERN_KEY, "extern", 0, 100, 0, 0, 0 };
	if (is_first)
		steps[count++] = (struct step){
			BATCH_KEY, "batch", 1,
			node->cut_seconds ? node->cut_seconds : 99, 10,
			GIB / 64, 1 };
	steps[count++] = (struct step){
		FIRST_KEY, "0", 10, 60, is_first ? 4000 : 2000,
		is_first ? 2 * GIB : GIB, node->task_count };
	steps[count++] = (struct step){
		FIRST_KEY + 1, "1", 40, 90, 1000, GIB,
		node->task_count };
	for (i = 0; i < count; i++) {
		if (is_wanted(node, steps[i].id))
			steps[kept++] = steps[i];
	}
	return kept;
}

static void write_steps(FILE *out, const struct node_profile *node,
			const struct step *steps, unsigned count)
{
	uint64_t boot = boot_usec(node);
	unsigned i;

	fputs("table steps step recorder\n"
	      "columns step step_id start_usec backend programs_source "
	      "requested_cpus_milli requested_memory_bytes task_count "
	      "node_task_count node_count node_index is_armed\n",
	      out);
	for (i = 0; i < count; i++) {
		uint64_t nodes = steps[i].key == BATCH_KEY ? 1 :
							     node->node_count;

		fprintf(out, "row %" PRIu64 " %s %" PRIu64
			" cgroup.v2 bpf 8000 %" PRIu64 " %" PRIu64 " %" PRIu64
			" %" PRIu64 " %u 1\n", steps[i].key, steps[i].id,
			boot + steps[i].start * SECOND, 16 * GIB,
			steps[i].tasks * nodes, steps[i].tasks, nodes,
			node->node_index);
	}
}

static bool is_failing(const struct node_profile *node,
		       const struct step *step)
{
	return node->node_index == 1 && step->key == FIRST_KEY + 1;
}

/* Write wait status, exit code and signal. */
static void write_end(FILE *out, const struct node_profile *node,
		      const struct step *step)
{
	uint64_t code = is_failing(node, step);

	if (step->key == BATCH_KEY && !sw_is_missing(node->signal)) {
		fprintf(out, " %" PRIu64 " - %" PRIu64, node->signal,
			node->signal);
		return;
	}
	if (step->key == FIRST_KEY + 1 && node->cut_seconds) {
		fprintf(out, " %d - %d", SIGTERM, SIGTERM);
		return;
	}
	if (step->key == BATCH_KEY)
		code = node->exit_code;
	if (sw_is_missing(code)) {
		fputs(" - - -", out);
		return;
	}
	fprintf(out, " %" PRIu64 " %" PRIu64 " -", code * 256, code);
}

static void write_limit(FILE *out, const struct node_profile *node)
{
	uint64_t start = REALTIME_USEC + node->later_seconds * SECOND;
	bool is_known = !sw_is_missing(node->limit_seconds);

	put(out, is_known ? node->limit_seconds * SECOND : SW_MISSING);
	put(out, is_known ? start + node->limit_seconds * SECOND :
			    SW_MISSING);
	fputc('\n', out);
}

static void write_summary(FILE *out, const struct node_profile *node,
			  const struct step *steps, unsigned count)
{
	unsigned i;

	fputs("table summary step recorder\n"
	      "columns step end_usec wait_status exit_code signal samples "
	      "lost_samples final_source recorder_cpu_usec "
	      "recorder_hiwater_bytes requested_time_usec "
	      "limit_realtime_usec\n", out);
	for (i = 0; i < count; i++) {
		fprintf(out, "row %" PRIu64 " %" PRIu64, steps[i].key,
			boot_usec(node) + steps[i].end * SECOND);
		write_end(out, node, &steps[i]);
		fprintf(out, " %" PRIu64 " 0 hook 25000 4194304",
			(steps[i].end - steps[i].start) / 10 + 1);
		write_limit(out, node);
	}
}

/* The OOM kill of the step precedes its second sample. */
static bool is_killing(const struct node_profile *node, const struct step *s,
		       uint64_t second)
{
	return node->oom_step && !strcmp(node->oom_step, s->id) &&
	       second > s->start;
}

/* Write waits: no step waits for a CPU. */
static void write_waits(FILE *out, const struct node_profile *node,
			const struct step *steps, unsigned count)
{
	unsigned i;

	fputs("table series.proc step bpf\n"
	      "columns time_usec step run_queue_wait_usec\n", out);
	for (i = 0; i < 2 * count; i++) {
		const struct step *s = &steps[i % count];

		fprintf(out, "row %" PRIu64 " %" PRIu64 " 0\n",
			boot_usec(node) +
				(i < count ? s->start : s->end) * SECOND,
			s->key);
	}
}

/* Write a row every ten seconds for all running steps, as the recorder does. */
static void write_series(FILE *out, const struct node_profile *node,
			 const struct step *steps, unsigned count,
			 bool is_memory)
{
	uint64_t boot = boot_usec(node), second;
	unsigned i;

	fputs(is_memory ?
	      "table series.memory step cgroup.v2\n"
	      "columns time_usec step memory.current memory.peak anon file "
	      "shmem kernel slab_reclaimable events.oom_kill\n" :
	      "table series.cpu step cgroup.v2\n"
	      "columns time_usec step usage_usec user_usec system_usec\n", out);
	for (second = 0; second <= 100; second++) {
		for (i = 0; i < count; i++) {
			const struct step *s = &steps[i];
			uint64_t used = (second - s->start) * s->cores_milli *
					1000;

			if (second < s->start || second > s->end ||
			    (second - s->start) % 10)
				continue;
			fprintf(out, "row %" PRIu64 " %" PRIu64,
				boot + second * SECOND + i * 20, s->key);
			if (is_memory)
				fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64
					" 1048576 0 0 0 %d\n",
					s->bytes + 1048576, s->bytes + 2097152,
					s->bytes, is_killing(node, s, second));
			else
				fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64
					"\n", used, used / 10 * 9, used / 10);
		}
	}
}

/* Ranks are uneven: the i-th of n does i + 1 parts of the work. */
static void write_tasks(FILE *out, const struct node_profile *node,
			const struct step *steps, unsigned count)
{
	uint64_t boot = boot_usec(node), task;
	unsigned i;

	fputs("table tasks task recorder\n"
	      "columns time_usec step task local_task pid start_usec end_usec "
	      "cgroup_kind wait_status memory_peak_bytes memory_oom_kills "
	      "cpu_usage_usec final_source\n", out);
	for (i = 0; i < count; i++) {
		const struct step *s = &steps[i];
		uint64_t parts = s->tasks * (s->tasks + 1) / 2;
		uint64_t used = (s->end - s->start) * s->cores_milli * 1000;

		for (task = 0; task < s->tasks; task++) {
			uint64_t rank = task + node->node_index * s->tasks;
			uint64_t start = boot + s->start * SECOND;
			uint64_t end = boot + s->end * SECOND;

			fprintf(out, "row %" PRIu64 " %" PRIu64 " %" PRIu64
				" %" PRIu64 " %" PRIu64 " %" PRIu64
				" - task - - - - -\n", start, s->key, rank,
				task, 5000 + rank, start);
			fprintf(out, "row %" PRIu64 " %" PRIu64 " %" PRIu64
				" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
				" task %d %" PRIu64 " 0 %" PRIu64 " hook\n",
				end, s->key, rank, task, 5000 + rank, start,
				end, is_failing(node, s) && rank == 6 ? 256 : 0,
				s->bytes * (task + 1) / parts,
				used * (task + 1) / parts);
		}
	}
}

static void write_programs(FILE *out, const struct node_profile *node)
{
	uint64_t now = boot_usec(node) + 100 * SECOND;

	fputs("table programs program bpf\n"
	      "columns time_usec program step name started running "
	      "is_complete user_usec system_usec peak_bytes exited_ok "
	      "exited_nonzero killed oom_killed\n",
	      out);
	if (is_wanted(node, "0"))
		fprintf(out, "row %" PRIu64 " 0 2 solver 4 %u 1 90000000 "
			"10000000 536870912 %u 0 0 0\n", now, node->running,
			4 - node->running);
	if (is_wanted(node, "1"))
		fprintf(out, "row %" PRIu64 " 1 3 solver 4 0 1 45000000 "
			"5000000 268435456 %u %u 0 0\n", now,
			node->node_index ? 3 : 4, node->node_index);
}

int node_profile_write(const struct node_profile *node, const char *path,
		       bool is_finished, struct sw_error *error)
{
	struct step steps[2 + STEPS];
	unsigned count = steps_of(node, steps);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int rc;

	if (!out)
		return sw_error_errno(error, "text of a node's profile");
	write_identity(out, node);
	write_steps(out, node, steps, count);
	write_summary(out, node, steps, count);
	write_series(out, node, steps, count, false);
	write_series(out, node, steps, count, true);
	write_waits(out, node, steps, count);
	write_tasks(out, node, steps, count);
	write_programs(out, node);
	if (fclose(out) != 0)
		rc = sw_error_errno(error, "text of a node's profile");
	else
		rc = text_profile_write_text(text, path, is_finished, error);
	free(text);
	return rc;
}
