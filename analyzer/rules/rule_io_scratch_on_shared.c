/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.scratch_on_shared: files written and read back fit on the node's disk. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_io.h"
#include "analyzer/rules/worth.h"
#include "common/units.h"

enum { MIN_SHARE_OF_WAITS = SW_WORTH_SETTINGS_COUNT, MIN_BYTES,
       MAX_FREE_RATIO };

/* Return the network file system with most scratch data, or NULL. */
static const struct sw_view_wait *most_scratch(const struct sw_view_io *io)
{
	const struct sw_view_wait *wait, *most = NULL;
	size_t i;

	for (i = 0; i < io->wait_count; i++) {
		wait = &io->waits[i];
		if (wait->scratch_files && sw_io_is_elsewhere(wait) &&
		    (!most || wait->scratch_usec > most->scratch_usec))
			most = wait;
	}
	return most;
}

static bool has_other_nodes(const struct sw_view *view)
{
	return !sw_is_missing(view->slurm.step_node_count) &&
	       view->slurm.step_node_count > 1;
}

/* Time lost to it: its share of the time lost to I/O. */
static struct sw_loss loss_of(const struct sw_view *view, double share)
{
	struct sw_loss loss = sw_loss_by(view, SW_LIMIT_IO,
					 has_other_nodes(view) ? 0.5 : 0.7);

	loss.usec *= share;
	return loss;
}

static bool is_enough(const struct sw_view *view,
		      const struct sw_view_wait *wait, double share,
		      const double *setting)
{
	struct sw_loss loss = loss_of(view, share);

	return share >= setting[MIN_SHARE_OF_WAITS] &&
	       sw_is_worth_telling(view, &loss, setting) &&
	       (double)wait->scratch_bytes >= setting[MIN_BYTES];
}

/* Missing is not zero: with unknown free space, nothing fits. */
static bool fits(const struct sw_view_io *io, const struct sw_view_wait *wait,
		 const double *setting)
{
	return (double)wait->scratch_bytes <=
	       setting[MAX_FREE_RATIO] * sw_real_u64(io->local_free_bytes);
}

static void say(struct sw_finding *finding, const struct sw_view *view,
		const struct sw_view_wait *wait, double lost)
{
	const char *name = sw_view_wait_words(wait);
	char files[48];

	if (wait->scratch_files == 1)
		snprintf(files, sizeof(files), "a file");
	else
		snprintf(files, sizeof(files), "%" PRIu64 " files",
			 wait->scratch_files);
	sw_finding_sentence(finding,
		"The step wrote %s (%s or more) to %.64s%s%.64s%s, read %s "
		"back, and spent %.0f %% of the run waiting for that. The "
		"node's local disk had %s free: keep scratch files there "
		"($TMPDIR)%s, and copy only the results to the shared file "
		"system at the end.",
		files, sw_size_text(wait->scratch_bytes).s, name,
		wait->detail ? " (" : "", sw_text(wait->detail),
		wait->detail ? ")" : "",
		wait->scratch_files == 1 ? "it" : "them", lost * 100,
		sw_size_text(view->io.local_free_bytes).s,
		has_other_nodes(view) ? " if no other node reads them" : "");
}

static int tell(const struct sw_view *view, const struct sw_view_wait *wait,
		double share, const double *setting,
		struct sw_findings *findings)
{
	struct sw_loss loss = loss_of(view, share);
	double lost = loss.usec / (double)view->elapsed_usec;
	struct sw_evidence ratio = { "time waiting for scratch files / elapsed",
				     lost, "ratio",
				     sw_worth_ratio(&loss, setting),
				     SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "io.scratch_on_shared", SW_WARNING,
				 loss.sure, &ratio);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"files written and read back", (double)wait->scratch_files,
		"count", NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"their size", (double)wait->scratch_bytes, "bytes",
		setting[MIN_BYTES], SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"local_scratch, free", (double)view->io.local_free_bytes,
		"bytes", NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"their share of waits for I/O", share, "ratio",
		setting[MIN_SHARE_OF_WAITS], SW_MISSING });
	sw_finding_subject(finding, "%s", sw_view_wait_words(wait));
	say(finding, view, wait, lost);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_io *io = &view->io;
	const struct sw_view_wait *wait = most_scratch(io);
	double share;

	if (!wait || !sw_view_wait_words(wait))
		return 0;
	share = sw_ratio_u64(wait->scratch_usec, io->waited_thread_usec);
	return is_enough(view, wait, share, setting) &&
			       fits(io, wait, setting) ?
		       tell(view, wait, share, setting, findings) : 0;
}

static const char *blind_to(const struct sw_view *view)
{
	if (!most_scratch(&view->io) ||
	    !sw_is_missing(view->io.local_free_bytes))
		return NULL;
	return "the free space of a local disk is not known (local_scratch in "
	       "stepwell.yaml)";
}

const struct sw_rule sw_rule_io_scratch_on_shared = {
	.id = "io.scratch_on_shared",
	.title = "Scratch files on a shared file system",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step wrote files to a network file system, read them back, and "
	"waited for both. Such files (sort runs, a spilled table, intermediate "
	"files of a pipeline) are of no use to anybody else, and the node's "
	"local disk, which needs no server, had room for them.",
	.what_to_do =
	"Put temporary files on the local disk ($TMPDIR, sort -T, the tool's "
	"option for temporary files), and copy final results to the shared "
	"file system once, at the end.",
	.computed =
	"From samples of what threads wait for (series.waits): a file counts "
	"when a thread waited in a write (write, fsync) to it in one sample "
	"and in a read from it in a later one, on NFS, Lustre, FUSE and the "
	"like. Then all waits for the file count, and the largest size that "
	"was seen. What no sample hit is missing, so the numbers are lower "
	"bounds; reads answered by the page cache do not wait, and writes that "
	"close(2) waits for are not seen. Reported when such files are "
	"min_share_of_waits of all waits for I/O, their share of the time lost "
	"to I/O reaches min_lost_ratio and min_lost_seconds, and the files, of "
	"min_bytes or more, are at most max_free_ratio of the space that was "
	"free in local_scratch (stepwell.yaml(5); with stepwell run, $TMPDIR "
	"or /tmp). Results that are written once and input that is read once "
	"never count. It may be wrong where files are updated in place and "
	"kept (a database, an HDF5 file), and where other nodes read them. "
	"Example: a sort of 60 GB whose temporary files are on /scratch waits "
	"for them for 55 % of the run.",
	.needs = { { "series.waits", "scratch_usec" } },
	.settings = {
		SW_WORTH_SETTINGS,
		{ "min_share_of_waits", 0.5, 0, 1,
		  "share of all waits for I/O; with less, something else is "
		  "the cause" },
		{ "min_bytes", 1048576, 0, 1e15,
		  "size of the files, together" },
		{ "max_free_ratio", 0.5, 0, 1,
		  "share of the local disk's free space that they may take" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
