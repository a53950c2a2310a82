# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: needs 490 MiB of the 512 MiB requested
# request: --cpus 1 --mem 512M
# must: memory.near_limit
# never: memory.over_allocated memory.growth
# bottleneck: cpu
# number: memory.need_bytes $held 3%

job() { ward grow 12 0 490; }
