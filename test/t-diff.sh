#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell diff" with real recordings: the first line names the one way in which
# two runs differ, and nothing where they do not.
# shellcheck disable=SC2154 # what verb-lib.sh sets
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"
unset STEPWELL_HISTORY

contains() {
	grep -qF -e "$2" "$1"
}

lacks() {
	! grep -qF -e "$2" "$1"
}

# The paragraph before the runs, on one line.
verdict() {
	sed '/^  A  /,$d' "$work/out" | tr '\n' ' ' > "$work/verdict"
}

# record NAME COMMAND...: as a file and a group of its own
record() {
	name=$1
	shift
	"$stepwell" run --no-report --name "$name" \
		--output "$work/$name.stepwell" -- "$@" \
		> "$work/recorded" 2>&1 < /dev/null
}

# says WHAT A B TEXT...: each text is in the first paragraph
says() {
	what=$1
	run diff "$work/$2.stepwell" "$work/$3.stepwell"
	shift 3
	check "$what: status" is_status 0
	verdict
	for text in "$@"; do
		check "$what: \"$text\"" contains "$work/verdict" "$text"
	done
	fits "$what"
}

# A screen has 40 lines of 80 columns.
fits() {
	check "$1: fits a screen" test "$(wc -l < "$work/out")" -le 40
	check "$1: and its columns" awk 'length($0) > 80 { exit 1 }' "$work/out"
}

cat > "$work/job.sh" <<'END'
# job.sh INPUT MIB EXTRA: three programs on the input, and an output
cat "$1" > "$WORK/a"
sort "$WORK/a" > "$WORK/b"
[ "${3-}" = no-gzip ] || gzip -c "$WORK/b" > "$WORK/c"
dd if=/dev/zero of="$WORK/d" bs=1M count="$2" 2> /dev/null
case ${3-} in
cksum) cksum "$WORK/a" ;;
exit) exit 3 ;;
esac
END
WORK=$work
export WORK
seq 1 100000 > "$work/input"
record good sh "$work/job.sh" "$work/input" 4
record same sh "$work/job.sh" "$work/input" 4
record missing sh "$work/job.sh" "$work/nothing" 4
record exit sh "$work/job.sh" "$work/input" 4 exit
record left sh "$work/job.sh" "$work/input" 4 no-gzip
record more sh "$work/job.sh" "$work/input" 8
record half sh "$work/job.sh" "$work/input" 2
record extra sh "$work/job.sh" "$work/input" 4 cksum
# It keeps its memory until samples have seen it.
grow='BEGIN { s = "x"; while (length(s) < size) s = s s; system("sleep 2")
	print length(s) }'
record small awk -v size=4000000 "$grow"
record large awk -v size=64000000 "$grow"

says 'equal runs' good same 'B is like A.' '2 runs: no past to judge by.'
check 'equal runs: equal values are one line' contains "$work/out" \
	'  Equal     end,'
says 'a run and itself' good good 'B is like A.'
says 'another exit code' good exit 'the run failed with exit code 3'
says 'twice the output' good more 'wrote ' 'MiB instead of '
says 'half of the output' good half 'wrote ' 'MiB instead of '
says 'more memory' small large 'the run needed ' 'of memory instead of '

# Only some sources see every program and its end, and then in both runs.
sees() {
	run diff --json "$work/$1.stepwell" "$work/$2.stepwell"
	tr -d ' \n' < "$work/out" |
		grep -q '"program":"sort","name":"failed","unit":"count",'\
'"value_a":[0-9.]*,"value_b":'
}

# says_program WHAT A B TEXT...: likewise, where they are seen
says_program() {
	if sees "$2" "$3"; then
		says "$@"
	else
		echo "skip - $1: not all programs are seen here"
	fi
}

says_program 'the input is missing' good missing \
	'B is unlike A: cat ended with status 1'
says_program 'another exit status' good exit \
	'sh ended with status 3; with it,'
says_program 'the other way round' exit good 'sh did not end with status 3'
says_program 'a program is left out' good left 'gzip did not run'
says_program 'an additional program' good extra 'cksum ran'

# One CPU less, of two.
cpus=$(taskset -cp $$ 2> /dev/null | sed 's/.*: //; s/[,-]/ /g' |
	awk 'NF > 1 { print $1, $2 }')
