# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: two CPUs for a second, one for all the rest; 6 CPUs requested
# request: --cpus 6
# must: cpu.over_allocated
# may: cpu.single_threaded cpu.serial_phase
# bottleneck: cpu
# busy: 1.1
# needs: cpus:2

job() { ward phases 1x8 2x1 1x8; }
