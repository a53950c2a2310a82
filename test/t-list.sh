#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# stepwell list: its columns in text, CSV and JSON; selection, sorting, ranges
# of jobs; groups and days.
# shellcheck disable=SC2154 # what verb-lib.sh sets
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"

mknode=$builddir/test/mknode
uid=$(id -u)
[ "$uid" -ne 0 ] || uid=1
store=$XDG_STATE_HOME/stepwell
export STEPWELL_HISTORY="$work/h.sqlite"

# is WHAT EXPECTED WORD...: compare the lines of "list", joined by spaces
is()
{
	what=$1 expected=$2
	shift 2
	run list --no-sacct "$@"
	got=$(sed 1d "$work/out" | paste -sd ' ')
	if [ "$got" = "$expected" ]; then
		ok "$what"
	else
		not_ok "$what" "expected: $expected" "got: $got" \
			"$(cat "$work/err")"
	fi
}

# ids WHAT EXPECTED WORD...: likewise, of their ids
ids()
{
	what=$1 expected=$2
	shift 2
	is "$what" "$expected" --csv --format id "$@"
}

refuses 'nothing recorded' 3 'nothing recorded in' list --by day

# Jobs, days apart: 100 to 103, and elements 5 to 7 of array 200.
day=86400
for word in '100 exit=3' 101 102 '103 signal=9' \
	'201 array=200_5' '202 array=200_6' '203 array=200_7'; do
	# shellcheck disable=SC2086
	set -- $word
	later=$((($1 - 100) * day))
	[ $later -eq 0 ] || set -- "$@" later=$later
	"$mknode" "$store/c1.$1.$((1780000000 + later)).n1.stepwell" 1 \
		nodes=1 uid=$uid job="$@" || exit 99
done
"$builddir/test/mkprofile" "$srcdir/test/reports/hostile.txt" \
	"$store/run.1.n1.stepwell" || exit 99

# The table of columns is the only one.
run list --format help
sed -nE 's/^([a-z_]+) .*/\1/p' "$work/out" >"$work/columns"
check 'columns: there are some' test "$(wc -l <"$work/columns")" -gt 30
while read -r column; do
	grep -qE "(Sy|,) $column( |\$)" "$srcdir/man/stepwell-list.1" ||
		echo "$column"
	"$stepwell" list --no-sacct --format "$column" >"$work/one" 2>&1 ||
		"$stepwell" list --no-sacct --by day --format "$column" \
			>"$work/one" 2>&1 || cat "$work/one"
done <"$work/columns" >"$work/undocumented"
check 'columns: each is in the manual, and can be printed' \
	test ! -s "$work/undocumented"
run list --no-sacct --csv
check 'CSV: all but words' test "$(head -n 1 "$work/out" | tr , '\n' |
	grep -cxFf "$work/columns")" -eq "$(($(wc -l <"$work/columns") - 4))"
run list --no-sacct --json
sed -n 's/^      "\([a-z_]*\)":.*/\1/p' "$work/out" | sort -u |
	grep -vx -e nodes -e steps >"$work/fields"
check 'JSON: its fields are the columns' \
	test -z "$(grep -vxFf "$work/columns" "$work/fields")"
check 'JSON: most of them' test "$(wc -l <"$work/fields")" -gt 25
run list --no-sacct --json --format name,cpueff
check 'JSON: only the columns that were named' test "$(
	sed -n 's/^      "\([a-z_]*\)":.*/\1/p' "$work/out" | sort -u |
		paste -sd ' ')" = 'cpu_efficiency name'
COLUMNS=200 run list --no-sacct --format +user
check 'added to the usual columns' test "$(head -n 1 "$work/out" |
	tr -s ' ')" = 'id name start state elapsed CPU memory limited by finding user'
run list --no-sacct --format 'JobID%3,NNodes' 200_5
check 'names of sacct, and a width' grep -qE '^...  +1$' "$work/out"

# Refusals.
refuses 'no such column' 2 'no column "colour"' list --format id,colour
refuses 'no such column to sort by' 2 'no column ""' list --sort ''
refuses 'no width' 2 '"x" is not a width' list --format id%x
refuses 'a column of runs only' 2 'lines by day have no column "id"' \
	list --by day --format id
refuses 'nor of a group' 2 'lines by group have no column "day"' \
	list --by group --sort day
