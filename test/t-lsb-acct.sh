#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# LSF's lsb.acct: imported into the history, and as the jobs of a sweep;
# truncated lines, units set by the site, archives, and texts chosen by users.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
export TZ=UTC LC_ALL=C
export STEPWELL_HISTORY=$work/history.sqlite HOME=$work/home

### into the history
acct=$srcdir/test/fixtures/lsf/lsb.acct
"$stepwell" import "$acct" >"$work/out" 2>"$work/err"
is "lines that are cut or of another form are named" "4
stepwell: skipped: a job did not run (line 13)
stepwell: skipped, 3 times: a line of lsb.acct ends too soon (line 20 first)
stepwell: skipped, 3 times: a line of lsb.acct is not of the known form (line \
22 first)
stepwell: the memory request of 17 runs without a unit is in MB, reserved for \
each host (stepwell.yaml: lsf: unit_for_limits, reserve_per_task)" "$?
$(cat "$work/err")"
# runs WHAT: print it for each job
runs()
{
	python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT substr(job, 5), " +
		sys.argv[2] + " FROM runs ORDER BY id"):
	print(*("-" if v is None else "%.6g" % v if type(v) is float else v
		for v in row), sep="|")' "$STEPWELL_HISTORY" "$1"
}
is "jobs, elements and names" "101|align 102|align 103|align 104|align \
110_3|arr 111|a \"quoted\" name 112|two 113|short 114|oom 115|late 116|fails \
117|killed 119|old 120|old 121|odd 122|newer 123|done and post" \
	"$(runs name | paste -sd' ')"
is "how they ended: 1 well, 2 failed, 3 memory, 4 time, 5 killed" \
	"114|3 115|4 116|2 117|5" "$(runs state | grep -v '|1$' | paste -sd' ')"
is "slots, hosts and memory, which is of all of them" "112|4|2|1.07374e+09|1 \
113|12|2|1.07374e+09|1 119|4|1|-|0 121|4|-|-|0" "$(runs "requested_cores, \
nodes, need_bytes, is_lower_bound" | grep -v '|4|1|2.*e+09|[01]$' | paste -sd' ')"
is "CPU and wall time, and its limit: the first number behind the hosts' usage" \
	"101|7210.5|3600|7200 102|7210.5|3600|7200 103|7210.5|3600|7200 \
111|7210.5|3600|- 112|7210.5|3600|7200 119|-|3600|- 123|7210.5|3600|-" "$(
	runs 'used_core_seconds, elapsed_seconds, requested_seconds' |
	grep -E '^1(0[123]|1[129]|23)' | paste -sd' ')"
is "requests that were always enough are not raised" \
	"Request as now: 3.9 GiB, 2 h 00 min." \
	"$("$stepwell" suggest ann/align | grep -o 'Request as now.*')"
for i in 1 2 3 4 5; do
	sed -n "1 { s/ 101 / 10$i /; s/mem=4000/mem=40000/; p }" "$acct"
done >"$work/wide"
STEPWELL_HISTORY=$work/wide.sqlite "$stepwell" import "$work/wide" \
	>/dev/null 2>&1
is "and one that is ten times the need is lowered" "^#BSUB -M [0-9]{4}MB" "$(
	STEPWELL_HISTORY=$work/wide.sqlite "$stepwell" suggest ann/align |
	grep -qE '^#BSUB -M [0-9]{4}MB' && echo '^#BSUB -M [0-9]{4}MB')"
is "by a job's number, too, or an array's" "ann/align 4 ann/arr 1" "$(
	for i in 104 110; do "$stepwell" suggest $i; done |
	sed -n 's/^# \([^ :]*\): .* from \([0-9]*\) run.*/\1 \2/p' | paste -sd' ')"
