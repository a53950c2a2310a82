# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs whose slurmstepd is in a pid namespace (namespace/linux with
# CLONE_NEWPID, Slurm 25.11 and later): the plugin sends pids of that namespace,
# and the steps are recorded like all others.
# timeout: 600
# Scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 11

mib=$((1 << 20))
if ! ls /usr/lib/*/slurm*/namespace_linux.so >/dev/null 2>&1; then
	for _ in $(seq 11); do
		skip 'this Slurm has no namespace/linux' 'pid namespaces'
	done
	finish
	exit
fi
on_nodes 'printf "%s\n" NamespaceType=namespace/linux PrologFlags=Contain \
		>>/etc/slurm/local.conf
	printf "%s\n" "defaults:" "  auto_base_path: true" \
		"  base_path: /var/lib/slurm/namespaces" \
		"  clone_ns_flags: CLONE_NEWPID" >/etc/slurm/namespace.yaml'
systemctl restart slurmctld
check 'the plugin and the recorders are there' set_up_recording

write_script /home/alice/namespace.sh <<'JOB'
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --mem=300 --time=5
readlink /proc/self/ns/pid
echo "pid $$"
srun w_hold 40 1 4
srun -N1 -n1 w_cpu 4 1
exit 3
JOB
job=$(sbatch_wait alice -o namespace.out namespace.sh)
read_job alice "$job" 2
check 'the script is in a pid namespace of its own' \
	test "$(sed -n 's/^pid://p' /home/alice/namespace.out)" != \
	"$(readlink /proc/self/ns/pid | sed 's/^pid://')"
is_between "$(sed -n 's/^pid \([0-9]*\)$/\1/p' /home/alice/namespace.out)" 1 99 \
	'  where it has a small number'
is "$(of_job "$job" '[s for s in ids().split() if s != "extern"]')" \
	"['batch', '0', '1']" '  the job and its steps'
is "$(of_job "$job" 'r["recording"]["backend"], r["job"]["exit_code"]')" \
	"('cgroup.v2', 3)" '  are read from their cgroups, and its end is known'
is "$(of_job "$job" '[(s["is_armed"], s["exit_code"]) for s in r["steps"]
	if s["id"] != "extern"]')" "[(True, 3), (True, 0), (True, 0)]" \
	'  from before they executed to their ends'
is "$(of_job "$job" '[(t["count"], t["is_complete"]) for t in
	(program("w_hold"), program("w_cpu"))]')" '[(8, True), (1, True)]' \
	'  each program was counted'
is "$(of_job "$job" 'sorted((t["rank"], t["node"], t["exit_code"]) for t in
	tasks("0"))')" \
	"[(0, 'n1', 0), (1, 'n1', 0), (2, 'n2', 0), (3, 'n2', 0)]" \
	'  each task has its node and its end'
is_between "$(of_job "$job" 'step("0")["memory"]["need_bytes"]')" $((80 * mib)) \
	$((96 * mib)) '  the step needs on a node what both tasks hold'
is_between "$(of_job "$job" \
	'round(1e6 * step("1")["cpu"]["used_core_seconds"])')" 4000000 6400000 \
	'  the step on one node used its 4 s'
check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
