/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_get_item(): the same in every release from 22.05 to 26.05.  The answer
 * depends on item, context and hook; an item that fails by request of the
 * command line returns poison, so that its use is detected.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

#define POISON 0xa5

enum item_kind {
	KIND_UID,
	KIND_GID,
	KIND_U16,
	KIND_U32,
	KIND_U64,
	KIND_STRING,
	KIND_ARGV,
	KIND_ENV,
	KIND_GIDS,
	KIND_TASK_ID,
	KIND_TASK_GLOBAL_ID,
	KIND_TASK_STATUS,
	KIND_TASK_PID,
	KIND_PID_TO_GLOBAL,
	KIND_PID_TO_LOCAL,
	KIND_LOCAL_TO_GLOBAL,
	KIND_GLOBAL_TO_LOCAL,
	KIND_VERSION,
};

struct item {
	const char *name;
	enum item_kind kind;
	size_t offset;
	bool is_local;
	bool is_allocator;
	bool is_job_script;
};

#define FIELD(member) offsetof(struct host_job, member)
#define ITEM(item, kind_, member)                                           \
	[item] = { .name = #item, .kind = kind_, .offset = FIELD(member) }
#define ITEM_LOCAL(item, kind_, member)                                     \
	[item] = { .name = #item, .kind = kind_, .offset = FIELD(member),   \
		   .is_local = true }
#define ITEM_BARE(item, kind_) [item] = { .name = #item, .kind = kind_ }

static const struct item items[HOST_ITEMS] = {
	[S_JOB_UID] = {
		.name = "S_JOB_UID",
		.kind = KIND_UID,
		.is_local = true,
		.is_allocator = true,
		.is_job_script = true,
	},
	[S_JOB_GID] = {
		.name = "S_JOB_GID",
		.kind = KIND_GID,
		.is_local = true,
		.is_allocator = true,
		.is_job_script = true,
	},
	[S_JOB_ID] = {
		.name = "S_JOB_ID",
		.kind = KIND_U32,
		.offset = FIELD(job_id),
		.is_local = true,
		.is_job_script = true,
	},
	ITEM_LOCAL(S_JOB_STEPID, KIND_U32, step_id),
	ITEM_LOCAL(S_JOB_NNODES, KIND_U32, nnodes),
	ITEM(S_JOB_NODEID, KIND_U32, nodeid),
	ITEM(S_JOB_LOCAL_TASK_COUNT, KIND_U32, ntasks_local),
	ITEM_LOCAL(S_JOB_TOTAL_TASK_COUNT, KIND_U32, ntasks),
	ITEM(S_JOB_NCPUS, KIND_U16, ncpus),
	[S_JOB_ARGV] = {
		.name = "S_JOB_ARGV",
		.kind = KIND_ARGV,
		.is_local = true,
	},
	[S_JOB_ENV] = {
		.name = "S_JOB_ENV",
		.kind = KIND_ENV,
		.is_local = true,
	},
	ITEM_BARE(S_TASK_ID, KIND_TASK_ID),
	ITEM_BARE(S_TASK_GLOBAL_ID, KIND_TASK_GLOBAL_ID),
	ITEM_BARE(S_TASK_EXIT_STATUS, KIND_TASK_STATUS),
	ITEM_BARE(S_TASK_PID, KIND_TASK_PID),
	ITEM_BARE(S_JOB_PID_TO_GLOBAL_ID, KIND_PID_TO_GLOBAL),
	ITEM_BARE(S_JOB_PID_TO_LOCAL_ID, KIND_PID_TO_LOCAL),
	ITEM_BARE(S_JOB_LOCAL_TO_GLOBAL_ID, KIND_LOCAL_TO_GLOBAL),
	ITEM_BARE(S_JOB_GLOBAL_TO_LOCAL_ID, KIND_GLOBAL_TO_LOCAL),
	ITEM_BARE(S_JOB_SUPPLEMENTARY_GIDS, KIND_GIDS),
	ITEM_BARE(S_SLURM_VERSION, KIND_VERSION),
	ITEM_BARE(S_SLURM_VERSION_MAJOR, KIND_VERSION),
	ITEM_BARE(S_SLURM_VERSION_MINOR, KIND_VERSION),
	ITEM_BARE(S_SLURM_VERSION_MICRO, KIND_VERSION),
	ITEM(S_STEP_CPUS_PER_TASK, KIND_U32, cpus_per_task),
	ITEM(S_JOB_ALLOC_CORES, KIND_STRING, job_cores),
	ITEM(S_JOB_ALLOC_MEM, KIND_U64, job_mem_mbytes),
	ITEM(S_STEP_ALLOC_CORES, KIND_STRING, step_cores),
	ITEM(S_STEP_ALLOC_MEM, KIND_U64, step_mem_mbytes),
	ITEM(S_SLURM_RESTART_COUNT, KIND_U32, restart_count),
	ITEM(S_JOB_ARRAY_ID, KIND_U32, array_id),
	ITEM(S_JOB_ARRAY_TASK_ID, KIND_U32, array_task_id),
};

int host_item_find(const char *name)
{
	for (int i = 0; i < HOST_ITEMS; i++) {
		if (strcmp(items[i].name, name) == 0)
			return i;
	}
	return -1;
}

const char *host_item_name(int item)
{
	return items[item].name;
}

int host_item_set(struct host_job *job, int item, uint64_t value)
{
	char *field = (char *)job + items[item].offset;
	uint32_t u32 = (uint32_t)value;
	uint16_t u16 = (uint16_t)value;

	switch (items[item].kind) {
	case KIND_U16:
		memcpy(field, &u16, sizeof(u16));
		return 0;
	case KIND_U32:
		memcpy(field, &u32, sizeof(u32));
		return 0;
	case KIND_U64:
		memcpy(field, &value, sizeof(value));
		return 0;
	default:
		return -1;
	}
}

static spank_err_t check_launcher(const struct spank_handle *spank,
				  const struct item *item)
{
	if (spank->hook == HOOK_EXIT)
		out_violation("item", "exit",
			      "%s asked in a launcher's exit: the job "
			      "pointer is garbage there", item->name);
	if (host_stack->context == S_CTX_LOCAL) {
		if (!item->is_local)
			return ESPANK_NOT_REMOTE;
		return spank->job ? ESPANK_SUCCESS : ESPANK_NOT_AVAIL;
	}
	if (item->is_allocator)
		return ESPANK_NOT_AVAIL;
	return item->is_local ? ESPANK_BAD_ARG : ESPANK_NOT_REMOTE;
}

static spank_err_t check(const struct spank_handle *spank,
			 const struct item *item)
{
	if (item->kind == KIND_VERSION)
		return ESPANK_SUCCESS;
	switch (host_stack->context) {
	case S_CTX_SLURMD:
		return ESPANK_NOT_AVAIL;
	case S_CTX_JOB_SCRIPT:
		return item->is_job_script ? ESPANK_SUCCESS : ESPANK_NOT_AVAIL;
	case S_CTX_LOCAL:
	case S_CTX_ALLOCATOR:
		return check_launcher(spank, item);
	default:
		return ESPANK_SUCCESS;
	}
}

/* 22.05 writes -1 and 0 for these two even if it returns NOT_TASK. */
static spank_err_t get_task(const struct spank_handle *spank,
			    enum item_kind kind, void *out)
{
	const struct host_task *task = spank->task;

	if (kind == KIND_TASK_ID)
		*(int *)out = task ? (int)task->id : -1;
	if (kind == KIND_TASK_PID)
		*(pid_t *)out = task ? task->pid : 0;
	if (!task || (kind == KIND_TASK_STATUS && !task->is_exited))
		return ESPANK_NOT_TASK;
	if (kind == KIND_TASK_GLOBAL_ID)
		*(uint32_t *)out = task->gtid;
	if (kind == KIND_TASK_STATUS)
		*(int *)out = task->status;
	return ESPANK_SUCCESS;
}

static spank_err_t get_by_pid(const struct spank_handle *spank,
			      enum item_kind kind, pid_t pid, uint32_t *out)
{
	const struct host_job *job = spank->job;

	*out = UINT32_MAX;
	if (spank->hook != HOOK_TASK_POST_FORK &&
	    spank->hook != HOOK_TASK_EXIT && spank->hook != HOOK_EXIT)
		return ESPANK_NOT_EXECD;
	for (uint32_t i = 0; i < job->ntasks_local; i++) {
		if (job->tasks[i].pid != pid)
			continue;
		*out = kind == KIND_PID_TO_GLOBAL ? job->tasks[i].gtid :
						    job->tasks[i].id;
		return ESPANK_SUCCESS;
	}
	return ESPANK_NOEXIST;
}

static spank_err_t get_by_id(const struct spank_handle *spank,
			     enum item_kind kind, uint32_t id, uint32_t *out)
{
	const struct host_job *job = spank->job;

	*out = UINT32_MAX;
	if (kind == KIND_LOCAL_TO_GLOBAL) {
		if (id >= job->ntasks_local)
			return ESPANK_NOEXIST;
		*out = job->tasks[id].gtid;
		return ESPANK_SUCCESS;
	}
	if (id >= job->ntasks)
		return ESPANK_BAD_ARG;
	for (uint32_t i = 0; i < job->ntasks_local; i++) {
		if (job->tasks[i].gtid == id) {
			*out = job->tasks[i].id;
			return ESPANK_SUCCESS;
		}
	}
	return ESPANK_NOEXIST;
}

static void get_version(int item, char **out)
{
	static char texts[4][16];
	uint32_t version = host_stack->settings->release->version;

	snprintf(texts[0], sizeof(texts[0]), "%s",
		 host_stack->settings->release->text);
	snprintf(texts[1], sizeof(texts[1]), "%02u",
		 SLURM_VERSION_MAJOR(version));
	snprintf(texts[2], sizeof(texts[2]), "%02u",
		 SLURM_VERSION_MINOR(version));
	snprintf(texts[3], sizeof(texts[3]), "%u",
		 SLURM_VERSION_MICRO(version));
	*out = texts[item - S_SLURM_VERSION];
}

/* Return items of the job that are one field of it. */
static void get_field(const struct spank_handle *spank,
		      const struct item *item, void *out)
{
	const char *field = (const char *)spank->job + item->offset;

	switch (item->kind) {
	case KIND_UID:
		*(uid_t *)out = spank->job->uid;
		break;
	case KIND_GID:
		*(gid_t *)out = spank->job->gid;
		break;
	case KIND_U16:
		memcpy(out, field, sizeof(uint16_t));
		break;
	case KIND_U32:
		memcpy(out, field, sizeof(uint32_t));
		break;
	case KIND_U64:
		memcpy(out, field, sizeof(uint64_t));
		break;
	case KIND_STRING:
		memcpy(out, field, sizeof(char *));
		break;
	default:
		*(char ***)out = host_stack->context == S_CTX_REMOTE ?
				 spank->job->env : NULL;
		break;
	}
}

/* Return an inaccessible page, for items that are pointers. */
static void *poison_page(void)
{
	static void *page;

	if (!page)
		page = mmap(NULL, 4096, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return page;
}

static void poison(enum item_kind kind, void *out, void *more)
{
	void *page = poison_page();

	switch (kind) {
	case KIND_U16:
		memset(out, POISON, sizeof(uint16_t));
		break;
	case KIND_U64:
		memset(out, POISON, sizeof(uint64_t));
		break;
	case KIND_GIDS:
		memset(more, POISON, sizeof(int));
		memcpy(out, &page, sizeof(page));
		break;
	case KIND_ARGV:
		memset(out, POISON, sizeof(int));
		memcpy(more, &page, sizeof(page));
		break;
	case KIND_STRING:
	case KIND_ENV:
	case KIND_VERSION:
		memcpy(out, &page, sizeof(page));
		break;
	default:
		memset(out, POISON, sizeof(uint32_t));
		break;
	}
}

static spank_err_t get(const struct spank_handle *spank, int number,
		       va_list args)
{
	const struct item *item = &items[number];
	bool is_failing = host_stack->settings->fail_item == number;
	uint32_t key = 0;
	void *more = NULL;
	void *out;

	if (item->kind >= KIND_PID_TO_GLOBAL &&
	    item->kind <= KIND_GLOBAL_TO_LOCAL)
		key = va_arg(args, uint32_t);
	out = va_arg(args, void *);
	if (item->kind == KIND_ARGV || item->kind == KIND_GIDS)
		more = va_arg(args, void *);
	if (is_failing) {
		poison(item->kind, out, more);
		return ESPANK_ERROR;
	}
	switch (item->kind) {
	case KIND_VERSION:
		get_version(number, out);
		return ESPANK_SUCCESS;
	case KIND_TASK_ID:
	case KIND_TASK_GLOBAL_ID:
	case KIND_TASK_STATUS:
	case KIND_TASK_PID:
		return get_task(spank, item->kind, out);
	case KIND_PID_TO_GLOBAL:
	case KIND_PID_TO_LOCAL:
		return get_by_pid(spank, item->kind, (pid_t)key, out);
	case KIND_LOCAL_TO_GLOBAL:
	case KIND_GLOBAL_TO_LOCAL:
		return get_by_id(spank, item->kind, key, out);
	case KIND_ARGV:
		*(int *)out = spank->job->argc;
		*(char ***)more = spank->job->argv;
		return ESPANK_SUCCESS;
	case KIND_GIDS:
		*(gid_t **)out = spank->job->gids;
		*(int *)more = spank->job->ngids;
		return ESPANK_SUCCESS;
	default:
		get_field(spank, item, out);
		return ESPANK_SUCCESS;
	}
}

spank_err_t spank_get_item(spank_t spank, spank_item_t item, ...)
{
	va_list args;
	spank_err_t rc;

	if (spank_remote(spank) < 0 || (int)item < 0 ||
	    (int)item >= HOST_ITEMS)
		return ESPANK_BAD_ARG;
	rc = check(spank, &items[item]);
	if (rc != ESPANK_SUCCESS)
		return rc;
	va_start(args, item);
	rc = get(spank, (int)item, args);
	va_end(args);
	return rc;
}
