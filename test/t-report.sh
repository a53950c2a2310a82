#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Black-box tests of the verbs that read: their output and exit statuses, and
# that bad input gives one clear line.  Needs the built programs below
# $abs_top_builddir; prints one line per check.
# shellcheck disable=SC2154 # what verb-lib.sh sets
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"

mkprofile=$builddir/test/mkprofile

contains() {
	grep -qF -e "$2" "$1"
}

[ -x "$stepwell" ] && [ -x "$mkprofile" ] || {
	echo "Bail out! no $stepwell or $mkprofile"
	exit 99
}

# Arguments of the command line.
refuses 'unknown option before a verb' 2 'unknown option "--josn"' --josn
refuses 'empty verb' 2 'unknown verb ""' ''
refuses 'hostile verb' 2 'unknown verb "a\x1b[31m\x0ab"' \
	"$(printf 'a\033[31m\nb')"
for verb in report list explain dump verify suggest; do
	refuses "$verb: unknown option" 2 "$verb: unknown option \"--josn\" \
(did you mean \"--json\"?)" "$verb" --josn
	refuses "$verb: unknown letter" 2 "$verb: unknown option \"-x\"" \
		"$verb" -x
	[ "$verb" = list ] ||
		refuses "$verb: too many arguments" 2 "$verb: " "$verb" a b
done
refuses 'dump: no argument' 2 'dump: name one profile' dump
refuses 'verify: no argument' 2 'verify: name one profile' verify
refuses 'report: --brief with --json' 2 'exclude each other' \
	report --brief --json x
refuses 'explain: no such finding' 3 'no finding is called "unknown"' \
	explain unknown
refuses 'explain: hostile finding' 3 'called "\x1b]0;x\x07"' \
	explain "$(printf '\033]0;x\007')"

# An empty home.
refuses 'report: nothing recorded' 3 'no recording in' report
refuses 'list: nothing recorded' 3 'nothing recorded in' list
run
check 'no verb: status' is_status 0
check 'no verb: the hint' contains "$work/err" 'stepwell run -- COMMAND'
(unset HOME XDG_STATE_HOME; exec "$stepwell" report > "$work/out" \
	2> "$work/err"); status=$?
check 'no HOME: status' is_status 3
check 'no HOME: words' contains "$work/err" 'neither XDG_STATE_HOME nor HOME'

