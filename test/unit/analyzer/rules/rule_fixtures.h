/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recordings in test/rules/ID/NAME.txt, by the id of a rule, and the
 * results of all rules.  Errors in these functions are failed assertions.
 */
#ifndef SW_TEST_RULE_FIXTURES_H
#define SW_TEST_RULE_FIXTURES_H

#include <check.h>

#include "analyzer/report/loaded.h"

/* Valid until the next call. */
const char *fixture_path(const char *id, const char *name);

/* Load all steps, or one by its name; free with sw_loaded_fini(). */
void fixture_load(struct sw_loaded *loaded, const char *id, const char *name);
void fixture_load_step(struct sw_loaded *loaded, const char *id,
		       const char *name, const char *step);

/* Free the site with all its settings that tests have by default. */
void fixture_free_site(void);

/* Return NULL if there is none. */
const struct sw_finding *fixture_finding(const struct sw_findings *findings,
					 const char *id);
const struct sw_not_evaluated *
fixture_not_evaluated(const struct sw_result *result, const char *id);

/* Check completeness, and the text of test/rules/ID/EXPECTED.txt; NULL: any. */
void fixture_check_finding(const struct sw_finding *finding, const char *id,
			   const char *expected);

/* As run_tests(), with a site. */
int fixture_run_tests(const char *name, TCase *tests);

#endif
