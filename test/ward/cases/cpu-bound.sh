# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: bound to one CPU by taskset, with two threads; two CPUs requested
# request: --cpus 2
# must: place.too_few_cpus|place.packed
# never: cpu.starved cpu.over_allocated cpu.single_threaded
# bottleneck: cpu
# needs: cpus:2 taskset

job()
{
	taskset -c "$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')" \
		"$WARD_BUILD/test/ward/programs/phases" 2x15
}
