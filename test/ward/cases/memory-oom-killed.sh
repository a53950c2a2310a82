# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the kernel kills the program at a limit of 200 MiB, and the step fails
# request: --cpus 1
# must: oom.killed
# never: program.killed memory.over_allocated oom.silent
# may: memory.near_limit
# bottleneck: cpu
# needs: cgroup
# exit: 137

prepare() { limit_memory 200; }

job()
{
	exec "$WARD_BUILD/test/ward/programs/grow" 60 20
}

good()
{
	exec "$WARD_BUILD/test/ward/programs/grow" 8 20
}
