/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.tiny: reads or writes of a few bytes each. */
#include <math.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_io.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { MAX_MEAN_BYTES = SW_WORTH_SETTINGS_COUNT, MIN_CALLS_PER_SECOND,
       MIN_SYSTEM_RATIO, MIN_WAITING_WRITES_PER_SECOND, MIN_ELAPSED_SECONDS };

/* With more block I/O per write, the calls are not the reason: a file system
 * writes its journal and metadata beside a small write.  Chosen by hand. */
static const double BLOCK_BYTES_PER_WRITE = 65536;

/* Calls in one direction. */
struct calls {
	const char *counter, *words;	/* "wchar / syscw", "wrote" */
	double count, bytes, per_second;
};

static struct calls calls_of(const struct sw_view *view, const char *counter,
			     const char *words, uint64_t count,
			     uint64_t bytes)
{
	return (struct calls){
		.counter = counter, .words = words,
		.count = sw_real_u64(count), .bytes = sw_real_u64(bytes),
		.per_second = sw_real_u64(count) * SW_USEC_PER_SEC /
			      (double)view->elapsed_usec,
	};
}

static bool knows_sockets(const struct sw_view *view)
{
	return sw_is_same_text(view->network.source, "cgroup");
}

static bool is_of_sockets(const struct sw_view *view,
			  const struct calls *calls, uint64_t remote,
			  uint64_t loopback)
{
	double bytes = sw_real_u64(sw_zero_if_missing(remote)) +
		       sw_real_u64(sw_zero_if_missing(loopback));

	/* Messages cannot wait. */
	return knows_sockets(view) && bytes > 0 &&
	       bytes >= SW_MOST * calls->bytes;
}

static bool is_small(const struct calls *calls, const double *setting)
{
	return calls->bytes <= setting[MAX_MEAN_BYTES] * calls->count;
}

/* Return true if the calls cost CPU time. */
static bool is_busy(const struct sw_view *view, const struct calls *calls,
		    const double *setting)
{
	return is_small(calls, setting) &&
	       calls->per_second >= setting[MIN_CALLS_PER_SECOND] &&
	       sw_ratio_u64(view->cpu.system_usec, view->cpu.used_usec) >=
		       setting[MIN_SYSTEM_RATIO];
}

/* Return true if the step waits for I/O and writes little at a time. */
static bool is_waiting(const struct sw_view *view, const struct calls *writes,
		       const double *setting)
{
	double block = sw_real_u64(sw_zero_if_missing(view->io.read_bytes)) +
		       sw_real_u64(sw_zero_if_missing(view->io.written_bytes));
	struct sw_loss loss = sw_loss_by(view, SW_LIMIT_IO, SW_PROBABLE);

	return is_small(writes, setting) &&
	       writes->per_second >= setting[MIN_WAITING_WRITES_PER_SECOND] &&
	       sw_is_worth_telling(view, &loss, setting) &&
	       block <= BLOCK_BYTES_PER_WRITE * writes->count;
}

static struct sw_finding *add(const struct calls *calls, double threshold,
			      struct sw_findings *findings)
{
	struct sw_evidence mean = { calls->counter,
				    calls->bytes / calls->count, "bytes",
				    threshold, SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "io.tiny", SW_WARNING, SW_PROBABLE,
				 &mean);
	if (!finding)
		return NULL;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"calls", calls->count, "count", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	return finding;
}

/* Confidence if socket traffic was not recorded.  Chosen by hand. */
static const double UNSURE = 0.5;

static int tell_busy(const struct sw_view *view, const struct calls *calls,
		     const double *setting, struct sw_findings *findings)
{
	double share = sw_ratio_u64(view->cpu.system_usec,
				    view->cpu.used_usec);
	struct sw_finding *finding = add(calls, setting[MAX_MEAN_BYTES],
					 findings);

	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"system CPU time / all", share, "ratio",
		setting[MIN_SYSTEM_RATIO], SW_MISSING });
	sw_finding_sentence(finding,
		"The step %s %.0f times a second, %.1f bytes each time on "
		"average, and %.0f %% of its CPU time was the kernel's. A call "
		"costs more than the few bytes that it moves: let the program "
		"buffer, and move 64 KiB or more at a time.%s", calls->words,
		calls->per_second, calls->bytes / calls->count, share * 100,
		knows_sockets(view) ? "" :
			" Unless they are messages over sockets, which could "
			"not be told apart here.");
	if (!knows_sockets(view))
		finding->confidence = UNSURE;
	return 0;
}

