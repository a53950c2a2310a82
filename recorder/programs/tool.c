/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The aggregate of one program's processes, and its row. */
#include "recorder/programs/tool.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum {
	TIME, STEP, TOOL, PROGRAM, STARTED, ENDED, RUNNING, IS_COMPLETE,
	CPU, USER, SYSTEM, RUN_QUEUE_WAIT, PEAK, PEAK_ANON,
	READ, WRITTEN, RCHAR, WCHAR, IO_WAIT,
	ELAPSED_P50, ELAPSED_P95, ELAPSED_MAX,
	EXITED_OK, EXITED_NONZERO, KILLED, OOM_KILLED,
	LAST_EXIT_STATUS, LAST_SIGNAL,
	SIGNAL_KILL, SIGNAL_SEGV, SIGNAL_ABRT, SIGNAL_TERM, SIGNAL_OTHER,
	FIRST_START, LAST_END, COLUMNS
};

#define COUNT(name, help) { name, "count", SW_KIND_COUNTER, help }
#define USEC(name, help) { name, "usec", SW_KIND_COUNTER, help }
#define BYTES(name, help) { name, "bytes", SW_KIND_COUNTER, help }

static const struct sw_column columns[COLUMNS] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME, "When written." },
	[STEP] = { "step", "", SW_KIND_STATE, "The step." },
	[TOOL] = { "tool", "", SW_KIND_KEY, "Number of the program." },
	[PROGRAM] = { "program", "", SW_KIND_TEXT, "Without its folder." },
	[STARTED] = COUNT("started", "Processes that ran it."),
	[ENDED] = COUNT("ended", "Of these, ended."),
	[RUNNING] = { "running", "count", SW_KIND_GAUGE, "Still there." },
	[IS_COMPLETE] = { "is_complete", "", SW_KIND_STATE,
			  "1: every start and end was seen." },
	[CPU] = USEC("cpu_usec", "CPU time."),
	[USER] = USEC("user_usec", "In user mode."),
	[SYSTEM] = USEC("system_usec", "In the kernel."),
	[RUN_QUEUE_WAIT] = USEC("run_queue_wait_usec", "Waiting for a CPU."),
	[PEAK] = { "peak_bytes", "bytes", SW_KIND_PEAK,
		   "Largest resident memory of one process." },
	[PEAK_ANON] = { "peak_anon_bytes", "bytes", SW_KIND_PEAK,
			"The same less file pages: a lower bound." },
	[READ] = BYTES("read_bytes", "Fetched from block devices."),
	[WRITTEN] = BYTES("written_bytes", "Sent to block devices."),
	[RCHAR] = BYTES("rchar", "Read by system calls."),
	[WCHAR] = BYTES("wchar", "Written by system calls."),
	[IO_WAIT] = USEC("io_wait_usec", "Waiting for storage, all threads, as "
		 "looks have found them."),
	[ELAPSED_P50] = { "elapsed_p50_usec", "usec", SW_KIND_GAUGE,
			  "Median life of those that ended." },
	[ELAPSED_P95] = { "elapsed_p95_usec", "usec", SW_KIND_GAUGE,
			  "95 % of them lived no longer." },
	[ELAPSED_MAX] = { "elapsed_max_usec", "usec", SW_KIND_GAUGE,
			  "The longest life." },
	[EXITED_OK] = COUNT("exited_ok", "Exit status 0."),
	[EXITED_NONZERO] = COUNT("exited_nonzero", "Another exit status."),
	[KILLED] = COUNT("killed", "By a signal."),
	[OOM_KILLED] = COUNT("oom_killed", "By the kernel, for memory."),
	[LAST_EXIT_STATUS] = { "last_exit_status", "", SW_KIND_STATE,
			       "The last one that was not 0." },
	[LAST_SIGNAL] = { "last_signal", "", SW_KIND_STATE,
			  "The last one that killed." },
	[SIGNAL_KILL] = COUNT("signal_kill", "By SIGKILL."),
	[SIGNAL_SEGV] = COUNT("signal_segv", "By SIGSEGV."),
	[SIGNAL_ABRT] = COUNT("signal_abrt", "By SIGABRT."),
	[SIGNAL_TERM] = COUNT("signal_term", "By SIGTERM."),
	[SIGNAL_OTHER] = COUNT("signal_other", "By another signal."),
	[FIRST_START] = { "first_start_usec", "usec", SW_KIND_STATE,
			  "When the first of them began." },
	[LAST_END] = { "last_end_usec", "usec", SW_KIND_STATE,
		       "When the last of them ended." },
};

const struct sw_table sw_tool_table = {
	.name = "tools",
	.scope = SW_SCOPE_TOOL,
	.source = "tools",
	.columns = columns,
	.column_count = COLUMNS,
};

