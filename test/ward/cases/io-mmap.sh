# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: page faults of a mapped file wait for a slow file system
# request: --cpus 1
# must: io.stalled
# never: progress.waiting memory.thrashing
# bottleneck: io
# busy: 0.2
# needs: fuse

prepare() { slow_mount slow read=60 data=268435456; }

job() { workload w_wait mmap slow/data "$(long 15)"; }
