/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of `stepwell doctor`, in the order in which they are said. */
#include "analyzer/doctor.h"

const struct sw_check sw_checks[] = {
	{ "plugstack", "the line that loads the plugin", sw_check_plugstack },
	{ "plugin", "its file and the Slurm it is for", sw_check_plugin },
	{ "tracking", "whether steps have cgroups", sw_check_tracking },
	{ "switch", "whether recording is switched off", sw_check_switch },
	{ NULL, NULL, NULL },
};
