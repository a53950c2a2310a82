#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces as workflow engines and people write them: texts of several lines, other
# separators, tasks of a run before, and the hour that comes twice.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
export TZ=UTC LC_ALL=C STEPWELL_CONF=$work/none.yaml
export STEPWELL_HISTORY=$work/history.sqlite HOME=$work/home
: >"$STEPWELL_CONF"

# take FILE: imports it into a new history; its exit status
take()
{
	rm -f "$STEPWELL_HISTORY"
	"$stepwell" import "$1" >"$work/out" 2>"$work/err"
	echo $?
}
# runs WHAT: of each run
runs()
{
	python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT " + sys.argv[2] +
		" FROM runs ORDER BY id"):
	print(*("-" if v is None else "%.10g" % v if type(v) is float else v
		for v in row), sep="|")' "$STEPWELL_HISTORY" "$1" | paste -sd' '
}
# says WHAT WORDS: of what was written to standard error
says()
{
	is "$1" 1 "$(tr -s '\n ' '  ' <"$work/err" | grep -cF -- "$2")"
}
# counted FILE: what "backtest" read and left out
counted()
{
	"$stepwell" backtest --json --trace "$1" >"$work/out" 2>"$work/err"
	echo "$? $(python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))["runs"]
print(r["read"], r["counted"] + r["first_of_group"], r["repeated"])' \
		"$work/out" 2>/dev/null)"
}

### Nextflow, which writes a script as it is: lines, tabs and all
# task N [SCRIPT]: the columns of a task
task()
{
	printf '%s\t%02x/abcdef\t%s\tALIGN (s%s)\tCOMPLETED\t0\t2026-03-0%s 00:00:00.000' \
		"$1" "$1" "$((700 + $1))" "$1" "$1"
}
script='set -e
	bwa mem -t 4 "a b" |
		sort -k1,1	-k2,2 >out

cat <<TABLE
42
1	A
2	0.5	c/d
TABLE
echo 12	3	done'
head='task_id\thash\tnative_id\tname\tstatus\texit\tsubmit'
{
	printf "$head\\trealtime\\tpeak_rss\\tscript\\n"
	for i in 1 2 3; do
		task $i
		printf '\t1h\t1 GB\t%s\n' "$script"
	done
} >"$work/last.txt"
{
	printf "$head\\tscript\\trealtime\\tpeak_rss\\n"
	for i in 1 2 3; do
		task $i
		printf '\t%s\t1h\t1 GB\n' "$script"
	done
} >"$work/middle.txt"
{
	printf "$head\\tenv\\trealtime\\tpeak_rss\\tscript\\n"
	for i in 1 2 3; do
		task $i
		printf '\tA=1\nB=2\t1h\t1 GB\t%s\n' "$script"
	done
} >"$work/both.txt"
sed 's/$/\r/' "$work/last.txt" >"$work/crlf.txt"
{
	printf '\357\273\277'
	cat "$work/middle.txt"
} >"$work/mark.txt"
gzip -c "$work/both.txt" >"$work/both.txt.gz"
for file in last middle both crlf mark both.txt.gz; do
	file=${file%.txt.gz}.txt
	is "a script of several lines, $file: imported" 0 "$(take "$work/$file")"
	is "a script of several lines, $file: tasks and numbers" \
		"ALIGN|3600|1073741824 ALIGN|3600|1073741824 ALIGN|3600|1073741824" \
		"$(runs 'name, elapsed_seconds, need_bytes')"
	is "a script of several lines, $file: replayed" "0 3 3 0" \
		"$(counted "$work/$file")"
done
sed 's/ALIGN (s2)/ALIGN (s\n2)/; s/ALIGN (s3)/ALIGN (s\r3)/' "$work/middle.txt" \
	>"$work/names.txt"
is "a newline or a return in a name" "0 0 3 3 0" \
	"$(take "$work/names.txt") $(counted "$work/names.txt")"
is "and no return reaches the terminal" 0 "$(
	"$stepwell" suggest ALIGN 2>&1 | grep -c $'\r')"
cp "$work/middle.txt" "$work/cut.txt"
truncate -s -12 "$work/cut.txt"
take "$work/cut.txt" >"$work/status"
says "a row that is cut in its script" 'cannot be read, so the file is not used'
sed '3,11d' "$work/middle.txt" >"$work/short.txt"
take "$work/short.txt" >"$work/status"
says "a row without its end before the next one" \
	'short.txt:2: 8 fields where the header has 10'

### other separators, and what is none
{
	printf "$head\\trealtime\\tpeak_rss\\n"
	for i in 1 2 3; do
		task $i
		printf '\t1h\t1 GB\n'
	done
} >"$work/plain.txt"
for separator in ',' ';' '|'; do
	tr '\t' "$separator" <"$work/plain.txt" >"$work/separated.txt"
	is "Nextflow's with \"$separator\"" "0 0 3 3 0" \
		"$(take "$work/separated.txt") $(counted "$work/separated.txt")"
