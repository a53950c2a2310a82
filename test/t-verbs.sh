#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: help, versions, suggestions for typos, "rm".
# shellcheck disable=SC2154,SC2317 # what verb-lib.sh sets; functions of check
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"

contains() {
	grep -qF -e "$2" "$1"
}

lacks() {
	! grep -qF -e "$2" "$1"
}

verbs=$(sed -n 's/^	\.name = "\(.*\)",/\1/p' "$srcdir"/analyzer/verbs/verb_*.c)
store=$XDG_STATE_HOME/stepwell

# Help in all its forms, on standard output.
for words in -h --help help; do
	run "$words"
	check "$words: status" is_status 0
	for verb in $verbs; do
		check "$words has $verb" contains "$work/out" "  $verb "
	done
done
for words in -V --version version; do
	run "$words"
	check "$words: status" is_status 0
	check "$words: the version" grep -qE '^stepwell [0-9.]+' "$work/out"
done
for verb in $verbs; do
	run "$verb" --help
	check "$verb --help: status" is_status 0
	mv "$work/out" "$work/help"
	run help "$verb"
	check "help $verb: as $verb --help" cmp -s "$work/out" "$work/help"
	run "$verb" -h
	check "$verb -h: as $verb --help" cmp -s "$work/out" "$work/help"
	check "$verb --help says usage" \
		grep -q "^[Uu]sage: stepwell $verb " "$work/help"
	[ "$verb" != run ] || continue
	# Each option of the source's tables, except internal ones.
	sed -nE '/struct sw_option [a-z_]+\[\]/,/};/p' \
		"$srcdir/analyzer/verbs/verb_$verb.c" | tr -d '\n' |
		grep -oE '\{ "[a-z-]+(=[A-Z]+)?", [^}]*\}' |
		grep -v ', NULL }' |
		sed -E 's/\{ "([a-z-]+).*/--\1/' >"$work/options"
	check "$verb: there are options" test -s "$work/options"
	while read -r option; do
		check "$verb --help has $option" \
			grep -qE -e "^  $option( [A-Z]+)? +[^ ]" -e \
			"^  $option( [A-Z]+)?\$" "$work/help"
	done <"$work/options"
done
run report x --help
check 'help behind an operand' contains "$work/out" 'usage: stepwell report'
refuses 'help of no verb' 2 'unknown verb "repotr"' help repotr

# Suggestions for typos.
refuses 'a verb with a slip' 2 \
	'unknown verb "repotr" (did you mean "report"?)' repotr
refuses 'a finding with a slip' 3 '(did you mean "cpu.over_allocated"?)' \
	explain cpu.over_alocated
run xyzzyplugh
check 'nothing like it' lacks "$work/err" 'did you mean'
refuses 'an option without a value' 2 '--json takes no value' list --json=1

# Output of sacct that cannot be parsed.
printf 'JobID           JobName      State \n%s\n%s\n' \
	'------------ ---------- ----------' \
	'12               sleep  COMPLETED ' >"$work/plain"
run import "$work/plain"
check "sacct's table" contains "$work/err" 'use: sacct --parsable2'
echo '{ "jobs": [ { "job_id": 12 } ] }' >"$work/json"
run import "$work/json"
check "sacct's JSON" contains "$work/err" 'use: sacct --parsable2'
check "sacct's JSON: status" is_status 3

run explain memory
check 'explain FAMILY: lists it' contains "$work/out" memory.growth
check 'explain FAMILY: no other' lacks "$work/out" cpu.

# rm: only recordings of the user's own.
refuses 'rm: nothing named' 2 'name recordings' rm
refuses 'rm: an age without a unit' 2 '"30" is not an age' rm --older-than 30
refuses 'rm: not a number' 2 'needs a number' rm --keep many
refuses 'rm: no such recording' 3 'has the id or name "nothing"' rm nothing
for name in one two three four; do
	"$stepwell" run --no-report --output "$store/$name.stepwell" -- true
done
run list --ids
check 'list --ids' test "$(sort "$work/out" | paste -sd ' ')" = \
	'four one three two'
