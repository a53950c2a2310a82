/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check what Slurm loads: the plugin, its line, and what it relies on. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/elf_symbol.h"
#include "analyzer/doctor/node_counted.h"
#include "analyzer/doctor/node_processes.h"
#include "analyzer/doctor/plugstack.h"
#include "common/missing.h"

enum { RELEASE_SIZE = 16 };

/* Major and minor number, which Slurm's loader compares. */
#define RELEASE_MASK 0xffff00u

/* From this release on, optional plugins fail without an error. */
#define SILENT_RELEASE 0x190b00u

/* Slurm then looks for a file whose name has it, or ignores the line. */
static void answer_odd(const struct sw_plugstack *stack,
		       struct sw_answer *answer)
{
	if (stack->line_count)
		sw_answer_warn(answer, "the line is not plain text",
			       "%s:%u has %s, which Slurm takes as part of a "
			       "word; write the line anew",
			       stack->odd_file, stack->odd_line, stack->odd);
	else
		sw_answer_fail(answer, "Slurm does not understand the line",
			       "%s:%u has %s, which Slurm takes as part of a "
			       "word: the plugin is not loaded and no step is "
			       "recorded; write the line anew and restart "
			       "slurmd", stack->odd_file, stack->odd_line,
			       stack->odd);
	if (stack->is_of_windows && sw_is_plain_word(stack->odd_file))
		sw_answer_fix(answer, "sed -i 's/\\r$//' %s && "
			      "systemctl restart slurmd", stack->odd_file);
}

void sw_check_plugstack(const struct sw_doctor *doctor,
			struct sw_answer *answer)
{
	struct sw_plugstack stack;

	sw_plugstack_read(&stack, doctor);
	if (!stack.has_slurm) {
		sw_answer_skip(answer, "no Slurm here",
			       "no slurm.conf or plugstack.conf found, so "
			       "only \"stepwell run\" records here");
	} else if (stack.odd) {
		answer_odd(&stack, answer);
	} else if (!stack.line_count) {
		sw_answer_fail(answer, "no plugin line",
			       "%s has no line for stepwell.so, so no step is "
			       "recorded; add \"optional stepwell.so\" and "
			       "restart slurmd", stack.path);
		sw_answer_fix(answer, "echo 'optional stepwell.so' >>%s && "
			      "systemctl restart slurmd",
			      sw_is_plain_word(stack.path) ? stack.path :
			      "/etc/slurm/plugstack.conf");
	} else if (stack.is_required) {
		sw_answer_warn(answer, "the line says required",
			       "%s:%u says \"required\": a plugin that cannot "
			       "be loaded then drains the node; say "
			       "\"optional\"", stack.file, stack.line);
	} else if (stack.line_count > 1) {
		sw_answer_warn(answer, "more than one line",
			       "%u lines load stepwell.so, the first is %s:%u; "
			       "keep one", stack.line_count,
			       stack.file, stack.line);
	} else if (stack.files_unread) {
		sw_answer_warn(answer, "an included file cannot be read",
			       "%s:%u loads it, but %s, which is also "
			       "included, cannot be read",
			       stack.file, stack.line,
			       stack.unread);
	} else {
		sw_answer_ok(answer, "%s:%u: optional %s", stack.file,
			     stack.line, stack.plugin);
	}
}

/* Version number in a plugin; 0 if it has none. */
static uint32_t read_number(const struct sw_doctor *doctor, const char *path,
			    const char *symbol, struct sw_error *error)
{
	/* Do not block on a FIFO of that name. */
	int fd = sw_doctor_open(doctor, path, O_RDONLY | O_NONBLOCK);
	const void *bytes = NULL;
	uint32_t number = 0;
	struct sw_elf elf;
	size_t size;

	if (fd < 0) {
		sw_error_errno(error, "cannot be opened");
		return 0;
	}
	if (sw_elf_read(&elf, fd, error) == 0) {
		bytes = sw_elf_symbol(&elf, symbol, &size);
		if (bytes && size >= sizeof(number))
			memcpy(&number, bytes, sizeof(number));
		else
			sw_error_set(error, "it has no %s", symbol);
		sw_elf_fini(&elf);
	}
	close(fd);
	return number;
}

static const char *release(char *text, uint32_t number)
{
	snprintf(text, RELEASE_SIZE, "%u.%02u", number >> 16 & 0xff,
		 number >> 8 & 0xff);
	return text;
}

/* "slurm 22.05.8", "slurm-wlm 24.11.5". */
static uint32_t parse_release(const char *line)
{
	const char *at = strrchr(line, ' ');
	unsigned year, month;

	if (!at || sscanf(at, " %u.%u", &year, &month) != 2 || year > 255 ||
	    month > 255)
		return 0;
	return year << 16 | month << 8;
}

