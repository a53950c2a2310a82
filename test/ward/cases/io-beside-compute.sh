# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: one thread computes all the time, another waits for a slow file system;
# truth: the CPU sets the pace
# request: --cpus 2
# must: io.stalled|cpu.single_threaded|cpu.over_allocated
# bottleneck: cpu
# needs: fuse cpus:2

prepare() { slow_mount slow read=60 data=16777216; }

job() { workload w_wait thread slow/data "$(long 15)"; }
