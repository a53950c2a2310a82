/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restart of the node's recorder.  Profiles are in the spool, and the
 * announcement of each running step is stored next to the socket, on a file
 * system that is empty after a reboot.  A step is adopted if its slurmstepd is
 * still the same process; otherwise it is closed as lost.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/daemon/node_internal.h"
#include "recorder/delivery/recover.h"
#include "recorder/jobs/summary_rows.h"
#include "recorder/log/node_log.h"
#include "recorder/tables/self.h"

enum { PROFILES_MAX = 4096 };

/* Time over which the nodes of a job spread their deliveries */
#define SPREAD_USEC (4 * SW_USEC_PER_SEC)

static const char suffix[] = ".stepwell";

static void put_name(char *name, size_t size, const struct sw_message_step *id)
{
	snprintf(name, size, "%" PRIu32 ".%" PRIu32 ".%" PRIu32, id->job_id,
		 id->step_id, id->stepd_pid);
}

void sw_node_remember(struct sw_node *node,
		      const struct sw_message_step_start *start)
{
	char name[64];
	int fd;

	put_name(name, sizeof(name), &start->step);
	fd = openat(node->steps_fd, name,
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		    0600);
	if (fd < 0)
		return;
	/* A truncated one is rejected when it is read. */
	if (write(fd, start, start->header.length) < 0)
		sw_node_log("%s: %s; it would not be adopted", name,
			    strerror(errno));
	close(fd);
}

void sw_node_forget(struct sw_node *node, const struct sw_message_step *id)
{
	char name[64];

	put_name(name, sizeof(name), id);
	unlinkat(node->steps_fd, name, 0);
}

/* --- profiles in the spool */

void sw_node_finish_job(struct sw_node *node, struct sw_node_job *job)
{
	const struct sw_message_step id = job->id;
	const struct sw_delivery_owner owner = { id.uid, id.gid, id.job_id };
	struct sw_node_job **link = &node->jobs;
	uint64_t due_usec = sw_clock_boottime_usec();
	char name[sizeof(job->name)];

	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
	strcpy(name, job->name);
	sw_node_job_finish(job, &node->place);
	sw_node_summary_profile(&id, node->place.summaries_fd, node->spool_fd,
				name);
	if (!node->deliveries)
		return;
	if (id.node_count != SW_NO_ID && id.node_count > 1)
		due_usec += SPREAD_USEC * id.node_index / id.node_count;
	sw_deliveries_add(node->deliveries, name, &owner, due_usec);
}

static uint64_t state(const struct sw_reader *reader, const char *table_name,
		      const char *column_name, size_t row)
{
	const struct sw_reader_table *table = sw_reader_find(reader,
							     table_name);
	const struct sw_reader_column *column = table ?
		sw_reader_find_column(table, column_name) : NULL;

	return column && column->numbers && row < table->row_count ?
		       column->numbers[row] : SW_MISSING;
}

static size_t rows(const struct sw_reader *reader, const char *table_name)
{
	const struct sw_reader_table *table = sw_reader_find(reader,
							     table_name);

	return table ? table->row_count : 0;
}

static uint32_t narrow(uint64_t number)
{
	return number > UINT32_MAX ? SW_NO_ID : (uint32_t)number;
}

/* Finished: only deliver it. */
static void take_finished(struct sw_node *node, const char *name)
{
	char path[PATH_MAX];
	struct sw_reader *reader;
	struct sw_error error;
	struct sw_delivery_owner owner;

	if (!node->deliveries)
		return;
	snprintf(path, sizeof(path), "%s/%s", node->options->spool, name);
	reader = sw_reader_open(path, &error);
	if (!reader) {
		sw_node_log("%s; it is not delivered", error.text);
		return;
	}
	owner = (struct sw_delivery_owner){
		.uid = narrow(state(reader, "identity", "uid", 0)),
		.gid = narrow(state(reader, "identity", "gid", 0)),
		.job_id = narrow(state(reader, "identity", "job_id", 0)),
	};
	sw_reader_close(reader);
	if (owner.uid != SW_NO_ID && owner.gid != SW_NO_ID)
		sw_deliveries_add(node->deliveries, name, &owner,
				  sw_clock_boottime_usec());
}

