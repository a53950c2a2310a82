/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tallies with names chosen by users, and their limits. */
#include "analyzer/sweep/night/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"

/* Number of names of a kind for a user. */
struct count {
	struct sw_keyed_entry entry;
	size_t names;
	bool is_over;
	char key[];
};

size_t sw_named_most(enum sw_tally_of of)
{
	static const size_t most[SW_TALLY_OFS] = {
		[SW_TALLY_PIPELINE] = 200, [SW_TALLY_RUN] = 1000,
		[SW_TALLY_TASK] = 2000,	   [SW_TALLY_RUN_TASK] = 5000,
		[SW_TALLY_STEP] = 1000,	   [SW_TALLY_PROGRAM] = 1000,
	};

	return most[of];
}

/* Of a kind, a cluster and a user; NULL (ENOMEM). */
static struct count *count_of(struct sw_keyed *counts, enum sw_tally_of of,
			      const char *cluster, const char *user)
{
	size_t size = 1 + strlen(cluster) + 1 + strlen(user);
	char *key = malloc(size + 1);
	struct count *count;

	if (!key)
		return NULL;
	*key = (char)('0' + of);
	strcpy(stpcpy(key + 1, cluster) + 1, user);
	count = sw_keyed_need(counts, key, size, sizeof(*count),
			      offsetof(struct count, key));
	free(key);
	return count;
}

/* Of those that are too many; to is what they become. */
static bool is_over(const struct sw_tally *tally, struct sw_keyed *counts,
		    struct sw_tally_names *to)
{
	const struct count *count;

	if (!sw_named_most(tally->of))
		return false;
	/* Found, so nothing is allocated. */
	count = count_of(counts, tally->of, tally->cluster, tally->user);
	*to = (struct sw_tally_names){ tally->of, tally->cluster, "",
				       tally->user, "" };
	return count && count->is_over;
}

static bool is_kept(const struct sw_tally *tally, void *context)
{
	struct sw_tally_names to;

	return !is_over(tally, context, &to);
}

/* Fold all tallies above the limit into one per user. */
static int fold(struct sw_keyed *tallies, struct sw_keyed *counts)
{
	struct sw_keyed sums = { 0 };
	struct sw_tally_names to;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < tallies->room; i++) {
		const struct sw_tally *tally =
			(const struct sw_tally *)tallies->slots[i];

		if (tally && is_over(tally, counts, &to))
			rc = sw_tally_merge_as(&sums, &to, tally);
	}
	if (rc == 0) {
		sw_tallies_filter(tallies, is_kept, counts);
		rc = sw_tallies_merge(tallies, &sums);
	}
	sw_tallies_fini(&sums);
	return rc;
}

static int add(struct sw_keyed *counts, struct sw_keyed *tallies,
	       const struct sw_tally_names *names,
	       const struct sw_tally_job *job)
{
	struct count *count =
		count_of(counts, names->of, names->cluster, names->user);
	struct sw_tally_names to = *names;
	size_t before = tallies->count;

	if (!count)
		return -1;
	if (count->is_over)
		to.name = to.label = "";
	if (sw_tally_add(tallies, &to, job) < 0)
		return -1;
	count->names += tallies->count - before;
	if (count->is_over || count->names <= sw_named_most(names->of))
		return 0;
	count->is_over = true;
	return fold(tallies, counts);
}

int sw_named_bound(struct sw_keyed *tallies)
{
	struct sw_keyed counts = { 0 };
	bool has_over = false;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < tallies->room; i++) {
		const struct sw_tally *tally =
			(const struct sw_tally *)tallies->slots[i];
		struct count *count;

		if (!tally || !sw_named_most(tally->of))
			continue;
		count = count_of(&counts, tally->of, tally->cluster,
				 tally->user);
		if (!count)
			rc = -1;
		else if (++count->names > sw_named_most(tally->of) ||
			 !*tally->name)
			has_over = count->is_over = true;
	}
	if (rc == 0 && has_over)
		rc = fold(tallies, &counts);
	sw_keyed_fini(&counts, NULL);
	return rc;
}

