# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a pipeline: one end waits for the other, but somebody computes always
# request: --cpus 2
# never: progress.waiting io.stalled
# may: cpu.imbalance
# bottleneck: cpu
# busy: 1.3
# needs: cpus:2 gzip

prepare() { base64 /dev/urandom | head -c 33554432 >data; }

one() { gzip -9 -c data | gunzip | wc -c; }

job() { repeat 14 one; }
