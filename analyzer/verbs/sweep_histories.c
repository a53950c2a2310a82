/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the histories of users from a sweep. */
#include "analyzer/verbs/sweep_histories.h"

#include <limits.h>
#include <unistd.h>

#include "analyzer/print/messages.h"
#include "analyzer/sweep/gather/user_histories.h"
#include "analyzer/sweep/night/store.h"
#include "analyzer/sweep/night/times.h"

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

bool sw_sweep_joins_histories(void)
{
	return geteuid() == 0;
}

static int give_night(const char *path, const struct sw_settings *settings)
{
	struct sw_night night;
	struct sw_error error;
	int status;

	sw_night_init(&night, settings);
	status = sw_night_load(&night, path, &error) < 0
			 ? sw_complain(SW_EXIT_PARTIAL, "%s", error.text)
			 : sw_verb_sweep_histories(&night, settings);
	sw_night_fini(&night);
	return status;
}

int sw_verb_sweep_last_histories(const char *folder, uint64_t from_seconds,
				 const struct sw_settings *settings)
{
	char path[PATH_MAX];
	int days;

	for (days = 1;
	     sw_settings_user_history_dir(settings) && days <= SW_PAST_DAYS;
	     days++) {
		sw_sweep_path(path, sizeof(path), folder,
			      sw_time_midnight(from_seconds, -days));
		if (access(path, F_OK) == 0)
			return give_night(path, settings);
	}
	return SW_EXIT_OK;
}
