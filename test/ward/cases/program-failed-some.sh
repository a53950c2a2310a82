# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: 8 of 60 runs of a tool fail, at once; xargs says 123, the script nothing
# request: --cpus 1
# must: program.failed
# never: program.killed
# bottleneck: cpu
# says: program.failed counter

prepare() { tool counter w_child; }

job()
{
	seq "$(long 60)" | xargs -I{} sh -c \
		'[ $(({} % 7)) -ne 5 ] || set -- --exit 1
		 exec ./counter --burn-ms 200 "$@"' sh
	true
}

good()
{
	seq "$(long 60)" | xargs -I{} sh -c 'exec ./counter --burn-ms 200' sh
}
