#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell suggest" for a user: from sacct's output and CSV generated here to
# lines, blocks, JSON and changed scripts; and its errors on bad input.  Prints
# one line per check.
# shellcheck disable=SC2154 # what verb-lib.sh sets
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"

export STEPWELL_HISTORY="$work/h.sqlite"
mkdir "$work/jobs"
printf 'prices:\n  core_hour: 0.02\n  gib_hour: 0.005\n  currency: EUR\n' \
	> "$STEPWELL_CONF"
me=$(id -un)

# out, err WORDS: search stdout or stderr, with wrapped lines joined
out() {
	sed -e 's,^# ,,' -e 's,^// ,,' "$work/out" | tr '\n' ' ' | grep -qF -e "$1"
}

err() {
	grep -qF -e "$1" "$work/err"
}

line() {
	grep -qxF -e "$1" "$work/out"
}

# sacct COUNT NAME ELAPSED STATE: jobs of $me, each some seconds longer
id=1000
sacct() {
	echo 'JobID|JobName|User|Cluster|Partition|State|Start|End|ElapsedRaw|TimelimitRaw|ReqMem|MaxRSS|AllocCPUS|NNodes|NTasks'
	i=0
	while [ "$i" -lt "$1" ]; do
		i=$((i + 1))
		id=$((id + 1))
		seconds=$(($3 + i % 7 * 60))
		start=$((1790000000 + id * 10000))
		printf '%s|%s|%s|c1|main|%s|%s|%s|%s|1440|16G|2000000K|8|1|1\n' \
			"$id" "$2" "$me" "$4" \
			"$(date -ud "@$start" +%FT%T)" \
			"$(date -ud "@$((start + seconds))" +%FT%T)" "$seconds"
	done
}

# Arguments of the command line.
refuses 'no argument, no history' 3 'adds past runs from' suggest
refuses 'two arguments' 2 'name one job' suggest a b
refuses 'unknown risk' 2 '--risk is low, medium or high, not "none"' \
	suggest a --risk none
dialects=$("$stepwell" suggest --dialect list | paste -sd, | sed 's/,/, /g')
refuses 'unknown dialect' 2 \
	"no dialect \"unknown\"; there are ${dialects%, json} and json" \
	suggest a --dialect unknown
run suggest --help
check 'help has each dialect' out " ${dialects%, json} or json"
for size in 0 -1 x 4Q 1e9 ''; do
	refuses "input of \"$size\"" 2 '--input is a size in bytes' \
		suggest a --input "$size"
done
refuses '--write alone' 2 '--write needs --apply' suggest a --write
refuses '--apply and --json' 2 'exclude it' suggest --apply x --json

# No history.
refuses 'no history: a job' 3 'stepwell import' suggest 123
refuses 'no history: a name' 3 'stepwell import' suggest align
refuses 'no history: a hostile name' 3 'a\x1b[31m\x0ab' \
	suggest "$(printf 'a\033[31m\nb')"
cd "$work/jobs" || exit 99
printf '#!/bin/sh\n#SBATCH -J align\n#SBATCH --mem=16G -c 8 -t 1-0 # why\n\ntrue\n#SBATCH -t 5\n' > align.sh
cp align.sh align.before
refuses 'no history: a script' 3 \
	"nothing is known yet about \"$me/align\", the job group of align.sh" \
	suggest align.sh
check 'no history: the script is as it was' cmp -s align.sh align.before

# A history from sacct.
sacct 30 align 3600 COMPLETED > "$work/sacct"
run import "$work/sacct"
check 'import: status' is_status 0
run suggest align
check 'by name: status' is_status 0
check 'by name: quiet on stderr' test ! -s "$work/err"
check 'by name: how many runs' out "$me/align: advice from 30 runs"
check 'by name: a line' grep -q '^#SBATCH --time=0[1-9]:[0-5][0-9]:00$' \
	"$work/out"
check 'by name: memory in MiB or GiB' \
	grep -qx '#SBATCH --mem=[0-9]*[MG]' "$work/out"
check 'by name: its retries' \
	grep -q '^# If that is not enough: --mem=[0-9]*[MG], then --mem=' \
	"$work/out"
