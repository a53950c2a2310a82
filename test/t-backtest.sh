#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell backtest": results for the history and for traces, compared with
# numbers computed by hand, and messages about bad input.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
export STEPWELL_HISTORY=$work/history.sqlite
export TZ=UTC
: >"$work/none.yaml"
export STEPWELL_CONF=$work/none.yaml

# backtest ARGUMENT...: output in $work/out and $work/err; prints the status
backtest()
{
	"$stepwell" backtest "$@" >"$work/out" 2>"$work/err"
	echo $?
}

# of METHOD WORKFLOW: print its row of the last CSV output
of()
{
	awk -F, -v m="$1" -v w="$2" '$1 == m && $2 == w' "$work/out"
}

# says WHAT PATTERN FILE: compare as one line, so that wrapping does not matter
says()
{
	local text
	text=$(tr -s '\n ' '  ' <"$work/$3")
	if [[ $text == *"$2"* ]]; then
		is "$1" yes yes
	else
		is "$1" "$2" "$text"
	fi
}

# No history, and an empty one.
is 'no history: nothing found' 3 "$(backtest)"
says 'it says what to do' 'stepwell import' err
is 'nothing was made' no "$([ -e "$STEPWELL_HISTORY" ] && echo yes || echo no)"

# Jobs of an hour, one a day: 20 of "align" that need 1 GiB of 8, 4 of "sort",
# one of them killed at its 2 GiB and one failed, and "once".
header='JobID|JobName|User|State|Start|End|ElapsedRaw|ReqMem|AllocCPUS|NNodes|NTasks|MaxRSS'
# job ID NAME STATE DAY REQUEST NEED
job()
{
	printf '%s|%s|alice|%s|2026-03-%02dT00:00:00|2026-03-%02dT01:00:00|3600|%s|1|1||\n' \
		"$1" "$2" "$3" "$4" "$4" "$5"
	printf '%s.batch|batch||%s|2026-03-%02dT00:00:00|2026-03-%02dT01:00:00|3600||1|1|1|%s\n' \
		"$1" "$3" "$4" "$4" "$6"
}
{
	echo "$header"
	for i in {1..20}; do job "$((100 + i))" align COMPLETED "$i" 8G 1G; done
	job 201 sort COMPLETED 1 2G 1G
	job 202 sort OUT_OF_MEMORY 2 2G 2000M
	job 203 sort FAILED 3 2G 100M
	job 204 sort COMPLETED 4 4G 3G
	job 301 once COMPLETED 1 2G 1G
} >"$work/sacct.txt"
"$stepwell" import --quiet "$work/sacct.txt" 2>/dev/null

# max: 1.2 GiB for 19 jobs that need 1.  sort: the need of the job killed at 2
# GiB is at least that, so 2.4 for the one that needs 3: it fails for an hour
# and gets 4.8.
is 'the history' 0 "$(backtest --csv)"
is 'the columns' \
	method,workflow,tasks,wastage_gib_h,failures,failed_tasks,mean_ratio \
	"$(head -n 1 "$work/out")"
is 'max on align' 'max,alice/align,19,3.8,0,0,1.2' "$(of max alice/align)"
is 'max on sort' 'max,alice/sort,1,4.2,1,1,1.6' "$(of max alice/sort)"
is 'the request on align' 'request,alice/align,19,133,0,0,8' \
	"$(of request alice/align)"
is 'a group of one' 'max,alice/once,0,0,0,0,' "$(of max alice/once)"
backtest --csv --time-to-failure 0.5 >/dev/null
is 'a failure after half of the time' 'max,alice/sort,1,3,1,1,1.6' \
	"$(of max alice/sort)"
backtest --all --csv >/dev/null
is '--all is the same' 'max,alice/align,19,3.8,0,0,1.2' \
	"$(of max alice/align)"
backtest align --csv >/dev/null
is 'a group by the name of its jobs' 'max,alice/align,19,3.8,0,0,1.2' \
	"$(of max alice/align)"