if [ -n "$cpus" ]; then
	two=${cpus% *},${cpus#* }
	# shellcheck disable=SC2016 # the recorded shell expands it
	busy='i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
	for run in "wide $two" "narrow ${two%,*}"; do
		taskset -c "${run#* }" "$stepwell" run --no-report \
			--name "${run% *}" --output "$work/${run% *}.stepwell" \
			-- sh -c "($busy) & $busy; wait" > /dev/null 2>&1
	done
	says 'one CPU less' wide narrow '1 CPU instead of 2'
else
	echo 'skip - one CPU less: there is only one'
fi

# What is no recording, or not all of one.
refuses 'no such file' 1 'none.stepwell' diff "$work/good.stepwell" \
	"$work/none.stepwell"
cp "$work/input" "$work/text.stepwell"
refuses 'no recording' 1 'text.stepwell' diff "$work/good.stepwell" \
	"$work/text.stepwell"
refuses 'unknown name' 3 'nothere' diff "$work/good.stepwell" nothere
# Damage that leaves the step: not each place does.
for percent in 95 90 80 70 60 50 40; do
	cp "$work/good.stepwell" "$work/damaged.stepwell"
	printf 'XXXXXXXX' | dd of="$work/damaged.stepwell" bs=1 conv=notrunc \
		seek=$(($(wc -c < "$work/good.stepwell") * percent / 100)) \
		2> /dev/null
	run report "$work/damaged.stepwell"
	[ "$status" -ne 4 ] || break
done
check 'damaged: but with its step' is_status 4
run diff "$work/good.stepwell" "$work/damaged.stepwell"
check 'damaged: status' is_status 4
verdict
check 'damaged: said' contains "$work/verdict" \
	'The recording of B is incomplete'
check 'damaged: what is missing is no difference' lacks "$work/verdict" \
	'did not run'

# A running one: it has only begun.
mkfifo "$work/gate"
# shellcheck disable=SC2016 # the recorded shell expands it
"$stepwell" run --no-report --name running --output "$work/running.stepwell" \
	-- sh -c 'cat "$WORK/gate"' > /dev/null 2>&1 < /dev/null &
until [ -s "$work/running.stepwell.part" ] &&
      "$stepwell" report "$work/running.stepwell.part" > /dev/null 2>&1; do
	sleep 0.1
done
run diff "$work/good.stepwell" "$work/running.stepwell.part"
verdict
check 'running: said' contains "$work/verdict" 'has not ended'
check 'running: what has not come is no difference' lacks "$work/verdict" \
	'did not run'
fits running
echo > "$work/gate"
wait

# The last good run, by the history.
repeat() {
	"$stepwell" run --no-report --name align -- sh "$work/job.sh" "$@" \
		> /dev/null 2>&1 < /dev/null
}

repeat "$work/input" 4
refuses 'a single run' 3 'no other successful run of the group of align' \
	diff align
repeat "$work/input" 4
run diff align
verdict
check 'two runs: status' is_status 0
check 'two runs: no past' contains "$work/verdict" \
	'B is like A. 2 runs, 1 before: too few to judge by (needs 5).'
for _ in 3 4 5 6; do
	repeat "$work/input" 4
done
repeat "$work/input" 1
run diff align
verdict
check 'with a past: judged' contains "$work/verdict" \
	' past runs, and A like those before it: '
check 'with a past: how' contains "$work/verdict" 'wrote '
check 'with a past: how A was chosen' contains "$work/out" \
	'the last good run of'
check 'with a past: its noise' contains "$work/out" 'past runs'
fits 'with a past'
bad=$("$stepwell" list --ids align | head -1)
good=$("$stepwell" list --ids align | sed -n 2p)
run diff "$bad" "$good"
verdict
check 'the other way round: A is the odd one' contains "$work/verdict" \
	'A is unlike '
repeat "$work/input" 4
run diff align
check 'a run after: the odd one is not the last good one' contains \
	"$work/out" "A         $good"
mv "$XDG_STATE_HOME/stepwell/$good.stepwell" "$work/moved.stepwell"
run diff "$bad"
check 'its recording is gone: status' is_status 0
check 'its recording is gone: said' contains "$work/out" 'was not found'
STEPWELL_HISTORY=$work/none.sqlite run diff "$bad"
check 'no history: among the recordings' contains "$work/out" 'none in the'

# A period of a group.
run diff --group align --from now-1hours
verdict
check 'a period: too few before it' contains "$work/verdict" \
	'needs 5 successful runs in each period, has 0 before it and 8 in it.'
refuses 'a period of no run' 3 'no run of' diff --group align \
	--from now-2hours --until now-1hours
refuses 'unknown group' 3 'nothere' diff --group nothere --from today
refuses 'a period: its begin' 2 'needs --from' diff --group align
refuses 'a period: no time' 2 'is not a time' diff --group align --from x
refuses 'a period: backwards' 2 'is not after' diff --group align --from now \
	--until yesterday
refuses 'a period and a run' 2 'not single runs' diff --group align \
	--from today align
refuses '--from without a group' 2 'need --group' diff --from today align
refuses 'no run' 2 'name two runs' diff
refuses 'three runs' 2 'name two runs' diff a b c
refuses '--json and --html' 2 'exclude each other' diff --json --html x a b

# Ten runs with sort, and ten without it a week later.
STEPWELL_HISTORY=$work/periods.sqlite
export STEPWELL_HISTORY
mkdir "$work/periods"
for number in 10 11 12 13 14 15 16 17 18 19 80 81 82 83 84 85 86 87 88 89; do
	kind=usual_fires
	[ $number -lt 20 ] || kind=fires
	awk -v identity="$srcdir/test/rules/identity.txt" '
		/^include/ {
			while ((getline line < identity) > 0)
				print line
			next
		}
		{ print }' "$srcdir/test/rules/run.unlike_past/$kind.txt" |
		sed "s/ 1780000000000000/ 1780${number}0000000000/" \
			> "$work/run.txt"
	"$builddir/test/mkprofile" "$work/run.txt" \
		"$work/periods/p$number.stepwell"
done
"$stepwell" import --quiet "$work/periods"
run diff --group align --from uts1780500000
verdict
check 'two periods: what changed' contains "$work/verdict" 'The 10 runs of'
check 'two periods: what changed' contains "$work/verdict" \
	'unlike the 10 before: sort did not run in 10 of 10 runs'
check 'two periods: side by side' contains "$work/out" 'sort: processes'
fits 'two periods'
run diff --group align --from uts1780150000 --until uts1780500000
verdict
check 'two periods alike' contains "$work/verdict" \
	'The 5 runs of this period are like the 5 before.'
unset STEPWELL_HISTORY

# JSON and the page say the same.
run diff "$work/good.stepwell" "$work/half.stepwell"
verdict
run diff --json "$work/good.stepwell" "$work/half.stepwell"
check 'JSON: the verdict of the text' contains "$work/out" \
	"\"verdict\":\"$(sed 's/ *$//' "$work/verdict")\""
run diff --html "$work/page.html" "$work/good.stepwell" "$work/half.stepwell"
check 'HTML: status' is_status 0
check 'HTML: the verdict of the text' contains "$work/page.html" \
	"$(sed 's/ *$//' "$work/verdict")"
refuses 'HTML: replaces no recording' 1 'good.stepwell' diff --html \
	"$work/good.stepwell" --force "$work/good.stepwell" \
	"$work/half.stepwell"

# Claims of other users are shown as such, and nothing is measured by them.
if [ "$(id -u)" -eq 0 ]; then
	echo "profile_dir: $work/profiles" > "$STEPWELL_CONF"
	mkdir -p "$work/profiles/12345"
	for job in 9 10; do
		"$builddir/test/mknode" \
			"$work/profiles/12345/c1.$job.1780000000.n1.stepwell" \
			1 job=$job uid=12345
	done
	chown -R 12345 "$work/profiles/12345"
	run diff 9 10
	check 'claims: status' is_status 0
	check 'claims: said of A' contains "$work/out" \
		'Note on A This is what user 12345 claims'
	check 'claims: said of B' contains "$work/out" 'Note on B This is what'
	fits claims
	refuses 'claims: no measure of a good run' 3 'no other successful run' \
		diff 10
else
	echo 'skip - claims of other users: needs root'
fi

finish