static int add_workflow(struct sw_keyed *counts, struct sw_keyed *tallies,
			const struct sw_job_record *job,
			const struct sw_measured *measured)
{
	const char *pipeline = measured->workflow.pipeline;
	const char *run = measured->workflow.run;
	const char *task = measured->group.label;
	const struct sw_tally_names all[] = {
		{ SW_TALLY_PIPELINE, job->cluster, pipeline, job->user, "" },
		{ SW_TALLY_TASK, job->cluster, task, job->user, pipeline },
		{ SW_TALLY_RUN, job->cluster, run, job->user, pipeline },
		{ SW_TALLY_RUN_TASK, job->cluster, task, job->user, run },
	};
	const bool has[] = { *pipeline, *pipeline, *run, *run };
	struct sw_tally_job numbers = measured->tally;
	size_t i;

	memset(numbers.has_value, 0, sizeof(numbers.has_value));
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		/* Rows of a page also have medians. */
		if (has[i] && add(counts, tallies, &all[i],
				  all[i].of == SW_TALLY_TASK ||
						  all[i].of == SW_TALLY_RUN_TASK
					  ? &measured->tally
					  : &numbers) < 0)
			return -1;
	}
	return 0;
}

/* Cost as the step's part of the job's, by CPU time. */
static void put_cost(uint64_t *n, const uint64_t *job)
{
	double cpus =
		sw_tally_ratio(n, SW_TALLY_USED_USEC, SW_TALLY_CORE_KNOWN_USEC);
	double memory = sw_tally_ratio(n, SW_TALLY_NEED_MIB_SECONDS,
				       SW_TALLY_MIB_KNOWN_SECONDS);
	double part, cost, used = fmax(cpus, memory);

	if (!job[SW_TALLY_PRICED_CORE_USEC] || !job[SW_TALLY_CORE_USEC])
		return;
	part = fmin(1, (double)n[SW_TALLY_CORE_USEC] /
			       (double)job[SW_TALLY_CORE_USEC]);
	cost = part * (double)job[SW_TALLY_COST_MICROS];
	if (isnan(cpus) || isnan(memory))
		used = 1;
	n[SW_TALLY_COST_MICROS] = sw_whole_real(cost + 0.5);
	n[SW_TALLY_WASTED_MICROS] =
		sw_whole_real(0.5 + (n[SW_TALLY_LOST_CORE_USEC]
					     ? cost
					     : cost * (1 - fmin(1, used))));
	n[SW_TALLY_PRICED_CORE_USEC] = n[SW_TALLY_CORE_USEC];
	n[SW_TALLY_PRICE_DAY] = job[SW_TALLY_PRICE_DAY];
	n[SW_TALLY_PRICE_DAY_BEFORE] = job[SW_TALLY_PRICE_DAY_BEFORE];
}

static int add_step(struct sw_keyed *counts, struct sw_keyed *tallies,
		    const struct sw_job_record *job, const char *program,
		    const struct sw_measured *of_job,
		    const struct sw_tally_job *tally)
{
	char folded[SW_JOB_GROUP_SIZE], name[2 * SW_JOB_GROUP_SIZE];
	const struct sw_tally_names step = { SW_TALLY_STEP, job->cluster, name,
					     job->user, of_job->group.label };
	const struct sw_tally_names of_program = {
		SW_TALLY_PROGRAM, job->cluster, program, job->user, "" };

	snprintf(name, sizeof(name), "%s:%s", of_job->group.label,
		 sw_fold_name(folded, sizeof(folded), program));
	if (add(counts, tallies, &step, tally) < 0)
		return -1;
	return add(counts, tallies, &of_program, tally);
}

/* The script's own use is not separated from its job. */
static int add_steps(struct sw_keyed *counts, struct sw_keyed *tallies,
		     const struct sw_job_record *job,
		     const struct sw_measured *measured,
		     const struct sw_step_summary *rows, size_t count)
{
	struct sw_measured step;
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		const struct sw_step_record *record = &job->steps[i];

		if (!sw_measure_is_numbered(record->id.step) || !*record->name)
			continue;
		sw_measure_step(&step, job, i, rows, count);
		put_cost(step.tally.n, measured->tally.n);
		memset(step.tally.has_value, 0, sizeof(step.tally.has_value));
		if (add_step(counts, tallies, job, record->name, measured,
			     &step.tally) < 0)
			return -1;
	}
	return 0;
}

int sw_named_add(struct sw_keyed *counts, struct sw_keyed *tallies,
		 const struct sw_job_record *job,
		 const struct sw_measured *measured,
		 const struct sw_step_summary *rows, size_t count)
{
	if (add_workflow(counts, tallies, job, measured) < 0)
		return -1;
	return add_steps(counts, tallies, job, measured, rows, count);
}
