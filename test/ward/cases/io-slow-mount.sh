# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a sequential reader of a file system that takes 60 ms for each read
# request: --cpus 1
# must: io.stalled|io.saturated
# never: progress.waiting progress.frozen cpu.over_allocated
# may: io.many_files
# bottleneck: io
# needs: fuse
# busy: 0.2
# says: io.stalled slow

prepare() { slow_mount slow read=60 data=268435456; }

job()
{
	dd if=slow/data of=/dev/null bs=128k count="$(long 400)" status=none
}
