# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a script looks at file attributes that take 100 ms each
# request: --cpus 1
# must: io.stalled|io.many_files
# never: progress.waiting
# bottleneck: io
# busy: 0.2
# needs: fuse

prepare() { slow_mount slow getattr,lookup=100 data=1048576; }

job() { workload w_wait stat slow/data "$(long 15)"; }
