# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: each open takes 100 ms, as on a busy metadata server
# request: --cpus 1
# must: io.stalled|io.many_files
# never: progress.waiting
# bottleneck: io
# busy: 0.2
# needs: fuse

prepare() { slow_mount slow open=100 data=1048576; }

job() { workload w_wait open slow/data "$(long 15)"; }