refuses 'a period' 2 'run, group or day' list --by week
refuses 'a state' 2 'no state "broken"' list --state ok,broken
refuses 'a finding' 2 'no finding "oo"' list --findings oo
refuses 'a time' 2 'is not a time' list --since soon
refuses 'a user' 2 'no user "nobody here"' list --user 'nobody here'
refuses 'CSV and JSON' 2 'exclude each other' list --csv --json
refuses '--ids reads nothing' 2 'takes only --today' list --ids --state ok
refuses 'nothing chosen' 3 'is chosen by the options' list --no-sacct \
	--name nothing
refuses 'too many columns' 2 'more than 48' list --format \
	"$(awk 'BEGIN { for (i = 0; i < 49; i++) printf "id," }')id"

# Ranges of jobs and elements.
ids 'a range of jobs' '103 102 101' 101-103
ids 'a range of elements' '200_7 200_6' '200_[6-7]'
ids 'without brackets, and another job' '200_6 200_5 100' 200_5-6 100
for range in 104-110 '200_[8-9]' 103-101 '100_[0-9]' '101-103]' '200_[6-7' \
	101-103x 101- -- '200_[6-7]x' 4294967396-4294967399; do
	[ "$range" = -- ] ||
		refuses "no jobs: $range" 3 'has the id or name' list "$range"
done

# What is chosen.
ids 'by state' '103' 100-103 --state killed
ids 'by states' '103 100' 100-103 --state FAILED,killed
ids 'Slurm'"'"'s word for ok, any case' '102 101' 100-103 --state completed
ids 'by times' '102 101' 100-103 --since "uts$((1780000000 + day))" \
	--until "uts$((1780000000 + 3 * day))"
ids 'until is exclusive' '100' 100-103 --until "uts$((1780000000 + day))"
ids 'a run that was in progress' '101 100' 100-101 \
	--since "uts$((1780000000 + 10))"
ids 'by user' '101 100' 100-101 --user "$uid"
refuses 'no other user' 3 'is chosen' list --no-sacct 100-101 --user 54321
ids 'by name, also a hostile one' '101 100' 100-101 --name 'ali<?>gn'
ids 'of several lines' run.1.n1 --name '*evil*' run.1.n1
finding=$("$stepwell" report --no-sacct --json 100 2>"$work/err" |
	sed -n 's/^      "id":"\([a-z_]*\.[a-z_]*\)",/\1/p' | head -n 1)
check 'a finding to choose' test -n "$finding"
ids 'by finding' 100 --findings "$finding" 100
ids 'by family' 100 --findings "gpu,${finding%%.*}" 100
ids 'by pattern' 100 --findings "*.${finding#*.}" 100

# Order.
ids 'by id, descending' '103 102 101 100' 100-103 --sort=-id
ids 'by two columns' '102 101 100 103' 100-103 --sort state_source,exit_code,-id
is 'unknown values are last' '102 103' 102-103 --csv --sort exit_code \
	--format id
is 'also if descending' '102 103' 102-103 --csv --sort=-exit_code --format id

# Groups and days.
is 'a line per day, newest first' '2026-05-31,1,1 2026-05-30,1,0' 102-103 \
	--by day --csv --format day,runs,failed
run list --no-sacct --json --by group 100-103
check 'a line per group' test "$(grep -c '"runs":4' "$work/out")" -eq 1
check 'a group: failed' grep -q '"failed":2' "$work/out"
check 'a group: its key' grep -q '"group":"' "$work/out"
sum() {
	run list --no-sacct --csv --format "$1" 100-103 "$2" "$3"
	awk 'NR > 1 { sum += $1 } END { print sum }' "$work/out"
}
for column in elapsed_seconds used_core_seconds allocated_core_seconds; do
	check "a group: $column is a sum" test "$(sum $column --by run)" = \
		"$(sum $column --by group)"
done
used=$(sum used_core_seconds --by group)
allocated=$(sum allocated_core_seconds --by group)
is 'a group: CPU of what was allocated' "$(echo "$used $allocated" |
	awk '{ printf "%.6g", $1 / $2 }')" --by group --csv --format cpu 100-103

