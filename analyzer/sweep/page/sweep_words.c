/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences common to all forms of the page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/text.h"
#include "analyzer/dialects/dialect.h"
#include "analyzer/settings/settings.h"
#include "analyzer/sweep/night/kind_cost.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/sweep/page/words.h"
#include "common/text.h"
#include "common/units.h"

#define USEC_PER_HOUR (3600.0 * (double)SW_USEC_PER_SEC)
#define MIB_SECONDS_PER_GIB_HOUR (3600.0 * 1024)

/* Smaller values for a group are not reported. */
#define GPU_HOURS_MIN 0.1

/* "12,340", "3.4", "0.12": as many digits as are meaningful. */
void sw_sweep_add_hours(char *buf, size_t size, double hours,
			const char *unit)
{
	if (hours >= 100)
		sw_text_add(buf, size, "%s %s",
			    sw_count_text(sw_whole_real(hours + 0.5)).s, unit);
	else
		sw_text_add(buf, size, "%.*f %s", hours < 1 ? 2 : 1, hours,
			    unit);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static size_t count_of(const struct sw_sweep_page *page, enum sw_tally_of of)
{
	size_t i, count = 0;

	for (i = 0; i < page->night->tallies.count; i++)
		count += page->sorted[i]->of == of;
	return count;
}

static void add_time(char *buf, size_t size, const struct sw_night *night)
{
	char from[SW_TIME_SIZE], until[SW_TIME_SIZE];

	if (sw_time_is_day(night->from_seconds, night->until_seconds))
		sw_text_add(buf, size, "%s",
			    sw_time_day(from, night->from_seconds));
	else
		sw_text_add(buf, size, "%s to %s",
			    sw_time_minute(from, night->from_seconds),
			    sw_time_minute(until, night->until_seconds));
}

static void add_end(char *buf, size_t size, uint64_t count, const char *words)
{
	if (count)
		sw_text_add(buf, size, ", %s %s", sw_count_text(count).s,
			    words);
}

static void add_cost(char *buf, size_t size, const struct sw_sweep_page *page)
{
	const uint64_t *n = page->total;
	double priced = sw_tally_ratio(n, SW_TALLY_PRICED_CORE_USEC,
				       SW_TALLY_CORE_USEC);
	char money[48], days[64];

	if (!page->has_costs)
		return;
	sw_text_add(buf, size, "  They cost %s (%s)",
		    sw_sweep_money(money, sizeof(money), page,
				   (double)n[SW_TALLY_COST_MICROS] /
					   SW_MICROS),
		    sw_sweep_price_days(days, sizeof(days), n));
	if (priced < 0.995)
		sw_text_add(buf, size, ", with %.0f %% of the CPU time on "
			    "nodes with a price", 100 * priced);
	sw_text_add(buf, size, ".");
}

char *sw_sweep_head(char *buf, size_t size, const struct sw_sweep_page *page)
{
	const uint64_t *n = page->total;
	size_t users = count_of(page, SW_TALLY_USER);

	*buf = '\0';
	add_time(buf, size, page->night);
	sw_text_add(buf, size, ": %s job%s ended",
		    sw_count_text(n[SW_TALLY_JOBS]).s,
		    plural(n[SW_TALLY_JOBS]));
	if (page->group)
		sw_text_add(buf, size, " of %s", page->group);
	if (page->pipeline)
		sw_text_add(buf, size, " of the pipeline %s", page->pipeline);
	if (page->run)
		sw_text_add(buf, size, " of the run %s", page->run);
	if (page->user)
		sw_text_add(buf, size, " of %s", page->user);
	if (!sw_sweep_is_of_part(page))
		sw_text_add(buf, size, " of %s user%s",
			    sw_count_text(users).s, plural(users));
	sw_text_add(buf, size, ", with ");
	sw_sweep_add_hours(buf, size,
			   (double)n[SW_TALLY_CORE_USEC] / USEC_PER_HOUR,
			   "core-hours");
	if (n[SW_TALLY_GPU_SECONDS]) {
		sw_text_add(buf, size, " and ");
		sw_sweep_add_hours(buf, size,
				   (double)n[SW_TALLY_GPU_SECONDS] / 3600,
				   "GPU-hours");
	}
	sw_text_add(buf, size, ".  %s completed",
		    sw_count_text(n[SW_TALLY_COMPLETED]).s);
	add_end(buf, size, n[SW_TALLY_FAILED], "failed");
	add_end(buf, size, n[SW_TALLY_OUT_OF_MEMORY], "ran out of memory");
	add_end(buf, size, n[SW_TALLY_TIME_LIMIT], "reached the time limit");
	add_end(buf, size, n[SW_TALLY_DEADLINE], "missed the deadline");
	add_end(buf, size, n[SW_TALLY_NODE_FAIL], "lost a node");
	add_end(buf, size, n[SW_TALLY_CANCELLED], "ended by cancellation");
	add_end(buf, size, n[SW_TALLY_REQUEUED], "preempted or requeued");
	add_end(buf, size, n[SW_TALLY_OTHER_END], "in another state");
	sw_text_add(buf, size, ".");
	add_cost(buf, size, page);
	if (n[SW_TALLY_SILENT_OOM_JOBS])
		sw_text_add(buf, size, "  In %s that completed, the kernel "
			    "killed a process for lack of memory: their output "
			    "may be incomplete.",
			    sw_count_text(n[SW_TALLY_SILENT_OOM_JOBS]).s);
	if (n[SW_TALLY_TASKS_UNKNOWN_JOBS])
		sw_text_add(buf, size, "  How many tasks a node had is unknown "
			    "for %s job%s (sacct's column NTasks), so there is "
			    "no advice on their memory.",
			    sw_count_text(n[SW_TALLY_TASKS_UNKNOWN_JOBS]).s,
			    plural(n[SW_TALLY_TASKS_UNKNOWN_JOBS]));
	return buf;
}

char *sw_sweep_jobs(char *buf, size_t size, const struct sw_sweep_row *row)
{
	uint64_t jobs = row->tally->n[SW_TALLY_JOBS];

	*buf = '\0';
	if (jobs)
		sw_text_add(buf, size, "%s job%s", sw_count_text(jobs).s,
			    plural(jobs));
	else
		sw_text_add(buf, size, "parts of heterogeneous jobs");
	return buf;
}

char *sw_sweep_waste(char *buf, size_t size, const struct sw_sweep_page *page,
		     const struct sw_sweep_row *row)
{
	const struct sw_policy *policy = sw_settings_policy(page->settings);
	char money[48], days[64];

	*buf = '\0';
	sw_sweep_add_hours(buf, size, row->core_hours, "core-hours");
	sw_text_add(buf, size, " and ");
	sw_sweep_add_hours(buf, size, row->gib_hours, "GiB-hours");
	if (row->gpu_hours >= GPU_HOURS_MIN) {
		sw_text_add(buf, size, " and ");
		sw_sweep_add_hours(buf, size, row->gpu_hours, "idle GPU-hours");
	}
	sw_text_add(buf, size, " wasted");
	if (isnan(row->cost))
		return buf;
	if (page->has_costs)
		sw_text_add(buf, size, ", %s (%s)",
			    sw_sweep_money(money, sizeof(money), page,
					   row->cost),
			    sw_sweep_price_days(days, sizeof(days),
						row->tally->n));
	else
		sw_text_add(buf, size, ", %.2f %s", row->cost,
			    policy->currency);
	return buf;
}

char *sw_sweep_rest(char *buf, size_t size, const struct sw_sweep_page *page,
		    size_t first)
{
	double all = 0, rest = 0;
	size_t i;

	for (i = 0; i < page->count; i++) {
		all += page->rows[i].share;
		rest += i >= first ? page->rows[i].share : 0;
	}
	*buf = '\0';
	sw_text_add(buf, size, "%zu more group%s had %.0f %% of the waste "
		    "(--rows 0 shows all).", page->count - first,
		    plural(page->count - first),
		    all > 0 ? 100 * rest / all : 0);
	return buf;
}

/* "enough in memory for 58 of 60 runs, in time for 57 of 60 runs" */
static void add_fits(char *buf, size_t size, const struct sw_sweep_line *line)
{
	const char *between = "";
	size_t i, count = 0;

	for (i = 0; i < SW_RESOURCES; i++)
		count += line->is_in[i];
	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_suggestion *suggestion =
			line->request.items[i].suggestion;

		if (!line->is_in[i] || !suggestion->fit.of)
			continue;
		sw_text_add(buf, size, "%s", *between ? between :
			    "enough ");
		if (count > 1)
			sw_text_add(buf, size, "in %s ",
				    sw_resource_word((enum sw_resource)i));
		sw_text_add(buf, size, "for %zu of %zu run%s", suggestion->fit.fits,
			    suggestion->fit.of, plural(suggestion->fit.of));
		between = ", ";
	}
}

