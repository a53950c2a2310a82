# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: rsync compares by checksum two folders that are in the page cache
# request: --cpus 2
# never: io.stalled cpu.over_allocated
# bottleneck: cpu
# busy: 2
# needs: cpus:2 rsync

prepare()
{
	local i

	mkdir from to
	for ((i = 0; i < 8; i++)); do
		head -c 33554432 /dev/urandom >from/$i
	done
	rsync -a from/ to/
}

job() { repeat 14 rsync -a --checksum from/ to/; }
