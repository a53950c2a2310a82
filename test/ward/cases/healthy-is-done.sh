# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a tool is asked for each sample whether it is done, says no, and then does it
# request: --cpus 1
# never: program.failed program.killed
# bottleneck: cpu

prepare() { tool caller w_child; }

job()
{
	for i in 1 2 3 4 5; do
		./caller --exit 1 || ./caller --burn-ms "$(long 2200)"
	done
}
