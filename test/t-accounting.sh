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
	"out_of_memory", "time_limit", "deadline", "node_failed", "cancelled",
	"requeued", "other_end")))')"
is 'states: by their ends' '1 1 1 1 1 2 2 2 2' "$(value '" ".join(str(
	d["total"][k]) for k in ("completed", "failed", "out_of_memory",
	"time_limit", "deadline", "node_failed", "cancelled", "requeued",
	"other_end"))')"
is 'states: a deadline is no time limit among the failures, either' \
	"[('deadline', 1), ('node_failed', 2), ('time_limit', 1)]" \
	"$(value 'sorted((x, sum(f["jobs"] for f in d["failures"]
	if f["cause"] == x)) for x in ("time_limit", "deadline",
	"node_failed"))')"
sweep
is 'states: the page has each' 1 "$(page | grep -c '13 jobs ended.*1 completed, 1 failed, 1 ran out of memory, 1 reached the time limit, 1 missed the deadline, 2 lost a node, 2 ended by cancellation, 2 preempted or requeued, 2 in another state')"
imported
# completed, failed, out of memory, timeout, then cancelled; so is a deadline,
# which more time would not have moved
is 'states: in the history, of those that ended' '1 2 3 4 5 5 5 5 5 5 5' \
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
is 'tasks unknown: and says why' 1 \
	"$(page | grep -c 'How many tasks a node had is unknown for 8 jobs (sacct')"
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

# The components of a heterogeneous job have requests of their own.
{
	echo "$header"
	for id in 211 221 231 241 251 261 271 281; do
		for part in 0 1; do
			record JobIDRaw=$((id + part)) JobID=$id+$part \
				JobName=het ReqMem=16G \
				AllocTRES=cpu=8,mem=16G,node=1
			record JobIDRaw=$((id + part)).0+$part User= \
				JobID=$id+$part.0+$part JobName=solver \
				AllocTRES=cpu=8,mem=16G,node=1 MaxRSS=1G \
				NTasks=$((8 - 4 * part))
		done
	done
} >"$work/jobs"
imported
is 'het: each component has its need' '4096 8192' "$(history "SELECT
	CAST(min(need_bytes) / 1048576 AS INTEGER) || ' ' ||
	CAST(max(need_bytes) / 1048576 AS INTEGER) FROM runs WHERE step = ''")"
sweep
yes_ 'het: nothing below the larger is advised' between 8192 12000 \
	"$(advised "$work/out")"

# --- what was allocated, and Slurm's flags in what was requested
{
	echo "$header"
	id=300
	for memory in 0 2147486448Mn 9223372036854778608M 2800Mc 2.00Pn; do
		id=$((id + 1))
		record JobID=$id JobName="memory$id" ReqMem=$memory \
			AllocTRES=cpu=8,mem=22400M,node=1
		record JobID=$id.batch User= JobName=batch NTasks=1 MaxRSS=2G
	done
	record JobID=307 JobName=memory307 ReqMem=2147486448Mn
	record JobID=308 JobName=memory308 ReqMem=16?
} >"$work/jobs"
imported
is 'memory: what was allocated counts' '22400 22400 22400 22400 22400 22400' \
	"$(history "SELECT group_concat(mib, ' ') FROM (SELECT
		CAST(requested_bytes / 1048576 AS INTEGER) AS mib FROM runs
		WHERE step = '' AND requested_bytes > 0 ORDER BY job)")"
is 'memory: what is of no form is counted' 1 \
	"$(grep -c '1 impossible value was ignored' "$work/import.err")"
sweep
is 'memory: and by the sweep' 1 "$(page | grep -cE 'Left out:.* impossible values')"

"$stepwell" report 301 >"$work/out" 2>"$work/err"
is 'memory: and is in the report' 1 "$(page | grep -c '; allocated 21.9 GiB')"
"$stepwell" report 304 >"$work/out" 2>"$work/err"
is 'memory: where it is the same, not' '1 0' "$(page |
	grep -c 'requested 2.7 GiB per CPU') $(grep -c '; allocated' "$work/out")"

