# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: 8 s of short sleeps, as of a program that asks for a license again and
# truth: again, then it computes
# request: --cpus 1
# must: cpu.idle_start
# never: io.stalled cpu.over_allocated
# bottleneck: cpu

job() { ward phases t0x8 1x13; }
