/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.stalled: time lost waiting for I/O. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_io.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { MIN_STALLED_RATIO, MIN_STALLED_SECONDS };
enum { NAMED_MAX = 3, PROGRAMS_MAX = 3 };

static const char *const causes[] = { "memory.cache_squeezed", "io.saturated",
				      "cpu.slow_start", "io.scratch_on_shared",
				      NULL };

/* Time lost, and the counter that shows it. */
struct loss {
	double usec;
	const char *counter;
};

/* Return the time of unused CPUs: CPUs in use lost nothing. */
static double unused_usec(const struct sw_view *view)
{
	const struct sw_view_cpu *cpu = &view->cpu;
	double used = cpu->mean_cores / cpu->allocated_cores;

	return isnan(used) ? INFINITY :
			     fmax(0, 1 - used) * (double)view->elapsed_usec;
}

/*
 * All of the time in which no thread of the step ran was lost; one waiting
 * thread of many loses one of the CPUs.
 */
static double lost_by_waits(const struct sw_view *view)
{
	const struct sw_view_io *io = &view->io;
	double shared = (double)io->waited_thread_usec;
	double idle = fmin((double)io->waited_idle_usec, unused_usec(view));

	if (isnan(view->cpu.allocated_cores) || view->cpu.allocated_cores < 1)
		return idle;
	shared /= view->cpu.allocated_cores;
	shared = fmin(shared, (double)io->waited_usec);
	shared = fmin(shared, unused_usec(view));
	return fmax(shared, idle);
}

/* Return the time that the first line of the report shows. */
static double limited_usec(const struct sw_view *view)
{
	uint64_t usec = view->limits.usec[SW_LIMIT_IO];

	return sw_is_missing(usec) ? 0 : (double)usec;
}

/* PSI and the samples miss different things: take the larger value. */
static struct loss find_loss(const struct sw_view *view)
{
	const struct sw_view_io *io = &view->io;
	struct loss loss = { 0, NULL };

	if (!sw_is_missing(io->waited_usec))
		loss = (struct loss){ fmax(lost_by_waits(view),
					   limited_usec(view)),
				      "time lost in waits for I/O / elapsed" };
	if (!sw_is_missing(io->stalled_usec) &&
	    (!loss.counter || (double)io->stalled_usec > loss.usec))
		loss = (struct loss){ (double)io->stalled_usec,
				      "io.pressure some total / elapsed" };
	return loss;
}

static size_t add(char *text, size_t size, size_t used, const char *separator,
		  const char *more)
{
	int length = snprintf(text + used, size - used, "%s%s",
			      used ? separator : "", more);

	return length < 0 || used + (size_t)length >= size ? size - 1 :
							     used +
							     (size_t)length;
}

/*
 * Format "42 s for /scratch (nfs4 server:/scratch), 3 s for /tmp (ext4
 * /dev/sda1)"; unknown parts are left out.
 */
static void name_waits(const struct sw_view_io *io, char *text, size_t size)
{
	char one[192], waited[SW_UNITS_TEXT_SIZE];
	const char *name;
	size_t i, used = 0;

	text[0] = '\0';
	for (i = 0; i < io->wait_count && i < NAMED_MAX; i++) {
		const struct sw_view_wait *wait = &io->waits[i];

		name = sw_view_wait_words(wait);
		if (!name)
			continue;
		sw_duration_format(waited, sizeof(waited), wait->waited_usec);
		snprintf(one, sizeof(one), "%s for %.64s%s%.64s%s", waited,
			 name, wait->detail ? " (" : "",
			 sw_text(wait->detail),
			 wait->detail ? ")" : "");
		used = add(text, size, used, ", ", one);
	}
}

static uint64_t io_wait(const struct sw_view_program *program)
{
	return sw_zero_if_missing(program->io_wait_usec);
}

/* Return the next program after last by its waits, or NULL. */
static const struct sw_view_program *
next_program(const struct sw_view *view, const struct sw_view_program *last)
{
	const struct sw_view_program *program, *most = NULL;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		program = &view->programs[i];
		if (io_wait(program) == 0 ||
		    (last &&
		     (io_wait(program) > io_wait(last) ||
		      (io_wait(program) == io_wait(last) && program <= last))))
			continue;
		if (!most || io_wait(program) > io_wait(most))
			most = program;
	}
	return most;
}

/* Format the programs that waited most. */
static void name_programs(const struct sw_view *view, char *text, size_t size)
{
	const struct sw_view_program *program = NULL;
	size_t i, used = 0;
	char name[64];

	text[0] = '\0';
	for (i = 0; i < PROGRAMS_MAX && (program = next_program(view, program));
	     i++) {
		sw_finding_name(name, sizeof(name), program->name);
		used = add(text, size, used, ", ", name);
	}
}

