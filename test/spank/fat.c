/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that a plugin must not contain, for check-plugin to refuse; never
 * loaded.  It lacks plugin_version, too.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <slurm/spank.h>

/* Missing in 22.05. */
spank_err_t spank_prepend_task_argv(spank_t spank, int argc,
				    const char *argv[]);

extern const char plugin_name[];
extern const char plugin_type[];

const char plugin_name[] = "fat";
const char plugin_type[] = "spank";
__thread int per_thread;

static void *run(void *unused)
{
	return unused;
}

static void __attribute__((constructor)) at_load(void)
{
	setenv("FAT", "1", 1);
}

int slurm_spank_init(spank_t spank, int ac, char **av)
{
	const char *argv[] = { "true" };
	pthread_t thread;
	char *text = malloc((size_t)(ac + per_thread++));

	pthread_create(&thread, NULL, run, NULL);
	printf("%s %g\n", text, pow(ac, 0.1));
	spank_prepend_task_argv(spank, 1, argv);
	if (!av)
		exit(1);
	return 0;
}
