/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's lines about kernel and hardware counters of the tasks. */
#include <math.h>
#include <string.h>

#include "analyzer/report/text/report_text.h"
#include "common/escape.h"
#include "common/text.h"
#include "common/units.h"

enum { TEXT_SIZE = 384 };

/* Append a known nonzero count: "3 waits for I/O". */
static void add_count(char *text, uint64_t count, const char *one,
		      const char *many)
{
	if (sw_zero_if_missing(count))
		sw_text_add(text, TEXT_SIZE, "%s%s %s", *text ? ", " : "",
			    sw_count_text(count).s, count == 1 ? one : many);
}

static void write_kernel(const struct sw_page *page,
			 const struct sw_view_counters *counters)
{
	char text[TEXT_SIZE] = "";

	add_count(text, counters->page_faults, "page fault", "page faults");
	if (*text && counters->is_user_only)
		sw_text_add(text, TEXT_SIZE, " in user mode");
	if (sw_zero_if_missing(counters->major_faults))
		sw_text_add(text, TEXT_SIZE, " (%s needed I/O)",
			    sw_count_text(counters->major_faults).s);
	add_count(text, counters->context_switches, "context switch",
		  "context switches");
	add_count(text, counters->cpu_migrations, "CPU migration",
		  "CPU migrations");
	if (*text)
		sw_page_line(page, "kernel", "%s", text);
}

/* "2.4 G": operations per second and the like. */
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

static void add_flops(char *text, const struct sw_view *view)
{
	const struct sw_view_counters *counters = &view->counters;
	double flops = sw_counters_flops(counters);
	double vector = sw_counters_vector(counters);
	char rate[32];

	if (isnan(flops) || sw_is_missing(view->elapsed_usec) ||
	    view->elapsed_usec == 0)
		return;
	sw_text_add(text, TEXT_SIZE, "; %sFLOP/s",
		    rate_words(rate, sizeof(rate), flops * SW_USEC_PER_SEC /
					   (double)view->elapsed_usec));
	if (!isnan(vector))
		sw_text_add(text, TEXT_SIZE,
			    ", %.0f %% of them vector instructions",
			    100 * vector);
}

static void write_hardware(const struct sw_page *page,
			   const struct sw_view *view)
{
	const struct sw_view_counters *counters = &view->counters;
	double ipc = sw_counters_ipc(counters);
	double misses = sw_counters_llc_rate(counters);
	double share = sw_counters_share(counters);
	char text[TEXT_SIZE] = "";

	if (!isnan(ipc))
		sw_text_add(text, TEXT_SIZE, "%.2f instructions per cycle",
			    ipc);
	else if (!sw_is_missing(counters->instructions))
		sw_text_add(text, TEXT_SIZE, "%s instructions",
			    sw_count_text(counters->instructions).s);
	else
		sw_text_add(text, TEXT_SIZE, "%s cycles",
			    sw_count_text(counters->cycles).s);
	if (!isnan(misses))
		sw_text_add(text, TEXT_SIZE, ", %.1f last-level cache misses "
			    "per 1000 instructions", misses);
	add_flops(text, view);
	if (share < 0.995)
		sw_text_add(text, TEXT_SIZE, "; counted %.0f %% of the time",
			    100 * share);
	sw_page_line(page, "processor", "%s", text);
}

/* "PAPI_DP_OPS 1.2 G, 400 MFLOP/s, 100 MFLOP/s per task" */
static void write_chosen(const struct sw_page *page, const char *label,
			 const struct sw_view_chosen *chosen)
{
	uint64_t elapsed_usec = page->result->view->elapsed_usec;
	const char *unit = sw_chosen_is_flops(chosen) ? "FLOP/s" : "/s";
	double rate = sw_chosen_rate(chosen, elapsed_usec);
	char quoted[80], number[32], text[TEXT_SIZE] = "";

	sw_escape_terminal(quoted, sizeof(quoted), chosen->name);
	if (isnan(chosen->value)) {
		sw_page_line(page, label, "%s is not known: %s", quoted,
			     chosen->why);
		return;
	}
	rate_words(number, sizeof(number), chosen->value);
	if (number[strlen(number) - 1] == ' ')
		number[strlen(number) - 1] = '\0';
	sw_text_add(text, TEXT_SIZE, "%s %s", quoted, number);
	if (!isnan(rate))
		sw_text_add(text, TEXT_SIZE, ", %s%s",
			    rate_words(number, sizeof(number), rate), unit);
	if (!isnan(rate) && chosen->tasks > 1)
		sw_text_add(text, TEXT_SIZE, ", %s%s per task",
			    rate_words(number, sizeof(number),
				       rate / (double)chosen->tasks), unit);
	if (sw_chosen_share(chosen) < 0.995)
		sw_text_add(text, TEXT_SIZE, "; counted %.0f %% of the time",
			    100 * sw_chosen_share(chosen));
	sw_page_line(page, label, "%s", text);
}

/* "24 MFLOP/s of the node's 3 TFLOP/s (0.8 %)"; otherwise only the rate. */
static void add_ceiling(char *text, const struct sw_roofline *roofline)
{
	double most = roofline->node.flops_per_sec;
	char rate[32], ceiling[32];

	if (isnan(most))
		return;
	sw_text_add(text, TEXT_SIZE, "%sFLOP/s of the node's %sFLOP/s (%.2g %%)",
		    rate_words(rate, sizeof(rate), roofline->flops_per_sec),
		    rate_words(ceiling, sizeof(ceiling), most),
		    100 * roofline->flops_per_sec / most);
}

static void write_roofline(const struct sw_page *page)
{
	const struct sw_result *result = page->result;
	struct sw_roofline roofline;
	char text[TEXT_SIZE] = "";
	double balance;

	sw_roofline_init(&roofline, result->view, &result->ceilings);
	if (!sw_roofline_is_known(&roofline))
		return;
	add_ceiling(text, &roofline);
	balance = sw_ceilings_balance(&roofline.node);
	if (!isnan(roofline.bytes_per_flop))
		sw_text_add(text, TEXT_SIZE,
			    "%sat least %.3g bytes from memory per FLOP",
			    text[0] ? "; " : "", roofline.bytes_per_flop);
	if (!isnan(roofline.bytes_per_flop) && !isnan(balance))
		sw_text_add(text, TEXT_SIZE, "; the node's balance is %.3g",
			    balance);
	sw_page_line(page, "roofline", "%s", text);
}

void sw_text_report_counters(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	size_t i;

	if (sw_counters_has_kernel(&view->counters))
		write_kernel(page, &view->counters);
	if (sw_counters_has_hardware(&view->counters))
		write_hardware(page, view);
	for (i = 0; i < view->chosen_count; i++)
		write_chosen(page, i ? "" : "counters", &view->chosen[i]);
	write_roofline(page);
}
