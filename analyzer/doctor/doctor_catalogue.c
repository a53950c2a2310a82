/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes of one kind have the same instance type, or else the same CPUs, memory
 * and GPUs of each model.  No price is known here.  Of what a disk or network
 * can do, 99 % of the largest rates that steps were seen to have is proposed:
 * more than that is possible, if none asked for it.
 */
#include "analyzer/doctor/doctor_catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/nodes/catalogue.h"
#include "analyzer/accounting/node_names.h"
#include "analyzer/nodes/slurm_nodes.h"
#include "analyzer/summaries/step_summary.h"
#include "common/escape.h"
#include "common/grow.h"
#include "common/quantiles.h"
#include "common/units.h"

/* Rates of shorter steps are not meaningful. */
static const double least_seconds = 10;

enum { MIB_OF_GIB = 1024, RATES_MIN = 10 };

/* Nodes of the same kind. */
struct kind {
	const struct sw_slurm_node *first;
	const char *type; /* not NUL-terminated; or NULL */
	size_t type_length;
	struct sw_node_names names;
	struct sw_quantiles rates; /* bytes per second of steps */
	struct sw_quantiles disk, net; /* likewise, maximum */
};

struct proposal {
	struct sw_slurm_nodes nodes;
	struct kind *kinds;
	size_t count;
	size_t *kind_of; /* by node */
};

static bool is_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool is_of(const struct kind *kind, const struct sw_slurm_node *node)
{
	size_t length;
	const char *type = sw_slurm_node_type(node, &length);

	if (type || kind->type)
		return type && kind->type && length == kind->type_length &&
		       !strncmp(type, kind->type, length);
	return is_same(kind->first->cpus, node->cpus) &&
	       is_same(kind->first->memory_mib, node->memory_mib) &&
	       is_same(kind->first->gpus, node->gpus) &&
	       sw_slurm_nodes_have_same_gpus(kind->first, node);
}

static int put_node(struct proposal *proposal, size_t i)
{
	const struct sw_slurm_node *node = &proposal->nodes.items[i];
	struct kind *kind;
	size_t k;

	for (k = 0; k < proposal->count; k++) {
		if (is_of(&proposal->kinds[k], node))
			break;
	}
	if (k == proposal->count) {
		if (sw_grow(&proposal->kinds, k, sizeof(*kind)) < 0)
			return -1;
		kind = &proposal->kinds[proposal->count++];
		*kind = (struct kind){ .first = node };
		kind->type = sw_slurm_node_type(node, &kind->type_length);
	}
	proposal->kind_of[i] = k;
	return sw_node_names_add(&proposal->kinds[k].names, node->name);
}

static int find_kinds(struct proposal *proposal)
{
	size_t i;

	proposal->kind_of =
		calloc(proposal->nodes.count + 1, sizeof(*proposal->kind_of));
	if (!proposal->kind_of)
		return -1;
	for (i = 0; i < proposal->nodes.count; i++) {
		if (put_node(proposal, i) < 0)
			return -1;
	}
	return 0;
}

static struct kind *kind_of_node(const struct proposal *proposal,
				 const char *name)
{
	size_t i;

	for (i = 0; i < proposal->nodes.count; i++) {
		if (!strcmp(proposal->nodes.items[i].name, name))
			return &proposal->kinds[proposal->kind_of[i]];
	}
	return NULL;
}

static int add_rate(struct sw_quantiles *rates, double rate)
{
	if (!(rate > 0) || !(rate < 0x1p60))
		return 0;
	return sw_quantiles_add(rates, (uint64_t)rate);
}

