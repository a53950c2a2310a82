#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Black-box tests of jobs: found by id in all folders, on all nodes, step by
# step; the list; and sacct instead of profiles.  Needs the built programs below
# $abs_top_builddir; prints one line per check.
# shellcheck disable=SC2154 # what verb-lib.sh sets
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"

mknode=$builddir/test/mknode
uid=$(id -u)
state=$work/state/stepwell
profiles=$work/profiles
mkdir -p "$profiles/$uid" "$profiles/4242" "$work/bin"
echo "profile_dir: $profiles" > "$STEPWELL_CONF"

has() { grep -qF -e "$1" "$work/out"; }
lacks() { ! grep -qF -e "$1" "$work/out"; }
says() { grep -qF -e "$1" "$work/err"; }
silent() { ! grep -qF -e "$1" "$work/err"; }
lines_are() { [ "$(wc -l < "$2")" -eq "$1" ]; }
lines() { [ "$(wc -l < "$work/out")" -eq "$1" ]; }

# In a user's folder only that user's files count.
make_node() {
	"$mknode" "$@" || { echo 'Bail out! mknode'; exit 99; }
	case $1 in "$profiles"/*) chown "$(basename "$(dirname "$1")")" "$1";;
	esac
}

# Only these programs and the fake sacct, once it exists.
for program in sh cat sleep printf; do
	ln -s "$(command -v "$program")" "$work/bin/$program" 2> /dev/null
done
PATH_ALL=$PATH
without_sacct() { PATH=$work/bin; run "$@"; PATH=$PATH_ALL; }

# Two nodes of job 123, one in each folder.
if [ "$uid" = 0 ]; then
	# mknode accepts no uid 0: root reads the users' folders.
	rm -r "$profiles/$uid" "$profiles/4242"
	mkdir -p "$profiles/1"
	chown 1 "$profiles/1"
	own=$profiles/1 owner=1
else
	own=$profiles/$uid owner=$uid
fi
make_node "$state/c1.123.1780000000.n1.stepwell" 1 job=123 uid=$owner
make_node "$own/c1.123.1780000000.n2.stepwell" 2 job=123 uid=$owner
# Array 130: elements 1 and 2, the second requeued; het job 200.
make_node "$own/c1.131.1780000000.n1.stepwell" 1 job=131 array=130_1 \
	nodes=1 uid=$owner
make_node "$own/c1.130.1780000000.n1.stepwell" 1 job=130 array=130_2 \
	nodes=1 uid=$owner restart=1
make_node "$own/c1.130.1780000900.n2.stepwell" 2 job=130 array=130_2 \
	nodes=1 uid=$owner restart=2
make_node "$own/c1.201.1780000000.n1.stepwell" 1 job=201 het=200+1 \
	nodes=1 uid=$owner
# Files of somebody else in a folder are not that user's.
make_node "$own/c1.666.1780000000.n1.stepwell" 1 job=666 uid=$((owner + 7))
ln -s "$state/c1.123.1780000000.n1.stepwell" \
	"$own/c1.667.1780000000.n1.stepwell"

run report 123
check 'job: status' is_status 0
check 'job: both nodes' has '2 of 2: n1, n2'
check 'job: steps' has 'extern'
check 'job: balance' has 'rank 4, n2'
run report --brief 123
check 'job --brief: nodes' has 'stepwell: nodes: 2 of 2: n1, n2'
check 'job --brief: ten lines at most' test "$(wc -l < "$work/out")" -le 10
run report --brief "$state/c1.123.1780000000.n1.stepwell"
check 'one node --brief' has 'nodes: 1 of 2: n1'

# A folder stands for all nodes of its newest job, as the job id does.
mkdir "$work/eight"
for node in 1 2 3 4 5 6 7; do
	make_node "$work/eight/c1.150.1780000000.n$node.stepwell" $node \
		job=150 nodes=8 only=0
done
make_node "$work/eight/renamed.stepwell" 8 job=150 nodes=8 only=0
make_node "$work/eight/c1.149.1780000000.n1.stepwell" 1 job=149 nodes=1
touch -d '1 hour ago' "$work/eight/c1.149.1780000000.n1.stepwell"
run report "$work/eight"
check 'folder: status' is_status 0
check 'folder: all nodes of the job' has '8 of 8: n'
check 'folder: each of them' has 'In step 0 on n1, and 7 more'
run report --json "$work/eight"
check 'folder --json: nodes' has '"nodes_recorded":8'
run report --brief --step 0 "$work/eight"
check 'folder: a step' has 'job 150.0'
check 'folder: its nodes' has 'nodes: 8 of 8'
rm "$work/eight"/*150* "$work/eight/renamed.stepwell"
run report "$work/eight"
check 'folder: another job' has '1 of 1: n1'

run report 123.1
check 'step: status' is_status 0
check 'step: title' has 'job 123.1: Exit status 1'
check 'step: alone' lacks 'batch'
run report --step=1 123
check '--step: the same' has 'job 123.1: Exit status 1'
run report --step batch 123
check '--step with a word of its own' has 'job 123.batch'
check 'batch is on one node' has '1 of 1: n1'
run report 123.7
check 'no such step: status' is_status 3
check 'no such step: words' says 'no recording has a step "7"'
run report 123 --step
check '--step without a value: status' is_status 2
check '--step without a value: words' says '--step needs a value'
run report --json 123
check 'json: nodes' has '"nodes_recorded":2'
check 'json: tasks' has '"rank":7'

run report 130
check 'array: one has to be named' is_status 2
check 'array: says which there are' says '130_'
run report --brief 130_2
check 'array: element' has 'job 130_2: '
run report 130_2
check 'requeued: the last restart' has 'restarted: 2'
check 'requeued: only its node' has '1 of 1: n2'
check 'requeued: the run before it' has 'earlier   1 earlier run'
check 'requeued: its file' has "$own/c1.130.1780000000.n1.stepwell"
run report --brief 131
check "an element by Slurm's own number" has 'job 130_1: '
run report --brief 200+1
check 'het: component' has 'job 200+1: '
run report --brief 200
check 'het: the only one recorded' has 'job 200+1: '

make_node "$own/c1.200.1780000000.n2.stepwell" 2 job=200 het=200+0 \
	nodes=1 uid=$owner
run report --brief 200
check 'het: --brief is of the whole job' \
	[ "$(grep -c '^stepwell: job' "$work/out")" = 1 ]
check 'het: by its own number' has 'stepwell: job 200: Exit status 0'
check 'het: with the nodes of both' \
	has 'nodes: 2 of 2: n1 (component 1), n2 (component 0)'
run report 200
check 'het: the whole, then both components, the first one first' [ "$(sed -n \
	's/^job \(200[+0-9]*\): .*/\1/p' "$work/out" | paste -sd' ')" = \
	'200 200+0 200+1' ]
run report --html - 200
check 'het: --html has the same, on one page' [ "$(grep -o \
	'<h1[^>]*>job 200[+0-9]*\|</html>' "$work/out" | sed 's/.*job //' |
	paste -sd' ')" = '200 200+0 200+1 </html>' ]
run report --json 200
check 'het: --json: status' is_status 0
check 'het: --json has the job, and a report of each component' \
	[ "$(python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["job"]["id"], r["job"]["nodes_recorded"], len(r["steps"]),
      sorted(n["het_component"] for n in r["nodes"]),
      [(c["job"]["id"], len(c["steps"]), "findings" in c)
       for c in r["components"]])' <"$work/out")" = \
	"200 2 4 [0, 1] [('200+0', 3, True), ('200+1', 4, True)]" ]
run report --step 0 200
check 'het: a step is of one of them' is_status 2
rm "$own/c1.200.1780000000.n2.stepwell"

COLUMNS=160 run list
check 'list: status' is_status 0
check 'list: a line for each job and a head' lines 5
check 'list: nodes' has '123 (4 steps, 2 nodes)'
check 'list: steps' has '200+1 (4 steps)'
check 'list: element' has '130_1'
check 'list: name' has 'ali<\x1b>gn'
run list other.stepwell
check 'list: what ends as recordings do is a path' \
	eval '! grep -q "id or name" "$work/err" "$work/out"'
run list --json
check 'list --json: steps' has '"id":"batch"'
check 'list --json: nodes' has '"name":"n2"'
touch -d '2 hours' "$own/c1.123.1780000000.n2.stepwell" 2> /dev/null ||
	touch "$own/c1.123.1780000000.n2.stepwell"
run report --brief
check 'the newest: of all folders, with all nodes' has \
	'stepwell: nodes: 2 of 2'

# A node that had no step for long, and began a second file.
make_node "$own/c1.140.1780000000.n1.stepwell" 1 job=140 nodes=1 uid=$owner \
	only=0
make_node "$own/c1.140.1780000700.n1.stepwell" 1 job=140 nodes=1 uid=$owner \
	only=1 later=700
run report 140
check 'two files of a node: status' is_status 0
check 'two files of a node: one node' has '1 of 1: n1'
check 'two files of a node: from the first step' has '13 min'
check 'two files of a node: the earlier step' \
	grep -q '^  0  *4  *1  *50' "$work/out"
check 'two files of a node: the later step' \
	grep -q '^  1  *4  *1  *50' "$work/out"
check 'two files of a node: says so' has '2 recordings of n1'
run report --brief 140
check 'two files of a node: --brief counts both' has 'steps: 2, 0 failed'
run report --json 140
check 'two files of a node: json' has '"recordings":2'
COLUMNS=160 run list
check 'two files of a node: one line' lines 6
check 'two files of a node: its steps' has '140 (2 steps) '
run list --json
check 'two files of a node: list --json has the first' \
	has '"path":"'"$own"'/c1.140.1780000000.n1.stepwell"'
check 'two files of a node: list --json has the second' \
	has '"path":"'"$own"'/c1.140.1780000700.n1.stepwell"'
mkdir "$work/copies"
cp -p "$own"/c1.140.*.stepwell "$work/copies"
cp -p "$own/c1.140.1780000000.n1.stepwell" \
	"$work/copies/c1.140.1780000001.n1.stepwell"
run list "$work/copies"
check 'a copy of a file counts once' has '140 (2 steps) '
rm "$own/c1.140.1780000000.n1.stepwell"
run report 140
check 'the first file removed: the rest is reported' is_status 0
check 'the first file removed: its step is gone' lacks '2 recordings'
rm "$own/c1.140.1780000700.n1.stepwell"

# Slurm 22.05 does not provide the restart count: n1 and n2, then n1 and n3.
for node in 1 2; do
	make_node "$own/c1.150.1780000000.n$node.stepwell" $node job=150 \
		uid=$owner
done
for node in 1 3; do
	make_node "$own/c1.150.1780000300.n$node.stepwell" $node job=150 \
		uid=$owner later=300
done
run report 150
check 'requeued, no count: status' is_status 0
check 'requeued, no count: nodes of the last run' has '2 of 2: n1, n3'
check 'requeued, no count: began with it' has '2026-05-28 20:31:40'
check 'requeued, no count: says so' has 'earlier   1 earlier run'
check 'requeued, no count: how to see it' \
	has "$own/c1.150.1780000000.n1.stepwell"
check 'requeued, no count: fits 80 columns but for paths' \
	test -z "$(grep -v /c1.150 "$work/out" | LC_ALL=C grep -E '^.{81}')"
run report --json 150
check 'requeued, no count: json' has '"earlier_runs":1'
check 'requeued, no count: json has the files' \
	has '"path":"'"$own"'/c1.150.1780000000.n2.stepwell"'
run report "$own/c1.150.1780000000.n1.stepwell"
check 'requeued, no count: an earlier file' has '2026-05-28 20:26:40'
check 'requeued, no count: by itself' lacks 'earlier  '
COLUMNS=160 run list
check 'requeued, no count: one line' lines 6
check 'requeued, no count: its nodes' has '150 (4 steps, 2 nodes)'
rm "$own"/c1.150.*

# A node whose file cannot be read.
head -c 10 "$own/c1.123.1780000000.n2.stepwell" > "$work/short"
cp "$own/c1.123.1780000000.n2.stepwell" "$work/whole"
cp "$work/short" "$own/c1.123.1780000000.n2.stepwell"
run report --brief 123
check 'unreadable node: partial' is_status 4
check 'unreadable node: the other one' has 'nodes: 1 of 2: n1'
check 'unreadable node: says so' says '1 recording is missing from the report'
run list
check 'unreadable node: the list names it' says \
	'c1.123.1780000000.n2.stepwell'
check 'unreadable node: and not the other' silent c1.123.1780000000.n1.stepwell
# Complete except for some bytes in the middle.
cp "$work/whole" "$own/c1.123.1780000000.n2.stepwell"
size=$(wc -c < "$work/whole")
printf 'damaged' | dd of="$own/c1.123.1780000000.n2.stepwell" bs=1 \
	seek=$((size * 9 / 10)) conv=notrunc 2> /dev/null
run list
check 'damaged node: the list names it' says \
	'c1.123.1780000000.n2.stepwell: parts of the file are damaged'
check 'damaged node: and not the other' silent c1.123.1780000000.n1.stepwell
cp "$work/whole" "$own/c1.123.1780000000.n2.stepwell"

# A file that announces more tasks than it has.
make_node "$work/part.stepwell" 1 job=160 nodes=2 tasks=1
run report "$work/part.stepwell"
check 'one task of two: the report' has 'name'
check 'one task of two: nothing to compare' lacks 'Balance'

# Without a profile.
without_sacct report 999
check 'no sacct: status' is_status 3
check 'no sacct: words' says 'sacct is not installed'
check 'no sacct: nothing on stdout' test ! -s "$work/out"
without_sacct report 666
check 'a file of another user does not count' is_status 3
without_sacct report 667
check 'a link in a user'"'"'s folder does not count' is_status 3

cat > "$work/bin/sacct" << 'EOF'
#!/bin/sh
printf '%s\n' "$*" >> "$SACCT_ARGS"
case $SACCT_DOES in
hang)
	exec sleep 600 ;;
