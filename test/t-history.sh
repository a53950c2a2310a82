#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The history from outside: "stepwell run" adds to it, "stepwell import" imports
# a site's data, in any order and repeatedly; and its behavior in error
# conditions.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
mknode=$abs_top_builddir/test/mknode
export LC_ALL=C TZ=UTC NO_COLOR=1 COLUMNS=80
export HOME=$work/home STEPWELL_CONF=$work/conf.yaml
unset STEPWELL_HISTORY
own=$XDG_STATE_HOME/stepwell/history.sqlite
mkdir -p "$HOME"
echo 'history_of_runs: yes' >"$STEPWELL_CONF"

# sql FILE STATEMENT: print each row, columns separated by "|"
sql()
{
	python3 -c '
import sqlite3, sys
for row in sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True).execute(
		sys.argv[2]):
	print("|".join("" if v is None else "%.6g" % v if type(v) is float
		       else str(v) for v in row))' "$@" 2>&1
}

# rows FILE: print the number of runs
rows()
{
	sql "$1" 'SELECT count(*) FROM runs'
}

# imported OPTION...: run "stepwell import", its status in $status
imported()
{
	"$stepwell" import "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# while_locked FILE COMMAND...: run it while another process writes the history
while_locked()
{
	local file=$1 holder
	shift
	rm -f "$work/held"
	python3 -c '
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open(sys.argv[2], "w").close()
time.sleep(60)' "$file" "$work/held" &
	holder=$!
	await test -e "$work/held"
	"$@"
	status=$?
	kill "$holder"
	wait "$holder" 2>/dev/null
	return "$status"
}

### a run is in the history when it has ended
"$stepwell" run --no-report --name prep_0001 --mem 1G --cpus 2 --time 10 \
	-- true
is "a run makes one row" \
	"$(id -un)/prep_#|1|1|1073741824|2|600" \
	"$(sql "$own" 'SELECT g.name, state, attempt IS NOT NULL,
		CAST(requested_bytes AS INT), CAST(requested_cores AS INT),
		CAST(requested_seconds AS INT)
		FROM runs r JOIN groups g ON g.id = r.group_id')"
"$stepwell" run --no-report --name prep_0002 -- sh -c 'exit 3'
is "one that fails too, with its status passed on" "3 2" \
	"$? $(sql "$own" 'SELECT state FROM runs ORDER BY id DESC LIMIT 1')"
"$stepwell" run --no-report -- "$work/no-such" 2>/dev/null
is "what was never started is not a run" "127 2" "$? $(rows "$own")"
"$stepwell" run --no-report -- true <&- >&- 2>&-
is "with all streams closed" "0 3" "$? $(rows "$own")"
imported --json
is "to import the recordings afterwards adds nothing" "0 0 3" \
	"$(python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(3 - r["runs"], r["new"], r["in_history"])' "$work/out")"
echo 'history_of_runs: no' >"$STEPWELL_CONF"
"$stepwell" run --no-report -- true
is "the setting turns it off" "0 3" "$? $(rows "$own")"
echo 'history_of_runs: yes' >"$STEPWELL_CONF"

### a history in trouble does not touch the run
while_locked "$own" "$stepwell" run --no-report -- sh -c 'exit 7' \
	2>"$work/err"
status=$?
is "locked: the status is the command's" 7 "$status"
is "locked: one line, with what to do later" "1 1" \
	"$(wc -l <"$work/err") $(grep -c 'locked.*"stepwell import /' \
		"$work/err")"
command=$(sed 's/.*"stepwell import \(.*\)" later.*/\1/' "$work/err")
imported "$command"
is "locked: what it says to do does it" "0 4" "$status $(rows "$own")"
is "and it was the run that failed" 2 \
	"$(sql "$own" 'SELECT state FROM runs ORDER BY id DESC LIMIT 1')"

: >"$work/file"
STEPWELL_HISTORY=$work/file/h.sqlite "$stepwell" run --no-report -- \
	sh -c 'exit 9' 2>"$work/err"
is "no history can be made: status and one line" "9 1" \
	"$? $(wc -l <"$work/err")"

imported # the two that are in no history yet
before=$(rows "$own")
printf 'this is no database, whatever its name may be' >"$own"
"$stepwell" run --no-report -- sh -c 'exit 8' 2>"$work/err"
is "damaged: status and one line" "8 1" "$? $(wc -l <"$work/err")"
is "damaged: a run leaves it to others" "" \
	"$(find "$work" -name '*.damaged-*')"
imported
is "damaged: moved aside and made anew from recordings" \
	"0 1 $((before + 1))" "$status $(grep -c 'damaged.*moved to' \
		"$work/err") $(rows "$own")"
is "damaged: the old file is kept" \
	"this is no database, whatever its name may be" \
	"$(cat "$own.damaged-1")"

### two writers
printf 'wf,task,id,start_ms,runtime_s,peak_mem_b,req_mem_b\n' >"$work/w.csv"
seq 30000 | awk '{ printf "w,t%d,x%d,%d,60,%d,4294967296\n", $1 % 7, $1,
	1700000000000 + $1 * 1000, 1e9 + $1 }' >>"$work/w.csv"
