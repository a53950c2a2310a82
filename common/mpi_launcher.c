/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognize programs that start MPI ranks and wait for them. */
#include "common/mpi_launcher.h"

#include <stddef.h>
#include <string.h>

/* The kernel truncates names of programs to this length. */
enum { NAME_LENGTH = 15 };

bool sw_is_mpi_launcher(const char *program)
{
	static const char *const names[] = {
		"mpirun", "mpiexec", "mpiexec.hydra", "hydra_pmi_proxy",
		"hydra_bstrap_proxy", "orterun", "orted", "prterun", "prte",
		"prted", "mpirun.openmpi", "mpiexec.openmpi", "mpirun.mpich",
		"mpiexec.mpich", "pmi_proxy",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(program, names[i]) ||
		    (strlen(program) == NAME_LENGTH &&
		     !strncmp(program, names[i], NAME_LENGTH)))
			return true;
	}
	return false;
}