fail)
	printf 'sacct: error: \033[31mslurmdbd\n' >&2
	exit 1 ;;
array)
	echo '999_1|COMPLETED|0:0|1|2|1||1|1|||||c1|u|n1||||||'
	echo '999_2|COMPLETED|0:0|1|2|1||1|1|||||c1|u|n1||||||' ;;
esac
while read -r line; do
	echo "$line||||||5400"
done <"$SACCT_PRINTS"
EOF
chmod +x "$work/bin/sacct"
SACCT_ARGS=$work/args SACCT_PRINTS=$work/prints SACCT_DOES=print
export SACCT_ARGS SACCT_PRINTS SACCT_DOES
cat > "$work/prints" << 'EOF'
999|OUT_OF_MEMORY|0:125|1780000000|1780000600|600|60|8|2||16384M|01:20:00||c1|alice|n[1-2]
999.batch|OUT_OF_MEMORY|0:125|1780000000|1780000600|600||4|1|1||00:01.500|10240K|c1||n1
999.0|FAILED|137:0|1780000010|1780000590|580||8|2|8||01:19:58|2097152K|c1||n[1-2]
EOF
with_sacct() { PATH=$work/bin; run "$@"; PATH=$PATH_ALL; }
with_sacct report 999
check 'sacct: status' is_status 0
check 'sacct: state' has 'job 999: OUT_OF_MEMORY'
check 'sacct: the mark of an OOM kill is no signal' lacks 'signal 125'
check 'sacct: CPU' has '1 h 20 min of CPU time, 100 % of 8 CPUs'
check 'sacct: memory' has 'task 2.0 GiB; requested 16.0 GiB'
check 'sacct: energy' has 'energy    1.5 Wh, of whole nodes, as Slurm measured it'
check 'sacct: says what is not known' has 'There is no profile of this job'
check 'sacct: a step' has 'exit 137'
check 'sacct: asked for the one job' \
	grep -qF -e '--jobs 999 --format' "$work/args"