both=$work/both.sqlite
for _ in 1 2; do
	STEPWELL_HISTORY=$both "$stepwell" import --quiet "$work/w.csv" &
done
for i in 1 2 3 4 5; do
	STEPWELL_HISTORY=$both "$stepwell" run --no-report --name "b$i" \
		-- true 2>>"$work/both.err"
done
wait
later=$(sed -n 's/.*"stepwell import \(.*\)" later.*/\1/p' "$work/both.err")
# shellcheck disable=SC2086
[ -z "$later" ] || STEPWELL_HISTORY=$both "$stepwell" import --quiet $later
is "two that write the same at once, and runs beside them: all is there once" \
	30005 "$(rows "$both")"

### a site's data: one job, reported by four sources
slurm=$work/slurm
mkdir "$slurm"
# The user name must be that of the uid in the system; root has no jobs here.
uid=$(id -u)
[ "$uid" -ne 0 ] || uid=$(id -u nobody)
user=$(id -nu "$uid")
for node in 1 2; do
	"$mknode" "$slurm/c.123.1795269600.n$node.stepwell" $node \
		"uid=$uid" || exit 99
done
# They are of another user than the tester, who accepts his claims.
STEPWELL_HISTORY=$work/s.sqlite "$stepwell" import --claims --quiet "$slurm"
start=$(sql "$work/s.sqlite" \
	"SELECT CAST(start_seconds AS INT) FROM runs WHERE step = ''")
day=$(date -ud "@$start" +%FT%T)
end=$(date -ud "@$((start + 100))" +%FT%T)
cat >"$work/past.txt" <<TEXT
JobID|JobName|User|Partition|State|Start|End|ElapsedRaw|ReqMem|NCPUS|NNodes|NTasks|MaxRSS|TotalCPU
123|mpi|$user|big|COMPLETED|$day|$end|100|8G|16|2|||05:00
123.batch|batch||||$day|$end|100||8|1|1|20M|00:01
123.0|solver|||COMPLETED|$day|$end|50||16|2|8|1G|04:00
124|mpi|$user|big|OUT_OF_MEMORY|$day|$end|100|8G|16|2|||05:00
124.0|solver|||OUT_OF_MEMORY|$day|$end|50||16|2|8|3G|04:00
125|mpi|$user|big|RUNNING|$day|Unknown|100|8G|16|2|||
TEXT
printf '%s\t' task_id hash native_id process tag name status exit submit \
	start realtime %cpu peak_rss cpus memory time >"$work/trace.txt"
printf 'attempt\n' >>"$work/trace.txt"
while read -r n id tag state exit rss attempt; do
	printf '%s\t' "$n" "ab/00000$n" "$id" ALIGN "$tag" "ALIGN ($tag)" \
		"$state" "$exit" "${day/T/ }.000" "${day/T/ }.000" "1m 40s" \
		"380.5%" "$rss" 4 "4 GB" 2h
	printf '%s\n' "$attempt"
