/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules about how programs end have in common. */
#include "analyzer/rules/rule_tool.h"

#include "common/delta.h"

/* Of some ends it is known that they were, and not how. */
static bool has_unknown_end(const struct sw_view_tool *tool)
{
	uint64_t known = sw_add_u64(sw_add_u64(tool->exited_ok,
					       tool->exited_nonzero),
				    tool->killed);

	return !sw_is_missing(tool->ended) && tool->ended > 0 &&
	       (sw_is_missing(known) || known < tool->ended);
}

/* Only the command's own end is always known. */
const char *sw_tool_unseen_ends(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->tool_count; i++) {
		if (has_unknown_end(&view->tools[i]) ||
		    !view->tools[i].is_complete)
			return "how every process below the command ended was "
			       "not seen by this source of programs";
	}
	return NULL;
}
