# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: reads its tables for 4 s, and from then on holds what it has
# request: --cpus 1 --mem 512M
# never: memory.growth memory.near_limit
# bottleneck: cpu
# number: memory.need_bytes $held 5%

job() { ward grow 16 90 0 360; }
