# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: two threads compute; 8 CPUs requested
# request: --cpus 8
# must: cpu.over_allocated
# never: cpu.single_threaded
# bottleneck: cpu
# busy: 2
# needs: cpus:2
# number: cpu.used_core_seconds $cpu 10%

job() { ward phases 2x15; }
