# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: an aligner fails at its end, what reads from it fails of that, and the script with it
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# first: (?s)Failed \(exit status 1\).*: aligner\s+exited\s+with\s+1
# exit: 1

prepare() { tool aligner w_child; tool sorter w_child; }

job()
{
	ward phases 1x8
	./aligner --burn-ms 300 --exit 1
	./sorter --burn-ms 100 --exit 1
}

good()
{
	ward phases 1x8
	./aligner --burn-ms 300
	./sorter --burn-ms 100
}
