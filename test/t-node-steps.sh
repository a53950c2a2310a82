#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Steps and tasks as recorded by the node recorder with the fake host:
# information from Slurm, and actions of users.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

# inputs ID: print input_bytes of the job and of each step from a report
inputs()
{
	"$stepwell" report --json "$(of_job "$1")" | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(*[of["input_bytes"] for of in [report["job"]] + report["steps"]])'
}

# in_history: print "step bytes" of job 145, the job itself first
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

### GPUs, in a step's environment from slurmstepd
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

### data of a job that Slurm provides only at the end of a task
# restarts ID: print those of the batch step, and of the report
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
# sbatch in a requeued job's script passes its environment on.
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

### the job's time limit, which newer releases pass to tasks
# limit ID: print those of its steps, and of the report
limit()
{
	local file

	await delivered "$1"
	# The file in the spool is removed meanwhile.
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

### the input size, as stated by the user
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
# An array's elements, and the script's own step: its value is the job's.
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

### many steps, periods, and jobs that are not recorded
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
		$(column "$file" summary lost_samples)))
play --item S_JOB_ID=15 --option stepwell=off --contexts allocator,remote -- true
is "--stepwell=off: nothing" "" "$(of_job 15)"
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
is "and has what the job requested" 4 "$(column "$(of_job 20)" steps \
	job_task_count)"

play --item S_JOB_ID=24 --step 0 -- true	# without a name of its cluster
play --item S_JOB_ID=24 --step 1 --env SLURM_CLUSTER_NAME=small -- true
is "the cluster's name is slurm.conf's" \
	"1 small" "$(find "$spool" -name '*.24.*.part' | wc -l) $(
		of_identity 24 cluster)"
play --item S_JOB_ID=24 --step 2 --env SLURM_CLUSTER_NAME=other -- true
is "whatever a job's environment says" "1 small" \
	"$(find "$spool" -name '*.24.*.part' | wc -l) $(
		of_identity 24 cluster)"
stop_recorder
tally