check 'by name: its savings' out 'GiB-hours and'
check 'by name: what is now' out 'Now 1 d 00 h.'
check 'by name: the backtest' out 'of 27 past runs at the first attempt'
check 'by name: how it was computed, and why not of all' out \
	'the runs that ended before it (the other 3 had too few).'
check 'by name: what follows' out 'If that is not enough: --time=1-00:00:00.'
check 'by name: no advice, and why' out 'CPUs: no advice yet (needs 3'
check 'by name: what would help' out 'successful runs recorded by stepwell'
check 'all can be pasted' test -z "$(grep -v -e '^#' -e '^$' "$work/out")"
check 'no line is wider than 80' test -z "$(grep '.\{81\}' "$work/out")"
check 'no colours' test -z "$(tr -d ' -~\n' < "$work/out")"
cp "$work/out" "$work/by-name"
limit=$(sed -n 's/^#SBATCH --time=//p' "$work/out")
for what in 1030 "$me/align"; do
	run suggest "$what"
	check "by $what: the same line" line "#SBATCH --time=$limit"
done
run suggest --group "$me/align"
check '--group: the same' cmp -s "$work/out" "$work/by-name"
run suggest
check 'no argument: status' is_status 0
check 'no argument: the groups' line "30 runs      $me/align"
run suggest --json
check 'no argument: the groups as JSON' out '"runs":30'
refuses 'a slip: what was meant' 3 "did you mean \"$me/align\"?" suggest algin
refuses 'another job' 3 'no run of "4711"' suggest 4711
refuses 'another step' 3 'no run of "1001.7"' suggest 1001.7

# A higher risk gives shorter limits.
minutes() {
	sed -n 's/^srun.* --time=\([0-9]*\):\([0-9]*\):00.*/\1 \2/p' \
		"$work/out" | awk '{ print $1 * 60 + $2 }'
}
for risk in low medium high; do
	run suggest align --dialect srun --risk "$risk"
	check "--risk $risk: status" is_status 0
	eval "$risk=\$(minutes)"
done
# shellcheck disable=SC2154 # they are set by eval
check "more risk is no more time ($low, $medium, $high)" \
	test "$low" -ge "$medium" -a "$medium" -ge "$high"
# shellcheck disable=SC2154
check 'never below what was seen' test "$high" -ge 66

# Other dialects.
run suggest align --dialect lsf
check 'lsf' grep -q '^#BSUB -W [0-9]*:[0-5][0-9]$' "$work/out"
run suggest align --dialect nextflow
check 'nextflow: the block' out "withName: 'align' {"
check 'nextflow: the retry' out '.min, 1440.min][Math.min(task.attempt, 2) - 1]'
check 'nextflow: its comments' test -z "$(grep '^#' "$work/out")"
run suggest align --dialect snakemake
check 'snakemake: status' is_status 0
if python3 -c 'import yaml' 2> /dev/null; then
	check 'snakemake: YAML, and Python in it' python3 -c '
import sys, yaml
rule = yaml.safe_load(open(sys.argv[1]))["set-resources"]["align"]
assert [eval(rule["runtime"], {"attempt": n}) for n in (2, 3)] == [1440] * 2
assert eval(rule["runtime"], {"attempt": 1}) < 1440' "$work/out"
else
	echo '# skipped: snakemake as YAML (no python3-yaml)'
fi
run suggest align --dialect json
cp "$work/out" "$work/json"
run suggest align --json
check 'json is --json' cmp -s "$work/out" "$work/json"
check 'json: its shape' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert r["schema"] == "stepwell.suggest/1" and r["runs"] == 30
assert r["request"]["time_seconds"] == 86400
assert r["request"]["memory_bytes"] == 16 << 30
t = [s for s in r["suggestions"] if s["resource"] == "time"][0]
assert t["is_change"] and not t["is_withheld"] and t["suggested"] < 86400
assert t["dialect_lines"]["sbatch"] == "#SBATCH --time=" + sys.argv[2]
assert t["backtest"]["of"] == 27 and t["retries"] == [86400]
c = [s for s in r["suggestions"] if s["resource"] == "cores"][0]
assert c["is_withheld"] and "suggested" not in c and c["remedy"]' \
	"$work/json" "$limit"
