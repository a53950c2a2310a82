# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: bwa is given a reference that does not exist
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# needs: bwa
# says: program.failed bwa.*missing\.fa

job()
{
	ward phases 1x12
	bwa mem missing.fa reads.fq >aligned.sam
	true
}