done >>"$work/trace.txt" <<TEXT
1 123 s1 COMPLETED 0 1.5_GB 1
2 901 s2 FAILED 137 3.9_GB 1
3 902 s2 COMPLETED 0 4.2_GB 2
4 - s3 COMPLETED 0 900_MB 1
5 903 s4 FAILED 1 100_MB 1
TEXT
sed -i 's/_\([GM]B\)/ \1/' "$work/trace.txt"
cat >"$work/own.csv" <<TEXT
peak_mem_b,task,wf,runtime_s,input_b,input_kind,req_mem_b,id,status
2147483648,map,w1,30,1000000,filesize,8589934592,m1,COMPLETED
3221225472,map,w1,40,1500000,filesize,8589934592,m2,COMPLETED
3221225472,map,w1,40,1500000,rchar,8589934592,m3,COMPLETED
TEXT

numbers='SELECT job, step, g.name, r.user, state, is_lower_bound,
	CAST(need_bytes AS INT), CAST(requested_bytes AS INT), source,
	CAST(start_seconds AS INT), CAST(input_bytes AS INT), r.attempt,
	CAST(used_core_seconds AS INT), CAST(requested_seconds AS INT)
	FROM runs r JOIN groups g ON g.id = r.group_id ORDER BY job, step'
take_in_order()
{
	rm -f "$work/o.sqlite"
	for source; do
		STEPWELL_HISTORY=$work/o.sqlite "$stepwell" import --quiet \
			--claims "$work/$source"
	done
	sql "$work/o.sqlite" "$numbers"
}
# Ids of a trace that restart with each task: different runs.  Two rows of the
# same workflow, task, id and start are one run, which is reported.
{
	echo wf,task,id,start_ms,runtime_s,peak_mem_b
	for task in a b c; do
		for i in 1 2 3 4; do
			echo "w,$task,$i,$((1790000000000 + i)),60,${i}000000"
			echo "w,$task,s-$i,,60,${i}000000"
		done
	done
	echo w,c,4,1790000000004,60,5000000
	echo w,c,s-4,,60,5000000
} >"$work/ids.csv"
is 'ids that begin anew: all runs are there' 24 "$(
	STEPWELL_HISTORY=$work/ids.sqlite "$stepwell" import --json \
		"$work/ids.csv" >"$work/out" 2>"$work/err"
	python3 -c 'import json, sys
print(json.load(sys.stdin)["in_history"])' <"$work/out")"
is 'what was merged is counted' 2 "$(python3 -c 'import json, sys
print(json.load(sys.stdin)["merged"])' <"$work/out")"
STEPWELL_HISTORY=$work/ids.sqlite "$stepwell" import "$work/ids.csv" \
	>"$work/out" 2>"$work/err"
is 'once more: nothing new' 1 "$(grep -c '^26 runs (.*): 0 new, 26 replaced' "$work/out")"
is 'why they were merged' 1 "$(grep -c '^2 of them were merged .*workflow, task and id' "$work/out")"

first=$(take_in_order past.txt trace.txt own.csv slurm)
for order in "slurm own.csv trace.txt past.txt" \
	"trace.txt slurm past.txt own.csv" "own.csv past.txt slurm trace.txt" \
	"past.txt past.txt slurm trace.txt trace.txt own.csv own.csv slurm"; do
	# shellcheck disable=SC2086
	is "in the order $order" "$first" "$(take_in_order $order)"
done
row()
{
	printf '%s\n' "$first" | grep "^$1" | cut -d'|' -f"$2"
}
is "the recording knows better than sacct and the trace" 4 \
	"$(row '123||' 9)"
is "what went on is no run" "" "$(row '125|' 1)"
is "killed for want of memory: at least what it had" \
	"3|1|4294967296" "$(row '901|' 5-7)"
is "the next attempt is a run of its own" "1|0|4509715660|2" \
	"$(row '902|' 5-7)|$(row '902|' 12)"
is "one that failed by itself failed" 2 "$(row '903|' 5)"
is "without a native id Nextflow's hash is the id" "1 ALIGN" \
	"$(row 'nextflow:ab/000004|' 5) $(row 'nextflow:ab/000004|' 3)"