is 'and no other' '' "$(of max alice/sort)"
is 'a job, by its id' 0 "$(backtest 204 --csv)"
is 'its group' 'max,alice/sort,1,4.2,1,1,1.6' "$(of max alice/sort)"
is 'a group that is not there' 3 "$(backtest nobody)"
is 'a slip' 3 "$(backtest algin)"
says 'what was meant' 'did you mean "alice/align"?' err
# The examples of the manual, with jobs that have numbers in their names.
{
	echo "$header"
	for i in {1..5}; do
		job "$((400 + i))" "prep_000$i" COMPLETED "$i" 8G 1G
	done
} >"$work/prep.txt"
cp "$STEPWELL_HISTORY" "$work/kept.sqlite"
"$stepwell" import --quiet "$work/prep.txt" 2>/dev/null
is 'by the name without its number' 0 \
	"$(backtest prep --method stepwell --risk high)"
is 'with its number' 0 "$(backtest prep_0003 --csv)"
is 'steps of one kind of work' 0 "$(backtest --steps alice/align:batch --csv)"
cp "$work/kept.sqlite" "$STEPWELL_HISTORY"
is 'steps' 0 "$(backtest --steps --csv)"
is 'steps are of other groups' 'max,alice/align:batch,19,3.8,0,0,1.2' \
	"$(grep '^max,alice/align' "$work/out")"

# Text output.
is 'as text' 0 "$(backtest)"
says 'all are said' '25 jobs in 3 groups; 20 counted' out
says 'those before whom none had ended' '3 with no earlier finished run' out
says 'what did not end well' '1 that did not succeed' out
says 'what is only a bound' '1 with only a lower bound of the need' out
says 'groups that are too small' 'Groups with too few runs to count: 1 of 3.' out
is 'as text, one method' 0 "$(backtest --method max)"
# 3.8 + 4.2 of the 19 * 8 + 4 requested
says 'what came out' 'max would have wasted 0.051 of what was requested (8.00 of 156 GiB-hours); 1 of 20 runs would have been killed once.' out
is 'as text, all methods' 0 "$(backtest)"
# 204 requests more because 202 was killed: methods see the request of 202.
says 'the best of the others' 'No published method would have killed so few; largest would have wasted the least: 3.00 GiB-hours, with 1 run killed.' out
is 'a retry by hand is shown the first request' 'request,alice/sort,1,3,1,1' \
	"$(backtest --csv >/dev/null; of request alice/sort | cut -d, -f1-6)"
backtest --method max >/dev/null
is 'one method is one row' 1 "$(grep -c '^max  .*8.00' "$work/out")"
is 'groups on demand' 0 "$(backtest --workflows)"
says 'each of them' 'alice/sort: 1 jobs' out

is 'as JSON' 0 "$(backtest --json)"
is 'JSON has the same numbers' '8 156 20 1 3 1 1' "$(python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
m = [x for x in r["methods"] if x["name"] == "max"][0]["total"]
print(m["wasted_gib_hours"], m["requested_gib_hours"],
      m["runs"], m["failures"], r["runs"]["first_of_group"],
      r["runs"]["lower_bounds"], r["runs"]["groups_too_small"])' "$work/out")"

# The site's settings apply unless overridden by an option.
printf 'advice:\n  time_to_failure_ratio: 0.5\n' >"$work/half.yaml"
STEPWELL_CONF=$work/half.yaml backtest --csv >/dev/null
is 'the settings' 'max,alice/sort,1,3,1,1,1.6' "$(of max alice/sort)"
STEPWELL_CONF=$work/half.yaml backtest --csv --time-to-failure 1 >/dev/null
is 'an option above them' 'max,alice/sort,1,4.2,1,1,1.6' \
	"$(of max alice/sort)"

# Invalid options.
for words in '--risk none' '--input some' '--method best' '--protocol x' \
	'--time-to-failure 2' '--time-to-failure x' '--seed -1' \
	'--node-memory none' '--csv --json' '--all align' 'align sort' \
	"--all --trace $work/none" '--nonsense'; do
	# shellcheck disable=SC2086 # several words
	is "$words" 2 "$(backtest $words)"
	is "$words: nothing on standard output" '' "$(cat "$work/out")"
