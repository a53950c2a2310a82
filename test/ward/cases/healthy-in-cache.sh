# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the triad of STREAM in arrays that fit the second-level cache
# request: --cpus 1
# never: hw.low_ipc
# bottleneck: cpu

job() { ward stream 14 1 1; }
