#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The node's recorder and the plugin, in the fake host: what is recorded, who
# gets it, and what is left when either of them is killed.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
if [ "$(id -u)" -ne 0 ]; then
	echo "skip: only root can be the recorder of a node"
	exit 77
fi

. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

# delivered ID: its profile is where its user has it, and in the spool no more
delivered()
{
	[ -n "$(find "$profiles" -name "*.$1.*.stepwell")" ] &&
		[ -z "$(find "$spool" -name "*.$1.*.stepwell")" ]
}

# pairs FILE TABLE COLUMN COLUMN: "a:b" of each row, sorted
pairs()
{
	paste -d: <(column "$1" "$2" "$3") <(column "$1" "$2" "$4") | sort |
		paste -sd' '
}

# inputs ID: input_bytes of the job and of each step, as a report has them
inputs()
{
	"$stepwell" report --json "$(of_job "$1")" | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(*[of["input_bytes"] for of in [report["job"]] + report["steps"]])'
}

# in_history: "step bytes" of job 145, the job itself first
in_history()
{
	python3 - "$STEPWELL_HISTORY" <<'PYTHON'
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "SELECT step, input_bytes FROM runs WHERE job = 145 ORDER BY step")
print(", ".join(f"{step} {size}" for step, size in rows))
PYTHON
}

mkdir -m 3773 "$profiles"
printf '#ClusterName=none\n include more.conf # ours\n' >"$work/slurm.conf"
printf ' clustername = Small # in lower case\n' >"$work/more.conf"
start_recorder
is "the recorder answers" 0 $?
is "a second one gives way" 1 "$("$recorder" --node --socket "$run/socket" \
	--spool "$spool" --off-file "$work/off" >/dev/null 2>&1; echo $?)"

### what it may do, without a unit
# rights NAME FIELD: of the recorder's processes of that name
rights()
{
	local pid

	for pid in $(cat "$work/pid") $(pgrep -P "$(cat "$work/pid")"); do
		[ "$(cat "/proc/$pid/comm")" = "$1" ] &&
			awk -v field="$2:" '$1 == field { print $2 }' \
				"/proc/$pid/status"
	done
}
if [ "$(cat /proc/sys/kernel/cap_last_cap)" -ge 39 ] &&
   [ "$(awk '$1 == "CapEff:" { print $2 }' /proc/self/status)" \> \
	000000c0 ]; then
	# As recorder/kernel/rights.c has them.
	is "the recorder gives up what it does not need" \
		"000000c0008811ef 000000c0008811ef 1" \
		"$(for field in CapEff CapBnd NoNewPrivs; do
			rights stepwell-record $field
		done | paste -sd' ')"
	is "who delivers has what becoming a user takes" \
		"00000000000001eb 00000000000001eb 1" \
		"$(for field in CapEff CapBnd NoNewPrivs; do
			rights stepwell-delive $field
		done | paste -sd' ')"
	for child in stepwell-sums stepwell-helper; do
		[ -n "$(rights $child CapEff)" ] || continue
		is "$child has nothing" \
			"0000000000000000 0000000000000000 1" \
			"$(for field in CapEff CapBnd NoNewPrivs; do
				rights $child $field
			done | paste -sd' ')"
	done
else
	echo "ok - skip: an old kernel, or few capabilities here"
fi

### steps and tasks
play --item S_JOB_ID=11 --steps 2 --tasks 3 -- sh -c 'sleep 0.3; true; exit 3'
file=$(of_job 11)
is "two steps, no violation" 0 $rc
is "each step is there" "0 1" "$(column "$file" steps step_id | sort | paste -sd' ')"
is "armed before its tasks executed" "1 1" \
	"$(column "$file" steps is_armed | paste -sd' ')"
is "each task began and ended" 12 "$(column "$file" tasks task | wc -l)"
is "with its status" "768" "$(column "$file" tasks wait_status | grep -v -- - |
	sort -u | paste -sd' ')"
is "so did the steps" "3 3" "$(column "$file" summary exit_code | paste -sd' ')"
is "told by the hook" hook "$(column "$file" summary final_source | sort -u)"
source=$(column "$file" steps programs_source | sort -u)
if [ "$source" = bpf ]; then
	# rows are cumulative; the largest count of a program counts
	for key in 0 1; do
		is "programs of step $key, by $source" "sh:3 sleep:3 " "$(
			paste <(column "$file" programs step) \
			      <(column "$file" programs name) \
			      <(column "$file" programs ended) |
			awk -v key=$key '$1 == key && $3 > n[$2] { n[$2] = $3 }
				END { for (p in n) print p ":" n[p] }' |
			sort | tr '\n' ' ')"
	done
	is "all of them were seen" 1 \
		"$(column "$file" programs is_complete | sort -u)"
