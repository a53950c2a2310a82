# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the program reads a pipe that another program fills a byte at a time
# request: --cpus 1
# must: progress.waiting|progress.frozen
# never: io.stalled
# bottleneck: wait
# busy: 0.1

job() { workload w_wait pipe /etc/passwd "$(long 20)"; }
