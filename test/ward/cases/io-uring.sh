# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: waits in io_uring for a slow file system: it looks like an idle event loop
# request: --cpus 1
# must: io.stalled
# never: progress.waiting
# bottleneck: io
# busy: 0.2
# needs: fuse

prepare() { slow_mount slow read=60 data=16777216; }

job()
{
	workload w_wait io_uring slow/data "$(long 15)"
}
