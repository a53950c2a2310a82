/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for people: a page, from the verdict down to the details. */
#include <math.h>
#include <string.h>

#include "analyzer/html/svg.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/report/text/picture.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/text.h"
#include "common/units.h"

enum { GAUGE_WIDTH = 20 };

/* Shares of time below this are not printed as numbers. */
static const double WAIT_SHOWN = 0.001;

/* I/O waits beyond the kernel's count are explained from this share on. */
static const double UNCOUNTED = 0.2;

static void write_node(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	const char *model = view->placement.cpu_model;
	char cpus[32] = "", memory[SW_UNITS_TEXT_SIZE + 2] = "";
	char processor[80] = "";

	if (!view->node)
		return;
	if (model)
		snprintf(processor, sizeof(processor), " (%.70s)", model);
	if (!sw_is_missing(view->node_cpus))
		snprintf(cpus, sizeof(cpus), ", %llu CPUs",
			 (unsigned long long)view->node_cpus);
	if (!sw_is_missing(view->node_memory_bytes))
		snprintf(memory, sizeof(memory), ", %s",
			 sw_size_text(view->node_memory_bytes).s);
	sw_page_line(page, "node", "%.255s%s%s%s", view->node, cpus, processor,
		     memory);
}

/* "name: verdict"; the verdict goes below a long name. */
static void write_verdict(const struct sw_page *page)
{
	char title[SW_JOBID_TEXT_SIZE + 8];
	const char *raw = sw_title_of(title, sizeof(title), page->result);
	const char *bold = sw_style_bold(page->style);
	const char *plain = sw_style_plain(page->style);
	char name[256], first[320], text[1536];

	sw_text_escape(name, sizeof(name), raw, page->style);
	snprintf(first, sizeof(first), "%s%s:%s ", bold, name, plain);
	sw_verdict_words(text, sizeof(text), page->result);
	if (sw_text_columns(first) * 2 > page->style->width) {
		sw_paragraph_print(page->out, raw, bold, "", page->style);
		fputs(plain, page->out);
		first[0] = '\0';
	}
	sw_paragraph_print(page->out, text, first, "", page->style);
	sw_unseen_ends_words(text, sizeof(text), page->result->view);
	if (*text)
		sw_paragraph_print(page->out, text, "Not known: ", "",
				   page->style);
}

void sw_text_report_facts(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	char text[160], source[96];

	sw_page_line(page, "started", "%s",
		     sw_realtime_words(text, sizeof(text),
				       view->start_realtime_usec));
	sw_page_line(page, "elapsed", "%s%s",
		     view->elapsed_usec < 60 * SW_USEC_PER_SEC
			     ? sw_duration_text(view->elapsed_usec).s
			     : sw_elapsed_format(text, sizeof(text),
						 view->elapsed_usec),
		     sw_elapsed_source(source, sizeof(source), view));
	/* HTML has a chart of it. */
	if (!page->html &&
	    *sw_limits_words(text, sizeof(text), &view->limits))
		sw_page_line(page, "limits", "%s", text);
	if (!sw_is_missing(view->input_bytes))
		sw_page_line(page, "input", "%s (STEPWELL_INPUT_BYTES)",
			     sw_size_text(view->input_bytes).s);
	if (page->result->job)
		sw_text_report_job(page);
	if (!page->result->job || page->result->job->node_count == 1)
		write_node(page);
}

struct gauge {
	double ratio, upper;	/* upper is NAN for a single value */
};

static const char *percent_words(char *buf, size_t size,
				 const struct gauge *gauge)
{
	char low[8], high[8];

	snprintf(low, sizeof(low), "%.0f", fmin(gauge->ratio, 9999) * 100);
	snprintf(high, sizeof(high), "%.0f", fmin(gauge->upper, 9999) * 100);
	if (isnan(gauge->ratio))
		snprintf(buf, size, "   ?");
	else if (isnan(gauge->upper) || !strcmp(low, high))
		snprintf(buf, size, "%3s%%", low);
	else
		snprintf(buf, size, "%s-%s%%", low, high);
	return buf;
}