else
	echo "ok - skip: programs by $source"
fi
play --item S_JOB_ID=12 --tasks 2 -- sh -c 'kill -KILL $$'
is "a task that is killed" "9 9" "$(column "$(of_job 12)" tasks wait_status |
	grep -v -- - | paste -sd' ')"

### GPUs, as slurmstepd tells a step
gpus="--env SLURM_GPUS_ON_NODE=2 --env SLURM_JOB_GPUS=0,3"
# shellcheck disable=SC2086 # words on purpose
play --item S_JOB_ID=151 $gpus --env SLURM_STEP_GPUS=3 \
	--env SLURM_GPUS_ON_NODE=1 -- true
is "a step's GPUs" "1 3" "$(column "$(of_job 151)" steps gpu_count) $(
	column "$(of_job 151)" steps gpu_list)"
play --item S_JOB_ID=152 --env SLURM_GPUS_ON_NODE=2 \
	--env SLURM_STEP_GPUS=MIG-1,MIG-2 -- true
is "parts of GPUs are counted" "2 -" "$(column "$(of_job 152)" steps gpu_count) $(
	column "$(of_job 152)" steps gpu_list)"
# shellcheck disable=SC2086
play --item S_JOB_ID=151 --step batch $gpus -- true
await delivered 151
is "the script is told all of the job's" "2 allocated by Slurm" "$(
	"$stepwell" report "$(of_job 151)" | sed -n 's/^  GPUs *//p')"
is "of each step its own" "2 1 2" "$("$stepwell" report --json \
	"$(of_job 151)" | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(*[of["allocated_gpus"] for of in report["nodes"] + report["steps"][::-1]])')"

### what Slurm says of a job only at a task's end
# restarts ID: of the batch step, and in the report
restarts()
{
	await delivered "$1"
	echo "$(column "$(of_job "$1")" summary restart_count | tail -n 1)" \
		"$("$stepwell" report --json "$(of_job "$1")" |
			sed -n 's/.*"restart_count": *\([0-9]*\).*/\1/p')"
}
play --item S_JOB_ID=161 -- true
play --item S_JOB_ID=161 --step batch --env exit:SLURM_RESTART_COUNT=2 \
	--env exit:SLURM_JOB_SLUID=s08Q3ZJM0KCR00 -- true
is "a requeued job's restarts" "2 2" "$(restarts 161)"
is "and its SLUID" "- s08Q3ZJM0KCR00" \
	"$(column "$(of_job 161)" summary sluid | paste -sd' ')"
play --item S_JOB_ID=162 --step batch -- true
is "one that was not requeued" "0 0" "$(restarts 162)"
# sbatch in a requeued job's script hands its environment on.
play --item S_JOB_ID=163 --step batch --env SLURM_RESTART_COUNT=1 -- true
is "what was inherited is no count" "- " "$(restarts 163)"
play --item S_JOB_ID=164 --step batch --env SLURM_RESTART_COUNT=1 \
	--env exit:SLURM_RESTART_COUNT=3 -- true
is "unless Slurm has another" "3 3" "$(restarts 164)"
for sluid in s08Q3ZJM0KCR0 s08Q3ZJM0KCR000 s08Q3ZJM0KCR0! x08Q3ZJM0KCR00; do
	play --item S_JOB_ID=165 --env "exit:SLURM_JOB_SLUID=$sluid" -- true
done
is "what is no SLUID is none" - "$(column "$(of_job 165)" summary sluid |
	sort -u)"

### the job's time limit, which newer releases tell a task of
# limit ID: of its steps, and in the report
limit()
{
	local file

	await delivered "$1"
	# That of the spool goes away meanwhile.
	file=$(find "$profiles" -name "*.$1.*.stepwell")
	echo "$(column "$file" summary requested_time_usec |
		paste -sd' ')" "$("$stepwell" report --json "$file" |
		sed -n 's/.*"requested_seconds": *\([0-9.]*\).*/\1/p')"
}
play --item S_JOB_ID=171 --step batch \
	--env exit:SLURM_JOB_START_TIME=1780000000 \
	--env exit:SLURM_JOB_END_TIME=1780000090 -- true
