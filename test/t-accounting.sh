#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One record of Slurm's accounting says the same to whoever reads it: sweep,
# import with the history, suggest, report and list.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
export SACCT_FAILS='' SACCT_JOBS=$work/jobs STEPWELL_HISTORY=$work/history.sqlite
header='JobIDRaw|JobID|Cluster|UID|User|Account|Partition|QOS|State|ExitCode'
header=$header'|DerivedExitCode|Submit|Eligible|Start|End|ElapsedRaw'
header=$header'|TimelimitRaw|ReqCPUS|ReqMem|ReqTRES|AllocCPUS|AllocTRES|NNodes'
header=$header'|NTasks|NodeList|TotalCPU|MaxRSS|AveRSS|TRESUsageInTot'
header=$header'|TRESUsageOutTot|ConsumedEnergyRaw|Comment|WorkDir|JobName'
start=$((midnight + 7200))

# record FIELD=VALUE...: a line of the table; a field that is not named is as
# that of a quiet job on one node
record()
{
	awk -v header="$header" -v start="$start" 'BEGIN {
		value["Cluster"] = "c1"
		value["UID"] = 1000
		value["User"] = "alice"
		value["Account"] = "a"
		value["Partition"] = "main"
		value["QOS"] = "normal"
		value["State"] = "COMPLETED"
		value["ExitCode"] = value["DerivedExitCode"] = "0:0"
		value["ElapsedRaw"] = 3600
		value["TimelimitRaw"] = 120
		value["ReqCPUS"] = value["AllocCPUS"] = 8
		value["NNodes"] = 1
		value["NodeList"] = "n1"
		value["TotalCPU"] = "07:00:00"
		value["WorkDir"] = "/home/alice"
		value["JobName"] = "quiet"
		for (i = 1; i < ARGC; i++) {
			at = index(ARGV[i], "=")
			value[substr(ARGV[i], 1, at - 1)] = substr(ARGV[i], at + 1)
		}
		if (!("JobIDRaw" in value))
			value["JobIDRaw"] = value["JobID"]
		if (!("Submit" in value))
			value["Submit"] = value["Eligible"] = value["Start"] = start
		if (!("End" in value))
			value["End"] = value["Start"] + value["ElapsedRaw"]
		count = split(header, name, "|")
		for (i = 1; i <= count; i++)
			printf "%s%s", value[name[i]], i < count ? "|" : "\n"
	}' "$@" </dev/null
}

# history SQL: what the history says, one row a line
history()
{
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
	print(*row)' "$STEPWELL_HISTORY" "$1"
}

# imported: the table of $work/jobs into a history of its own
imported()
{
	rm -f "$STEPWELL_HISTORY"
	"$stepwell" import "$work/jobs" >"$work/import.out" 2>"$work/import.err"
}

# --- states: each job is in one count, by whoever counts
states='COMPLETED|FAILED|OUT_OF_MEMORY|TIMEOUT|DEADLINE|NODE_FAIL|BOOT_FAIL'
states=$states'|CANCELLED by 1000|PREEMPTED|REQUEUED|REVOKED|RESIZING|LATER_FLAG'
{
	echo "$header"
	id=100
	IFS='|'
	for state in $states; do
		id=$((id + 1))
		record JobID=$id State="$state" JobName="job$id"
	done
	unset IFS
} >"$work/jobs"
sweep --json
is 'states: the sweep' 0 $status
is 'states: the counts add up' '13 13' "$(value '"%d %d" % (
	d["total"]["jobs"], sum(d["total"][k] for k in ("completed", "failed",
	"out_of_memory", "time_limit", "node_failed", "cancelled", "requeued",
	"other_end")))')"
is 'states: by their ends' '1 1 1 2 2 2 2 2' "$(value '" ".join(str(
	d["total"][k]) for k in ("completed", "failed", "out_of_memory",
	"time_limit", "node_failed", "cancelled", "requeued", "other_end"))')"
is 'states: a deadline is an end by time among the failures, too' \
	"[('node_failed', 2), ('time_limit', 2)]" "$(value 'sorted((x, sum(
	f["jobs"] for f in d["failures"] if f["cause"] == x)) for x in
	("time_limit", "node_failed"))')"
sweep
is 'states: the page has each' 1 "$(page | grep -c '13 jobs ended.*1 completed, 1 failed, 1 ran out of memory, 2 reached the time limit, 2 lost a node, 2 ended by cancellation, 2 preempted or requeued, 2 in another state')"
imported
# completed, failed, out of memory, timeout (a deadline, too), then cancelled
is 'states: in the history, of those that ended' '1 2 3 4 4 5 5 5 5 5 5' \
	"$(history "SELECT group_concat(state, ' ') FROM (SELECT state FROM
		runs ORDER BY job)")"

# --- memory: the same need by whoever reads it, and nothing below is advised

