#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The sums over the programs of a step equal the usage of the step: CPU time
# compared with the cgroup's cpu.stat, bytes with those reported by dd (and fio,
# if installed).  Needs BPF, as root.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

workloads=$abs_top_builddir/test/workloads
mib=$((1 << 20))

# record NAME COMMAND...: $report is its report as JSON, $profile the profile
record()
{
	profile=$work/$1.stepwell
	report=$work/$1.json
	shift
	"$stepwell" run --no-report --force --output "$profile" -- "$@" 2>"$report.err"
	"$stepwell" report --json "$profile" >"$report"
}

[ "$(id -u)" -eq 0 ] || {
	echo '# skip: all programs are only seen as root'
	exit 77
}
record first true
[ "$(column "$profile" steps programs_source)" = bpf ] || {
	echo '# skip: all programs are only seen by BPF'
	exit 77
}

# Print the cgroup's CPU seconds, minus those before the recording.
cgroup_seconds()
{
	column "$profile" series.cpu usage_usec |
		awk 'NR == 1 { first = $1 } END { print ($1 - first) / 1e6 }'
}

programs_seconds()
{
	query "$report" "sum(t['used_core_seconds'] for t in r['programs'])"
}

# adds_up PER_CENT WHAT COMMAND...: compare, and check that no program was
# missed
adds_up()
{
	local part=$1 what=$2 seconds stolen
	shift 2
	stolen=$(stolen_seconds)
	record cpu "$@"
	stolen=$(awk "BEGIN { print $(stolen_seconds) - $stolen }")
	seconds=$(cgroup_seconds)
	is "$what: each program is complete" True \
		"$(query "$report" "all(t['is_complete'] for t in r['programs'])")"
	between "$what: the programs' CPU seconds, of $seconds of the cgroup" \
		"$(awk "BEGIN { print (1 - $part / 100) * $seconds }")" \
		"$(awk "BEGIN {
			print (1 + $part / 100) * $seconds + $stolen }")" \
		"$(programs_seconds)"
}

adds_up 1 'short programs' "$workloads/w_spawn" 800 \
	sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done'
is 'short programs: all are there' 800 "$(query "$report" \
	"[t['count'] for t in r['programs'] if t['name'] == 'sh'][0]")"
# The CPU time of a process after its parent was notified, 5 us, is not in its
# record; for one that lives for a third of a millisecond this is 1 %.
adds_up 2 'the shortest programs' "$workloads/w_spawn" 3000
is 'the shortest programs: all are there' 3000 "$(query "$report" \
	"[t['count'] for t in r['programs'] if t['name'] == 'true'][0]")"
adds_up 1 'threads' "$workloads/w_cpu" 3 16
adds_up 1 'a long one' "$workloads/w_cpu" 3 1
# shellcheck disable=SC2016
adds_up 1 'all at once' sh -c '"$1/w_spawn" 300 sh -c "for i in 1 2 3 4 5 6 7
	do sh -c : | cat; done" & "$1/w_cpu" 1 4 & "$1/w_cpu" 1 1; wait' \
	sh "$workloads"
# shellcheck disable=SC2016
adds_up 1 'shells with children' sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do
	sh -c "for j in 1 2 3 4 5 6 7 8 9 10; do
		sh -c : | cat >/dev/null; done"; done'

# of_tool PROGRAM FIELD
of_tool()
{
	query "$report" "[t['$2'] for t in r['programs']
		if t['name'] == '$1'][0]"
}

# Its loader reads the beginnings of libraries, and it prints statistics.
near()
{
	between "$1 (truth $2)" "$2" $(($2 + $3)) "$4"
}

# shellcheck disable=SC2016
record dd sh -c 'dd if=/dev/zero of="$1/file" bs=1M count=96 2>"$1/1"
	dd if="$1/file" of=/dev/null bs=64k 2>"$1/2"
	dd if="$1/file" bs=4k count=5000 2>"$1/3" | dd of="$1/other" \
		bs=32k iflag=fullblock 2>"$1/4"' sh "$work"
copied=$(awk '/bytes/ { sum += $1 } END { printf "%.0f", sum }' \
	"$work"/[1-4])
is 'dd: it says that it copied' $((192 * mib + 2 * 5000 * 4096)) "$copied"
near 'dd: bytes read by call' "$copied" 65536 \
	"$(of_tool dd call_read_bytes)"
near 'dd: bytes written by call' "$copied" 4096 \
	"$(of_tool dd call_written_bytes)"
rm -f "$work/file" "$work/other"

# of_fio WAY: print the sum reported by all its jobs
of_fio()
{
	python3 -c '
import json, sys
print(sum(job[sys.argv[2]]["io_bytes"]
          for job in json.load(open(sys.argv[1]))["jobs"]))' \
		"$work/fio.out" "$1"
}

# An existing file, so that fio need not create one.
compare_fio()
{
	head -c $((16 * mib)) /dev/zero >"$work/file"
	record fio fio --name=work --filename="$work/file" --rw=randrw \
		--bs=16k --size=16M --overwrite=1 --numjobs=3 \
		--output-format=json --output="$work/fio.out" "$@" --invalidate=0
	is "fio $*: it did 48 MiB" $((48 * mib)) \
		$(($(of_fio read) + $(of_fio write)))
	near "fio $*: bytes read by call" "$(of_fio read)" $((mib / 4)) \
		"$(of_tool fio call_read_bytes)"
	near "fio $*: bytes written by call" "$(of_fio write)" $((mib / 4)) \
		"$(of_tool fio call_written_bytes)"
}

if command -v fio >/dev/null; then
	compare_fio --ioengine=psync
	compare_fio --ioengine=sync --thread=1
else
	echo '# fio is not tried: it is not installed'
fi
tally
