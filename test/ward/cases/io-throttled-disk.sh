# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: reads from a disk that gives 8 MiB/s, as much as it gives
# request: --cpus 1
# must: io.stalled|io.saturated
# never: progress.waiting cpu.over_allocated
# bottleneck: io
# needs: cgroup lsblk
# busy: 0.3

prepare()
{
	a_file data "$(long 120)"
	limit_disk 8
}

job() { dd if=data of=/dev/null bs=1M status=none; }
