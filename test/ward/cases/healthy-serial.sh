# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: one thread computes all the time on the one CPU requested
# request: --cpus 1
# bottleneck: cpu
# number: cpu.used_core_seconds $cpu 10%

job() { ward phases 1x12; }