is "a job's time limit" "90000000 90.000000" "$(limit 171)"
play --item S_JOB_ID=172 --step batch \
	--env SLURM_JOB_START_TIME=1780000000 \
	--env SLURM_JOB_END_TIME=1780000090 \
	--env exit:SLURM_JOB_START_TIME=1780000000 \
	--env exit:SLURM_JOB_END_TIME=1811536000 -- true
is "none is no limit" "- " "$(limit 172)"
play --item S_JOB_ID=173 --step batch \
	--env exit:SLURM_JOB_START_TIME=1780000090 \
	--env exit:SLURM_JOB_END_TIME=1780000000 -- true
is "an end before the start is none" "- " "$(limit 173)"
play --item S_JOB_ID=174 --step batch -- true
is "releases that do not tell" "- " "$(limit 174)"

### the input's size, as its user says
play --item S_JOB_ID=141 --env STEPWELL_INPUT_BYTES=123456789012 -- true
is "a step's input" 123456789012 "$(column "$(of_job 141)" steps input_bytes)"
play --item S_JOB_ID=142 --env STEPWELL_INPUT_BYTES=1.5G -- true
is "with a suffix" 1610612736 "$(column "$(of_job 142)" steps input_bytes)"
play --item S_JOB_ID=143 -- true
is "not said is not known" "- -" "$(column "$(of_job 143)" steps input_bytes) $(
	column "$(of_job 143)" steps input_reason)"
for value in '' 0 12X "$(printf '1%.0s' $(seq 200))"; do
	play --item S_JOB_ID=144 --env "STEPWELL_INPUT_BYTES=$value" -- true
	is "'${value:0:20}' harms no job" "0 0" \
		"$rc $(column "$(of_job 144)" summary exit_code | tail -n 1)"
done
is "none of these is used" "-" \
	"$(column "$(of_job 144)" steps input_bytes | sort -u)"
is "which the report says, once" 1 "$("$stepwell" report "$(of_job 144)" |
	tr -s '\n ' '  ' | grep -o 'STEPWELL_INPUT_BYTES is not a positive number' | wc -l)"
# An array's elements, and the script's own step: what it says is the job's.
play --item S_JOB_ID=145 --env STEPWELL_INPUT_BYTES=3M -- true
play --item S_JOB_ID=145 --step 1 --env STEPWELL_INPUT_BYTES=5M -- true
is "of several steps the largest is the job's" "5242880 3145728 5242880" \
	"$(inputs 145)"
play --item S_JOB_ID=145 --step batch --env STEPWELL_INPUT_BYTES=4M -- true
await delivered 145
is "unless it was said at submission" "4194304 4194304 3145728 5242880" \
	"$(inputs 145)"
export STEPWELL_HISTORY=$work/history.sqlite STEPWELL_CONF=$work/sums.yaml
echo "summaries_dir: $summaries" >"$STEPWELL_CONF"
is "and the history has all of it" " 4194304.0, 0 3145728.0, 1 5242880.0, \
batch 4194304.0" "$("$stepwell" import "$(of_job 145)" >"$work/imported" 2>&1
	in_history)"
stop_recorder
rm -f "$STEPWELL_HISTORY"
is "so has it by way of the summaries" " 4194304.0, 0 3145728.0, 1 5242880.0, \
batch 4194304.0" "$("$stepwell" import "$summaries" >"$work/imported" 2>&1
	in_history)"
unset STEPWELL_HISTORY STEPWELL_CONF
start_recorder

play --item S_JOB_ID=13 --step 5 --rounds 20 -- true
is "20 steps of milliseconds" 20 "$(column "$(of_job 13)" summary step | wc -l)"
is "in one file" 1 "$(find "$spool" -name '*.13.*.part' | wc -l)"
from=$(date +%s%N)
play --item S_JOB_ID=14 --option stepwell=1ms --contexts allocator,remote -- \
	sleep 0.2
file=$(of_job 14)
between "a period of 1 ms is clamped to 10: rows, and those that came too late" \
	10 $((($(date +%s%N) - from) / 10000000 + 3)) \
	$(($(column "$file" series.proc time_usec | wc -l) +
		$(column "$file" summary lost_ticks)))
