# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the first line of a script names an interpreter that is not there
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# says: program.failed (plot|/opt/R/bin/Rscript)

prepare()
{
	printf '#!/opt/R/bin/Rscript\n' >plot
	mkdir there
	printf '#!/bin/sh\n' >there/plot
	chmod +x plot there/plot
}

job()
{
	ward phases 1x12
	./plot
	true
}

good()
{
	ward phases 1x12
	there/plot
}
