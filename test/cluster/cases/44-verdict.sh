# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Slurm decides how a job ended: reports with sacct, on jobs whose exit status
# says something else, or nothing.
# timeout: 1500
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 46
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording

# start NAME OPTION...: submit a script from standard input; its id is in $job.
start()
{
	local name=$1
	shift

	write_script "/home/alice/$name.sh"
	job=$(as_user alice sbatch --parsable "$@" "$name.sh")
}

# slurms JOB: print the first word of the newest run's state; nothing before its
# end.
slurms()
{
	sacct -nXPj "$1" -o state | tail -n 1 |
		grep -E '^(COMPLETED|FAILED|TIMEOUT|CANCELLED|OUT_OF_MEMORY)' |
		cut -d' ' -f1
}

# listed JOB: print its state in "stepwell list"
listed()
{
	as_user alice stepwell list --json | python3 -c '
import json, sys
print(*[r["state"] for r in json.load(sys.stdin)["recordings"]
	if r["id"] == sys.argv[1]])' "$1"
}

# judge JOB STATE LISTED SAYS: sacct has the state, and so have report, JSON and
# list; the report's first line continues with SAYS.
judge()
{
	local first

	wait_for 120 slurms "$1"
	read_job alice "$1" 1
	is "$(slurms "$1")" "$2" "job $1: sacct says $2"
	is "$(of_job "$1" 'r["job"]["state"], r["job"]["state_source"]')" \
		"('$2', 'sacct')" '  and so does the report for programs'
	is "$(listed "$1")" "$3" '  and the list'
	first=$(as_user alice stepwell report --brief "$1" | head -n 1)
	matches "$first" "^stepwell: job $1: $4" '  and the report for people'
}

# end_says JOB SAYS: the report in the job's own output names what was recorded.
end_says()
{
	matches "$(grep -m 1 '^stepwell: job' "slurm-$1.out")" "$2" \
		'  at its end: what was seen'
}

pointer="\(for Slurm's final state: stepwell report"

# Slow jobs run on n2 meanwhile.
start late -w n2 --time=1 --mem=50 <<'JOB'
#!/bin/bash
trap 'kill $!; exit 0' TERM
sleep 600 &
wait
JOB
late=$job
start again -w n2 --time=5 --mem=50 --requeue <<'JOB'
#!/bin/bash
[ -n "$SLURM_RESTART_COUNT" ] || sleep 600
exit 7
JOB
again=$job

start chain -w n1 --time=5 --mem=100 <<'JOB'
#!/bin/bash
srun w_cpu 1 1
srun w_cpu 1 1
JOB
chain=$job
wait_for 120 is_job_over "$chain"
judge "$chain" COMPLETED ok 'Completed \(exit status 0\)'
end_says "$chain" "job $chain: Exit status 0 .*$pointer $chain\)"

start plain -w n1 --time=5 --mem=100 <<'JOB'
#!/bin/bash
exit 3
JOB
plain=$job
wait_for 120 is_job_over "$plain"
judge "$plain" FAILED failed 'Failed \(exit status 3\)'
end_says "$plain" "job $plain: Exit status 3 .*$pointer $plain\)"

start cancelled -w n1 --time=5 --mem=100 <<'JOB'
#!/bin/bash
touch /tmp/cancelled
sleep 600
JOB
cancelled=$job
wait_for 60 on_node n1 test -e /tmp/cancelled
as_user alice scancel "$cancelled"
wait_for 120 is_job_over "$cancelled"
judge "$cancelled" CANCELLED CANCELLED \
	"CANCELLED \(by uid $(id -u alice), (ended by SIG(TERM|KILL)|exit status 143)\)"

start trapped -w n1 --time=5 --mem=100 <<'JOB'
#!/bin/bash
trap 'kill $!; exit 0' TERM
touch /tmp/trapped
sleep 600 &
wait
JOB
trapped=$job
wait_for 60 on_node n1 test -e /tmp/trapped
as_user alice scancel --full "$trapped"
wait_for 120 is_job_over "$trapped"
judge "$trapped" CANCELLED CANCELLED "CANCELLED \(by uid $(id -u alice), "

# A child of the script is killed, but the script returns success.
start batch -w n1 --time=5 --mem=100 <<'JOB'
#!/bin/bash
/opt/workloads/w_oom 300 --child --pace-ms 10
exit 0
JOB
batch=$job
wait_for 120 is_job_over "$batch"
judge "$batch" OUT_OF_MEMORY OUT_OF_MEMORY \
	'OUT_OF_MEMORY \(exit status 0, [0-9]+ OOM kills?\)'
end_says "$batch" "job $batch: Out of memory \(exit status 0, [0-9]+ OOM kills?\)"
check '  the report says that Slurm shows it' \
	grep -q "Slurm's record says OUT_OF_MEMORY" "$CASE_OUT/$batch.json"
check '  and not that nothing else does' eval \
	"! grep -q 'nothing else reports it' '$CASE_OUT/$batch.json'"

# In a step: Slurm reports the job as successful, but not the step.
start step -w n1 --time=5 --mem=100 <<'JOB'
#!/bin/bash
PATH=/opt/workloads:$PATH
srun w_oom 300 --child --pace-ms 10
exit 0
JOB
step=$job
wait_for 120 is_job_over "$step"
judge "$step" COMPLETED ok 'Completed \(exit status 0\)'
of_step=$(sacct -nPj "$step.0" -o state)
is "$(of_job "$step" 'step("0")["slurm_record"]["state"]')" "$of_step" \
	"  its step has Slurm's $of_step"
# Whatever the state of the step, its user sees a job that is COMPLETED.
is "$(of_job "$step" '[f["id"] for f in r["findings"]
	if f["id"].startswith("oom.")]')" "['oom.silent']" \
	'  and the job says that all is well'
end_says "$step" "job $step: Exit status 0 .*$pointer $step\). Killed by the OOM killer"

wait_for 200 is_job_over "$late"
judge "$late" TIMEOUT TIMEOUT \
	'TIMEOUT \(limit 1 min 00 s, (exit status 0|ended by SIG(TERM|KILL))\)'
# Only newer releases pass the time limit to a job's tasks.
case $(sacct --version) in
*' 22.05'* | *' 24.11'*)
	end_says "$late" "job $late: .*$pointer $late\)"
	;;
*)
	end_says "$late" "job $late: Reached its time limit of 1 min 00 s"
	;;
esac

# The controller delays it for two minutes.
scontrol requeue "$again"
is_second_over()
{
	[ "$(job_field "$again" Restarts)" = 1 ] && is_job_over "$again"
}
wait_for 300 is_second_over
wait_for 60 has_profiles alice "$again" 2
judge "$again" FAILED failed 'Failed \(exit status 7\)'
first_run=$(profiles_of alice "$again" | head -n 1)
runs=$(sacct -nXPDj "$again" -o state | head -n 1 | cut -d' ' -f1)
is "$(as_user alice stepwell report --json "$first_run" |
	sed -n 's/^ *"state":"\([A-Z_]*\)",*$/\1/p' | head -n 1)" "$runs" \
	"  the run before it has Slurm's $runs"

# Without sacct only Slurm's own state is missing.
on_node n1 systemctl stop slurmdbd
said=$(as_user alice stepwell report "$plain" | tr -s ' \n' ' ')
matches "$said" "Exit status 3 after .*final state not known: sacct" \
	'without slurmdbd: the report says what is not known'
check '  and the list is there' eval \
	"as_user alice stepwell list | grep -q '^$plain '"
on_node n1 systemctl start slurmdbd

check 'the nodes are idle again' wait_for 60 are_nodes_idle
finish
