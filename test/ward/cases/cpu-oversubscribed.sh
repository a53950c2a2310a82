# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: 16 threads compute on the two CPUs that there are
# request: --cpus 2
# must: cpu.oversubscribed
# never: cpu.starved cpu.over_allocated
# bottleneck: cpu
# busy: 64

job() { ward phases 16x15; }
