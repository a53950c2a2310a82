/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.many_files: many files with little data in each. */
#include <math.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { MIN_FILES_PER_SECOND, MIN_FILES, MAX_MEAN_BYTES, MIN_WAITED_RATIO,
       MIN_KERNEL_RATIO, MIN_METADATA_RATIO };

static const char *const causes[] = { "io.scratch_on_shared", NULL };

/* Files opened at the start of each process: libraries, settings.  Chosen by
 * hand. */
static const double OPENS_OF_A_START = 100;

/* 100 samples and more: a share of a third is known within a tenth (two
 * standard errors of a binomial share). */
static const uint64_t SAMPLED_USEC_MIN = SW_USEC_PER_SEC;

/* NFS opens files under a delegation without a request, but not attributes. */
static double files_of(const struct sw_view_mount *mount)
{
	double opens = sw_real_u64(mount->opens);
	double attributes = sw_real_u64(mount->getattrs);

	return fmax(opens, attributes);
}

static double bytes_of(const struct sw_view_mount *mount)
{
	return sw_real_u64(sw_sum_u64(sw_zero_if_missing(mount->read_bytes),
				      mount->written_bytes));
}

/* Share of the run that the step waited for the mount, or NAN. */
static double waited_ratio(const struct sw_view *view,
			   const struct sw_view_mount *mount)
{
	const struct sw_view_io *io = &view->io;
	size_t i;

	for (i = 0; i < io->wait_count; i++) {
		if (sw_is_same_text(io->waits[i].name, mount->name))
			return sw_ratio_u64(io->waits[i].waited_usec,
					    view->elapsed_usec);
	}
	return sw_is_missing(io->waited_usec) ? NAN : 0;
}

static bool is_many(const struct sw_view *view,
		    const struct sw_view_mount *mount, const double *setting)
{
	double files = files_of(mount);

	return files >= setting[MIN_FILES] &&
	       files * SW_USEC_PER_SEC >= setting[MIN_FILES_PER_SECOND] *
						  (double)view->elapsed_usec &&
	       bytes_of(mount) <= setting[MAX_MEAN_BYTES] * files &&
	       waited_ratio(view, mount) >= setting[MIN_WAITED_RATIO];
}

static int tell(const struct sw_view *view, const struct sw_view_mount *mount,
		const double *setting, struct sw_findings *findings)
{
	double files = files_of(mount);
	double per_second = files * SW_USEC_PER_SEC /
			    (double)view->elapsed_usec;
	struct sw_evidence rate = { "opens or getattrs", per_second,
				    "per second",
				    setting[MIN_FILES_PER_SECOND], SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "io.many_files", SW_WARNING,
				 0.6, &rate);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"bytes for each", bytes_of(mount) / files, "bytes",
		setting[MAX_MEAN_BYTES], SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"time waiting for it / elapsed", waited_ratio(view, mount),
		"ratio", setting[MIN_WAITED_RATIO], SW_MISSING });
	sw_finding_subject(finding, "%s", mount->name);
	sw_finding_sentence(
		finding,
		"On %.64s files were opened or looked up %.0f times a second, "
		"with %s moved for each, by all users of this node; the step "
		"waited for it for %.0f %% of the time. Each of these is a "
		"request to the server, however small the file: keep many "
		"small files in one (tar, zip, HDF5, SQLite), or on the node's "
		"local disk.",
		mount->name, per_second,
		sw_size_text(sw_whole_real(bytes_of(mount) / files)).s,
		waited_ratio(view, mount) * 100);
	return 0;
}

static double kernel_ratio(const struct sw_view_program *program)
{
	return sw_ratio_u64(program->system_usec, program->cpu_usec);
}

/* Name the program, and the kernel's share of its CPU time. */
static void put_program(struct sw_finding *finding,
			const struct sw_view_program *program,
			char name[SW_FINDING_NAME_SIZE],
			const double *setting)
{
	sw_finding_evidence(finding, &(struct sw_evidence){
		"its CPU time in the kernel / all", kernel_ratio(program),
		"ratio", setting[MIN_KERNEL_RATIO], SW_MISSING });
	sw_finding_name(name, SW_FINDING_NAME_SIZE, sw_text(program->name));
	sw_finding_subject(finding, "%s", name);
}

