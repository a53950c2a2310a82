# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a pool of four processes of three threads each computes on two CPUs
# request: --cpus 2
# must: cpu.oversubscribed
# never: cpu.over_allocated lock.contended
# bottleneck: cpu
# busy: 64

job()
{
	local i

	for i in 1 2 3 4; do
		ward phases 3x12 &
	done
	wait
}
