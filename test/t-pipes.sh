#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs waiting for a pipe, and the program at its other end: pipelines whose
# slow end writes, or reads, with each way to sample threads.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/lib.sh"
export STEPWELL_LIBEXECDIR=$abs_top_builddir/recorder
recorders=()

# start CASE VARIABLE=VALUE SCRIPT: record it until the file "end" exists
start()
{
	env "$2" "XDG_STATE_HOME=$work/state.$1" "$stepwell" run \
		--period 200ms --no-report --output "$work/$1.stepwell" -- \
		sh -c "$3" "$work/end" >"$work/$1.out" 2>&1 </dev/null &
	recorders+=($!)
}

# dump CASE: print the profile that is still being written
dump()
{
	"$stepwell" dump "$work/$1.stepwell.part" 2>/dev/null
}

# wait_for CASE: wait until its pipes were sampled, or it has ended
wait_for()
{
	until dump "$1" | grep -q '^# table pipes' ||
		[ -e "$work/$1.stepwell" ]; do
		sleep 0.2
	done
}

# pairs CASE: print PROGRAM IS_WRITING OTHERS OTHER, each once
pairs()
{
	"$stepwell" dump "$work/$1.stepwell" | awk -F '\t' '
		/^# table / { is_ours = /^# table pipes/; delete at; next }
		is_ours && /^time_usec/ {
			for (i = 1; i <= NF; i++)
				at[$i] = i
			next
		}
		is_ours && NF > 1 {
			print $at["program"], $at["is_writing"],
				$at["others"], $at["other"]
		}' | sort -u
}

# Expanded by the recorded shell.
# shellcheck disable=SC2016
slow_writer='{ until [ -e "$0" ]; do echo line; sleep 0.2; done; } | sort'
# shellcheck disable=SC2016
slow_reader='yes | { until [ -e "$0" ]; do read -r line; sleep 0.2; done; }'
# shellcheck disable=SC2016
# A wait without a pipe, and a pipe that nobody waits for.
none='until [ -e "$0" ]; do sleep 0.2; done | true'
for backend in bpf proc; do
	case $backend in
	bpf) how=STEPWELL_ANY= ;;
	*) how=STEPWELL_PROGRAMS=proc ;;
	esac
	start "writer.$backend" "$how" "$slow_writer"
	start "reader.$backend" "$how" "$slow_reader"
done
start none STEPWELL_ANY= "$none"
for name in writer.bpf reader.bpf writer.proc reader.proc; do
	wait_for "$name"
done
touch "$work/end"
wait "${recorders[@]}"
for backend in bpf proc; do
	is "who waits for a slow writer ($backend)" "sort 0 1 sh" \
		"$(pairs "writer.$backend")"
	is "who waits for a slow reader ($backend)" "yes 1 1 sh" \
		"$(pairs "reader.$backend")"
done
for name in writer reader; do
	is "$name: threads were looked at in /proc" proc \
		"$("$stepwell" dump "$work/$name.proc.stepwell" | sed -n \
			's/^# table series.waits, source \([a-z]*\).*/\1/p')"
done
is "what no pipe was waited for" "" "$(pairs none)"
tally
