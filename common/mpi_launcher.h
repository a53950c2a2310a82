/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that start the ranks of MPI and wait for them. */
#ifndef SW_COMMON_MPI_LAUNCHER_H
#define SW_COMMON_MPI_LAUNCHER_H

#include <stdbool.h>

/* Of the name of a program, which may be cut to 15 characters. */
bool sw_is_mpi_launcher(const char *program);

#endif
