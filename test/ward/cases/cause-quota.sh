# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the quota of the user is used up before the results are written
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# needs: fuse
# says: program.failed sort.*quota exceeded

prepare()
{
	# 122: EDQUOT
	stall_mount full --error write=1000000 --errno 122
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