# Every field of JSON is in the manual; the names of dialects have a list.
"$stepwell" suggest --dialect list > "$work/dialects"
sed -n 's/^ *"\([a-z_0-9]*\)":.*/\1/p' "$srcdir"/test/reports/*.json |
	sort -u | grep -vxFf "$work/dialects" > "$work/fields"
check 'JSON: fields were found' test "$(wc -l < "$work/fields")" -gt 100
while read -r field; do
	grep -qwF -e "$field" "$srcdir/man/stepwell-report.1" || echo "$field"
done < "$work/fields" > "$work/undocumented"
check 'JSON: each is in stepwell-report(1)' test ! -s "$work/undocumented"

# Files that are no profiles.
: > "$work/empty"
echo 'just some text, long enough for any header that might be read here' \
	> "$work/text"
mkdir "$work/folder"
"$mkprofile" "$srcdir/test/reports/story.txt" "$work/good.stepwell" || {
	echo 'Bail out! mkprofile'
	exit 99
}
"$mkprofile" --major 9 "$srcdir/test/reports/story.txt" \
	"$work/future.stepwell" || {
	echo 'Bail out! mkprofile --major'
	exit 99
}
head -c 10 "$work/good.stepwell" > "$work/short.stepwell"
hostile=$work/$(printf 'a\033[31m\nb"c\377')
: > "$hostile"
for verb in report dump verify; do
	refuses "$verb: empty file" 1 "$work/empty" "$verb" "$work/empty"
	refuses "$verb: text file" 1 'is not a stepwell profile' "$verb" "$work/text"
	refuses "$verb: cut header" 1 "$work/short" "$verb" \
		"$work/short.stepwell"
	refuses "$verb: another version" 1 'format version 9' "$verb" \
		"$work/future.stepwell"
	refuses "$verb: a folder without recordings" 3 'no recording in' \
		"$verb" "$work/folder"
	refuses "$verb: a device" 1 '/dev/null' "$verb" /dev/null
	refuses "$verb: no such file" 1 'No such file' "$verb" \
		"$work/none.stepwell"
	refuses "$verb: no such name" 3 'has the id or name "bowtie"' \
		"$verb" bowtie
	refuses "$verb: empty name" 3 'has the id or name ""' "$verb" ''
	refuses "$verb: a hostile file name" 1 'a\x1b[31m\x0ab"c\xff' \
		"$verb" "$hostile"
done
if [ "$(id -u)" != 0 ]; then
	as_user() { "$@"; }
elif setpriv --reuid 65534 --clear-groups true 2> /dev/null; then
	as_user() { setpriv --reuid 65534 --clear-groups "$@"; }
else
	as_user() { return 1; }
fi
chmod 755 "$work"
cp "$work/good.stepwell" "$work/secret.stepwell"
chmod 0 "$work/secret.stepwell"
if as_user test -x "$stepwell"; then
	as_user "$stepwell" report "$work/secret.stepwell" > "$work/out" \
		2> "$work/err"
	status=$?
	check 'no permission: status' is_status 1
	check 'no permission: words' contains "$work/err" 'Permission denied'
else
	echo '# skipped: no permission (this user can read everything)'
fi
refuses 'list: a file is no folder' 1 'Not a directory' list "$work/text"

# Valid profiles.
good=$work/good.stepwell
for options in '' --brief --json; do
	run report $options "$good"
	check "report $options: status" is_status 0
	check "report $options: the finding" contains "$work/out" program.killed
	check "report $options: quiet on stderr" test ! -s "$work/err"
done
run report --exit-code "$good"
check 'report --exit-code: status' is_status 10

# A page is written completely, or the old one remains.  Pages have the minute
# in which they were written, unless it is given.
export SOURCE_DATE_EPOCH=1780000600
page=$work/page.html
run report --html "$page" "$good"
check '--html: status' is_status 0
check '--html: nothing on stdout' test ! -s "$work/out"
check '--html: the finding' contains "$page" program.killed
check '--html: all of it' contains "$page" '</html>'
run report --html - "$good"
check '--html -: standard output' cmp "$work/out" "$page"
sed 's/program.killed//' "$page" > "$work/old.html"
chmod 600 "$work/old.html"
run report --html "$work/old.html" "$good"
check '--html: replaces' cmp "$work/old.html" "$page"
check '--html: keeps who may read it' test "$(stat -c %a "$work/old.html")" \
	= 600
run report --exit-code --html "$page" "$good"
check '--html --exit-code: status' is_status 10
ln -s old.html "$work/link.html"
refuses '--html: a link' 1 'is a symbolic link' \
	report --html "$work/link.html" "$good"
refuses '--html: no such folder' 1 'No such file' \
	report --html "$work/none/page.html" "$good"
refuses '--html: a folder' 1 'Is a directory' \
	report --html "$work/folder" "$good"
run report --html /dev/null "$good"
check '--html: what is no file is written to' test -c /dev/null
refuses '--html: a full disk' 1 'No space left' \
	report --html /dev/full "$good"
# Not enough room for all of it.
(ulimit -f 1; trap '' XFSZ; exec "$stepwell" report --html "$work/old.html" \
	"$good" > "$work/out" 2> "$work/err"); status=$?
check '--html: too large: status' is_status 1
check '--html: too large: words' contains "$work/err" 'File too large'
check '--html: too large: as before' cmp "$work/old.html" "$page"
check '--html: nothing is left' test -z "$(ls -A "$work" | grep 'html.stepwell')"
refuses '--html with --json' 2 'exclude each other' \
	report --html "$page" --json "$good"
run report "$good" --brief
check 'options behind operands' is_status 0
check '--brief: ten lines at most' test "$(wc -l < "$work/out")" -le 10
run dump "$good"
check 'dump: status' is_status 0
check 'dump: a table' contains "$work/out" '# table series.cpu'
run dump --json "$good"
check 'dump --json' contains "$work/out" '"schema":"stepwell.dump/1"'
run verify "$good"
check 'verify: status' is_status 0
check 'verify: complete' contains "$work/out" complete
run explain
check 'explain: lists' contains "$work/out" oom.silent
run explain io.stalled
check 'explain: text' contains "$work/out" min_lost_ratio
run explain --json
check 'explain --json' contains "$work/out" '"schema":"stepwell.findings/1"'

"$mkprofile" "$srcdir/test/reports/hostile.txt" "$work/hostile.stepwell"
for verb in report dump; do
	run "$verb" "$work/hostile.stepwell"
	check "$verb: hostile names: status" is_status 0
	check "$verb: hostile names are printable" \
		test -z "$(LC_ALL=C tr -d ' -~\n\t' < "$work/out")"
done

# The id of a step, at the start of its tasks' line.
cat > "$work/label.txt" <<'END'
table identity job recorder
column origin - text
column job_id - state
column node - text
column anchor_boottime_usec usec time
column anchor_realtime_usec usec state
row slurm 7 n1 1000000000 1780000000000000

table steps step recorder
column step - key
column start_usec usec time
column step_id - text
row 0 1000000000 "\x1b]0;owned\x07"

table summary step recorder
column step - key
column end_usec usec time
column exit_code - state
row 0 1600000000 0

table tasks task recorder
column task - key
column step - state
column cpu_usage_usec usec counter
row 0 0 1000000
row 1 0 9000000
END
"$mkprofile" "$work/label.txt" "$work/label.stepwell"
run report --no-sacct "$work/label.stepwell"
check 'report: a hostile step has a line' grep -q '\\x1b.*CPU time' "$work/out"
check 'report: a hostile step is printable' \
	test -z "$(LC_ALL=C tr -d ' -~\n\t' < "$work/out")"

# By id, by name, by folder; and the list.
"$mkprofile" "$srcdir/test/reports/hostile.txt" \
	"$XDG_STATE_HOME/stepwell/run.1780000000.node1.stepwell" &&
	cp "$good" "$XDG_STATE_HOME/stepwell/run.1780000001.node1.stepwell"
for what in run.1780000001.node1 1780000001 align "$XDG_STATE_HOME/stepwell"
do
	run report --brief "$what"
	check "found: ${what##*/}" contains "$work/out" 'stepwell: align: '
