#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell sweep" and "merge": two nights of five users with known problems,
# all of which the page reports, and nothing else; shards, repetitions, kills,
# damage, and names and files created by users.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
first=$midnight
sweep_site
night_jobs 1
night_jobs 2

# sweep NIGHT OPTION...: output in $work/out and $work/err
sweep()
{
	local night=$1
	shift
	SACCT_JOBS=$work/jobs$night "$stepwell" sweep \
		--from "2026-11-2$night" "$@" >"$work/out" 2>"$work/err"
	status=$?
}

# has WHAT TEXT [FILE]: compare as one line, so that wrapping does not matter
has()
{
	local text
	text=$(tr -s '\n ' '  ' <"$work/${3:-out}")
	if [[ $text == *"$2"* ]]; then
		is "$1" yes yes
	else
		is "$1" "$2" "$text"
	fi
}

# lacks WHAT TEXT [FILE]
lacks()
{
	local text
	text=$(tr -s '\n ' '  ' <"$work/${3:-out}")
	if [[ $text == *"$2"* ]]; then
		is "$1" "no: $2" "$text"
	else
		is "$1" yes yes
	fi
}

sweep 1
is 'the first night: ok' 0 $status
has 'there is nothing to compare it with' 'no earlier nights to compare'
lacks 'and nothing got worse' 'Worse than'
sweep 2
is 'the second night: ok' 0 $status
cp "$work/out" "$work/page"
has 'all jobs' '2026-11-22: 296 jobs ended of 5 users'
has 'how they ended' '265 completed, 16 failed, 2 ran out of memory, 3 reached the time limit, 10 ended by cancellation.'

# The same summaries in a history: jobs have fingerprints, with the programs
# that their nodes recorded, and steps have none.
STEPWELL_HISTORY=$work/own.sqlite "$stepwell" import "$work/sum" \
	>"$work/imported" 2>&1
is 'an import of the summaries: ok' 0 $?
is 'each job has what later ones are compared with' '0 80 40' "$(python3 -c '
import sqlite3, sys
rows = list(sqlite3.connect(sys.argv[1]).execute(
	"select step, fingerprint from runs"))
print(sum(1 for step, print_ in rows if step and print_),
      sum(1 for step, print_ in rows if not step and print_),
      sum(1 for step, print_ in rows if print_ and b"bwa" in print_))' \
	"$work/own.sqlite")"

# The problems, and the lines that solve them.
has 'over-asking' '1. over_# of alice, 60 jobs: 2.1 core-hours and 157 GiB-hours wasted'
has 'with its need' '95 % of them at most 1.0 GiB on a node, by Slurm'
has 'and its line' '#SBATCH --mem=1152M'
has 'idle CPUs' 'serial_# of bob, 20 jobs: 75.8 core-hours'
has 'and the line' '(stepwell report 20080). #SBATCH --cpus-per-task=1'
has 'fewer CPUs are no cure for waits' 'more CPUs or memory would not help. 4. grow_#'
has 'what is excluded, and what is not' 'do not explain it; waits for network storage, locks and peers are only in the report'
has 'bound by I/O' 'Its steps stood still for 60 % of their time, waiting for I/O: more CPUs or memory would not help.'
has 'time limits' 'endless of dave, 3 jobs: 3.0 core-hours and 3.0 GiB-hours wasted'
has 'an OOM retry' 'assemble of bob ran out of memory with 4.0 GiB, 8.0 GiB, and completed with 16.0 GiB'
has 'a futile one' 'futile of carol ended with exit code 2, and 6 more times with the same request'
has 'one in ten fails' '6 of 60 jobs of flaky_# of bob: tool ended with exit code 3.'
has 'one node' '6 of 48 jobs of sim_# of alice were killed by SIGBUS, on node n7 only'
has 'slower' 'slow_# of dave, 30 jobs: since 2026-11-22 the run used 25 min 26 s of CPU time instead of 19 min'
has 'and its time' 'the run took 13 min 23 s instead of 10 min 30 s'
has 'more memory' 'grow_# of erin, 30 jobs: since 2026-11-22 the run needed 6.6 GiB of memory instead of 4.2 GiB'
has 'nodes without summaries' '1 of 9 nodes (g1)'
has 'a node whose steps no recorder saw' 'g1: 0 of 5 steps recorded'
has 'GPUs are not known' 'How busy GPUs were is not known: no summary of a recorder has it.'