check 'sacct: fits 80 columns' \
	test -z "$(LC_ALL=C grep -E '^.{81}' "$work/out")"
with_sacct report --brief 999
check 'sacct --brief' has '(from sacct; there is no profile)'
with_sacct report --html - 999
check 'sacct --html: state' has '<p class="lead">OUT_OF_MEMORY'
check 'sacct --html: a step' has '<th scope="row">0</th>'
check 'sacct --html: says what is not known' has 'There is no profile of this job'
check 'sacct --html: all of it' has '</html>'
with_sacct report --json 999.0
check 'sacct --json: schema' has '"schema":"stepwell.report/1"'
check 'sacct --json: source' has '"final_source":"sacct"'
check 'sacct --json: nothing evaluated' has '"because":"there is no profile"'
check 'sacct: a step is asked for with its job' \
	test "$(grep -c -e '--jobs 999 ' "$work/args")" -eq 4
echo '999|NODE_FAIL|0:0|1780000000|1780000600|600|60|8|2||16384M|00:00:00||c1|alice|n[1-2]' > "$work/prints"
with_sacct report 999
check 'sacct: a CPU time of 0 is none that was recorded' \
	has 'CPU       use not recorded by Slurm'
check 'sacct: nor is a missing size CPU use' \
	has 'memory    use not recorded by Slurm; requested 16.0 GiB'
