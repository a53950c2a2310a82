# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a tool computes for 3 s and fails; the script goes on and succeeds
# request: --cpus 1
# must: program.failed
# never: program.killed
# bottleneck: cpu
# says: program.failed counter

prepare() { tool counter w_child; }

job()
{
	./counter --burn-ms "$(long 3000)" --exit 3
	ward phases 1x10
}

good()
{
	./counter --burn-ms "$(long 3000)"
	ward phases 1x10
}