is "the size of an input is taken where it was known before" \
	"1000000 1500000 " "$(row w1:m 11 | xargs printf '%s ')"
is "a tag is not of the work's name" ALIGN "$(row '902|' 3)"

### what no recording knows is asked from sacct
mkdir "$work/bin"
cat >"$work/bin/sacct" <<'TEXT'
#!/bin/sh
echo "$*" >>"$SACCT_ARGS"
[ -s "$SACCT_PRINTS" ] || { echo 'sacct: error: no slurmdbd' >&2; exit 1; }
cat "$SACCT_PRINTS"
TEXT
chmod +x "$work/bin/sacct"
export SACCT_ARGS=$work/args SACCT_PRINTS=$work/prints
limits='SELECT job, step, state, CAST(requested_seconds AS INT) FROM runs
	WHERE job GLOB "[0-9]*" AND length(job) < 6 ORDER BY job, step'
# asked NAME: create a history with sacct available
asked()
{
	PATH=$work/bin:$PATH STEPWELL_HISTORY=$work/$1.sqlite \
		imported --rebuild --claims "$slurm"
	sql "$work/$1.sqlite" "$limits"
}
: >"$work/prints"
without=$(asked down)
is "sacct fails: the recordings are taken all the same" 0 "$status"
is "  and it says what is not known for want of it" 1 \
	"$(grep -c 'time limits.*not known.*no slurmdbd' "$work/err")"
cat >"$work/prints" <<TEXT
JobID|JobName|User|Cluster|Partition|Comment|State|Start|End|ElapsedRaw|TimelimitRaw
123|mpi|$user|||stepwell:input=7000000|TIMEOUT|$start|$((start + 100))|100|30
123.0|solver||||||$start|$((start + 100))|100|
124|other|$user||||COMPLETED|$start|$((start + 100))|100|60
TEXT
: >"$work/args"
with=$(asked up)
is "sacct is asked for the job, and apart from that for its comment" "2 1 0" \
	"$(wc -l <"$work/args") $(grep -c -e \
		'--jobs 123 --format .*TimelimitRaw' "$work/args") $(grep \
		-e TimelimitRaw "$work/args" | grep -cE 'Comment|JobName')"
# 4: TIMEOUT, hidden by the script's exit status
is "the job has its limit then and Slurm's state, and no other came" \
	"$(sed 's/^123||.*|$/123||4|1800/' <<<"$without")" "$with"
is "  and the size of its input" 7000000 "$(sql "$work/up.sqlite" \
	'SELECT CAST(input_bytes AS INT) FROM runs WHERE job = "123" AND
	step = ""')"
is "nothing of it is counted as imported" 0 "$(grep -c 'not taken' "$work/err")"
again=$(asked up)
is "what is known is not asked for again" "2 $with" \
	"$(wc -l <"$work/args") $again"

### a MaxRSS above the request of a job that completed is no kill
{
	echo 'JobID|JobName|User|State|Start|End|ElapsedRaw|ReqMem|NCPUS|NNodes|NTasks|MaxRSS'
	for i in 1 2 3 4; do
		echo "80$i|cached|$(id -un)|COMPLETED|178000${i}000|178000${i}030|30|300M|1|1||"
		echo "80$i.batch|batch||COMPLETED|178000${i}000|178000${i}030|30||1|1|1|482M"
	done
} >"$work/cached.txt"
STEPWELL_HISTORY=$work/cached.sqlite imported "$work/cached.txt"
is "an import says what it counts" 1 "$(grep -c \
	'^8 runs (4 jobs or tasks, 4 steps of jobs): ' "$work/out")"
is "what ended well needed no more than it had" "314572800|0" "$(sql \
	"$work/cached.sqlite" 'SELECT DISTINCT CAST(need_bytes AS INT),
	is_lower_bound FROM runs')"
STEPWELL_HISTORY=$work/cached.sqlite "$stepwell" suggest \
	"$(id -un)/cached" >"$work/out" 2>&1
