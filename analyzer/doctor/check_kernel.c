/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check what the kernel provides.  Nothing here can prevent recording, so the
 * worst result is WARN, which names what profiles lack.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/plugstack.h"

#define SYSCTL_FILE "/etc/sysctl.d/90-stepwell.conf"

/* Location expected by Slurm, and read by the plugin. */
#define CGROUP_ROOT "/sys/fs/cgroup"

struct cgroups {
	char v2[PATH_MAX];	/* mount point, or "" */
	bool has_v1;
	bool has_v1_memory, has_v1_cpuacct;	/* controllers */
};

static void note_v1(struct cgroups *cgroups, const struct mntent *mount)
{
	cgroups->has_v1 = true;
	cgroups->has_v1_memory |= hasmntopt(mount, "memory") != NULL;
	cgroups->has_v1_cpuacct |= hasmntopt(mount, "cpuacct") != NULL;
}

/* True if Slurm's steps are in cgroup v1 with these controllers. */
static bool is_v1_slurms(const struct cgroups *cgroups)
{
	return strcmp(cgroups->v2, CGROUP_ROOT) != 0 &&
	       (cgroups->has_v1_memory || cgroups->has_v1_cpuacct);
}

static const char *v1_counts(const struct cgroups *cgroups)
{
	if (cgroups->has_v1_memory && cgroups->has_v1_cpuacct)
		return "memory and CPU time";
	return cgroups->has_v1_memory ? "memory" : "CPU time";
}

/* Return 0, or -1 without /proc. */
static int find_cgroups(const struct sw_doctor *doctor,
			struct cgroups *cgroups)
{
	int fd = sw_doctor_open(doctor, "/proc/self/mounts", O_RDONLY);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	struct mntent *mount, room;
	char line[3 * PATH_MAX];

	memset(cgroups, 0, sizeof(*cgroups));
	if (!file) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((mount = getmntent_r(file, &room, line, sizeof(line)))) {
		if (!strcmp(mount->mnt_type, "cgroup"))
			note_v1(cgroups, mount);
		/* Other root trees on this machine may also have one. */
		if (!strcmp(mount->mnt_type, "cgroup2") &&
		    (!*cgroups->v2 || !strcmp(mount->mnt_dir, CGROUP_ROOT)))
			snprintf(cgroups->v2, sizeof(cgroups->v2), "%s",
				 mount->mnt_dir);
	}
	fclose(file);
	return 0;
}

static void skip_kernel(struct sw_answer *answer)
{
	sw_answer_skip(answer, "not a running system",
		       "there is no /proc below this root: run it on the "
		       "running node");
}

void sw_check_cgroup(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	static const char boot[] = "boot with "
		"\"systemd.unified_cgroup_hierarchy=1 cgroup_no_v1=all\"";
	struct cgroups cgroups;

	if (find_cgroups(doctor, &cgroups) < 0)
		skip_kernel(answer);
	else if (!*cgroups.v2 && !cgroups.has_v1)
		sw_answer_warn(answer, "no cgroups",
			       "no cgroup file system is mounted: stepwell "
			       "follows a step's processes instead, and memory "
			       "is the sum over them");
	else if (is_v1_slurms(&cgroups))
		sw_answer_warn(answer, "cgroup v1",
			       "cgroup v1%s%s: %s of a step %s read from it; "
			       "the pressure of a step is not available; %s",
			       *cgroups.v2 ? ", with v2 at " : "", cgroups.v2,
			       v1_counts(&cgroups),
			       cgroups.has_v1_memory &&
			       cgroups.has_v1_cpuacct ? "are" : "is", boot);
	else if (!*cgroups.v2)
		sw_answer_warn(answer, "cgroup v1",
			       "only cgroup v1 is mounted, without the memory "
			       "controller: stepwell follows a step's "
			       "processes instead; %s",
			       boot);
	else if (cgroups.has_v1 || strcmp(cgroups.v2, CGROUP_ROOT) != 0)
		sw_answer_warn(answer, "hybrid cgroups",
			       "cgroup v2 is at %s%s, where Slurm does not "
			       "look: steps have no counters of their own; %s",
			       cgroups.v2, cgroups.has_v1 ? " beside v1" : "",
			       boot);
	else
		sw_answer_ok(answer, "cgroup v2 at %s", cgroups.v2);
}

/* True if the text contains the word, between blanks. */
static bool has_word(const char *text, const char *word)
{
	size_t length;

	for (; *text; text += length) {
		text += strspn(text, " \n");
		length = strcspn(text, " \n");
		if (length == strlen(word) && !strncmp(text, word, length))
			return true;
	}
	return false;
}

/*
 * Read the controllers that Slurm gives to steps if a step has run since slurmd
 * created its scope, or those that it can give, or the kernel's.
 */