char *sw_sweep_line_words(char *buf, size_t size,
			  const struct sw_sweep_line *line)
{
	*buf = '\0';
	if (*line->whose)
		sw_text_add(buf, size, "for jobs that request %s; ",
			    line->whose);
	add_fits(buf, size, line);
	return buf;
}

/* A line only helps if more was requested than needed. */
char *sw_sweep_no_line(char *buf, size_t size, const struct sw_sweep_row *row)
{
	const struct sw_sweep_lines *lines = &row->lines;

	*buf = '\0';
	if (lines->requests < 2 || lines->has_words ||
	    row->cause != SW_SWEEP_MEMORY)
		return buf;
	sw_text_add(buf, size, "No line fits all of its jobs, which request ");
	if (lines->most_bytes > lines->least_bytes)
		sw_text_add(buf, size, "%s to %s of memory",
			    sw_text_bytes(lines->least_bytes).s,
			    sw_text_bytes(lines->most_bytes).s);
	else
		sw_text_add(buf, size, "%zu different things",
			    lines->requests);
	sw_text_add(buf, size, "; \"stepwell suggest JOBID\" advises on one "
		    "of them.");
	return buf;
}

char *sw_sweep_advice(char *buf, size_t size, const struct sw_sweep_page *page,
		      const struct sw_sweep_row *row, size_t i)
{
	const struct sw_sweep_line *line;
	char words[SW_SWEEP_LINE_SIZE];

	*buf = '\0';
	if (i > row->lines.count)
		return NULL;
	if (i == row->lines.count)
		return sw_sweep_no_line(buf, size, row);
	line = &row->lines.items[i];
	if (!*line->words)
		return buf;
	sw_text_add(buf, size, "%s%s",
		    sw_dialect_of_site(page->settings)->prefix, line->words);
	sw_sweep_line_words(words, sizeof(words), line);
	if (*words)
		sw_text_add(buf, size, "   (%s)", words);
	return buf;
}