/*
 * Return a program that opens files on mounts without a count of opens and
 * spends most of its CPU time in the kernel, or NULL.
 */
static const struct sw_view_program *opener(const struct sw_view *view,
					    const double *setting)
{
	double elapsed = sw_real_u64(view->elapsed_usec);
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];
		double opens = sw_real_u64(program->opens);
		double bytes = sw_real_u64(
			sw_sum_u64(program->call_read_bytes,
				   program->call_written_bytes));

		if (opens >= setting[MIN_FILES] &&
		    opens * SW_USEC_PER_SEC >=
			    setting[MIN_FILES_PER_SECOND] * elapsed &&
		    opens >= OPENS_OF_A_START * sw_real_u64(program->started) &&
		    bytes <= setting[MAX_MEAN_BYTES] * opens &&
		    sw_real_u64(program->system_usec) >=
			    setting[MIN_WAITED_RATIO] * elapsed &&
		    kernel_ratio(program) >= setting[MIN_KERNEL_RATIO])
			return program;
	}
	return NULL;
}

static int tell_opener(const struct sw_view *view,
		       const struct sw_view_program *program,
		       const double *setting, struct sw_findings *findings)
{
	double opens = (double)program->opens;
	double per_second = opens * SW_USEC_PER_SEC /
			    (double)view->elapsed_usec;
	double bytes = (double)(program->call_read_bytes +
				program->call_written_bytes) / opens;
	double kernel = kernel_ratio(program);
	struct sw_evidence rate = { "opens", per_second, "per second",
				    setting[MIN_FILES_PER_SECOND], SW_MISSING };
	struct sw_finding *finding;
	char name[SW_FINDING_NAME_SIZE];

	finding = sw_finding_add(findings, "io.many_files", SW_WARNING,
				 0.7, &rate);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"bytes for each", bytes, "bytes", setting[MAX_MEAN_BYTES],
		SW_MISSING });
	put_program(finding, program, name, setting);
	sw_finding_sentence(
		finding,
		"%s opened %.0f files a second, with %s read or written for "
		"each; %.0f %% of its CPU time was spent in the kernel, where "
		"opening a file takes longer than reading a small one. Keep "
		"many small files in one (tar, zip, HDF5, SQLite); on a shared "
		"file system each of them is a request to its server as well.",
		name, per_second, sw_size_text(sw_whole_real(bytes)).s,
		kernel * 100);
	return 0;
}

/* Return the share of CPU time sampled in calls on file names. */
static double metadata_ratio(const struct sw_view_program *program)
{
	return sw_ratio_u64(program->metadata_usec, program->sampled_usec);
}

/*
 * Return a program that spends its CPU time on file names, however many there
 * are, or NULL.  A program that asks for the same file repeatedly waits for it.
 */
static const struct sw_view_program *namer(const struct sw_view *view,
					   const double *setting)
{
	double elapsed = sw_real_u64(view->elapsed_usec);
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];
		double ratio = metadata_ratio(program);

		if (!program->spin_call &&
		    program->sampled_usec >= SAMPLED_USEC_MIN &&
		    ratio >= setting[MIN_METADATA_RATIO] &&
		    ratio * sw_real_u64(program->cpu_usec) >=
			    setting[MIN_WAITED_RATIO] * elapsed &&
		    kernel_ratio(program) >= setting[MIN_KERNEL_RATIO])
			return program;
	}
	return NULL;
}

static int tell_namer(const struct sw_view_program *program,
		      const double *setting, struct sw_findings *findings)
{
	double ratio = metadata_ratio(program);
	double kernel = kernel_ratio(program);
	struct sw_evidence share = { "programs.metadata_usec / sampled_usec",
				     ratio, "ratio",
				     setting[MIN_METADATA_RATIO], SW_MISSING };
	struct sw_finding *finding;
	char name[SW_FINDING_NAME_SIZE];

	finding = sw_finding_add(findings, "io.many_files", SW_WARNING,
				 0.6, &share);
	if (!finding)
		return -1;
	put_program(finding, program, name, setting);
	sw_finding_sentence(finding,
		"%s spent about %.0f %% of its CPU time, %s, in system calls "
		"that open, look up, list or remove files, and %.0f %% of it "
		"in the kernel altogether. Keep many small files in one (tar, "
		"zip, HDF5, SQLite); on a shared file system each of these "
		"calls may be a request to its server as well.",
		name, ratio * 100,
		sw_duration_text(sw_whole_real(ratio * sw_real_u64(
			program->cpu_usec))).s,
		kernel * 100);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_node *node = &view->nearby;
	const struct sw_view_program *program;
	size_t i;

	if (sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0)
		return 0;
	for (i = 0; i < node->mount_count; i++) {
		if (is_many(view, &node->mounts[i], setting))
			return tell(view, &node->mounts[i], setting, findings);
	}
	program = opener(view, setting);
	if (program)
		return tell_opener(view, program, setting, findings);
	program = namer(view, setting);
	return program ? tell_namer(program, setting, findings) : 0;
}

