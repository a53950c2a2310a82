/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell explain: what a finding means and how it is computed. */
#include <string.h>

#include "analyzer/print/json.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/print/similar.h"
#include "analyzer/settings/settings.h"
#include "analyzer/verbs/verb.h"

enum { RULES_MAX = 128 };

static void print_settings(const struct sw_rule *rule,
			   const struct sw_settings *settings)
{
	const struct sw_rule_setting *each = rule->settings;
	size_t i, width = 0;

	for (i = 0; i < SW_RULE_SETTINGS_MAX && each[i].key; i++) {
		if (strlen(each[i].key) > width)
			width = strlen(each[i].key);
	}
	if (width)
		printf("\nSettings (stepwell.yaml, rules: %s:)\n", rule->id);
	for (i = 0; i < SW_RULE_SETTINGS_MAX && each[i].key; i++)
		printf("  %-*s %-8.12g %s\n", (int)width, each[i].key,
		       sw_threshold(sw_settings_thresholds(settings), rule, i),
		       each[i].help);
}

static void print_text(const struct sw_rule *rule,
		       const struct sw_settings *settings,
		       const struct sw_report_style *style)
{
	const char *limits = sw_basis_limits(rule->basis);

	printf("%s - %s\n\n", rule->id, rule->title);
	printf("Kind: %s (%s).\n", sw_finding_kind_name(rule->kind),
	       sw_finding_kind_words(rule->kind));
	printf("Confidence: from %s%s%s.\n\n", sw_basis_words(rule->basis),
	       limits ? "; " : "", limits ? limits : "");
	sw_paragraphs_print(stdout, rule->meaning, style);
	puts("\nWhat to do:");
	sw_paragraphs_print(stdout, rule->what_to_do, style);
	puts("\nHow it is computed:");
	sw_paragraphs_print(stdout, rule->computed, style);
	print_settings(rule, settings);
}

static void add_rule(struct json_object *array, const struct sw_rule *rule,
		     const struct sw_settings *settings)
{
	struct json_object *item = sw_json_item(array), *list, *row;
	size_t i;

	sw_json_text(item, "id", rule->id);
	sw_json_text(item, "title", rule->title);
	sw_json_text(item, "kind", sw_finding_kind_name(rule->kind));
	sw_json_text(item, "meaning", rule->meaning);
	sw_json_text(item, "what_to_do", rule->what_to_do);
	sw_json_text(item, "computed", rule->computed);
	list = sw_json_array(item, "settings");
	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++) {
		row = sw_json_item(list);
		sw_json_text(row, "key", rule->settings[i].key);
		sw_json_double(row, "value",
			       sw_threshold(sw_settings_thresholds(settings),
				    rule, i));
		sw_json_double(row, "default", rule->settings[i].value);
		sw_json_text(row, "help", rule->settings[i].help);
	}
}

static void print_json(FILE *out, const struct sw_rule *rule,
		       const struct sw_settings *settings)
{
	struct json_object *root = sw_json_new(), *array;
	const struct sw_rule *const *each;

	sw_json_text(root, "schema", "stepwell.findings/1");
	array = sw_json_array(root, "findings");
	for (each = sw_rules; *each; each++) {
		if (!rule || *each == rule)
			add_rule(array, *each, settings);
	}
	sw_json_print(out, root);
}

/* True if the finding is of the family: "memory" has "memory.growth". */
static bool is_of_family(const struct sw_rule *rule, const char *family)
{
	size_t length = strlen(family);

	return !strncmp(rule->id, family, length) &&
	       rule->id[length] == '.';
}

/* List one family, or (NULL) all findings.  Return their number. */
static size_t print_list(const char *family)
{
	const struct sw_rule *const *rule;
	size_t count = 0;

	for (rule = sw_rules; *rule; rule++) {
		if (family && !is_of_family(*rule, family))
			continue;
		printf("%-24s %s\n", (*rule)->id, (*rule)->title);
		count++;
	}
	return count;
}

static int complain_unknown(const char *word)
{
	const char *ids[RULES_MAX], *similar;
	size_t count = 0;

	for (; sw_rules[count] && count < RULES_MAX; count++)
		ids[count] = sw_rules[count]->id;
	similar = sw_similar(word, ids, count);
	return sw_complain(SW_EXIT_NOTHING_FOUND, "explain: no finding is "
			   "called \"%s\"%s%s%s; \"stepwell explain\" lists "
			   "them", word, similar ? " (did you mean \"" : "",
			   sw_text(similar), similar ? "\"?)" : "");
}

static int run(int argc, char **argv)
{
	bool is_json = false;
	const struct sw_option options[] = {
		{ "json", &is_json, NULL, "print JSON" },
		{ NULL, NULL, NULL, NULL },
	};
	struct sw_report_style style = sw_style_of_stdout();
	struct sw_settings *settings;
	const struct sw_rule *rule;
	int first =
		sw_options_parse(&sw_verb_explain, argc, argv, options);

	if (first < 0)
		return sw_options_exit(first);
	if (argc - first > 1)
		return sw_complain(SW_EXIT_USAGE,
				   "explain: one finding at a time");
	if (first == argc && !is_json) {
		print_list(NULL);
		return SW_EXIT_OK;
	}
	rule = first < argc ? sw_rule_find(argv[first]) : NULL;
	if (first < argc && !rule)
		return !is_json && print_list(argv[first]) ?
			       SW_EXIT_OK : complain_unknown(argv[first]);
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	if (is_json)
		print_json(stdout, rule, settings);
	else
		print_text(rule, settings, &style);
	sw_settings_free(settings);
	return SW_EXIT_OK;
}

const struct sw_verb sw_verb_explain = {
	.name = "explain",
	.usage = "[--json] [FINDING|FAMILY]",
	.help = "the meaning of a finding, how it is computed, its thresholds",
	.manual = "stepwell-findings(7)",
	.run = run,
};
