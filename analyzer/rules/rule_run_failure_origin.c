/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.failure_origin: which runs of its group failed in the same way. */
#include <math.h>

#include "analyzer/failures/origin_words.h"
#include "analyzer/rules/rule.h"
#include "analyzer/view/view_past.h"
#include "common/text.h"

static void say(struct sw_finding *finding, const struct sw_origin_told *told)
{
	char thing[SW_FINDING_NAME_SIZE], words[SW_ORIGIN_WORDS_SIZE];
	char place[SW_ORIGIN_PLACES][SW_FINDING_NAME_SIZE];
	struct sw_origin_names names;
	size_t i;

	names.what = told->what;
	names.thing = sw_finding_name(thing, sizeof(thing), told->thing);
	for (i = 0; i < SW_ORIGIN_PLACES; i++)
		names.place[i] = sw_finding_name(place[i], sizeof(place[i]),
						 told->place[i]);
	sw_finding_sentence(finding, "%s",
			    sw_origin_words(words, sizeof(words),
					    &told->origin, &names));
	sw_finding_subject(finding, "%s", sw_origin_word(&told->origin));
}

static void add_count(struct sw_finding *finding, const char *counter,
		      uint64_t count)
{
	sw_finding_evidence(finding, &(struct sw_evidence){
		counter, (double)count, "count", NAN, SW_MISSING });
}

/* The counts in the sentence. */
static void add_counts(struct sw_finding *finding,
		       const struct sw_origin *origin)
{
	if (origin->answer == SW_ORIGIN_PLACE) {
		add_count(finding, "history: failures of others there",
			  origin->here.failed);
		add_count(finding, "history: runs of others there",
			  origin->here.of);
	} else if (origin->answer == SW_ORIGIN_PROGRAM) {
		add_count(finding, "history: failures of others since then",
			  origin->since.failed);
		add_count(finding, "history: runs of others since then",
			  origin->since.of);
	} else {
		add_count(finding, "history: failures of others",
			  origin->others.failed);
		add_count(finding, "history: runs of others",
			  origin->others.of);
	}
	if (!isnan(origin->chance))
		sw_finding_evidence(finding, &(struct sw_evidence){
			"probability under chance", origin->chance, "ratio",
			SW_ORIGIN_CHANCE_MAX, SW_MISSING });
}

static bool is_told(const struct sw_view *view)
{
	const struct sw_origin_told *told =
		view->past ? view->past->origin : NULL;

	return told && !(told->origin.answer == SW_ORIGIN_UNTOLD &&
			 (told->origin.why == SW_ORIGIN_NO_THING ||
			  told->origin.why == SW_ORIGIN_NO_OTHERS));
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_origin *origin;
	struct sw_finding *finding;

	(void)setting;
	if (!is_told(view))
		return 0;
	origin = &view->past->origin->origin;
	finding = sw_finding_add(
		findings, "run.failure_origin", SW_INFO,
		isnan(origin->chance) ? 0.8 : 1 - origin->chance,
		&(struct sw_evidence){ "history: failures of the same",
				       (double)origin->attempts.failed, "count",
				       NAN, SW_MISSING });
	if (!finding)
		return -1;
	add_counts(finding, origin);
	say(finding, view->past->origin);
	return 0;
}

/* Irrelevant unless the run failed. */
static const char *blind_to(const struct sw_view *view)
{
	if (!view->past)
		return view->state == SW_STATE_FAILED ||
				       view->state == SW_STATE_KILLED
			       ? "no history of past runs was read"
			       : NULL;
	if (!view->past->origin || is_told(view))
		return NULL;
	return view->past->origin->origin.why == SW_ORIGIN_NO_THING
		       ? "the names of the runs of its group do not tell what "
			 "each processed"
		       : "needs 5 runs of its group that processed other things";
}

const struct sw_rule sw_rule_run_failure_origin = {
	.id = "run.failure_origin",
	.title = "Input, node or program",
	.kind = SW_FINDING_FAILURE,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"The run failed, and the history shows which runs of its group failed in "
	"the same way: other attempts at the same sample or array index (its "
	"input), others on the same node, kind of node or mount, or all since a "
	"time (the program, or what changed with it). After memory or time ran "
	"out it is the request. They coincide, which proves no cause.",
	.what_to_do =
	"Follow the last sentence: running it again as it is helps on another "
	"node if the node is named, and not if the input, the program or the "
	"request is. If it cannot be told, one more attempt on another node "
	"often tells.",
	.computed =
	"From the newest 500 runs of the same group and cluster in the history. "
	"Failed in the same way: the same exit status, out of memory, or over "
	"the time limit; other failures count as failures of others for the "
	"input, and neither way for the rest. What a run processed is the "
	"tag of a workflow's task, \"align (S7)\", the wildcards of a "
	"Snakemake rule, the array index, or a job name with a number. Nodes, "
	"kinds and mounts are known of recorded runs. Input: further attempts "
	"since the last success failed, at least one on another node (or others "
	"succeeded on this one; or, nodes unknown, two, with others between "
	"them), against others since the first of them. Place: others there "
	"against others elsewhere within a day, in intervals of at least 10 "
	"minutes, at three times, or with one that succeeded elsewhere "
	"afterwards; retries count once. Program: others on other nodes since a "
	"time, against before; three different ones failed, three quarters of "
	"the runs, on two nodes. By Fisher's exact test, without the failed run "
	"itself; the probability under chance, times the number of answers that "
	"the counts could show (Tarone) and of possible times, is at most 0.025. "
	"Nothing is named if two answers are shown, or another one is likely. "
	"After the time limit the request is only named if others needed at "
	"least half of it.",
	.needs = { { "steps", "start_usec" } },
	.is_of_job = true,
	.eval = eval,
	.blind_to = blind_to,
};
