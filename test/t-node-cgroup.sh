#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The node recorder and the cgroups of steps, in each naming scheme of Slurm and
# in unknown ones: which are read, and how the others are reported.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

tree=/sys/fs/cgroup/unified
[ -d $tree ] || tree=/sys/fs/cgroup
mine=$tree/t-node-cgroup-$$
if ! mkdir $mine 2>/dev/null || [ ! -e $mine/cgroup.procs ]; then
	echo "skip: no cgroup v2 can be made here"
	exit 77
fi
# Remove the folders of a job from the lowest up.
trap 'stop_recorder KILL; clean; find $mine -depth -type d -exec rmdir {} \;' EXIT

mkdir -m 3773 "$profiles"
mkdir "$work/slurm"
export SLURM_CONF=$work/slurm/slurm.conf
echo 'ProctrackType=proctrack/cgroup' >"$SLURM_CONF"
echo "optional stepwell.so socket=$run/socket" >"$work/slurm/plugstack.conf"
start_recorder

# step JOB OPTION...: run a step that lasts for two samples
step()
{
	local job=$1

	shift
	play --item "S_JOB_ID=$job" --cgroup "$mine" --ignore-version "$@" -- \
		sh -c 'sleep 0.5; :'
	await has_end "$job"
}

# backend JOB: print it without the part that depends on the tree's controllers
backend()
{
	column "$(of_job "$1")" steps backend | sed 's/\.base$//'
}

# has_values FILE SOURCE COLUMN: print "yes" if any was read
has_values()
{
	column "$1" "series.$2" "$3" | grep -q '^[0-9]' && echo yes
}

# tracking: print the doctor's text
tracking()
{
	"$stepwell" doctor --json | python3 -c '
import json, sys
print(*[check["text"] for check in json.load(sys.stdin)["checks"]
        if check["id"] == "tracking"])'
}

# has_counted NUMBER: this many steps had an unknown cgroup
has_counted()
{
	grep -qx "cgroups_unknown $1" "$run/counts"
}

### Slurm's names
step 701 --slurm 22.05
step 702 --slurm 26.05
step 703 --slurm 26.05 --job-folder job_703
step 704 --slurm 26.05 --job-folder a.slice/a-b.slice/s08Q3ZJM0KCR00
for job in 701 702 703 704; do
	file=$(of_job $job)
	is "$job: read, and armed" "cgroup.v2 1" \
		"$(backend $job) $(column "$file" steps is_armed)"
	is "$job: its CPU time, and its job's, are the cgroups'" "yes yes" "$(
		has_values "$file" cpu usage_usec) $(
		has_values "$file" job_cpu job.usage_usec)"
done
has_counted 0
is "none of these is unknown" 0 $?

### a recorder that is killed and restarted
(play --item S_JOB_ID=705 --cgroup "$mine" --ignore-version --slurm 26.05 -- \
	sh -c "$(until_there 705)") &
job=$!
await has_step 705
stop_recorder KILL
start_recorder
touch "$work/turns/705"
wait $job
await has_end 705
file=$(of_job 705)
gap=$(events "$file" gap time_usec | tail -n 1)
is "a SLUID's step goes on to be read" yes "$([ "$(
	column "$file" series.cpu time_usec |
	awk -v gap="$gap" '$1 > gap' | wc -l)" -gt 0 ] && echo yes)"

### unknown names
uuid=0190a5b4-7c1e-7abc-8def-0123456789ab
step 711 --job-folder x/y_711
step 712 --job-folder $uuid
step 713 --job-folder job_712
step 714 --slurm 26.05 --job-folder s0000000000000
step 715 --task-folder rank
for job in 711 712 713 714 715; do
	is "$job: its processes are followed" "process.tree 1" \
		"$(backend $job) $(column "$(of_job $job)" steps is_armed)"
	"$stepwell" report "$(of_job $job)" | tr -s ' \n' ' ' \
		>"$work/report"
	is "$job: the report says why" 1 "$(grep -cE "through process.tree \
\(the step's cgroup is not understood: /[^ ]*/step_0/user[^ ]* is neither \
\.\.\./job_$job/step_N nor \.\.\./SLUID/step_N\)" "$work/report")"
done
is "with the path" 1 \
	"$(grep -c "/job_715/step_0/user/rank_0 is neither" "$work/report")"
await has_counted 5
is "the doctor says so, too, of its form" yes "$(tracking | grep -q "^5 of \
[0-9]* steps since the recorder started were in cgroups like \
/[^ ]*/job_N/step_N/user/rank_N, which is neither" && echo yes)"
is "so does the log, once of each form" 5 \
	"$(grep -c 'cgroups that are not understood' "$work/log")"
is "and names no job in the file that all may read" 0 \
	"$(grep -cE '(^|[^0-9])71[1-5]([^0-9]|$)' "$run/counts")"

### no cgroup
play --item S_JOB_ID=721 -- true
is "no cgroup is no unknown one" \
	"process.tree the step's tasks are not in a cgroup of Slurm" \
	"$(backend 721) $(column "$(of_job 721)" steps backend_reason)"
has_counted 5
is "which is not counted" 0 $?
tally
