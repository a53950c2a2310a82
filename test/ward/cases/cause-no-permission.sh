# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a tool may not read its input
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# needs: setpriv root
# says: program.failed (?i)sort.*secret.*permission

prepare()
{
	echo 1 >secret
	chmod 600 secret
}

job()
{
	ward phases 1x12
	setpriv --reuid 65534 --clear-groups sort secret
	true
}

good()
{
	ward phases 1x12
	setpriv --reuid 65534 --clear-groups sort </etc/passwd
}
