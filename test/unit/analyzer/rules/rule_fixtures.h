/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recordings in test/rules/ID/NAME.txt, by the id of a rule, and what all
 * rules say of them.  A failed step of these is a failed assertion.
 */
#ifndef SW_TEST_RULE_FIXTURES_H
#define SW_TEST_RULE_FIXTURES_H

#include <check.h>

#include "analyzer/report/loaded.h"

/* Until the next call. */
const char *fixture_path(const char *id, const char *name);

/* To be freed with sw_loaded_fini(); of all steps, or of the one so called. */
void fixture_load(struct sw_loaded *loaded, const char *id, const char *name);
void fixture_load_step(struct sw_loaded *loaded, const char *id,
		       const char *name, const char *step);

/* A site that has set all that it alone can know, as tests have unless they
 * free it. */
void fixture_free_site(void);

/* NULL: there is none. */
const struct sw_finding *fixture_finding(const struct sw_findings *findings,
					 const char *id);
const struct sw_not_evaluated *
fixture_not_evaluated(const struct sw_result *result, const char *id);

/* It is whole, and says what is in test/rules/ID/EXPECTED.txt; NULL: any. */
void fixture_check_finding(const struct sw_finding *finding, const char *id,
			   const char *expected);

/* As run_tests(), with a site. */
int fixture_run_tests(const char *name, TCase *tests);

#endif