# --- CPU time: where it is, and where it cannot be
{
	echo "$header"
	record JobID=311 TotalCPU=00:00:00 JobName=moved
	record JobID=311.0 User= JobName=solver TotalCPU=00:00:00 NTasks=8 \
		MaxRSS=1G TRESUsageInTot=cpu=04:00:00,mem=8G
	record JobID=312 TotalCPU=15-10:00:00 JobName=absurd
	record JobID=312.0 User= JobName=solver TotalCPU=15-10:00:00 NTasks=8 \
		MaxRSS=1G
} >"$work/jobs"
imported
is 'CPU: from where it is, and not where it cannot be' '311 14400.0 312 None' \
	"$(history "SELECT job, used_core_seconds FROM runs WHERE step = ''
		ORDER BY job" | paste -sd ' ')"
sweep --json
is 'CPU: nor by the sweep' '0.5' "$(value 'd["total"]["cpu"]["efficiency"]')"
"$stepwell" report 312 >"$work/out" 2>"$work/err"
is 'CPU: nor by the report' '1 0' "$(page |
	grep -c 'Slurm recorded more than its CPUs have') $(grep -c 'of CPU time,' "$work/out")"

# --- a step on one of twenty nodes: of the others nothing is known
{
	echo "$header"
	for id in 321 322 323 324 325 326; do
		record JobID=$id JobName=ssh NNodes=20 NodeList='n[1-20]' \
			AllocCPUS=160 AllocTRES=cpu=160,mem=320G,node=20
		record JobID=$id.extern User= JobName=extern NNodes=20 \
			NTasks=20 NodeList='n[1-20]' TotalCPU=00:00:00 \
			AllocTRES=cpu=160,mem=320G,node=20
		record JobID=$id.batch User= JobName=batch NTasks=1 \
			AllocTRES=cpu=8,mem=16G,node=1 MaxRSS=2G
	done
} >"$work/jobs"
sweep --json
is 'ssh: idle is what was accounted alone' 6 \
	"$(value 'd["total"]["cpu"]["idle_core_hours"]')"
is 'ssh: nothing is advised' '[]' \
	"$(value '[x for x in g["ssh"].get("lines", []) if x]')"
imported
is 'ssh: no use is learned' '6 None' "$(history "SELECT count(*),
	max(used_core_seconds) FROM runs WHERE step = ''")"
"$stepwell" report 321 >"$work/out" 2>"$work/err"
is 'ssh: at least' 1 "$(page | grep -c 'at least 4 % of 160 CPUs')"

# --- ends that the job does not have
{
	echo "$header"
	record JobID=331 JobName=silent DerivedExitCode=0:125
	record JobID=331.0 User= JobName=solver State=OUT_OF_MEMORY \
		ExitCode=0:125 NTasks=1 MaxRSS=1G
	record JobID=332 JobName=crashed DerivedExitCode=0:11
	record JobID=332.0 User= JobName=solver State=FAILED ExitCode=0:11 \
		NTasks=1 MaxRSS=1G
	record JobID=333 JobName=goes_on DerivedExitCode=1:0
	record JobID=333.0 User= JobName=test State=FAILED ExitCode=1:0 \
		NTasks=1 MaxRSS=1G
	record JobID=334 JobName=ended DerivedExitCode=0:15
	record JobID=334.0 User= JobName=server State='CANCELLED by 1000' \
		ExitCode=0:15 NTasks=1 MaxRSS=1G
} >"$work/jobs"
sweep --json
is 'silent: the jobs completed' '4 4 1' "$(value '"%d %d %d" % (
	d["total"]["jobs"], d["total"]["completed"],
	d["total"]["silent_oom"])')"
