# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a single-threaded program; 4 CPUs requested
# request: --cpus 4
# must: cpu.over_allocated|cpu.single_threaded
# never: io.stalled progress.waiting memory.over_allocated
# bottleneck: cpu
# number: cpu.used_core_seconds $cpu 10%

job() { ward phases 1x15; }