done
COLUMNS=160
run list
check 'list: status' is_status 0
check 'list: two lines and a head' test "$(wc -l < "$work/out")" -eq 3
check 'list: the last that began is the first' test "$(sed 1d "$work/out" |
	grep -oE '20[0-9-]+ [0-9:]+')" = "$(sed 1d "$work/out" |
	grep -oE '20[0-9-]+ [0-9:]+' | sort -r)"
words_of() {
	tr -s ' ' '\n' <"$1" | grep . | sort
}
words_of "$work/out" >"$work/words"
for COLUMNS in 40 60 80 100; do
	run list
	check "list: fits $COLUMNS columns" \
		test "$(wc -L < "$work/out")" -le "$COLUMNS"
	check "list: $COLUMNS columns lose nothing" \
		test "$(words_of "$work/out")" = "$(cat "$work/words")"
done
COLUMNS=160
run list
check 'list: the need as the report has it' \
	contains "$work/out" "$(sed -n 's/^.* needed \(.*\) of .*$/\1 of /p' \
		"$srcdir/test/reports/story.brief" | head -n 1)"
mkdir "$work/told"
"$mkprofile" "$srcdir/test/reports/nearby.txt" "$work/told/told.stepwell"
run report --brief "$work/told/told.stepwell"
check 'told: nothing stands out' contains "$work/out" 'No warnings'
run list "$work/told"
check 'told: list has what is good to know' test "$(sed 1d "$work/out" |
	awk '{ print $NF }')" = "$("$stepwell" report --json \
		"$work/told/told.stepwell" | tr -d '\n' |
	sed 's/.*"findings":\[ *{ *"id":"\([^"]*\)".*/\1/')"