is 'silent: what killed their steps is among the failures' \
	"[('crashed', 'signal'), ('silent', 'out_of_memory')]" \
	"$(value 'sorted((f["group"], f["cause"]) for f in d["failures"])')"
is 'silent: nothing is lost' 0 \
	"$(value 'd["total"]["cpu"]["lost_core_hours"]')"
imported
is 'silent: in the history it ran out of memory' 'silent 3' \
	"$(history "SELECT name, state FROM runs WHERE step = '' AND state = 3")"

# An exit that a shell makes of a signal, by two releases.
for code in 9:0 137:0; do
	{
		echo "$header"
		for id in 341 342 343; do
			record JobID=$id JobName=shell State=FAILED \
				ExitCode=$code DerivedExitCode=137:0
			record JobID=$id.0 User= JobName=solver State=FAILED \
				ExitCode=0:9 NTasks=1
		done
	} >"$work/jobs"
	imported
	is "exit $code: in the history" 137.0 "$(history "SELECT DISTINCT
		exit_code FROM runs WHERE step = ''")"
	"$stepwell" report 341 >"$work/out" 2>"$work/err"
	is "exit $code: in the report" 1 "$(page |
		grep -c 'exit code 137, which a shell returns for SIGKILL')"
done

# --- the id that the job itself sees
{
	echo "$header"
	record JobIDRaw=352 JobID=351_1 JobName=element State=FAILED \
		ExitCode=3:0
	record JobIDRaw=352.0 JobID=351_1.0 User= JobName=solver NTasks=1
	record JobIDRaw=351 JobID=351_2 JobName=element
} >"$work/jobs"
"$stepwell" report --brief 352 >"$work/out" 2>"$work/err"
is 'element: found by its own number' '0 1' \
	"$? $(grep -c 'job 351_1: FAILED' "$work/out")"
"$stepwell" report --brief 351 >"$work/out" 2>"$work/err"
is 'element: the number of the array is that of all' 1 \
	"$(grep -c 'matches several jobs' "$work/err")"

imported
"$stepwell" suggest 352 >"$work/out" 2>"$work/err"
is 'element: suggest knows its group' 1 \
	"$(grep -c 'alice/element: advice from .* job 351_1 requested' \
		"$work/out")"
mkdir -p "$XDG_STATE_HOME/stepwell"
"$abs_top_builddir/test/mknode" \
	"$XDG_STATE_HOME/stepwell/c1.352.1780000000.n1.stepwell" 1 job=352 \
	array=351_1
is 'element: listed by its own number' 1 \
	"$("$stepwell" list --no-sacct 352 2>"$work/err" | grep -c '351_1')"

# --- files that went through other hands
{ echo "$header"; record JobID=361 JobName=plain; } >"$work/jobs.plain"
# file WHAT EXPECTED: $work/jobs gives so many runs, or is refused for that
file()
{
	imported
	if [[ $2 =~ ^[0-9]+$ ]]; then
		is "file: $1" "$2" "$(history 'SELECT count(*) FROM runs')"
	else
		is "file: $1" 1 "$(grep -c "$2" "$work/import.err")"
	fi
}
sed 's/$/\r/' "$work/jobs.plain" >"$work/jobs"
file 'CR LF' 1
is 'file: and no CR in a name' plain "$(history 'SELECT name FROM runs')"
{ printf '\357\273\277'; cat "$work/jobs.plain"; } >"$work/jobs"
file 'a byte-order mark' 1
sed 's/[|]plain$/|two\nlines/' "$work/jobs.plain" >"$work/jobs"
file 'a newline in a name' 1
sed 1d "$work/jobs.plain" >"$work/jobs"
file 'no header' 'without the names of its columns'
cut -d'|' -f1,3- "$work/jobs.plain" >"$work/jobs"
file 'JobIDRaw alone' 1
cut -d'|' -f2,9,16,31 "$work/jobs.plain" | tr '|' ',' >"$work/jobs"
file 'commas' 1

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
