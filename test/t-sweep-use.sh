#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell sweep" with the columns of summaries other than sums: idle GPUs, the
# mount that a group waited for, causes of failed programs; similar jobs have
# none.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
install -m 755 "$fixtures/sweep/scontrol" "$work/bin"
mkdir "$work/text"
awk -v midnight="$midnight" -v summaries="$work/text" \
	-f "$fixtures/sweep/use.awk" >"$work/jobs"
"$abs_top_builddir/test/mkprofile" "$work/text/n1" \
	"$work/sum/2026-11-21.n1.stepwell"

has() # WHAT TEXT: on the page, which is kept beside the JSON
{
	local page
	page=$(tr -s '\n ' '  ' <"$work/page")
	if [[ $page == *"$2"* ]]; then
		is "$1" yes yes
	else
		is "$1" "$2" "$page"
	fi
}

sweep --rows 0
cp "$work/out" "$work/page"
is 'the page: ok' 0 $status
sweep --json
is 'in JSON: ok' 0 $status

# --- GPUs
has 'idle GPUs are waste' 'idlegpu_# of alice, 10 jobs: 4.0 core-hours and 1.9 GiB-hours and 38.0 idle GPU-hours wasted'
has 'and said' 'The GPUs that its jobs had were busy for 5 % of the time.'
is 'the costly come first' 'idlegpu_# gpu.idle' \
	"$(value 'd["groups"][0]["label"] + " " + d["groups"][0]["finding"]')"
is 'busy ones are not' no "$(value '"yes" if g["train_#"].get("finding") == "gpu.idle" else "no"')"
is 'of unseen ones nothing is known' False "$(value '"gpu_efficiency" in g["unseen_#"]')"
is 'the efficiency of each' '0.05 0.9' "$(value '"%g %g" % (
	g["idlegpu_#"]["gpu_efficiency"], g["train_#"]["gpu_efficiency"])')"
has 'the gauge' 'busy of 80.0 GPU-hours'
has 'and of how much it is' 'How busy GPUs were is known of 89 % of the GPU-hours, from summaries.'

# --- mounts
has 'one mount is named' 'waiting for I/O on /scratch: more CPUs'
is 'of the group that waits for it' "['onemount_#', 'private_#']" \
	"$(value 'sorted(k for k, x in g.items() if "stalled_for" in x)')"
is 'by its name, or its kind' '/scratch nfs' \
	"$(value 'g["onemount_#"]["stalled_for"] + " " + g["private_#"]["stalled_for"]')"
is 'it is named once' 1 "$(page | grep -o ' on /scratch' | wc -l)"
is 'who waits for peers does not wait for I/O' cpus_idle \
	"$(value 'g["peers_#"]["cause"]')"
has 'but for these' 'The time of its steps went to waits for peers and other processes (70 %), the CPU (28 %): see the report of a job'
is 'sums can be added up' 25200 \
	"$(value 'round(g["onemount_#"]["limited_by_seconds"]["io"])')"
is 'a row of more than its time says nothing' False \
	"$(value '"limited_by_seconds" in g["forged_#"]')"

is 'nodes without pressure have none' 0 "$(page | grep -c 'memory was short')"

# --- failures
has 'why a program failed' '6 of 10 jobs of fails_# of dave: aligner ended with exit code 1: a file was missing.'
has 'the script of a job goes by the name of the job' '6 of 10 jobs of script_# of dave ended with exit code 1: a file was missing.'
is 'only where it is known' "[None, 'a file was missing']" \
	"$(value 'sorted({f.get("message") for f in d["failures"]}, key=str)[::1]')"
is 'and nothing of jobs that completed' 0 "$(page | grep -c 'no space')"

# --- costs with GPUs
cat >"$work/nodes.csv" <<'CSV'
node,cpus,memory_gib,gpus,local_disk_mb_s,network_mb_s,price_per_hour,currency,as_of
n1,64,512,4,,,10.00,USD,2026-01-08
CSV
echo "node_catalogue: $work/nodes.csv" >>"$work/settings.yaml"
sweep --json
is 'idle GPUs cost what they share of the node, but for the CPUs that work' '94.4 10.0' "$(value '"%.1f %.1f" % (
	g["idlegpu_#"]["cost"]["wasted"] / g["idlegpu_#"]["cost"]["amount"] * 100,
	g["train_#"]["cost"]["wasted"] / g["train_#"]["cost"]["amount"] * 100)')"

# --- parts
sweep --rows 0
cp "$work/out" "$work/whole"
mkdir "$work/parts"
for ((i = 1; i <= 7; i++)); do
	sweep --shard "$i/7" --output "$work/parts/$i"
done
"$stepwell" merge --rows 0 "$work/parts"/* >"$work/out" 2>"$work/err"
is 'seven parts: the same page' '' "$(diff "$work/whole" "$work/out")"

# --- rows of a release that had none of these columns
sed -e '/^column \(stall\|failed\|gpu\|limited\|disk\|net\)/d' "$work/text/n1" |
	awk '$1 == "row" { print "row", $2, $3, $4, $5, $10, $11, $12, $13,
		$14, $15, $16, $17, $18, $19; next } { print }' >"$work/earlier"
"$abs_top_builddir/test/mkprofile" "$work/earlier" \
	"$work/sum/2026-11-21.n1.stepwell"
sweep --json
is 'rows of an earlier release: ok' 0 $status
is 'all of them count' 111 "$(value 'd["total"]["recorded"]')"
is 'what they lack is not zero' "[False, False]" "$(value '[
	any("gpu_efficiency" in x for x in g.values()),
	any("limited_by_seconds" in x for x in g.values())]')"

tally
