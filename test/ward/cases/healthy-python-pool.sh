# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a pool of two Python processes with equal tasks; two CPUs requested
# request: --cpus 2
# bottleneck: cpu
# busy: 2
# needs: cpus:2 python3

job() { python3 "$WARD_SOURCE/programs/pool.py" 2 4 4 4 4 4 4; }
