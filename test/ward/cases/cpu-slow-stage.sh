# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: gzip unpacks at the speed of one CPU what another program waits for; 4
# truth: CPUs requested
# request: --cpus 4
# must: cpu.slow_stage
# never: cpu.single_threaded cpu.over_allocated io.stalled progress.waiting
# bottleneck: cpu
# busy: 1.3
# needs: cpus:2 gzip md5sum
# says: cpu.slow_stage gzip.*md5sum

prepare() { base64 /dev/urandom | head -c 8388608 | gzip -1 >part.gz; }

job() { repeat 20 cat part.gz | gzip -dc | md5sum >/dev/null; }
