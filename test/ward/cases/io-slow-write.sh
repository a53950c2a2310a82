# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: each write to the file system takes 50 ms
# request: --cpus 1
# must: io.stalled|io.saturated
# never: progress.waiting cpu.over_allocated
# bottleneck: io
# busy: 0.2
# needs: fuse

prepare() { slow_mount slow write=50 data=16777216; }

job() { workload w_wait write slow/data "$(long 15)"; }
