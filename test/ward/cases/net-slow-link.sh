# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: sends 12 MB over a link of 6 Mbit/s
# request: --cpus 1
# must: net.bound|progress.waiting
# never: io.stalled
# bottleneck: network
# busy: 0.2
# needs: netns tc ip

prepare()
{
	ip link set lo up mtu 1500 || skip "no loopback in a new network namespace"
	tc qdisc add dev lo root tbf rate 6mbit burst 16kb latency 400ms ||
		skip "the kernel cannot slow down a link"
}

job() { workload w_net pair "$(long 12)"; }
