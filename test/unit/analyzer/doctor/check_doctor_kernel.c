/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The doctor's checks of kernel and hardware with trees of files: each check's
 * OK and each possible fault.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/doctor/doctor_probes.h"
#include "test/unit/analyzer/doctor/doctor_kit.h"

#define SCOPE "sys/fs/cgroup/system.slice/slurmstepd.scope/"

static int bpf_errno;

static int probe_bpf(void)
{
	errno = bpf_errno;
	return bpf_errno ? -1 : 0;
}

static void mount_cgroup2(const char *where)
{
	char text[128];

	snprintf(text, sizeof(text), "proc /proc proc rw 0 0\n"
		 "cgroup2 %s cgroup2 rw,nosuid 0 0\n", where);
	kit_put("proc/self/mounts", text);
}

static void put_process(const char *pid, const char *name,
			const char *argument, const char *cpus)
{
	char path[64], text[256];
	int length;

	snprintf(path, sizeof(path), "proc/%s/comm", pid);
	snprintf(text, sizeof(text), "%s\n", name);
	kit_put(path, text);
	snprintf(path, sizeof(path), "proc/%s/cmdline", pid);
	length = snprintf(text, sizeof(text), "/usr/%s%c%s", name, 0,
			  argument);
	kit_put_bytes(path, text, (size_t)length + 1);
	snprintf(path, sizeof(path), "proc/%s/status", pid);
	snprintf(text, sizeof(text), "Name:\t%s\nUmask:\t0022\n"
		 "Cpus_allowed:\tff\nCpus_allowed_list:\t%s\n"
		 "Mems_allowed:\t1\n", name, cpus);
	kit_put(path, text);
}

START_TEST(cpus)
{
	kit_ask(sw_check_cpus, SW_HEALTH_SKIP, "slurmd is not running");
	kit_put("sys/devices/system/cpu/online", "0-7\n");
	put_process("900", "slurmd", "-D", "0-7");
	kit_ask(sw_check_cpus, SW_HEALTH_SKIP, "slurmd uses CPUs 0-7");
	/* A user's recorder is not the node's. */
	put_process("800", "stepwell-record", "--foreground", "3");
	kit_ask(sw_check_cpus, SW_HEALTH_SKIP, "recorder is not running");
	put_process("950", "stepwell-record", "--node", "0-7");
	kit_ask(sw_check_cpus, SW_HEALTH_OK, "slurmd may use all CPUs, none "
		"is reserved; the recorder uses 0-7");
	put_process("950", "stepwell-record", "--node", "6-7");
	kit_ask(sw_check_cpus, SW_HEALTH_OK, "the recorder uses 6-7");
	put_process("900", "slurmd", "-D", "0,4");
	kit_ask(sw_check_cpus, SW_HEALTH_WARN, "slurmd is confined to CPUs 0,4, "
		"the recorder to 6-7");
	kit_fix("systemctl restart slurmd");
	kit_put("usr/lib/systemd/system/stepwell-recorder.socket", "");
	kit_ask(sw_check_cpus, SW_HEALTH_WARN, "slurmd is confined to");
	kit_fix("systemctl restart stepwell-recorder.service");
	put_process("950", "stepwell-record", "--node", "0,4");
	kit_ask(sw_check_cpus, SW_HEALTH_OK, "confined to CPUs 0,4, as slurmd");
	kit_remove("sys/devices/system/cpu/online");
	kit_ask(sw_check_cpus, SW_HEALTH_SKIP, "cannot be read");
	/* An invalid status has no CPUs. */
	kit_put("proc/900/status", "Cpus_allowed_list:\t$(reboot)\n");
	kit_ask(sw_check_cpus, SW_HEALTH_SKIP, "slurmd is not running");
}
END_TEST

/* An image of a node has no kernel: no check of it may be OK. */
START_TEST(kernel_of_an_image)
{
	sw_check_f *const checks[] = {
		sw_check_cgroup, sw_check_controllers, sw_check_pressure,
		sw_check_perf, sw_check_bpf, sw_check_causes, sw_check_exits,
	};
	size_t i;

	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		kit_ask(checks[i], SW_HEALTH_SKIP, "run it on the running node");
}
END_TEST