/* "  label  ███▒▒░░  12-20%  text", wrapped below the text's start. */
static void gauge_line(const struct sw_page *page, const char *label,
		       struct gauge gauge, const char *text)
{
	char bar[SW_PICTURE_SIZE(GAUGE_WIDTH)], first[128];
	char percent[32];

	percent_words(percent, sizeof(percent), &gauge);
	if (page->html) {
		sw_svg_bar(page->html, &(struct sw_svg_words){ label, text },
			   percent + strspn(percent, " "), gauge.ratio,
			   gauge.upper);
		return;
	}
	sw_gauge(bar, GAUGE_WIDTH, gauge.ratio, gauge.upper, page->style);
	snprintf(first, sizeof(first), "  %-*s%s %-5s ", SW_PAGE_LABEL_WIDTH,
		 label, bar, percent);
	if (sw_page_is_wide(page)) {
		sw_paragraph_print(page->out, text, first,
				   "                                       ",
				   page->style);
		return;
	}
	fprintf(page->out, "  %-*s%s %s\n", SW_PAGE_LABEL_WIDTH, label, bar,
		percent);
	sw_page_line(page, "", "%s", text);
}

static void write_cpu(const struct sw_page *page)
{
	const struct sw_view_cpu *cpu = &page->result->view->cpu;
	char text[192];

	gauge_line(page, "CPU", (struct gauge){ cpu->efficiency, NAN },
		   sw_cpu_words(text, sizeof(text), cpu));
}

/* Append further facts about memory that are worth mentioning. */
static void add_memory(char *text, size_t size,
		       const struct sw_view_memory *memory, uint64_t reference)
{
	char seen[96];

	if (*sw_need_least_words(seen, sizeof(seen), memory))
		sw_text_add(text, size, "; %s", seen);
	if (*sw_seen_words(seen, sizeof(seen), memory))
		sw_text_add(text, size, "; %s", seen);
	if (sw_mapped_unknown(memory) > memory->need_bytes / 10)
		sw_text_add(text, size, "; %s are mapped files, which may or "
			    "may not have been in use",
			    sw_size_text(sw_mapped_unknown(memory)).s);
	if (!sw_is_missing(memory->limit_bytes) &&
	    memory->limit_bytes != reference)
		sw_text_add(text, size, "; limit %s",
			    sw_size_text(memory->limit_bytes).s);
	if (sw_zero_if_missing(memory->cache_bytes))
		sw_text_add(text, size, "; plus up to %s of page cache and "
			    "mapped files",
			    sw_size_text(memory->cache_bytes).s);
	if (sw_zero_if_missing(memory->huge_page_bytes))
		sw_text_add(text, size, "; plus huge pages, %s",
			    sw_size_text(memory->huge_page_bytes).s);
	if (memory->node)
		sw_text_add(text, size, "; on %.255s, which needed the most",
			    memory->node);
}

static void write_memory(const struct sw_page *page)
{
	const struct sw_view_memory *memory = &page->result->view->memory;
	char need[96], of[SW_UNITS_TEXT_SIZE + 16], text[768];
	const char *name;
	uint64_t reference = sw_memory_reference(memory, &name);
	const struct gauge gauge = {
		sw_ratio_u64(memory->need_bytes, reference),
		memory->need_is_lower_bound ? NAN :
			sw_ratio_u64(sw_need_upper_told(memory), reference),
	};

	snprintf(text, sizeof(text), "needed %s%s",
		 sw_need_words(need, sizeof(need), memory),
		 sw_reference_words(of, sizeof(of), memory));
	add_memory(text, sizeof(text), memory, reference);
	gauge_line(page, "memory", gauge, text);
}

static void write_time(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	const struct gauge gauge = {
		sw_ratio_u64(view->elapsed_usec, view->requested_time_usec),
		NAN,
	};
	char text[2 * SW_UNITS_TEXT_SIZE + 24];

	if (sw_is_missing(view->requested_time_usec))
		return;
	snprintf(text, sizeof(text), "%s of the %s requested",
		 sw_duration_text(view->elapsed_usec).s,
		 sw_duration_text(view->requested_time_usec).s);
	gauge_line(page, "time", gauge, text);
}