man=$builddir/man/stepwell-suggest.1
sed -n 's/^ *"\([a-z_]*\)":.*/\1/p' "$work/json" | sort -u |
	while read -r field; do
		grep -qwF -e "$field" "$man" || echo "$field"
	done > "$work/undocumented"
check 'json: each field is in stepwell-suggest(1)' \
	test ! -s "$work/undocumented"

# Scripts.
run suggest align.sh
check 'script: its work is found' out "$me/align: advice from 30 runs"
check 'script: its request' out '"now" is what align.sh requests.'
check 'script: the same line' line "#SBATCH --time=$limit"
# A terminal gets a script's contents escaped; patch(1) needs the raw bytes.
sed "s/# why/# why \t\x1b]0;title\x07\x9b2J caf\xc3\xa9/" align.before > hostile.sh
run suggest --apply hostile.sh
check 'apply: a file gets the bytes' grep -q "$(printf '\033]0;title')" "$work/out"
if command -v python3 > "$work/null"; then
	LC_ALL=C.UTF-8 python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
		"$stepwell" suggest --apply hostile.sh \
		> "$work/out" 2> "$work/err" < /dev/null
	check 'apply: a terminal does not' \
		test -z "$(LC_ALL=C tr -d ' -~\t\r\n\303\251' < "$work/out")"
	check 'apply: it is shown what there is' \
		out '\x1b]0;title\x07\x9b2J caf'
fi
rm hostile.sh
run suggest --apply align.sh
check 'apply: status' is_status 0
check 'apply: a difference' line '+++ align.sh'
check 'apply: the old line' \
	line '-#SBATCH --mem=16G -c 8 -t 1-0 # why'
check 'apply: the script is as it was' cmp -s align.sh align.before
check 'apply: no copy' test ! -e align.sh.orig-1
cp align.sh patched.sh
sed 's/align\.sh/patched.sh/' "$work/out" > "$work/patch"
if command -v patch > "$work/null"; then
	check 'patch takes it' patch -s -p0 -i "$work/patch"
fi
cp "$work/out" "$work/diff"
chmod 750 align.sh
run suggest --apply align.sh --write
check 'write: status' is_status 0
check 'write: the same difference' cmp -s "$work/out" "$work/diff"
check 'write: says where the old one is' \
	err 'Changed align.sh; the original is kept as align.sh.orig-1'
check 'write: the old one is kept' cmp -s align.sh.orig-1 align.before
check 'write: the mode is kept' test "$(stat -c %a align.sh)" = 750
check 'write: behind the first command nothing changes' \
	test "$(tail -1 align.sh)" = '#SBATCH -t 5'
command -v patch > "$work/null" &&
	check 'write: what patch made is the same' cmp -s align.sh patched.sh
if command -v git > "$work/null"; then
	cp align.before patched.sh
	check 'git takes it' git apply -p0 "$work/patch"
	check 'what git made is the same' cmp -s align.sh patched.sh
fi
run suggest --apply align.sh
check 'again: nothing to change' err 'nothing to change'
check 'again: no difference' test ! -s "$work/out"
run suggest align.sh
check 'again: it fits' out 'Request as now:'
printf '#!/bin/sh\r\ntrue\r\n' > align
run suggest --apply ./align
check 'by file name, and with \r\n' \
	line "$(printf '+#SBATCH --time=%s\r' "$limit")"
printf '#!/bin/sh\n#SBATCH -J other -t 600\ntrue' > other.sh
refuses 'a script of other work' 3 'nothing is known yet about' \
	suggest --apply other.sh
