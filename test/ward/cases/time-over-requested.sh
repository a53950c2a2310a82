# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: takes 12 s of the two hours requested
# request: --cpus 1 --time 2:00:00
# must: time.over_requested
# never: time.near_limit cpu.single_threaded
# bottleneck: cpu

job() { ward phases 1x12; }
