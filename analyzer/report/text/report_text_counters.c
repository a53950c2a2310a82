/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's lines of what kernel and processor counted of the tasks. */
#include <math.h>

#include "analyzer/print/phrase.h"
#include "analyzer/report/text/report_text.h"
#include "common/units.h"

enum { TEXT_SIZE = 384 };

/* What is known and was not zero: "3 waits for storage". */
static void add_count(struct sw_phrase *line, uint64_t count, const char *one,
		      const char *many)
{
	char number[32];

	if (sw_zero_if_missing(count))
		sw_phrase_add(line, "%s%s %s", line->used ? ", " : "",
		    sw_count_format(number, sizeof(number), count),
		    count == 1 ? one : many);
}

static void write_kernel(const struct sw_text_report *report,
			 const struct sw_view_counters *counters)
{
	char text[TEXT_SIZE] = "";
	struct sw_phrase line = { text, sizeof(text), 0 };
	char number[32];

	add_count(&line, counters->page_faults, "page fault", "page faults");
	if (line.used && counters->is_user_only)
		sw_phrase_add(&line, " in user mode");
	if (sw_zero_if_missing(counters->major_faults))
		sw_phrase_add(&line, " (%s needed I/O)",
		    sw_count_format(number, sizeof(number),
				    counters->major_faults));
	add_count(&line, counters->context_switches, "context switch",
		  "context switches");
	add_count(&line, counters->cpu_migrations, "CPU migration",
		  "CPU migrations");
	if (line.used)
		sw_text_report_line(report, "kernel", text);
}

/* "2.4 G": operations or such, a second. */
static const char *rate_words(char *buf, size_t size, double rate)
{
	static const char *const prefixes[] = { "", "k", "M", "G", "T", "P" };
	size_t i = 0;

	while (rate >= 1000 && i + 1 < sizeof(prefixes) / sizeof(*prefixes)) {
		rate /= 1000;
		i++;
	}
	snprintf(buf, size, "%.3g %s", rate, prefixes[i]);
	return buf;
}

static void add_flops(struct sw_phrase *line, const struct sw_view *view)
{
	const struct sw_view_counters *counters = &view->counters;
	double flops = sw_counters_flops(counters);
	double vector = sw_counters_vector(counters);
	char rate[32];

	if (isnan(flops) || sw_is_missing(view->elapsed_usec) ||
	    view->elapsed_usec == 0)
		return;
	sw_phrase_add(line, "; %sFLOP/s", rate_words(rate, sizeof(rate),
		flops * SW_USEC_PER_SEC / (double)view->elapsed_usec));
	if (!isnan(vector))
		sw_phrase_add(line, ", %.0f %% of them vector instructions",
			      100 * vector);
}

static void write_hardware(const struct sw_text_report *report,
			   const struct sw_view *view)
{
	const struct sw_view_counters *counters = &view->counters;
	double ipc = sw_counters_ipc(counters);
	double misses = sw_counters_llc_rate(counters);
	double share = sw_counters_share(counters);
	char text[TEXT_SIZE] = "";
	struct sw_phrase line = { text, sizeof(text), 0 };
	char number[32];

	if (!isnan(ipc))
		sw_phrase_add(&line, "%.2f instructions per cycle", ipc);
	else if (!sw_is_missing(counters->instructions))
		sw_phrase_add(&line, "%s instructions",
			      sw_count_format(number, sizeof(number),
					      counters->instructions));
	else
		sw_phrase_add(&line, "%s cycles",
			      sw_count_format(number, sizeof(number),
					      counters->cycles));
	if (!isnan(misses))
		sw_phrase_add(&line, ", %.1f last-level cache misses per 1000 "
			      "instructions", misses);
	add_flops(&line, view);
	if (share < 0.995)
		sw_phrase_add(&line, "; counted %.0f %% of the time",
			      100 * share);
	sw_text_report_line(report, "processor", text);
}

void sw_text_report_counters(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;

	if (sw_counters_has_kernel(&view->counters))
		write_kernel(report, &view->counters);
	if (sw_counters_has_hardware(&view->counters))
		write_hardware(report, view);
}
