/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs inside a step: the ladder of sources, and the table. */
#include "recorder/programs/tools.h"

#include <stdio.h>
#include <string.h>

#include "common/pages.h"
#include "config.h"
#include "recorder/kernel/share.h"
#include "recorder/programs/tools_internal.h"

/* The best one first. */
static const struct sw_tools_rung *const rungs[] = {
#ifdef HAVE_LIBBPF
	&sw_tools_rung_bpf,
#endif
	&sw_tools_rung_perf,
	&sw_tools_rung_taskstats,
	&sw_tools_rung_proc,
};

enum { RUNGS = sizeof(rungs) / sizeof(rungs[0]) };

static void close_rung(struct sw_tools *tools)
{
	if (tools->rung)
		tools->rung->destroy(tools->state);
	tools->rung = NULL;
}

struct sw_tools *sw_tools_create(const struct sw_tools_target *target,
				 struct sw_error *error)
{
	struct sw_tools *tools = sw_pages_take(sizeof(*tools));

	if (!tools) {
		sw_error_set(error, "no memory to follow the programs");
		return NULL;
	}
	tools->target = *target;
	tools->table = -1;
#ifndef HAVE_LIBBPF
	sw_error_set(&tools->reason, "bpf: built without libbpf");
#endif
	return tools;
}

void sw_tools_limit(unsigned processes)
{
	size_t i;

	for (i = 0; i < RUNGS; i++) {
		if (rungs[i]->limit)
			rungs[i]->limit(processes);
	}
}

void sw_tools_prepare(unsigned int nap_msec)
{
	size_t i;

	for (i = 0; i < RUNGS; i++) {
		if (rungs[i]->prepare)
			rungs[i]->prepare(nap_msec);
	}
}

int sw_tools_news_fd(void)
{
	int fd = -1;
	size_t i;

	for (i = 0; i < RUNGS && fd < 0; i++) {
		if (rungs[i]->news_fd)
			fd = rungs[i]->news_fd();
	}
	return fd;
}

void sw_tools_await(void)
{
	size_t i;

	for (i = 0; i < RUNGS; i++) {
		if (rungs[i]->await)
			rungs[i]->await();
	}
}

/* Each rung that cannot be had says why. */
static void add_reason(struct sw_error *reason, const struct sw_error *more)
{
	size_t length = strlen(reason->text);

	snprintf(reason->text + length, sizeof(reason->text) - length, "%s%s",
		 length ? "; " : "", more->text);
}

int sw_tools_attach(struct sw_tools *tools, pid_t pid)
{
	const char *only = tools->target.only;
	struct sw_error *reason = &tools->reason, error;
	size_t i;

	if (tools->rung)
		return tools->rung->attach(tools->state, pid, reason);
	for (i = 0; i < RUNGS; i++) {
		if ((only && strcmp(only, rungs[i]->name) != 0) ||
		    (tools->target.has_many && rungs[i]->follows_one))
			continue;
		tools->state = rungs[i]->create(tools, &error);
		if (tools->state) {
			tools->rung = rungs[i];
			if (rungs[i]->attach(tools->state, pid, &error) == 0)
				return 0;
			close_rung(tools);
		}
		add_reason(reason, &error);
	}
	if (!reason->text[0])
		sw_error_set(reason, "no such source of programs: %s", only);
	return -1;
}

void sw_tools_set_late(struct sw_tools *tools)
{
	tools->target.is_late = true;
}

const char *sw_tools_source(const struct sw_tools *tools)
{
	return tools->rung ? tools->rung->name : "none";
}

const char *sw_tools_reason(const struct sw_tools *tools)
{
	return tools->reason.text[0] ? tools->reason.text : NULL;
}

int sw_tools_fd(const struct sw_tools *tools)
{
	if (!tools->rung || !tools->rung->fd)
		return -1;
	return tools->rung->fd(tools->state);
}

unsigned sw_tools_find(struct sw_tools *tools, const char *program)
{
	unsigned i;

	for (i = 0; i < tools->count; i++) {
		if (!strncmp(tools->tool[i].program, program,
			     SW_PROGRAM_SIZE - 1))
			return i;
	}
	if (tools->has_other)
		return tools->count - 1;
	/* The last one is for all that come from then on. */
	tools->has_other = i == SW_TOOLS_MAX ||
		!sw_share_take(tools->target.share, sizeof(tools->tool[i]));
	sw_tool_init(&tools->tool[i], tools->has_other ? "(other)" : program);
	tools->tool[i].elapsed_usec.share = tools->target.share;
	tools->tool[i].is_complete = tools->is_complete;
	tools->count++;
	return i;
}

