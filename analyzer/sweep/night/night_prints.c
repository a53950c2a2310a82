/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A second pass over the files, for the runs that are kept. */
#include "analyzer/sweep/night/night_prints.h"

#include <fcntl.h>
#include <stdlib.h>

#include "analyzer/keyed/job_set.h"
#include "analyzer/keyed/texts.h"
#include "analyzer/summaries/job_prints.h"
#include "analyzer/summaries/step_programs.h"

struct filling {
	struct sw_night *night;
	struct sw_texts clusters;
	struct sw_job_set jobs; /* that are kept */
	struct sw_job_prints prints;
};

/* Visit the runs that are kept and have rows in summaries. */
static int each_run(struct filling *filling,
		    int (*visit)(struct filling *filling, const char *cluster,
				 struct sw_sample_run *run))
{
	const struct sw_keyed *tallies = &filling->night->tallies;
	size_t i, j;

	for (i = 0; i < tallies->room; i++) {
		struct sw_tally *tally = (struct sw_tally *)tallies->slots[i];

		for (j = 0; tally && j < tally->sample.count; j++) {
			struct sw_sample_run *run = &tally->sample.items[j];

			if (run->step_rows &&
			    visit(filling, tally->cluster, run) < 0)
				return -1;
		}
	}
	return 0;
}

static int note_job(struct filling *filling, const char *cluster,
		    struct sw_sample_run *run)
{
	uint32_t id = sw_texts_add(&filling->clusters, cluster);

	return id == SW_TEXT_NONE ? -1 :
	       sw_job_set_add(&filling->jobs, id, run->job_id);
}

static bool is_kept(void *context, const char *cluster, uint64_t job_id)
{
	struct filling *filling = context;
	uint32_t id = sw_texts_find(&filling->clusters, cluster);

	return id != SW_TEXT_NONE &&
	       sw_job_set_has(&filling->jobs, id, job_id);
}

static int read_file(struct filling *filling, const char *path)
{
	const struct sw_reader_want want = { .only = &sw_step_programs_only,
					     .only_count = 1,
					     .no_others = true };
	struct sw_error error;
	struct sw_reader *reader =
		sw_reader_open_in(AT_FDCWD, path, true, &want, &error);
	int rc;

	if (!reader)
		return 0;
	rc = sw_job_prints_add(&filling->prints, reader, path, is_kept,
			       filling);
	sw_reader_close(reader);
	return rc;
}

static int put_programs(struct filling *filling, const char *cluster,
			struct sw_sample_run *run)
{
	const struct sw_job_print_key key = {
		.cluster = cluster,
		.job_id = run->job_id,
		.restart = run->row_restart,
		.steps = run->step_rows,
	};
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	struct sw_fingerprint print;

	if (sw_fingerprint_decode(&print, run->fingerprint,
				  run->fingerprint_size) < 0)
		return 0;
	sw_job_prints_put(&filling->prints, &key, &print);
	free(run->fingerprint);
	return sw_sample_put_print(run, bytes,
				   sw_fingerprint_encode(&print, bytes));
}

static int fill(struct filling *filling, const struct sw_day_files *files,
		const bool *has_programs)
{
	bool has_any = false;
	size_t i;

	for (i = 0; i < files->count; i++)
		has_any |= has_programs[i];
	if (!has_any)
		return 0;
	if (each_run(filling, note_job) < 0)
		return -1;
	for (i = 0; i < files->count; i++) {
		if (has_programs[i] && read_file(filling, files->paths[i]) < 0)
			return -1;
	}
	return each_run(filling, put_programs);
}

int sw_night_prints_fill(struct sw_night *night,
			 const struct sw_day_files *files,
			 const bool *has_programs)
{
	struct filling filling = { .night = night };
	int rc = fill(&filling, files, has_programs);

	sw_texts_fini(&filling.clusters);
	sw_job_set_fini(&filling.jobs);
	sw_job_prints_fini(&filling.prints);
	return rc;
}
