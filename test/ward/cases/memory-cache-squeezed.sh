# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a file of 300 MiB is read ten times below a limit of 100 MiB: the page
# truth: cache cannot hold it
# request: --cpus 1
# must: memory.cache_squeezed|memory.thrashing
# never: memory.over_allocated
# may: io.stalled io.saturated
# bottleneck: io|memory
# needs: cgroup

prepare()
{
	a_file data 300
	limit_memory 100
}

job() { repeat 14 dd if=data of=/dev/null bs=1M status=none; }
