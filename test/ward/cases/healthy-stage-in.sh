# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: copies its input for a second, then computes
# request: --cpus 1
# never: cpu.idle_start io.stalled
# bottleneck: cpu

prepare() { a_file input 100; }

job()
{
	cp input copy
	ward phases 1x14
}
