# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: writes records of 16 bytes by one system call each, a million and more
# request: --cpus 1
# must: io.tiny
# never: io.stalled
# bottleneck: cpu
# number: io.call_written_bytes $bytes 5%

job() { ward small_writes data 14 16; }