play --item S_JOB_ID=15 --option stepwell=off --contexts allocator,remote -- true
is "--stepwell=off: nothing" "" "$(of_job 15)"
rm -r "$spool"
play --item S_JOB_ID=28 -- true
is "a deleted spool is made again" "700 0" \
	"$(stat -c %a "$spool") $(column "$(of_job 28)" summary exit_code)"
await delivered 28
is "  and its profiles are delivered" 0 $?
play --item S_JOB_ID=26 --step batch --rounds 5 -- true
# One that is delivered is in the spool as well, until that has been told.
await sh -c "[ \$(find '$profiles' -name '*.26.*.stepwell' | wc -l) -ge 5 ] &&
	[ -z \"\$(find '$spool' -name '*.26.*')\" ]"
is "a job that ends five times within a second: five profiles" 5 \
	"$(find "$profiles" "$spool" -name '*.26.*.stepwell' | wc -l)"

play --item S_JOB_ID=16 --option stepwell=off --contexts allocator,remote \
	--export-none --step batch -- true
is "also with --export=NONE" "" "$(of_job 16)"
of_identity()	# JOB COLUMN...: in one line
{
	local file

	file=$(of_job "$1")
	shift
	for name in "$@"; do
		column "$file" identity "$name"
	done | paste -sd' '
}
groups="--env SLURM_JOB_ID_HET_GROUP_0=17 --env SLURM_JOB_ID_HET_GROUP_1=18"
# Words:
# shellcheck disable=SC2086
play --item S_JOB_ID=17 $groups -- true
is "the first component of a heterogeneous job" "17 17 0" \
	"$(of_identity 17 job_id het_job_id het_component)"
# shellcheck disable=SC2086
play --item S_JOB_ID=18 $groups -- true
is "the second" "18 17 1" "$(of_identity 18 job_id het_job_id het_component)"
is "its step has Slurm's number" 0 "$(column "$(of_job 18)" steps step_id)"
# shellcheck disable=SC2086
play --item S_JOB_ID=19 $groups -- true
is "a job submitted from inside one is none" "19 - -" \
	"$(of_identity 19 job_id het_job_id het_component)"
play --item S_JOB_ID=20 --step batch --item S_JOB_NNODES=0 \
	--item S_JOB_TOTAL_TASK_COUNT=4 --env SLURM_JOB_NUM_NODES=2 -- true
await delivered 20
is "a script of a job of two nodes" 2 "$(of_identity 20 node_count)"
is "is a step of one task on one" "1 1" "$(column "$(of_job 20)" steps \
	node_count) $(column "$(of_job 20)" steps task_count)"

play --item S_JOB_ID=24 --step 0 -- true	# without a name of its cluster
play --item S_JOB_ID=24 --step 1 --env SLURM_CLUSTER_NAME=small -- true
is "the cluster's name is slurm.conf's" \
	"1 small" "$(find "$spool" -name '*.24.*.part' | wc -l) $(
		of_identity 24 cluster)"
play --item S_JOB_ID=24 --step 2 --env SLURM_CLUSTER_NAME=other -- true
is "whatever a job's environment says" "1 small" \
	"$(find "$spool" -name '*.24.*.part' | wc -l) $(
		of_identity 24 cluster)"

### who gets it
play --item S_JOB_ID=21 --step batch -- true
await delivered 21
is "a job that has ended is its user's" "$user 640" \
	"$(stat -c '%u %a' "$(of_job 21)")"
is "in a folder of his" "$user 2750" "$(stat -c '%u %a' "$profiles/$user")"
is "and not in the spool any more" "" "$(find "$spool" -name '*.21.*')"
"$stepwell" verify "$(of_job 21)" >/dev/null
is "whole" 0 $?
mv "$profiles/$user" "$profiles/aside"
mkdir -m 777 "$work/trap"
ln -s "$work/trap" "$profiles/$user"
play --item S_JOB_ID=22 --step batch -- true
await delivered 22
is "a link is not followed" "" "$(find "$work/trap" -type f)"
is "he has a folder of another name" "$user 2750 1" "$(
	stat -c '%u %a' "$profiles/$user.1") $(
	find "$profiles/$user.1" -name '*.22.*' | wc -l)"
