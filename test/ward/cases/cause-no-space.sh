# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the disk is full before the results are written
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# needs: fuse
# says: program.failed (?i)sort.*(no space|full|ENOSPC)

prepare()
{
	mkdir full
	mount -t tmpfs -o size=4m none full || skip "no tmpfs can be mounted"
}

job()
{
	ward phases 1x12
	seq 2000000 | sort -o full/sorted
	true
}

good()
{
	ward phases 1x12
	seq 2000000 | sort -o sorted
}
