/* SPDX-License-Identifier: GPL-2.0-or-later */
/* omp_sum SECONDS: an OpenMP loop, again and again until so long has passed. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "length.h"

int main(int argc, char **argv)
{
	double end = omp_get_wtime() +
		     (argc > 1 ? atof(argv[1]) : 10) * ward_length();
	double sum = 0;
	long i;

	while (omp_get_wtime() < end) {
#pragma omp parallel for reduction(+ : sum)
		for (i = 0; i < 20000000; i++)
			sum += sqrt((double)i);
	}
	printf("sum=%g\n", sum);
	return 0;
}
