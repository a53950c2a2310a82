/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "summary": exit of the command, and gaps of the recording. */
#include "recorder/tables/summary.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/tables/self.h"
#include "recorder/tables/tables.h"

enum column {
	STEP, END, WAIT_STATUS, EXIT_CODE, SIGNAL, IS_CORE_DUMPED, USER,
	SYSTEM, MAXRSS, MINFLT, MAJFLT, INBLOCK, OUBLOCK, NVCSW, NIVCSW,
	REAPED_USER, REAPED_SYSTEM, FINAL_SOURCE, SAMPLES, LOST_SAMPLES,
	LEFTOVER, RECORDER_CPU, RECORDER_HIWATER, RESTART_COUNT, SLUID,
	REQUESTED_TIME, LIMIT_END,
	COLUMN_COUNT
};

static const struct sw_column columns[COLUMN_COUNT] = {
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[END] = { "end_usec", "usec", SW_KIND_TIME, "When it ended." },
	[WAIT_STATUS] = { "wait_status", "", SW_KIND_STATE,
			  "The wait status, as in wait(2)." },
	[EXIT_CODE] = { "exit_code", "", SW_KIND_STATE,
			"Its exit status; missing if a signal ended it." },
	[SIGNAL] = { "signal", "", SW_KIND_STATE,
		     "The signal that ended it; missing if it exited." },
	[IS_CORE_DUMPED] = { "is_core_dumped", "", SW_KIND_STATE,
			     "1 if the kernel wrote a core file." },
	[USER] = { "rusage_user_usec", "usec", SW_KIND_COUNTER,
		   "User CPU time of it and of the processes it waited for." },
	[SYSTEM] = { "rusage_system_usec", "usec", SW_KIND_COUNTER,
		     "System CPU time, likewise." },
	[MAXRSS] = { "rusage_maxrss_bytes", "bytes", SW_KIND_PEAK,
		     "Largest resident memory of one of these processes." },
	[MINFLT] = { "rusage_minflt", "count", SW_KIND_COUNTER,
		     "Page faults without I/O." },
	[MAJFLT] = { "rusage_majflt", "count", SW_KIND_COUNTER,
		     "Page faults with I/O." },
	[INBLOCK] = { "rusage_inblock", "count", SW_KIND_COUNTER,
		      "Blocks of 512 bytes read." },
	[OUBLOCK] = { "rusage_oublock", "count", SW_KIND_COUNTER,
		      "Blocks of 512 bytes written." },
	[NVCSW] = { "rusage_nvcsw", "count", SW_KIND_COUNTER,
		    "Voluntary context switches." },
	[NIVCSW] = { "rusage_nivcsw", "count", SW_KIND_COUNTER,
		     "Involuntary context switches." },
	[REAPED_USER] = { "reaped_user_usec", "usec", SW_KIND_COUNTER,
			  "User CPU time of orphans that ended before it." },
	[REAPED_SYSTEM] = { "reaped_system_usec", "usec", SW_KIND_COUNTER,
			    "System CPU time, likewise." },
	[FINAL_SOURCE] = { "final_source", "", SW_KIND_TEXT,
			   "The backend of the last sample: cgroup.v2, "
			   "cgroup.v1, proc, none; for a Slurm step, hook or "
			   "lost." },
	[SAMPLES] = { "samples", "count", SW_KIND_GAUGE, "Samples taken." },
	[LOST_SAMPLES] = { "lost_samples", "count", SW_KIND_GAUGE,
			 "Samples that were due but not taken." },
	[LEFTOVER] = { "leftover_processes", "count", SW_KIND_GAUGE,
		       "Processes that were still running after it ended." },
	[RECORDER_CPU] = { "recorder_cpu_usec", "usec", SW_KIND_COUNTER,
			   "CPU time of the recorder." },
	[RECORDER_HIWATER] = { "recorder_hiwater_bytes", "bytes",
			       SW_KIND_PEAK,
			       "Largest resident memory of the recorder." },
	[RESTART_COUNT] = { "restart_count", "", SW_KIND_STATE,
			    "How often the job was requeued before." },
	[SLUID] = { "sluid", "", SW_KIND_TEXT, "Slurm's unique ID of the job, "
					       "since 26.05." },
	[REQUESTED_TIME] = { "requested_time_usec", "usec", SW_KIND_GAUGE,
			     "The job's time limit, from Slurm releases that "
			     "report it to a step." },
	[LIMIT_END] = { "limit_realtime_usec", "usec", SW_KIND_STATE,
			"When that limit ends the job, since the Epoch." },
};