rm -r "$profiles/$user" "$profiles/$user.1"
mkdir -m 777 "$profiles/$user"	# root's, not his
play --item S_JOB_ID=23 --step batch -- true
await delivered 23
is "nor is another's folder used" "0 1" "$(
	find "$profiles/$user" -type f | wc -l) $(
	find "$profiles/$user.1" -name '*.23.*' | wc -l)"
rm -r "$profiles/$user" "$profiles/$user.1"
mv "$profiles/aside" "$profiles/$user"
# Where the folder of all is not there nothing can be delivered.
mv "$profiles" "$work/elsewhere"
play --item S_JOB_ID=29 --step batch -- true
await sh -c "find '$spool' -name '*.29.*.stepwell' | grep -q ."
is "what cannot be delivered is kept" 1 \
	"$(find "$spool" -name '*.29.*.stepwell' | wc -l)"
mv "$work/elsewhere" "$profiles"
stop_recorder
start_recorder
await delivered 29
is "after a restart it is tried again" 0 $?

### the evidence that no user can change
evidence()	# TABLE COLUMN: of today's file, which may not be finished
{
	column "$(find "$summaries" -name '*.stepwell*' ! -name '*.tail')" \
		"$1" "$2"
}
play --item S_JOB_ID=27 --tasks 2 --step 9 -- sh -c 'exit 7'
play --item S_JOB_ID=27 --step batch -- true
await delivered 27
rows=$(paste <(evidence step_summaries job_id) \
	<(evidence step_summaries step_id) <(evidence step_summaries uid) \
	<(evidence step_summaries wait_status) | grep ^27 | sort | paste -sd' ')
is "each step has a row" "$(printf '27\t9\t%s\t1792 27\tbatch\t%s\t0' \
	$user $user)" "$rows"
is "its file is neither root's nor the user's" "$keeper 600" \
	"$(stat -c '%u %a' "$(find "$summaries" -name '*.part')")"
digest=$(paste <(evidence profiles job_id) <(evidence profiles digest) |
	awk '$1 == 27 { print $2 }')
is "and the profile its digest" 32 ${#digest}
printf x >>"$(of_job 27)"
is "which a user who changes his profile cannot" "1 $digest" "$(setpriv \
	--reuid $user --regid $user --clear-groups ls "$summaries" \
	>/dev/null 2>&1 && echo 0 || echo 1) $(paste \
	<(evidence profiles job_id) <(evidence profiles digest) |
	awk '$1 == 27 { print $2 }')"

### the report at the job's end
report_in()	# NAME ARGUMENT...: how many lines of it are a report's
{
	local name=$1
	shift
	mkdir -p "$work/home"
	: >"$work/home/$name"
	play --step batch --job-output "$work/home/$name" "$@" -- \
		sh -c 'sleep 0.2; echo mine'
	grep -c '^stepwell: ' "$work/home/$name"
}
check_reports()
{
	is "in Slurm's default file: within 12 lines" yes "$(
		lines=$(report_in slurm-31.out --item S_JOB_ID=31)
		[ "$lines" -ge 2 ] && [ "$lines" -le 12 ] && echo yes)"
	is "it misses nothing of what has ended" 0 "$(
		grep -c 'end of the file\|no end' "$work/home/slurm-31.out")"
	is "after the job's own lines" mine "$(head -n 1 "$work/home/slurm-31.out")"
	is "there where errors have a file of their own" yes "$(
		mkdir -p "$work/home"
		: >"$work/home/errors"
		play --item S_JOB_ID=36 --step batch --job-stderr "$work/home/errors" \
			-- sleep 0.3
		[ "$(grep -c '^stepwell: ' "$work/home/errors")" -ge 2 ] && echo yes)"
	is "not in a file of another name" 0 "$(report_in my.out --item S_JOB_ID=32)"
	is "nor in that of another job" 0 "$(report_in slurm-99.out --item S_JOB_ID=33)"
	is "there with --stepwell=report" yes "$(
		[ "$(report_in my2.out --item S_JOB_ID=34 --option stepwell=report \
			--contexts allocator,remote)" -ge 2 ] && echo yes)"
	is "with --stepwell=quiet nowhere" 0 "$(report_in slurm-35.out \
		--item S_JOB_ID=35 --option stepwell=quiet --contexts allocator,remote)"
}
if is_sanitized "$stepwell"; then
	echo "ok - skip: a sanitized program reserves more memory than the" \
		"reporter may have"
else
	check_reports
fi

