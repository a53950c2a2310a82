# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Unusual steps and jobs: heterogeneous, overlapping, interactive, very short,
# with many tasks, suspended, requeued.
# timeout: 2700
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 41

mib=$((1 << 20))
export PATH=/opt/workloads:$PATH

check 'the plugin and the recorders are there' set_up_recording

# A heterogeneous job: two components with a step over both and one of each.
write_script /home/alice/het.sh <<'JOB'
#!/bin/bash
#SBATCH --time=5 --ntasks=1 --mem=100
#SBATCH hetjob
#SBATCH --ntasks=2 --nodes=1 --mem=150
srun --het-group=0,1 w_hold 20 1 1
srun --het-group=1 w_hold 40 1 1
exit 5
JOB
het=$(sbatch_wait alice -o het.out het.sh)
second=$((het + 1))
wait_for 60 is_job_over "$second"
read_job alice "$het" 1 "$het+0"
read_job alice "$second" 1 "$het+1"
for job in "$het" "$second"; do
	is "$(cells "$(profiles_of alice "$job")" identity job_id het_job_id \
		het_component)" "$job $het $((job - het))" \
		"component $((job - het)): its numbers"
	is "$(of_job "$job" 'r["job"]["id"], r["job"]["job_id"]')" \
		"('$het+$((job - het))', $job)" 'and its name'
done
is "$(of_job "$het" '"node_count" in step("batch") and
	(step("batch")["tasks"], step("batch")["node_count"])')" '(1, 1)' \
	'a script is one task on one node'
is "$(of_job "$het" 'ids()')" 'batch 0' 'the first has the script and a step'
is "$(of_job "$second" 'ids()')" '0 1' 'the second has its part, and its own'
is "$(of_job "$het" '[t["rank"] for t in tasks("0")],
	step("batch")["exit_code"]')" '([0], 5)' 'the first has the first rank'
# SPANK provides ranks within the component, but not their offset.
is "$(of_job "$second" 'sorted(t["rank"] for t in tasks("0")),
	sorted(t["rank"] for t in tasks("1"))')" '([0, 1], [0, 1])' \
	'the second counts its tasks by itself'
is_between "$(of_job "$second" 'task("1", 0)["memory"]["peak_bytes"]')" \
	$((40 * mib)) $((48 * mib)) 'with the memory of its tasks'

# Concurrent steps on the same processors.
write_script /home/alice/overlap.sh <<'JOB'
#!/bin/bash
#SBATCH --time=5 --ntasks=1 --mem=200
srun --overlap w_hold 30 1 6 &
srun --overlap w_cpu 1 1 &
wait
JOB
job=$(sbatch_wait alice -o overlap.out overlap.sh)
read_job alice "$job" 1
is "$(of_job "$job" 'ids(), len(r["tasks"])')" "('batch 0 1', 3)" \
	'steps that overlap: each is there'
holding=$(of_job "$job" 'next(s["id"] for s in r["steps"][1:]
	if s["memory"]["peak_bytes"] > 30 << 20)')
burning=$((1 - holding))
is_between "$(of_job "$job" \
	"task('$holding', 0)['memory']['peak_bytes']")" $((30 * mib)) \
	$((38 * mib)) 'one has the memory'
is_between "$(of_job "$job" "task('$burning', 0)['memory']['peak_bytes']")" \
	1 $((8 * mib)) 'and the other has not'
is_between "$(of_job "$job" \
	"round(1e6 * task('$burning', 0)['cpu']['used_core_seconds'])")" \
	1000000 2500000 'but the processor time'
is "$(of_job "$job" "step('$holding')['start'] < step('$burning')['start'] +
	step('$burning')['elapsed_seconds'] and step('$burning')['start'] <
	step('$holding')['start'] + step('$holding')['elapsed_seconds']")" \
	True 'at the same time'

# A loop of short steps.
count=${short_steps:-200}
begin=$SECONDS
write_script /home/alice/loop.sh <<JOB
#!/bin/bash
#SBATCH --time=30 --ntasks=2 --nodes=1 --mem=100
for half in 1 2; do
	for ((i = 0; i < $((count / 2)); i++)); do
		srun --exact -n1 --mem=40 sleep 0.01
	done &
done
wait
JOB
job=$(sbatch_seconds=1500 sbatch_wait alice -o loop.out loop.sh)
diag "$count steps in $((SECONDS - begin)) s"
read_job alice "$job" 1
is "$(of_job "$job" 'len(r["steps"]), len(r["tasks"])')" \
	"($((count + 1)), $((count + 1)))" "$count steps of 10 ms: all are there"
is "$(of_job "$job" 'sorted(int(s["id"]) for s in r["steps"][1:]) ==
	list(range(len(r["steps"]) - 1))')" True 'each once'
is "$(of_job "$job" '{(t["exit_code"], t["cgroup"], t["final_source"],
	t["rank"], t["cpu"]["used_core_seconds"] > 0,
	t["memory"]["peak_bytes"] > 0) for t in r["tasks"]}')" \
	"{(0, 'task', 'hook', 0, True, True)}" \
	'with its end, processor time and peak'
is "$(of_job "$job" 'program("sleep")["count"], program("sleep")["is_complete"],
	program("sleep")["exited_ok"]')" "($count, True, $count)" \
	'and its program'
is "$(of_job "$job" '{s["is_armed"] for s in r["steps"]}')" '{True}' \
	'all were armed'

