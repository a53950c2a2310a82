# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: serial for 60 % of the run, parallel for the rest; two CPUs requested
# request: --cpus 2
# must: cpu.serial_phase
# never: cpu.over_allocated cpu.single_threaded
# bottleneck: cpu
# busy: 2
# needs: cpus:2

job() { ward phases 1x12 2x8; }
