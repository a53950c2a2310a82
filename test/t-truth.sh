#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Workloads of known size compared with their recordings, on every backend that
# this machine and this user have: complete ones by their numbers, others by the
# loss that they state.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

mib=$((1 << 20))
bin=$work/bin

# Another user may not be able to read the build tree: it gets copies.
mkdir -p "$bin" "$work/any"
chmod 1777 "$work/any"
cp "$abs_top_builddir/analyzer/stepwell" \
	"$abs_top_builddir/recorder/stepwell-recorder" "$bin"
cp "$abs_top_builddir"/test/workloads/w_* \
	"$abs_top_builddir/test/workloads/may_perf" "$bin"
rm -f "$bin"/*.o
cat >"$work/frozen.yaml" <<'YAML'
rules:
  progress.frozen:
    min_frozen_seconds: 2
YAML
export STEPWELL_LIBEXECDIR=$bin

# has_capability NUMBER: see capability.h
has_capability()
{
	local set
	set=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
	(((16#$set >> $1) & 1))
}

# Print the best source of programs and of counters for root here, determined
# without stepwell.
best_programs()
{
	if grep -q '^#define HAVE_LIBBPF 1' "$abs_top_builddir/config.h" &&
		[ -r /sys/kernel/btf/vmlinux ] && has_capability 21 &&
		has_first_pids; then
		echo bpf
	else
		echo proc
	fi
}

# Print the best source of programs for an unprivileged user; above 32 CPUs perf
# has less data, and above 64 none.
best_user_programs()
{
	if [ "$(nproc --all)" -gt 32 ]; then
		echo "# perf is not tried: more than 32 CPUs" >&2
		echo proc
	elif "$@" "$bin/may_perf" 2>"$work/refused"; then
		echo perf
	else
		echo "# perf is not tried: $(cat "$work/refused")" >&2
		echo proc
	fi
}

best_backend()
{
	local mount
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	if [ -z "$mount" ] || ! has_capability 21 ||
		! mkdir "$mount/truth-$$" 2>/dev/null; then
		echo process.tree
		return
	fi
	rmdir "$mount/truth-$$"
	if grep -qw memory "$mount/cgroup.controllers"; then
		echo cgroup.v2
	elif awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { found = 1 }
		END { exit !found }' /proc/mounts; then
		echo cgroup.v1
	else
		echo cgroup.v2.base
	fi
}

# record NAME COMMAND...: $report is its report as JSON, $truth the truth;
# $given are options of "stepwell run"
given=()
record()
{
	local name=$1
	shift
	folder=$work/any/$label.$name
	"${as[@]}" mkdir "$folder"
	truth=$folder/truth
	report=$folder/report.json
	"${as[@]}" env STEPWELL_PROGRAMS="$programs" "$bin/stepwell" run \
		--no-report --output "$folder/p.stepwell" "${given[@]}" -- \
		"$bin/$1" "${@:2}" --truth "$truth" >"$folder/out" 2>&1
	status=$?
	STEPWELL_CONF=$work/frozen.yaml "$stepwell" report --json \
		"$folder/p.stepwell" >"$report"
}

true_()
{
	tr ' ' '\n' <"$truth" | sed -n "s/^$1=//p" | tail -n 1
}

# of_tool PROGRAM FIELD
of_tool()
{
	query "$report" "([t for t in r['programs'] if t['name'] == '$1'] or
		[{}])[0].get('$2')"
}

has_finding()
{
	query "$report" "'$1' in [f['id'] for f in r['findings']]"
}

compare_cpu()
{
	record cpu w_cpu 11 3
	is "$label: source of CPU and memory" "$backend" \
		"$(query "$report" 'r["recording"]["backend"]')"
	is "$label: source of programs" "$programs" \
		"$(query "$report" 'r["recording"].get("programs_source")')"
	# Source of process data: before Linux 6.2 BPF iterates over the whole
	# node.
	looks=$("$stepwell" dump "$folder/p.stepwell" |
		sed -n 's/^# table series.proc, source \([^,]*\),.*/\1/p')
	echo "# $label: processes are looked at by $looks"
	case $programs,$looks in
	bpf,bpf|bpf,bpf.iter|perf,proc|proc,proc) pair=right ;;
	*) pair=wrong ;;
	esac
	is "$label: source of processes ($looks)" right $pair
	truth_usec=$(true_ cpu_usec)
	between "$label: CPU seconds of 3 threads (truth $truth_usec us)" \
		"$(awk "BEGIN { print 0.98e-6 * $truth_usec }")" \
		"$(awk "BEGIN { print 1.02e-6 * $truth_usec }")" \
		"$(query "$report" 's["cpu"]["used_core_seconds"]')"
}

