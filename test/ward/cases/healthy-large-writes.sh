# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: writes its results in pieces of 1 MiB while it computes
# request: --cpus 1
# never: io.tiny io.stalled
# bottleneck: cpu

job() { ward small_writes data 14 100 buffered; }
