# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: an OpenMP program with two busy threads on the two CPUs requested
# request: --cpus 2
# bottleneck: cpu
# busy: 2
# needs: cpus:2 cc

prepare() { compile omp_sum.c -fopenmp -lm; }

job() { OMP_NUM_THREADS=2 ./omp_sum 14; }
