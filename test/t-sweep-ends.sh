#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell sweep" counts a heterogeneous job once, and counts jobs as out of
# memory if a step was, or only the kernel noticed; similar jobs are unaffected.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
mkdir "$work/text"
awk -v midnight="$midnight" -v summaries="$work/text" \
	-f "$fixtures/sweep/ends.awk" >"$work/jobs"
"$abs_top_builddir/test/mkprofile" "$work/text/n1" \
	"$work/sum/2026-11-21.n1.stepwell"

sweep --json
is 'in JSON: ok' 0 $status

# --- heterogeneous jobs
is 'each counts once' '28 6' \
	"$(value 'str(d["total"]["jobs"]) + " " + str(g["mpmd_#"]["jobs"])')"
is 'and so do their ends' '5 1' "$(value '"%d %d" % (
	g["mpmd_#"]["completed"], g["mpmd_#"]["failed"])')"
is 'what all components had is added up' 72 \
	"$(value 'round(g["mpmd_#"]["cpu"]["allocated_core_hours"])')"
is 'so is what they used' 60 "$(value 'round(
	g["mpmd_#"]["cpu"]["allocated_core_hours"] *
	g["mpmd_#"]["cpu"]["efficiency"])')"
is 'a failure counts once' '[(1, 6)]' "$(value '[(f["jobs"], f["of_jobs"])
	for f in d["failures"] if f["group"] == "mpmd_#"]')"
is 'a retry, too' "[('again', 4)]" "$(value '[(r["name"], len(r["attempts"]))
	for r in d["retries"]]')"
is 'with what all components had' 172800 \
	"$(value 'd["retries"][0]["lost"]["core_seconds"]')"
is 'a step over both counts once, one of the second as well' '12 8' \
	"$(value '"%d %d" % tuple(x["jobs"] for group in ("mpmd_#", "again")
		for x in d["steps"] if x["group"] == group)')"
is 'the sums by user are all jobs' 28 \
	"$(value 'sum(x["jobs"] for x in d["users"])')"

# A component with its own name is in another group, which has no job.
sed -E '/^[0-9]+\|[0-9]+\+1\|/s/\|mpmd_/|other_/' "$work/jobs" >"$work/named"
SACCT_JOBS=$work/named "$stepwell" sweep --from 2026-11-21 --rows 0 \
	>"$work/out" 2>"$work/err"
is 'a group of components alone: ok' 0 $?
is 'is said to be one' 1 "$(page |
	grep -c 'other_# of alice, parts of heterogeneous jobs: ')"
is 'and the others are as many' 1 "$(page | grep -c 'mpmd_# of alice, 6 jobs: ')"
sweep --json

# --- out of memory
is 'in a step' '2 0' "$(value '"%d %d" % (
	g["steps_#"]["out_of_memory"], g["steps_#"]["failed"])')"
is 'by the kernel alone' '3 0' "$(value '"%d %d" % (
	g["kernel_#"]["out_of_memory"], g["kernel_#"]["failed"])')"
is 'whose cause is the same' "['out_of_memory', 'out_of_memory']" \
	"$(value '[f["cause"] for f in d["failures"]
		if f["group"] in ("steps_#", "kernel_#")]')"
is 'others failed' '0 3' "$(value '"%d %d" % (
	g["plain_#"]["out_of_memory"], g["plain_#"]["failed"])')"
is 'who was cancelled, or ran for too long, is so' '1 1 5' "$(value '"%d %d %d" % (
	d["total"]["cancelled"], d["total"]["time_limit"],
	d["total"]["out_of_memory"])')"
is 'what completed all the same did so' '1 1' "$(value '"%d %d" % (
	g["silent"]["completed"], d["total"]["silent_oom"])')"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
