# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: rsync compares by checksum two folders that are in the page cache
# request: --cpus 1
# never: io.stalled cpu.over_allocated progress.waiting
# bottleneck: cpu
# needs: rsync

prepare()
{
	local i

	mkdir from to
	for i in 1 2 3 4; do
		head -c 134217728 /dev/urandom >from/$i
	done
	rsync -a from/ to/
}

job() { repeat 14 rsync -a --checksum from/ to/; }