done
says 'it is named' '--nonsense' err
backtest --method best >/dev/null
says 'which methods there are' 'witt_wastage' err

# A trace: a task of an hour each day, 1 GiB each, with columns in two orders.
day=86400000
gib=1073741824
{
	echo wf,task,id,start_ms,end_ms,runtime_s,peak_mem_b,req_mem_b,status
	for i in 1 2 3 4; do
		echo "w,t,$i,$((i * day)),$((i * day + 3600000)),3600,$gib,$((2 * gib)),COMPLETED"
	done
} >"$work/trace.csv"
{
	echo status,other,req_mem_b,peak_mem_b,runtime_s,task,wf,end_ms,start_ms
	for i in 1 2 3 4; do
		echo "COMPLETED,\"a, \"\"b\"\"\",$((2 * gib)),$gib,3600,t,\"w\",$((i * day + 3600000)),$((i * day))"
	done
} >"$work/order.csv"
gzip -c "$work/trace.csv" >"$work/trace.csv.gz"
sed 's/$/\r/' "$work/order.csv" >"$work/crlf.csv"
for file in trace.csv order.csv trace.csv.gz crlf.csv; do
	is "$file" 0 "$(backtest --csv --trace "$work/$file")"
	is "$file: max" 'max,w,3,0.6,0,0,1.2' "$(of max w)"
	is "$file: request" 'request,w,3,3,0,0,2' "$(of request w)"
done

# Nextflow's format, human-readable and raw; only completed tasks count.
{
	printf 'task_id\thash\tname\tstatus\tstart\tcomplete\trealtime\tpeak_rss\tmemory\n'
	for i in 1 2 3; do
		printf '%d\taa/%d\tW:ALIGN (s %d)\tCOMPLETED\t2026-03-0%d 00:00:00.000\t2026-03-0%d 01:00:00.000\t1h 0m 0s\t1 GB\t1.5 GB\n' \
			$i $i $i $i $i
	done
	printf '4\taa/4\tW:ALIGN (s 4)\tFAILED\t2026-03-04 00:00:00.000\t-\t3m 4s\t-\t1.5 GB\n'
} >"$work/trace.txt"
{
	printf 'realtime\tname\tstatus\tsubmit\tstart\tcomplete\tpeak_rss\tmemory\n'
	for i in 1 2 3; do
		printf '3600000\tW:ALIGN (s %d)\tCOMPLETED\t%d\t%d\t%d\t%d\t%d\n' \
			$i $((i * day)) $((i * day)) $((i * day + 3600000)) \
			$gib $((gib * 3 / 2))
	done
} >"$work/raw.txt"
for file in trace.txt raw.txt; do
	is "$file" 0 "$(backtest --csv --trace "$work/$file")"
	is "$file: max" 'max,nextflow,2,0.4,0,0,1.2' "$(of max nextflow)"
	is "$file: request" 'request,nextflow,2,1,0,0,1.5' \
		"$(of request nextflow)"
done

# Retries: methods see the first attempt's request, 1 GiB, even if it is not in
# the file.  Two of three fail with it, and get 2.
{
	head -n 1 "$work/trace.csv" | sed 's/$/,attempt/'
	i=0
	for row in "a $gib 1 FAILED" "a $((2 * gib)) 2 COMPLETED" \
		"b $gib 1 COMPLETED" "c $((3 * gib)) 3 COMPLETED" \
		"d $((gib / 2)) 1 COMPLETED"; do
		read -r id request attempt status <<<"$row"
		i=$((i + 1))
		need=$((attempt > 1 ? gib * 3 / 2 : gib / 4))
		echo "w,t,$id,$((i * day)),$((i * day + 3600000)),3600,$need,$request,$status,$attempt"
	done
	echo "w,t,b,$((9 * day)),$((9 * day + 3600000)),3600,$((gib * 3 / 2)),$((2 * gib)),COMPLETED,2"
} >"$work/retries.csv"
is 'retries' 0 "$(backtest --csv --trace "$work/retries.csv")"
# b fits 1 GiB; for c the minimum is used, 0.5, then 1 and 2; d fits 0.5; for b
# again it is 1, then 2: 0.75 + (0.5 + 1 + 0.5) + 0.25 + (1 + 0.5).
is 'retries are shown the first request' 'request,w,4,4.5,3,2' \
	"$(of request w | cut -d, -f1-6)"

