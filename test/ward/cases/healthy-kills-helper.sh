# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a script ends its own helper by kill when it needs it no longer
# request: --cpus 1
# never: program.killed program.failed
# bottleneck: cpu

job()
{
	sleep 1000 &
	ward phases 1x12
	kill %1
	wait %1
	true
}
