/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Submit a job to each node.  All have the same name, which the last job waits
 * for (--dependency=singleton), and a deadline, so that a node that is full or
 * does not respond delays nobody.
 */
#include "analyzer/sweep/gather/gather_jobs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/accounting/sacct_child.h"
#include "common/escape.h"
#include "common/grow.h"
#include "common/text.h"

#define JOB_NAME	"stepwell-collect"
#define MESSAGES_SUFFIX ".collect.log"
#define SUCCESS		"copied" /* last line if everything was copied */

enum {
	SINFO_WAIT_SECONDS = 120,
	SINFO_OUTPUT_MAX = 64 << 20,
	RUN_MINUTES = 10,
	FIELDS = 4,
	/* All jobs started or were removed, ran, and so did the last one. */
	WAIT_SECONDS = (2 * SW_GATHER_DEADLINE_MINUTES + 2 * RUN_MINUTES) * 60,
};

/* A line of sinfo, which the texts point into. */
struct node {
	const char *name, *state, *availability, *partition;
};

static void complain(const struct sw_gather_jobs *jobs, const char *node,
		     const char *why)
{
	char text[512], shown[256];

	snprintf(text, sizeof(text), "node %s: %s",
		 sw_escape_ascii(shown, sizeof(shown), node), why);
	jobs->complain(jobs->context, text);
}

/* The name is used in paths and command lines. */
static bool is_node_name(const char *name)
{
	return name[0] && name[0] != '-' && name[0] != '.' &&
	       strlen(name) < SW_NODE_NAME_SIZE_MAX &&
	       !name[strspn(name, "0123456789abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.")];
}

/*
 * Return true if a job can start there soon.  A state may have a suffix: "*" is
 * not responding, "~" is powered down and would be started for the job.
 */
static bool can_run(const struct node *node)
{
	static const char *const states[] = {
		"idle",	      "allocated", "mixed",
		"completing", "planned",   "reserved",
	};
	size_t length = strspn(node->state, "abcdefghijklmnopqrstuvwxyz"), i;

	if (strcmp(node->availability, "up") != 0 ||
	    node->state[length + strspn(node->state + length, "+-")])
		return false;
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strlen(states[i]) == length &&
		    !strncmp(node->state, states[i], length))
			return true;
	}
	return false;
}

static const char *why_not(char *why, size_t size, const struct node *node)
{
	if (strcmp(node->availability, "up") != 0)
		return "no job submitted: none of its partitions is up";
	snprintf(why, size, "no job submitted: its state is %.32s",
		 node->state);
	return why;
}

/* Sort the lines of a node that can run jobs first. */
static int compare_nodes(const void *a, const void *b)
{
	const struct node *one = a, *two = b;
	int order = strcmp(one->name, two->name);

	if (!order)
		order = can_run(two) - can_run(one);
	return order ? order : strcmp(one->partition, two->partition);
}

static bool split(struct node *node, char *line)
{
	const char **fields[FIELDS] = { &node->name, &node->state,
					&node->availability, &node->partition };
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		*fields[i] = strsep(&line, "|");
		if (!*fields[i])
			return false;
	}
	return !line;
}

static int read_nodes(const struct sw_gather_jobs *jobs, char *text,
		      struct node **nodes, size_t *count)
{
	struct node node;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (!*line)
			continue;
		if (!split(&node, line) || !is_node_name(node.name)) {
			complain(jobs, line, "not the name of a node");
			continue;
		}
		if (sw_grow(nodes, *count, sizeof(**nodes)) < 0)
			return -1;
		(*nodes)[(*count)++] = node;
	}
	if (*count)
		qsort(*nodes, *count, sizeof(**nodes), compare_nodes);
	return 0;
}

static void put_path(char *path, size_t size, const struct sw_gather_jobs *jobs,
		     const char *prefix, const char *node)
{
	snprintf(path, size, "%s%s/%s" MESSAGES_SUFFIX, prefix, jobs->folder,
		 node);
}

static void put_node_script(FILE *out, const void *context)
{
	const struct sw_gather_jobs *jobs = context;

	sw_sbatch_put_quoted(out, jobs->program);
	fputs(" sweep --quiet --collect-into=", out);
	sw_sbatch_put_quoted(out, jobs->folder);
	fputs(" && echo " SUCCESS "\n", out);
}

static int submit_node(const struct sw_gather_jobs *jobs,
		       const struct node *node, const char *script,
		       struct sw_error *error)
{
	char where[SW_NODE_NAME_SIZE_MAX + 16], deadline[48], minutes[32];
	char partition[SW_NODE_NAME_SIZE_MAX + 16], output[PATH_MAX + 16];
	char job[SW_SBATCH_JOB_SIZE];
	const bool is_chosen = getenv("SBATCH_PARTITION") != NULL;
	const char *const words[] = {
		where,		"--nodes=1",
		"--mem=100M",	"--chdir=/",
		"--no-requeue", deadline,
		minutes,	is_chosen ? NULL : partition,
		NULL,
	};
	const struct sw_sbatch sbatch = {
		.name = JOB_NAME,
		.output = output,
		.script = script,
		.words = words,
	};

