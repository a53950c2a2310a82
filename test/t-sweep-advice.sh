#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What "stepwell sweep" advises: a line is for the jobs that came with one
# request, and what is said beside it is true of that very line.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
fixtures=$srcdir/test/fixtures
export TZ=UTC LC_ALL=C
export SACCT_WINDOWS=/dev/null
mkdir "$work/bin" "$work/sum" "$work/nights"
cp "$fixtures/sacct/sacct" "$work/bin/sacct"
chmod 755 "$work/bin/sacct"
chmod 750 "$work/sum"
PATH=$work/bin:$PATH
midnight=$(date -d '2026-11-21 00:00' +%s)
cat >"$work/settings.yaml" <<EOF
summaries_dir: $work/sum
sweep_dir: $work/nights
EOF
export STEPWELL_CONF=$work/settings.yaml

# The head of the table of jobs, and behind it those of a script of awk.
jobs()
{
	awk -v midnight="$midnight" -v night=1 \
		-f "$fixtures/sweep/night.awk" | head -n1
	awk -v midnight="$midnight" -v night=1 "$@" \
		-f "$fixtures/sweep/night.awk"
}

# sweep OPTION...: into $work/out and $work/err
sweep()
{
	SACCT_JOBS=$work/jobs "$stepwell" sweep --from 2026-11-21 "$@" \
		>"$work/out" 2>"$work/err"
	status=$?
}

# value EXPRESSION: of the JSON that was printed last, as d, g by label
value()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
g = {x["label"]: x for x in d["groups"]}
print(eval(sys.argv[2]))' "$work/out" "$1"
}

# text: the page in one line
text()
{
	tr -s '\n ' '  ' <"$work/out"
}

jobs -f "$fixtures/sweep/requests.awk" >"$work/jobs"
sweep --rows 0
is 'jobs of many requests: ok' 0 $status
page=$(text)
is 'a line for each of two requests' 2 \
	"$(grep -oE 'for jobs that request (64|8)\.0 GiB of memory; would have fitted (30 of 30|24 of 24) runs' \
	<<<"$page" | wc -l)"
is 'no line where each request is another' 1 \
	"$(grep -oE 'No line fits all of its jobs, which request 8\.0 GiB to [0-9.]+ GiB of memory' \
	<<<"$page" | wc -l)"
sweep --json
is 'which is none in JSON' '[] 20' \
	"$(value '"%s %d" % (g["varied_#"]["lines"], g["varied_#"]["different_requests"])')"
is 'requests that hardly differ are one' '1 1' \
	"$(value '"%d %d" % (len(g["alike_#"]["lines"]), g["alike_#"]["different_requests"])')"

# What each line promises, by the jobs themselves; a site that takes risks has
# lines that are too little for some.
promises='all(
	fit["fits"] == sum(need <= int(line["sbatch"].split("=")[1][:-1])
		for request, needs in {
			65536: [12000 + 10 * i for i in range(30)],
			8192: [1000 + i for i in range(24)],
			4096: [300 + 2000 * (i % 12 == 5) + i
			       for i in range(24)]}.items()
		if request << 20 == line["requested_bytes"] for need in needs)
	and fit["runs"] == line["runs"]
	for label in ("sized_#", "peaked_#")
	for line in g[label]["lines"] for fit in line["fits"])'
is 'a line fits as many jobs as it says' True "$(value "$promises")"
printf 'advice: {risk: high}\n' >>"$work/settings.yaml"
sweep --json
is 'and so does one with a risk' True "$(value "$promises")"
is 'which is too little for some' True "$(value 'any(
	fit["fits"] < fit["runs"] for line in g["peaked_#"]["lines"]
	for fit in line["fits"])')"
sweep --csv --rows 0
is 'CSV has both lines with their requests' 1 \
	"$(grep -c '"--mem=[0-9]*M (requests 64.0 GiB of memory); --mem=[0-9]*M (requests 8.0 GiB of memory)"' \
	"$work/out")"
sweep --html "$work/out"
is 'HTML has both lines' 2 \
	"$(grep -cE 'For jobs that request (64|8)\.0 GiB of memory; would have fitted' "$work/out")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
