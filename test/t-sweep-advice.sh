#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Advice of "stepwell sweep": a line applies to the jobs that had one request,
# and the text beside it is true of that line.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site

jobs_of -f "$fixtures/sweep/requests.awk" >"$work/jobs"
sweep --rows 0
is 'jobs of many requests: ok' 0 $status
page=$(page)
is 'preempted and requeued jobs are told' 1 \
	"$(grep -c '2 preempted or requeued' <<<"$page")"
is 'a line for each of two requests' 2 \
	"$(grep -oE 'for jobs that request (64|8)\.0 GiB of memory; enough for (30 of 30|24 of 24) runs' \
	<<<"$page" | wc -l)"
is 'no line where each request is another' 1 \
	"$(grep -oE 'No line fits all of its jobs, which request 8\.0 GiB to [0-9.]+ GiB of memory' \
	<<<"$page" | wc -l)"
sweep --json
is 'each job is in one count of ends' True "$(value '(d["total"]["jobs"] ==
	sum(d["total"][x] for x in ("completed", "failed", "out_of_memory",
		"time_limit", "deadline", "node_failed", "cancelled",
		"requeued", "other_end")))')"
is 'which is none in JSON' '[] 20' \
	"$(value '"%s %d" % (g["varied_#"]["lines"], g["varied_#"]["different_requests"])')"
is 'requests that hardly differ are one' '1 1' \
	"$(value '"%d %d" % (len(g["alike_#"]["lines"]), g["alike_#"]["different_requests"])')"

is 'what killed a job with another request is no line' '[]' "$(value '[
	x["sbatch"] for x in g["killed_#"]["lines"]
	if x["requested_bytes"] == 32 << 30]')"

# Check each line's promise with the jobs themselves; at a site that takes risks
# some lines are too low for some jobs.
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
cp "$work/settings.yaml" "$work/by-node.yaml"
sed -i 's/{risk: high}/{risk: high, memory_per: cpu}/' "$work/settings.yaml"
sweep --json
is 'a site that wants memory by CPU has no other line' 'True True' "$(value '"%s %s" % (
	any("--mem-per-cpu=" in x.get("sbatch", "") for y in g.values()
	    for x in y.get("lines", [])),
	not any("--mem=" in x.get("sbatch", "") for y in g.values()
		for x in y.get("lines", [])))')"
cp "$work/by-node.yaml" "$work/settings.yaml"
cp "$work/jobs" "$work/by-node"
sed -i '/sized_/s/65536M/16384Mc/' "$work/jobs"
sweep --json
is 'nor have jobs that requested it so' 'True True' "$(value '"%s %s" % (
	any("--mem-per-cpu=" in x["sbatch"] and
	    x["requested_bytes"] == 65536 << 20 for x in g["sized_#"]["lines"]),
	any("--mem=" in x["sbatch"] for x in g["peaked_#"]["lines"]))')"
mv "$work/by-node" "$work/jobs"
sweep --html "$work/out"
is 'HTML has both lines' 2 \
	"$(grep -cE 'For jobs that request (64|8)\.0 GiB of memory; enough for' "$work/out")"

# Kinds of nodes: an aligner that waits for I/O.
cp "$fixtures/sweep/scontrol" "$work/bin/scontrol"
chmod 755 "$work/bin/scontrol"
mkdir "$work/rows"
jobs_of -v summaries="$work/rows" -f "$fixtures/sweep/kinds.awk" >"$work/jobs"
for rows in "$work/rows"/star*; do
	"$abs_top_builddir/test/mkprofile" "$rows" \
		"$work/sum/2026-11-21.${rows##*/}.stepwell"
done
cat >"$work/nodes.csv" <<EOF
# The prices are invented.
node,cpus,memory_gib,gpus,local_disk_mb_s,network_mb_s,price_per_hour,currency,as_of
r6i.8xlarge,32,256,,1250,,2.00,USD,2026-01-08
r6i.16xlarge,64,512,,2500,,4.00,USD,2026-01-09
m6i.8xlarge,32,128,,1250,,1.50,USD,2026-01-08
small,16,16,,1250,,0.50,USD,2026-01-08
EOF
cat >"$work/settings.yaml" <<EOF
summaries_dir: $work/sum
sweep_dir: $work/nights
node_catalogue: $work/nodes.csv
EOF
sweep --rows 0
is 'jobs on kinds of nodes: ok' 0 $status
is 'nothing is complained of' '' "$(cat "$work/err")"
page=$(page)

