/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell doctor: check this node's installation.  Prints a line for each
 * check, and the commands that would fix it; runs none of them.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/doctor_catalogue.h"
#include "analyzer/doctor/doctor_nodes.h"
#include "analyzer/print/json.h"
#include "analyzer/verbs/verb.h"
#include "config.h"

struct words {
	bool is_json, is_fix, is_catalogue;
	const char *nodes, *root;
};

static void print_text(const struct sw_check *check,
		       const struct sw_answer *answer)
{
	char text[4 * sizeof(answer->text)];

	printf("%-4s  %-11s  %s\n", sw_health_name(answer->health), check->id,
	       sw_shown(text, sizeof(text), answer->text));
}

static void print_fix(const struct sw_check *check,
		      const struct sw_answer *answer)
{
	char text[4 * sizeof(answer->text)];

	if (answer->health == SW_HEALTH_OK || answer->health == SW_HEALTH_SKIP)
		return;
	printf("# %s %s: %s\n", sw_health_name(answer->health), check->id,
	       sw_shown(text, sizeof(text), answer->text));
	if (*answer->fix)
		printf("%s\n", sw_shown(text, sizeof(text), answer->fix));
}

static void add_json(struct json_object *array, const struct sw_check *check,
		     const struct sw_answer *answer)
{
	struct json_object *item = sw_json_item(array);

	sw_json_text(item, "id", check->id);
	sw_json_text(item, "state", sw_health_name(answer->health));
	sw_json_text(item, "cause", *answer->cause ? answer->cause : NULL);
	sw_json_text(item, "text", answer->text);
	sw_json_text(item, "fix", *answer->fix ? answer->fix : NULL);
}

static int examine(const struct sw_doctor *doctor, const struct words *words,
		   struct json_object *checks)
{
	const struct sw_check *check;
	struct sw_answer answer;
	int status = SW_EXIT_OK;

	for (check = sw_checks; check->id; check++) {
		sw_doctor_ask(doctor, check, &answer);
		if (answer.health == SW_HEALTH_FAIL)
			status = SW_EXIT_FAILURE;
		if (words->is_json)
			add_json(checks, check, &answer);
		else if (words->is_fix)
			print_fix(check, &answer);
		else
			print_text(check, &answer);
	}
	return status;
}

static int examine_node(const struct words *words)
{
	struct json_object *root = NULL, *checks = NULL;
	struct sw_doctor doctor;
	struct utsname names;
	struct sw_error error;
	int status;

	if (sw_doctor_init(&doctor, words->root, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "doctor: %s", error.text);
	if (words->is_json) {
		root = sw_json_new();
		sw_json_text(root, "schema", SW_DOCTOR_SCHEMA);
		sw_json_text(root, "version", PACKAGE_VERSION);
		if (uname(&names) == 0) {
			/* Slurm's name of the node. */
			names.nodename[strcspn(names.nodename, ".")] = '\0';
			sw_json_text(root, "node", names.nodename);
			sw_json_text(root, "kernel", names.release);
		}
		checks = sw_json_array(root, "checks");
	}
	status = examine(&doctor, words, checks);
	if (root)
		sw_json_print_line(stdout, root);
	sw_doctor_fini(&doctor);
	return status;
}

static int print_catalogue(void)
{
	struct sw_settings *settings = sw_load_settings(true);
	struct sw_error error;
	int rc;

	if (!settings)
		return SW_EXIT_FAILURE;
	rc = sw_doctor_catalogue(stdout, settings, &error);
	sw_settings_free(settings);
	return rc < 0 ? sw_complain(SW_EXIT_FAILURE, "doctor: %s; no kinds of "
				    "nodes can be proposed", error.text) :
			SW_EXIT_OK;
}

static int check(const struct words *words)
{
	if (words->is_json && words->is_fix)
		return sw_complain(SW_EXIT_USAGE, "doctor: --json and --fix "
				   "exclude each other; --json includes the "
				   "commands");
	if (words->nodes && words->root)
		return sw_complain(SW_EXIT_USAGE, "doctor: --nodes and --root "
				   "exclude each other");
	if (words->is_catalogue && (words->nodes || words->root ||
				    words->is_json || words->is_fix))
		return sw_complain(SW_EXIT_USAGE, "doctor: --catalogue prints "
				   "CSV of the whole cluster and excludes all "
				   "other options");
	return SW_EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct words words = { .nodes = NULL };
	const struct sw_option options[] = {
		{ "nodes=FILE", NULL, &words.nodes,
		 "summarize JSON answers of many nodes; - is standard input" },
		{ "root=FOLDER", NULL, &words.root,
		 "check a node's image in this folder" },
		{ "json", &words.is_json, NULL, "print JSON" },
		{ "fix", &words.is_fix, NULL,
		 "print the commands that repair problems; run none of them" },
		{ "catalogue", &words.is_catalogue, NULL,
		 "propose the kinds of nodes of the cluster, as CSV" },
		{ NULL, NULL, NULL, NULL },
	};
	int first =
		sw_options_parse(&sw_verb_doctor, argc, argv, options);

	if (first < 0)
		return sw_options_exit(first);
	if (first != argc)
		return sw_complain(SW_EXIT_USAGE, "doctor: takes no operand");
	if (check(&words) != SW_EXIT_OK)
		return SW_EXIT_USAGE;
	if (words.is_catalogue)
		return print_catalogue();
	if (words.nodes)
		return sw_doctor_sum(words.nodes, words.is_json, words.is_fix);
	return examine_node(&words);
}

const struct sw_verb sw_verb_doctor = {
	.name = "doctor",
	.usage = "[OPTION]...",
	.help = "checks this node's installation, and says what to do",
	.run = run,
};