/* Calls are sampled only from two seconds of CPU time on. */
static bool is_unsampled(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (sw_zero_if_missing(program->sampled_usec) <
			    SAMPLED_USEC_MIN &&
		    kernel_ratio(program) >= SW_MOST &&
		    sw_real_u64(program->cpu_usec) >=
			    SW_MOST * sw_real_u64(view->elapsed_usec) &&
		    program->cpu_usec >= SAMPLED_USEC_MIN)
			return true;
	}
	return false;
}

static const char *blind_to(const struct sw_view *view)
{
	if (!sw_is_missing(view->io.opens))
		return NULL;
	if (is_unsampled(view))
		return "too short to judge: a program worked in the kernel for "
		       "most of its time, too briefly to sample in which calls";
	return sw_is_missing(view->io.waited_usec) ?
		"which file systems the step waited for is not known" : NULL;
}

const struct sw_rule sw_rule_io_many_files = {
	.id = "io.many_files",
	.title = "Very many small files",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step worked on very many files with little data in each. On a "
	"network file system each file is looked up, opened and closed at a "
	"server, which takes about a millisecond and delays all its users; on "
	"a local one it costs CPU time.",
	.what_to_do =
	"Pack small files into one archive or database, unpack them on the "
	"node's local disk, and do not share one directory between many tasks.",
	.computed =
	"From the counters of mounts (NFS: OPEN and GETATTR of "
	"/proc/self/mountstats, nfsstat(8); Lustre: open and getattr of "
	"llite.*.stats), of which the larger is taken as the number of files, "
	"and from samples of what threads wait for. Reported when that number "
	"is min_files and min_files_per_second, at most max_mean_bytes were "
	"moved for each, and the step waited for this mount for "
	"min_waited_ratio of the time. The counters include all users of the "
	"node, so another job may have a part in it. Example: a pipeline that "
	"opens 900 files of 2 KiB per second in /home waits for 60 % of its "
	"time.\n\n"
	"Where no mount explains it, the files that each program opened count "
	"(programs.opens, which needs BPF and a kernel that allows function "
	"returns to be traced): the same numbers, at least 100 for each "
	"process of the program, with min_kernel_ratio of its CPU time in the "
	"kernel, and that CPU time min_waited_ratio of the run. Where these "
	"are unknown or too few, programs count that spent min_kernel_ratio of "
	"their CPU time in the kernel, min_metadata_ratio of it in system "
	"calls that open, look up, list or remove files "
	"(programs.metadata_usec of sampled_usec: BPF samples processes that "
	"spent two seconds of CPU time mostly in the kernel, 100 times per "
	"second of CPU time; Linux 5.15), and min_waited_ratio of the run in "
	"these calls.",
	.needs = { { "series.mount", "open.ops" },
		   { "series.lustre", "open" },
		   { "programs", "opens" },
		   { "programs", "sampled_usec" } },
	.is_any_need = true,
	.settings = {
		{ "min_files_per_second", 100, 0.1, 1e9, "fewer are no load" },
		{ "min_files", 5000, 1, 1e12, "in all" },
		{ "max_mean_bytes", 131072, 0, 1e12,
		  "bytes moved for each file" },
		{ "min_waited_ratio", 0.1, 0, 1,
		  "share of the time spent waiting for the mount, or in the "
		  "kernel" },
		{ "min_kernel_ratio", 0.4, 0, 1,
		  "share of the program's CPU time spent in the kernel" },
		{ "min_metadata_ratio", 0.3, 0, 1,
		  "share of the program's CPU time spent in system calls about "
		  "names of files" },
	},
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};
