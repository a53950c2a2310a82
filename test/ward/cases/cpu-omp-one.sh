# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: OMP_NUM_THREADS is 1 by mistake; 4 CPUs requested
# request: --cpus 4
# must: cpu.over_allocated|cpu.single_threaded
# bottleneck: cpu
# needs: cc

prepare() { compile omp_sum.c -fopenmp -lm; }

job() { OMP_NUM_THREADS=1 ./omp_sum 14; }
