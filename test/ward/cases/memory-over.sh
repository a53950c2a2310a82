# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: 120 MiB are used of 4 GiB requested
# request: --cpus 1 --mem 4G
# must: memory.over_allocated
# never: cpu.over_allocated memory.growth
# bottleneck: cpu
# number: memory.need_bytes $held 5%

job() { ward grow 12 0 120; }
