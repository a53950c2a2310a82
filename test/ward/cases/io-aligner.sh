# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: an aligner that reads for 80 % of its time, as a published one; 4 CPUs
# truth: and 2 GiB requested: neither more nor fewer CPUs are the remedy
# request: --cpus 4 --mem 2G
# must: io.stalled|io.saturated
# may: memory.over_allocated
# never: cpu.over_allocated cpu.single_threaded
# bottleneck: io
# busy: 0.4
# needs: fuse
# says: io.stalled slow
# first: Limited by I/O on \S*slow.* more CPUs or memory would not make it faster
# avoid: (?i)(larger|bigger) node|fewer (CPUs|cores)|request [0-9]+ CPU

prepare() { slow_mount slow read=80 data=268435456; }

job()
{
	local i count

	count=$(long 12)
	for ((i = 0; i < count; i++)); do
		dd if=slow/data of=/dev/null bs=128k skip=$((i * 15)) count=15 \
			status=none
		WARD_LENGTH=100 ward phases 1x0.3
	done
}
