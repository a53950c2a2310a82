# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: four threads do everything under one lock: one runs at a time
# request: --cpus 4
# must: lock.contended|cpu.single_threaded|cpu.over_allocated
# never: cpu.oversubscribed cpu.starved io.stalled
# bottleneck: lock

job() { ward crowd 15 4 20; }