COLUMNS=80
check 'list: printable' test -z "$(LC_ALL=C tr -d ' -~\n' < "$work/out")"
run list --json
check 'list --json' contains "$work/out" '"schema":"stepwell.list/1"'

# Damaged, truncated and unfinished files.
damaged=$XDG_STATE_HOME/stepwell/run.1780000002.node1.stepwell
size=$(wc -c < "$good")
cp "$good" "$damaged"
# In the last frame, so that no table needed by the report is affected.
dd if=/dev/zero of="$damaged" bs=1 seek=$((size - 30)) count=8 conv=notrunc \
	2> "$work/dd" || { cat "$work/dd"; exit 99; }
run verify "$damaged"
check 'damaged: verify says partial' is_status 4
check 'damaged: verify names the place' contains "$work/out" 'at offset'
run dump "$damaged"
check 'damaged: dump says partial' is_status 4
run report --exit-code "$damaged"
check 'damaged: report says partial' is_status 4
check 'damaged: report shows it' contains "$work/out" 'The file is damaged'
check 'damaged: report shows the rest' contains "$work/out" program.killed
check 'damaged: report says so in one line' \
	test "$(wc -l < "$work/err")" -eq 1
COLUMNS=160
run list
COLUMNS=80
check 'damaged: list says partial' is_status 4
check 'damaged: list still has all' test "$(wc -l < "$work/out")" -eq 4
check 'damaged: list names it' contains "$work/err" run.1780000002
"$mkprofile" --unfinished "$srcdir/test/reports/story.txt" \
	"$work/folder/open.stepwell"
run report "$work/folder"
check 'open: report' is_status 0
check 'open: report says so' contains "$work/out" \
	'the file could not be finished'
mkdir "$work/begun"
printf '%s\n' 'table steps step recorder' 'column step - key' \
	'column start_usec usec time' 'row 0 1000000000' >"$work/begun.txt"
"$mkprofile" --unfinished "$work/begun.txt" "$work/begun/begun.stepwell"
run report --brief "$work/begun"
check 'begun: report' contains "$work/out" ': End not seen'
run list --json "$work/begun"
check 'begun: list says the same' contains "$work/out" '"state":"end not seen"'
run verify "$work/folder/open.stepwell.part"
check 'open: verify says partial' is_status 4
check 'open: verify says why' contains "$work/out" 'finished         no'

# The output cannot be written, or the settings are wrong.
"$stepwell" report "$good" > /dev/full 2> "$work/err"
status=$?
check 'full disk: status' is_status 1
check 'full disk: words' contains "$work/err" 'No space left on device'
"$stepwell" report --exit-code "$good" >&- 2> "$work/err"
status=$?
check 'closed stdout: status' is_status 1
check 'closed stdout: words' contains "$work/err" 'standard output: Bad file'
printf 'rules:\n  cpu.throttled:\n    min: 1\n' > "$work/bad.yaml"
STEPWELL_CONF=$work/bad.yaml
refuses 'bad settings' 1 "$work/bad.yaml:3:5: unknown setting" report "$good"
# The node's limits stated by the site are shown with the step's values.
cat > "$work/node.yaml" <<'END'
rules:
  hw.memory_bandwidth: {node_gflop_per_sec: 3000, node_gb_per_sec: 200}
END
STEPWELL_CONF=$work/node.yaml
run report --json "$good"
check 'ceilings: FLOP/s of the node' contains "$work/out" \
	'"node_fp_operations_per_second":3000000000000'
check 'ceilings: bytes per FLOP of the node' contains "$work/out" \
	'"node_bytes_per_fp_operation":0.0666667'
run report "$good"
check 'ceilings: beside those of the step' contains "$work/out" \
	"2 GFLOP/s of the node's 3 TFLOP/s (0.067 %)"
STEPWELL_CONF=$work/none.yaml
refuses 'settings that are not there' 1 'No such file' report "$good"
STEPWELL_CONF=$work/settings.yaml
STEPWELL_LIBEXECDIR=$work/nowhere
export STEPWELL_LIBEXECDIR
refuses 'run without its recorder' 1 'the command was not started' run -- true

finish
