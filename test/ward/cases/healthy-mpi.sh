# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: two ranks of MPI with equal shares; two CPUs requested
# request: --cpus 2
# never: cpu.imbalance progress.spinning
# bottleneck: cpu
# busy: 2
# needs: cpus:2 mpicc mpirun

prepare()
{
	mpicc -O2 -o mpi_rounds "$WARD_SOURCE/programs/mpi_rounds.c" ||
		skip "mpicc cannot compile"
}

job() { mpirun -n 2 ./mpi_rounds 14 50 50; }
