# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a library of a program is missing
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# says: program.failed model.*libmodel

prepare()
{
	# A name of the same length, so that no compiler is needed.
	sed 's/libc\.so\.6/libmodel0/g' /bin/cat >model
	chmod +x model
	mkdir there
	cp /bin/cat there/model
}

job()
{
	ward phases 1x12
	./model
	true
}

good()
{
	ward phases 1x12
	there/model </dev/null
}
