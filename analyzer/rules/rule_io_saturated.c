/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.saturated: a device or a link was used to its capacity. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_io.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/units.h"

enum { MIN_IO_RATIO, MIN_CEILING_RATIO, MIN_REQUEST_BYTES,
       MIN_BYTES_PER_SECOND };

#define ADVICE \
	"More CPUs%s would not make it faster; what would: less data " \
	"(compressed, read once), storage with more bandwidth (the node's own, " \
	"if it is faster), or fewer such jobs at a time."

/* With these, more memory would make it faster. */
static const char *const causes[] = { "memory.cache_squeezed",
				      "io.scratch_on_shared", NULL };

/* Return a part of the advice. */
static const char *or_memory(const struct sw_view *view)
{
	return sw_may_cache_help(view) ? "" : " or memory";
}

/* The rate at most times, and for how long. */
struct steady {
	double bytes, usec;
};

/* Logarithmic classes of rates, from 1 kB/s; two neighbors span a third, the
 * tolerance of a steady rate.  Chosen by hand. */
enum { CLASSES = 160 };
static const double CLASS_WIDTH = 1.155, SLOWEST = 1000;

/* Read-ahead moves MiB at a time, which would dominate shorter intervals.
 * Chosen by hand. */
static const double WINDOW_USEC = 2.0 * SW_USEC_PER_SEC;

static double rate_of(const struct steady *steady)
{
	return steady->bytes * SW_USEC_PER_SEC / steady->usec;
}

static void add(struct steady *classes, const struct steady *window)
{
	double class = floor(log(rate_of(window) / SLOWEST) / log(CLASS_WIDTH));

	if (!(class >= 0) || class >= CLASSES)
		return;
	classes[(int)class].bytes += window->bytes;
	classes[(int)class].usec += window->usec;
}

static void add_windows(struct steady *classes, const struct sw_curve *rate)
{
	struct steady window = { 0, 0 };
	size_t i;

	for (i = 0; i < rate->count; i++) {
		double usec = (double)(rate->end_usec[i] - rate->start_usec[i]);

		window.bytes += rate->value[i] * usec / SW_USEC_PER_SEC;
		window.usec += usec;
		if (window.usec < WINDOW_USEC && i + 1 < rate->count)
			continue;
		add(classes, &window);
		window = (struct steady){ 0, 0 };
	}
}

static struct steady find_steady(const struct sw_curve *rate)
{
	struct steady classes[CLASSES] = { { 0, 0 } }, most = { 0, 0 };
	size_t i;

	add_windows(classes, rate);
	for (i = 0; i + 1 < CLASSES; i++) {
		double usec = classes[i].usec + classes[i + 1].usec;

		if (usec > most.usec)
			most = (struct steady){
				classes[i].bytes + classes[i + 1].bytes, usec,
			};
	}
	return most;
}

/* Return bytes per device request, or else per system call; NAN if unknown. */
static double request_bytes(const struct sw_view *view)
{
	const struct sw_view_io *io = &view->io;

	if (!sw_is_missing(io->device_requests))
		return sw_ratio_u64(sw_add_u64(io->read_bytes,
					       io->written_bytes),
				    io->device_requests);
	return sw_ratio_u64(io->call_read_bytes, io->call_reads);
}

static int tell_device(const struct sw_view *view,
		       const struct steady *steady, const double *setting,
		       struct sw_findings *findings)
{
	double share = steady->usec / (double)view->elapsed_usec;
	const struct sw_view_io *io = &view->io;
	const char *place = io->wait_count ? sw_view_wait_words(io->waits) :
					     NULL;
	struct sw_evidence time = { "time at a steady rate / elapsed", share,
				    "ratio", setting[MIN_CEILING_RATIO],
				    SW_MISSING };
	bool is_counted = !sw_is_missing(io->device_requests);
	char rate[SW_UNITS_TEXT_SIZE];
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "io.saturated", SW_WARNING,
				 is_counted ? 0.7 : 0.6,
				 &time);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"steady rate", rate_of(steady), "bytes per second", NAN,
		SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"mean request", request_bytes(view), "bytes",
		setting[MIN_REQUEST_BYTES], SW_MISSING });
	sw_finding_subject(finding, "step");
	sw_finding_sentence(finding,
		"The step moved data%s%.64s at a steady %s for %.0f %% "
		"of the time, and waited for I/O for %.0f %%: that is what the "
		"storage gave it. " ADVICE, place ? " on " : "",
		sw_text(place),
		sw_rate_format(rate, sizeof(rate), rate_of(steady)),
		share * 100,
		sw_io_wait_ratio(view) * 100, or_memory(view));
	return 0;
}

/* Return true for file systems whose traffic goes over a link. */
static bool is_remote(const struct sw_view_wait *wait)
{
	static const char *const kinds[] = { "nfs", "lustre", "ceph", "cifs",
					     "smb", "beegfs", "gpfs" };
	const char *text = wait->detail ? wait->detail : sw_text(wait->name);
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			return true;
	}
	return false;
}