/* Return what would help and, if I/O is the limit, what would not. */
static const char *advice_for(const struct sw_view *view, char *buf,
			      size_t size)
{
	const struct sw_view_io *io = &view->io;
	bool is_limit = sw_limits_ratio(&view->limits, SW_LIMITED_BY_IO) >=
			SW_MOST;

	snprintf(buf, size, "%s%s", !is_limit ? "" : sw_may_cache_help(view) ?
		 "More CPUs would not make it faster. " :
		 "More CPUs or memory would not make it faster. ",
		 io->wait_count && sw_io_is_elsewhere(&io->waits[0]) ?
		 "Copy what is read more than once, and keep temporary files, "
		 "on the node's local disk ($TMPDIR)." :
		 "Faster storage would help, or reading and writing less.");
	return buf;
}

static void say_waits(struct sw_finding *finding, const struct sw_view *view,
		      const struct loss *loss)
{
	const struct sw_view_io *io = &view->io;
	char mounts[320], programs[160], advice[192];

	name_waits(io, mounts, sizeof(mounts));
	name_programs(view, programs, sizeof(programs));
	sw_finding_sentence(finding,
		"The step lost %s of %s, %.0f %%, to waits for I/O%s%s%s%s. %s",
		sw_duration_text(sw_whole_real(loss->usec)).s,
		sw_duration_text(view->elapsed_usec).s,
		100 * loss->usec / (double)view->elapsed_usec,
		mounts[0] ? "; threads were seen to wait " : "", mounts,
		programs[0] ? "; most in " : "", programs,
		advice_for(view, advice, sizeof(advice)));
}

static void say_pressure(struct sw_finding *finding,
			 const struct sw_view *view, double ratio)
{
	char advice[192];

	sw_finding_sentence(finding,
		"The kernel counted %s of I/O stalls (%s) in a run of %s, %.0f "
		"%%; it is a mean weighted by CPU, so single processes may "
		"have waited longer. %s",
		sw_duration_text(view->io.stalled_usec).s,
		view->io.stalled_source,
		sw_duration_text(view->elapsed_usec).s, ratio * 100,
		advice_for(view, advice, sizeof(advice)));
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct loss loss = find_loss(view);
	struct sw_finding *finding;
	struct sw_evidence share;
	double ratio;

	if (!loss.counter || sw_is_missing(view->elapsed_usec) ||
	    view->elapsed_usec == 0)
		return 0;
	ratio = loss.usec / (double)view->elapsed_usec;
	if (ratio < setting[MIN_STALLED_RATIO] ||
	    loss.usec / SW_USEC_PER_SEC < setting[MIN_STALLED_SECONDS])
		return 0;
	share = (struct sw_evidence){
		loss.counter, ratio, "ratio", setting[MIN_STALLED_RATIO],
		SW_MISSING,
	};
	finding = sw_finding_add(findings, "io.stalled", SW_WARNING, 0.8,
				 &share);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	if (!sw_is_missing(view->io.waited_usec) && view->io.waited_usec > 0)
		say_waits(finding, view, &loss);
	else
		say_pressure(finding, view, ratio);
	return 0;
}

const struct sw_rule sw_rule_io_stalled = {
	.id = "io.stalled",
	.title = "Waiting for I/O",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step's threads stood still because a read or a write had not "
	"returned.",
	.what_to_do =
	"Stage input that is read more than once to the node's local disk, "
	"keep temporary files there, and do not share one directory between "
	"many tasks. Small requests and many files have findings of their own "
	"(io.tiny, io.many_files).",
	.computed =
	"From samples of what each thread waits for (series.waits), which "
	"include FUSE and direct NFS I/O, the largest of: the time in which "
	"none of the step's threads ran and at least one waited for I/O; the "
	"time that threads waited over the CPUs allocated, as far as these "
	"were idle; and the time in which I/O limited the step. Pressure stall "
	"information (io.pressure, some total) of the step's own cgroup counts "
	"where it is more, or where there is nothing else. The kernel weighs "
	"pressure by the CPUs in use, so that one blocked process beside a "
	"busy one counts half, and FUSE and direct NFS I/O do not appear in it "
	"at all. Reported from min_stalled_ratio of the elapsed time and "
	"min_stalled_seconds on.",
	.needs = { { "series.pressure", "io.some.total" },
		   { "series.waits", "some_usec" } },
	.is_any_need = true,
	.settings = {
		{ "min_stalled_ratio", 0.10, 0, 1,
		  "share of the elapsed time" },
		{ "min_stalled_seconds", 1, 0, 86400,
		  "shorter stalls are not reported" },
	},
	.yields_to = causes,
	.eval = eval,
};
