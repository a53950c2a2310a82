/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The minimal plugin, which check-plugin must accept. */
#include <string.h>
#include <unistd.h>

#include <slurm/spank.h>

SPANK_PLUGIN(minimal, 1)

int slurm_spank_init(spank_t spank, int ac, char **av)
{
	(void)ac;
	(void)av;
	slurm_debug("minimal: %d in %d", spank_remote(spank), getpid());
	return 0;
}

int slurm_spank_exit(spank_t spank, int ac, char **av)
{
	char text[64];

	(void)ac;
	(void)av;
	memset(text, 0, sizeof(text));
	return spank_getenv(spank, "PATH", text, sizeof(text)) < 0;
}
