# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: an aligner below 25 % of its CPUs and far below its memory, on a disk that
# truth: gives 32 MiB/s: no larger node helps it, and fewer CPUs are no remedy
# request: --cpus 4 --mem 2G
# must: io.saturated
# may: memory.over_allocated
# never: cpu.over_allocated cpu.single_threaded progress.waiting
# bottleneck: io
# busy: 0.5
# needs: cgroup lsblk
# says: io.saturated steady [23][0-9](\.[0-9])? MB/s.* what would: less data
# first: Limited by I/O.* would not make it faster\. Storage gave it a steady [23][0-9]
# avoid: (?i)(larger|bigger) node|fewer (CPUs|cores)|request [0-9]+ CPU

prepare()
{
	a_file reads 320
	limit_disk 32
}

# It reads a piece, of which nothing stays in the cache, and computes on it.
job()
{
	local i count

	count=$(long 20)
	for ((i = 0; i < count; i++)); do
		dd if=reads iflag=nocache of=/dev/null bs=1M count=32 \
			skip=$((32 * (i % 10))) status=none
		WARD_LENGTH=100 ward phases 1x0.15
	done
}
