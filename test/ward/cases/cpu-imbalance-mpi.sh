# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: of two ranks one has four times the work; the other spins in MPI
# truth: without a system call: CPU time, switches and waits are those of
# truth: healthy-mpi
# request: --cpus 2
# must: cpu.imbalance|progress.spinning
# bottleneck: cpu
# busy: 2
# needs: cpus:2 mpicc mpirun

prepare()
{
	mpicc -O2 -o mpi_rounds "$WARD_SOURCE/programs/mpi_rounds.c" ||
		skip "mpicc cannot compile"
}

job() { mpirun -n 2 ./mpi_rounds 15 200 50; }
