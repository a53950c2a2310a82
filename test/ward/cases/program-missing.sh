# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a command of the script is not installed (exit status 127)
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# says: program.failed (?i)quantify

prepare()
{
	mkdir there
	tool there/quantify w_child
}

job()
{
	ward phases 1x12
	quantify --in x
	true
}

good()
{
	ward phases 1x12
	there/quantify
}
