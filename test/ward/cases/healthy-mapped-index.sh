# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a mapped index of 300 MiB in use all the time: it is need
# request: --cpus 1 --mem 400M
# may: hw.low_ipc
# never: memory.over_allocated memory.thrashing memory.growth
# bottleneck: cpu
# number: memory.mapped_bytes 314572800 5%

prepare() { head -c 314572800 /dev/urandom >index; }

job() { workload w_map index 300 "$(long 12)"; }