# bad WHAT STATUS WORDS: run on $work/bad.csv
bad()
{
	is "$1" "$2" "$(backtest --csv --trace "$work/bad.csv")"
	says "$1: says so" "$3" err
	[ "$2" -ne 4 ] && is "$1: no numbers" '' "$(cat "$work/out")"
}
cp "$work/none.yaml" "$work/bad.csv"
bad 'empty' 1 'empty, so there is nothing to replay'
head -n 1 "$work/trace.csv" >"$work/bad.csv"
bad 'a header alone' 3 'nothing to replay'
cut -d, -f1-6,8- "$work/trace.csv" >"$work/bad.csv"
bad 'no column of the need' 1 'no column peak_mem_b|rss_b'
cut -d, -f1,3- "$work/trace.csv" >"$work/bad.csv"
bad 'no column of the task' 1 'no column task'
sed "4s/$gib/1.2 GB/" "$work/trace.csv" >"$work/bad.csv"
bad 'mixed units' 1 'bad.csv:4: column peak_mem_b: "1.2 GB" is not bytes'
sed '3s/,COMPLETED//' "$work/trace.csv" >"$work/bad.csv"
bad 'a field too few' 1 'bad.csv:3: 8 fields where the header has 9'
sed "5s/,$gib,/,-5,/" "$work/trace.csv" >"$work/bad.csv"
bad 'a negative need' 4 'bad.csv:5: column peak_mem_b: "-5" is impossible'
is 'the other rows count' 'max,w,2,0.4,0,0,1.2' "$(of max w)"
sed "5s/,$gib,/,1e300,/" "$work/trace.csv" >"$work/bad.csv"
bad 'an absurd need' 4 'is impossible'
sed "5s/,$gib,/,1024,/" "$work/trace.csv" >"$work/bad.csv"
bad 'a need in megabytes' 4 'is impossible'
sed "2,\$s/,$gib,/,0,/" "$work/trace.csv" >"$work/bad.csv"
bad 'no need at all' 3 'nothing to replay'
sed 's/,3600,/,nan,/; s/,COMPLETED/,FAILED/' "$work/trace.csv" >"$work/bad.csv"
bad 'all failed' 3 'nothing to replay'
head -c 60 "$work/trace.csv.gz" >"$work/bad.csv"
bad 'half of a packed file' 1 "$work/bad.csv"
head -c 4096 /dev/urandom >"$work/bad.csv"
bad 'no text' 1 "$work/bad.csv"
rm "$work/bad.csv"
bad 'no file' 1 'No such file'
mkdir "$work/bad.csv"
bad 'a folder' 1 "$work/bad.csv"

# Untrusted names are escaped.
printf 'wf,task,runtime_s,peak_mem_b\n"w\033[31m,""x",t,3600,%s\n"w\033[31m,""x",t,3600,%s\n' \
	$gib $gib >"$work/hostile.csv"
is 'hostile names' 0 "$(backtest --csv --trace "$work/hostile.csv")"
is 'no escape comes through' 0 "$(grep -c "$(printf '\033')" "$work/out")"
is 'a quote is a field' 'max,"w\x1b[31m,""x",1,0.2,0,0,1.2' \
	"$(grep ^max "$work/out")"

# The file is no database: reported, with the remedy, and not modified.
echo 'this is no database' >"$STEPWELL_HISTORY"
is 'a damaged history' 1 "$(backtest)"
says 'what to do' 'rebuilds it' err
is 'it is left alone' 'this is no database' "$(cat "$STEPWELL_HISTORY")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