static struct sw_node_job *make_job(const struct sw_node_place *place,
				    const struct sw_reader *reader,
				    const char *name, struct sw_writer *writer,
				    struct sw_error *error)
{
	struct sw_node_job *job = sw_node_job_create(
		place, narrow(state(reader, "identity", "uid", 0)), error);
	const struct sw_reader_table *identity;
	const struct sw_reader_column *cluster;

	if (!job)
		return NULL;
	snprintf(job->name, sizeof(job->name), "%s", name);
	job->writer = writer;
	job->id.job_id = narrow(state(reader, "identity", "job_id", 0));
	job->id.gid = narrow(state(reader, "identity", "gid", 0));
	job->id.restart_count = narrow(state(reader, "identity",
					     "restart_count", 0));
	job->id.node_count = narrow(state(reader, "identity", "node_count",
					  0));
	identity = sw_reader_find(reader, "identity");
	cluster = identity ? sw_reader_find_column(identity, "cluster") : NULL;
	if (cluster && cluster->texts && identity->row_count > 0 &&
	    cluster->texts[0])
		snprintf(job->id.cluster, sizeof(job->id.cluster), "%s",
			 cluster->texts[0]);
	job->next_key = rows(reader, "steps");
	job->idle_usec = sw_clock_boottime_usec();
	return job;
}

/* Return for each key if its step has a summary, to be freed, or NULL. */
static bool *find_ended(const struct sw_reader *reader, size_t count)
{
	const struct sw_reader_table *table = sw_reader_find(reader,
							     "summary");
	const struct sw_reader_column *column = table ?
		sw_reader_find_column(table, "step") : NULL;
	bool *has_ended = calloc(count + 1, sizeof(*has_ended));
	size_t i;

	if (!has_ended || !column || !column->numbers)
		return has_ended;
	for (i = 0; i < table->row_count; i++) {
		if (column->numbers[i] < count)
			has_ended[column->numbers[i]] = true;
	}
	return has_ended;
}