/* All rows of a file are of one node. */
static int add_rates(const struct proposal *proposal,
		     const struct sw_step_summaries *rows)
{
	struct kind *kind =
		rows->count ? kind_of_node(proposal, rows->items[0].node)
			    : NULL;
	size_t i;

	for (i = 0; kind && i < rows->count; i++) {
		const struct sw_step_summary *row = &rows->items[i];
		double seconds = row->end - row->start;
		double rate = (row->read_bytes + row->written_bytes) / seconds;

		if (add_rate(&kind->disk, row->disk_rate) < 0 ||
		    add_rate(&kind->net, row->net_rate) < 0)
			return -1;
		if (!(seconds >= least_seconds) || !(rate >= 0) ||
		    !(rate < 0x1p60))
			continue;
		if (sw_quantiles_add(&kind->rates, (uint64_t)rate) < 0)
			return -1;
	}
	return 0;
}

/* Unreadable files are skipped: the catalogue can do without. */
static int read_file(const struct proposal *proposal, struct sw_judge *judge,
		     const char *folder, const char *name)
{
	const struct sw_reader_want want = { .no_series = true };
	struct sw_step_summaries rows = { 0 };
	struct sw_verdict verdict;
	struct sw_reader *reader;
	struct sw_error error;
	char path[PATH_MAX];
	size_t unnamed = 0;
	int rc;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (name[0] == '.' || !sw_judge_is_summary(judge, path))
		return 0;
	reader = sw_judge_open(judge, path, &want, &verdict, &error);
	if (!reader)
		return 0;
	rc = sw_step_summaries_add(&rows, reader, path, &unnamed);
	if (rc == 0)
		rc = add_rates(proposal, &rows);
	sw_step_summaries_fini(&rows);
	sw_reader_close(reader);
	return rc;
}

static int read_folder(const struct proposal *proposal, struct sw_judge *judge,
		       const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int rc = 0;

	while (dir && rc == 0 && (entry = readdir(dir)))
		rc = read_file(proposal, judge, folder, entry->d_name);
	if (dir)
		closedir(dir);
	return rc;
}

static int read_summaries(const struct proposal *proposal,
			  struct sw_judge *judge)
{
	const char *folder;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && (folder = sw_judge_summary_dir(judge, i)); i++)
		rc = read_folder(proposal, judge, folder);
	return rc;
}

/* True if all nodes of the kind, and no others, have the feature. */
static bool is_own_feature(const struct proposal *proposal, size_t kind,
			   const char *feature)
{
	size_t i;

	for (i = 0; i < proposal->nodes.count; i++) {
		if (sw_slurm_node_has_feature(&proposal->nodes.items[i],
					      feature) !=
		    (proposal->kind_of[i] == kind))
			return false;
	}
	return true;
}

/* Feature unique to the kind, allocated; or NULL. */
static char *find_feature(const struct proposal *proposal, size_t kind)
{
	const char *at = proposal->kinds[kind].first->features;

	while (*at) {
		size_t length = strcspn(at, ",");
		char *feature = strndup(at, length);

		if (!feature || is_own_feature(proposal, kind, feature))
			return feature;
		free(feature);
		at += length + (at[length] == ',');
	}
	return NULL;
}

/* Allocate the name of the row's nodes; NULL (ENOMEM). */
static char *name_of(const struct proposal *proposal, size_t k)
{
	struct kind *kind = &proposal->kinds[k];
	char *feature;

	if (kind->type)
		return strndup(kind->type, kind->type_length);
	feature = find_feature(proposal, k);
	return feature ? feature : sw_node_names_fold(&kind->names);
}

static void print_number(FILE *out, double number)
{
	fputc(',', out);
	if (!isnan(number))
		fprintf(out, "%.6g", number);
}

/* A few steps do not show what is possible. */
static bool is_seen(const struct sw_quantiles *rates)
{
	return rates->count >= RATES_MIN;
}

static double ceiling_mb(const struct sw_quantiles *rates)
{
	return is_seen(rates) ? (double)sw_quantiles_at(rates, 99, 100) / 1e6
			      : NAN;
}

static void print_seen(FILE *out, const char *what,
		       const struct sw_quantiles *rates)
{
	if (is_seen(rates))
		fprintf(out, "; %s: 99 %% of the largest rates of %s steps", what,
			sw_count_text(rates->count).s);
	else
		fprintf(out, "; %s: not seen", what);
}

