/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input files of a verb. */
#include "analyzer/verbs/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history.h"
#include "analyzer/settings/settings.h"

int sw_inputs_init(struct sw_inputs *inputs, const struct sw_settings *settings,
		   const char *const *paths, size_t count)
{
	const char *const own[] = {
		sw_settings_file(settings),
		sw_settings_lsb_acct(settings),
		sw_settings_node_catalogue(settings),
		inputs->history,
	};
	const size_t own_count = sizeof(own) / sizeof(own[0]);

	inputs->count = 0;
	inputs->history[0] = '\0';
	inputs->paths = calloc(count + own_count, sizeof(*inputs->paths));
	if (!inputs->paths)
		return -1;
	(void)sw_history_path(sw_settings_history_file(settings), false,
			      inputs->history, sizeof(inputs->history), NULL);
	memcpy(inputs->paths, own, sizeof(own));
	if (count)
		memcpy(inputs->paths + own_count, paths,
		       count * sizeof(*paths));
	inputs->count = count + own_count;
	return 0;
}

void sw_inputs_fini(struct sw_inputs *inputs)
{
	free(inputs->paths);
	inputs->paths = NULL;
	inputs->count = 0;
}