/* Slurm's release: from slurmd, or from its plugins next to ours. */
static uint32_t slurm_release(const struct sw_doctor *doctor,
			      const char *plugin, const char **from)
{
	static const char *const programs[][3] = {
		{ "slurmd", "-V", NULL }, { "scontrol", "--version", NULL },
	};
	static const char *const neighbours[] = {
		"task_cgroup.so", "proctrack_cgroup.so", "auth_munge.so",
	};
	char line[128], path[PATH_MAX + 32];
	const char *slash = strrchr(plugin, '/');
	uint32_t number;
	size_t i;

	for (i = 0; doctor->probes.run && i < 2; i++) {
		*from = programs[i][0];
		if (doctor->probes.run(programs[i], line, sizeof(line)) == 0 &&
		    (number = parse_release(line)) != 0)
			return number;
	}
	for (i = 0; slash && i < sizeof(neighbours) / sizeof(*neighbours);
	     i++) {
		snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - plugin),
			 plugin, neighbours[i]);
		*from = neighbours[i];
		number = read_number(doctor, path, "plugin_version", NULL);
		if (number)
			return number & RELEASE_MASK;
	}
	return 0;
}

/*
 * Consequence if Slurm does not load the file in the line.  From 25.11 on, a
 * missing optional plugin is only reported by "srun -v", but one for another
 * release by every srun.
 */
static const char *unloaded(const struct sw_plugstack *stack, uint32_t slurm,
			    bool is_there)
{
	if (stack->is_required)
		return "no step is recorded, and steps fail";
	if (slurm >= SILENT_RELEASE)
		return is_there ? "no step is recorded, and srun and sbatch "
				  "print a line each time"
				: "no step is recorded, and Slurm does not "
				  "say so";
	return slurm ? "no step is recorded, and srun and sbatch print an "
		       "error each time"
		     : "no step is recorded; srun and sbatch print an error "
		       "each time, but nothing from Slurm 25.11 on";
}

/* Only a step that began after slurmd, and was announced, is proof. */
static void judge_loaded(const struct sw_doctor *doctor, const char *fits,
			 struct sw_answer *answer)
{
	char pid[SW_PID_SIZE], path[PATH_MAX];
	struct sw_counted counts;
	uint64_t start;
	size_t steps;

	if (!sw_node_process_find(doctor, "slurmd", NULL, pid) ||
	    sw_node_counted_read(doctor, &counts, path, sizeof(path)) < 0) {
		sw_answer_ok(answer, "%s", fits);
		return;
	}
	start = sw_node_process_start(doctor, pid);
	if (sw_is_missing(start)) {
		sw_answer_ok(answer, "%s", fits);
	} else if (counts.number[SW_COUNT_LAST_START_USEC] > start) {
		sw_answer_ok(answer,
			     "%s, and has announced a step since slurmd started",
			     fits);
	} else if ((steps = sw_node_steps_since(doctor, start)) > 0) {
		sw_answer_warn(answer, "the plugin is not loaded",
			       "%s, but %zu running step%s that began since "
			       "slurmd started %s not announced to the "
			       "recorder: Slurm did not load the plugin, or "
			       "the jobs have --stepwell=off; \"srun -vv "
			       "true\" prints what it loads",
			       fits, steps, steps == 1 ? "" : "s",
			       steps == 1 ? "was" : "were");
	} else {
		sw_answer_ok(answer,
			     "%s; that it is loaded is proven by the "
			     "first step since slurmd started",
			     fits);
	}
}

static void judge_release(const struct sw_doctor *doctor,
			  const struct sw_plugstack *stack, const char *path,
			  uint32_t number, struct sw_answer *answer)
{
	char fits[PATH_MAX + 80], ours[RELEASE_SIZE], theirs[RELEASE_SIZE];
	uint32_t slurm;
	const char *from;

	release(ours, number);
	slurm = slurm_release(doctor, path, &from);
	if (!slurm) {
		sw_answer_warn(answer, "the release of Slurm is not known",
			       "%s is for Slurm %s; which release is installed "
			       "is not known: neither slurmd -V nor scontrol "
			       "--version answers",
			       path, ours);
	} else if (slurm != (number & RELEASE_MASK)) {
		sw_answer_fail(answer, "the plugin is for another Slurm",
			       "%s is for Slurm %s, but %s is %s, which does "
			       "not load it: %s; install the plugin's package "
			       "for %s",
			       path, ours, from, release(theirs, slurm),
			       unloaded(stack, slurm, true), theirs);
		sw_answer_fix(answer, "apt-get install stepwell-slurm-plugin "
			      "|| dnf install stepwell-slurm-plugin");
	} else {
		snprintf(fits, sizeof(fits), "%s is for Slurm %s, as %s is",
			 path, ours, from);
		judge_loaded(doctor, fits, answer);
	}
}

