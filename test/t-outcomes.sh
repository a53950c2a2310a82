#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The first line of jobs that failed, or were ended, in one way each: as the
# recorders of a cluster with Slurm recorded them (fixtures/outcomes, a file for
# each node), and without Slurm's record, as at the end of a job.  "make golden"
# rewrites what is expected.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
fixtures=${abs_top_srcdir:-$(dirname "$0")/..}/test/fixtures/outcomes

# first NAME: print the beginning of the job's report, without the hint to
# Slurm's state
first()
{
	local file profiles=()

	for file in "$fixtures/$1".txt "$fixtures/$1".n?.txt; do
		[ -e "$file" ] || continue
		profiles+=("$work/$(basename "$file" .txt).stepwell")
		"$abs_top_builddir/test/mkprofile" "$file" \
			"${profiles[${#profiles[@]} - 1]}" || return
	done
	"$stepwell" report --brief --no-sacct "${profiles[@]}" 2>&1 |
		sed -n '1 { s/^stepwell: //; s/ (for Slurm.*report [0-9_+]*)//; p; }'
}

for file in "$fixtures"/*.txt; do
	name=$(basename "$file" .txt)
	echo "${name%.n[0-9]}"
done | LC_ALL=C sort -u >"$work/names"
while read -r name; do
	printf '%s\t%s\n' "$name" "$(first "$name")"
done <"$work/names" >"$work/found"
[ -z "${UPDATE_GOLDEN-}" ] ||
	cmp -s "$work/found" "$fixtures/expected" ||
	cp "$work/found" "$fixtures/expected"

while IFS=$'\t' read -r name line; do
	is "$name: $(sed -n '1s/^# //p' "$fixtures/$name"*.txt | head -n 1)" \
		"$(sed -n "s/^$name	//p" "$fixtures/expected")" "$line"
done <"$work/found"
is "each line of \"expected\" is of a recording" \
	"$(cat "$work/names")" "$(cut -f1 "$fixtures/expected")"
[ "$failed" -eq 0 ] ||
	echo "# fixtures/outcomes/expected differs: \"make golden\" rewrites it"

tally
