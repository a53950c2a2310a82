# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a misspelled command; ls then finds no output and has the last word
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# first: (?s)Failed \(exit status 2\).*could\s+not\s+find
# exit: 2

prepare()
{
	mkdir bam
	tool samtools w_child
}

job()
{
	ward phases 1x8
	samtols sort in.bam >out.bam
	ls out/nothing.bam
}

good()
{
	ward phases 1x8
	./samtools >bam/sorted.bam
	ls bam/sorted.bam
}
