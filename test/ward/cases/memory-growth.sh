# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: leaks 20 MiB/s to the end; 512 MiB requested
# request: --cpus 1 --mem 512M
# must: memory.growth
# never: memory.over_allocated
# bottleneck: cpu
# number: memory.need_bytes $held 5%

job() { ward grow 20 20; }
