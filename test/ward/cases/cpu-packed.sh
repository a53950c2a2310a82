# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: two programs bound to the same CPU, the other one idle
# request: --cpus 2
# must: place.packed|place.too_few_cpus
# never: cpu.starved cpu.over_allocated
# bottleneck: cpu
# needs: cpus:2 taskset

job()
{
	local cpu
	cpu=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
	taskset -c "$cpu" "$WARD_BUILD/test/ward/programs/phases" 1x15 &
	taskset -c "$cpu" "$WARD_BUILD/test/ward/programs/phases" 1x15
	wait
}