static ssize_t read_controllers(const struct sw_doctor *doctor,
				const char *mount, char *text, size_t size,
				char *path, size_t path_size)
{
	static const char *const files[] = {
		"/*slurmstepd.scope/cgroup.subtree_control",
		"/*slurmstepd.scope/cgroup.controllers",
		"cgroup.controllers",
	};
	char pattern[PATH_MAX + sizeof(((struct sw_plugstack *)0)->slice) + 80];
	struct sw_plugstack stack;
	const char *const patterns[] = { pattern, NULL };
	ssize_t length = -1;
	size_t i;

	sw_plugstack_read(&stack, doctor);
	for (i = 0; i < sizeof(files) / sizeof(*files) && length < 2; i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s%s", mount,
			 *files[i] == '/' ? stack.slice : "", files[i]);
		if (sw_doctor_find(doctor, patterns, path, path_size))
			length = sw_doctor_read(doctor, path, text, size);
	}
	return length;
}

static bool has_memory_peak(const struct sw_doctor *doctor, const char *mount)
{
	char pattern[PATH_MAX + 16], path[PATH_MAX];
	const char *const patterns[] = { pattern, NULL };

	snprintf(pattern, sizeof(pattern), "%s/*/memory.peak", mount);
	return sw_doctor_find(doctor, patterns, path, sizeof(path)) > 0;
}

void sw_check_controllers(const struct sw_doctor *doctor,
			  struct sw_answer *answer)
{
	char text[512], path[PATH_MAX + 80];
	struct cgroups cgroups;

	if (find_cgroups(doctor, &cgroups) < 0) {
		skip_kernel(answer);
	} else if (is_v1_slurms(&cgroups) && !cgroups.has_v1_memory) {
		sw_answer_warn(answer, "no memory controller",
			       "cgroup v1 has no \"memory\": limits, peaks and "
			       "OOM kills of steps cannot be read, and memory "
			       "is the sum over the processes");
	} else if (is_v1_slurms(&cgroups)) {
		sw_answer_ok(answer, "%s of cgroup v1 (where Slurm puts steps "
			     "if cgroup.conf constrains memory or "
			     "jobacct_gather/cgroup is set); bytes are read "
			     "from the processes",
			     cgroups.has_v1_cpuacct ? "memory and cpuacct" :
						      "memory");
	} else if (!*cgroups.v2 ||
		   read_controllers(doctor, cgroups.v2, text, sizeof(text),
				    path, sizeof(path)) < 0) {
		sw_answer_warn(answer, "no cgroup v2",
			       "no cgroup v2, so no controllers");
	} else if (!has_word(text, "memory")) {
		sw_answer_warn(answer, "no memory controller",
			       "%s has no \"memory\": limits, peaks and OOM "
			       "kills of steps cannot be read, and memory is "
			       "the sum over the processes", path);
	} else if (!has_word(text, "cpu")) {
		sw_answer_warn(answer, "no cpu controller",
			       "%s has no \"cpu\": throttling cannot be seen",
			       path);
	} else if (!has_memory_peak(doctor, cgroups.v2)) {
		sw_answer_warn(answer, "no memory.peak",
			       "cpu and memory, but the kernel has no "
			       "memory.peak (needs Linux 5.19, RHEL 8.10 or "
			       "9.3): between two samples, only the peaks of "
			       "single processes are seen");
	} else if (!has_word(text, "io")) {
		sw_answer_ok(answer, "cpu and memory; without \"io\", bytes "
			     "are read from the processes (%s)", path);
	} else {
		sw_answer_ok(answer, "cpu, memory and io (%s)", path);
	}
}

void sw_check_pressure(const struct sw_doctor *doctor,
		       struct sw_answer *answer)
{
	char text[256];

	if (!sw_doctor_has(doctor, "/proc/self/mounts")) {
		skip_kernel(answer);
		return;
	}
	/* With psi=0 the files may exist and be unreadable. */
	if (sw_doctor_read(doctor, "/proc/pressure/cpu", text,
			   sizeof(text)) <= 0) {
		sw_answer_warn(answer, "no pressure",
			       "/proc/pressure/cpu cannot be read: how long "
			       "steps waited for CPU, memory or I/O is not "
			       "known; boot with \"psi=1\"");
		return;
	}
	sw_answer_ok(answer, "/proc/pressure can be read");
}

static bool has_pmu(const struct sw_doctor *doctor)
{
	static const char *const patterns[] = {
		"/sys/bus/event_source/devices/cpu",
		"/sys/bus/event_source/devices/cpu_core",
		"/sys/bus/event_source/devices/armv*",
		NULL,
	};
	char path[PATH_MAX];

	return sw_doctor_find(doctor, patterns, path, sizeof(path)) > 0;
}

