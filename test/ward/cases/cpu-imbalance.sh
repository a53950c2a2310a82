# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: of two threads at a barrier one has six times the work of the other
# request: --cpus 2
# must: cpu.imbalance
# never: cpu.over_allocated cpu.single_threaded lock.contended
# bottleneck: cpu
# busy: 1.2
# needs: cpus:2

job() { ward team 16 10 60; }