# Many tasks on one node.
as_user alice srun -N1 -n64 --overcommit --mem=600 sh -c \
	'sleep 3; exit $((SLURM_PROCID % 5))' 2>/dev/null
is $? 4 'a step of 64 tasks on one node'
job=$(newest_job)
read_job alice "$job" 1
is "$(of_job "$job" 'ids(), step("0")["tasks"], len(r["tasks"])')" \
	"('0', 64, 64)" 'all are there'
is "$(of_job "$job" 'sorted((t["rank"], t["exit_code"]) for t in tasks("0"))
	== [(i, i % 5) for i in range(64)]')" True 'each with its end'
is "$(of_job "$job" 'len({t["pid"] for t in tasks("0")}),
	{t["final_source"] for t in tasks("0")},
	{t["cpu"]["used_core_seconds"] > 0 for t in tasks("0")}')" \
	"(64, {'hook'}, {True})" 'its process and its processor time'
is "$(of_job "$job" 'step("0")["is_armed"]')" True 'it was armed'
is "$(of_job "$job" 'program("sleep")["count"]')" 64 'and 64 programs counted'

# A suspended job.  The controller reports it before the node is notified.
is_stopped()
{
	on_node n1 'ps -C w_cpu -o stat= | grep -q ^T'
}
write_script /home/alice/slow.sh <<'JOB'
#!/bin/bash
#SBATCH --time=5 --ntasks=1 --mem=100
srun w_cpu 16 1
exit 6
JOB
job=$(as_user alice sbatch --parsable -w n1 -o slow.out slow.sh)
wait_for 60 on_node n1 'pgrep -x w_cpu'
scontrol suspend "$job"
is "$(job_field "$job" JobState)" SUSPENDED 'a job is suspended'
check 'and its program is stopped' wait_for 30 is_stopped
sleep 12
scontrol resume "$job"
wait_for 60 is_job_over "$job"
read_job alice "$job" 1
is "$(of_job "$job" 'ids(), step("batch")["exit_code"],
	step("0")["exit_code"], task("0", 0)["final_source"]')" \
	"('batch 0', 6, 0, 'hook')" 'and goes on: its steps and their ends'
is_between "$(of_job "$job" 'round(step("0")["elapsed_seconds"])')" 28 80 \
	'it stood still for 12 of its seconds'
is_between "$(of_job "$job" \
	'round(1e6 * program("w_cpu")["used_core_seconds"])')" 16000000 21000000 \
	'and used its 16 s of processor time'

# A requeued job.
write_script /home/alice/again.sh <<'JOB'
#!/bin/bash
#SBATCH --requeue --time=5 --ntasks=1 --mem=100
if [ -z "$SLURM_RESTART_COUNT" ]; then
	srun w_hold 20 1 100
else
	srun w_hold 40 1 1
	exit 7
fi
JOB
job=$(as_user alice sbatch --parsable -w n1 -o again.out again.sh)
wait_for 60 on_node n1 'pgrep -x w_hold'
sleep 3
scontrol requeue "$job"
is_second_over()
{
	[ "$(job_field "$job" Restarts)" = 1 ] &&
		[ "$(job_field "$job" JobState)" = FAILED ]
}
# The controller delays it for two minutes.
wait_for 300 is_second_over
read_job alice "$job" 2
is "$(profiles_of alice "$job" | wc -l)" 2 'a requeued job: both runs'
is "$(of_job "$job" 'ids(), step("batch")["exit_code"], len(r["tasks"])')" \
	"('batch 0', 7, 2)" 'its report is of the second'
is_between "$(of_job "$job" 'task("0", 0)["memory"]["peak_bytes"]')" \
	$((40 * mib)) $((48 * mib)) 'with its memory'
stepwell report --json "$(profiles_of alice "$job" | head -n 1)" \
	>"$CASE_OUT/first.json"
is "$(of_job first 'ids(), task("0", 0)["signal"] in (9, 15)')" \
	"('batch 0', True)" 'the first ends where it was stopped'
is_between "$(of_job first 'task("0", 0)["memory"]["peak_bytes"]')" \
	$((20 * mib)) $((28 * mib)) 'with the memory that it had'

# A step at a terminal.
on_nodes "echo 'LaunchParameters=use_interactive_step' >/etc/slurm/local.conf"
scontrol reconfigure
sleep 2
printf 'w_hold 20 1 1\nexit 5\n' |
	as_user alice timeout $((60 * PATIENCE)) script -qec \
	'salloc -n1 --mem=100 -t 5' /dev/null >"$CASE_OUT/said" 2>&1
job=$(newest_job)
read_job alice "$job" 1
is "$(of_job "$job" 'ids(), step("interactive")["exit_code"],
	program("w_hold")["count"] > 0')" "('interactive', 5, True)" \
	'an interactive step'
as_user alice timeout $((60 * PATIENCE)) script -qec \
	'salloc -n1 --mem=100 -t 5 srun --pty w_hold 30 1 1' /dev/null \
	>>"$CASE_OUT/said" 2>&1
job=$(newest_job)
read_job alice "$job" 1
is "$(of_job "$job" 'ids(), step("0")["exit_code"]')" "('0', 0)" \
	'a step at a terminal of salloc'
is_between "$(of_job "$job" 'task("0", 0)["memory"]["peak_bytes"]')" \
	$((30 * mib)) $((38 * mib)) 'with its memory'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
