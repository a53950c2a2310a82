/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stand-in for NVIDIA's library in a unit test. */
#include "test/unit/recorder/sources/gpu/nvml_kit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

bool nvml_kit_load(bool is_old)
{
	const char *top = getenv("abs_top_builddir");
	char path[4096];

	snprintf(path, sizeof(path), "%s/test/nvml/%slibnvidia-ml.so.1",
		 top ? top : ".", is_old ? "old/" : "");
	if (dlopen(path, RTLD_NOW | RTLD_LOCAL))
		return true;
	fprintf(stderr, "%s\n", dlerror());
	return false;
}