# The index: what was read once is not read again.  It is written when the files
# can no longer be changed unnoticed.
index=$XDG_CACHE_HOME/stepwell/list
of_index() { stat -c '%i %Y' "$index" 2>/dev/null; }
# List twice, when no file is too young.
settle()
{
	newest=$(stat -c %Z "$store"/* | sort -n | tail -n 1)
	while [ $(($(date +%s) - newest)) -le 2 ]; do
		sleep 0.2
	done
	run list --no-sacct "$@"
	run list --no-sacct "$@"
}
run list --no-sacct --csv
cp "$work/out" "$work/read"
settle --csv
check 'index: the same as what was read' cmp -s "$work/out" "$work/read"
check 'index: of the user alone' test "$(stat -c %a "$index")" = 600
was=$(of_index)
for words in '' '--json' '--by group' '100-101' '--ids' '--state ok'; do
	# shellcheck disable=SC2086
	run list --no-sacct $words
	cp "$work/out" "$work/from"
	# shellcheck disable=SC2086
	XDG_CACHE_HOME=$work/none run list --no-sacct $words
	check "index: the same with it: $words" cmp -s "$work/out" "$work/from"
done
check 'index: nothing was read again' test "$(of_index)" = "$was"
TZ=Etc/GMT+12 run list --no-sacct --csv --format day 100
check 'index: the day is of the time zone' grep -qx 2026-05-28 "$work/out"

# A recording that was changed, replaced or removed; others stay as they were.
cp "$store/c1.100.1780000000.n1.stepwell" "$work/kept"
"$mknode" "$work/other.stepwell" 1 nodes=1 uid=$uid job=100 exit=7 || exit 99
cat "$work/other.stepwell" >"$store/c1.100.1780000000.n1.stepwell"
touch -d '2026-06-01' "$store/c1.100.1780000000.n1.stepwell"
is 'index: a changed recording is read again' 7 --csv --format exit_code 100
cp "$work/kept" "$work/new"
touch -d '2026-06-01' "$work/new"
mv "$work/new" "$store/c1.100.1780000000.n1.stepwell"
is 'index: also another file of the same times' 3 --csv --format exit_code 100
mv "$store/c1.101.1780086400.n1.stepwell" "$work/removed"
ids 'index: a removed one is not listed' '103 102 100' --name 'ali<?>gn' \
	--until "uts$((1780000000 + 4 * day))"
mv "$work/removed" "$store/c1.101.1780086400.n1.stepwell"

# A cache that is damaged, foreign or hostile says nothing.
run list --no-sacct --csv
cp "$work/out" "$work/read"
settle --csv
cp "$index" "$work/index"
same_with()
{
	run list --no-sacct --csv
	check "index: $1" cmp -s "$work/out" "$work/read"
	check "index: $1: status" is_status 0
	rm -rf "$index"
	cp "$work/index" "$index"
}
head -c 1000 "$work/index" >"$index"
same_with 'cut off'
sed 's/exit_status/exit_sTATUS/g' "$work/index" >"$index"
same_with 'damaged'
: >"$index"
same_with 'empty'
rm "$index"
mkfifo "$index"
same_with 'no file'
rm "$index"
ln -s "$work/index" "$index"
same_with 'a link'
cp "$work/index" "$index"
chmod 666 "$index"
same_with 'others may write it'
chmod 600 "$index"
chmod 777 "$XDG_CACHE_HOME/stepwell"
: >"$index"
same_with 'others may write its folder'
check 'index: nothing is written there' test ! -s "$index" -o \
	"$(of_index)" = "$(stat -c '%i %Y' "$index")"
chmod 700 "$XDG_CACHE_HOME/stepwell"
XDG_CACHE_HOME=relative HOME='' run list --no-sacct --csv
check 'index: no folder for it' cmp -s "$work/out" "$work/read"
if [ "$(id -u)" -eq 0 ]; then
	mkdir "$work/alice"
	chown 4242 "$work/alice"
	(unset XDG_CACHE_HOME; HOME=$work/alice "$stepwell" list --no-sacct \
		--csv >"$work/out" 2>"$work/err")
	check "index: another user's home" cmp -s "$work/out" "$work/read"
	check "index: nothing is left there" test -z "$(ls -A "$work/alice")"
	cp "$work/index" "$index"
	chown 4242 "$index"
	same_with "another user's"
fi

# What is imported later may be the past of a run that is listed.
XDG_STATE_HOME=$work/again STEPWELL_HISTORY=$work/again.sqlite
store=$XDG_STATE_HOME/stepwell
mkdir -p "$store"
"$mknode" "$store/c1.50.1780000000.n1.stepwell" 1 job=50 nodes=1 exit=3 \
	uid=$uid
"$mknode" "$store/c1.50.1780000700.n1.stepwell" 1 job=50 nodes=1 exit=3 \
	uid=$uid restart=1 later=700
futile() { "$stepwell" list --no-sacct --findings retry.futile --csv \
	--format id 50 2>"$work/err" | sed 1d; }
run import --claims --quiet "$store"
settle
check 'import: not futile yet' test -z "$(futile)"
{
	echo 'JobID|User|Cluster|State|ExitCode|Start|End|ElapsedRaw|JobName'
	printf '50|%s|c1|FAILED|3:0|1780000000|1780000100|100|ali<\033>gn\n' \
		"$(id -nu "$uid")"
} >"$work/records"
run import --quiet "$work/records"
check 'import: the list knows it at once' test "$(futile)" = 50
XDG_STATE_HOME=$work/state
store=$XDG_STATE_HOME/stepwell

# The final state from Slurm is not known at first, and asked for only once.
mkdir "$work/bin"
cat >"$work/bin/sacct" <<'END'
#!/bin/sh
echo asked >>"$SACCT_ASKED"
cat "$SACCT_PRINTS"
END
chmod 755 "$work/bin/sacct"
export SACCT_ASKED="$work/asked" SACCT_PRINTS="$work/prints"
: >"$SACCT_PRINTS"
PATH=$work/bin:$PATH
run list --csv --format id,state 100-103
check 'sacct: knows nothing' grep -qx 102,ok "$work/out"
"$stepwell" list --no-sacct --csv --format id,start | sed -n \
	's/^\([0-9_]*\),\(.*\)\..*/\1 \2/p' | while read -r job start; do
	printf '%s|TIMEOUT|0:0|%s|%s|100|1|16|2||16384M|01:20:00||c1|%s|n1||||||\n' \
		"$job" "$start" $((start + 100)) "$uid"
done >"$SACCT_PRINTS"
run list --csv --format id,state 100-103
check 'sacct: knows it now' grep -qx 102,TIMEOUT "$work/out"
ids 'without sacct: as was seen' 102 102 --state ok
settle --csv --format id
run list --csv --format id,state
: >"$SACCT_ASKED"
run list --csv --format id,state
check 'sacct: a final state is there' grep -qx 102,TIMEOUT "$work/out"
check 'sacct: and not asked for again' test ! -s "$SACCT_ASKED"

# Hostile names: printable, and one line each.
run list --no-sacct
check 'text: printable' test -z "$(LC_ALL=C tr -d ' -~\n' <"$work/out")"
run list --no-sacct --csv
check 'CSV: printable' test -z "$(LC_ALL=C tr -d ' -~\n' <"$work/out")"
check 'CSV: a line each' test "$(wc -l <"$work/out")" -eq 9
if command -v python3 >/dev/null; then
	"$stepwell" list --no-sacct --json >"$work/json" 2>"$work/err"
	python3 - "$work/out" "$work/json" >"$work/parsed" <<'END'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
items = json.load(open(sys.argv[2]))["recordings"]
for row, item in zip(rows, items):
    for key, text in row.items():
        value = item.get(key, "")
        if key in item and isinstance(value, (int, float)):
            assert text in ("true", "false") or float(text) == value, key
        elif key == "findings":
            assert text.split() == value, key
        elif text.isascii() and "\\" not in text:
            assert text == value, (key, text, value)
print(len(rows), len(items))
END
	check 'CSV and JSON say the same' test "$(cat "$work/parsed")" = '8 8'
fi

# Colors only on a terminal.
if command -v script >/dev/null; then
	unset NO_COLOR
	TERM=xterm script -qec "$stepwell list --no-sacct 100" /dev/null \
		>"$work/out" </dev/null
	check 'a finding has the color of its severity' \
		grep -q "$(printf '\033')\[[0-9;]*m$finding" "$work/out"
	NO_COLOR=1
	export NO_COLOR
	TERM=xterm script -qec "$stepwell list --no-sacct 100" /dev/null \
		>"$work/out" </dev/null
	check 'NO_COLOR' test -z "$(grep "$(printf '\033')" "$work/out")"
fi
finish