run suggest --apply other.sh 1005
check 'other work on purpose' line "+#SBATCH -J other -t $limit"
check 'no newline at the end' line '\ No newline at end of file'
refuses 'no script' 1 'No such file' suggest --apply none.sh
refuses 'a folder' 1 'not a regular file' suggest --apply "$work"
echo 'process {' > main.nf
refuses 'no batch script' 1 'does not begin with "#!"' suggest main.nf
printf '#!/bin/sh\n#PBS -l mem=4gb\n' > pbs.sh
refuses 'of another scheduler' 1 'a script for PBS' suggest --apply pbs.sh
printf '#!/bin/sh\n#SBATCH -J align\n#SBATCH hetjob\n' > het.sh
refuses 'heterogeneous' 1 'a heterogeneous job' suggest --apply het.sh
printf '#!/bin/sh\n#SBATCH -J align --time-min=5 -t 1-0\n' > least.sh
run suggest --apply least.sh
check 'what cannot be changed: status' is_status 4
check 'what cannot be changed: why' err 'the time is not changed: --time-min'
printf '#!/bin/sh\n#SBATCH -J align --mem-per-cpu=2G -c 8 -t 1-0\n' > each.sh
run suggest --apply each.sh
check 'memory of each CPU: in its own unit' \
	grep -q '^+#SBATCH -J align --mem-per-cpu=[0-9]*M -c 8 -t' "$work/out"
check 'memory of each CPU: nothing is replaced' \
	test -z "$(grep replaces "$work/err")"
run suggest align
whole=$(sed -n 's/^#SBATCH --mem=\([0-9]*\)M$/\1/p' "$work/out")
run suggest --apply each.sh
each=$(sed -n 's/^+.*--mem-per-cpu=\([0-9]*\)M.*/\1/p' "$work/out")
check "memory of each CPU: an eighth of it ($each, $whole)" \
	test "$each" -eq $(((whole + 7) / 8))
run suggest each.sh
check 'memory of each CPU: so is the line that is printed' \
	line "#SBATCH --mem-per-cpu=${each}M"
check 'memory of each CPU: and what follows' \
	out 'If that is not enough: --mem-per-cpu='
check 'memory of each CPU: on a node it is said' out 'Now 16.0 GiB on each node.'
check 'memory of each CPU: no other unit' test -z "$(grep -e '--mem=' "$work/out")"
run suggest each.sh --json
check 'memory of each CPU: JSON' out '"memory_per":"cpu"'
check 'memory of each CPU: the line in JSON' \
	out "\"sbatch\":\"#SBATCH --mem-per-cpu=${each}M\""
sed 's/--mem-per-cpu=2G/--mem=16G/' each.sh > node.sh
printf '#!/bin/sh\n#SBATCH -J align -c 8 -t 1-0\n' > none.sh
printf '#!/bin/sh\n#SBATCH -J align -t 1-0\n' > unknown.sh
cp "$STEPWELL_CONF" "$work/conf"
printf 'advice:\n  memory_per: cpu\n' >> "$STEPWELL_CONF"
run suggest align
check 'a site that wants it by CPU' line "#SBATCH --mem-per-cpu=${each}M"
run suggest node.sh
check 'a script that has it by node' line "#SBATCH --mem=${whole}M"
run suggest --apply none.sh
check 'a script that has none' grep -qxF "+#SBATCH --mem-per-cpu=${each}M" \
	"$work/out"
run suggest --apply unknown.sh
check 'a script without CPUs' err 'the memory is not changed: --mem-per-cpu'
cp "$work/conf" "$STEPWELL_CONF"
sacct 30 old 3600 COMPLETED > "$work/old"
sed -i 's/|16G|/|2048Mc|/' "$work/old"
run import "$work/old"
run suggest old
check 'jobs that sacct has by CPU' grep -q '^#SBATCH --mem-per-cpu=[0-9]*M$' \
	"$work/out"
printf '#!/bin/sh\n#SBATCH -J align --exclusive --mem=0 -t 1-0\n' > all.sh
run suggest --apply all.sh
check 'all of a node: it is left' test -z "$(grep -e '^+.*--mem=[1-9]' "$work/out")"
check 'all of a node: why' err 'the memory is not changed: --mem=0 takes all'
ln -s other.sh link.sh
run suggest --apply link.sh 1005 --write
check 'symbolic link: status' is_status 1
check 'symbolic link: why' err 'a symbolic link'
check 'symbolic link: it is still one' test -L link.sh
mkdir closed && cp align.before closed/align.sh && chmod 555 closed
if [ "$(id -u)" != 0 ]; then
	run suggest --apply closed/align.sh --write
	check 'folder that cannot be written: status' is_status 1
	check 'folder that cannot be written: why' err 'Permission denied'
