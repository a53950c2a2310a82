# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of every kind with the plugin: each step, task and node is in a profile,
# with the right id, end, CPU time and memory.
# timeout: 900
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 60

mib=$((1 << 20))
# A task reports its own cgroup's counters just before its exit.
export PATH=/opt/workloads:$PATH
cat >/home/alice/last_words <<'TEXT'
#!/bin/bash
# last_words STATUS COMMAND...: run it, print the task's own counters, exit.
status=$1
shift
"$@" >&2
top=/sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)
while read -r key value; do
	[ "$key" != usage_usec ] || usage=$value
done <"$top/cpu.stat"
read -r peak <"$top/memory.peak"
echo "task $SLURM_STEP_ID $SLURM_PROCID $(hostname) $usage $peak $status"
exit "$status"
TEXT
chmod 755 /home/alice/last_words

# as_said JOB FILE: each task matches its report: node, exit code, and a CPU
# time and a peak that are no smaller and hardly larger.
as_said()
{
	local word step rank node usage peak status id

	while read -r word step rank node usage peak status; do
		[ "$word" = task ] || continue
		id=$1.$step.$rank
		is "$(of_job "$1" "[task('$step', $rank)[k]
			for k in ('node', 'exit_code', 'cgroup',
				  'final_source')]")" \
			"['$node', $status, 'task', 'hook']" \
			"task $id: its node and its end"
		# The exit of the shell follows the report, and takes long where
		# emulated processors wait for real ones.
		is_between "$(of_job "$1" \
			"round(1e6 * task('$step', $rank)['cpu']['used_core_seconds'])")" \
			"$usage" $((usage * 8 / 5 + 400000)) \
			"task $id: its processor time, $usage us and its end"
		is_between "$(of_job "$1" \
			"task('$step', $rank)['memory']['peak_bytes']")" \
			"$peak" $((peak + mib)) "task $id: its peak, $peak"
	done <"$2"
}

check 'the plugin and the recorders are there' set_up_recording

# A job with steps: two nodes of two tasks, and one task on the second.
write_script /home/alice/steps.sh <<'JOB'
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --mem=300 --time=5
srun ./last_words 0 w_hold 40 1 2
srun -N1 -n1 -r1 ./last_words 4 w_cpu 2 1
exit 3
JOB
job=$(sbatch_wait alice -o steps.out steps.sh)
read_job alice "$job" 2
is "$(of_job "$job" 'ids()')" 'batch 0 1' 'a job: its script and its steps'
is "$(of_job "$job" '[r["job"][k] for k in ("node_count", "nodes_recorded",
	"job_id", "cluster", "uid", "exit_code")]')" \
	"[2, 2, $job, 'test', 1000, 3]" 'its nodes, its number, its user, its end'
is "$(of_job "$job" '[(s["tasks"], s["node_count"], s["nodes_recorded"],
	s["exit_code"]) for s in r["steps"][1:]]')" \
	'[(4, 2, 2, 0), (1, 1, 1, 4)]' 'each step: tasks, nodes and end'
is "$(of_job "$job" '[s["is_armed"] for s in r["steps"]]')" \
	'[True, True, True]' 'all were armed before they executed'
is "$(of_job "$job" 'r["recording"]["programs_source"],
	r["recording"]["backend"]')" "('bpf', 'cgroup.v2')" \
	'by the best sources'
is "$(of_job "$job" '[(t["count"], t["is_complete"]) for t in
	(program("w_hold"), program("w_cpu"))]')" '[(8, True), (1, True)]' \
	'each program was counted'
as_said "$job" /home/alice/steps.out
for rank in 0 1 2 3; do
	is_between "$(of_job "$job" "task('0', $rank)['memory']['peak_bytes']")" \
		$((40 * mib)) $((48 * mib)) \
		"task $job.0.$rank: the peak is what w_hold holds"
done
is_between "$(of_job "$job" 'step("0")["memory"]["need_bytes"]')" \
	$((80 * mib)) $((96 * mib)) 'the step needs on a node what both hold'
is_between "$(of_job "$job" \
	'round(1e6 * program("w_cpu")["used_core_seconds"])')" \
	2000000 3200000 'w_cpu used its 2 s'
is "$(profiles_of alice "$job" | xargs -n 1 basename |
	sed "s/^test\.$job\.[0-9]*\.//" | sort | paste -sd' ')" \
	'n1.stepwell n2.stepwell' 'one profile of each node'

# srun alone.
as_user alice srun -N2 --ntasks-per-node=2 --mem=100 ./last_words 0 true \
	>/home/alice/srun.out 2>&1
is "$(grep -c ^task /home/alice/srun.out)" 4 'srun without a script'
job=$(newest_job)
read_job alice "$job" 2
is "$(of_job "$job" 'ids(), step("0")["tasks"], step("0")["exit_code"]')" \
	"('0', 4, 0)" 'is one step'
as_said "$job" /home/alice/srun.out

# Threads that exit just before their program does, on one processor.
as_user alice srun -n1 --mem=100 sh -c \
	'for i in 1 2 3 4 5 6; do w_cpu 0.8 1; done'
job=$(newest_job)
read_job alice "$job" 1
is "$(of_job "$job" 'program("w_cpu")["count"]')" 6 'six programs with a thread'
is_between "$(of_job "$job" \
	'round(1e6 * program("w_cpu")["used_core_seconds"])')" 4800000 8000000 \
	'have the processor time of their threads'

# Tasks that are killed.
as_user alice srun -n1 --mem=100 sh -c 'kill -SEGV $$' 2>/dev/null
job=$(newest_job)
read_job alice "$job" 1
is "$(of_job "$job" 'task("0", 0)["signal"]')" 11 \
	"a task's signal"

# An array.
write_script /home/alice/array.sh <<'JOB'
#!/bin/bash
#SBATCH --array=3,7 --ntasks=1 --mem=100 --time=5
srun ./last_words "$SLURM_ARRAY_TASK_ID" w_hold $((10 * SLURM_ARRAY_TASK_ID)) 1 1
exit 0
JOB
array=$(sbatch_wait alice -o 'array-%a.out' array.sh)
wait_for 60 is_job_over "$array"
for element in 3 7; do
	job=$(job_field "${array}_$element" JobId)
	wait_for 60 is_job_over "$job"
	read_job alice "$job" 1 "${array}_$element"
	file=$(profiles_of alice "$job")
	is "$(cells "$file" identity job_id array_job_id array_task_id)" \
		"$job $array $element" "array element $element: its numbers"
	is "$(of_job "$job" 'ids()')" 'batch 0' 'and its steps'
	as_said "$job" /home/alice/array-$element.out
	is_between "$(of_job "$job" 'task("0", 0)["memory"]["peak_bytes"]')" \
		$((10 * element * mib)) $((10 * element * mib + 8 * mib)) \
		"array element $element: its memory and not the other's"
	is "$(of_job "$job" 'r["job"]["job_id"], r["job"]["id"]')" \
		"($job, '${array}_$element')" "is found as ${array}_$element"
done

finish
