# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a script like configure: its probes fail, as they should
# request: --cpus 1
# never: program.failed program.killed
# bottleneck: cpu
# needs: cc

job()
{
	local i header count

	count=$(long 60)
	for ((i = 0; i < count; i++)); do
		header=sys/stat.h
		[ $((i % 3)) -ne 0 ] || header=not/there$i.h
		printf '#include <%s>\n#include <stdlib.h>\nint main(void) { %s }\n' \
			$header 'return atoi("0");' >probe.c
		cc -O2 -o probe probe.c 2>/dev/null && ./probe
		[ $((i % 4)) -ne 0 ] || ls /no/such/folder$i 2>/dev/null
	done
	ward phases 1x10
}