fi
chmod 755 closed

# Advice that was followed is not changed by the next call, whatever the past:
# needs that follow requests, grow with inputs, are alike, or a kill.
past() {
	echo 'wf,task,id,start_ms,runtime_s,peak_mem_b,req_mem_b,req_time_s,input_b,status'
	awk -v kind="$1" 'BEGIN {
		srand(kind)
		for (i = 0; i < 25; i++) {
			request = 2 ^ 34
			input = ""
			need = 9e9 * (1 + rand() / 20)
			if (kind % 4 == 0) {
				request = 2 ^ 30 * (2 + 14 * rand())
				need = request * (.4 + .2 * rand())
			} else if (kind % 4 == 1) {
				input = sprintf("%.0f", 1e9 * (1 + 9 * rand()))
				need = input * (.5 + .1 * rand())
			} else if (kind % 4 == 3) {
				need = 1e9 / (rand() + .01) ^ .5
			}
			if (need > request)
				need = request
			printf "w,t%d,%d,%.0f,%d,%.0f,%.0f,86400,%s,COMPLETED\n",
				kind, i, 1.79e12 + i * 1e7,
				600 + 3e4 * rand(), need, request, input
		}
	}'
}
changed=
taken=0
for kind in 1 2 3 4 5 6 7 8 9 10 11 12; do
	past "$kind" > "$work/past.csv"
	"$stepwell" import --quiet "$work/past.csv"
	printf '#!/bin/sh\n#SBATCH -t 1-0 --mem=16G\ntrue\n' > taken.sh
	run suggest --group "w:t$kind" --apply taken.sh --write
	cp taken.sh taken.once
	taken=$((taken + $(grep -c '^#SBATCH.*--mem=[0-9]*M' taken.once)))
	run suggest --group "w:t$kind" --apply taken.sh --write
	cmp -s taken.sh taken.once || changed="$changed $kind"
done
check "advice was taken ($taken of 12)" test "$taken" -ge 8
check "advice that was taken stays (not:$changed)" test -z "$changed"

# The kill behind the advice, and inputs larger than all seen.
past 2 > "$work/past.csv"
sed -n '1p; s/^w,t2,24,\(.*\),COMPLETED$/w,t2,99,\1,OUT_OF_MEMORY/p' \
	"$work/past.csv" > "$work/killed.csv"
"$stepwell" import --quiet "$work/killed.csv"
run suggest --group "w:t2"
check 'the kill is named' out \
	'Job 99 ran out of memory when it had 16.0 GiB, more than any'
run suggest --group "w:t2" --json
check 'the kill is named in JSON' out '"oom_killed_job":"99"'
run suggest --group "w:t1" --input 200G
check 'an input beyond all: it is said' out 'is an extrapolation that no run confirms'
check 'an input beyond all: no time' out 'Time: no advice yet (the input is 200'
check 'an input beyond all: no line of time' test -z "$(grep -e --time= "$work/out")"

# Groups of one run each, by a pattern; names in other scripts.
for i in 1 2 3 4 5 6; do
	sacct 1 "kmers_s$i" 3600 COMPLETED
done > "$work/sacct"
sacct 3 "größe" 3600 COMPLETED >> "$work/sacct"
run import "$work/sacct"
run suggest kmers_s3
check 'one of them alone: no lines' test -z "$(grep '^#SBATCH' "$work/out")"
run suggest 'kmers_*'
check 'a pattern: status' is_status 0
check 'a pattern: whose runs' out \
	'kmers_*: advice from 6 runs of 6 job groups'
check 'a pattern: a line' grep -q '^#SBATCH --mem=' "$work/out"
refuses 'a pattern of nothing' 3 'no run of "none_*"' suggest 'none_*'
run suggest
check 'other letters: they are printed' line "3 runs       $me/größe"
run suggest "$me/größe"
check 'other letters: they are found again' out 'advice from 3 runs'

