# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a test runner sees to it that its program aborts where it has to
# request: --cpus 1
# may: program.killed
# never: program.failed
# bottleneck: cpu
# avoid: (?i)critical

prepare() { tool suite w_child; }

job()
{
	for i in 1 2 3; do
		./suite
		./suite --signal ABRT 2>/dev/null
	done
	ward phases 1x10
}
