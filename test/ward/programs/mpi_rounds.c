/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mpi_rounds SECONDS MSEC...: in every round the rank with number N computes
 * for the Nth MSEC of CPU time, then all meet in MPI_Allreduce().
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "length.h"

static double cpu_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double end, until, share, more = 1, any;
	volatile unsigned long work = 1;
	int rank, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc < rank + 3)
		MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
	share = atof(argv[rank + 2]) / 1000;
	end = MPI_Wtime() + atof(argv[1]) * ward_length();
	do {
		until = cpu_now() + share;
		while (cpu_now() < until)
			for (i = 0; i < 20000; i++)
				work = work * 31 + 7;
		more = MPI_Wtime() < end;
		MPI_Allreduce(&more, &any, 1, MPI_DOUBLE, MPI_MIN,
			      MPI_COMM_WORLD);
	} while (any > 0);
	MPI_Finalize();
	return 0;
}