/* Slurm loads it as root: nobody else may have write access. */
static bool is_writable_by_others(const struct sw_doctor *doctor,
				  const char *path)
{
	struct stat status;
	int fd = sw_doctor_open(doctor, path, O_PATH), rc;

	if (fd < 0)
		return false;
	rc = fstat(fd, &status);
	close(fd);
	return rc == 0 && (status.st_uid != doctor->owner ||
			   (status.st_mode & (S_IWGRP | S_IWOTH)));
}

void sw_check_plugin(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct sw_plugstack stack;
	struct sw_error error;
	char path[PATH_MAX];
	const char *from;
	uint32_t number;

	sw_plugstack_read(&stack, doctor);
	if (!stack.line_count) {
		sw_answer_skip(answer, "no plugin line",
			       "Slurm is not configured to load it");
	} else if (sw_plugstack_locate(&stack, doctor, path,
				       sizeof(path)) < 0) {
		sw_answer_fail(
			answer, "the plugin is not installed",
			"%s:%u names %s, which does not exist: %s; "
			"install the plugin's package or remove the "
			"line",
			stack.file, stack.line, stack.plugin,
			unloaded(&stack,
				 slurm_release(doctor, stack.plugin, &from),
				 false));
		sw_answer_fix(answer, "apt-get install stepwell-slurm-plugin "
			      "|| dnf install stepwell-slurm-plugin");
	} else if (!(number = read_number(doctor, path, "plugin_version",
					  &error))) {
		sw_answer_fail(answer, "the plugin's file is not a plugin",
			       "%s: %s; install the plugin's package again",
			       path, error.text);
	} else if (!read_number(doctor, path, "spank_plugin_version",
				&error)) {
		sw_answer_fail(answer,
			       "the plugin's file is not a SPANK plugin",
			       "%s: %s; install the plugin's package again",
			       path, error.text);
	} else if (is_writable_by_others(doctor, path)) {
		sw_answer_fail(answer, "the plugin is writable by others",
			       "%s is loaded by root, but others than root can "
			       "write to it", path);
		if (sw_is_plain_word(path))
			sw_answer_fix(answer, "chown root:root %s && "
				      "chmod 0644 %s", path, path);
	} else {
		judge_release(doctor, &stack, path, number, answer);
	}
}

void sw_check_tracking(const struct sw_doctor *doctor,
		       struct sw_answer *answer)
{
	struct sw_counted counts;
	struct sw_plugstack stack;
	char path[PATH_MAX];

	sw_plugstack_read(&stack, doctor);
	if (!stack.has_slurm)
		sw_answer_skip(answer, "no Slurm here", "no slurm.conf found");
	else if (sw_node_counted_read(doctor, &counts, path, sizeof(path)) ==
			 0 &&
		 counts.number[SW_COUNT_CGROUPS_UNKNOWN])
		sw_answer_warn(
			answer, "steps' cgroups are not understood",
			"%" PRIu64 " of %" PRIu64 " steps since the "
			"recorder started were in cgroups like %s, which "
			"is neither .../job_N/step_N nor .../SLUID/step_N: "
			"stepwell followed their processes instead, and "
			"memory is the sum over them; install a stepwell "
			"that knows this release of Slurm",
			counts.number[SW_COUNT_CGROUPS_UNKNOWN],
			counts.number[SW_COUNT_STEPS], counts.cgroup_form);
	else if (!*stack.proctrack)
		sw_answer_ok(answer, "ProctrackType is not set; the default is "
			     "proctrack/cgroup");
	else if (!strcmp(stack.proctrack, "proctrack/cgroup"))
		sw_answer_ok(answer, "ProctrackType=proctrack/cgroup");
	else
		sw_answer_warn(answer, "steps have no cgroup",
			       "ProctrackType=%s: steps have no cgroup, so "
			       "stepwell follows their processes instead and "
			       "memory is the sum over them; use "
			       "proctrack/cgroup for exact numbers",
			       stack.proctrack);
}

void sw_check_switch(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct sw_plugstack stack;

	sw_plugstack_read(&stack, doctor);
	if (sw_doctor_has(doctor, SW_DOCTOR_OFF)) {
		sw_answer_warn(answer, "switched off by the file",
			       SW_DOCTOR_OFF " exists, so nothing is recorded "
					     "on this node; remove it to "
					     "record again");
		sw_answer_fix(answer, "rm " SW_DOCTOR_OFF " && %s",
			      sw_recorder_has_units(doctor) ?
			      "systemctl reset-failed 'stepwell-recorder.*'; "
			      "systemctl restart stepwell-recorder.socket" :
			      "systemctl restart slurmd");
	} else if (stack.is_off) {
		sw_answer_warn(answer, "switched off by plugstack.conf",
			       "%s:%u says \"off\", so nothing is recorded; "
			       "remove the word to record",
			       stack.file, stack.line);
	} else {
		sw_answer_ok(answer, "on: no " SW_DOCTOR_OFF ", no \"off\" in "
			     "plugstack.conf");
	}
}
