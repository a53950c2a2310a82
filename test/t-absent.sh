#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Reports of recordings that lack a table: unknown values are never printed as
# invalid numbers ("nan"), in any format.  Uses one recording of each finding,
# without each of its tables.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
rules=${abs_top_srcdir:-$(dirname "$0")/..}/test/rules
export TZ=UTC LC_ALL=C STEPWELL_CONF=/dev/null STEPWELL_HISTORY=$work/history
export XDG_STATE_HOME=$work
mkdir "$work/rule"
cp "$rules/identity.txt" "$work"

# without NUMBER: print a recording's text without the table of that number
without()
{
	awk -v number="$1" '/^table / { table++ } table != number'
}

# shows WHAT: no format of its report has such a number
shows()
{
	local form found=

	"$abs_top_builddir/test/mkprofile" "$work/rule/text" \
		"$work/profile.stepwell" 2>/dev/null || return
	for form in --brief --json --html=-; do
		"$stepwell" report --no-sacct $form "$work/profile.stepwell" \
			>"$work/out" 2>/dev/null
		[ $? -lt 128 ] || found="$found killed$form"
		# Matches words, but not names like "infinite".
		found=$found$(grep -oiE '(^|[^a-z/_])-?(nan|inf)([^a-z/_]|$)' \
			"$work/out" | head -n 1)
		reports=$((reports + 1))
	done
	[ -z "$found" ] || is "$1" '' "$found"
	rm -f "$work/profile.stepwell"
}

reports=0
for folder in "$rules"/*/; do
	fires=$(find "$folder" -name 'fires*.txt' | sort | head -n 1)
	[ -n "$fires" ] || continue
	tables=$(grep -c '^table ' "$fires")
	for ((i = 1; i <= tables; i++)); do
		without $i <"$fires" >"$work/rule/text"
		shows "$(basename "$folder") without table $i"
	done
done
is "reports were read" yes "$([ $reports -gt 500 ] && echo yes)"
echo "# $reports reports"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