static void print_comment(FILE *out, const struct kind *kind, const char *name)
{
	const struct sw_quantiles *rates = &kind->rates;
	char rate[SW_UNITS_TEXT_SIZE];

	fprintf(out, "# %s: %zu node%s", name, kind->names.count,
		kind->names.count == 1 ? "" : "s");
	if (rates->count)
		fprintf(out,
			"; 99 %% of %s step%s read and wrote at most %s, "
			"wherever the files were",
			sw_count_text(rates->count).s,
			rates->count == 1 ? "" : "s",
			sw_rate_format(
				rate, sizeof(rate),
				(double)sw_quantiles_at(rates, 99, 100)));
	print_seen(out, "local_disk_mb_s", &kind->disk);
	print_seen(out, "network_mb_s", &kind->net);
	fputs("\n", out);
}

static void print_kind(FILE *out, const struct kind *kind, const char *name)
{
	const struct sw_slurm_node *node = kind->first;
	char shown[4 * SW_NODE_KIND_SIZE];
	bool has_comma = strchr(name, ',') != NULL;

	sw_escape_ascii(shown, sizeof(shown), name);
	if (strlen(name) >= SW_NODE_KIND_SIZE || isnan(node->cpus) ||
	    isnan(node->memory_mib) || strchr(name, '"')) {
		fprintf(out, "# left out, %s: %.200s\n",
			isnan(node->cpus) || isnan(node->memory_mib)
				? "Slurm does not say what it has"
				: "too long; give these nodes a feature of "
				  "their own",
			shown);
		return;
	}
	print_comment(out, kind, shown);
	fprintf(out, has_comma ? "\"%s\"" : "%s", shown);
	print_number(out, node->cpus);
	print_number(out, node->memory_mib / MIB_OF_GIB);
	print_number(out, node->gpus);
	print_number(out, ceiling_mb(&kind->disk));
	print_number(out, ceiling_mb(&kind->net));
	fputs(",,,\n", out);
}

static int print(FILE *out, const struct proposal *proposal)
{
	size_t k;

	fputs("# Kinds of nodes, for node_catalogue in stepwell.yaml: fill in "
	      "prices, their currency\n# and date (as_of, 2026-01-08), and "
	      "what disks and networks can do, where it is "
	      "known.\n" SW_CATALOGUE_HEAD "\n",
	      out);
	for (k = 0; k < proposal->count; k++) {
		char *name = name_of(proposal, k);

		if (!name)
			return -1;
		print_kind(out, &proposal->kinds[k], name);
		free(name);
	}
	return 0;
}

static void proposal_fini(struct proposal *proposal)
{
	size_t k;

	for (k = 0; k < proposal->count; k++) {
		sw_node_names_fini(&proposal->kinds[k].names);
		sw_quantiles_fini(&proposal->kinds[k].rates);
		sw_quantiles_fini(&proposal->kinds[k].disk);
		sw_quantiles_fini(&proposal->kinds[k].net);
	}
	free(proposal->kinds);
	free(proposal->kind_of);
	sw_slurm_nodes_fini(&proposal->nodes);
}

int sw_doctor_catalogue(FILE *out, const struct sw_settings *settings,
			struct sw_error *error)
{
	struct proposal proposal = { .count = 0 };
	struct sw_judge *judge;
	int rc = -1;

	if (sw_slurm_nodes_ask(&proposal.nodes, error) < 0)
		return -1;
	judge = sw_judge_new(sw_settings_places(settings), error);
	if (!judge)
		goto out;
	if (!proposal.nodes.count) {
		errno = ENOENT;
		sw_error_set(error, "scontrol show node -o names no node");
	} else if (find_kinds(&proposal) < 0 ||
		   read_summaries(&proposal, judge) < 0 ||
		   print(out, &proposal) < 0) {
		sw_error_errno(error, "the catalogue of nodes");
	} else {
		rc = 0;
	}
out:
	sw_judge_free(judge);
	proposal_fini(&proposal);
	return rc;
}
