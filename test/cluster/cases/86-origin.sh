# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Elements of arrays that fail: one by its input, some by their node, all since
# the program changed, one by what it requested, and one that cannot be told.
# timeout: 3600
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 9

cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording

write_script /home/alice/sample.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5 --output=/dev/null
[ ! -e "/home/alice/$SLURM_JOB_NAME.$SLURM_ARRAY_TASK_ID" ] || exit 5
[ ! -e "/tmp/$SLURM_JOB_NAME.broken" ] || exit 6
[ ! -e "/home/alice/$SLURM_JOB_NAME.broken" ] || exit 7
sleep 1
JOB

is_array_over()
{
	[ "$(squeue -h -j "$1" 2>/dev/null | wc -l)" -eq 0 ]
}
# run NAME ELEMENTS [OPTION OF sbatch]...: its id is in $array
run()
{
	local name=$1 elements=$2
	shift 2

	array=$(as_user alice sbatch --parsable -J "$name" \
		--array="$elements" "$@" /home/alice/sample.sh)
	wait_for 300 is_array_over "$array"
}
has_element()
{
	as_user alice stepwell list | grep -q "^ *${array}_$1 "
}
# origin ELEMENT: what the report of that one of $array says of its failure
origin()
{
	wait_for 60 has_element "$1"
	as_user alice stepwell import >>"$CASE_OUT/import.txt" 2>&1
	as_user alice stepwell report "${array}_$1" \
		>"$CASE_OUT/${array}_$1.txt" 2>&1
	tr -s '\n ' '  ' <"$CASE_OUT/${array}_$1.txt"
}

### one sample fails on each node, others do not
touch smp.3
run smp 1-8 -w n1
run smp 1-8 -w n2
run smp 1-8 -w n1
matches "$(origin 3)" 'run\.failure_origin.*attempts at .* its input' \
	'the same element fails on both nodes: its input'

### all fail on one node, and succeed on the other
on_node n2 'touch /tmp/nod.broken'
run nod 1-8 -w n2
failed=$array
run nod 1-8 -w n1
array=$failed
matches "$(origin 2)" 'run\.failure_origin.* its node' \
	'all elements fail on n2 and succeed on n1: its node'
matches "$(origin 2)" 'It succeeded when it was run again|another node' \
	'  and it says when to run it again'

### all fail since the program changed
run prg 1-8 -w n1
run prg 9-16 -w n2
touch prg.broken
run prg 1-8 -w n1
run prg 9-16 -w n2
matches "$(origin 12)" 'run\.failure_origin.*the program, or what changed' \
	'all fail on both nodes since a time: the program'

### out of time
write_script /home/alice/long.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=1 --output=/dev/null -J long
sleep 3600
JOB
job=$(sbatch_seconds=240 sbatch_wait alice -w n1 /home/alice/long.sh)
is "$(job_field "$job" JobState)" TIMEOUT 'one hits its time limit'
wait_for 60 has_profiles alice "$job" 1
as_user alice stepwell import >>"$CASE_OUT/import.txt" 2>&1
as_user alice stepwell report "$job" >"$CASE_OUT/long.txt" 2>&1
is "$(tr -s '\n ' '  ' <"$CASE_OUT/long.txt" |
	grep -cE ': its (input|node)|the program, or what')" 0 \
	'  of which nothing else is accused'

### too little to tell
touch few.1
run few 1-2
is "$(origin 1 | grep -cE ': its (input|node|request)|the program, or what')" 0 \
	'of two elements, one of which failed, nothing is accused'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