static void say_recorded(char *buf, size_t size,
			 const struct sw_sweep_page *page)
{
	const uint64_t *n = page->total;

	if (n[SW_TALLY_RECORDED] == n[SW_TALLY_JOBS])
		return;
	sw_text_add(buf, size, "%s of %s jobs have no summary of a recorder: "
		    "of these only %s's own record counts.",
		    sw_count_text(n[SW_TALLY_JOBS] - n[SW_TALLY_RECORDED]).s,
		    sw_count_text(n[SW_TALLY_JOBS]).s,
		    sw_settings_scheduler(page->settings));
	if (page->nodes_without_count && !sw_sweep_is_of_part(page))
		sw_text_add(buf, size, " Without a summary of that day: %zu of "
			    "%zu nodes (%.200s%s).", page->nodes_without_count,
			    page->node_count, page->nodes_without,
			    strlen(page->nodes_without) > 200 ? "..." : "");
}

enum { UNRECORDED_SHOWN = 5 };

/* Steps known to the scheduler but to no recorder: one may have died. */
static void say_unrecorded(char *buf, size_t size,
			   const struct sw_sweep_page *page)
{
	const struct sw_night_node *nodes[UNRECORDED_SHOWN];
	size_t count = sw_night_unrecorded(page->night, nodes,
					   UNRECORDED_SHOWN), i;

	if (sw_sweep_is_of_part(page))
		return;
	for (i = 0; i < count && i < UNRECORDED_SHOWN; i++)
		sw_text_add(buf, size, "%s%.64s: %s of %s steps recorded",
			    i ? "; " : "", nodes[i]->name,
			    sw_count_text(nodes[i]->recorded).s,
			    sw_count_text(nodes[i]->steps).s);
	if (count > UNRECORDED_SHOWN)
		sw_text_add(buf, size, "; less than half on %zu more nodes",
			    count - UNRECORDED_SHOWN);
	if (count)
		sw_text_add(buf, size, ".");
}

