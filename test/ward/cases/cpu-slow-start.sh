# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: loads its software from a slow file system for a third of the run,
# truth: and computes from then on
# request: --cpus 1
# must: cpu.slow_start
# may: memory.over_allocated
# never: io.stalled cpu.idle_start cpu.over_allocated
# bottleneck: cpu
# needs: fuse
# says: cpu.slow_start slow

prepare() { slow_mount slow read=80 data=268435456; }

job()
{
	dd if=slow/data of=/dev/null bs=128k count="$(long 270)" status=none
	ward phases 1x44
}
