#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# GPUs from the driver's library to the report, with the stand-in for NVIDIA's
# library, in a mount namespace where the driver seems to be loaded.
set -u
: "${abs_top_builddir:=$PWD}"
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
[ -d /proc/driver ] && mount -t tmpfs none /proc/driver 2>/dev/null ||
	skip "no mounts over /proc/driver here"
. "$top/test/lib.sh"
mkdir /proc/driver/nvidia
echo "a stand-in" >/proc/driver/nvidia/version
export LD_LIBRARY_PATH=$abs_top_builddir/test/nvml
export STEPWELL_NVML_SCRIPT=$work/script LC_ALL=C
gib=$((1 << 30))

# play LINE...: set the library's answers from now on
play()
{
	printf '%s\n' "$@" >"$work/new"
	mv "$work/new" "$STEPWELL_NVML_SCRIPT"
}

# record NAME COMMAND...
record()
{
	local name=$1
	shift
	"$stepwell" run --no-report --output "$work/$name" --period 200ms \
		-- "$@"
}

one=("gpu GPU-a 00000000:17:00.0 NVIDIA H100 80GB HBM3" "set busy 12"
	"set total $((80 * gib))" "set used $((44 * gib))" "set power 96000"
	"set energy 1000")
two=("gpu GPU-b 00000000:65:00.0 NVIDIA H100 80GB HBM3" "set busy 90"
	"set total $((80 * gib))" "set used $((70 * gib))" "set power 600000")

# Two concurrent commands, each with a process of its own on GPU 0.
play "${one[@]}" "${two[@]}"
# uses WORD...: print a command that reports its GPU use, until it may end
uses()
{
	echo "echo process \$\$ $1 >$work/$2
		until [ -e $work/seen ]; do sleep 0.1; done"
}
# sampled NAME TABLE: it already has a row
sampled()
{
	[ -n "$(column "$work/$1.part" "$2" time_usec)" ]
}
record first sh -c "$(uses "$((3 * gib)) 12 3" p1)" &
first=$!
record second sh -c "$(uses "$((41 * gib)) 7 1" p2)" &
second=$!
await test -s "$work/p1"
await test -s "$work/p2"
play "${one[@]}" "$(cat "$work/p1")" "$(cat "$work/p2")" "${two[@]}"
await sampled first series.gpu_process
await sampled second series.gpu_process
touch "$work/seen"
wait "$first" "$second"
is "the step's own memory on the GPU" $((3 * gib)) \
	"$(column "$work/first" series.gpu_process memory.used | sort -u)"
is "the other step's" $((41 * gib)) \
	"$(column "$work/second" series.gpu_process memory.used | sort -u)"
is "both have all GPUs of the node" "0 1 " \
	"$(column "$work/first" series.gpu subject | sort -u | tr '\n' ' ')"
is "the report says it in words" yes "$(
	"$stepwell" report "$work/first" | tr -s ' \n' ' ' | grep -q \
		"GPU 0 (NVIDIA H100 80GB HBM3): busy 12 % of the time, up to 3.0 GiB of 80.0 GiB, 96 W on average" &&
	echo yes)"
is "and not of a GPU that it did not use" "" \
	"$("$stepwell" report "$work/first" | grep 'GPU 1 (')"
# Where pids are, and in texts: a counter may have the same value.
is "nobody else's pid is in the profile" "" "$("$stepwell" dump "$work/first" |
	awk -F '\t' -v pid="$(cut -d' ' -f2 "$work/p2")" '
	/^# table/ { getline; for (i = 1; i <= NF; i++) is_pid[i] = $i ~ /(^|_)pid$/; next }
	{
		for (i = 1; i <= NF; i++)
			if (is_pid[i] ? $i == pid : $i !~ /^[0-9.]*$/ &&
			    $i ~ "(^|[^0-9])" pid "([^0-9]|$)")
				print
	}')"

# The GPU falls off the bus: a successful run has a finding.
play "${one[@]}"
rm "$work/seen"
record lost sh -c "echo process \$\$ $gib 12 3 >>$STEPWELL_NVML_SCRIPT
	until [ -e $work/seen ]; do sleep 0.1; done" &
lost=$!
await sampled lost series.gpu_process
echo lost >>"$STEPWELL_NVML_SCRIPT"
# The number of NVML_ERROR_GPU_IS_LOST
is_lost()
{
	column "$work/lost.part" series.gpu status | grep -x 15
}
await is_lost
touch "$work/seen"
wait "$lost"
is "a lost GPU" "critical" "$("$stepwell" report --json "$work/lost" |
	tr -d ' \n' | tr '{' '\n' |
	sed -n 's/.*"id":"gpu.errors","severity":"\([a-z]*\)".*/\1/p')"

# A call that never returns delays nobody.
play "${one[@]}" "hang DeviceGetPowerUsage"
timeout 300 "$stepwell" run --no-report --output "$work/hanging" \
	--period 200ms -- sleep 2
is "a driver that hangs: the command ends" 0 $?
rows=$(column "$work/hanging" series.proc processes | wc -l)
late=$(column "$work/hanging" summary lost_samples)
is "and is sampled as ever" yes "$([ $((rows + late)) -ge 8 ] && echo yes)"
is "without a row of the GPU" "" \
	"$(column "$work/hanging" series.gpu subject)"

# A driver without a GPU, and its library without a driver.
play "fail Init_v2 9"
rm "$work/seen"
record none sh -c "until [ -e $work/seen ]; do sleep 0.1; done" &
none=$!
is_absent()
{
	events "$work/none.part" source_absent detail | grep '^gpu: '
}
await is_absent
touch "$work/seen"
wait "$none"
is "no GPU: said once" 1 \
	"$(events "$work/none" source_absent detail | grep -c '^gpu: ')"
is "and not evaluated" 5 "$("$stepwell" report --json "$work/none" |
	tr -d ' \n' | tr '{' '\n' | grep -c '"id":"gpu\.[a-z_]*","because"')"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
