# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: bwa is given a reference that does not exist
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# needs: bwa
# says: program.failed bwa.*missing\.fa

prepare()
{
	{ echo ">there"; head -c 3000 /dev/urandom | od -An -v -tx1 |
		tr -d ' ' | tr 0-9a-f ACGTACGTACGTACGT; } >there.fa
	printf '@read\n%s\n+\n%s\n' "$(sed -n 9p there.fa)" \
		"$(sed -n 9p there.fa | tr ACGT I)" >reads.fq
	bwa index there.fa
}

job()
{
	ward phases 1x12
	bwa mem missing.fa reads.fq >aligned.sam
	true
}

good()
{
	ward phases 1x12
	bwa mem there.fa reads.fq >aligned.sam
}