is "  and nobody says that it was killed, or held at its limit" 0 \
	"$(grep -cE 'killed|held at' "$work/out")"

### import, report, suggest: a site's data gives advice on a new job
printf 'JobID|JobName|User|State|Start|End|ElapsedRaw|TimelimitRaw|ReqMem|NCPUS|NNodes|MaxRSS|TotalCPU\n' >"$work/align.txt"
seq 30 | awk -v user="$(id -un)" '{
	printf "%d|align_%04d|%s|COMPLETED|2026-10-%02dT10:00:00|" \
	       "2026-10-%02dT10:30:00|%d|1440|16G|8|1||01:00:00\n",
	       1000 + $1, $1, user, $1, $1, 1700 + $1 * 5
	printf "%d.batch|batch||COMPLETED|2026-10-%02dT10:00:00|" \
	       "2026-10-%02dT10:30:00|%d|||8|1|%dM|01:00:00\n",
	       1000 + $1, $1, $1, 1700 + $1 * 5, 1900 + $1 * 7 }' \
	>>"$work/align.txt"
export STEPWELL_HISTORY=$work/way.sqlite
run_align()
{
	"$stepwell" run --name "align_$1" --mem 16G --cpus 8 --time 1-0 \
		-- true 2>"$work/err"
}
run_align 0031
is "without a history the report has no advice" 0 \
	"$(grep -c 'next time' "$work/err")"
rm -f "$STEPWELL_HISTORY"
imported "$work/align.txt"
is "sacct's jobs are in the history" "0 60" "$status $(rows "$work/way.sqlite")"
run_align 0032
is "the report at the end of a run has one line of advice" 1 \
	"$(grep -c '^stepwell: next time: .*--time=.* (enough for .* past runs)$' \
		"$work/err")"
is "the run that was just recorded is among the past ones, once" \
	"31 31" "$("$stepwell" report | sed -n \
		"s,.*from \([0-9]*\) runs of $(id -un)/align_#,\1,p") $(sql \
		"$work/way.sqlite" "SELECT count(*) FROM runs WHERE step = ''")"
"$stepwell" report >"$work/out"
is "the letter has lines to paste" 1 \
	"$(grep -c '^  #SBATCH --time=[0-9:-]*$' "$work/out")"
is "and pictures, with this run and its request" yes \
	"$(sed -n '/^This run among/,/height:/p' "$work/out" |
		grep -q '^ *N.*R' && echo yes)"
is "no line is longer than the terminal" "" \
	"$(awk 'length > 80' "$work/out")"
"$stepwell" report --json >"$work/report.json"
"$stepwell" suggest --json "align_0033" >"$work/suggest.json"
is "report and suggest advise the same time" True \
	"$(python3 -c 'import json, sys
r, s = (next(x["suggested"] for x in json.load(open(f))["suggestions"]
	     if x["resource"] == "time") for f in sys.argv[1:])
print(r == s)' "$work/report.json" "$work/suggest.json")"
"$stepwell" suggest "$(id -un)/align_#" >"$work/out" 2>&1
is "suggest takes the group" "0 1" \
	"$? $(grep -c '^#SBATCH --time=' "$work/out")"
is "a report does not write the history" "$(rows "$work/way.sqlite")" \
	"$("$stepwell" report >/dev/null; rows "$work/way.sqlite")"
while_locked "$work/way.sqlite" "$stepwell" report >"$work/out" 2>&1
is "with a writer at work the report has its advice all the same" "0 1" \
	"$? $(grep -c '^Next time' "$work/out")"
is "and where it may not write a byte, as at the end of a Slurm job" 1 \
	"$( (ulimit -f 0 -n 16; exec "$stepwell" report --brief) |
		grep -c 'next time: ')"
cp "$work/way.sqlite" "$work/way.copy"
printf 'broken' | dd of="$work/way.sqlite" bs=1 seek=20 conv=notrunc \
	2>/dev/null
"$stepwell" report >"$work/out" 2>"$work/err"
is "damaged: the report is there, without advice and without a word" \
	"0 0 0" "$? $(grep -c '^Next time' "$work/out") $(wc -l <"$work/err")"
