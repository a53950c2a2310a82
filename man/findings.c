/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills stepwell-findings(7) and the rules of stepwell.yaml(5) from the table
 * of rules, stepwell-suggest(1) from that of dialects: command and pages cannot
 * differ.
 */
#include <stdio.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/rules/rule.h"
#include "man/mdoc.h"

static void print_settings(const struct sw_rule *rule)
{
	size_t i;

	puts(".Bl -tag -width Ds -compact");
	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++) {
		printf(".It Ic %s No (%.12g)\n", rule->settings[i].key,
		       rule->settings[i].value);
		sw_mdoc_print(rule->settings[i].help);
	}
	puts(".El");
}

static void print_findings(void)
{
	const struct sw_rule *const *rule;

	for (rule = sw_rules; *rule; rule++) {
		const char *limits = sw_basis_limits((*rule)->basis);

		printf(".Ss %s\n%s.\n.Pp\nKind: %s.\nConfidence: from %s%s%s.\n"
		       ".Pp\n", (*rule)->id, (*rule)->title,
		       sw_finding_kind_name((*rule)->kind),
		       sw_basis_words((*rule)->basis), limits ? "; " : "",
		       limits ? limits : "");
		sw_mdoc_print((*rule)->meaning);
		puts(".Pp\n.Em What to do :");
		sw_mdoc_print((*rule)->what_to_do);
		puts(".Pp\n.Em How it is computed :");
		sw_mdoc_print((*rule)->computed);
		if (!(*rule)->settings[0].key)
			continue;
		puts(".Pp\nSettings, with their defaults:");
		print_settings(*rule);
	}
}

static void print_rules(void)
{
	const struct sw_rule *const *rule;

	puts(".Bl -tag -width Ds");
	for (rule = sw_rules; *rule; rule++) {
		printf(".It Ic %s\n", (*rule)->id);
		if ((*rule)->settings[0].key)
			print_settings(*rule);
		else
			puts("has no settings.");
	}
	puts(".El");
}

static void print_kinds(void)
{
	enum sw_finding_kind kind;

	puts(".Bl -tag -width failure -compact");
	for (kind = SW_FINDING_RESULT; kind <= SW_FINDING_HINT; kind++)
		printf(".It Sy %s\n%s\n", sw_finding_kind_name(kind),
		       sw_finding_kind_words(kind));
	puts(".El");
}

static void print_dialects(void)
{
	const struct sw_dialect *const *dialect;

	puts(".Bl -tag -width Ds");
	for (dialect = sw_dialects; *dialect; dialect++) {
		printf(".It Cm %s\n", (*dialect)->name);
		sw_mdoc_print((*dialect)->manual);
	}
	puts(".El");
}

static const struct sw_mdoc_table dialects[] = {
	{ "dialects", print_dialects },
	{ NULL, NULL },
};

static const struct sw_mdoc_table findings[] = {
	{ "kinds", print_kinds },
	{ "findings", print_findings },
	{ NULL, NULL },
};

static const struct sw_mdoc_table settings[] = {
	{ "rules", print_rules },
	{ NULL, NULL },
};

static const struct sw_mdoc_page pages[] = {
	{ "stepwell-findings.7", findings },
	{ "stepwell-suggest.1", dialects },
	{ "stepwell.yaml.5", settings },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return sw_mdoc_main(pages, argc, argv);
}
