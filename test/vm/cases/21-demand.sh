# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A run that was slowed down is not advised to request less: under a quota, on a
# crowded node, bound to one CPU.  A run that wanted no more is.
# as: root alice
# timeout: 600
# Most scripts in here are for the shell of the command:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"

# is_not_blamed WHAT
is_not_blamed()
{
	is "$status" 0 "$1: the command runs"
	is "$(finding cpu.over_allocated 'f["sentence"]')" None \
		"$1: fewer CPUs are not advised"
	diag "$1: demand $(query 's["cpu"].get("demand_peak_cores")')," \
		"waited $(query 's["cpu"].get("run_queue_wait_seconds")') s" \
		"of $(of_truth waited_usec) us," \
		"throttled $(query 's["cpu"].get("throttled_seconds")') s"
}

run_options=(--cpus 4)
record quota bash -c '
	own=/sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)
	echo "30000 100000" >"$own/cpu.max" && w_cpu 3 4 --truth "$1"' \
	bash "$truth"
is_not_blamed 'four threads under a quota'
matches "$(finding cpu.throttled 'f["sentence"]')" 'quota' \
	'four threads under a quota: the quota is named'

record_options=(--property CPUQuota=30%)
record above w_cpu 3 4 --truth "$truth"
is_not_blamed 'four threads under a quota above'
record_options=()

record bound w_cpu 8 4 --on 0 --truth "$truth"
is_not_blamed 'four threads bound to one CPU'

# Neighbours that use all CPUs, each in a cgroup of its own.
run_options=(--cpus 2)
neighbours=()
for _ in $(seq 12); do
	w_cpu 100000 1 &
	neighbours+=($!)
done
record crowd w_cpu 6 2 --truth "$truth"
kill "${neighbours[@]}"
wait
is_not_blamed 'two threads beside twelve'

run_options=(--cpus 4)
record alone w_cpu 8 1 --truth "$truth"
is "$status" 0 'one thread alone: the command runs'
matches "$(finding cpu.over_allocated 'f["sentence"]')" 'CPU' \
	'one thread alone: three of its four CPUs were never used'
diag "$(finding cpu.over_allocated 'f["sentence"]')"
finish