check 'sacct: a node that failed delivers later' \
	has 'delivers what it recorded once it has'
with_sacct report --brief 999
check 'sacct: nor is it known when the job stopped' \
	has 'until the node is back; the job may have stopped earlier'
echo '999|PENDING|0:0|Unknown|Unknown|0|60|8|2||16384M|00:00:00||c1|alice|None assigned' > "$work/prints"
with_sacct report --brief 999
check 'sacct: what has not begun took no time' \
	has 'job 999: PENDING (from sacct; there is no profile)'
echo '999|FAILED|0:53|1780000000|1780000600|600|60|8|2||16384M|01:20:00||c1|alice|n[1-2]' > "$work/prints"
with_sacct report 999
check 'sacct: a file that could not be opened is no signal' \
	has 'FAILED, exit code 0:53: its output or error file could'
with_sacct report 999.5
check 'sacct: no such step' is_status 3
printf '999|\033[2J\233|0:0|x|y|z|||||||||%s|n\n' 'a"b' > "$work/prints"
with_sacct report 999
check 'hostile sacct: status' is_status 0
check 'hostile sacct: printable' \
	test -z "$(LC_ALL=C tr -d ' -~\n' < "$work/out")"
with_sacct report --html - 999
check 'hostile sacct --html: printable' \
	test -z "$(LC_ALL=C tr -d ' -~\n' < "$work/out")"
