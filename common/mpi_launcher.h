/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognize programs that start MPI ranks and wait for them. */
#ifndef SW_COMMON_MPI_LAUNCHER_H
#define SW_COMMON_MPI_LAUNCHER_H

#include <stdbool.h>

/* program may be truncated to 15 characters. */
bool sw_is_mpi_launcher(const char *program);

#endif
