/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers shared by the rules about I/O. */
#include "analyzer/rules/rule_io.h"

#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "common/missing.h"

double sw_io_wait_ratio(const struct sw_view *view)
{
	return sw_limit_ratio(&view->limits, SW_LIMIT_IO);
}

/* Types of network file systems, which detail begins with. */
bool sw_io_is_elsewhere(const struct sw_view_wait *wait)
{
	static const char *const kinds[] = { "nfs", "fuse", "lustre", "gpfs",
					     "beegfs", "ceph", "cifs", "smb" };
	const char *kind = sw_text(wait->detail);
	size_t i;

	if (!*kind)
		kind = sw_text(wait->name);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strncmp(kind, kinds[i], strlen(kinds[i])))
			return true;
	}
	return false;
}
