# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: each tool of a pipeline fails at once, as without its index; the script says nothing
# request: --cpus 1
# must: program.failed
# never: program.killed
# bottleneck: cpu|wait|none|io|node
# first: No program did its work; the first that failed was aligner
# says: program.failed (?i)aligner.*exit status 3

prepare() { tool aligner w_child; tool sorter w_child; }

job()
{
	mkdir -p bam
	./aligner --exit 3 | ./sorter --exit 1 >bam/sorted
	./sorter --exit 1
	return 0
}

good()
{
	mkdir -p bam
	./aligner --burn-ms 200 | ./sorter --burn-ms 200 >bam/sorted
	./sorter --burn-ms 200
}