done
printf 'wf;task;runtime_s;peak_mem_b\nw;"a;b";3600;1073741824\n' \
	>"$work/semicolons.csv"
is "CSV with semicolons" "0 w:a;b" \
	"$(take "$work/semicolons.csv") $(runs name)"
tr '\n' '\r' <"$work/plain.txt" >"$work/returns.txt"
is "lines that end by a return" "0 0 3 3 0" \
	"$(take "$work/returns.txt") $(counted "$work/returns.txt")"
iconv -f UTF-8 -t UTF-16 "$work/semicolons.csv" >"$work/utf16.csv"
take "$work/utf16.csv" >"$work/status"
says "UTF-16 is named" 'in UTF-16, so it is not used; convert it: iconv'
sed 1d "$work/middle.txt" >"$work/headless.txt"
take "$work/headless.txt" >"$work/status"
says "a missing header is named" \
	"neither a header with the columns wf and task nor one of Nextflow's trace"

### a run that was resumed
{
	cat "$work/both.txt"
	sed '1d; s/COMPLETED/CACHED/' "$work/both.txt"
} >"$work/resumed.txt"
is "tasks of the run before are replayed once" "0 6 3 3" \
	"$(counted "$work/resumed.txt")"
is "and imported once" "0 3" "$(take "$work/resumed.txt") $(runs 'count(*)')"
{
	head -n 1 "$work/both.txt"
	sed '1d; s/COMPLETED/CACHED/' "$work/both.txt"
	sed 1d "$work/both.txt"
} >"$work/newest.txt"
is "in either order" "0 6 3 3" "$(counted "$work/newest.txt")"
is "and with no run before" "0 3 3 0" \
	"$(sed 's/COMPLETED/CACHED/' "$work/both.txt" >"$work/cached.txt"
	counted "$work/cached.txt")"
cut -f4- "$work/plain.txt" >"$work/nameless.txt"
sed '1d; s/COMPLETED/CACHED/' "$work/nameless.txt" >"$work/again.txt"
cat "$work/again.txt" >>"$work/nameless.txt"
is "nor twice where no column names them" "0 6 3 3" \
	"$(counted "$work/nameless.txt")"

### the hour that comes twice
# around DATE HOUR: runs that go through the change of that date
around()
{
	printf 'task_id\thash\tname\tstatus\tsubmit\tstart\tcomplete\trealtime\tpeak_rss\n'
	printf '1\t01/a\tA (1)\tCOMPLETED\t%s %s:50:00\t%s %s:50:00\t%s %s:10:00\t20m\t1 GB\n' \
		"$1" "$2" "$1" "$2" "$1" "$2"
	printf '2\t02/a\tA (2)\tCOMPLETED\t%s %s:10:00\t%s %s:20:00\t%s %s:40:00\t1h 20m\t1 GB\n' \
		"$1" "$2" "$1" "$2" "$1" "$2"
	printf '3\t03/a\tA (3)\tCOMPLETED\t%s %s:50:00\t%s %s:10:00\t%s %s:20:00\t10m\t1 GB\n' \
		"$1" "$2" "$1" "$2" "$1" "$2"
}
for zone in "Europe/Berlin 2026-10-25 02" "America/New_York 2026-11-01 01"; do
	read -r name date hour <<<"$zone"
	if [ "$(TZ=$name date -d '2026-07-01 00:00' +%Z)" = "${name%%/*}" ]; then
		echo "# skipped: no time zone $name"
		continue
	fi
	around "$date" "$hour" >"$work/zone.txt"
	is "$name: imported" 0 "$(TZ=$name take "$work/zone.txt")"
	is "$name: no run of a trace ends before it starts" "1200 4800 600" \
		"$(runs 'end_seconds - start_seconds')"
	{
		echo 'JobID|JobName|User|State|Submit|Start|End|Elapsed|MaxRSS|NTasks|ReqMem|NNodes|AllocCPUS'
		echo "7|a|ann|COMPLETED|${date}T$hour:50:00|${date}T$hour:50:00|${date}T$hour:10:00|00:20:00|1G|1|2G|1|1"
		echo "8|a|ann|COMPLETED|${date}T$hour:10:00|${date}T$hour:20:00|${date}T$hour:40:00|01:20:00|1G|1|2G|1|1"
	} >"$work/sacct.txt"
	is "$name: nor one of sacct's" "0 1200 4800" \
		"$(TZ=$name take "$work/sacct.txt") $(
		runs 'end_seconds - start_seconds')"
done
printf 'wf,task,start_ms,end_ms,runtime_s,peak_mem_b\nw,t,2000,1000,5,4096000\n' \
	>"$work/order.csv"
take "$work/order.csv" >"$work/status"
says "a row that ends before it starts is counted" \
	'order.csv:2: ends before it starts, so the row is not used'

tally
