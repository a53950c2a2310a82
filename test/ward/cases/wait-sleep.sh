# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a polling loop with short sleeps by design; nothing is computed
# request: --cpus 1
# must: progress.waiting|progress.frozen
# never: io.stalled cpu.over_allocated
# bottleneck: wait
# busy: 0.1

job()
{
	local i count

	count=$(long 40)
	for ((i = 0; i < count; i++)); do
		[ -e result ] || sleep 0.5
	done
}
