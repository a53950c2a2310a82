/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report at the end of a run: at most ten lines, twelve for a job, each
 * with a prefix.
 */
#include <string.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/job/job_record.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/report/missing_data.h"
#include "analyzer/report/words.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"

enum { FINDINGS_SHOWN = 3, MISSING_SHOWN = 3, SENTENCE_SHOWN = 300 };

static const char prefix[] = "stepwell: ";

/* Without this line, no mention of failures would look like success. */
static bool write_ends(FILE *out, const struct sw_view *view)
{
	char ends[128];

	if (!*sw_unseen_ends_words(ends, sizeof(ends), view))
		return false;
	fprintf(out, "%s%s\n", prefix, ends);
	return true;
}

static void write_usage(FILE *out, const struct sw_view *view)
{
	char cpu[192], need[96], of[SW_UNITS_TEXT_SIZE + 16];

	fprintf(out, "%sCPU: %s\n", prefix,
		sw_cpu_words(cpu, sizeof(cpu), &view->cpu));
	fprintf(out, "%smemory: needed %s%s\n", prefix,
		sw_need_words(need, sizeof(need), &view->memory),
		sw_reference_words(of, sizeof(of), &view->memory));
}

/* Write the nodes, and the steps that failed. */
static void write_job(FILE *out, const struct sw_job *job,
		      const struct sw_report_style *style)
{
	char text[SW_NODES_WORDS_SIZE], shown[SENTENCE_SHOWN + 1];
	size_t i, failed = 0, unseen = 0;

	if (job->node_count > 1 || (!sw_is_missing(job->node_expected) &&
				    job->node_expected > 1))
		fprintf(out, "%snodes: %s\n", prefix,
			sw_text_escape(shown, sizeof(shown),
				       sw_nodes_words(text, sizeof(text), job),
				       style));
	for (i = 0; i < job->step_count; i++) {
		const struct sw_view *step = &job->steps[i].view;

		failed += sw_record_has_failed(step);
		unseen += step->state == SW_STATE_UNKNOWN &&
			  !step->slurm.record;
	}
	if (job->step_count > 1)
		snprintf(text, sizeof(text), "; %zu with no end seen",
			 unseen);
	if (job->step_count > 1)
		fprintf(out, "%ssteps: %zu, %zu failed%s\n", prefix,
			job->step_count, failed, unseen ? text : "");
}

/* Write a finding's place and first sentence; the full report has more. */
static void write_finding(FILE *out, const struct sw_result *result,
			  const struct sw_finding *finding,
			  const struct sw_report_style *style)
{
	char text[SW_SENTENCE_SIZE], shown[SENTENCE_SHOWN + 1];
	char place[512], where[512] = "";
	char *end;

	snprintf(text, sizeof(text), "%s", finding->sentence);
	end = strstr(text, ". ");
	if (end)
		end[1] = '\0';
	/* With one step, naming it adds nothing. */
	if (result->job && result->job->step_count > 1 && finding->view &&
	    finding->view->step_id)
		sw_text_escape(where, sizeof(where),
			       sw_where_words(place, sizeof(place), result,
					      finding), style);
	fprintf(out, "%s%s%s%s: %s\n", prefix, finding->id,
		*where ? " in " : "", where,
		sw_text_escape(shown, sizeof(shown), text, style));
}

/* Report a missing request only if runs failed without it. */
static bool is_told(const struct sw_request_item *item)
{
	return item->suggestion && !item->suggestion->is_withheld &&
	       (!sw_is_missing(item->now) || item->suggestion->is_lower_bound);
}

static bool fits_less(const struct sw_backtest *one,
		      const struct sw_backtest *other)
{
	return one->of && (!other->of ||
			   (double)one->fits / (double)one->of <
			   (double)other->fits / (double)other->of);
}

/*
 * Add how many runs were replayed, i.e. had enough runs before them: a single
 * one must not look like a history of one run.
 */
static void add_fits(char *line, size_t size, const struct sw_backtest *worst)
{
	if (worst->of == 1)
		sw_text_add(line, size, " (would %shave been enough for the "
			    "one past run it could be tested on)",
			    worst->fits ? "" : "not ");
	else if (worst->of)
		sw_text_add(line, size, " (enough for %zu of %zu past runs)",
			    worst->fits, worst->of);
}

/* "next time: --mem=3G --time=00:44:00 (enough for 28 of 30 past runs)" */
static void write_advice(FILE *out, const struct sw_advice *advice)
{
	char line[SENTENCE_SHOWN + 1] = "", option[SW_DIALECT_ITEM_SIZE];
	struct sw_backtest worst = { 0 };
	size_t i, fitting = 0;
	struct sw_request request;

	sw_request_init(&request, advice);
	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_request_item *item = &request.items[i];

		if (!is_told(item))
			continue;
		fitting += !item->is_change;
		if (!item->is_change)
			continue;
		sw_text_add(line, sizeof(line), " %s",
			    sw_dialect_of(advice)->item(option, &request,
						(enum sw_resource)i, 1));
		if (fits_less(&item->suggestion->backtest, &worst))
			worst = item->suggestion->backtest;
	}
	if (*line)
		add_fits(line, sizeof(line), &worst);
	else if (fitting)
		sw_text_add(line, sizeof(line), " current request fits");
	if (*line)
		fprintf(out, "%snext time:%s\n", prefix, line);
}

struct brief {
	FILE *out;
	const struct sw_report_style *style;
	size_t shown;
};

static void write_missing_item(void *context,
			       const struct sw_missing_data *missing)
{
	struct brief *brief = context;
	char shown[SENTENCE_SHOWN + 1];

	if (!missing->is_major || brief->shown == MISSING_SHOWN)
		return;
	brief->shown++;
	fprintf(brief->out, "%s%s\n", prefix,
		sw_text_escape(shown, sizeof(shown), missing->text,
			       brief->style));
}

static int write(FILE *out, const struct sw_result *result,
		 const struct sw_report_style *style)
{
	const struct sw_findings *findings = &result->findings;
	char name[128], raw[1536], verdict[2 * sizeof(raw)], title[SW_JOBID_TEXT_SIZE + 8];
	struct brief brief = { out, style, 0 };
	size_t i, shown = 0;

	fprintf(out, "%s%s: %s\n", prefix,
		sw_text_escape(name, sizeof(name),
			       sw_title_of(title, sizeof(title), result),
			       style),
		sw_text_escape(verdict, sizeof(verdict),
			       sw_verdict_words(raw, sizeof(raw), result),
			       style));
	/* Do not make the report longer. */
	brief.shown = write_ends(out, result->view);
	if (result->job)
		write_job(out, result->job, style);
	write_usage(out, result->view);
	for (i = 0; i < findings->count && shown < FINDINGS_SHOWN; i++) {
		if (findings->items[i].severity == SW_INFO)
			continue;
		write_finding(out, result, &findings->items[i], style);
		shown++;
	}
	if (result->advice)
		write_advice(out, result->advice);
	sw_missing_data_visit(result, write_missing_item, &brief);
	return ferror(out) ? -1 : 0;
}

const struct sw_report_format sw_report_brief = {
	.name = "brief",
	.help = "at most twelve lines, as printed at the end of a run or job",
	.write = write,
};
