#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Failures and retries known from earlier nights are reported briefly, after new
# ones, until they change.
# shellcheck disable=SC2154 # what lib.sh and sweep-lib.sh set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
for night in 1 2 3 4 5; do
	midnight=$(date -d "2026-11-0$night" +%s)
	jobs_of -v night=$night -f "$fixtures/sweep/repeats.awk" \
		>"$work/jobs$night"
done

# sweep NIGHT OPTION...: output in $work/out and $work/err
sweep()
{
	local night=$1
	shift
	SACCT_JOBS=$work/jobs$night "$stepwell" sweep \
		--from "2026-11-0$night" "$@" >"$work/out" 2>"$work/err"
	status=$?
}

# section NAME: print it from the text page, in one line
section()
{
	sed -n "/^$1/,/^\$/p" "$work/out" | tr -s '\n ' '  '
}

for night in 1 2 3 4 5; do
	sweep $night --json
	is "night $night: ok" 0 $status
	cp "$work/out" "$work/night$night"
done
repeats='[x["nights_repeated"] for x in d["%s"] if x["%s"] == "%s"]'
for night in 1 2 3 4 5; do
	cp "$work/night$night" "$work/out"
	# shellcheck disable=SC2059
	value "$(printf "$repeats" failures group 'odd_#')"
done >"$work/failures"
is 'a failure is old from the third night on, until it costs more' \
	'[0] [0] [2] [3] [0]' "$(xargs <"$work/failures")"
for night in 1 2 3 4 5; do
	cp "$work/night$night" "$work/out"
	# shellcheck disable=SC2059
	value "$(printf "$repeats" retries name grow)"
done >"$work/retries"
is 'so is a retry' '[] [0] [0] [2] [0]' "$(xargs <"$work/retries")"
sweep 3
is 'what is new comes first, what is old in few words' \
	'ended with exit code 9. ended with exit code 3, as in the 2 nights before.' \
	"$(section 'Failures by cause' |
		grep -oE '(ended with exit code [39]|ran out of memory)[^.]*\.' |
		xargs)"
sweep 4
is 'in some of the nights' \
	'Retries - grow of dave was retried as in 2 of the 3 nights before. ' \
	"$(section Retries)"
is 'what is retried is no failure beside it' 0 \
	"$(section 'Failures by cause' | grep -c 'grow of dave')"
sweep 4 --user carol
is 'once, in the row of the group if it has one' \
	'odd_# of carol: ended with exit code 3, as in the 3 nights before. 0' \
	"$(section 'Where the waste is' | grep -o 'odd_# of carol: .*before\.') $(
		grep -c '^Failures by cause' "$work/out")"
sweep 4 --rows 0
is 'with all rows nothing is folded' 0 "$(grep -c 'nights before\.' "$work/out")"
sweep 4 --html "$work/page.html"
is 'HTML folds likewise' 1 \
	"$(grep -c 'odd_# of carol: ended with exit code 3, as in the 3 nights before\.' \
	"$work/page.html")"
sweep 5
is 'what costs more is new' 1 "$(section 'Failures by cause' |
	grep -cF '9 of 10 jobs of odd_# of carol ended with exit code 3.')"
is 'so is a retry that lost more' 1 "$(section Retries |
	grep -cF 'grow of dave ran out of memory with 4.0 GiB, and completed with 8.0 GiB')"
sweep 4 --user erin
is 'nothing is told to another user' '' "$(grep odd_ "$work/out")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