/* Nearly every step opens fewer to start its programs. */
static const uint64_t OPENS_SHOWN = 1000;

static void write_io(const struct sw_page *page)
{
	const struct sw_view_io *io = &page->result->view->io;
	char text[256] = "";

	if (!sw_is_missing(io->call_read_bytes))
		sw_text_add(text, sizeof(text),
			    "read %s, wrote %s by system calls",
			    sw_size_text(io->call_read_bytes).s,
			    sw_size_text(io->call_written_bytes).s);
	if (io->read_bytes == 0 && io->written_bytes == 0)
		sw_text_add(text, sizeof(text),
			    "%sno disk was read or written",
			    *text ? "; " : "");
	else if (!sw_is_missing(io->read_bytes))
		sw_text_add(text, sizeof(text),
			    "%s%s read from disk, %s written to disk",
			    *text ? "; " : "", sw_size_text(io->read_bytes).s,
			    sw_size_text(io->written_bytes).s);
	if (!sw_is_missing(io->opens) && io->opens >= OPENS_SHOWN)
		sw_text_add(text, sizeof(text), "; %s files opened",
			    sw_count_text(io->opens).s);
	sw_page_line(page, "I/O", "%s", *text ? text : "not recorded");
}

/* A resource that was waited for, "a CPU", and the share of time. */
struct wait {
	const char *what;
	double ratio;
};

static bool is_hardly(const struct wait *wait)
{
	return wait->ratio < WAIT_SHOWN;	/* false for NAN: unknown */
}

/* "waited for a CPU 58.1 % of the time, hardly for memory or I/O" */
static void wait_words(char *text, size_t size, const struct wait *waits,
		       size_t count)
{
	size_t i, hardly = 0, left = 0;

	for (i = 0; i < count; i++) {
		left += is_hardly(&waits[i]);
		if (waits[i].ratio >= WAIT_SHOWN)
			sw_text_add(text, size, "%s%s %.1f %%",
				    *text ? ", " : "waited for ",
				    waits[i].what, 100 * waits[i].ratio);
	}
	if (*text)
		sw_text_add(text, size, " of the time");
	for (i = 0; i < count; i++) {
		if (!is_hardly(&waits[i]))
			continue;
		left--;
		sw_text_add(text, size, "%s%s",
			    hardly++ ? (left ? ", " : " or ") :
			    *text ? ", hardly for " : "hardly waited for ",
			    waits[i].what);
	}
	if (!*text)
		sw_text_add(text, size, "not recorded");
}

/* The kernel's count lacks waits for FUSE and for a server's replies. */
static bool is_io_uncounted(const struct sw_view *view, double counted)
{
	return sw_ratio_u64(view->io.waited_usec, view->elapsed_usec) >=
	       counted + UNCOUNTED;
}

static void write_pressure(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	const struct sw_view_pressure *p = &view->pressure;
	const struct wait waits[] = {
		{ "a CPU", sw_ratio_u64(p->cpu_some_usec, view->elapsed_usec) },
		{ "memory",
		  sw_ratio_u64(p->memory_some_usec, view->elapsed_usec) },
		{ "I/O",
		  sw_ratio_u64(p->io_some_usec, view->elapsed_usec) },
	};
	char text[240] = "";

	/* Waits of simultaneous steps are no share of the time. */
	if (page->result->job && sw_is_missing(p->cpu_some_usec) &&
	    sw_is_missing(p->memory_some_usec) &&
	    sw_is_missing(p->io_some_usec))
		return;
	wait_words(text, sizeof(text), waits,
		   sizeof(waits) / sizeof(waits[0]));
	if (is_io_uncounted(view, waits[2].ratio))
		sw_text_add(text, sizeof(text),
			    "; the kernel does not count all waits for I/O");
	sw_page_line(page, "pressure", "%s", text);
}