static int tell_waiting(const struct sw_view *view, const struct calls *writes,
			const double *setting, struct sw_findings *findings)
{
	struct sw_loss loss = sw_loss_by(view, SW_LIMIT_IO, SW_PROBABLE);
	struct sw_finding *finding = add(writes, setting[MAX_MEAN_BYTES],
					 findings);

	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"time waiting for I/O / elapsed", sw_io_wait_ratio(view),
		"ratio", sw_worth_ratio(&loss, setting), SW_MISSING });
	sw_finding_sentence(finding,
		"The step wrote %.0f times a second, %.1f bytes each time on "
		"average, and waited for I/O for %.0f %% of the time: writes "
		"this small are seldom waited for unless each has to reach the "
		"storage (fsync, O_SYNC, O_DIRECT, a commit to a database). "
		"Collect more before each, or do without where a crash may "
		"cost the last results.", writes->per_second,
		writes->bytes / writes->count, sw_io_wait_ratio(view) * 100);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_network *network = &view->network;
	const struct sw_view_io *io = &view->io;
	struct calls reads, writes;

	if (sw_view_is_shorter(view, setting[MIN_ELAPSED_SECONDS]) ||
	    view->elapsed_usec == 0)
		return 0;
	reads = calls_of(view, "rchar / syscr", "read", io->call_reads,
			 io->call_read_bytes);
	writes = calls_of(view, "wchar / syscw", "wrote", io->call_writes,
			  io->call_written_bytes);
	if (is_waiting(view, &writes, setting))
		return tell_waiting(view, &writes, setting, findings);
	if (!is_of_sockets(view, &writes, network->sent_bytes,
			   network->loopback_sent_bytes) &&
	    is_busy(view, &writes, setting))
		return tell_busy(view, &writes, setting, findings);
	if (!is_of_sockets(view, &reads, network->received_bytes,
			   network->loopback_received_bytes) &&
	    is_busy(view, &reads, setting))
		return tell_busy(view, &reads, setting, findings);
	return 0;
}

/* Each program start reads the headers of its libraries. */
static const char *const causes[] = { "cpu.fork_heavy", NULL };

const struct sw_rule sw_rule_io_tiny = {
	.id = "io.tiny",
	.title = "Tiny reads or writes",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step read or wrote a few bytes at a time. A system call costs "
	"about a microsecond however little it moves, and a write that has to "
	"reach the storage before the program continues (fsync, O_SYNC) costs "
	"milliseconds on a disk or a network file system.",
	.what_to_do =
	"Use buffered I/O (in C stdio instead of write, in Python open() "
	"instead of os.open()), write records in batches, and commit to a "
	"database once for many rows.",
	.computed =
	"From /proc/PID/io, summed over the step "
	"(Documentation/filesystems/proc.rst): bytes moved by read and write "
	"calls (rchar, wchar) over their number (syscr, syscw). Reported when "
	"the mean is at most max_mean_bytes and the step ran for "
	"min_elapsed_seconds, in one of two cases: there were "
	"min_calls_per_second, and min_system_ratio of the CPU time was spent "
	"in the kernel; or there were min_waiting_writes_per_second, the "
	"step's waits for I/O reach min_lost_ratio and min_lost_seconds, and "
	"there was at most 64 KiB of other I/O for each. The calls include "
	"those on pipes and terminals, but not those on sockets by send and "
	"recv; mapped files have none. Where the step moved half as many bytes "
	"over the network, the calls may be its messages, and the first case "
	"does not count; where that is unknown (without its own cgroup), the "
	"finding says so, with less confidence. Example: a loop over "
	"os.write(fd, b\"x\") writes 500,000 times a second and spends half of "
	"its time in the kernel.",
	.needs = { { "series.proc", "syscr" }, { "series.proc", "syscw" } },
	.settings = {
		SW_WORTH_SETTINGS,
		{ "max_mean_bytes", 1024, 1, 1e9, "mean size of a call" },
		{ "min_calls_per_second", 10000, 1, 1e9,
		  "calls that cost CPU time" },
		{ "min_system_ratio", 0.25, 0, 1,
		  "share of the CPU time that was the kernel's" },
		{ "min_waiting_writes_per_second", 20, 0.1, 1e9,
		  "writes while the step waits for I/O" },
		{ "min_elapsed_seconds", 5, 0, 86400,
		  "shorter steps are not evaluated" },
	},
	.yields_to = causes,
	.eval = eval,
};
