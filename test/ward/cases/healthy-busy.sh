# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: two threads compute all the time on the two CPUs requested
# request: --cpus 2
# bottleneck: cpu
# busy: 2
# needs: cpus:2
# number: cpu.used_core_seconds $cpu 10%
# number: elapsed_seconds $length*12 20%

job() { ward phases 2x12; }