void sw_tools_set_complete(struct sw_tools *tools, bool is_complete)
{
	unsigned i;

	if (tools->is_complete == is_complete)
		return;
	tools->is_complete = is_complete;
	for (i = 0; i < tools->count; i++) {
		tools->tool[i].is_complete = is_complete;
		tools->tool[i].is_changed = true;
	}
}

void sw_tools_belong(struct sw_tools *tools, unsigned *tool,
		     const char *program, uint64_t start_usec)
{
	unsigned now = sw_tools_find(tools, program);
	struct sw_tool *to = &tools->tool[now];

	if (*tool == now)
		return;
	if (*tool != SW_NO_TOOL) {
		tools->tool[*tool].started--;
		tools->tool[*tool].is_changed = true;
	}
	to->started++;
	to->is_changed = true;
	if (sw_is_missing(to->first_start_usec))
		to->first_start_usec = start_usec;
	*tool = now;
}

void sw_tools_drain(struct sw_tools *tools, uint64_t now_usec)
{
	if (tools->rung)
		tools->rung->drain(tools->state, now_usec);
}

void sw_tools_expire(void)
{
	size_t i;

	for (i = 0; i < RUNGS; i++) {
		if (rungs[i]->expire)
			rungs[i]->expire();
	}
}

const struct sw_account *sw_tools_look(struct sw_tools *tools)
{
	if (!tools->rung || !tools->rung->look)
		return NULL;
	return tools->rung->look(tools->state);
}

const char *sw_tools_look_rung(const struct sw_tools *tools)
{
	if (!tools->rung || !tools->rung->look_rung)
		return NULL;
	return tools->rung->look_rung(tools->state);
}

const struct sw_wait_tally *sw_tools_waits(struct sw_tools *tools)
{
	if (!tools->rung || !tools->rung->waits)
		return NULL;
	return tools->rung->waits(tools->state);
}

const char *sw_tools_waits_rung(const struct sw_tools *tools)
{
	if (!tools->rung || !tools->rung->waits_rung)
		return NULL;
	return tools->rung->waits_rung(tools->state);
}

void sw_tools_adopt_waits(struct sw_tools *tools,
			  const struct sw_wait_tally *tally)
{
	if (tools->rung && tools->rung->adopt_waits)
		tools->rung->adopt_waits(tools->state, tally);
}

bool sw_tools_is_coming(const struct sw_tools *tools)
{
	return tools->rung && tools->rung->is_coming &&
	       tools->rung->is_coming(tools->state);
}

void sw_tools_settle(struct sw_tools *tools)
{
	if (tools->rung && tools->rung->settle)
		tools->rung->settle(tools->state);
}

void sw_tools_reaped(struct sw_tools *tools, pid_t pid, int wait_status,
		     const struct rusage *usage)
{
	(void)usage;	/* has the children's share in it */
	if (tools->rung && tools->rung->reaped)
		tools->rung->reaped(tools->state, pid, wait_status);
}

void sw_tools_write(struct sw_tools *tools, struct sw_writer *writer,
		    uint64_t now_usec, bool is_final)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	unsigned i;

	(void)is_final;
	if (tools->table < 0)
		tools->table = sw_writer_table(writer, &sw_tool_table, NULL);
	if (tools->table < 0)
		return;
	for (i = 0; i < tools->count; i++) {
		struct sw_tool *tool = &tools->tool[i];

		if (!tool->is_changed)
			continue;
		sw_tool_row(tool, tools->target.step,
			    tools->target.first_key + i, now_usec, values);
		if (sw_writer_row(writer, tools->table, values, now_usec) == 0)
			tool->is_changed = false;
	}
}

void sw_tools_peaks(const struct sw_tools *tools, uint64_t *anon_bytes,
		    uint64_t *all_bytes)
{
	unsigned i;

	*anon_bytes = *all_bytes = SW_MISSING;
	for (i = 0; i < tools->count; i++) {
		*anon_bytes = sw_max_u64(*anon_bytes,
					 tools->tool[i].peak_anon_bytes);
		*all_bytes = sw_max_u64(*all_bytes, tools->tool[i].peak_bytes);
	}
}

void sw_tools_destroy(struct sw_tools *tools)
{
	unsigned i;

	if (!tools)
		return;
	close_rung(tools);
	for (i = 0; i < tools->count; i++)
		sw_sketch_clear(&tools->tool[i].elapsed_usec);
	sw_share_give(tools->target.share, (tools->count - tools->has_other) *
		      sizeof(tools->tool[0]));
	sw_pages_give(tools, sizeof(*tools));
}