SACCT_DOES=fail
with_sacct report 999
check 'sacct fails: status' is_status 3
check 'sacct fails: words' says 'sacct failed: sacct: error: \x1b[31mslurmdbd'

# Slurm's final states of recorded jobs.
SACCT_DOES=print
cat > "$work/prints" << EOF
123|REQUEUED|0:0|1779990000|1779990100|100|1|16|2||16384M|01:20:00||c1|$owner|n[1-2]
123|TIMEOUT|0:0|1780000000|1780000100|100|1|16|2||16384M|01:20:00||c1|$owner|n[1-2]
123.batch|CANCELLED|0:15|1780000000|1780000100|100||4|1|1||00:01.500|10240K|c1||n1
123.1|OUT_OF_MEMORY|0:125|1780000010|1780000090|80||8|2|8||01:19:58|2097152K|c1||n[1-2]
201|COMPLETED|0:0|1780000000|1780000100|100|1|8|1||16384M|01:20:00||c1|$owner|n1
200+1|CANCELLED by 1000|0:15|1780000000|1780000100|100|1|8|1||16384M|01:20:00||c1|$owner|n1
130_2|RUNNING|0:0|1780000000|Unknown|50|1|8|1||16384M|01:20:00||c1|$owner|n2
130_1|NODE_FAIL|0:0|1780000000|1780000100|50|1|8|1||16384M|01:20:00||c1|$owner|n1
EOF
: > "$work/args"
with_sacct report 123
check "Slurm's state" has 'job 123: TIMEOUT (limit 1 min 00 s, exit status 0)'
check "Slurm's state: its line" has 'Slurm     TIMEOUT, exit code 0 (sacct)'
check "Slurm's state: of a step" has 'OUT_OF_MEMORY (1 of 8 tasks)'
check "Slurm's state: all runs are asked for, once" test \
	"$(grep -c -e '--duplicates .*--jobs 123 --format' "$work/args")" -eq 1
