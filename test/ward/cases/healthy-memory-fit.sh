# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: holds 600 MiB of the 768 MiB requested, and computes
# request: --cpus 1 --mem 768M
# never: memory.near_limit memory.over_allocated memory.growth
# bottleneck: cpu
# number: memory.need_bytes $held 3%

job() { ward grow 12 0 600; }
