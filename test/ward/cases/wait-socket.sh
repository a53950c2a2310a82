# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a client waits for a server that answers a byte at a time
# request: --cpus 1
# must: progress.waiting|progress.frozen
# never: io.stalled
# may: net.bound
# bottleneck: network|wait
# busy: 0.1

job() { workload w_wait tcp /etc/passwd "$(long 20)"; }
