#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What got worse in ten nights, since when, in all forms of the page, from
# accounting alone.
# shellcheck disable=SC2154 # what lib.sh and sweep-lib.sh set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
for night in 01 02 03 04 05 06 07 08 09 10; do
	midnight=$(date -d "2026-11-$night" +%s)
	jobs_of -v night=$((10#$night)) -f "$fixtures/sweep/worse.awk" \
		>"$work/jobs$night"
done

# sweep NIGHT OPTION...: output in $work/out and $work/err
sweep()
{
	local night=$1
	shift
	SACCT_JOBS=$work/jobs$night "$stepwell" sweep \
		--from "2026-11-$night" "$@" >"$work/out" 2>"$work/err"
	status=$?
}

# like WHAT PATTERN TEXT
like()
{
	if [[ $3 =~ $2 ]]; then
		is "$1" yes yes
	else
		is "$1" "$2" "$3"
	fi
}

# worse: print the section of the text page, in one line
worse()
{
	sed -n "/^Worse/,/^\$/p" "$work/out" | tr -s '\n ' '  '
}

for night in 01 02 03 04 05 06 07; do
	sweep $night
	is "night $night: ok" 0 $status
	is "night $night: nothing got worse" '' "$(worse)"
done
sweep 08
like 'in the night in which it began' \
	'^Worse than in the 7 nights before - slow_# of dave, 20 jobs: since 2026-11-08 the run used [0-9a-z ]* of CPU time instead of [0-9a-z ]* \(medians, 56 past runs\); the run took 1[45] min [0-9]* s instead of (9|10) min [0-9]* s \(medians, 56 past runs\)\. Compared with 7 nights before\. $' \
	"$(worse)"
sweep 09
sweep 10
is 'three changes, one row each' 3 "$(grep -c ' jobs: since' "$work/out")"
like 'with the night in which each began' \
	'slow_# of dave, 20 jobs: since 2026-11-08 .*fat_# of dave, 20 jobs: since 2026-11-09 the run needed (1.9|2.0) GiB of memory instead of [0-9]* MiB \(' \
	"$(worse)"
like 'failures' \
	'flaky_# of erin, 20 jobs: since 2026-11-09 the job failed in [0-9]* of [0-9]* runs, usually in 0.0' \
	"$(worse)"
sweep 10 --user=erin
is "a user's page has that user's" 'flaky_# of erin' \
	"$(worse | grep -oE '(slow|fat|flaky)_# of [a-z]+' | xargs)"
sweep 10 --json
is 'JSON' "[('fat_#', 'need_bytes', 9), ('flaky_#', 'failed_share', 9), ('slow_#', 'cpu_seconds', 8)]" \
	"$(value 'sorted((x["groups"][0]["label"], x["what"],
		(x["since"] - '"$midnight"') // 86400 + 10) for x in d["worse"])')"
is 'the numbers are those of the sentence' True \
	"$(value 'all(1.3 < x["value"] / x["value_before"] < 2.2
		for x in d["worse"] if x["what"] != "failed_share")')"
sweep 10 --csv
is 'CSV' 3 "$(grep -c '^"worse","c1",.*_# of .*: since 2026-11-' "$work/out")"
sweep 10 --html="$work/page.html"
is 'HTML' 3 "$(grep -o 'jobs: since 2026-11-' "$work/page.html" | wc -l)"

# It is as before again.
midnight=$(date -d 2026-11-11 +%s)
jobs_of -v night=1 -v id=99000 -f "$fixtures/sweep/worse.awk" >"$work/jobs11"
sweep 11
is 'what is as before is not told' '' "$(worse)"

# A damaged night is as one that is missing.
echo damaged >"$work/nights/2026-11-03.sweep"
sweep 10
is 'a damaged night is left out' 0 $status
is 'the same was found' 3 "$(grep -c ' jobs: since' "$work/out")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