# Groups with too little data.
sacct 1 once 3600 COMPLETED > "$work/sacct"
sacct 9 broken 100 FAILED >> "$work/sacct.2"
run import "$work/sacct" "$work/sacct.2"
run suggest once
check 'one run: status' is_status 3
check 'one run: why' out 'Memory, time: no advice yet (needs 3 successful runs, has 1)'
check 'one run: no lines' test -z "$(grep '^#SBATCH' "$work/out")"
run suggest broken
check 'all failed: status' is_status 3
check 'all failed: no lines' test -z "$(grep '^#SBATCH' "$work/out")"
check 'all failed: why' out 'time, CPUs: no advice yet (needs 3'
sacct 6 late 86400 TIMEOUT > "$work/sacct"
run import "$work/sacct"
run suggest late
check 'killed at the limit: a step up' \
	line '#SBATCH --time=2-00:12:00'
check 'killed at the limit: says so' out 'A lower bound to try'

# A job that was recorded but not imported yet.
if "$builddir/test/mknode" \
	"$XDG_STATE_HOME/stepwell/c1.4242.1780000000.n1.stepwell" 1 job=4242
then
	run suggest 4242
	check 'recorded only: its work is found' out 'advice from 1 run;'
	check 'recorded only: status' is_status 3
	refuses 'recorded only: not another' 3 'no run of "4243"' suggest 4243
	rm "$XDG_STATE_HOME"/stepwell/*.stepwell
else
	not_ok 'mknode'
fi

# Impossible numbers.
cat > "$work/absurd.csv" <<END
wf,task,peak_mem_b,runtime_s,req_mem_b,req_time_s,start_ms
w,absurd,0,0,0,0,0
w,absurd,-5,-3,-1,-1,5
w,absurd,1e30,1e30,1e30,1e30,1e30
END
run import "$work/absurd.csv"
check 'absurd: import' test "$status" -ne 1
run suggest absurd
check 'absurd: no lines' test -z "$(grep '^#SBATCH' "$work/out")"
check 'absurd: status' is_status 3

# The size of the input.
{
	echo 'wf,task,peak_mem_b,runtime_s,req_mem_b,req_time_s,start_ms,input_b'
	for i in $(seq 1 20); do
		echo "w,sized,$((i * 100000000)),$((600 + i * 100)),16000000000,86400,$((1790000000000 + i * 4000000)),$((i * 1000000000))"
	done
} > "$work/sized.csv"
run import "$work/sized.csv"
run suggest sized
check 'input: the largest where none is named' \
	out 'For an input of 18.6 GiB, the largest of these runs;'
run suggest sized --input 2G
check 'input: as it was said' out 'For an input of 2.0 GiB, as given;'
run suggest sized --input 123456789 --json
check 'input: in bytes' out '"bytes":123456789,'

# Histories that are locked, damaged, or of another owner.
before=$("$stepwell" suggest align)
"$stepwell" import "$work/sacct" > "$work/one" 2>&1 &
one=$!
"$stepwell" import "$work/sized.csv" > "$work/two" 2>&1 &
two=$!
run suggest align
check 'two writers: an answer' is_status 0
wait "$one" && wait "$two"
check 'two writers: both are done' test "$?" -eq 0
check 'two writers: nothing is lost' \
	test "$("$stepwell" suggest align)" = "$before"
mkfifo "$work/locked"
python3 - "$STEPWELL_HISTORY" > "$work/locked" <<'END' &
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA locking_mode = EXCLUSIVE")
db.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(60)
END
locker=$!
read -r _ < "$work/locked"
refuses 'locked: says so' 1 'lock' suggest align
kill "$locker"
wait "$locker" 2> "$work/null"
check 'locked no more' test "$("$stepwell" suggest align)" = "$before"
printf 'no database, but long enough that it could be taken for one' \
	> "$work/text"
cp "$STEPWELL_HISTORY" "$work/good.sqlite"
dd if=/dev/urandom of="$STEPWELL_HISTORY" bs=4096 count=4 conv=notrunc \
	2> "$work/null"
rm -f "$STEPWELL_HISTORY-wal" "$STEPWELL_HISTORY-shm"
run suggest align
check 'damaged: status' is_status 3
check 'damaged: moved aside with a message' err "$STEPWELL_HISTORY.damaged-1"
check 'damaged: what was there is kept' test -s "$STEPWELL_HISTORY.damaged-1"
run suggest align
check 'damaged: once' test -z "$(grep damaged "$work/err")"
python3 -c '
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TABLE theirs (x)")
db.commit()' "$work/theirs.sqlite"
STEPWELL_HISTORY=$work/theirs.sqlite
refuses 'of another program' 1 'another program' suggest align
STEPWELL_HISTORY=$work/good.sqlite
run suggest align
check 'the good one again' test "$(cat "$work/out")" = "$before"

# Samples: names of the same programs that differ in a number.
STEPWELL_HISTORY=$work/samples.sqlite
sample() {
	"$stepwell" run --no-report --mem 1G --cpus 1 --name "$1" -- \
		sh -c "head -c 20000000 /dev/zero | $2 >/dev/null"
}
for i in 1 2 3 4; do
	sample "kmers_s$i" md5sum
done
sample kmers_t4 md5sum
sample kmers_t16 md5sum
run suggest
check 'samples: the list says how many names' line \
	"4 runs       $me/kmers_s* (4 names)"
check 'samples: threads are none' test "$(grep -c 'kmers_t' "$work/out")" = 2
check 'samples: nothing else is there' test "$(wc -l < "$work/out")" = 3
run suggest --json
check 'samples: the list as JSON' out '"names":4'
run suggest kmers_s2
check 'samples: there is advice' is_status 0
check 'samples: from all of them' out \
	"$me/kmers_s* (4 names): advice from 4 runs"
check 'samples: how to take one alone' out "--group $me/kmers_s2 for that name"
run suggest kmers_s2 --json
check 'samples: as JSON' out "\"family\":\"$me/kmers_s*\""
run suggest --group "$me/kmers_s2"
check 'samples: --group is that name' out "$me/kmers_s2: advice from 1 run"
printf '#!/bin/sh\n#SBATCH -J kmers_s5 --mem=1G -c 1\nmd5sum x\n' > s5.sh
run suggest s5.sh
check 'samples: the script of the next one' out 'advice from 4 runs; "now" is'
run report kmers_s3
check 'samples: the report' out "from 4 runs of $me/kmers_s* (4 names)"
cp "$STEPWELL_CONF" "$work/conf"
printf 'advice:\n  folds_names: no\n' >> "$STEPWELL_CONF"
run suggest kmers_s2
check 'samples: a setting turns it off' out "$me/kmers_s2: advice from 1 run"
run suggest
check 'samples: also in the list' test "$(wc -l < "$work/out")" = 6
cp "$work/conf" "$STEPWELL_CONF"
STEPWELL_HISTORY=$work/good.sqlite

# Kinds of nodes.
cat > "$work/nodes.csv" <<END
node,cpus,memory_gib,price_per_hour,currency,as_of
fat,64,512,4,EUR,2026-01-08
thin,32,128,1.5,EUR,2026-01-08
tiny,1,0.001,0.1,EUR,2026-01-08
END
echo "node_catalogue: $work/nodes.csv" >> "$STEPWELL_CONF"
run suggest align
check 'kinds of nodes: the cheapest first, with its date' out \
	'1. thin: fits; 0.38 EUR an hour for 25 % of a node (price of 2026-01-08)'
check 'kinds of nodes: what does not fit, and why' out \
	'3. tiny: does not fit, needs 2.3 GiB of memory, has 1.0 MiB'
check 'kinds of nodes: no time is foretold' out 'How fast they are for this work is not known'
echo 'fat,64,512,4,EUR,2026-01-08' >> "$work/nodes.csv"
run suggest align
check 'kinds of nodes: a mistake in the catalogue' out \
	'nodes.csv:5: each kind of node comes once, not "fat".'

# The output cannot be written.
"$stepwell" suggest align > /dev/full 2> "$work/err"
status=$?
check 'full disk: status' is_status 1
check 'full disk: words' err 'No space left on device'

finish
