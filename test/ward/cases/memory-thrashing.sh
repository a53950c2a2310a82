# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: an index of 400 MiB mapped below a limit of 150 MiB: it is read anew all
# truth: the time
# request: --cpus 1
# must: memory.thrashing|memory.near_limit|memory.cache_squeezed
# never: memory.over_allocated
# may: io.stalled io.saturated
# bottleneck: memory|io
# needs: cgroup
# busy: 1

prepare()
{
	a_file index 400
	limit_memory 150
}

job() { workload w_map index 400 "$(long 15)"; }
