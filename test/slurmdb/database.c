/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plays slurmdbd for sacct and for stepwell-slurmdb, by LD_PRELOAD, so that
 * what they print of the same records can be compared.  What they ask for is
 * noted in $DATABASE_LOG.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurmdb/slurm_calls.h"

#if SW_SLURM_SINCE(24, 11)
typedef list_t *List;
#endif

enum { JOBS = 400, FIRST_SECONDS = 1779998400, TEXT_SIZE = 200 };

/* sacct's libslurmfull and libslurm have these by the same names. */
int slurm_acct_storage_init(void);
int acct_storage_g_init(void);
/* With the configuration 23.02 alone loads plugins, unless told otherwise. */
#if SW_SLURM_SINCE(23, 2) && !SW_SLURM_SINCE(23, 11)
int slurm_conf_init_load(const char *file, bool has_plugins);
#define slurm_conf_init(file) slurm_conf_init_load(file, false)
#else
int slurm_conf_init(const char *file);
#endif
void *slurm_xcalloc(size_t count, size_t size, bool is_zero, bool may_fail,
		    const char *file, int line, const char *function);

static uint32_t chance_state = 1;

static uint32_t chance(uint32_t below)
{
	chance_state = chance_state * 1103515245U + 12345U;
	return (chance_state >> 8) % below;
}

static char *text(const char *format, uint32_t number)
{
	/* Slurm frees some of them. */
	char *to = slurm_xcalloc(1, TEXT_SIZE, true, false, "", 0, "");

	snprintf(to, TEXT_SIZE, format, number);
	return to;
}

static char *one_of(const char *const *texts, uint32_t count)
{
	const char *chosen = texts[chance(count)];

	return chosen ? text(chosen, chance(1000)) : NULL;
}

#define ONE_OF(...)                                                            \
	one_of((const char *const[]){ __VA_ARGS__ },                           \
	       sizeof((const char *const[]){ __VA_ARGS__ }) /                  \
		       sizeof(const char *))

/* The configuration alone: there need be no plugins, such as munge's. */
void slurm_init(const char *conf)
{
	slurm_conf_init(conf);
}

int slurm_acct_storage_init(void)
{
	return 0;
}

int acct_storage_g_init(void)
{
	return 0;
}

void *slurmdb_connection_get(uint16_t *flags)
{
	static int connection;

	(void)flags;
	errno = 0;
	return &connection;
}

int slurmdb_connection_close(void **connection)
{
	*connection = NULL;
	return 0;
}

static slurmdb_tres_rec_t *resource(uint32_t id, const char *type,
				    const char *name)
{
	slurmdb_tres_rec_t *tres = calloc(1, sizeof(*tres));

	if (!tres)
		abort();
	tres->id = id;
	tres->type = text(type, 0);
	tres->name = name ? text(name, 0) : NULL;
	return tres;
}

List slurmdb_tres_get(void *connection, slurmdb_tres_cond_t *condition)
{
	void *list = slurm_list_create(NULL);

	(void)connection;
	(void)condition;
	slurm_list_append(list, resource(1, "cpu", NULL));
	slurm_list_append(list, resource(2, "mem", NULL));
	slurm_list_append(list, resource(3, "energy", NULL));
	slurm_list_append(list, resource(4, "node", NULL));
	slurm_list_append(list, resource(5, "billing", NULL));
	slurm_list_append(list, resource(6, "fs", "disk"));
	slurm_list_append(list, resource(7, "vmem", NULL));
	slurm_list_append(list, resource(8, "pages", NULL));
	slurm_list_append(list, resource(1001, "gres", "gpu"));
	slurm_list_append(list, resource(1002, "gres", "gpu:a100"));
	slurm_list_append(list, resource(1003, "bb", "datawarp"));
	return list;
}

List slurmdb_qos_get(void *connection, slurmdb_qos_cond_t *condition)
{
	slurmdb_qos_rec_t *qos = calloc(1, sizeof(*qos));
	void *list = slurm_list_create(NULL);

	(void)connection;
	(void)condition;
	if (!qos)
		abort();
	qos->id = 1;
	qos->name = text("normal", 0);
	slurm_list_append(list, qos);
	return list;
}

static char *usage(void)
{
	return ONE_OF(NULL, "", "1=%u,2=1073741824,3=0,6=123,7=99,8=3",
		      "1=12345678,2=%u", "2=1536", "6=18446744073709551614",
		      "1=18446744073709551615,2=10240");
}

static slurmdb_step_rec_t *make_step(slurmdb_job_rec_t *job, uint32_t number)
{
	static const uint32_t ids[] = {
		SLURM_BATCH_SCRIPT, SLURM_EXTERN_CONT, SLURM_INTERACTIVE_STEP,
		SLURM_PENDING_STEP, 0, 1, 4000000,
	};
	const uint32_t count = sizeof(ids) / sizeof(ids[0]);
	slurmdb_step_rec_t *step = calloc(1, sizeof(*step));

	if (!step)
		abort();
	step->job_ptr = job;
	step->step_id.job_id = job->jobid;
	step->step_id.step_id = ids[(number + chance(count)) % count];
	step->step_id.step_het_comp = chance(5) ? NO_VAL : chance(3);
	step->state = chance(5) ? JOB_COMPLETE : chance(12);
	step->requid = chance(2) ? INFINITE : chance(2000);
	step->exitcode = (int32_t)(chance(2) ? 0 : chance(65536));
	step->start = job->start;
	step->end = chance(3) ? job->end : 0;
	step->elapsed = chance(100000);
	step->nnodes = chance(3);
	step->ntasks = chance(200);
	step->nodes = ONE_OF("n1", "n[1-3]", NULL);
	step->stepname = ONE_OF("batch", "extern", "a.out", "a b|c", NULL);
	step->tot_cpu_sec = chance(2) ? chance(60) : chance(400000);
	step->tot_cpu_usec = chance(2000000);
	step->tres_alloc_str = ONE_OF("1=2,2=1024,4=1", "2=10", "", NULL);
	step->stats.tres_usage_in_max = usage();
	step->stats.tres_usage_in_tot = usage();
	step->stats.tres_usage_out_tot = usage();
	step->stats.consumed_energy = chance(2) ? NO_VAL64 : chance(100000);
#if SW_SLURM_SINCE(25, 5)
	step->timelimit = chance(2) ? INFINITE : chance(2) ? NO_VAL : chance(3);
#endif
	return step;
}