# jobs_of_tasks NAME TASKS MAXRSS AVERSS [FIELD=VALUE]...: eight jobs with a
# script, Slurm's own step and one of so many tasks, asking for 16 GiB; what is
# behind is of all their lines
jobs_of_tasks()
{
	local name=$1 tasks=$2 max=$3 average=$4 id
	shift 4
	for id in 201 202 203 204 205 206 207 208; do
		record JobID=$id JobName="$name" ReqMem=16G \
			ReqTRES=cpu=8,mem=16G,node=1 \
			AllocTRES=cpu=8,mem=16G,node=1 "$@"
		record JobID=$id.extern User= JobName=extern NTasks=1 \
			AllocTRES=cpu=8,mem=16G,node=1 MaxRSS=9G AveRSS=9G "$@"
		record JobID=$id.0 User= JobName=solver NTasks="$tasks" \
			AllocTRES=cpu=8,mem=16G,node=1 MaxRSS="$max" \
			AveRSS="$average" "$@"
	done
}

# advised: MiB of --mem in the file, 0 where there is none
advised()
{
	sed -nE 's/.*--mem=([0-9]+)M.*/\1/p' "$1" | sort -n | head -n1 |
		grep . || echo 0
}

# between LEAST MOST VALUE
between()
{
	[ "$3" -ge "$1" ] && [ "$3" -le "$2" ]
}

# learned: least and largest need of the jobs in the history, in MiB
learned()
{
	history "SELECT CAST(min(need_bytes) / 1048576 AS INTEGER) || ' ' ||
		CAST(max(need_upper_bytes) / 1048576 AS INTEGER)
		FROM runs WHERE step = ''"
}

# all of them: the bounds of what is advised, in MiB, and what was learned
reads_alike()
{
	local what=$1 least=$2 most=$3 need=$4
	sweep
	yes_ "$what: the sweep advises $least to $most MiB" between "$least" \
		"$most" "$(advised "$work/out")"
	is "$what: none of them would have been too small" 0 "$(page |
		grep -oE '[0-9]+ of [0-9]+ requests would have been too small' |
		grep -vc '^0 ')"
	imported
	is "$what: the history has the upper end" "$need" "$(learned)"
	"$stepwell" suggest solve >"$work/suggest" 2>&1
	yes_ "$what: suggest advises $least to $most MiB" between "$least" \
		"$most" "$(advised "$work/suggest")"
}

{ echo "$header"; jobs_of_tasks solve 8 1G ''; } >"$work/jobs"
reads_alike 'eight tasks' 8192 12000 '8192 8192'
sweep --json
is 'eight tasks: on the page half of the memory was needed' 50 \
	"$(value 'round(100 * d["total"]["memory"]["efficiency"])')"
"$stepwell" report --json 201 >"$work/out" 2>"$work/err"
is 'eight tasks: the report has both ends' '1073741824 8589934592' \
	"$(python3 -c 'import json, sys
m = json.load(open(sys.argv[1]))["job"]["memory"]
print(m["need_low_bytes"], m["need_high_bytes"])' "$work/out")"
"$stepwell" report 201 >"$work/out" 2>"$work/err"
is 'eight tasks: in words, too' 1 \
	"$(page | grep -c 'between 1.0 GiB and 8.0 GiB on the fullest node')"
{ echo "$header"; jobs_of_tasks solve 8 1G 1G; } >"$work/jobs"
reads_alike 'eight tasks alike' 8192 12000 '8192 8192'
{ echo "$header"; jobs_of_tasks solve 16 1G 0.5G NNodes=2 AllocCPUS=16 \
	AllocTRES=cpu=16,mem=32G,node=2; } >"$work/jobs"
reads_alike 'sixteen tasks on two nodes' 8192 12000 '8192 8192'
{ echo "$header"; jobs_of_tasks solve '' 1G ''; } >"$work/jobs"
sweep
is 'tasks unknown: the sweep advises nothing' 0 "$(advised "$work/out")"
imported
is 'tasks unknown: import says so' 1 "$(grep -c 'how many tasks' \
	"$work/import.err")"
"$stepwell" suggest solve >"$work/suggest" 2>&1
yes_ 'tasks unknown: nothing below what it had' between 16384 16384 \
	"$(n=$(advised "$work/suggest"); [ "$n" = 0 ] && n=16384; echo "$n")"
"$stepwell" report 201 >"$work/out" 2>"$work/err"
is 'tasks unknown: the report says so' 1 \
	"$(page | grep -c 'at least 1.0 GiB; how many tasks')"
{ echo "$header"; jobs_of_tasks solve 1 0 0; } >"$work/jobs"
sweep
is 'no sample: the sweep advises nothing' 0 "$(advised "$work/out")"
imported
is 'no sample: nothing is learned' None "$(learned)"
"$stepwell" report 201 >"$work/out" 2>"$work/err"
is 'no sample: and nothing is reported' '1 0' "$(page |
	grep -c 'use not recorded by Slurm') $(grep -cw '0 B' "$work/out")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