### killed, and gone on
# until_there NAME: a task's program that goes on until there is such a file
mkdir -m 777 "$work/turns"
until_there()
{
	echo "until [ -e $work/turns/$1 ]; do sleep 0.05; done"
}
has_step()	# JOB: its profile has one
{
	[ -n "$(column "$(of_job "$1")" steps step)" ]
}
has_end()
{
	[ -n "$(column "$(of_job "$1")" summary step)" ]
}
(play --item S_JOB_ID=41 --tasks 2 --step 7 -- sh -c \
	"$(until_there 41); exit 4") &
job=$!
await has_step 41
stop_recorder KILL
sleep 0.3
start_recorder
touch "$work/turns/41"
wait $job
await has_end 41
file=$(of_job 41)
is "killed in the middle of a step: one profile" 1 \
	"$(find "$spool" -name '*.41.*.part' | wc -l)"
is "with the step's start and end" "1 4" "$(column "$file" steps step | wc -l) $(
	column "$file" summary exit_code)"
is "and the gap" yes "$([ -n "$(events "$file" gap value)" ] && echo yes)"
(play --item S_JOB_ID=42 --step 1 -- sh -c "$(until_there 42); exit 5") &
job=$!
await has_step 42
stop_recorder KILL
touch "$work/turns/42"
wait $job
is "no recorder at the end: no violation" 0 "$rc"
start_recorder
(play --item S_JOB_ID=43 --step 1 --die-after task_post_fork -- sleep 1) &
wait $!
await delivered 43
is "slurmstepd dies: the step is lost, and said to be" lost \
	"$(column "$(of_job 43)" summary final_source)"
(play --item S_JOB_ID=44 --step 1 -- true) &
wait $!
stop_recorder
start_recorder
(play --item S_JOB_ID=44 --step 2 -- true) &
wait $!
is "a restart between two steps: they stay together" "1 2" \
	"$(column "$(of_job 44)" steps step_id | sort | paste -sd' ')"

(play --item S_JOB_ID=45 --step 3 -- sh -c "$(until_there 45)") &
job=$!
await has_step 45
stop_recorder TERM
start_recorder
touch "$work/turns/45"
wait $job
await has_end 45
is "ended by SIGTERM in a step: gone on with" "1 1 0" \
	"$(find "$spool" "$profiles" -name '*.45.*.stepwell*' ! -name '*.tail' |
	wc -l) $(column "$(of_job 45)" steps step | wc -l) $(
	column "$(of_job 45)" summary exit_code)"

# One task ended before the recorder was killed, the other behind that.
(play --item S_JOB_ID=48 --tasks 2 --step 4 -- sh -c \
	"mkdir $work/turns/first && exit 4; $(until_there 48)") &
job=$!
has_failed()
{
	column "$(of_job 48)" tasks wait_status | grep -qx 1024
}
await has_failed
stop_recorder KILL
start_recorder
touch "$work/turns/48"
wait $job
await has_end 48
is "a task that failed before the kill is not forgotten" 4 \
	"$(column "$(of_job 48)" summary exit_code)"

### who may not speak
chmod 755 "$run"
setpriv --reuid $user --regid $user --clear-groups test -w "$run/socket"
is "another user may not connect" 1 $?
python3 - "$run/socket" <<'PYTHON'
import os, random, socket, sys
random.seed(1)
for n in range(400):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(2)
    s.connect(sys.argv[1])
    data = bytearray(os.urandom(random.choice([0, 1, 15, 16, 800, 1520])))
    if n % 2 and len(data) >= 12:
        data[:12] = b"SWLL\x01\x00" + bytes([random.randrange(6), 0]) + \
            len(data).to_bytes(4, "little")
    s.send(data)
    s.close()
PYTHON
answers
is "400 messages of nonsense later it answers" 0 $?

### the end
### the CPUs that a site has set aside for slurmd
# cpus PID...: where each may run, once where all the same
cpus()
{
	for pid; do
		sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$pid/status"
	done | sort -u | paste -sd' '
}

# ping NAME CPU...: as a process of that name does that keeps to these
ping_as()
{
	python3 - "$run/socket" "$@" <<'PYTHON'
import os, socket, struct, sys
path, name, *cpus = sys.argv[1:]
with open("/proc/self/comm", "w") as comm:
    comm.write(name)
if cpus:
    os.sched_setaffinity(0, map(int, cpus))
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(5)
s.connect(path)
s.send(struct.pack("=4sHHII", b"SWLL", 1, 4, 16, 0))
s.recv(64)
PYTHON
}

