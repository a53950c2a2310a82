#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Pipelines, runs, tasks, steps and programs on the page of "stepwell sweep":
# from data that workflow engines leave in accounting records, and pages of one
# of them.
# shellcheck disable=SC2154 # what lib.sh and sweep-lib.sh set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
run=b3b1ef1c-9d2e-4d5a-8f07-00000000000

# says WHAT TEXT, lacks WHAT TEXT: search the last page
says()
{
	is "$1" "$2" "$(page | grep -oF -- "$2" | head -n1)"
}
lacks()
{
	is "$1" '' "$(page | grep -oF -- "$2" | head -n1)"
}

jobs_of -f "$fixtures/sweep/pipelines.awk" >"$work/jobs"
sweep --json
is 'jobs of workflow engines: ok' 0 $status
is 'pipelines: a name, or the folder where it was started' \
	"[('/data/bob/metag', 10), ('/data/carol/wgs', 19), ('<script>alert(1)</script>', 1), ('climate', 6), ('germline', 4), ('nf-core/rnaseq', 41)]" \
	"$(value 'sorted((p["name"], p["jobs"]) for p in d["pipelines"])')"
is 'runs: only where they are certain' \
	"[('\"=1+1\"', 1), ('${run}1', 14), ('${run}2', 5), ('${run}3', 4), ('may', 6)]" \
	"$(value 'sorted((r["name"], r["jobs"]) for r in d["runs"])')"
is 'each with its user and pipeline' "[('carol', '/data/carol/wgs')]" \
	"$(value "[(r['user'], r['pipeline']) for r in d['runs']
	if r['name'] == '${run}1']")"
is 'tasks of pipelines are their groups of jobs' \
	"[('nf-NFCORE_RNASEQ_RNASEQ_FASTQC', 'alice', 20), ('nf-NFCORE_RNASEQ_RNASEQ_FASTQC', 'bob', 1), ('nf-NFCORE_RNASEQ_RNASEQ_STAR_ALIGN', 'alice', 20)]" \
	"$(value 'sorted((t["name"], t["user"], t["jobs"]) for t in d["tasks"]
	if t["pipeline"] == "nf-core/rnaseq")')"
is 'the costly first' "nf-core/rnaseq" "$(value 'd["pipelines"][0]["name"]')"
is 'programs that srun started, and what they used' \
	"[('air.x', 3, 48, 0.25), ('ocean.x', 6, 96, 0.25)]" \
	"$(value 'sorted((p["name"], p["jobs"], round(p["cpu"]["allocated_core_hours"], 3),
	round(p["cpu"]["efficiency"], 3)) for p in d["programs"])')"
is 'steps: a program in a group' "[('model_#:air.x', 'model_#'), ('model_#:ocean.x', 'model_#')]" \
	"$(value 'sorted((s["name"], s["group"]) for s in d["steps"])')"
total=$(value '[p["cpu"]["allocated_core_hours"] for p in d["pipelines"] if p["name"] == "nf-core/rnaseq"][0]')

# The page of one pipeline.
sweep --pipeline nf-core/rnaseq --json
is 'the page of a pipeline: ok' 0 $status
is 'its total is that of its row' "$total 41" \
	"$(value '"%s %d" % (d["total"]["cpu"]["allocated_core_hours"], d["total"]["jobs"])')"
is 'its rows are its tasks, the costly first' \
	"['nf-NFCORE_RNASEQ_RNASEQ_STAR_ALIGN', 'nf-NFCORE_RNASEQ_RNASEQ_FASTQC', 'nf-NFCORE_RNASEQ_RNASEQ_FASTQC']" \
	"$(value '[x["label"] for x in d["groups"]]')"
is 'with the line that the group has' True \
	"$(value 'd["groups"][0]["lines"][0]["sbatch"].startswith("--mem=")')"
sweep --pipeline nf-core/rnaseq --user bob
says 'of one user' '1 job ended of the pipeline nf-core/rnaseq of bob'
sweep --pipeline /data/carol/wgs
says 'its runs, to be looked up' "${run}1 of carol, /data/carol/wgs"
says 'failures of groups that are wholly in it' \
	'3 of 12 jobs of rule_bwa of carol ended with exit code 3'
sweep --pipeline climate
lacks 'not of one that has other jobs as well' 'Failures by cause'
sweep --run "${run}1"
is 'the page of a run: ok' 0 $status
says 'its jobs' "14 jobs ended of the run ${run}1, with"
says 'its tasks' 'rule_bwa of carol, 12 jobs:'
says 'its retries' 'ran out of memory with 4.0 GiB, and completed with 8.0 GiB'
lacks 'and no other run' rule_sort
sweep --run "${run}2"
lacks 'nor the retries of another' 'Retries'
sweep --user carol
says 'the page of a user has its pipelines' 'By pipeline'
lacks 'and those of nobody else' metag
sweep --group 'model_#'
says 'the page of a group has its steps' 'model_#:ocean.x of erin'
sweep --run nothing
is 'a run that is none: nothing' 3 $status
is 'which is said' 'stepwell: no job of the run "nothing" ended in that time' \
	"$(cat "$work/err")"
sweep --run a --pipeline b
is 'a run and a pipeline: usage' 2 $status

# All output formats.
sweep --csv
is 'CSV has a row for each, and its kind' \
	"['account', 'group', 'partition', 'pipeline', 'program', 'qos', 'run', 'step', 'task', 'user'] {21}" \
	"$(python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
print(sorted({r[0] for r in rows[1:]}), {len(r) for r in rows})' "$work/out")"
lacks 'and no formula' ',"="'
sweep --html "$work/page.html"
is 'HTML: ok' 0 $status
is 'it has all tables' 5 "$(grep -oE '<summary>By (pipeline|run of a pipeline|task of a pipeline|program that srun started|step)<' \
	"$work/page.html" | wc -l)"
is 'and a name is text' '' "$(grep -o '<script' "$work/page.html")"

# An unrealistic number of names: they count as one, in any number of shards.
jobs_of -v many=1100 -f "$fixtures/sweep/pipelines.awk" >"$work/jobs"
sweep --json
is 'a flood of runs: ok' 0 $status
is 'is one row' "[('', 1100)]" "$(value '[(r["name"], r["jobs"])
	for r in d["runs"] if r["user"] == "mallory"]')"
is 'no job is lost' 1100 "$(value '[p["jobs"] for p in d["pipelines"]
	if p["name"] == "flood"][0]')"
is 'the runs of others are there' 5 \
	"$(value 'sum(r["user"] != "mallory" for r in d["runs"])')"
sweep
says 'and it is said' 'Counted as one: more than 1000 runs of mallory.'
cp "$work/out" "$work/page"
before=$(md5sum <"$work/nights/2026-11-21.sweep")
for shards in 7 64; do
	rm -rf "$work/parts"
	mkdir "$work/parts"
	for ((i = 1; i <= shards; i++)); do
		sweep --shard "$i/$shards" --output "$work/parts/$i"
	done
	"$stepwell" merge "$work/parts"/* >"$work/out" 2>"$work/err"
	is "$shards parts: the same page" '' "$(diff "$work/page" "$work/out")"
	is "$shards parts: the same file" "$before" \
		"$(md5sum <"$work/nights/2026-11-21.sweep")"
done
"$stepwell" merge --run "${run}1" "$work/parts"/* >"$work/out" 2>"$work/err"
says 'a run of parts' "14 jobs ended of the run ${run}1, with"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
