# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: find -exec runs a script for 8 files: 2 fail at once, the others work for seconds
# request: --cpus 1
# must: program.failed
# never: program.killed
# bottleneck: cpu
# says: program.failed convert.* 2 times

prepare()
{
	tool counter w_child
	printf '#!/bin/sh\n[ -s "$1" ] || exit 4\nexec ./counter --burn-ms %d\n' \
		"$(long 1800)" >convert
	chmod +x convert
	mkdir in
	for i in 1 2 3 4 5 6; do echo "$i" >in/"$i"; done
	: >in/empty1
	: >in/empty2
}

job() { find in -type f -exec ./convert {} \; ; }

good()
{
	echo 7 >in/empty1
	echo 8 >in/empty2
	job
	: >in/empty1
	: >in/empty2
}
