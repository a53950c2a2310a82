# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a tool cannot allocate what it needs below ulimit -v
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# says: program.failed (?i)grow.*(alloc|memory|ENOMEM)

job()
{
	ward phases 1x12
	(ulimit -v 100000 && "$WARD_BUILD/test/ward/programs/grow" 5 0 200)
	true
}

good()
{
	ward phases 1x12
	("$WARD_BUILD/test/ward/programs/grow" 5 0 200)
}