static void write_curve(const struct sw_page *page, const char *label,
			const struct sw_curve *curve, double highest,
			sw_value_words_f words)
{
	char picture[SW_PICTURE_SIZE(SW_PAGE_PICTURE_MAX)];
	char low[SW_UNITS_TEXT_SIZE], high[SW_UNITS_TEXT_SIZE];

	if (curve->count < 2 || isnan(curve->max))
		return;
	sw_page_picture(page, label,
			       sw_spark(picture,
					sw_page_picture_width(page),
					curve, page->style),
			       words(low, sizeof(low), curve->min),
			       words(high, sizeof(high), highest));
}

static void write_curves(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;

	if (view->cores.count < 2)
		return;
	sw_page_heading(page, "Over time (lowest to highest)");
	/* Use the peak of the other lines: single samples may be very short. */
	write_curve(page, "CPUs", &view->cores,
		    isnan(view->cpu.peak_cores) ? view->cores.max :
		    fmax(view->cpu.peak_cores, view->cores.min),
		    sw_cores_words);
	write_curve(page, "memory", &view->memory_bytes,
		    view->memory_bytes.max, sw_bytes_words);
	write_curve(page, "I/O", &view->io_rate, view->io_rate.max,
		    sw_bytes_rate_words);
}

static void write_findings(const struct sw_page *page)
{
	static const char *const glyph[] = {
		[SW_INFO] = "i", [SW_WARNING] = "!", [SW_CRITICAL] = "X",
	};
	const struct sw_findings *findings = &page->result->findings;
	const struct sw_finding *finding;
	char where[512];
	size_t i;

	if (findings->count)
		sw_page_heading(page, "Findings");
	for (i = 0; i < findings->count; i++) {
		finding = &findings->items[i];
		fprintf(page->out, "%s  %s%s %s (%s)%s\n", i ? "\n" : "",
			sw_severity_color(sw_severity_word(finding->severity),
					  page->style),
			glyph[finding->severity],
			sw_severity_word(finding->severity), finding->id,
			sw_style_plain(page->style));
		sw_where_words(where, sizeof(where), page->result, finding);
		if (where[0])
			sw_page_paragraph(page, "    ", "In %s.", where);
		sw_page_paragraph(page, "    ", "%s", finding->sentence);
		if (finding->lowered_at)
			sw_page_paragraph(page, "    ",
				"Less sure than usual (%.0f %%): %s.",
				finding->confidence * 100,
				finding->because + finding->lowered_at);
	}
}

void sw_text_report_use(const struct sw_page *page)
{
	sw_page_heading(page, "Use of what was requested");
	write_cpu(page);
	write_memory(page);
	write_time(page);
	sw_text_report_gpus(page);
	write_io(page);
	sw_text_report_waits(page);
	sw_text_report_mounts(page);
	sw_text_report_network(page);
	write_pressure(page);
	sw_text_report_node(page);
	sw_text_report_placement(page);
	sw_text_report_counters(page);
}

static void write_one(FILE *out, const struct sw_result *result,
		      const struct sw_report_style *style)
{
	const struct sw_page page = { out, result, style, NULL };

	write_verdict(&page);
	fputc('\n', out);
	sw_text_report_facts(&page);
	sw_text_report_use(&page);
	write_curves(&page);
	if (result->job) {
		sw_text_report_steps(&page);
		sw_text_report_balance(&page);
	}
	sw_text_report_programs(&page);
	write_findings(&page);
	sw_text_report_advice(&page);
	sw_text_report_not_evaluated(&page);
	sw_text_report_recording(&page);
}

/* For a heterogeneous job write how it ended, and then each component. */
static int write(FILE *out, const struct sw_result *result,
		 const struct sw_report_style *style)
{
	const struct sw_page page = { out, result, style, NULL };
	size_t i;

	if (!result->component_count)
		write_one(out, result, style);
	else
		write_verdict(&page);
	for (i = 0; i < result->component_count; i++) {
		fputc('\n', out);
		write_one(out, result->components[i], style);
	}
	return ferror(out) ? -1 : 0;
}

const struct sw_report_format sw_report_text = {
	.name = "text",
	.help = "the whole report, for people",
	.write = write,
};