# says WHAT TEXT, lacks WHAT TEXT: search the page as one line
says()
{
	is "$1" yes "$(grep -qF -- "$2" <<<"$page" && echo yes || echo "$2")"
}
lacks()
{
	is "$1" no "$(grep -qF -- "$2" <<<"$page" && echo "$2" || echo no)"
}
says 'what the night cost, and the dates of prices' \
	'They cost 190.33 USD (prices of 2026-01-08 to 2026-01-09).'
says 'times of kinds that it ran on' 'Its jobs took 3 h 05 min on r6i.8xlarge (median of 12; 6.19 USD each), 3 h 05 min on r6i.16xlarge (median of 8; 12.37 USD each), by prices of 2026-01-08 to 2026-01-09: r6i.8xlarge costs least.'
says 'the cheapest that fits, with its date, and no time' 'The cheapest kind of node that fits is m6i.8xlarge, 1.50 USD an hour (price of 2026-01-08); no job of this group ran there, so there is no evidence on speed.'
says 'what nobody else could have is not saved' 'Its jobs have all CPUs of their nodes, so a smaller request of memory frees nothing for others there; nodes with less memory would do.'
says 'nor counted as savings' 'Without 1 group whose jobs have all CPUs of their nodes.'
says 'more memory is refused as a reason' 'More memory is no reason to pay for r6i.16xlarge: its jobs needed 32.2 GiB at most, and r6i.8xlarge has 256 GiB.'
says 'and so are more CPUs' 'Nor are more CPUs: it stood still for I/O for 60 % of the time'
says 'a part of a node, and too few jobs for a time' 'm6i.8xlarge, 0.38 USD an hour for 25 % of one (price of 2026-01-08); 4 jobs of this group ran there, too few to tell its speed.'
is 'each sentence with a price has a date' 0 \
	"$(tr -d '\n' <"$work/out" | tr -s ' ' | grep -oE '[^.;:(]*[0-9.]+ USD[^;:]*' |
		grep -cvE 'prices? of|each\)')"
sweep --json
is 'no time where fewer than five jobs were, or none' True "$(value 'all(
	("median_seconds" in k) == (k["runs"] >= 5)
	for x in d["groups"] for k in x.get("node_kinds", []))')"
is 'what does not fit is named with its reason' \
	'needs 45.1 GiB of memory, has 16.0 GiB' "$(value '[k["obstacle"]
	for k in g["star_#"]["node_kinds"] if not k["fits"]][0]')"
# By hand: 27 jobs of whole and of quarter nodes, and so on.
is 'the cost is price times hours times the largest share' True "$(value 'abs(
	sum(2.0 * (10800 + 60 * i) for i in range(12)) / 3600 +
	sum(4.0 * (10830 + 60 * i) for i in range(8)) / 3600 +
	9 * 2.0 / 4 + 4 * 1.5 / 2 / 2 + 6 * 2.0 * 240 / 240 -
	d["total"]["cost"]["amount"]) < 0.001')"
for by in users accounts partitions node_kinds nodes_used; do
	is "the costs of $by are the total" True "$(value "abs(sum(
		x['cost']['amount'] for x in d['$by'] if 'cost' in x) -
		d['total']['cost']['amount']) < 0.001")"
done
is 'a node that the catalogue lacks has none' "['login1']" \
	"$(value "[x['name'] for x in d['nodes_used'] if 'cost' not in x]")"
sweep --user bob
is 'the page of a user has costs' 1 "$(page | grep -c 'They cost 18.00 USD')"
sweep --html "$work/out"
is 'HTML has them, too' 1 "$(grep -c 'no evidence on speed' "$work/out")"

# Shards by users give the same costs; those with another catalogue give none.
sweep --rows 0
cp "$work/out" "$work/whole"
for i in 1 2 3; do
	sweep --shard "$i/3" --output "$work/part$i"
done
"$stepwell" merge --rows 0 "$work"/part[123] >"$work/out" 2>"$work/err"
is 'in parts: the same page' '' "$(diff "$work/whole" "$work/out")"
cp "$work/nodes.csv" "$work/kept.csv"
sed -i 's/2026-01-0[89]/2026-02-01/; s/USD/EUR/' "$work/nodes.csv"
"$stepwell" merge "$work"/part[123] >"$work/out" 2>"$work/err"
page=$(page)
says 'another catalogue: no cost in a wrong currency' 'No job has a cost: they were counted with prices of 2026-01-09, which the catalogue of nodes no longer has.'
lacks 'none at all' EUR
mv "$work/kept.csv" "$work/nodes.csv"

