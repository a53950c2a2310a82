#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No verb overwrites a file that it did not write: each option that names an
# output, with each kind of file that could be there.  Prints one line per
# check.
# shellcheck disable=SC2154 # what verb-lib.sh sets
# shellcheck source=test/verb-lib.sh
abs_top_srcdir=${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
. "$abs_top_srcdir/test/verb-lib.sh"
# shellcheck source=test/sweep-lib.sh
. "$srcdir/test/sweep-lib.sh"

cd "$work" || exit 99
mkprofile=$builddir/test/mkprofile
"$mkprofile" "$srcdir/test/reports/story.txt" rec.stepwell || exit 99
cp rec.stepwell "$XDG_STATE_HOME/stepwell/run.1.2.node.stepwell"
sweep_site
printf 'rules: {}\n' >> settings.yaml
jobs_of > jobs
sweep --output first.part
cp first.part other.part

# keeps WHAT FILE WORDS ARGUMENT...: refused with the words, the file unchanged
keeps()
{
	local what=$1 file=$2 words=$3
	shift 3
	cp -p "$file" before
	SACCT_JOBS=$work/jobs refuses "$what" 1 "$words" "$@"
	check "$what: the file is as before" cmp -s "$file" before
}

script()
{
	printf '#!/bin/sh\necho precious\n' > "$1"
}

# Pages.
for verb in 'report rec.stepwell' 'merge first.part' \
	'sweep --quiet --from 2026-11-21'; do
	name=${verb%% *}
	script script.sh
	# shellcheck disable=SC2086 # words
	keeps "$name --html: a script" script.sh 'not a page of stepwell' \
		$verb --html script.sh
	# shellcheck disable=SC2086
	keeps "$name --html: a recording" rec.stepwell 'was not replaced' \
		$verb --html rec.stepwell --force
	# shellcheck disable=SC2086
	keeps "$name --html: a night" other.part 'is a night of a sweep' \
		$verb --html other.part --force
	# shellcheck disable=SC2086
	keeps "$name --html: the settings" settings.yaml \
		'is an input of this command' $verb --html settings.yaml --force
	# shellcheck disable=SC2086
	SACCT_JOBS=$work/jobs run $verb --html script.sh --force
	check "$name --html --force: replaces a script" \
		grep -q '</html>' script.sh
	# shellcheck disable=SC2086
	SACCT_JOBS=$work/jobs run $verb --html script.sh
	check "$name --html: replaces a page" grep -q '</html>' script.sh
	: > empty
	# shellcheck disable=SC2086
	SACCT_JOBS=$work/jobs run $verb --html empty
	check "$name --html: fills an empty file" grep -q '</html>' empty
	ln -sf script.sh link
	# shellcheck disable=SC2086
	SACCT_JOBS=$work/jobs refuses "$name --html: a link" 1 \
		'is a symbolic link' $verb --html link --force
done
keeps 'report --html: its own input' rec.stepwell \
	'is an input of this command' \
	report rec.stepwell --html rec.stepwell --force
ln rec.stepwell other-name
keeps 'report --html: another name of its input' other-name \
	'is an input of this command' \
	report rec.stepwell --html other-name --force
printf '<!DOCTYPE html>\n<html><head></head></html>\n' > foreign.html
keeps 'report --html: a page of somebody else' foreign.html \
	'not a page of stepwell' report rec.stepwell --html foreign.html
rm -f other-name

# A pipe without a reader is not waited for; one with a reader is written to.
mkfifo pipe
SACCT_JOBS=$work/jobs refuses 'report --html: a pipe without a reader' 1 \
	'is a pipe without a reader' report rec.stepwell --html pipe
cat pipe > piped &
reader=$!
until "$stepwell" report rec.stepwell --html pipe 2> err; do
	grep -q 'without a reader' err || break
done
wait $reader
check 'report --html: a pipe with a reader' grep -q '</html>' piped
"$stepwell" report rec.stepwell --html /dev/fd/7 7> seventh 2> err
check 'report --html: a descriptor' grep -q '</html>' seventh

# The message names the file and the run.
run report rec.stepwell --html page.html
check 'report --html: says of which run' \
	grep -q 'wrote page.html, the report of ' err
refuses 'report --html JOBID' 2 'needs the file to write, and "123"' \
	report --html 123
check 'report --html JOBID: no file' test ! -e 123
refuses 'report --html ID' 2 'needs the file to write, and "run.1"' \
	report --html run.1
check 'report --html ID: no file' test ! -e run.1
refuses 'report --html RECORDING' 2 'needs the file to write' \
	report --html rec.stepwell
check 'report --html RECORDING: as before' \
	cmp -s rec.stepwell "$XDG_STATE_HOME/stepwell/run.1.2.node.stepwell"
run report --html run.1 --force
check 'report --html ID --force: a page' grep -q '</html>' run.1

# Parts of a sweep.
for verb in 'merge first.part' 'sweep --quiet --from 2026-11-21'; do
	name=${verb%% *}
	script script.sh
	# shellcheck disable=SC2086
	keeps "$name --output: a script" script.sh 'not a night of a sweep' \
		$verb --output script.sh
	# shellcheck disable=SC2086
	keeps "$name --output: a recording" rec.stepwell 'is a recording' \
		$verb --output rec.stepwell --force
	# shellcheck disable=SC2086
	SACCT_JOBS=$work/jobs run $verb --output other.part
	check "$name --output: replaces a night" is_status 0
done
keeps 'merge --output: its input' first.part 'is an input of this command' \
	merge first.part --output first.part --force

# The folder of past nights: a foreign file of such a name stays.
mkdir past
script past/2026-11-21.sweep
keeps 'sweep --state: a foreign night' past/2026-11-21.sweep \
	'not a night of a sweep' sweep --quiet --from 2026-11-21 --state past
rm past/2026-11-21.sweep
script past/2001-01-01.sweep
script past/2001-01-02.page
cp first.part past/2001-01-03.sweep
script past/2001-01-03.page
SACCT_JOBS=$work/jobs run sweep --quiet --from 2026-11-21 --state past
check 'sweep --state: nights expire, foreign files do not' \
	test "$(cd past && echo *)" = \
	'2001-01-01.sweep 2001-01-02.page 2026-11-21.sweep lock'

# Summaries being copied.
mkdir -m 750 from into
printf 'summaries_dir: %s\n' "$work/from" > collect.yaml
"$mkprofile" "$srcdir/test/reports/story.txt" from/2026-11-21.n1.stepwell
script into/2026-11-21.n1.stepwell
script before
STEPWELL_CONF=$work/collect.yaml run sweep --collect-into into
check 'sweep --collect-into: says that a name is taken' \
	grep -q '2026-11-21.n1.stepwell: not copied: File exists' err
check 'sweep --collect-into: the file is as before' \
	cmp -s into/2026-11-21.n1.stepwell before
rm into/*
STEPWELL_CONF=$work/collect.yaml run sweep --collect-into into
STEPWELL_CONF=$work/collect.yaml run sweep --collect-into into
check 'sweep --collect-into: a copy' \
	cmp -s into/2026-11-21.n1.stepwell from/2026-11-21.n1.stepwell

# Recordings.  The command's program and its files are its inputs.
script script.sh
chmod 755 script.sh
keeps_run()
{
	local what=$1 file=$2
	shift 2
	cp -p "$file" before
	refuses "run: $what" 2 'the command was not started' run "$@"
	check "run: $what: as before" cmp -s "$file" before
}
keeps_run 'an existing file' script.sh --output script.sh -- true
keeps_run 'its program' script.sh --force --output script.sh -- ./script.sh
keeps_run 'a file that the command reads' script.sh \
	--force --output script.sh -- cat script.sh
keeps_run 'a night' other.part --force --output other.part -- true
script new.part
keeps_run 'a file beside it' new.part --force --output new -- true
rm new.part
run run --no-report --force --output script.sh -- true
check 'run --force: replaces a script' test "$(head -c 4 script.sh)" = SWF1
finish