line=$(head -n 1 "$acct")
for ((i = 15; i < ${#line}; i += 3)); do
	echo "${line:0:i}"
done >"$work/lsb.acct.cut"
STEPWELL_HISTORY=$work/cut.sqlite "$stepwell" import "$work/lsb.acct.cut" \
	>/dev/null 2>&1
is "a line cut anywhere" 4 $?

### requests in the site's units
# job NUMBER SED: print the first job of the file, changed
job()
{
	sed -n "1 { s/ 101 / $1 /; $2; p }" "$acct"
}
{
	job 101 ''
	job 150 's/mem=4000/mem=4GB/'
	job 151 's|mem=4000|mem=100/task|'
	job 152 's/"select\[type == any\][^"]*"/"rusage[mem=8GB]"/'
} >"$work/units"
# requested SETTINGS: print the MiB of these jobs, of 4 slots each
requested()
{
	printf '%s\n' "$1" >"$work/units.yaml"
	rm -f "$work/units.sqlite"
	STEPWELL_CONF=$work/units.yaml STEPWELL_HISTORY=$work/units.sqlite \
		"$stepwell" import "$work/units" >"$work/out" 2>&1
	STEPWELL_HISTORY=$work/units.sqlite \
		runs 'cast(requested_bytes / 1048576 AS INTEGER)' | paste -sd' '
}
is "a bare number is in MB, of each host" "101|4000 150|4096 151|400 152|8192" \
	"$(requested '')"
is "LSF_UNIT_FOR_LIMITS of the site" "101|3 150|4096 151|0 152|8192" \
	"$(requested 'lsf: {unit_for_limits: KB}')"
is "RESOURCE_RESERVE_PER_TASK of the site" \
	"101|16000 150|16384 151|400 152|32768" \
	"$(requested 'lsf: {reserve_per_task: yes}')"
requested '' >/dev/null
is "what was assumed of them is said" "1" "$(tr -s '\n ' '  ' <"$work/out" |
	grep -c 'without a unit is in MB, reserved for each host (')"

{
	job 101 ''
	job 102 's/mem=4000/mem=16?/'
	job 103 's/mem=4000/mem=4GB\/slot/'
	job 104 's/mem=4000/mem=(400 200)/'
} >"$work/unread"
STEPWELL_HISTORY=$work/unread.sqlite "$stepwell" import --json "$work/unread" \
	>"$work/out" 2>"$work/err"
is "requests that are no memory are counted" 2 "$(python3 -c '
import json, sys
print(json.load(open(sys.argv[1]))["impossible_values"])' "$work/out")"

### the jobs of a night
mkdir "$work/nights" "$work/sum" "$work/log"
chmod 750 "$work/sum"
cp "$acct" "$work/log/lsb.acct"
cat >"$work/settings.yaml" <<EOF
job_records: $work/log/lsb.acct
sweep_dir: $work/nights
summaries_dir: $work/sum
EOF
export STEPWELL_CONF=$work/settings.yaml
# Two days, so that nothing is saved and compared.
sweep()
{
	"$stepwell" sweep --from 2026-11-18 --until 2026-11-20 "$@" \
		>"$work/out" 2>"$work/err"
	status=$?
}
# value EXPRESSION: evaluate it on the JSON, d; its total, t; its groups by
# name, g
value()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
g = {x["label"]: x for x in d["groups"]}
t = d["total"]
print(eval(sys.argv[2]))' "$work/out" "$1"
}
ended='t["jobs"]'
sweep --json --rows 0
is "a sweep of lsb.acct" 0 "$status"
is "what ended, and how" "17 13 1 1 1 1" "$(value '" ".join(str(t[x])
	for x in ("jobs", "completed", "failed", "out_of_memory",
	"time_limit", "cancelled"))')"
is "lines that are cut or of another form are named, each once" \
	"20 21 22 23 24 25" "$(sed -n \
	's/.*lsb.acct, line \([0-9]*\): a line .*; the job is left out$/\1/p' \
	"$work/err" | paste -sd' ')"
is "slots times time" True \
	"$(value 'abs(g["align"]["cpu"]["allocated_core_hours"] - 16) < 0.01')"
is "memory of the request and its use" True "$(value \
	'0.5 < g["align"]["memory"]["efficiency"] < 0.53')"
cp "$work/out" "$work/page"
sweep
is "hosts of the jobs are its nodes" 1 "$(tr -s '\n ' '  ' <"$work/out" |
	grep -c '2 of 2 nodes (n\[1-2\])')"
grep -q '#BSUB -M' "$work/out"
is "lines are LSF's" "0 0" "$? $(grep -c SBATCH "$work/out")"
is "and it does not speak of Slurm" "" "$(grep -i slurm "$work/out")"
for i in 1 2 3; do
	sweep --shard "$i/3" --output "$work/part.$i"
done
"$stepwell" merge --json --rows 0 "$work"/part.* >"$work/merged" 2>"$work/err"
is "parts together are the whole" "" "$(diff "$work/page" "$work/merged")"

### ends are those of Slurm's jobs: TERM_PREEMPT, _RUNLIMIT, _DEADLINE, _OWNER
for reason in 1 5 6 14; do
	sed -n "9s/ 114 / 40$reason /; 9s/\"\" 16 \"\"/\"\" $reason \"\"/p" "$acct"
done >"$work/log/lsb.acct"
sweep --json
is "why LSF ended them" "4 1 1 1 1" "$(value '" ".join(str(t[x]) for x in (
	"jobs", "requeued", "time_limit", "deadline", "cancelled"))')"

### archives: lsb.acct.1 is the newest
head -n 4 "$acct" >"$work/log/lsb.acct.2"
sed -n 5,6p "$acct" >"$work/log/lsb.acct.1"
sed -n '7,$p' "$acct" >"$work/log/lsb.acct"
echo 'older, never read' >"$work/log/lsb.acct.3"
touch -d @1794000000 "$work/log/lsb.acct.3"
sweep --json --rows 0
is "archives of the time are read, and older ones are not" "" \
	"$(diff "$work/page" "$work/out")"
