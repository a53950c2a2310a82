# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a script gives a search a time limit, by timeout, and goes on
# request: --cpus 1
# never: program.failed program.killed
# bottleneck: cpu

prepare() { tool search w_child; }

job()
{
	timeout "$(long 4)" ./search --burn-ms 600000
	[ $? -eq 124 ] || exit 1
	ward phases 1x10
}
