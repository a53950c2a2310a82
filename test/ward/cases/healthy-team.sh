# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: two threads with equal shares that meet at a barrier
# request: --cpus 2
# never: cpu.imbalance lock.contended
# bottleneck: cpu
# busy: 2
# needs: cpus:2

job() { ward team 14 20 20; }