static void set_ids(slurmdb_job_rec_t *job, uint32_t number)
{
	job->jobid = 1000 + number;
	job->array_task_id = NO_VAL;
	switch (chance(5)) {
	case 0:
		job->array_job_id = 900 + chance(50);
		job->array_task_id = chance(100);
		break;
	case 1:
		job->array_job_id = 900;
		job->array_max_tasks = chance(3);
		job->array_task_str = text("0xF%u", 0);
		break;
	case 2:
		job->het_job_id = 950;
		job->het_job_offset = chance(3);
		break;
	}
}

static void set_end(slurmdb_job_rec_t *job)
{
	static const uint32_t states[] = {
		JOB_COMPLETE, JOB_CANCELLED, JOB_FAILED, JOB_TIMEOUT,
		JOB_NODE_FAIL, JOB_PREEMPTED, JOB_BOOT_FAIL, JOB_DEADLINE,
		JOB_OOM, JOB_REQUEUE, JOB_RESIZING, JOB_REVOKED,
	};

	job->state = states[chance(12)];
	job->requid = chance(2) ? INFINITE : chance(2000);
	job->exitcode = chance(2) ? 0 : chance(65536);
	job->derived_ec = chance(3) ? chance(65536) : NO_VAL;
	job->submit = FIRST_SECONDS - 100 - (time_t)chance(50);
	job->eligible = chance(9) ? job->submit : 0;
	job->end = FIRST_SECONDS + (time_t)chance(7300);
	job->start = chance(5) ? job->end - (time_t)chance(1000) : 0;
	job->elapsed = chance(5) ? chance(100000) : 0;
	job->timelimit = chance(4) ? chance(3000) :
			 chance(2) ? INFINITE : NO_VAL;
}

static void set_texts(slurmdb_job_rec_t *job)
{
	job->account = ONE_OF("bio", "phys%u", NULL);
	job->cluster = text("c1", 0);
	job->derived_es = ONE_OF(NULL, "", "a note, with \"quotes\"", "tab\t");
	job->jobname = ONE_OF("map", "a b|c", "\xc3\xa4\033[31m", "", "'$x'");
	job->nodes = ONE_OF("n1", "n[1-300]", "None assigned", NULL);
	job->partition = ONE_OF("main", "main,gpu", NULL);
	job->user = ONE_OF("alice", NULL, "u%u");
	job->work_dir = ONE_OF("/home/alice", "/a b", NULL);
}

static slurmdb_job_rec_t *make_job(uint32_t number)
{
	slurmdb_job_rec_t *job = calloc(1, sizeof(*job));
	uint32_t steps = chance(4), i;

	if (!job)
		abort();
	set_ids(job, number);
	set_end(job);
	set_texts(job);
	job->show_full = 1;
	job->uid = chance(9) ? chance(3) * 65534 : NO_VAL;
	job->qosid = chance(3);
	job->req_cpus = chance(100);
	job->alloc_nodes = chance(3);
	/* That sacct prints for none is not a number that was requested. */
	job->tres_req_str = ONE_OF("1=4,2=16384,4=1,5=4", "1=1,2=%u",
				   "1=2,2=1000000,1001=1");
	job->tres_alloc_str = ONE_OF("1=8,2=16384,3=%u,4=2,5=8,1001=2,1002=2",
				     "1=1,2=1,1003=5", "", NULL, "4=2,77=3");
#if SW_SLURM_SINCE(24, 11)
	job->restart_cnt = (uint16_t)chance(3);
#endif
	job->steps = slurm_list_create(NULL);
	for (i = 0; i < steps; i++)
		slurm_list_append(job->steps, make_step(job, i));
	return job;
}

static void note(const slurmdb_job_cond_t *condition)
{
	const char *path = getenv("DATABASE_LOG");
	FILE *log = path ? fopen(path, "a") : NULL;
	void *iterator;
	char *state;

	if (!log)
		return;
	fprintf(log, "%lld %lld flags %u:%u clusters %d states",
		(long long)condition->usage_start,
		(long long)condition->usage_end, condition->flags,
		condition->db_flags, condition->cluster_list ?
		slurm_list_count(condition->cluster_list) : 0);
	iterator = slurm_list_iterator_create(condition->state_list);
	while ((state = slurm_list_next(iterator)))
		fprintf(log, " %s", state);
	slurm_list_iterator_destroy(iterator);
	fputc('\n', log);
	fclose(log);
}

/* As the database: jobs that ended within, both ends included. */
List slurmdb_jobs_get(void *connection, slurmdb_job_cond_t *condition)
{
	void *list = slurm_list_create(NULL);
	slurmdb_job_rec_t *job;
	uint32_t i;

	(void)connection;
	note(condition);
	chance_state = 1;
	for (i = 0; i < JOBS; i++) {
		job = make_job(i);
		if (job->end >= condition->usage_start &&
		    job->end <= condition->usage_end)
			slurm_list_append(list, job);
	}
	return list;
}
