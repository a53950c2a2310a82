# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: computes, sleeps for 8 s, computes again
# request: --cpus 1
# must: cpu.idle_middle
# never: io.stalled cpu.over_allocated
# bottleneck: cpu

job() { ward phases 1x7 0x8 1x7; }