static void say_left_out(char *buf, size_t size,
			 const struct sw_sweep_page *page)
{
	static const char *const words[SW_NIGHT_NOTES] = {
		[SW_NIGHT_BAD_LINES] = "lines of accounting that are no record",
		[SW_NIGHT_IMPOSSIBLE] = "impossible values",
		[SW_NIGHT_BAD_SUMMARIES] = "files of summaries",
		[SW_NIGHT_UNNAMED_ROWS] = "rows of summaries without a step",
		[SW_NIGHT_UNKNOWN_JOBS] = "summaries of jobs that the "
					  "accounting does not have",
	};
	const char *between = "Left out: ";
	size_t i;

	for (i = 0; i < SW_NIGHT_NOTES; i++) {
		if (!words[i] || !page->night->notes[i])
			continue;
		sw_text_add(buf, size, "%s%s %s", between,
			    sw_count_text(page->night->notes[i]).s, words[i]);
		between = ", ";
	}
	if (*buf)
		sw_text_add(buf, size, ".");
}

static void say_gpus(char *buf, size_t size, const struct sw_sweep_page *page)
{
	const uint64_t *n = page->total;
	double known = sw_tally_ratio(n, SW_TALLY_GPU_KNOWN_SECONDS,
				      SW_TALLY_GPU_SECONDS);

	if (!n[SW_TALLY_GPU_SECONDS] || known >= 0.995)
		return;
	if (!n[SW_TALLY_GPU_KNOWN_SECONDS])
		sw_text_add(buf, size, "How busy GPUs were is not known: no "
			    "summary of a recorder has it.");
	else
		sw_text_add(buf, size, "How busy GPUs were is known of %.0f %% "
			    "of the GPU-hours, from summaries.", 100 * known);
}

/* Units of numbers in LSF's records are configured elsewhere. */
static void say_units(char *buf, size_t size, const struct sw_sweep_page *page)
{
	const struct sw_lsf_site *site = sw_settings_lsf(page->settings);

	if (!sw_settings_lsb_acct(page->settings) || site->unit_bytes)
		return;
	sw_text_add(buf, size, "A memory request without a unit was taken as "
		    "MB, reserved for each %s (stepwell.yaml: lsf: "
		    "unit_for_limits, reserve_per_task).",
		    site->reserves_per_task ? "slot" : "host");
}

static void say_no_costs(char *buf, size_t size,
			 const struct sw_sweep_page *page)
{
	sw_text_add(buf, size, "%s", page->no_catalogue);
	if (!*page->no_catalogue && page->catalogue.count && !page->has_costs)
		sw_text_add(buf, size, "No job has a cost: none ran on a node "
			    "of the catalogue with a price.");
}