void sw_tool_init(struct sw_tool *tool, const char *program)
{
	memset(tool, 0, sizeof(*tool));
	snprintf(tool->program, sizeof(tool->program), "%s", program);
	tool->cpu_usec = tool->run_queue_wait_usec = SW_MISSING;
	tool->peak_bytes = tool->peak_anon_bytes = SW_MISSING;
	tool->read_bytes = tool->written_bytes = SW_MISSING;
	tool->rchar = tool->wchar = SW_MISSING;
	tool->io_wait_usec = tool->oom_killed = SW_MISSING;
	tool->exited_ok = tool->exited_nonzero = SW_MISSING;
	tool->killed = SW_MISSING;
	tool->last_exit_status = tool->last_signal = SW_MISSING;
	tool->first_start_usec = tool->last_end_usec = SW_MISSING;
}

/* From now on it is known how processes of this program end. */
static void know_ends(struct sw_tool *tool)
{
	if (!sw_is_missing(tool->exited_ok))
		return;
	tool->exited_ok = tool->exited_nonzero = tool->killed = 0;
}

void sw_tool_count_end(struct sw_tool *tool, int wait_status)
{
	know_ends(tool);
	tool->is_changed = true;
	if (WIFEXITED(wait_status)) {
		if (WEXITSTATUS(wait_status) == 0) {
			tool->exited_ok++;
			return;
		}
		tool->exited_nonzero++;
		tool->last_exit_status = (uint64_t)WEXITSTATUS(wait_status);
		return;
	}
	tool->killed++;
	tool->last_signal = (uint64_t)WTERMSIG(wait_status);
	switch (WTERMSIG(wait_status)) {
	case SIGKILL:
		tool->signal_kill++;
		break;
	case SIGSEGV:
		tool->signal_segv++;
		break;
	case SIGABRT:
		tool->signal_abrt++;
		break;
	case SIGTERM:
		tool->signal_term++;
		break;
	default:
		tool->signal_other++;
	}
}

static void put_ends(const struct sw_tool *tool, union sw_value *values)
{
	values[EXITED_OK].number = tool->exited_ok;
	values[EXITED_NONZERO].number = tool->exited_nonzero;
	values[KILLED].number = tool->killed;
	values[OOM_KILLED].number = tool->oom_killed;
	values[LAST_EXIT_STATUS].number = tool->last_exit_status;
	values[LAST_SIGNAL].number = tool->last_signal;
	values[SIGNAL_KILL].number = tool->signal_kill;
	values[SIGNAL_SEGV].number = tool->signal_segv;
	values[SIGNAL_ABRT].number = tool->signal_abrt;
	values[SIGNAL_TERM].number = tool->signal_term;
	values[SIGNAL_OTHER].number = tool->signal_other;
}

static void put_elapsed(const struct sw_tool *tool, union sw_value *values)
{
	const struct sw_sketch *elapsed = &tool->elapsed_usec;

	values[ELAPSED_P50].number = sw_sketch_quantile(elapsed, 0.5);
	values[ELAPSED_P95].number = sw_sketch_quantile(elapsed, 0.95);
	values[ELAPSED_MAX].number = elapsed->count ? elapsed->max :
						      SW_MISSING;
}

void sw_tool_row(const struct sw_tool *tool, uint64_t step, uint64_t key,
		 uint64_t now_usec, union sw_value *values)
{
	values[TIME].number = now_usec;
	values[STEP].number = step;
	values[TOOL].number = key;
	values[PROGRAM].text = tool->program;
	values[STARTED].number = tool->started;
	values[ENDED].number = tool->ended;
	values[RUNNING].number = tool->started > tool->ended ?
				 tool->started - tool->ended : 0;
	values[IS_COMPLETE].number = tool->is_complete;
	values[CPU].number = !sw_is_missing(tool->cpu_usec) ? tool->cpu_usec :
			     sw_add_u64(tool->user_usec, tool->system_usec);
	values[USER].number = tool->user_usec;
	values[SYSTEM].number = tool->system_usec;
	values[RUN_QUEUE_WAIT].number = tool->run_queue_wait_usec;
	values[PEAK].number = tool->peak_bytes;
	values[PEAK_ANON].number = tool->peak_anon_bytes;
	values[READ].number = tool->read_bytes;
	values[WRITTEN].number = tool->written_bytes;
	values[RCHAR].number = tool->rchar;
	values[WCHAR].number = tool->wchar;
	values[IO_WAIT].number = tool->io_wait_usec;
	values[FIRST_START].number = tool->first_start_usec;
	values[LAST_END].number = tool->last_end_usec;
	put_elapsed(tool, values);
	put_ends(tool, values);
}