mapfile -t online < <(python3 -c 'import os
print(*sorted(os.sched_getaffinity(0)), sep="\n")')
all=$(cpus $$)
if [ ${#online[@]} -ge 2 ]; then
	first=${online[0]}
	last=${online[-1]}
	is "a recorder has all CPUs" "$all" "$(cpus "$(cat "$work/pid")")"
	ping_as slurmd "$last"
	mapfile -t own < <(cat "$work/pid"; pgrep -P "$(cat "$work/pid")")
	is "and those that slurmd has, with its children" "$last" \
		"$(cpus "${own[@]}")"
	ping_as doctor "$first"
	is "nobody else's" "$last" "$(cpus "${own[@]}")"
	play --item S_JOB_ID=171 -- sleep 0.2
	is "where it records as ever" 0 "$(column "$(of_job 171)" summary \
		exit_code)"
	ping_as slurmd
	is "all, where slurmd has" "$all" "$(cpus "${own[@]}")"
	stop_recorder
	cp "$(command -v sleep)" "$work/slurmd"
	taskset -c "$first" "$work/slurmd" 600 &
	slurmd=$!
	disown
	await grep -qx slurmd "/proc/$slurmd/comm"
	echo $slurmd >"$work/slurmd.pid"
	echo "SlurmdPidFile=$work/slurmd.pid" >>"$work/slurm.conf"
	start_recorder
	is "and of a slurmd that was there before" "$first" \
		"$(cpus "$(cat "$work/pid")")"
	kill $slurmd
	stop_recorder
	echo $$ >"$work/slurmd.pid"
	mapfile -t recorder_words < <(recorder_options)
	taskset -c "$last" bash -c 'echo $$ >"$1"; shift; exec "$@"' - \
		"$work/pid" "$recorder" "${recorder_words[@]}" 2>>"$work/log" &
	disown
	await answers
	ping_as slurmd
	is "a unit's own CPUs are kept" "$last" "$(cpus "$(cat "$work/pid")")"
else
	echo "ok - skip: one CPU"
fi

is "SIGTERM ends it" 0 "$(stop_recorder; echo $?)"
is "and leaves no socket" "" "$(find "$run" -type s)"
is "and no process" "" "$(pgrep -f "$work/spool")"
start_recorder
mv "$run/socket" "$run/aside"
await gone "$(cat "$work/pid")"
is "so does the loss of its path" "" "$(pgrep -f "$work/spool")"
is "and what is there is not removed" "aside" "$(ls "$run" | grep -x aside)"
rm "$run/aside"
start_recorder
: >"$work/off"
await gone "$(cat "$work/pid")"
is "the off file ends it" "" "$(pgrep -f "$work/spool")"
is "and keeps it from starting" 0 "$("$recorder" --node --socket \
	"$run/socket" --spool "$spool" --off-file "$work/off" >/dev/null 2>&1
	echo $?)"
### more to look at than the CPU limit allows
rm "$work/off"
echo 'cpu_limit_percent: 1' >"$work/stepwell.yaml"
start_recorder
# What it takes in its first ten seconds counts as starting.
sleep 10.5
play --item S_JOB_ID=37 --step batch --option stepwell=10ms \
	--contexts allocator,remote -- \
	sh -c 'for i in $(seq 1500); do sleep 8 & done; wait'
await delivered 37
"$stepwell" report --json "$(of_job 37)" >"$work/limit.json"
is "a job that the CPU limit put off: its gaps are against its 10 ms" True \
	"$(query "$work/limit.json" "r['recording']['not_sampled_seconds'] >=
	r['recording']['not_sampled_for_cpu_limit_seconds'] > 0.5")"
is "and the report says so among its first lines" 1 "$("$stepwell" report \
	--brief "$(of_job 37)" | grep -c 'because the recorder stayed within its CPU')"
is "the recorder of the limit ends" 0 "$(stop_recorder; echo $?)"
# The cgroup has one name for all recorders of a machine.
if pgrep -x stepwell-record >/dev/null; then
	echo "skip: another recorder runs: no look for a cgroup that is left"
else
	is "no cgroup is left" "" "$(find /sys/fs/cgroup -maxdepth 3 -type d \
		-name stepwell-recorder)"
fi
tally
