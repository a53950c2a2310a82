# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: computes, and writes a checkpoint of 48 MiB four times
# request: --cpus 1
# never: io.stalled io.saturated cpu.idle_middle
# bottleneck: cpu

job()
{
	local i

	for i in 1 2 3 4; do
		ward phases 1x4
		head -c 50331648 /dev/zero >checkpoint
	done
}