START_TEST(cgroup)
{
	mount_cgroup2("/sys/fs/cgroup");
	kit_ask(sw_check_cgroup, SW_HEALTH_OK, "cgroup v2 at /sys/fs/cgroup");
	kit_put("proc/self/mounts",
		"cgroup2 /srv/root/sys/fs/cgroup cgroup2 rw 0 0\n"
		"cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"
		"cgroup2 /srv/other/sys/fs/cgroup cgroup2 rw 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_OK, "cgroup v2 at /sys/fs/cgroup");
	mount_cgroup2("/sys/fs/cgroup/unified");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN,
		"at /sys/fs/cgroup/unified, where");
	kit_put("proc/self/mounts",
		"cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"
		"cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN, "beside v1");
	kit_put("proc/self/mounts",
		"cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN,
		"cgroup v1: memory of a step is read from it");
	kit_ask(sw_check_controllers, SW_HEALTH_OK, "memory of cgroup v1");
	kit_put("proc/self/mounts",
		"cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"
		"cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n"
		"cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN, "cgroup v1, with v2 at "
		"/sys/fs/cgroup/unified: memory and CPU time of a step are");
	kit_ask(sw_check_controllers, SW_HEALTH_OK,
		"memory and cpuacct of cgroup v1");
	kit_put("proc/self/mounts",
		"cgroup /sys/fs/cgroup/cpuacct cgroup rw,cpuacct 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN, "CPU time of a step is");
	kit_ask(sw_check_controllers, SW_HEALTH_WARN, "v1 has no \"memory\"");
	kit_put("proc/self/mounts",
		"cgroup /sys/fs/cgroup/pids cgroup rw,pids 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN, "only cgroup v1");
	kit_put("proc/self/mounts", "proc /proc proc rw 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN, "no cgroup file system");
}
END_TEST

START_TEST(controllers)
{
	mount_cgroup2("/sys/fs/cgroup");
	kit_ask(sw_check_controllers, SW_HEALTH_WARN, "no cgroup v2");
	kit_put("sys/fs/cgroup/cgroup.controllers",
		"cpuset cpu io memory hugetlb pids\n");
	kit_ask(sw_check_controllers, SW_HEALTH_WARN, "no memory.peak");
	kit_put("sys/fs/cgroup/system.slice/memory.peak", "1\n");
	kit_ask(sw_check_controllers, SW_HEALTH_OK, "cpu, memory and io");
	/* slurmd has created its scope, which decides. */
	kit_put(SCOPE "cgroup.controllers", "cpuset cpu memory pids\n");
	kit_ask(sw_check_controllers, SW_HEALTH_OK, "scope/cgroup.controllers");
	/* No step has run yet. */
	kit_put(SCOPE "cgroup.subtree_control", "\n");
	kit_ask(sw_check_controllers, SW_HEALTH_OK, "scope/cgroup.controllers");
	kit_put(SCOPE "cgroup.subtree_control", "cpuset cpu memory\n");
	kit_ask(sw_check_controllers, SW_HEALTH_OK, "without \"io\"");
	/* "cpuset" is not "cpu". */
	kit_put(SCOPE "cgroup.subtree_control", "cpuset memory\n");
	kit_ask(sw_check_controllers, SW_HEALTH_WARN, "no \"cpu\"");
	kit_put(SCOPE "cgroup.subtree_control", "cpu\n");
	kit_ask(sw_check_controllers, SW_HEALTH_WARN, "no \"memory\"");
	/* The scope is where cgroup.conf puts it, since 25.11. */
	kit_put("etc/slurm/slurm.conf", "ClusterName=t\n");
	kit_put("etc/slurm/cgroup.conf", "CgroupSlice=hpc.slice # ours\n");
	kit_ask(sw_check_controllers, SW_HEALTH_OK, "/sys/fs/cgroup/cgroup.");
	kit_put("sys/fs/cgroup/hpc.slice/n1_slurmstepd.scope/"
		"cgroup.subtree_control",
		"cpu\n");
	kit_ask(sw_check_controllers, SW_HEALTH_WARN, "hpc.slice/n1_slurm");
}
END_TEST

/*
 * Nodes as booted by RHEL 8 and 9 (test/fixtures/rhel/README): the doctor's
 * text on each backend, and its fix.
 */
START_TEST(rhel)
{
	/* 8 by default: only v1, without PSI. */
	kit_put("proc/self/mounts",
		"tmpfs /sys/fs/cgroup tmpfs ro,mode=755 0 0\n"
		"cgroup /sys/fs/cgroup/systemd cgroup rw,name=systemd 0 0\n"
		"cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"
		"cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n"
		"cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_WARN, "cgroup v1: memory and CPU "
		"time of a step are read from it; the pressure of a step is "
		"not available; "
		"boot with \"systemd.unified_cgroup_hierarchy=1");
	kit_ask(sw_check_controllers, SW_HEALTH_OK,
		"memory and cpuacct of cgroup v1");
	kit_ask(sw_check_pressure, SW_HEALTH_WARN, "boot with \"psi=1\"");
	/* 8.6 or 9.0 with v2, and a step of Slurm. */
	mount_cgroup2("/sys/fs/cgroup");
	kit_put(SCOPE "cgroup.subtree_control", "cpuset cpu memory\n");
	kit_ask(sw_check_cgroup, SW_HEALTH_OK, "cgroup v2");
	kit_ask(sw_check_controllers, SW_HEALTH_WARN, "RHEL 8.10 or 9.3");
	kit_ask(sw_check_pressure, SW_HEALTH_WARN, "boot with \"psi=1\"");
	/* 9.3 and later. */
	kit_put("sys/fs/cgroup/system.slice/memory.peak", "5603328\n");
	kit_ask(sw_check_controllers, SW_HEALTH_OK, "without \"io\"");
}
END_TEST

START_TEST(pressure)
{
	mount_cgroup2("/sys/fs/cgroup");
	kit_ask(sw_check_pressure, SW_HEALTH_WARN, "psi=1");
	kit_put("proc/pressure/cpu", "some avg10=0.00 total=1\n");
	kit_ask(sw_check_pressure, SW_HEALTH_OK, "can be read");
}
END_TEST

START_TEST(perf)
{
	static const char file[] = "proc/sys/kernel/perf_event_paranoid";

	mount_cgroup2("/sys/fs/cgroup");
	kit_ask(sw_check_perf, SW_HEALTH_WARN, "no perf events");
	kit_put(file, "2\n");
	kit_ask(sw_check_perf, SW_HEALTH_OK, "no hardware counters");
	kit_folder("sys/bus/event_source/devices/cpu", 0755);
	kit_ask(sw_check_perf, SW_HEALTH_OK, "counters are available");
	kit_put(file, "-1\n");
	kit_ask(sw_check_perf, SW_HEALTH_OK, "paranoid=-1");
	kit_put(file, "3\n");
	kit_ask(sw_check_perf, SW_HEALTH_WARN, "paranoid=3");
	kit_fix("echo kernel.perf_event_paranoid=2 "
		">/etc/sysctl.d/90-stepwell.conf; "
		"sysctl -p /etc/sysctl.d/90-stepwell.conf");
}
END_TEST

START_TEST(bpf)
{
	mount_cgroup2("/sys/fs/cgroup");
	kit.is_root = true;
	kit.probes.try_bpf = probe_bpf;
	kit_ask(sw_check_bpf, SW_HEALTH_WARN, "CONFIG_DEBUG_INFO_BTF");
	kit_put("sys/kernel/btf/vmlinux", "BTF");
	bpf_errno = 0;
	kit_ask(sw_check_bpf, SW_HEALTH_OK, "can be loaded");
	bpf_errno = EPERM;
	kit_ask(sw_check_bpf, SW_HEALTH_WARN, "Operation not permitted");
	kit_put("sys/kernel/security/lockdown",
		"[none] integrity confidentiality\n");
	bpf_errno = 0;
	kit_ask(sw_check_bpf, SW_HEALTH_OK, "can be loaded");
	kit_put("sys/kernel/security/lockdown",
		"none integrity [confidentiality]\n");
	kit_ask(sw_check_bpf, SW_HEALTH_WARN, "lockdown");
	kit_remove("sys/kernel/security");
	kit.is_root = false;
	kit_ask(sw_check_bpf, SW_HEALTH_SKIP, "only root");
}
END_TEST

static const char *failed_calls; /* as the recorder says; NULL: no answer */
static int failed_errno;	/* of no answer */

static int run_recorder(const char *const *argv, char *line, size_t size)
{
	ck_assert_str_eq(argv[2], "--failed-calls");
	errno = failed_errno;
	if (failed_calls)
		snprintf(line, size, "%s", failed_calls);
	return failed_calls ? 0 : -1;
}

START_TEST(causes)
{
	kit_ask(sw_check_causes, SW_HEALTH_SKIP, "no /proc");
	mount_cgroup2("/sys/fs/cgroup");
	kit.is_root = true;
	kit_ask(sw_check_causes, SW_HEALTH_SKIP, "only root");
	kit.probes.run = run_recorder;
	failed_calls = NULL;
	failed_errno = ENOENT;
	kit_ask(sw_check_causes, SW_HEALTH_SKIP, "did not run: whether");
	failed_errno = ETIMEDOUT;
	kit_ask(sw_check_causes, SW_HEALTH_SKIP, "took too long to answer");
	failed_calls = "functions";
	kit_ask(sw_check_causes, SW_HEALTH_OK, "is recorded");
	failed_calls = "connections: no fexit hooks: Operation not permitted";
	kit_ask(sw_check_causes, SW_HEALTH_WARN, "no fexit hooks: Operation not "
		"permitted: the file or call that made a program fail is not "
		"recorded, but for failed connections");
	failed_calls = "none: bpf: no BTF";
	kit_ask(sw_check_causes, SW_HEALTH_WARN, "bpf: no BTF: the file");
}
END_TEST

static const char *exits_reason;	/* "": events are received */

static bool probe_exits(struct sw_error *why)
{
	sw_error_set(why, "%s", exits_reason);
	return !exits_reason[0];
}

START_TEST(exits)
{
	kit_ask(sw_check_exits, SW_HEALTH_SKIP, "no /proc");
	mount_cgroup2("/sys/fs/cgroup");
	kit_ask(sw_check_exits, SW_HEALTH_SKIP, "running node");
	kit.probes.try_exits = probe_exits;
	exits_reason = "";
	kit_ask(sw_check_exits, SW_HEALTH_OK, "receive");
	exits_reason = "exit events need root before Linux 6.6";
	kit_ask(sw_check_exits, SW_HEALTH_WARN, "before Linux 6.6");
}
END_TEST

/* On this machine a negative answer has a reason. */
START_TEST(exits_live)
{
	struct sw_error why;
	bool are_told = sw_probes_live.try_exits(&why);

	ck_assert(are_told == !why.text[0]);
}
END_TEST

static const char *told;	/* answer of the recorder; NULL: absent */

static int tell(const char *const *argv, char *line, size_t size)
{
	ck_assert_str_eq(argv[2], "--presets");
	errno = ENOENT;
	if (!told)
		return -1;
	snprintf(line, size, "%s", told);
	return 0;
}

START_TEST(papi)
{
	kit_ask(sw_check_papi, SW_HEALTH_SKIP, "not installed");
	kit_put("usr/lib/x86_64-linux-gnu/libpapi.so.7.0.0.0", "");
	kit_ask(sw_check_papi, SW_HEALTH_OK, "/usr/lib/x86_64-linux-gnu/libp");
	kit.probes.run = tell;
	kit_ask(sw_check_papi, SW_HEALTH_OK, "/usr/lib/x86_64-linux-gnu/libp");
	told = "PAPI 7.0.0: 53 presets for this processor, 41 count here; not "
	       "PAPI_CA_SNP: No such device";
	kit_ask(sw_check_papi, SW_HEALTH_OK, "41 count here; not PAPI_CA_SNP");
	told = "stepwell was built without libpapi";
	kit_ask(sw_check_papi, SW_HEALTH_SKIP, "without libpapi; counters by");
}
END_TEST

START_TEST(gpus)
{
	kit_ask(sw_check_gpus, SW_HEALTH_SKIP, "no compute GPU");
	/* The console's own card is not for computing. */
	kit_put("sys/bus/pci/devices/0000:00:02.0/class", "0x030000\n");
	kit_put("sys/bus/pci/devices/0000:00:02.0/vendor", "0x1234\n");
	kit_ask(sw_check_gpus, SW_HEALTH_SKIP, "no compute GPU");
	kit_put("sys/bus/pci/devices/0000:83:00.0/class", "0x120000\n");
	kit_put("sys/bus/pci/devices/0000:83:00.0/vendor", "0x1002\n");
	kit_ask(sw_check_gpus, SW_HEALTH_WARN, "1 AMD cards");
	kit_put("dev/kfd", "");
	kit_ask(sw_check_gpus, SW_HEALTH_OK, "AMD");
	kit_put("sys/bus/pci/devices/0000:65:00.0/class", "0x030200\n");
	kit_put("sys/bus/pci/devices/0000:65:00.0/vendor", "0x10de\n");
	kit_ask(sw_check_gpus, SW_HEALTH_WARN, "driver is not loaded");
	kit_put("dev/nvidia0", "");
	kit_put("dev/nvidia1", "");
	kit_put("dev/nvidiactl", "");
	kit_ask(sw_check_gpus, SW_HEALTH_WARN, "libnvidia-ml.so.1");
	kit_put("usr/lib64/libnvidia-ml.so.1", "");
	kit_ask(sw_check_gpus, SW_HEALTH_OK, "2 NVIDIA GPUs");
}
END_TEST

int main(void)
{
	TCase *tests = kit_case("kernel");

	tcase_add_test(tests, cpus);
	tcase_add_test(tests, kernel_of_an_image);
	tcase_add_test(tests, cgroup);
	tcase_add_test(tests, controllers);
	tcase_add_test(tests, rhel);
	tcase_add_test(tests, pressure);
	tcase_add_test(tests, perf);
	tcase_add_test(tests, bpf);
	tcase_add_test(tests, causes);
	tcase_add_test(tests, exits);
	tcase_add_test(tests, exits_live);
	tcase_add_test(tests, papi);
	tcase_add_test(tests, gpus);
	return kit_run(tests);
}
