#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A step's network traffic compared with the counters of its interface, in this
# test's own network namespaces.  Needs root, BPF, cgroup v2 and ip(8);
# otherwise nothing is compared, which is reported.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

mib=$((1 << 20))
link_header=14		# of Ethernet, which the interface counts per packet
workload=$abs_top_builddir/test/workloads/w_net
export STEPWELL_LIBEXECDIR=$abs_top_builddir/recorder

skip()
{
	echo "ok - skip: $1"
	exit 77
}

grep -q '^#define HAVE_LIBBPF 1' "$abs_top_builddir/config.h" ||
	skip "built without libbpf"
[ "$(id -u)" = 0 ] || skip "needs root"
command -v ip >/dev/null || skip "needs ip(8)"
grep -q ' cgroup2 ' /proc/mounts || skip "needs cgroup v2"
unshare -n true 2>/dev/null || skip "no network namespaces here"

holders=()
finish()
{
	kill "${holders[@]}" 2>/dev/null
	clean
}
trap finish EXIT

# Create a namespace; it lives as long as its process, with pid $held.
hold()
{
	unshare -n sleep 600 &
	held=$!
	holders+=("$held")
	await has_own_network "$held"
}

has_own_network()
{
	[ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

within()
{
	local pid=$1
	shift
	nsenter --net="/proc/$pid/ns/net" "$@"
}

# Only the test's own packets: no IPv6, and no ARP.
hold && inner=$held
hold && outer=$held
for pid in $inner $outer; do
	within "$pid" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
		echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6' 2>/dev/null
	within "$pid" ip link set lo up
done
ip link add sw-inner address 02:00:00:00:00:01 netns "$inner" type veth \
	peer name sw-outer address 02:00:00:00:00:02 netns "$outer" ||
	skip "no veth interfaces here"
within "$inner" ip address add 10.99.0.1/24 dev sw-inner
within "$outer" ip address add 10.99.0.2/24 dev sw-outer
within "$inner" ip link set sw-inner up arp off
within "$outer" ip link set sw-outer up arp off
within "$inner" ip neigh replace 10.99.0.2 lladdr 02:00:00:00:00:02 \
	dev sw-inner nud permanent
within "$outer" ip neigh replace 10.99.0.1 lladdr 02:00:00:00:00:01 \
	dev sw-outer nud permanent

# interface: print received bytes and packets, sent bytes and packets
interface()
{
	within "$inner" sed -n 's/^ *sw-inner: *//p' /proc/net/dev |
		awk '{ print $1, $2, $9, $10 }'
}

# grown FILE COLUMN: print the last value minus the first
grown()
{
	column "$1" series.net "$2" |
		awk 'NR == 1 { first = $1 } END { printf "%.0f\n", $1 - first }'
}

truth()
{
	tail -n 1 "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"
}

# serve PROTOCOL ARGUMENT...: start a server, and wait until it is ready
serve()
{
	local protocol=$1
	shift

	# Without a function, whose shell would be killed instead.
	nsenter --net="/proc/$outer/ns/net" "$workload" serve "$@" \
		--address 10.99.0.2 \
		--truth "$work/served" &
	server=$!
	# 7: a UDP socket without a peer, 0A: a TCP socket that listens
	await grep -qE ' 0{8}:0{4} (07|0A) ' "/proc/$outer/net/$protocol"
}

record()
{
	"$stepwell" run --period 0.2 --output "$1" -- "${@:2}" >/dev/null 2>&1
}

has_counts()
{
	[ "$(column "$1" series.net backend | sort -u)" = 1 ]
}

# near WHAT EXPECTED GOT SLACK: not more, and at most SLACK less
near()
{
	is "$1" yes "$([ "$3" -le "$2" ] && [ "$3" -ge $(($2 - $4)) ] &&
		echo yes || echo "$2, and got $3")"
}

# compare FILE BEFORE AFTER WHAT SLACK: compare bytes both ways with the
# interface, which also counts link headers
compare()
{
	local rx rxp tx txp rx2 rxp2 tx2 txp2
	read -r rx rxp tx txp <<<"$2"
	read -r rx2 rxp2 tx2 txp2 <<<"$3"
	near "$4: bytes received are those of the interface" \
		$((rx2 - rx - link_header * (rxp2 - rxp))) \
		"$(grown "$1" rx_bytes)" "$5"
	near "$4: bytes sent are those of the interface" \
		$((tx2 - tx - link_header * (txp2 - txp))) \
		"$(grown "$1" tx_bytes)" "$5"
	is "$4: nothing over loopback" "0 0" \
		"$(grown "$1" loopback.rx_bytes) $(grown "$1" loopback.tx_bytes)"
}

profile=$work/udp.stepwell
serve udp 1000 --udp
before=$(interface)
record "$profile" nsenter "--net=/proc/$inner/ns/net" "$workload" send 3 \
	--udp --address 10.99.0.2 --truth "$work/sent"
after=$(interface)
kill "$server"
wait "$server" 2>/dev/null
has_counts "$profile" || skip "no BPF at cgroups here: $(
	events "$profile" source_absent detail | grep '^net:')"
