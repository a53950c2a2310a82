#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the failure of a run coincides with: recordings of an array, imported;
# the report says the same in each format.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
mknode=$abs_top_builddir/test/mknode
export LC_ALL=C TZ=UTC NO_COLOR=1 COLUMNS=400
export STEPWELL_CONF=$work/conf.yaml STEPWELL_HISTORY=$work/h.sqlite
: >"$STEPWELL_CONF"
mkdir "$work/all"

# record JOB INDEX LATER [OPTION...]: a recording of 100_INDEX or later
record()
{
	profile=$work/all/c1.$1.$((1780000000 + $3)).n1.stepwell
	job=$1 index=$2 later=$3
	shift 3
	"$mknode" "$profile" 1 "job=$job" "array=${job}_$index" nodes=1 \
		"later=$later" "$@" || exit 99
}

said()
{
	"$stepwell" report --no-sacct "$1" 2>/dev/null |
		grep -o "$2" | head -n 1
}

i=10
while [ "$i" -lt 60 ]; do
	record "$((1000 + i))" "$i" "$((i - 9))"
	i=$((i + 1))
done
record 1007 7 1 exit=3
"$stepwell" import --claims --quiet "$work/all"
is "one attempt does not tell" \
	"Input, node or program cannot be told: 1 of 1 attempt at array index 7 failed in this way, on 1 node" \
	"$(said "$profile" 'Input, node or program.*on 1 node')"
record 2007 7 5000 exit=3
"$stepwell" import --claims --quiet "$profile"
words='2 of 2 attempts at array index 7 failed in this way, on 1 node, and 50 of 50 runs of others since then did not: its input'
is "two, and the others there succeeded: its input" "$words" \
	"$(said "$profile" '2 of 2.*its input')"
"$stepwell" report --no-sacct --json "$profile" >"$work/json" 2>/dev/null
is "in JSON" "1 1" "$(grep -c "$words" "$work/json") $(grep -c \
	'"subject": *"input"' "$work/json")"
"$stepwell" report --no-sacct --html "$work/report.html" "$profile" \
	>/dev/null 2>&1
is "in HTML" 1 "$(grep -c "$words" "$work/report.html")"
is "explained" 1 "$("$stepwell" explain run.failure_origin |
	grep -c "Fisher's exact test")"

tally
