/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose the job to report if several users claim it. */
#include "analyzer/verbs/report_user.h"

#include <pwd.h>

#include "analyzer/accounting/sacct.h"
#include "common/missing.h"
#include "common/units.h"

uint64_t sw_uid_of_user(const char *user)
{
	struct passwd *entry;
	uint64_t uid;

	if (sw_count_parse(user, 0, UINT32_MAX, &uid) == 0)
		return uid;
	entry = getpwnam(user);
	return entry ? entry->pw_uid : SW_MISSING;
}

/* Owner of the job according to accounting; missing if unknown. */
static uint64_t ask_whose(const struct sw_jobid *id)
{
	uint64_t uid = SW_MISSING;
	struct sw_error error;
	struct sw_acct acct;

	if (sw_acct_query(&acct, id, &error) < 0)
		return uid;
	if (acct.count)
		uid = sw_uid_of_user(acct.rows[0].user);
	sw_acct_fini(&acct);
	return uid;
}

void sw_report_choose_user(const char *user, const struct sw_jobid *id,
			   struct sw_jobfiles *files)
{
	uint64_t uid = SW_MISSING;

	if (user) {
		sw_jobfiles_keep(files, sw_uid_of_user(user));
		return;
	}
	if (id)
		sw_jobfiles_drop_claims(files, id);
	if (files->count < 2 || !sw_jobfiles_is_disputed(files))
		return;
	uid = sw_jobfiles_vouched(files);
	if (sw_is_missing(uid) && id)
		uid = ask_whose(id);
	if (!sw_is_missing(uid))
		sw_jobfiles_keep(files, uid);
}
