# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the kernel kills a worker at a limit of 200 MiB; the script succeeds
# request: --cpus 1
# must: oom.silent
# never: program.killed memory.over_allocated oom.killed
# may: memory.near_limit
# bottleneck: cpu
# needs: cgroup

prepare() { limit_memory 200; }

job()
{
	"$WARD_BUILD/test/ward/programs/grow" 20 100
	ward phases 1x10
	true
}

good()
{
	"$WARD_BUILD/test/ward/programs/grow" 20 8
	ward phases 1x10
}