static void say_compared(char *buf, size_t size,
			 const struct sw_sweep_page *page)
{
	if (!page->past_nights)
		sw_text_add(buf, size, "There are no earlier nights to compare "
			    "with.");
}

char *sw_sweep_missing(char *buf, size_t size,
		       const struct sw_sweep_page *page, size_t i)
{
	static void (*const say[])(char *, size_t,
				   const struct sw_sweep_page *) = {
		say_recorded, say_unrecorded, say_left_out, sw_sweep_say_folded, say_units,
		say_gpus, say_no_costs,
		say_compared,
	};
	static const size_t count = sizeof(say) / sizeof(say[0]);

	*buf = '\0';
	if (i >= count)
		return NULL;
	say[i](buf, size, page);
	return buf;
}

static void put_gauge(struct sw_sweep_gauge *gauge, const char *name,
		      const char *question, double ratio)
{
	gauge->name = name;
	gauge->question = question;
	gauge->ratio = ratio;
	gauge->text[0] = '\0';
}

static size_t put_gpu_gauge(struct sw_sweep_gauge *gauge, const uint64_t *n)
{
	if (!n[SW_TALLY_GPU_SECONDS])
		return 0;
	put_gauge(gauge, "GPU", "How much of the time were GPUs busy?",
		  sw_tally_ratio(n, SW_TALLY_GPU_BUSY_SECONDS,
				 SW_TALLY_GPU_KNOWN_SECONDS));
	sw_text_add(gauge->text, sizeof(gauge->text), "busy of ");
	sw_sweep_add_hours(gauge->text, sizeof(gauge->text),
			   (double)n[SW_TALLY_GPU_KNOWN_SECONDS] / 3600,
			   "GPU-hours");
	return 1;
}

size_t sw_sweep_gauges(struct sw_sweep_gauge gauges[SW_SWEEP_GAUGES],
		       const struct sw_sweep_page *page)
{
	const uint64_t *n = page->total;
	double lost = (double)n[SW_TALLY_LOST_CORE_USEC] / USEC_PER_HOUR;

	put_gauge(&gauges[0], "CPU", "How much of the CPU time was used?",
		  sw_tally_ratio(n, SW_TALLY_USED_USEC,
				 SW_TALLY_CORE_KNOWN_USEC));
	put_gauge(&gauges[1], "memory", "How much of the memory was needed?",
		  sw_tally_ratio(n, SW_TALLY_NEED_MIB_SECONDS,
				 SW_TALLY_MIB_KNOWN_SECONDS));
	put_gauge(&gauges[2], "time limits",
		  "How much of the time limits did completed jobs take?",
		  sw_tally_ratio(n, SW_TALLY_LIMITED_SECONDS,
				 SW_TALLY_LIMIT_SECONDS));
	put_gauge(&gauges[3], "lost", "How much went into jobs that failed?",
		  sw_tally_ratio(n, SW_TALLY_LOST_CORE_USEC,
				 SW_TALLY_CORE_USEC));
	sw_text_add(gauges[0].text, sizeof(gauges[0].text), "used of ");
	sw_sweep_add_hours(gauges[0].text, sizeof(gauges[0].text),
		  (double)n[SW_TALLY_CORE_KNOWN_USEC] / USEC_PER_HOUR,
		  "core-hours");
	sw_text_add(gauges[1].text, sizeof(gauges[1].text), "needed of ");
	sw_sweep_add_hours(gauges[1].text, sizeof(gauges[1].text),
		  (double)n[SW_TALLY_MIB_KNOWN_SECONDS] /
			  MIB_SECONDS_PER_GIB_HOUR, "GiB-hours");
	sw_text_add(gauges[2].text, sizeof(gauges[2].text),
		    "taken by completed jobs");
	sw_sweep_add_hours(gauges[3].text, sizeof(gauges[3].text), lost,
		  "core-hours went into jobs that failed");
	return 4 + put_gpu_gauge(&gauges[4], n);
}