# And nothing else.
is 'no more is worse' 2 "$(sed -n '/^Worse/,/^$/p' "$work/page" | grep -c '^  - ')"
is 'no more retries' 2 "$(sed -n '/^Retries/,/^$/p' "$work/page" | grep -c '^  - ')"
is 'no more failures' 2 "$(sed -n '/^Failures/,/^$/p' "$work/page" | grep -c '^  - ')"
# Each once: in the row of its group, as a retry or as a failure.
for page in "--rows 10" "--rows 0" --user=bob --user=carol; do
	# shellcheck disable=SC2086 # two words
	sweep 2 $page
	is "with $page no problem is reported twice" '' "$(tr -s '\n ' '  ' \
		<"$work/out" | grep -oE "(jobs of )?(endless|sim_#|flaky_#\
|assemble|futile) of [a-z]+:? (hit|were|tool|ran|ended)" |
		grep -oE '(endless|sim_#|flaky_#|assemble|futile)' | sort |
		uniq -d)"
done
sweep 2 --json
is 'JSON has all nodes with less than half of their steps' "('g1', 5, 0) 9" \
	"$(value '"%s %d" % ([(x["name"], x["steps"], x["recorded"])
		for x in d["nodes"]["unrecorded"]][0],
		len(d["nodes"]["unrecorded"]))')"
is 'one node is named' "['n7']" \
	"$(value '[f["node"]["name"] for f in d["failures"] if "node" in f]')"
is 'only where it was measured is a finding named' \
	"[('align_#', 'io.stalled'), ('over_#', 'memory.over_allocated')]" \
	"$(value 'sorted((k, x["finding"]) for k, x in g.items() if "finding" in x)')"
is 'of a job without a summary the cause of idle CPUs is not known' unknown \
	"$(value 'g["mistake_#"]["cause"] if g["mistake_#"]["cause"] != "memory_unused" else "unknown"')"
is 'the sums of groups are the total' True \
	"$(value 'abs(sum(x["cpu"]["allocated_core_hours"] for x in d["groups"]) - d["total"]["cpu"]["allocated_core_hours"]) < 0.01')"
is 'those of users, too' True \
	"$(value 'sum(x["jobs"] for x in d["users"]) == d["total"]["jobs"]')"
is 'the 95th percentile is right within 1/64' True \
	"$(value 'abs(g["slow_#"]["elapsed_seconds"]["p95"] / (560 + 4 * 28) / 1.3 - 1) < 1 / 32')"

# Repeating a night gives the same page, and the same file.
before=$(md5sum <"$work/nights/2026-11-22.sweep")
sweep 2
is 'the same night again: the same page' '' "$(diff "$work/page" "$work/out")"
is 'and the same file' "$before" "$(md5sum <"$work/nights/2026-11-22.sweep")"