# Nodes given by lists and patterns of names: Slurm need not be queried.
sed -i 's/^r6i.8xlarge/"star-st-a-[1-4]"/; s/^r6i.16xlarge/star-??-b-*/
	s/^m6i.8xlarge/"star-st-c-1,star-dy-c-1"/; /^small/d' "$work/nodes.csv"
mv "$work/bin/scontrol" "$work/scontrol"
sweep --json
is 'by names: nothing is complained of' '' "$(cat "$work/err")"
is 'by names: the same cost' 190.33 \
	"$(value 'round(d["total"]["cost"]["amount"], 2)')"
echo 'r7a.12xlarge,48,384,,,,3.00,USD,2026-01-08' >>"$work/nodes.csv"
sweep --json
is 'a feature without scontrol: ok' 0 $status
is 'which is said' 1 "$(grep -c 'rows of the catalogue of nodes that name a feature' \
	"$work/err")"
is 'the others have their cost' 190.33 \
	"$(value 'round(d["total"]["cost"]["amount"], 2)')"
mv "$work/scontrol" "$work/bin/scontrol"

# A mistake in the catalogue is named, and only costs are missing on the page.
head='node,cpus,memory_gib,gpus,local_disk_mb_s,network_mb_s,price_per_hour,currency,as_of'
while IFS='|' read -r what why line; do
	printf '%s\n%b\n' "$head" "$line" >"$work/nodes.csv"
	sweep
	is "$what: the page is there" 0 $status
	is "$what: said, with file and line" yes \
		"$(grep -qF "$work/nodes.csv:$why" "$work/err" && echo yes ||
		cat "$work/err")"
	is "$what: also on the page" yes "$(page |
		grep -q 'No job has a cost: ' && echo yes)"
