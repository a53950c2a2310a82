/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep leaves for each user. */
#include "analyzer/verbs/sweep_histories.h"

#include "analyzer/print/messages.h"
#include "analyzer/sweep/gather/user_histories.h"

int sw_verb_sweep_histories(const struct sw_night *night,
			    const struct sw_settings *settings)
{
	const struct sw_user_histories histories = {
		.folder = sw_settings_user_history_dir(settings),
		.keep_days = sw_settings_sweep_keep_days(settings),
	};
	struct sw_error error;
	size_t users;

	if (!histories.folder ||
	    sw_user_histories_add(&histories, night, &users, &error) == 0)
		return SW_EXIT_OK;
	return sw_complain(SW_EXIT_PARTIAL, "%s; %zu user%s a new history",
			   error.text, users, users == 1 ? " has" : "s have");
}
