# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: bwa mem with two threads on a small genome; two CPUs requested
# request: --cpus 2
# bottleneck: cpu
# busy: 2
# needs: cpus:2 bwa python3

prepare()
{
	python3 "$WARD_SOURCE/programs/genome.py" 1000000 60000
	bwa index genome.fa
}

align() { bwa mem -t 2 genome.fa reads.fq >aligned.sam; }

job() { repeat 14 align; }