is "and leaves the file" "" "$(find "$work" -name 'way.sqlite.damaged-*')"
mv "$work/way.copy" "$work/way.sqlite"

# Only one run, or only failed ones: no advice.
printf 'JobID|JobName|User|State|Start|End|ElapsedRaw|TimelimitRaw|ReqMem|NCPUS|NNodes|MaxRSS\n' >"$work/few.txt"
for i in 1 2 3 4 5; do
	echo "90$i|broken|x|FAILED|2026-10-0${i}T10:00:00|2026-10-0${i}T10:01:00|60|60|4G|4|1|1G"
done >>"$work/few.txt"
echo "950|once|x|COMPLETED|2026-10-01T10:00:00|2026-10-01T10:30:00|1800|60|4G|4|1|1G" \
	>>"$work/few.txt"
imported "$work/few.txt"
for group in x/broken x/once; do
	"$stepwell" suggest "$group" >"$work/out" 2>&1
	is "$group: no line to paste, and why" "0 yes" \
		"$(grep -c '^#SBATCH' "$work/out") $(grep -q \
			': no advice yet' "$work/out" && echo yes)"
done
unset STEPWELL_HISTORY

### bad input
bad()
{
	local what=$1 text=$2 words=$3 want=$4
	rm -f "$work/bad.sqlite"
	printf "$text" >"$work/bad.csv"
	STEPWELL_HISTORY=$work/bad.sqlite imported "$work/bad.csv"
	is "$what: status" "$want" "$status"
	is "$what: says \"$words\"" 1 "$(grep -c -- "$words" "$work/err")"
}
head='wf,task,id,runtime_s,peak_mem_b,req_mem_b\n'
bad "an empty file" '' 'the file is empty' 3
bad "no table at all" 'hello\nworld\n' 'neither a header' 3
bad "a column is missing" 'wf,task,runtime_s\nw,t,5\n' \
	'no column peak_mem_b' 3
bad "units are mixed" "${head}w,t,a,5,4GB,1\n" 'units may be mixed' 3
bad "mixed further down: nothing of the file" \
	"${head}w,t,a,5,40000000,90000000\nw,t,b,5,4e7,1.5G\n" \
	'units may be mixed' 3
is "nothing of it is in the history" 0 "$(rows "$work/bad.sqlite")"
bad "fewer fields than the header" "${head}w,t,a\n" '3 fields where' 3
bad "a need of twelve bytes" "${head}w,t,a,5,12,90000000\n" \
	'peak_mem_b: "12" is impossible' 3
bad "less than no time" "${head}w,t,a,-5,40000000,90000000\n" \
	'"-5" is impossible' 3
bad "more than there can be" "${head}w,t,a,5,1e300,90000000\n" \
	'"1e300" is impossible' 3
bad "one bad row among good ones" \
	"${head}w,t,a,5,12,9e7\nw,t,b,5,4e7,9e7\nw,t,c,5,4e7,9e7\n" \
	'"12" is impossible' 4
is "the good ones are there" 2 "$(rows "$work/bad.sqlite")"
bad "all zero" "${head}w,t,a,0,0,0\n" 'neither memory nor time' 3
bad "sacct without states" 'JobID|JobName\n1|x\n' 'State' 1
bad "sacct with a job that goes on" \
	'JobID|State|Elapsed\n1|RUNNING|00:10:00\n' 'not ended' 3
bad "sacct with an array that was cancelled before it started" \
	'JobID|State|Elapsed\n1_[4-9%%2]|CANCELLED by 1000|00:00:00\n' \
	'did not start' 3
bad "sacct with a | in a name" \
	'JobID|JobName|State|Elapsed\n1|a|b|FAILED|00:10\n' 'fewer or more fields' 3
# Text in the last column may contain any separators.
export STEPWELL_HISTORY=$work/last.sqlite
head='JobID|State|Elapsed|JobName'
printf "$head\n1|FAILED|00:10:00|a|b\n2|FAILED|00:10:00|c\n" >"$work/last.txt"
imported "$work/last.txt"
is "sacct with a | in a name that is last" "0 2" "$status $(rows \
	"$STEPWELL_HISTORY")"
