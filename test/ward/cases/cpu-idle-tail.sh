# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: computes for 13 s; the last 8 s it only looks for a file to come
# request: --cpus 1
# must: cpu.idle_tail
# never: io.stalled cpu.over_allocated
# bottleneck: cpu

job() { ward phases 1x13 t0x8; }