with_sacct report --brief 123.1
check "Slurm's state: one step" has 'job 123.1: OUT_OF_MEMORY (exit status 1)'
with_sacct report --json 123
check "Slurm's state: JSON" has '"state":"TIMEOUT"'
check "Slurm's state: JSON, its source" has '"state_source":"sacct"'
check "Slurm's state: JSON, the limit" has '"requested_seconds":60'
with_sacct report --brief 130_2
check 'no final state yet' has '(still RUNNING in Slurm)'
printf '130_2|RUNNING\033[2J|0:0|1780000000|Unknown|50|1|8|1||1G|||c1|%s|n2\n' "$owner" \
	> "$work/hostile"
SACCT_PRINTS=$work/hostile
with_sacct report --brief 130_2
check 'a hostile state' has '(still RUNNING in Slurm)'
with_sacct report 130_2
check 'a hostile state: printable' \
	test -z "$(LC_ALL=C tr -d ' -~\n' < "$work/out")"
SACCT_PRINTS=$work/prints
with_sacct report --brief --no-sacct 123
check '--no-sacct' has "(for Slurm's final state: stepwell report 123)"
: > "$work/args"
with_sacct list
check 'list: a state' grep -q '^123 .* TIMEOUT ' "$work/out"
check 'list: another' grep -q '^200+1 .* CANCELLED ' "$work/out"
check 'list: a lost node' grep -q '^130_1 .* NODE_FAIL ' "$work/out"
check 'list: none yet' grep -q '^130_2 .* exit 1 ' "$work/out"
check 'list: asked for all at once' lines_are 1 "$work/args"
with_sacct list --json
check 'list --json: a state' has '"state":"CANCELLED"'
: > "$work/args"
with_sacct list --no-sacct
check 'list --no-sacct' grep -q '^123 .* exit 0 ' "$work/out"
check 'list --no-sacct: not asked' lines_are 0 "$work/args"
SACCT_DOES=fail
with_sacct report 123
check 'sacct fails: the report is there' is_status 0
check 'sacct fails: says what is not known' has "final state is not known"
check 'sacct fails: says why' has 'final state not known: sacct failed'
with_sacct list
check 'list: sacct fails: status' is_status 0
check 'list: sacct fails: words' says \
	'the final states of jobs in Slurm are not known: sacct failed'
SACCT_DOES=hang
with_sacct report 123
check 'sacct hangs: the report is there' is_status 0
check 'sacct hangs: says so' has 'sacct did not answer in time'
mv "$work/bin/sacct" "$work/sacct"
without_sacct list
mv "$work/sacct" "$work/bin/sacct"
check 'no sacct: the list says nothing of it' silent sacct

SACCT_DOES=array
: > "$work/prints"
with_sacct report 999
check 'sacct: an array' is_status 2
check 'sacct: an array: words' says 'name one, as in "999_1"'

finish
