# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: every record is forced to a disk that takes 25 ms for it
# request: --cpus 1
# must: io.tiny|io.stalled
# may: io.tiny io.stalled
# never: progress.waiting
# bottleneck: io
# busy: 0.2
# needs: fuse

prepare() { slow_mount slow fsync=25 data=4096; }

job() { ward small_writes slow/data 15 100 sync; }