# Any number of shards by users.
for shards in 2 7 64; do
	rm -rf "$work/parts"
	mkdir "$work/parts"
	for ((i = 1; i <= shards; i++)); do
		sweep 2 --shard "$i/$shards" --output "$work/parts/$i"
	done
	"$stepwell" merge "$work/parts"/* >"$work/out" 2>"$work/err"
	is "$shards parts: the same page" '' "$(diff "$work/page" "$work/out")"
	is "$shards parts: the same file" "$before" \
		"$(md5sum <"$work/nights/2026-11-22.sweep")"
done
"$stepwell" merge "$work/parts"/[1-4]* >"$work/out" 2>"$work/err"
is 'without all parts there is no page' 1 $?
has 'and the first that is missing is named' 'parts missing, the first is 5;' err
"$stepwell" merge "$work/parts"/* "$work/parts/3" >"$work/out" 2>"$work/err"
is 'a part counts once' 1 $?
has 'which is said' 'part 3 of 64 was there before' err
head -c 100 "$work/parts/1" >"$work/cut"
"$stepwell" merge "$work/cut" >"$work/out" 2>"$work/err"
is 'a damaged part is refused' 1 $?
has 'by its name' 'cut: damaged' err

# As jobs of the cluster, in a folder whose name needs quoting in a shell.
cp "$fixtures/sweep/sbatch" "$work/bin/sbatch"
chmod 755 "$work/bin/sbatch"
export SBATCH_LOG=$work/sbatch
mkdir "$work/it's \$here"
cp "$work/nights/2026-11-21.sweep" "$work/it's \$here"
sweep 2 --submit 7 --state "$work/it's \$here"
is 'as jobs: ok' 0 $status
has 'their numbers are said' 'Submitted job 101 (7 parts), and job 102, which joins them.'
has 'and where the page will be' "The page will be in $work/it's \$here/2026-11-22.page."
is 'which is the same page' '' \
	"$(diff "$work/page" "$work/it's \$here/2026-11-22.page")"
is 'and the same file' "$before" \
	"$(md5sum <"$work/it's \$here/2026-11-22.sweep")"
is 'no part is left' '' "$(find "$work/it's \$here" -name 'part*')"
is 'the page waits for all parts' yes \
	"$(grep -qx -- '--dependency=afterok:101' "$work/sbatch.2" &&
	grep -qx -- '--kill-on-invalid-dep=yes' "$work/sbatch.2" && echo yes)"
rm "$work"/sbatch.*
SBATCH_FAILS=1 sweep 2 --submit 3 --state "$work/it's \$here"
is 'refused by Slurm: failure' 1 $status
has 'with its reason' 'Invalid account' err
is 'and nothing is left' '' "$(find "$work/it's \$here" -name 'part*')"
rm "$work"/sbatch.*
SBATCH_FAILS=2 sweep 2 --submit 3 --state "$work/it's \$here"
is 'the second refused: failure' 1 $status
has 'and what runs in vain' 'scancel 101' err
mkdir "$work/50%"
sweep 2 --submit 3 --state "$work/50%"
is 'a path that sbatch would change: failure' 1 $status
has 'which is said' 'sbatch writes into no folder with "%"' err
sweep 2 --submit many
is 'parts that are no number: usage' 2 $status
sweep 2 --submit 3 --shard 1/2 --output "$work/x"
is 'both: usage' 2 $status

# Killed at any moment and run again.
for i in {1..50}; do
	SACCT_JOBS=$work/jobs2 "$stepwell" sweep --from 2026-11-22 \
		>/dev/null 2>&1 &
	sleep "0.0$((i * 2 % 10))$((i % 10))"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
done
sweep 2
is 'killed and run again: the same page' '' "$(diff "$work/page" "$work/out")"
is 'the same file' "$before" "$(md5sum <"$work/nights/2026-11-22.sweep")"

# A second writer gets a message.
python3 - "$work/nights/lock" "$work/locked" <<'PYTHON' &
import fcntl, signal, sys
lock = open(sys.argv[1], "r+")
fcntl.lockf(lock, fcntl.LOCK_EX)
open(sys.argv[2], "w").close()
signal.pause()
PYTHON
await test -e "$work/locked"
sweep 2
is 'a second sweep ends' 1 $status
has 'and says why' 'another sweep is writing there' err
kill $!
wait $! 2>/dev/null

# A damaged night is not compared with, and has no other effect.
cp "$work/nights/2026-11-21.sweep" "$work/good"
printf 'x' | dd of="$work/nights/2026-11-21.sweep" bs=1 seek=3000 \
	conv=notrunc 2>/dev/null
sweep 2
is 'a damaged night: ok' 0 $status
has 'it is named' '2026-11-21.sweep: damaged' err
has 'and not compared with' 'no earlier nights'
cp "$work/good" "$work/nights/2026-11-21.sweep"

# Files of users change no number: their own profile among the summaries'
# neighbours, a summary in a folder that others can write.
sweep 2 --user bob
has 'the page of a user' '83 jobs ended of bob'
has 'with failures' '6 of 60 jobs of flaky_# of bob: tool'
lacks 'has nobody else' alice
sweep 2 --user mallory
is 'of one without jobs there is none' 3 $status
chmod 777 "$work/sum"
sweep 2
is 'summaries that others could have written: ok' 0 $status
has 'are left out' 'files of summaries'
has 'and named' 'can be written by others' err
chmod 750 "$work/sum"
cp "$work/sum/2026-11-22.n1.stepwell" "$work/n1"
printf 'garbage' | dd of="$work/sum/2026-11-22.n1.stepwell" bs=1 seek=64 \
	conv=notrunc 2>/dev/null
sweep 2
is 'a damaged summary: ok' 0 $status
cp "$work/n1" "$work/sum/2026-11-22.n1.stepwell"
sweep 2
is 'and whole again: the same page' '' "$(diff "$work/page" "$work/out")"

# Summaries in several folders, one of which also has some of the other's, and
# files that are not those of a day.
mkdir -m 750 "$work/more"
mv "$work"/sum/*.n[1-3].stepwell "$work/more"
cp "$work/sum/2026-11-22.n4.stepwell" "$work/more"
touch "$work/more/2026-11-22.n1.stepwell.tail" "$work/more/.2026-11-22.n1.new" \
	"$work/more/2026-11-22.n1.stepwell.old" "$work/more/2026-11-2x.n1.stepwell"
sed "s|^summaries_dir: .*|summary_dirs: [$work/sum, $work/more]|" \
	"$work/settings.yaml" >"$work/both.yaml"
STEPWELL_CONF=$work/both.yaml sweep 2
is 'two folders of summaries: the same page' '' \
	"$(diff "$work/page" "$work/out")"
is 'and nothing to complain of' '' "$(cat "$work/err")"
chmod 770 "$work/more"
STEPWELL_CONF=$work/both.yaml sweep 2
has 'one that others can write to is left out' 'more/2026-11-22.n1.stepwell: left out' err
chmod 750 "$work/more"
sed "s|$work/more|$work/gone|" "$work/both.yaml" >"$work/lost.yaml"
STEPWELL_CONF=$work/lost.yaml sweep 2
is 'one that is not there: ok' 0 $status
has 'it is named' 'gone: No such file or directory, so no job has more' err
rm "$work/more"/2026-11-22.n4.stepwell
mv "$work"/more/2026-11-2?.n?.stepwell "$work/sum"

# Hostile lines in accounting records.
{
	cat "$work/jobs2"
	echo 'x y|x y|c1|1001|alice|bio|main|normal|COMPLETED|0:0|0:0|1|1|1|'"$((first + 90000))"
	echo '30001|30001|c1|1001|alice|bio|main|normal|COMPLETED|0:0|0:0|-5|-5|9223372036854775808|'"$((first + 90000))"'|-7|60|1|1024M|cpu=1|99999999999999999999|cpu=1|1||n1|-1:00||||||/home/a|neg'
	printf '%s\n' '30002|30002|c1|1001|al\033[31mice|bio|main|normal|COMPLETED|0:0|0:0|'"$((first + 90000))|$((first + 90000))|$((first + 90010))|$((first + 90020))"'|10|60|1|1024M|cpu=1|1|cpu=1|1||n[1-99999999999]|00:01||||||/home/a|esc'
} >"$work/jobs3"
SACCT_JOBS=$work/jobs3 "$stepwell" sweep --from 2026-11-22 --json --quiet \
	--state "$work/other" >"$work/out" 2>"$work/err"
is 'hostile records: ok' 0 $?
has 'a line that is none is named, with --quiet, too' \
	'"x y": not the number of a job' err
is 'the others count' True "$(value 'd["total"]["jobs"] in (297, 298)')"
is 'what is no record is counted' True \
	"$(value 'd["left_out"]["bad_lines"] >= 1')"
is 'impossible values, too' True \
	"$(value 'd["left_out"]["impossible_values"] >= 1')"

# The other output formats.
sweep 2 --html "$work/page.html"
is 'HTML: ok' 0 $status
is 'it has no script, and asks for nothing' '' \
	"$(grep -oE '<script|https?://|src=|@import' "$work/page.html" |
		grep -v 'http://www.w3.org' | sort -u)"
is 'it is well-formed' '' \
	"$(python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])' "$work/page.html" 2>&1)"
is 'a name is text' 1 \
	"$(sweep 2 --html "$work/all.html" --rows 0
	   grep -c 'lt;script' "$work/all.html" | sed 's/^[1-9].*/1/')"
sweep 2 --csv
is 'CSV has a line for each group' "$(python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
print(sum(r[0] == "group" for r in rows), {len(r) for r in rows})' "$work/out")" \
	"$(sweep 2 --json; value 'str(len(d["groups"])) + " {21}"')"
sweep 2 --csv
lacks 'and no formula' '"=cmd'
sweep 2 --json --csv
is 'both at once: usage' 2 $status
sweep 2 --shard 9/8 --output "$work/x"
is 'a part that is none: usage' 2 $status
sweep 2 --until 2026-11-01
is 'a time that ends before it begins: usage' 2 $status
"$stepwell" sweep --from tomorrow-ish >"$work/out" 2>"$work/err"
is 'a time that is none: usage' 2 $?
has 'with examples' 'examples: yesterday' err
rm "$work/bin/sacct"
PATH=$work/bin sweep 2
is 'without sacct: failure' 1 $status
has 'with its reason' 'sacct' err

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