compare_memory()
{
	local bytes slack=$mib
	record hold w_hold 23 7 3 --exec
	bytes=$(true_ anonymous_bytes)
	[ "$bytes" != missing ] || bytes=$(true_ held_bytes)
	[ $((bytes / 50)) -le $slack ] || slack=$((bytes / 50))
	# Only a cgroup counts page tables and kernel stacks, which are need,
	# too.
	[ "$backend" != cgroup.v2 ] || slack=$((slack + 3 * mib))
	between "$label: need of 7 x 23 MiB held (truth $bytes)" \
		$((bytes - mib)) $((bytes + slack)) \
		"$(query "$report" 's["memory"]["need_bytes"]')"
	# Each of them maps libc, which is in memory once.
	between "$label: and no more for the code they share" $((bytes - mib)) \
		$((bytes + slack + 6 * mib)) \
		"$(query "$report" 's["memory"]["floor_bytes"]')"
}

# of_finding ID EVIDENCE: print its value
of_finding()
{
	query "$report" "[e['value'] for f in r['findings'] if f['id'] == '$1'
		for e in f['evidence'] if e['counter'] == '$2'][0]"
}

# need_is_interval WHAT: its bounds are in order and contain the measured value
need_is_interval()
{
	is "$label: need of $1: low, floor, upper end and what was seen" True \
		"$(query "$report" "(lambda m: m['need_bytes'] <=
			m['floor_bytes'] <= m.get('need_upper_bytes',
			m['floor_bytes']) and m['peak_bytes'] <=
			m.get('need_upper_bytes', m['peak_bytes']))(
			s['memory'])")"
}

# A child that no sample sees: from Linux 6.16 on its exit record has its
# memory.
compare_between_samples()
{
	given=(--period 1m)
	record spike w_spike 60 500 --child --before-ms 200 --after-ms 200
	given=()
	if [ "$programs" = bpf ] && printf '%s\n' 6.16 "$(uname -r)" | sort -VC; then
		between "$label: need of a child that no sample met" \
			$((58 * mib)) $((66 * mib)) \
			"$(query "$report" 's["memory"]["need_bytes"]')"
	fi
	between "$label: nothing is advised below it where its end is seen" \
		$([ "$programs" = bpf ] && echo $((58 * mib)) || echo 0) \
		$((70 * mib)) "$(query "$report" 's["memory"]["floor_bytes"]')"
}

# A file that is mapped and used completely, and one that is read once.
compare_mapped()
{
	local mapped
	given=(--mem 4G)
	record map w_map "$work/any/mapped" 150 6
	mapped=$(true_ mapped_bytes)
	is "$label: all of what is mapped was in memory" "$mapped" \
		"$(true_ resident_bytes)"
	between "$label: nothing below mapped files is advised" "$mapped" \
		$((mapped + 40 * mib)) \
		"$(of_finding memory.over_allocated advised_at_least)"
	need_is_interval "mapped files"
	record once w_map "$work/any/mapped" 150 6 --read
	between "$label: a file that is read once is no need" 0 $((40 * mib)) \
		"$(of_finding memory.over_allocated advised_at_least)"
	need_is_interval "a file that is read"
	given=()
	rm -f "$work/any/mapped"
}

