# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: GNU parallel, used for the first time, looks for the longest command line by forks that fail
# request: --cpus 1
# never: program.failed program.killed
# bottleneck: cpu
# needs: parallel

prepare() { tool counter w_child; }

job()
{
	HOME=$PWD/home
	export HOME
	mkdir -p home
	seq 4 | parallel -j 1 -N0 ./counter --burn-ms "$(long 2500)" 2>/dev/null
}