void sw_check_perf(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	static const char file[] = "/proc/sys/kernel/perf_event_paranoid";
	char text[32];
	long level;

	if (!sw_doctor_has(doctor, "/proc/self/mounts")) {
		skip_kernel(answer);
		return;
	}
	if (sw_doctor_read(doctor, file, text, sizeof(text)) <= 0) {
		sw_answer_warn(answer, "no perf events",
			       "%s does not exist: the kernel has no perf "
			       "events, so without BPF programs are seen "
			       "through /proc alone", file);
		return;
	}
	level = strtol(text, NULL, 10);
	if (level > 2) {
		sw_answer_warn(answer, "perf_event_paranoid above 2",
			       "kernel.perf_event_paranoid=%ld: \"stepwell "
			       "run\" of ordinary users sees programs through "
			       "/proc alone; kernels of Debian and Ubuntu then "
			       "let the node's recorder count no page faults, "
			       "instructions or polling of MPI, either; 2 is "
			       "enough", level);
		/* Use a file, so that the setting survives a reboot. */
		sw_answer_fix(answer, "echo kernel.perf_event_paranoid=2 "
			      ">" SYSCTL_FILE "; sysctl -p " SYSCTL_FILE);
	} else {
		sw_answer_ok(answer, "kernel.perf_event_paranoid=%ld; %s",
			     level,
			     has_pmu(doctor) ? "hardware counters are available"
					     : "no hardware counters, as in "
					       "many virtual machines");
	}
}

void sw_check_bpf(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	static const char less[] = "programs inside a step are seen through "
				   "perf's task events or /proc, without peak "
				   "memory or the cause of a failure";
	char text[128] = "";

	sw_doctor_read(doctor, "/sys/kernel/security/lockdown", text,
		       sizeof(text));
	if (!sw_doctor_has(doctor, "/proc/self/mounts"))
		skip_kernel(answer);
	else if (!sw_doctor_has(doctor, "/sys/kernel/btf/vmlinux"))
		sw_answer_warn(answer, "no BTF",
			       "the kernel has no /sys/kernel/btf/vmlinux "
			       "(CONFIG_DEBUG_INFO_BTF): %s", less);
	else if (strstr(text, "[confidentiality]"))
		sw_answer_warn(answer, "kernel lockdown",
			       "lockdown=confidentiality forbids BPF: %s",
			       less);
	else if (!doctor->is_root || !doctor->probes.try_bpf)
		sw_answer_skip(answer, "needs root",
			       "BTF is available; only root can check, on the "
			       "running node, whether BPF programs can be "
			       "loaded");
	else if (doctor->probes.try_bpf() < 0)
		sw_answer_warn(answer, "BPF is not permitted",
			       "root may not load a BPF program (%s): %s",
			       strerror(errno), less);
	else
		sw_answer_ok(answer, "BTF is available and a BPF program can "
			     "be loaded");
}

/* "functions", "connections: REASON", "none: REASON", as the recorder found */
void sw_check_causes(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	static const char *const argv[] = {
		PKGLIBEXECDIR "/stepwell-recorder", "--node", "--failed-calls",
		NULL,
	};
	char line[sizeof(answer->text)] = "";
	const char *reason;

	if (!sw_doctor_has(doctor, "/proc/self/mounts")) {
		skip_kernel(answer);
		return;
	}
	if (!doctor->probes.run || !doctor->is_root) {
		sw_answer_skip(answer, "needs root",
			       "only root can check, on a running node, "
			       "whether failed calls of programs are seen");
		return;
	}
	if (doctor->probes.run(argv, line, sizeof(line)) < 0) {
		bool is_late = errno == ETIMEDOUT;

		sw_answer_skip(answer, "the recorder was not asked",
			       "%s %s: whether failed calls of programs are "
			       "seen is unknown%s%s", argv[0], is_late ?
			       "took too long to answer, as on a busy node" :
			       "did not run", is_late ? "" : ": ",
			       is_late ? "" : strerror(errno));
		return;
	}
	reason = strstr(line, ": ");
	if (!reason)
		sw_answer_ok(answer, "the file or call that made a program "
			     "fail is recorded");
	else
		sw_answer_warn(answer, "causes of failures are not recorded",
			       "%s: the file or call that made a program fail "
			       "is not recorded%s", reason + 2,
			       strncmp(line, "connections", 11) ? "" :
			       ", but for failed connections");
}

void sw_check_exits(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct sw_error why;

	if (!sw_doctor_has(doctor, "/proc/self/mounts"))
		skip_kernel(answer);
	else if (!doctor->probes.try_exits)
		sw_answer_skip(answer, "not the running system",
			       "run it on the running node");
	else if (doctor->probes.try_exits(&why))
		sw_answer_ok(answer, "ordinary users receive the kernel's "
			     "exit events");
	else
		sw_answer_warn(answer, "no exit events for users",
			       "%s: \"stepwell run\" of ordinary users "
			       "records the exit status of the command, and "
			       "not of the programs inside it; needs Linux "
			       "6.6 with CONFIG_PROC_EVENTS, and no container",
			       why.text);
}