rm "$work/log/lsb.acct".[123]

### truncated lines, and texts chosen by users
first=$(job 101 '')
printf '%s%s\n' "${first:0:300}" "$(job 201 '')" >"$work/log/lsb.acct"
sweep --json
is "a record behind one that was cut, on its line, is not lost" "1 201 1" \
	"$(value "$ended") $(value 'g["align"]["example_job_id"]') $(
	grep -c 'line 1: a line of lsb.acct ends too soon' "$work/err")"
printf '\n%s\n\n%s' "$first" "${first:0:200}" >"$work/log/lsb.acct"
sweep --json
is "nor one in front of it, while the daemon writes" "1 1" \
	"$(value "$ended") $(
	grep -c 'line 4: a line of lsb.acct ends too soon' "$work/err")"
# Truncated within the required fields: after these it is a shorter form.
needed=${first%% \"rusage*}
count=0
for ((i = ${#needed} - 40; i < ${#needed}; i++)); do
	echo "${first:0:i}"
	job $((300 + count++)) ''
done >"$work/log/lsb.acct"
sweep --json
is "cut at each place of 40: all whole ones are there, all others named" \
	"40 339 40" "$(value "$ended") $(value 'g["align"]["example_job_id"]') $(
	grep -c 'ends too soon\|more of the same' "$work/err" | sed 's/21/40/')"

forged=${first/ 101 / 666 }
name='align'$'\n'"${forged//\"/\"\"}"$'\n'
{
	echo "${first/\"align\"/\"$name\"}"
	job 203 ''
} >"$work/log/lsb.acct"
sweep --json
is "a name with a newline and a record in it is a name" "2 203 0" \
	"$(value "$ended") $(value 'max(x["example_job_id"] for x in
	d["groups"])') $(wc -l <"$work/err")"
{
	job 206 's|"./run.sh"|"#!/bin/sh\r;./run.sh\r"|; s/"align"/"al\rign"/; s/$/\r/'
	echo
	job 207 ''
} >"$work/log/lsb.acct"
sweep --json
is "a script and a name of Windows cut nothing" "2 0" \
	"$(value "$ended") $(wc -l <"$work/err")"
job 204 's/"align"/"\x1b[31m""; rm -rf $HOME <b>"/' >"$work/log/lsb.acct"
sweep
is "no name reaches the terminal as it is" "0 0 1" "$status $(
	grep -c $'\e' "$work/out") $(grep -c 'rm -rf' "$work/out")"
sweep --html "$work/page.html"
is "nor a page" "0 1" "$(grep -c 'HOME <b>' "$work/page.html") $(
	grep -q 'rm -rf' "$work/page.html" && echo 1)"

sed '1d; s/ 103 / 203 /' "$work/unread" >"$work/log/lsb.acct"
sweep --json
is "and left out of a night" 2 "$(value 'd["left_out"]["impossible_values"]')"

### other files of LSF
{
	echo '# 80640'
	echo '"JOB_NEW" "10.1" 1795000000 101 1000 33816627 4 1795000000'
	echo '"JOB_START" "10.1" 1795000100 101 4 0 0 60.0 1 "n1"'
	echo '"JOB_STATUS" "10.1" 1795003700 101 64 0 0 7210.5 1795003700'
} >"$work/lsb.events"
reason='no JOB_FINISH record, which LSF writes to lsb.acct, not to lsb.events'
"$stepwell" import "$work/lsb.events" >"$work/out" 2>"$work/err"
is "lsb.events is not imported, for the reason that is true" "3 1" \
	"$? $(tr -s '\n ' '  ' <"$work/err" | grep -c "$reason")"
cp "$work/lsb.events" "$work/log/lsb.acct"
sweep
is "nor is a night made of it" "1 1" \
	"$status $(tr -s '\n ' '  ' <"$work/err" | grep -c "$reason")"
{
	printf '\357\273\277# 80640\n'
	echo '"JOB_RESIZE" "10.1" 1795003700 205 0 1795000100'
	job 205 ''
} >"$work/log/lsb.acct"
sweep --json
is "other records beside those of finished jobs are passed over" "0 1 0" \
	"$status $(value "$ended") $(wc -l <"$work/err")"

### without what it needs
rm "$work/log/lsb.acct"
sweep
is "no lsb.acct" "1 stepwell: $work/log/lsb.acct, so jobs of LSF cannot be \
read: No such file or directory" "$status $(cat "$work/err")"
mkfifo "$work/log/lsb.acct"
sweep
is "a pipe in its place" "1 1" "$status $(wc -l <"$work/err")"

tally
