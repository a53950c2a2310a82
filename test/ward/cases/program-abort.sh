# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: an assertion fails in a tool; the script goes on
# request: --cpus 1
# must: program.killed
# never: program.failed
# bottleneck: cpu
# says: program.killed solver

prepare() { tool solver w_child; }

job()
{
	ward phases 1x10
	./solver --burn-ms "$(long 2000)" --signal ABRT
	true
}

good()
{
	ward phases 1x10
	./solver --burn-ms "$(long 2000)"
}