done <<'EOF'
no name|2: node must be a name|,1,1,,,,,,
a name with a space|2: node must have no spaces|a b,1,1,,,,,,
no CPUs|2: cpus must be a number from 1 to 1e+06, not ""|a,,1,,,,,,
memory with a unit|2: memory_gib must be a number from 0.001 to 1e+09, not "64G"|a,1,64G,,,,,,
infinity|2: price_per_hour must be a number from 0 to 1e+09, not "inf"|a,1,1,,,,inf,EUR,2026-01-08
a negative price|2: price_per_hour must be a number from 0 to 1e+09, not "-1"|a,1,1,,,,-1,EUR,2026-01-08
no currency|2: a price needs a currency|a,1,1,,,,1,,2026-01-08
no date|2: a price needs the date that it is of|a,1,1,,,,1,EUR,
a date that is none|2: a price needs the date that it is of, as_of, such as 2026-01-08, not "2026-02-30"|a,1,1,,,,1,EUR,2026-02-30
two currencies|3: all prices must be in one currency, not "USD"|a,1,1,,,,1,EUR,2026-01-08\nb,1,1,,,,1,USD,2026-01-08
a kind twice|3: each kind of node comes once, not "a"|a,1,1,,,,,,\na,2,2,,,,,,
a field too many|2: not as many fields as the first line has|a,1,1,,,,,,,
escapes|2: node must have no spaces and only ASCII, not "a\x1b[31m"|a\033[31m,1,1,,,,,,
a list that is none| "n[1-" is not a list of at most 100000 nodes|n[1-,1,1,,,,,,
a list without end| "n[1-999999999]" is not a list|n[1-999999999],1,1,,,,,,
EOF
printf 'node,cpus,memory\n' >"$work/nodes.csv"
sweep
is 'a column that is none is named' 1 "$(grep -c 'nodes.csv:1: the columns are node,cpus,memory_gib.*, not "memory"' "$work/err")"
printf 'node,cpus\nn1,1\n' >"$work/nodes.csv"
sweep
is 'one that lacks, too' 1 \
	"$(grep -c 'nodes.csv:1: there is no column "memory_gib"' "$work/err")"
rm "$work/nodes.csv"
sweep
is 'without the file: the page is there' 0 $status
is 'and it is said' 1 "$(grep -c 'nodes.csv: .*; no job has a cost' "$work/err")"
mkfifo "$work/nodes.csv"
timeout 60 "$stepwell" sweep --from 2026-11-21 --json >"$work/out" \
	2>"$work/err"
is 'a pipe in its place stops nobody' yes \
	"$([ $? -ne 124 ] && grep -q nodes.csv "$work/err" && echo yes)"

# The cluster's nodes, as rows to be completed.
"$stepwell" doctor --catalogue >"$work/out" 2>"$work/err"
is 'doctor --catalogue: ok' 0 $?
is 'a row for each kind' "$head
r6i.8xlarge,32,256,,,,,,
r6i.16xlarge,64,512,,,,,,
m6i.8xlarge,32,128,,,,,,
gpus,48,192,4,,,,,
big[1-2],128,2048,,,,,," "$(grep -v '^#' "$work/out")"
is 'how many nodes each has' 1 "$(grep -c '^# m6i.8xlarge: 2 nodes; local_disk_mb_s: not seen; network_mb_s: not seen$' "$work/out")"
# Bytes of steps, one of which was too short to measure; quantiles are right
# within one part in 64.
{
	echo 'table step_summaries job slurm'
	printf 'column %s - text\n' cluster job_name step_id final_source
	printf 'column %s - state\n' job_id start_realtime_usec \
		end_realtime_usec read_bytes written_bytes \
		disk_bytes_per_sec net_bytes_per_sec
	for i in {1..100}; do
		echo "row c1 a batch cgroup $i $((midnight * 1000000))" \
			"$(((midnight + 100) * 1000000)) ${i}00000000 0 ${i}000000" \
			"$([ $i -le 9 ] && echo ${i}000000 || echo -)"
	done
	echo "row c1 a batch cgroup 101 $((midnight * 1000000))" \
		"$(((midnight + 1) * 1000000)) 900000000000 0 - -"
} >"$work/rates"
cp -r "$work/sum" "$work/kept"
"$abs_top_builddir/test/mkprofile" "$work/rates" \
	"$work/sum/2026-11-21.star-dy-c-1.stepwell"
"$stepwell" doctor --catalogue >"$work/rated" 2>"$work/err"
is 'and what steps read and wrote there' \
	'# m6i.8xlarge: 2 nodes; 99 % of 100 steps read and wrote at most 99.6 MB/s, wherever the files were; local_disk_mb_s: 99 % of the largest rates of 100 steps; network_mb_s: not seen' \
	"$(grep '^# m6i' "$work/rated")"
is 'with what its disk was seen to do, and nothing of a network that few used' \
	'm6i.8xlarge,32,128,,99.6147,,,,' "$(grep '^m6i' "$work/rated")"
rm -r "$work/sum"
mv "$work/kept" "$work/sum"
rm "$work/nodes.csv"
cp "$work/out" "$work/nodes.csv"
sweep
is 'which is a catalogue' 0 $status
is 'without prices' 1 "$(page | grep -c 'none ran on a node of the catalogue with a price')"
mv "$work/bin/scontrol" "$work/scontrol"
{
	printf '#!/bin/sh\n'
	i=0
	while read -r gres; do
		i=$((i + 1))
		echo "echo 'NodeName=g$i CPUTot=48 RealMemory=196608 Gres=$gres'"
	done <<'EOF'
gpu:a100:4(S:0-1)
gpu:h100:4(S:0-1)
gpu:A100:4
gpu:a100:2(S:0,1),gpu:v100:2
gpu:v100:2,craynetwork:4,gpu:a100:2
gpu:4
gpu:a100:1,gpu:v100:3
EOF
} >"$work/bin/scontrol"
chmod 755 "$work/bin/scontrol"
"$stepwell" doctor --catalogue >"$work/out" 2>"$work/err"
is 'models of GPUs are kinds of nodes' '"g[1,3]",48,192,4,,,,,
g2,48,192,4,,,,,
g[4-5],48,192,4,,,,,
g6,48,192,4,,,,,
g7,48,192,4,,,,,' "$(grep '^"\?g[^p]' "$work/out")"
mv "$work/scontrol" "$work/bin/scontrol"
SCONTROL_FAILS=1 "$stepwell" doctor --catalogue >"$work/out" 2>"$work/err"
is 'without an answer of Slurm: failure' 1 $?
is 'with its reason' 1 "$(grep -c 'Unable to contact slurm controller; no kinds of nodes can be proposed' "$work/err")"
"$stepwell" doctor --catalogue --json >"$work/out" 2>"$work/err"
is 'with other options: usage' 2 $?

# Savings: six nights, with a group that requests less from the fourth on.
printf '%s\n' "summaries_dir: $work/none" "sweep_dir: $work/months" \
	>"$work/settings.yaml"
mkdir "$work/none" "$work/months"
chmod 750 "$work/none"
for night in 1 2 3 4 5 6; do
	midnight=$(date -d "2026-11-0$night" +%s)
	jobs_of -v night=$night -f "$fixtures/sweep/savings.awk" \
		>"$work/jobs$night"
	SACCT_JOBS=$work/jobs$night "$stepwell" sweep --json --rows 0 \
		--from "2026-11-0$night" >"$work/night$night" 2>"$work/err"
done
cp "$work/night4" "$work/out"
is 'in the night of the change there are enough jobs to tell' 1 \
	"$(value 'len(d["requests_lowered"])')"
cp "$work/night6" "$work/out"
is 'one group requests less' "['less_#']" \
	"$(value '[x["label"] for x in d["requests_lowered"]]')"
# 30 hours with 12 GiB less, without the half hour with 4 GiB.
is 'what it saved since, with what its failure took' '358.0 31 30 1 0' \
	"$(value '"%.1f %d %d %d %d" % tuple(d["requests_lowered"][0][k]
	for k in ("saved_gib_hours", "jobs", "jobs_before", "out_of_memory",
		  "out_of_memory_before"))' )"
is 'since when' 2026-11-04 "$(date -d "@$(value \
	'd["requests_lowered"][0]["since"]')" +%F)"
SACCT_JOBS=$work/jobs6 "$stepwell" sweep --from 2026-11-06 --rows 0 \
	>"$work/out" 2>"$work/err"
page=$(page)
says 'in words' 'less_# of alice requests 4.0 GiB of memory since 2026-11-04, 16.0 GiB before: its 31 jobs since then had 358 GiB-hours less. 1 of them ran out of memory, which is taken off; none of 30 before.'
says 'what following all lines would have saved' 'Following the lines of'
says 'with its risk' 'requests would have been too small'
says 'and for the month' 'for all jobs of these groups in the 6 nights that are known of the last 30 days.'
lacks 'nothing that is none' ' 0.00 core-hours of'
# The page of a group.
SACCT_JOBS=$work/jobs5 "$stepwell" sweep --from 2026-11-05 --group 'less_#' \
	>"$work/out" 2>"$work/err"
is 'the page of a group: ok' 0 $?
page=$(page)
says 'it is named' '11 jobs ended of less_#, with'
says 'with its row' '1. less_# of alice, 11 jobs:'
says 'its failures' '1 of 11 jobs of less_# of alice ran out of memory'
says 'and what it saved' 'less_# of alice requests 4.0 GiB of memory since'
lacks 'and of no other' more_
SACCT_JOBS=$work/jobs5 "$stepwell" sweep --from 2026-11-05 --group 'less_#' \
	--user bob >"$work/out" 2>"$work/err"
is 'a group that a user does not have: none' 3 $?
is 'which is said' 1 "$(grep -c \
	'no job of the group "less_#" of the user "bob" ended in that time' "$work/err")"

# Repeated advice takes one line: "more_#" from the third night on, until it
# changes in the fourth.
is 'a repeat is counted, a change is none' '0 0 2 0 0 0' "$(for i in 1 2 3 4 5 6; do
	cp "$work/night$i" "$work/out"
	value 'g["more_#"]["nights_repeated"]'
done | xargs)"
SACCT_JOBS=$work/jobs3 "$stepwell" sweep --from 2026-11-03 >"$work/out" \
	2>"$work/err"
page=$(page)
says 'a repeat is folded' 'GiB-hours wasted As in the 2 nights before: more memory than needed. #SBATCH'
SACCT_JOBS=$work/jobs3 "$stepwell" sweep --from 2026-11-03 --rows 0 \
	>"$work/out" 2>"$work/err"
page=$(page)
lacks 'with all rows it is not' 'As in the'
rm "$work/out"	# no page, so it would not be replaced
SACCT_JOBS=$work/jobs3 "$stepwell" sweep --from 2026-11-03 \
	--html "$work/out" 2>"$work/err"
page=$(page)
says 'HTML folds it, too' 'As in the 2 nights before: more memory than needed.'
SACCT_JOBS=$work/jobs6 "$stepwell" sweep --from 2026-11-06 --user bob \
	>"$work/out" 2>"$work/err"
page=$(page)
lacks "a user's page has nobody else's" less_
cp "$work/night6" "$work/out"
is 'no more is saved than there was' True "$(value '(0 <
	d["savings"]["gib_hours"] < d["savings"]["allocated_gib_hours"] and
	d["savings"]["gib_hours"] <= d["savings"]["month_gib_hours"])')"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