# Sanitizers read files of their own.
compare_bytes()
{
	record "$1" w_read "$folder/file" 2 --create 200
	is_sanitized "$abs_top_builddir/test/workloads/w_read" ||
		is "$label: bytes $1 by system call" "$(true_ rchar_bytes)" \
		"$(query "$report" 's["io"]["call_read_bytes"]')"
	rm -f "$work"/any/*/file
}

# Compare CPU time of programs that live for half a millisecond with the
# cgroup's.  Their last microseconds, after the exit record, are in the cgroup's
# only: 1.5 % on a busy machine.  STOLEN is stolen_seconds() before.  t-sums.sh
# has programs that live longer.
compare_cpu_of_children()
{
	[ "$looks" = bpf ] && [ "${backend#cgroup}" != "$backend" ] || return
	local used stolen
	stolen=$(awk "BEGIN { print $(stolen_seconds) - $1 }")
	used=$(query "$report" 's["cpu"]["used_core_seconds"]')
	between "$label: CPU seconds of 500 children and who starts them" \
		"$(awk "BEGIN { print 0.97 * $used }")" \
		"$(awk "BEGIN { print 1.01 * $used + $stolen }")" \
		"$(query "$report" "sum(t['used_core_seconds'] for t in r['programs'])")"
}

# Exits of 500 children: all successful, if each exit is seen.  The kernel sends
# events of failures only, and silence proves success only once the machine has
# been idle: under load the last exits are unknown, and reported so.
compare_ends()
{
	local ok unknown

	ok=$(of_tool true exited_ok)
	if [ "$programs" != perf ] || [ "$exited_ok" != 500 ]; then
		is "$label: all of which ended well" "$exited_ok" "$ok"
		return
	fi
	unknown=$(of_tool true exited_unknown)
	between "$label: most of which ended well" 250 500 "$ok"
	is "$label: the end of the others is unknown" 500 \
		$((ok + ${unknown/None/0}))
}

# 500 children: all of them, or a stated loss.
compare_children()
{
	local stolen
	stolen=$(stolen_seconds)
	record spawn w_spawn 500
	is "$label: 500 children ran" 500 "$(true_ exited_zero)"
	if [ "$is_complete" = True ]; then
		is "$label: children counted" 500 "$(of_tool true count)"
		compare_cpu_of_children "$stolen"
		compare_ends
	elif [ "$sees_exits" = True ]; then
		# Only their CPU time is incomplete.
		is "$label: children counted, if not their last ticks" 500 \
			"$(of_tool true count)"
		compare_ends
	else
		between "$label: children seen at samples" 0 500 \
			"$(query "$report" "sum(t['count'] for t in r['programs']
				if t['name'] == 'true')")"
	fi
	is "$label: the count is complete" "$is_complete" \
		"$(of_tool w_spawn is_complete)"
	[ "$is_complete" = True ] ||
		is "$label: and the report says at least" 1 \
			"$("$stepwell" report "$folder/p.stepwell" |
				grep -c 'means at least')"
	local usec=$(($(true_ cpu_usec) + $(true_ spawned_cpu_usec)))
	between "$label: CPU seconds with all children (truth $usec us)" \
		"$(awk "BEGIN { print 0.98e-6 * $usec - 0.01 }")" \
		"$(awk "BEGIN { print 1.02e-6 * $usec + 0.05 }")" \
		"$(query "$report" 's["cpu"]["used_core_seconds"]')"
}

compare_killed()
{
	record silent w_silent --live-ms 500
	is "$label: the parent of a killed child exits 0" "0 9" \
		"$status $(true_ signal)"
	# A process that no sample sees is not in the data of /proc.
	[ "$programs" = proc ] && tells_exits && return
	is "$label: the kill is a finding" "$sees_exits" \
		"$(has_finding program.killed)"
	[ "$sees_exits" = True ] ||
		is "$label: or could not be evaluated" True \
			"$(query "$report" "'program.killed' in
				[n['id'] for n in r['not_evaluated']]")"
}

compare_frozen()
{
	record freeze w_freeze 5 --burn-ms 500
	is "$label: a frozen process is a finding" True \
		"$(has_finding progress.frozen)"
	between "$label: for as many seconds" 2 \
		"$(awk "BEGIN { print 1e-6 * $(true_ frozen_usec) + 0.5 }")" \
		"$(query "$report" "[e['value'] for f in r['findings']
			if f['id'] == 'progress.frozen'
			for e in f['evidence'] if e['unit'] == 'seconds'][0]")"
}

# memory_cgroup FOLDER: create a cgroup of that name that counts memory; prints
# the file of its peak.
memory_cgroup()
{
	local mount
	for mount in $(awk '$3 == "cgroup2" || ($3 == "cgroup" &&
		$4 ~ /(^|,)memory(,|$)/) { print $2 }' /proc/mounts); do
		mkdir "$mount/$1" 2>/dev/null || continue
		for peak in memory.peak memory.max_usage_in_bytes; do
			[ ! -e "$mount/$1/$peak" ] || {
				echo "$mount/$1/$peak"
				return
			}
		done
		rmdir "$mount/$1"
	done
}

# Commands without their own cgroup may be in a shared one: its peak includes
# page cache and kernel memory, which no process has.
compare_peak()
{
	local peak folder=$work/any/peak upper
	peak=$(memory_cgroup "truth-peak-$$")
	if [ -z "$peak" ]; then
		echo "# $who: no cgroup counts memory here"
		return
	fi
	mkdir "$folder" && chmod 777 "$folder"
	sh -c 'echo $$ >"$1" && shift && exec "$@"' sh \
		"${peak%/*}/cgroup.procs" "${become[@]}" "$bin/stepwell" run \
		--no-report --output "$folder/p.stepwell" -- sh -c "
		$bin/w_hold 11 3 0.5; $bin/w_map $folder/file 64 0.1 --read"
	upper=$("$stepwell" report --json "$folder/p.stepwell" \
		>"$folder/report.json" && query "$folder/report.json" \
		's["memory"].get("need_upper_bytes", 1 << 62)')
	between "$who: the upper end of the need is none, or one" \
		"$(cat "$peak")" $((1 << 62)) "$upper"
	rm -f "$folder/file"
	rmdir "${peak%/*}"
}

# Without a choice the best available source is used.
compare_choice()
{
	"${as[@]}" "$bin/stepwell" run --no-report \
		--output "$work/any/chosen.stepwell" -- true
	is "$label: what is chosen by itself" "$programs" "$("$stepwell" report \
		--json "$work/any/chosen.stepwell" >"$work/chosen" &&
		query "$work/chosen" 'r["recording"].get("programs_source")')"
}

# held_back CASE: two threads wanted a CPU each, and did not get it.  Waits that
# are not fully seen extend to the last sample.
held_back()
{
	local least=0.5
	[ "$programs" != bpf ] || least=0.95
	truth_usec=$(true_ waited_usec)
	between "$label: $1: seconds of waits (truth $truth_usec us)" \
		"$(awk "BEGIN { print $least * 1e-6 * $truth_usec }")" \
		"$(awk "BEGIN { print 1.05e-6 * $truth_usec + 0.1 }")" \
		"$(query "$report" 's["cpu"].get("run_queue_wait_seconds")')"
	is "$label: $1: the step was held back" True \
		"$(query "$report" 's["cpu"]["is_constrained"]')"
	if [ "$programs" = bpf ] || [ "$(query "$report" \
		"'demand_peak_cores' in s['cpu']")" = True ]; then
		# A wait counts when it ends: long ones are less even, and for
		# half a second they are more than two (3.4 were seen); the sum
		# is checked above.
		between "$label: $1: CPUs that were wanted" 1.8 1000 \
			"$(query "$report" 's["cpu"]["demand_peak_cores"]')"
		is "$label: $1: one CPU would not have fitted" False \
			"$(query "$report" "any('--cpus-per-task=1.' in
				f['sentence'] for f in r['findings'])")"
	else
		is "$label: $1: nothing is claimed of what is not known" \
			'False True' "$(has_finding cpu.over_allocated
			) $(query "$report" "'cpu.over_allocated' in
				[n['id'] for n in r['not_evaluated']]")"
	fi
}

# quota_folder: create a cgroup with half a CPU, of v1 or v2; prints "" if none.
quota_folder()
{
	local mount
	mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ {
		print $2; exit }' /proc/mounts)
	if [ -n "$mount" ] && mkdir "$mount/truth-$$" 2>/dev/null; then
		echo 50000 >"$mount/truth-$$/cpu.cfs_quota_us"
		echo "$mount/truth-$$"
		return
	fi
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	grep -qsw cpu "$mount/cgroup.subtree_control" &&
		mkdir "$mount/truth-$$" 2>/dev/null || return
	echo 50000 100000 >"$mount/truth-$$/cpu.max"
	echo "$mount/truth-$$"
}

# demand WHO BACKEND PROGRAMS COMMAND-TO-BECOME...: CPUs wanted by a step but
# not received, for three reasons.
demand()
{
	local cpu others quota
	label="$1, $2, $3"
	backend=$2
	programs=$3
	as=("${@:4}")
	given=(--cpus 4)
	cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')

	"$bin/w_cpu" 1000 12 --on "$cpu" &
	others=$!
	record crowded w_cpu 1 2 --on "$cpu"
	kill "$others"
	wait "$others" 2>/dev/null
	held_back 'beside twelve threads of others'

	record bound w_cpu 6 2 --on "$cpu"
	held_back 'bound to one CPU'

	quota=
	[ "$(id -u)" -ne 0 ] || quota=$(quota_folder)
	if [ -n "$quota" ]; then
		# shellcheck disable=SC2016 # for another shell
		as=(bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$quota"
			env "${@:4}")
		record quota w_cpu 3 2
		held_back 'under a quota'
		rmdir "$quota"
	else
		echo "# $label: no quota is tried: no cpu controller, or no root"
	fi
	given=()
}

# backend WHO BACKEND PROGRAMS COMMAND-TO-BECOME...
backend()
{
	label="$1, $2, $3"
	backend=$2
	programs=$3
	as=("${@:4}")
	is_complete=False sees_exits=False exited_ok=None
	case $programs in
	bpf) is_complete=True sees_exits=True exited_ok=500 ;;
	perf)
		is_complete=True
		! tells_exits || { sees_exits=True exited_ok=500; }
		;;
	esac
	compare_cpu
	compare_memory
	compare_between_samples
	compare_mapped
	compare_bytes read
	# Kernels that count programs but do not let BPF read processes.
	[ "$looks" != bpf ] ||
		STEPWELL_SNAPSHOT=off compare_bytes read-by-proc
	compare_children
	compare_killed
	compare_frozen
}

if [ "$(id -u)" -eq 0 ]; then
	if [ "$(best_programs)" != proc ]; then
		backend root "$(best_backend)" "$(best_programs)"
		demand root "$(best_backend)" "$(best_programs)"
	fi
	backend root "$(best_backend)" proc
	who=nobody
	become=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
	echo "# root's backends are not tried: not root"
	who=$(id -un)
	become=()
fi
[ "$(id -u)" -ne 0 ] || compare_peak
best=$(best_user_programs "${become[@]}")
if [ "$best" != proc ]; then
	backend "$who" process.tree "$best" "${become[@]}"
	compare_choice
fi
backend "$who" process.tree proc "${become[@]}"
demand "$who" process.tree proc "${become[@]}"
tally
