# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: xargs runs 28 equal tasks, two at a time, and all succeed
# request: --cpus 2
# never: cpu.fork_heavy cpu.imbalance
# bottleneck: cpu
# busy: 2
# needs: cpus:2

job()
{
	seq 28 | xargs -P 2 -I{} \
		"$WARD_BUILD/test/ward/programs/phases" 1x1
}
