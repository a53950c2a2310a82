# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory that ran out, and memory that was not needed: the job's own output
# reports what Slurm reports late or not at all.
# timeout: 480
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

mib=1048576

plan 19
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording

# run_job TASKS MIB COMMAND...: run a step of TASKS in MIB of memory, in a
# script that succeeds; the report at its end goes to $said.
run_job()
{
	local tasks=$1 memory=$2
	shift 2

	write_script /home/alice/job.sh <<JOB
#!/bin/bash
#SBATCH --nodes=1 --nodelist=n1 --ntasks=$tasks --mem=$memory --time=5
PATH=/opt/workloads:\$PATH
srun $*
exit 0
JOB
	job=$(sbatch_wait alice job.sh)
	said=$(grep '^stepwell:' "slurm-$job.out")
}

# oom FINDING WHO: reported for step 0 on n1, with program, time, limit and
# peak.
oom()
{
	matches "$said" "^stepwell: $1 in step 0 on n1: Out of memory: the kernel killed [0-9]+ process(es)? \($2\) [0-9.]+ s into the run, at its limit of 100 MiB, at a peak of (9[0-9]|100)(\.[0-9])? MiB" \
		'  with step, task, program, time, limit and peak'
	is "$(of_job "$job" "[f['id'] for f in r['findings']
		if f['id'].startswith('oom.')]")" "['$1']" '  and once'
}

# A child of the only task.
run_job 1 100 w_oom 300 --child --pace-ms 10
is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" COMPLETED:0:0 \
	'a child is killed: to Slurm all is well'
matches "$said" 'Killed by the OOM killer, yet exit status 0' '  the job is told'
read_job alice "$job" 1
oom oom.silent w_oom

# Another task has already succeeded.
write_script /home/alice/second.sh <<'TASK'
#!/bin/bash
[ "$SLURM_PROCID" = 1 ] || exit 0
sleep 3
exec w_oom 300 "$@" --pace-ms 10
TASK
run_job 2 100 ./second.sh --child
is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" COMPLETED:0:0 \
	'a child of the second task, when the first is over: all is well'
read_job alice "$job" 1
oom oom.silent 'w_oom, task 1'
is "$(of_job "$job" '[t["memory"]["oom_kills"] for t in tasks("0")]')" \
	'[0, 1]' '  and is known to be that task'

run_job 2 100 ./second.sh
is "$(job_field "$job" JobState | grep -c 'COMPLETED\|OUT_OF_MEMORY')" 1 \
	'the second task itself, when the first is over'
read_job alice "$job" 1
oom oom.killed 'w_oom, task 1'
is "$(of_job "$job" '[(t["rank"], t.get("signal")) for t in tasks("0")]')" \
	'[(0, None), (1, 9)]' '  and each task ended as it did'

# It reads five times its limit, and holds a fifth of it.  Not in /tmp, which is
# in memory on Debian 13.
run_job 1 100 "sh -c 'w_hold 20 1 12 & w_read /var/tmp/large 2 --create 500; wait'"
rm -f /var/tmp/large
is "$(job_field "$job" JobState)" COMPLETED 'a reader of five times its limit'
read_job alice "$job" 1
is_between "$(of_job "$job" 'step("0")["memory"]["peak_bytes"]')" \
	$((90 * mib)) $((101 * mib)) '  its cgroup was full of page cache'
is_between "$(of_job "$job" 'step("0")["memory"]["need_bytes"]')" \
	$((20 * mib)) $((32 * mib)) '  its need is what it held'
is "$(of_job "$job" '[f["id"] for f in r["findings"]
	if f["id"] in ("memory.near_limit", "oom.killed", "oom.silent")]')" '[]' \
	'  and no finding says that it had too little'
matches "$said" 'memory: needed [23][0-9](\.[0-9])? MiB' '  the job is told so'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