const struct sw_table sw_summary_table = {
	.name = "summary", .scope = SW_SCOPE_STEP, .source = "recorder",
	.columns = columns, .column_count = COLUMN_COUNT,
};

static void put_status(union sw_value *values, int status)
{
	bool is_killed = WIFSIGNALED(status);

	if (status < 0) {
		values[WAIT_STATUS].number = values[EXIT_CODE].number =
			values[SIGNAL].number =
			values[IS_CORE_DUMPED].number = SW_MISSING;
		return;
	}

	values[WAIT_STATUS].number = (uint64_t)status;
	values[EXIT_CODE].number = is_killed ? SW_MISSING :
				   (uint64_t)WEXITSTATUS(status);
	values[SIGNAL].number = is_killed ? (uint64_t)WTERMSIG(status) :
					    SW_MISSING;
	values[IS_CORE_DUMPED].number = is_killed && WCOREDUMP(status);
}

static void put_usage(union sw_value *values, const struct rusage *usage)
{
	enum column i;

	for (i = USER; !usage && i <= NIVCSW; i++)
		values[i].number = SW_MISSING;
	if (!usage)
		return;
	values[USER].number = sw_clock_timeval_usec(usage->ru_utime);
	values[SYSTEM].number = sw_clock_timeval_usec(usage->ru_stime);
	values[MAXRSS].number = (uint64_t)usage->ru_maxrss * SW_KIB;
	values[MINFLT].number = (uint64_t)usage->ru_minflt;
	values[MAJFLT].number = (uint64_t)usage->ru_majflt;
	values[INBLOCK].number = (uint64_t)usage->ru_inblock;
	values[OUBLOCK].number = (uint64_t)usage->ru_oublock;
	values[NVCSW].number = (uint64_t)usage->ru_nvcsw;
	values[NIVCSW].number = (uint64_t)usage->ru_nivcsw;
}

static void put_limit(union sw_value *values,
		      const struct sw_summary *summary)
{
	uint64_t start = summary->job_start_seconds;
	uint64_t end = summary->job_limit_seconds;
	bool is_known = start > 0 && end > start &&
			end < SW_MISSING / SW_USEC_PER_SEC;

	values[REQUESTED_TIME].number =
		is_known ? (end - start) * SW_USEC_PER_SEC : SW_MISSING;
	values[LIMIT_END].number =
		is_known ? end * SW_USEC_PER_SEC : SW_MISSING;
}

static uint64_t own_hiwater(int proc_fd)
{
	int fd = openat(proc_fd, "self/status", O_RDONLY | O_CLOEXEC);
	uint64_t rss, hiwater = SW_MISSING;

	if (fd < 0)
		return SW_MISSING;
	sw_self_memory(fd, &rss, &hiwater);
	close(fd);
	return hiwater;
}

void sw_summary_write(const struct sw_summary *summary,
		      struct sw_writer *writer)
{
	union sw_value values[COLUMN_COUNT] = {
		[STEP].number = summary->step,
		[END].number = summary->end_usec,
		[REAPED_USER].number = summary->reaped_user_usec,
		[REAPED_SYSTEM].number = summary->reaped_system_usec,
		[FINAL_SOURCE].text = summary->final_source,
		[SAMPLES].number = summary->samples,
		[LOST_SAMPLES].number = summary->lost_samples,
		[LEFTOVER].number = summary->leftover_processes,
		[RECORDER_CPU].number = sw_excess_u64(
			sw_self_cpu_usec(), summary->cpu_before_usec),
		[RECORDER_HIWATER].number = own_hiwater(summary->proc_fd),
		[RESTART_COUNT].number = summary->restart_count,
		[SLUID].text = summary->sluid,
	};
	int number = sw_writer_table(writer, &sw_summary_table, NULL);

	if (number < 0)
		return;
	put_status(values, summary->wait_status);
	put_usage(values, summary->usage);
	put_limit(values, summary);
	sw_writer_row(writer, number, values, summary->end_usec);
}
