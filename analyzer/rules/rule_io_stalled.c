/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.stalled: time lost waiting for I/O. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_io.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { NAMED_MAX = 3, PROGRAMS_MAX = 3 };

static const char *const causes[] = { "memory.cache_squeezed", "io.saturated",
				      "cpu.slow_start", "io.scratch_on_shared",
				      NULL };

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

static void say(struct sw_finding *finding, const struct sw_view *view,
		const struct sw_loss *loss)
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

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct sw_loss loss = sw_loss_by(view, SW_LIMIT_IO, SW_PROBABLE);
	struct sw_finding *finding;

	if (!sw_is_worth_telling(view, &loss, setting))
		return 0;
	finding = sw_finding_add(findings, "io.stalled", SW_WARNING, loss.sure,
				 &(struct sw_evidence){
		"time lost in waits for I/O / elapsed",
		sw_limit_ratio(&view->limits, SW_LIMIT_IO), "ratio",
		sw_worth_ratio(&loss, setting), SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	say(finding, view, &loss);
	return 0;
}

static const char *blind_to(const struct sw_view *view)
{
	return isnan(sw_limit_ratio(&view->limits, SW_LIMIT_IO)) ?
		"how long I/O limited the step is not known without its CPU "
		"time" : NULL;
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
	"The time in which I/O limited the step, as in the first line of the "
	"report: time in which none of its threads ran and at least one waited "
	"for I/O (samples of what each thread waits for, series.waits, which "
	"include FUSE and direct NFS I/O), and the part that other threads "
	"lost by such waits beside one that ran. Pressure stall information "
	"(io.pressure, full total) of the step's own cgroup counts where it is "
	"more; FUSE and direct NFS I/O do not appear in it. Reported when it "
	"reaches min_lost_ratio and min_lost_seconds.",
	.needs = { { "series.pressure", "io.some.total" },
		   { "series.waits", "some_usec" } },
	.is_any_need = true,
	.settings = { SW_WORTH_SETTINGS },
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};
