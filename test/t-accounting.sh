#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One record of Slurm's accounting says the same to whoever reads it: sweep,
# import with the history, suggest, report and list.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
export SACCT_FAILS='' STEPWELL_HISTORY=$work/history.sqlite
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

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
