# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a pool of two workers; the last, long task runs alone for half the time
# request: --cpus 2
# must: cpu.imbalance|cpu.idle_tail|cpu.serial_phase
# never: cpu.over_allocated
# bottleneck: cpu
# busy: 2
# needs: cpus:2 python3

job() { python3 "$WARD_SOURCE/programs/pool.py" 2 2 2 2 2 14; }
