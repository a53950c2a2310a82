# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: minimap2 piped into samtools sort, both busy; two CPUs requested
# request: --cpus 2
# never: progress.waiting io.stalled
# bottleneck: cpu
# busy: 2
# needs: cpus:2 minimap2 samtools python3

prepare() { python3 "$WARD_SOURCE/programs/genome.py" 1000000 60000; }

align()
{
	minimap2 -a -x sr -t 2 genome.fa reads.fq |
		samtools sort -@ 1 -o sorted.bam -
}

job() { repeat 14 align; }
