#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Steps whose slurmstepd is in a pid namespace, as Slurm's namespace/linux starts
# it since 25.11 (CLONE_NEWPID): what it sends has other numbers than the node's.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
own_run

nested=(unshare --pid --fork --mount-proc --kill-child)
if ! "${nested[@]}" true 2>/dev/null; then
	echo "skip: no pid namespace can be made here"
	exit 77
fi
mkdir -m 3773 "$profiles"
mkdir "$work/slurm"
export SLURM_CONF=$work/slurm/slurm.conf
echo 'ProctrackType=proctrack/cgroup' >"$SLURM_CONF"
echo "optional stepwell.so socket=$run/socket" >"$work/slurm/plugstack.conf"
outside=$host
host=("${nested[@]}" "$outside")

# hooks: print the doctor's text
hooks()
{
	"$stepwell" doctor --json | python3 -c '
import json, sys
print(*[check["text"] for check in json.load(sys.stdin)["checks"]
        if check["id"] == "hooks"])'
}

# names FILE: list its programs
names()
{
	column "$1" programs name | sort -u | paste -sd' '
}

# pids FILE: list its tasks, each once
pids()
{
	column "$1" tasks pid | sort -un
}

# is_recorded WHAT FILE: two tasks from start to end
is_recorded()
{
	is "$1: armed, each task began and ended" "1 4" \
		"$(column "$2" steps is_armed) $(column "$2" tasks task | wc -l)"
	is "$1: with its status, told by the hook" "3 hook" \
		"$(column "$2" summary exit_code) $(
		column "$2" summary final_source)"
	is "$1: the tasks have the node's numbers" "2 yes" \
		"$(pids "$2" | wc -l) $([ "$(pids "$2" | head -n 1)" -gt \
			"$before" ] && echo yes)"
	is "$1: their programs are seen" "sh sleep" "$(names "$2")"
}

# Larger than all pids of a new namespace.
before=$(sh -c 'echo $$')
[ "$before" -gt 300 ] || before=300
start_recorder
play --item S_JOB_ID=801 --tasks 2 -- sh -c 'sleep 0.5; exit 3'
is_recorded "a namespace" "$(of_job 801)"
play --slurm 25.11 --ignore-version --contain --item S_JOB_ID=802 --tasks 2 -- \
	sh -c 'sleep 0.5; exit 3'
is_recorded "hooks in a child" "$(of_job 802)"
play --item S_JOB_ID=803 --step extern -- true
await delivered 803
is "the extern step" "1 0" "$(column "$(of_job 803)" steps is_armed) $(
	column "$(of_job 803)" summary exit_code)"
is "the doctor finds nothing" "" "$(hooks | grep 'not find')"

### a recorder that is killed and restarted
(play --item S_JOB_ID=804 --tasks 2 -- sh -c "$(until_there 804); exit 3") &
job=$!
await has_step 804
stop_recorder KILL
start_recorder
touch "$work/turns/804"
wait $job
await has_end 804
file=$(of_job 804)
is "a restart: one step, gone on with" "1 3 hook" \
	"$(column "$file" steps step | wc -l) $(
	column "$file" summary exit_code) $(column "$file" summary final_source)"
is "a restart: samples behind it" yes "$([ "$(column "$file" series.proc \
	time_usec | awk -v gap="$(events "$file" gap time_usec | tail -n 1)" \
	'$1 > gap' | wc -l)" -gt 0 ] && echo yes)"

### the end in the drop file, when the sender cannot be queried
(play --item S_JOB_ID=805 --tasks 2 -- sh -c "$(until_there 805); exit 3") &
job=$!
await has_step 805
stop_recorder KILL
touch "$work/turns/805"
wait $job
start_recorder
await has_end 805
file=$(of_job 805)
is "an end that was dropped is this step's" "1 3 drop" \
	"$(column "$file" steps step | wc -l) $(
	column "$file" summary exit_code) $(column "$file" summary final_source)"

### pids that cannot be translated
stop_recorder
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${nested[*]}" "$recorder" \
	>"$work/nested"
chmod +x "$work/nested"
recorder=$work/nested
host=("$outside")
start_recorder
play --item S_JOB_ID=806 --tasks 2 -- sh -c 'exit 3'
file=$(of_job 806)
is "a recorder that cannot see the step has its end" "0 3" \
	"$(column "$file" steps is_armed) $(column "$file" summary exit_code)"
is "and the report says why" 1 "$("$stepwell" report "$file" | tr -s ' \n' ' ' |
	grep -c "the step's slurmstepd was not found, as in a pid namespace \
that is not below the recorder's: only the step's end is recorded")"
has_counted()
{
	grep -qx "stepds_unknown 1" "$run/counts"
}
await has_counted
is "so does the doctor" yes "$(hooks | grep -q "1 of 1 steps have a slurmstepd \
that the recorder does not find, as in a pid namespace" && echo yes)"
tally
