# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: grep, diff, test and expr say no by their exit status, all the time
# request: --cpus 1
# never: program.failed
# bottleneck: cpu

job()
{
	local i count

	count=$(long 50)
	for ((i = 0; i < count; i++)); do
		/bin/grep -q nowhere /etc/passwd
		diff -q /etc/passwd /etc/group
		/usr/bin/test -e /no/such/file
		/usr/bin/expr 1 = 2
	done
	ward phases 1x12
}