	snprintf(where, sizeof(where), "--nodelist=%s", node->name);
	snprintf(deadline, sizeof(deadline), "--deadline=now+%dminutes",
		 SW_GATHER_DEADLINE_MINUTES);
	snprintf(minutes, sizeof(minutes), "--time=%d", RUN_MINUTES);
	snprintf(partition, sizeof(partition), "--partition=%s",
		 node->partition);
	put_path(output, sizeof(output), jobs, "", node->name);
	/* Delete messages of an earlier job. */
	unlink(output);
	put_path(output, sizeof(output), jobs, "--output=", node->name);
	return sw_sbatch_run(job, sizeof(job), &sbatch, error);
}

static int submit_nodes(struct sw_node_names *submitted,
			const struct sw_gather_jobs *jobs,
			const struct node *nodes, size_t count,
			struct sw_error *error)
{
	char *script = sw_sbatch_script(put_node_script, jobs), why[64];
	struct sw_error refused;
	size_t i;
	int rc = script ? 0 : -1;

	for (i = 0; rc == 0 && i < count; i++) {
		if (i && !strcmp(nodes[i].name, nodes[i - 1].name))
			continue;
		if (!can_run(&nodes[i]))
			complain(jobs, nodes[i].name,
				 why_not(why, sizeof(why), &nodes[i]));
		else if (submit_node(jobs, &nodes[i], script, &refused) < 0)
			complain(jobs, nodes[i].name, refused.text);
		else
			rc = sw_node_names_add(submitted, nodes[i].name);
	}
	free(script);
	return rc < 0 ? sw_error_errno(error, "sbatch") : 0;
}

int sw_gather_submit(struct sw_node_names *submitted,
		     const struct sw_gather_jobs *jobs, struct sw_error *error)
{
	static const char *const argv[] = {
		"sinfo", "--noheader", "--Node", "--format=%N|%T|%a|%R", NULL,
	};
	const struct sw_sacct_call call = {
		.argv = argv,
		.wait_seconds = SINFO_WAIT_SECONDS,
		.output_bytes_max = SINFO_OUTPUT_MAX,
		.is_empty_suspect = true,
	};
	struct node *nodes = NULL;
	size_t count = 0;
	char *text;
	int rc;

	*submitted = (struct sw_node_names){ NULL, 0 };
	if (sw_sbatch_check_folder(jobs->folder, error) < 0)
		return -1;
	text = sw_sacct_run(&call, error);
	if (!text)
		return -1;
	rc = read_nodes(jobs, text, &nodes, &count);
	rc = rc < 0 ? sw_error_errno(error, "sinfo")
		    : submit_nodes(submitted, jobs, nodes, count, error);
	if (rc == 0 && !submitted->count) {
		errno = ENOENT;
		rc = sw_error_set(error, "no node can run a job now");
	}
	free(nodes);
	free(text);
	return rc;
}

int sw_gather_submit_end(char job[SW_SBATCH_JOB_SIZE], bool is_waiting,
			 struct sw_error *error)
{
	char deadline[48], minutes[32];
	const char *const words[] = {
		"--dependency=singleton",
		"--nodes=1",
		"--mem=100M",
		"--chdir=/",
		"--no-requeue",
		deadline,
		minutes,
		is_waiting ? "--wait" : NULL,
		NULL,
	};
	const struct sw_sbatch sbatch = {
		.name = JOB_NAME,
		.output = "--output=/dev/null",
		.script = "true",
		.words = words,
		.wait_seconds = is_waiting ? WAIT_SECONDS : 0,
	};

	snprintf(deadline, sizeof(deadline), "--deadline=now+%dminutes",
		 2 * SW_GATHER_DEADLINE_MINUTES);
	snprintf(minutes, sizeof(minutes), "--time=%d", RUN_MINUTES);
	return sw_sbatch_run(job, SW_SBATCH_JOB_SIZE, &sbatch, error);
}

/* Read a short file; NULL if it does not exist. */
static char *read_messages(char *text, size_t size, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	if (length < 0)
		return NULL;
	text[length] = '\0';
	return text;
}

/* NULL: everything was copied.  Slurm and the site may add lines. */
static const char *explain(char *text)
{
	char *own;

	if (!text)
		return "its job left no messages: it did not run in time, or "
		       "could not write there";
	if (!strcmp(text, SUCCESS "\n") ||
	    sw_has_suffix(text, "\n" SUCCESS "\n"))
		return NULL;
	own = strstr(text, "stepwell: ");
	if (own)
		text = own + strlen("stepwell: ");
	text[strcspn(text, "\n")] = '\0';
	return *text ? text : "its job ended before it had copied";
}

/* Opening a folder makes network file systems refresh it. */
static void look_anew(const char *folder)
{
	DIR *dir = opendir(folder);

	if (dir)
		closedir(dir);
}

size_t sw_gather_messages(const struct sw_node_names *submitted,
			  const struct sw_gather_jobs *jobs)
{
	char path[PATH_MAX], text[4096], shown[512];
	const char *why;
	size_t i, failed = 0;

	look_anew(jobs->folder);
	for (i = 0; i < submitted->count; i++) {
		const char *node = submitted->names[i];

		put_path(path, sizeof(path), jobs, "", node);
		why = explain(read_messages(text, sizeof(text), path));
		unlink(path);
		if (!why)
			continue;
		failed++;
		complain(jobs, node,
			 sw_escape_ascii(shown, sizeof(shown), why));
	}
	return failed;
}