printf "$head\n3|FAILED|00:10:00|d\n" | tr '|' '\037' >"$work/last.txt"
imported "$work/last.txt"
is "sacct with a delimiter of its own" "0 3" "$status $(rows \
	"$STEPWELL_HISTORY")"
unset STEPWELL_HISTORY
imported "$work/no-such-file"
is "no such file" "3 1" "$status $(grep -c 'No such file' "$work/err")"
STEPWELL_HISTORY=$work/past.txt imported "$work/own.csv"
is "the history is named where another file is: it is kept" "0 JobID" \
	"$status $(head -c 5 "$work/past.txt.damaged-1")"
python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); db.execute("CREATE TABLE x (y)")
db.commit()' "$work/other.sqlite"
STEPWELL_HISTORY=$work/other.sqlite imported "$work/own.csv"
is "a database of another program is left as it is" "1 1 x" \
	"$status $(grep -c 'another program' "$work/err") $(sql \
		"$work/other.sqlite" 'SELECT name FROM sqlite_master')"
while_locked "$own" "$stepwell" import "$work/own.csv" >"$work/out" \
	2>"$work/err"
is "locked for long: said, and nothing of it is there" "1 1 0" \
	"$? $(grep -c 'locked by another process' "$work/err") $(sql "$own" \
		"SELECT count(*) FROM runs WHERE source = 1")"

### a run that tries another again: report and list say the same
again=$work/again
mkdir "$again"
"$mknode" "$again/c1.50.1780000000.n1.stepwell" 1 job=50 nodes=1 exit=3 \
	"uid=$uid" &&
	"$mknode" "$again/c1.50.1780000700.n1.stepwell" 1 job=50 nodes=1 \
		exit=3 "uid=$uid" restart=1 later=700 || exit 99
export STEPWELL_HISTORY=$work/again.sqlite
futile()
{
	"$stepwell" report --no-sacct --json \
		"$again/c1.50.1780000700.n1.stepwell" 2>"$work/err" |
		grep -c '"id":"retry.futile"'
	"$stepwell" list --no-sacct --json "$again" 2>>"$work/err" |
		grep -c '"first_finding":"retry.futile"'
}
"$stepwell" import --claims --quiet "$again"
is "a requeue of which Slurm did not say why: no futile retry" "0 0" \
	"$(futile | paste -sd ' ')"
{
	echo 'JobID|User|Cluster|State|ExitCode|Start|End|ElapsedRaw|JobName'
	printf '50|%s|c1|FAILED|3:0|1780000000|1780000100|100|ali<\033>gn\n' \
		"$user"
} >"$work/again.txt"
"$stepwell" import --quiet "$work/again.txt"
is "one that had failed by Slurm's record" "1 1" "$(futile | paste -sd ' ')"
unset STEPWELL_HISTORY

### a run that reports success without doing its work is not learned
export STEPWELL_HISTORY="$work/doubt.sqlite"
cp "$abs_top_srcdir/test/rules/identity.txt" "$work"
for fixture in fires_all quiet_all; do
	{
		sed 's,include \.\./,include ,' \
			"$abs_top_srcdir/test/rules/program.failed/$fixture.txt"
		printf '\ntable %s\n' 'series.cpu step cgroup.v2
column time_usec usec time
column step - key
column usage_usec usec counter
row 1000000000 0 0
row 1000200000 0 50000'
	} >"$work/$fixture.txt"
	"$abs_top_builddir/test/mkprofile" "$work/$fixture.txt" \
		"$work/$fixture.stepwell"
	rm -f "$STEPWELL_HISTORY"
	imported "$work/$fixture.stepwell"
	echo "$status $(sql "$STEPWELL_HISTORY" 'SELECT state FROM runs')"
done >"$work/doubt"
is "every program of it failed: it is no success" "0 2 0 1" \
	"$(paste -sd ' ' <"$work/doubt")"
unset STEPWELL_HISTORY

tally