compare "$profile" "$before" "$after" UDP 0
is "UDP: each datagram is a packet" "$(truth "$work/sent" sent_calls)" \
	"$(grown "$profile" tx_packets)"
is "UDP: its bytes are those of the program and 28 per datagram" \
	$(($(truth "$work/sent" sent_bytes) +
		28 * $(truth "$work/sent" sent_calls))) \
	"$(grown "$profile" tx_bytes)"

profile=$work/tcp.stepwell
serve tcp 40
before=$(interface)
record "$profile" nsenter "--net=/proc/$inner/ns/net" "$workload" send 40 \
	--address 10.99.0.2
wait "$server"
after=$(interface)
# The last packets of a closed connection belong to no socket.
compare "$profile" "$before" "$after" TCP $((3 * 52))
is "TCP: at least what the program sent, and less than 1.1 of it" yes "$(
	sent=$(grown "$profile" tx_bytes)
	[ "$sent" -ge $((40 * mib)) ] && [ "$sent" -lt $((44 * mib)) ] &&
		echo yes || echo "$sent")"

# Two at the same time over loopback: each has its own traffic.
record "$work/one.stepwell" "$workload" pair 20 --port 5311 &
first=$!
record "$work/two.stepwell" "$workload" pair 60 --port 5312
wait "$first"
for step in one:20 two:60; do
	size=${step#*:}
	profile=$work/${step%:*}.stepwell
	is "$size MiB over loopback, with another step beside" yes "$(
		got=$(grown "$profile" loopback.rx_bytes)
		[ "$got" -ge $((size * mib)) ] &&
			[ "$got" -lt $((size * mib * 11 / 10)) ] &&
			echo yes || echo "$got")"
	is "$size MiB over loopback: nothing else" "0 0" \
		"$(grown "$profile" rx_bytes) $(grown "$profile" tx_bytes)"
done

# A killed recorder leaves nothing attached to the cgroup, which outlives it
# with the command.
v2_root()
{
	awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts
}

links()
{
	bpftool cgroup show "$1" 2>/dev/null | grep -c cgroup_inet
}

has_links()
{
	[ "$(links "$1")" = "$2" ]
}

recorder_has_links()
{
	cgroup=$(find "$(v2_root)" -maxdepth 7 -type d \
		-name "stepwell-$recorder" 2>/dev/null)
	[ -n "$cgroup" ] && has_links "$cgroup" 2
}

if command -v bpftool >/dev/null; then
	"$stepwell" run --output "$work/killed.stepwell" -- sleep 600 \
		>/dev/null 2>&1 &
	recorder=$!
	await recorder_has_links
	is "a step has two links" 2 "$(links "$cgroup")"
	command=$(head -n 1 "$cgroup/cgroup.procs")
	kill -KILL "$recorder"
	wait "$recorder" 2>/dev/null
	await has_links "$cgroup" 0
	is "none is left by a recorder that was killed" "0 sleep" \
		"$(links "$cgroup") $(cat "/proc/$command/comm")"
	kill "$command"
	await rmdir "$cgroup"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