run backtest --method list
check 'backtest --method list' contains "$work/out" ponder
touch -d '40 days ago' "$store/one.stepwell"
touch -d '2 days ago' "$store/two.stepwell"
touch -d '1 day ago' "$store/three.stepwell"
left() { (cd "$store" && echo *.stepwell); }
run rm --older-than 30d --dry-run
check 'rm --dry-run says what' contains "$work/out" 'would delete one'
check 'rm --dry-run deletes nothing' \
	test "$(left)" = "four.stepwell one.stepwell three.stepwell two.stepwell"
run rm --older-than 30d
check 'rm --older-than: status' is_status 0
check 'rm --older-than: those alone' \
	test "$(left)" = "four.stepwell three.stepwell two.stepwell"
run rm --keep 2
check 'rm --keep: the newest stay' \
	test "$(left)" = "four.stepwell three.stepwell"
run rm three
check 'rm ID' test "$(left)" = "four.stepwell"
refuses 'rm: one of two is not there' 3 '"none"' rm four none
check 'rm: then nothing is deleted' test "$(left)" = "four.stepwell"
ln -s "$work/elsewhere" "$store/link.stepwell"
mkfifo "$store/fifo.stepwell"
run rm --keep 0
check 'rm: a link is not followed' test -L "$store/link.stepwell"
check 'rm: no file is no recording' test -p "$store/fifo.stepwell"
check 'rm --keep 0: all recordings' test ! -e "$store/four.stepwell"
rm -f "$store/link.stepwell" "$store/fifo.stepwell"

# In each verb an argument is first an id or name of a recording, and only then
# a file in the working folder.
for name in algn algn kmers_s1 kmers_s2; do
	"$stepwell" run --no-report --name $name -- true
done
mkdir "$work/here" "$work/here/algn"
echo text >"$work/here/kmers_s1"
cd "$work/here" || exit 99
run list --ids algn
check 'list NAME: those alone' test "$(wc -l <"$work/out")" -eq 2
newest=$(head -n 1 "$work/out")
run list --ids 'kmers_*'
check 'list PATTERN' test "$(wc -l <"$work/out")" -eq 2
refuses 'list: a name with a slip' 3 '(did you mean "algn"?)' list agln
run report algn
check 'report NAME: the newest of several' is_status 0
check 'report NAME: says which' contains "$work/err" "newest, $newest"
refuses 'report: a name with a slip' 3 '(did you mean "algn"?)' report agln
run report kmers_s1
check 'report NAME: not a file of that name' is_status 0
run dump kmers_s1
check 'dump NAME' contains "$work/out" kmers_s1
refuses 'report ./FILE' 1 'not a stepwell profile' report ./kmers_s1
: >12345
refuses 'report JOBID: not a file of that name' 3 'no recording of job 12345' \
	report --no-sacct 12345
refuses 'rm: a name that two have' 2 'matches 2 recordings' rm algn
refuses 'rm FILE that is no recording' 1 'nothing was deleted' rm ./kmers_s1
run rm 'algn*' kmers_s2
check 'rm PATTERN and NAME' contains "$work/out" '3 recordings'
"$stepwell" run --no-report --output "$work/here/x.stepwell" -- true
run rm kmers_s1 x.stepwell
check 'rm FILE and NAME' test ! -e x.stepwell -a -e kmers_s1 -a \
	-z "$("$stepwell" list --ids)"
cd "$work" || exit 99

# A recording in progress stays; all files of a killed recorder are removed.
mkfifo "$work/begun" "$work/go"
"$stepwell" run --no-report --output "$store/going.stepwell" -- \
	sh -c "echo >'$work/begun'; read word <'$work/go'" &
read -r _ <"$work/begun"
run rm --keep 0
check 'rm: a recording that goes on: status' is_status 4
check 'rm: a recording that goes on: words' contains "$work/err" \
	'still being written'
check 'rm: a recording that goes on stays' \
	test -e "$store/going.stepwell.part"
echo >"$work/go"
wait
: >"$store/cut.stepwell.tail"
cp "$store/going.stepwell" "$store/cut.stepwell.part"
run rm cut
check 'rm: what was cut off' test ! -e "$store/cut.stepwell.part" -a \
	! -e "$store/cut.stepwell.tail"

# Recordings of others stay, even if the user could delete them.
if [ "$(id -u)" -eq 0 ]; then
	chown nobody "$store/going.stepwell"
	run rm going
	check "rm: another's is kept" test -e "$store/going.stepwell"
	check "rm: another's: words" contains "$work/err" 'nothing was deleted'
fi

finish