/* The most waited-for remote file system, if for min_ratio, or NULL. */
static const struct sw_view_wait *remote_wait(const struct sw_view *view,
					      double min_ratio)
{
	const struct sw_view_io *io = &view->io;
	size_t i;

	for (i = 0; i < io->wait_count; i++) {
		if (is_remote(&io->waits[i]))
			return sw_ratio_u64(io->waits[i].waited_usec,
					    view->elapsed_usec) >= min_ratio ?
				       &io->waits[i] : NULL;
	}
	return NULL;
}

/* Count ports and devices only: layers above a device carry the same data. */
static bool is_full(const struct sw_view_link *link, const struct sw_view *view,
		    double min_ratio)
{
	return link->name &&
	       (!strcmp(sw_text(link->kind), "port") ||
		!strcmp(sw_text(link->detail), "device")) &&
	       sw_ratio_u64(link->full_usec, view->elapsed_usec) >= min_ratio;
}

static int tell_link(const struct sw_view *view,
		     const struct sw_view_link *link,
		     const struct sw_view_wait *wait, const double *setting,
		     struct sw_findings *findings)
{
	double full = sw_ratio_u64(link->full_usec, view->elapsed_usec);
	double waited = sw_ratio_u64(wait->waited_usec, view->elapsed_usec);
	struct sw_evidence time = { "time of a full link / elapsed", full,
				    "ratio", setting[MIN_CEILING_RATIO],
				    SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "io.saturated", SW_WARNING,
				 0.7, &time);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"time waiting for it / elapsed", waited, "ratio",
		setting[MIN_IO_RATIO], SW_MISSING });
	sw_finding_subject(finding, "%s", link->name);
	sw_finding_sentence(finding,
		"The step waited for %.64s for %.0f %% of the time, and the "
		"node's link %.32s (%.4g Gbit/s), which all its users share, "
		"was more than %.0f %% full for %.0f %%. " ADVICE,
		sw_text(sw_view_wait_words(wait)), waited * 100, link->name,
		(double)link->bits_per_sec / 1e9, SW_LINK_FULL_RATIO * 100,
		full * 100, or_memory(view));
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_node *node = &view->nearby;
	const struct sw_view_wait *wait;
	struct steady steady;
	size_t i;

	if (sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0)
		return 0;
	wait = remote_wait(view, setting[MIN_IO_RATIO]);
	for (i = 0; wait && i < node->link_count; i++) {
		if (is_full(&node->links[i], view, setting[MIN_CEILING_RATIO]))
			return tell_link(view, &node->links[i], wait, setting,
					 findings);
	}
	steady = find_steady(&view->device_rate);
	if (wait || !(sw_io_wait_ratio(view) >= setting[MIN_IO_RATIO]) ||
	    !(rate_of(&steady) >= setting[MIN_BYTES_PER_SECOND]) ||
	    !(request_bytes(view) >= setting[MIN_REQUEST_BYTES]) ||
	    steady.usec < setting[MIN_CEILING_RATIO] *
				  (double)view->elapsed_usec)
		return 0;
	return tell_device(view, &steady, setting, findings);
}

static const char *blind_to(const struct sw_view *view)
{
	if (isnan(sw_io_wait_ratio(view)))
		return "how long the step waited for I/O is not known";
	if (isnan(request_bytes(view)))
		return "how large the requests to devices were is not known";
	return NULL;
}

const struct sw_rule sw_rule_io_saturated = {
	.id = "io.saturated",
	.title = "Storage at its ceiling",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step waited for I/O while the storage moved data as fast as it "
	"could: a device, a limit set on it (cgroup io.max), or the link to a "
	"network file system was saturated.",
	.what_to_do =
	"Move less data, use storage with more bandwidth, or run fewer such "
	"jobs at the same time.",
	.computed =
	"For devices, from the bytes that the step moved between samples "
	"(io.stat of its cgroup, Documentation/admin-guide/cgroup-v2.rst; "
	"otherwise read_bytes of its processes): saturated storage has a "
	"steady rate, apart from bursts served from its cache. Reported when "
	"the rate was constant, within a third and over intervals of at least "
	"2 s, for min_ceiling_ratio of the elapsed time, and at least "
	"min_bytes_per_second, the step waited for I/O for min_io_ratio of the "
	"time, and the mean request had min_request_bytes. With smaller "
	"requests the rate is as steady, but the time per request is the "
	"limit: io.stalled, io.tiny. Where the step waited that long for a "
	"network file system, the link counts instead: reported if one of the "
	"node's links was more than 80 % full for min_ceiling_ratio of the "
	"time, with all users of the node counted. Example: an aligner reads "
	"121 MB/s from one disk for two thirds of its time; with twice the "
	"CPUs it reads no faster.",
	.needs = { { "series.io", "rbytes" },
		   { "series.proc", "read_bytes" } },
	.is_any_need = true,
	.settings = {
		{ "min_io_ratio", 0.5, 0.01, 1,
		  "share of the time spent waiting for I/O" },
		{ "min_ceiling_ratio", 0.5, 0.01, 1,
		  "share of the elapsed time at the ceiling" },
		{ "min_request_bytes", 65536, 512, 1e9,
		  "mean size of a request" },
		{ "min_bytes_per_second", 1e6, 0, 1e15,
		  "smaller rates are no ceiling" },
	},
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};