/* Find the announcement of the step of this slurmstepd, false if none. */
static bool recall(const struct sw_node *node, const struct sw_node_job *job,
		   uint64_t stepd_pid, union sw_message *message)
{
	const struct sw_message_step_start *start = &message->start;
	struct dirent *item;
	bool is_found = false;
	DIR *dir = fdopendir(openat(node->steps_fd, ".", O_RDONLY |
				    O_DIRECTORY | O_CLOEXEC));

	while (dir && !is_found && (item = readdir(dir))) {
		int fd = openat(node->steps_fd, item->d_name, O_RDONLY |
				O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		ssize_t length = fd < 0 ? -1 :
				 read(fd, message, sizeof(*message));

		if (fd >= 0)
			close(fd);
		is_found = length > 0 &&
			   sw_message_upgrade(message, (size_t)length) &&
			   start->header.type == SW_MESSAGE_STEP_START &&
			   start->step.job_id == job->id.job_id &&
			   start->step.stepd_pid == stepd_pid;
	}
	if (dir)
		closedir(dir);
	return is_found;
}

/* Return the first free program key after those in the profile. */
static uint64_t free_program(const struct sw_reader *reader)
{
	uint64_t key, free_key = 0;
	size_t i;

	for (i = 0; i < rows(reader, "programs"); i++) {
		key = state(reader, "programs", "program", i);
		if (!sw_is_missing(key) && key >= free_key)
			free_key = key + 1;
	}
	return free_key;
}

/* Restore the task ends received by an earlier recorder. */
static void recall_ends(struct sw_node_step *step,
			const struct sw_reader *reader, uint64_t key)
{
	uint64_t status;
	size_t i;

	for (i = 0; i < rows(reader, "tasks"); i++) {
		status = state(reader, "tasks", "wait_status", i);
		if (state(reader, "tasks", "step", i) != key ||
		    status > INT_MAX)
			continue;
		step->ended_tasks++;
		if ((int)status > step->wait_status)
			step->wait_status = (int)status;
	}
}

/* Continue a step that has not ended, or at least close it. */
static void adopt_step(struct sw_node *node, struct sw_node_job *job,
		       const struct sw_reader *reader, size_t row)
{
	static union sw_message message;
	struct sw_message_step_start *start = &message.start;
	uint64_t key = state(reader, "steps", "step", row);
	struct sw_node_step *step;
	struct sw_error error;

	/* If a recorder crashed on the job, only end its steps. */
	if (node->options->is_closing ||
	    sw_node_guard_skips(&node->guard, job->id.job_id) ||
	    !recall(node, job, state(reader, "steps", "root_pid", row),
		    &message)) {
		memset(&message, 0, sizeof(message));
		start->step = job->id;
		start->step.step_id = SW_NO_ID;
	}
	step = sw_node_job_adopt(job, &node->place, key, free_program(reader),
				 start, &error);
	if (!step) {
		sw_node_log("%s: %s; one of its steps has no end", job->name,
			    error.text);
		return;
	}
	recall_ends(step, reader, key);
	step->earlier_samples = sw_recover_samples(reader, key);
	if (!sw_is_missing(sw_recover_last_usec(reader)))
		step->earlier_usec = sw_recover_last_usec(reader);
	sw_events_add(&step->events, &(struct sw_event){
		.kind = "gap",
		.value = sw_excess_u64(sw_clock_boottime_usec(),
				       sw_recover_last_usec(reader)) });
}

/* Examine each step once: a job may have had tens of thousands. */
static void adopt_steps(struct sw_node *node, struct sw_node_job *job,
			const struct sw_reader *reader)
{
	size_t i, count = rows(reader, "steps");
	bool *has_ended = find_ended(reader, count);
	uint64_t key;

	for (i = 0; has_ended && i < count; i++) {
		key = state(reader, "steps", "step", i);
		if (!sw_is_missing(key) && (key >= count || !has_ended[key]))
			adopt_step(node, job, reader, i);
	}
	free(has_ended);
}

static void take_unfinished(struct sw_node *node, const char *name)
{
	struct sw_reader *reader;
	struct sw_writer *writer;
	struct sw_node_job *job;
	struct sw_error error;

	writer = sw_recover(node->spool_fd, node->options->spool, name, &reader,
			    &error);
	job = writer ? make_job(&node->place, reader, name, writer, &error) :
		       NULL;
	if (!job) {
		sw_node_log("%s; it stays in the spool", error.text);
		sw_writer_destroy(writer);
		sw_reader_close(reader);
		return;
	}
	job->next = node->jobs;
	node->jobs = job;
	adopt_steps(node, job, reader);
	sw_reader_close(reader);
}

/* Get the profile's name without suffix; "" if it is not a profile. */
static void base_of(const char *file, char *name, size_t size)
{
	const char *end = strstr(file, suffix);

	name[0] = '\0';
	if (!end)
		return;
	end += strlen(suffix);
	if (!*end || !strcmp(end, ".part") ||
	    !strcmp(end, SW_RECOVER_SUFFIX ".part"))
		snprintf(name, size, "%.*s", (int)(end - file), file);
}

static bool is_listed(char (*names)[NAME_MAX + 1], size_t count,
		      const char *name)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

/* List all names first: recovery creates new files. */
static size_t list_spool(const struct sw_node *node,
			 char (*names)[NAME_MAX + 1])
{
	DIR *dir = fdopendir(openat(node->spool_fd, ".", O_RDONLY |
				    O_DIRECTORY | O_CLOEXEC));
	struct dirent *item;
	size_t count = 0;

	while (dir && count < PROFILES_MAX && (item = readdir(dir))) {
		base_of(item->d_name, names[count], NAME_MAX + 1);
		if (names[count][0] &&
		    !is_listed(names, count, names[count]))
			count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

void sw_node_adopt(struct sw_node *node)
{
	char (*names)[NAME_MAX + 1] = calloc(PROFILES_MAX, sizeof(*names));
	size_t count, i;

	if (!names)
		return;
	count = list_spool(node, names);
	for (i = 0; i < count; i++) {
		if (faccessat(node->spool_fd, names[i], F_OK, 0) == 0)
			take_finished(node, names[i]);
		else
			take_unfinished(node, names[i]);
	}
	free(names);
}
