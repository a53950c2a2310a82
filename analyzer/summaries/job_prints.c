/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fingerprint for each job, encoded, to which each step is added. */
#include "analyzer/summaries/job_prints.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/summaries/step_programs.h"
#include "analyzer/trust/digests.h"

struct job_print {
	struct sw_keyed_entry entry;
	size_t steps;
	uint8_t *bytes;
	size_t size;
	char key[];
};

struct step_seen {
	struct sw_keyed_entry entry;
	char key[];
};

enum { KEY_SIZE = 512 };

/* Numbers, and texts of which too long a one is cut off. */
struct key {
	char bytes[KEY_SIZE];
	size_t size;
};

static void add_bytes(struct key *key, const void *bytes, size_t size)
{
	if (size > KEY_SIZE - key->size)
		size = KEY_SIZE - key->size;
	memcpy(key->bytes + key->size, bytes, size);
	key->size += size;
}

static void add_text(struct key *key, const char *text)
{
	add_bytes(key, text, strlen(text) + 1);
}

static struct key key_of(const char *cluster, uint64_t job_id, uint64_t restart)
{
	struct key key = { .size = 0 };

	add_bytes(&key, &job_id, sizeof(job_id));
	add_bytes(&key, &restart, sizeof(restart));
	add_text(&key, cluster);
	return key;
}

struct adding {
	struct sw_job_prints *prints;
	sw_job_prints_wants wants;
	void *context;
	char node[64];
};

static bool wants(void *context, const struct sw_step_programs *step)
{
	const struct adding *adding = context;

	return !adding->wants ||
	       adding->wants(adding->context, step->cluster, step->job_id);
}

/* Return 1 if it is new, 0 if it was seen before, -1 (ENOMEM). */
static int note_step(const struct adding *adding,
		     const struct sw_step_programs *step)
{
	struct key key = key_of(step->cluster, step->job_id, step->restart);
	struct sw_keyed *seen = &adding->prints->seen;
	size_t before = seen->count;

	add_bytes(&key, &step->start_usec, sizeof(step->start_usec));
	add_text(&key, step->step);
	add_text(&key, adding->node);
	if (!sw_keyed_need(seen, key.bytes, key.size, sizeof(struct step_seen),
			   offsetof(struct step_seen, key)))
		return -1;
	return seen->count > before;
}

static int keep(struct job_print *job, const struct sw_fingerprint *print)
{
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	size_t size = sw_fingerprint_encode(print, bytes);
	uint8_t *kept = realloc(job->bytes, size);

	if (!kept)
		return -1;
	memcpy(kept, bytes, size);
	job->bytes = kept;
	job->size = size;
	job->steps++;
	return 0;
}

/* What differs between the nodes of a job is not known of the job. */
static void keep_same(char *text, const char *other)
{
	if (strcmp(text, other) != 0)
		*text = '\0';
}

static int take(void *context, const struct sw_step_programs *step)
{
	struct adding *adding = context;
	const struct key key =
		key_of(step->cluster, step->job_id, step->restart);
	struct sw_fingerprint sum;
	struct job_print *job;
	int is_new = note_step(adding, step);

	if (is_new <= 0)
		return is_new;
	job = sw_keyed_need(&adding->prints->jobs, key.bytes, key.size,
			    sizeof(*job), offsetof(struct job_print, key));
	if (!job)
		return -1;
	if (!job->bytes)
		return keep(job, &step->print);
	sw_fingerprint_decode(&sum, job->bytes, job->size);
	sw_fingerprint_add_programs(&sum, &step->print);
	keep_same(sum.environment.kernel, step->print.environment.kernel);
	keep_same(sum.environment.kind, step->print.environment.kind);
	return keep(job, &sum);
}

int sw_job_prints_add(struct sw_job_prints *prints,
		      const struct sw_reader *reader, const char *path,
		      sw_job_prints_wants is_wanted, void *context)
{
	struct adding adding = { .prints = prints,
				 .wants = is_wanted,
				 .context = context };
	const struct sw_step_programs_taker taker = {
		.wants = wants, .take = take, .context = &adding,
	};

	sw_digests_node(path, adding.node, sizeof(adding.node));
	return sw_step_programs_read(&taker, reader);
}

void sw_job_prints_put(const struct sw_job_prints *prints,
		       const struct sw_job_print_key *of,
		       struct sw_fingerprint *print)
{
	const struct key key = key_of(of->cluster, of->job_id, of->restart);
	const struct job_print *job = (const struct job_print *)sw_keyed_find(
		&prints->jobs, key.bytes, key.size);
	struct sw_fingerprint sum;

	if (!job || job->steps != of->steps ||
	    sw_fingerprint_decode(&sum, job->bytes, job->size) < 0)
		return;
	print->is_complete = sum.is_complete;
	print->more_programs = sum.more_programs;
	print->program_count = sum.program_count;
	memcpy(print->programs, sum.programs,
	       sum.program_count * sizeof(sum.programs[0]));
	memcpy(print->environment.kernel, sum.environment.kernel,
	       sizeof(sum.environment.kernel));
	memcpy(print->environment.kind, sum.environment.kind,
	       sizeof(sum.environment.kind));
}

static void free_job(struct sw_keyed_entry *entry)
{
	struct job_print *job = (struct job_print *)entry;

	free(job->bytes);
	free(job);
}

void sw_job_prints_fini(struct sw_job_prints *prints)
{
	sw_keyed_fini(&prints->jobs, free_job);
	sw_keyed_fini(&prints->seen, NULL);
}
