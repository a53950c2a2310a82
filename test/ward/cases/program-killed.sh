# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: an aligner dies of SIGSEGV in the middle, and the script goes on
# request: --cpus 1
# must: program.killed
# never: cpu.over_allocated
# bottleneck: cpu
# says: program.killed (?i)aligner.*(SEGV|segmentation)

prepare() { tool aligner w_child; }

job()
{
	./aligner --burn-ms "$(long 3000)" --signal SEGV
	ward phases 1x10
	true
}

good()
{
	./aligner --burn-ms "$(long 3000)"
	ward phases 1x10
}
