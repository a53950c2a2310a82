/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for people: a page, from the verdict down to the small print. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "analyzer/print/paragraph.h"
#include "analyzer/print/phrase.h"
#include "analyzer/report/text/picture.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "common/units.h"

enum {
	GAUGE_WIDTH = 20, LABEL_WIDTH = 10,
	NUMBERS_WIDTH = 24,	/* "1023 MiB/s to 1023 MiB/s" */
};

/* Narrower, and the text of a gauge goes below it. */
enum { WIDTH_WIDE = 72 };

/* Less of the time, and it is not counted out. */
static const double WAIT_SHOWN = 0.001;

void sw_text_report_heading(const struct sw_text_report *report,
			    const char *text)
{
	fprintf(report->out, "\n%s%s%s\n",
		report->style->has_color ? "\033[1m" : "", text,
		report->style->has_color ? "\033[0m" : "");
}

void sw_text_report_line(const struct sw_text_report *report, const char *label,
			 const char *text)
{
	char first[32];

	snprintf(first, sizeof(first), "  %-*s", LABEL_WIDTH, label);
	sw_paragraph_print(report->out, text, first, "            ",
			   report->style);
}

static void write_node(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;
	char text[320], memory[SW_UNITS_TEXT_SIZE];
	size_t used;

	if (!view->node)
		return;
	used = (size_t)snprintf(text, sizeof(text), "%.255s", view->node);
	if (!sw_is_missing(view->node_cpus))
		used += (size_t)snprintf(text + used, sizeof(text) - used,
			", %llu CPUs", (unsigned long long)view->node_cpus);
	if (!sw_is_missing(view->node_memory_bytes))
		snprintf(text + used, sizeof(text) - used, ", %s",
			 sw_size_format(memory, sizeof(memory),
					view->node_memory_bytes));
	sw_text_report_line(report, "node", text);
}

/* "name: verdict", or the verdict below a name that is long. */
static void write_verdict(const struct sw_text_report *report)
{
	char title[SW_JOBID_TEXT_SIZE + 8];
	const char *raw = sw_title_of(title, sizeof(title), report->result);
	const char *bold = report->style->has_color ? "\033[1m" : "";
	const char *plain = report->style->has_color ? "\033[0m" : "";
	char name[256], first[320], text[512];

	sw_text_escape(name, sizeof(name), raw, report->style);
	snprintf(first, sizeof(first), "%s%s:%s ", bold, name, plain);
	sw_verdict_words(text, sizeof(text), report->result);
	if (sw_text_columns(first) * 2 > report->style->width) {
		sw_paragraph_print(report->out, raw, bold, "", report->style);
		fputs(plain, report->out);
		first[0] = '\0';
	}
	sw_paragraph_print(report->out, text, first, "", report->style);
	sw_unseen_ends_words(text, sizeof(text), report->result->view);
	if (*text)
		sw_paragraph_print(report->out, text, "Not known: ", "",
				   report->style);
}

static void write_header(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;
	char text[512], elapsed[SW_UNITS_TEXT_SIZE];

	write_verdict(report);
	fprintf(report->out, "\n  %-*s%s\n", LABEL_WIDTH, "started",
		sw_realtime_words(text, sizeof(text),
				  view->start_realtime_usec));
	fprintf(report->out, "  %-*s%s\n", LABEL_WIDTH, "elapsed",
		view->elapsed_usec < 60 * SW_USEC_PER_SEC
			? sw_duration_format(elapsed, sizeof(elapsed),
					     view->elapsed_usec)
			: sw_elapsed_format(elapsed, sizeof(elapsed),
					    view->elapsed_usec));
	if (!sw_is_missing(view->input_bytes))
		fprintf(report->out, "  %-*s%s (STEPWELL_INPUT_BYTES)\n",
			LABEL_WIDTH, "input",
			sw_size_format(elapsed, sizeof(elapsed),
				       view->input_bytes));
	if (report->result->job)
		sw_text_report_job(report);
	if (!report->result->job || report->result->job->node_count == 1)
		write_node(report);
}

struct gauge {
	double ratio, upper;	/* upper NAN: it has but one end */
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
static void gauge_line(const struct sw_text_report *report, const char *label,
		       struct gauge gauge, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void gauge_line(const struct sw_text_report *report, const char *label,
		       struct gauge gauge, const char *format, ...)
{
	char bar[SW_PICTURE_SIZE(GAUGE_WIDTH)], first[128], text[768];
	char percent[32];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	sw_gauge(bar, GAUGE_WIDTH, gauge.ratio, gauge.upper, report->style);
	percent_words(percent, sizeof(percent), &gauge);
	snprintf(first, sizeof(first), "  %-*s%s %-5s ", LABEL_WIDTH, label,
		 bar, percent);
	if (report->style->width >= WIDTH_WIDE) {
		sw_paragraph_print(report->out, text, first,
				   "                                       ",
				   report->style);
		return;
	}
	fprintf(report->out, "  %-*s%s %s\n", LABEL_WIDTH, label, bar, percent);
	sw_paragraph_print(report->out, text, "            ", "            ",
			   report->style);
}

static void write_cpu(const struct sw_text_report *report)
{
	const struct sw_view_cpu *cpu = &report->result->view->cpu;
	char text[192];

	gauge_line(report, "CPU", (struct gauge){ cpu->efficiency, NAN }, "%s",
		   sw_cpu_words(text, sizeof(text), cpu));
}

static void write_memory(const struct sw_text_report *report)
{
	const struct sw_view_memory *memory = &report->result->view->memory;
	char need[96], size[SW_UNITS_TEXT_SIZE], of[SW_UNITS_TEXT_SIZE + 16];
	char cache[96] = "", limit[96] = "", where[320] = "";
	char huge[96] = "", seen[96] = "; ", mapped[128] = "";
	const char *name;
	uint64_t reference = sw_memory_reference(memory, &name);
	struct gauge gauge;

	sw_need_words(need, sizeof(need), memory);
	sw_reference_words(of, sizeof(of), memory);
	if (!*sw_seen_words(seen + 2, sizeof(seen) - 2, memory))
		seen[0] = '\0';
	if (sw_mapped_unknown(memory) > memory->need_bytes / 10)
		snprintf(mapped, sizeof(mapped), "; %s including mapped files, "
			 "which may or may not have been in use",
			 sw_size_format(size, sizeof(size),
					memory->floor_bytes));
	if (!sw_is_missing(memory->cache_bytes) && memory->cache_bytes)
		snprintf(cache, sizeof(cache),
			 "; plus up to %s of page cache and mapped files",
			 sw_size_format(size, sizeof(size),
					memory->cache_bytes));
	if (!sw_is_missing(memory->limit_bytes) &&
	    memory->limit_bytes != reference)
		snprintf(limit, sizeof(limit), "; limit %s",
			 sw_size_format(size, sizeof(size),
					memory->limit_bytes));
	if (sw_zero_if_missing(memory->huge_page_bytes))
		snprintf(huge, sizeof(huge), "; plus huge pages, %s",
			 sw_size_format(size, sizeof(size),
					memory->huge_page_bytes));
	if (memory->node)
		snprintf(where, sizeof(where), "; on %.255s, which needed the "
			 "most",
			 memory->node);
	gauge.ratio = sw_ratio_u64(memory->need_bytes, reference);
	gauge.upper = memory->need_is_lower_bound ? NAN :
		      sw_ratio_u64(memory->need_upper_bytes, reference);
	gauge_line(report, "memory", gauge, "need %s%s%s%s%s%s%s%s", need, of,
		   seen, mapped, limit, cache, huge, where);
}

static void write_time(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;
	char elapsed[SW_UNITS_TEXT_SIZE], limit[SW_UNITS_TEXT_SIZE];
	struct gauge gauge = { NAN, NAN };

	if (sw_is_missing(view->requested_time_usec))
		return;
	gauge.ratio = sw_ratio_u64(view->elapsed_usec,
				   view->requested_time_usec);
	gauge_line(report, "time", gauge, "%s of %s requested",
		   sw_duration_format(elapsed, sizeof(elapsed),
				      view->elapsed_usec),
		   sw_duration_format(limit, sizeof(limit),
				      view->requested_time_usec));
}

static void write_io(const struct sw_text_report *report)
{
	const struct sw_view_io *io = &report->result->view->io;
	char r[SW_UNITS_TEXT_SIZE], w[SW_UNITS_TEXT_SIZE], text[256];
	size_t used = 0;

	if (!sw_is_missing(io->call_read_bytes))
		used = (size_t)snprintf(text, sizeof(text),
			"read %s, wrote %s by system calls",
			sw_size_format(r, sizeof(r), io->call_read_bytes),
			sw_size_format(w, sizeof(w), io->call_written_bytes));
	if (io->read_bytes == 0 && io->written_bytes == 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
			"%sno disk was read or written", used ? "; " : "");
	else if (!sw_is_missing(io->read_bytes))
		used += (size_t)snprintf(text + used, sizeof(text) - used,
			"%s%s read from disk, %s written to disk",
			used ? "; " : "",
			sw_size_format(r, sizeof(r), io->read_bytes),
			sw_size_format(w, sizeof(w), io->written_bytes));
	sw_text_report_line(report, "I/O", used ? text : "not recorded");
}

/* What was waited for: "a CPU", with what share of the time, or hardly. */
struct wait {
	const char *what;
	double ratio;
};

static bool is_hardly(const struct wait *wait)
{
	return wait->ratio < WAIT_SHOWN;	/* of NAN it is not known */
}

/* "waited for a CPU 58.1 % of the time, hardly for memory or storage" */
static void wait_words(struct sw_phrase *text, const struct wait *waits,
		       size_t count)
{
	size_t i, hardly = 0, left = 0;

	for (i = 0; i < count; i++) {
		left += is_hardly(&waits[i]);
		if (waits[i].ratio >= WAIT_SHOWN)
			sw_phrase_add(text, "%s%s %.1f %%",
				      text->used ? ", " : "waited for ",
				      waits[i].what, 100 * waits[i].ratio);
	}
	if (text->used)
		sw_phrase_add(text, " of the time");
	for (i = 0; i < count; i++) {
		if (!is_hardly(&waits[i]))
			continue;
		left--;
		sw_phrase_add(text, "%s%s",
			      hardly++ ? (left ? ", " : " or ") :
			      text->used ? ", hardly for " :
					   "hardly waited for ",
			      waits[i].what);
	}
	if (!text->used)
		sw_phrase_add(text, "not recorded");
}

static void write_pressure(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;
	const struct sw_view_pressure *p = &view->pressure;
	const struct wait waits[] = {
		{ "a CPU", sw_ratio_u64(p->cpu_some_usec, view->elapsed_usec) },
		{ "memory",
		  sw_ratio_u64(p->memory_some_usec, view->elapsed_usec) },
		{ "storage",
		  sw_ratio_u64(p->io_some_usec, view->elapsed_usec) },
	};
	char text[160];
	struct sw_phrase phrase = { text, sizeof(text), 0 };

	/* Waits of several steps at once have no share of the time. */
	if (report->result->job && sw_is_missing(p->cpu_some_usec) &&
	    sw_is_missing(p->memory_some_usec) &&
	    sw_is_missing(p->io_some_usec))
		return;
	wait_words(&phrase, waits, sizeof(waits) / sizeof(waits[0]));
	sw_text_report_line(report, "pressure", text);
}

typedef char *(*format_f)(char *buf, size_t size, double value);

static char *format_cores(char *buf, size_t size, double value)
{
	snprintf(buf, size, "%.1f", value);
	return buf;
}

static char *format_size(char *buf, size_t size, double value)
{
	return sw_size_format(buf, size, (uint64_t)value);
}

static char *format_rate(char *buf, size_t size, double value)
{
	sw_size_format(buf, size, (uint64_t)value);
	strncat(buf, "/s", size - strlen(buf) - 1);
	return buf;
}

unsigned sw_text_report_picture_width(const struct sw_text_report *report)
{
	unsigned width = report->style->width - 2 - LABEL_WIDTH;

	if (report->style->width >= WIDTH_WIDE)
		width -= 2 + NUMBERS_WIDTH;
	return width < SW_TEXT_PICTURE_MAX ? width : SW_TEXT_PICTURE_MAX;
}

void sw_text_report_picture(const struct sw_text_report *report,
			    const char *label, const char *picture,
			    const char *low, const char *high)
{
	fprintf(report->out, "  %-*s%s%s%s to %s\n", LABEL_WIDTH, label,
		picture,
		report->style->width >= WIDTH_WIDE ? "  " : "\n            ",
		low, high);
}

static void write_curve(const struct sw_text_report *report, const char *label,
			const struct sw_curve *curve, format_f format)
{
	char picture[SW_PICTURE_SIZE(SW_TEXT_PICTURE_MAX)];
	char low[SW_UNITS_TEXT_SIZE], high[SW_UNITS_TEXT_SIZE];

	if (curve->count < 2 || isnan(curve->max))
		return;
	sw_text_report_picture(report, label,
			       sw_spark(picture,
					sw_text_report_picture_width(report),
					curve, report->style),
			       format(low, sizeof(low), curve->min),
			       format(high, sizeof(high), curve->max));
}

static void write_curves(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;

	if (view->cores.count < 2)
		return;
	sw_text_report_heading(report, "Over time (lowest to highest sample)");
	write_curve(report, "CPUs", &view->cores, format_cores);
	write_curve(report, "memory", &view->memory_bytes, format_size);
	write_curve(report, "I/O", &view->io_rate, format_rate);
}

static void write_findings(const struct sw_text_report *report)
{
	static const char *const color[] = {
		[SW_INFO] = "\033[36m",
		[SW_WARNING] = "\033[33m",
		[SW_CRITICAL] = "\033[1;31m",
	};
	static const char *const glyph[] = {
		[SW_INFO] = "i", [SW_WARNING] = "!", [SW_CRITICAL] = "X",
	};
	const struct sw_findings *findings = &report->result->findings;
	const struct sw_finding *finding;
	char where[512], shown[600];
	size_t i;

	if (findings->count)
		sw_text_report_heading(report, "Findings");
	for (i = 0; i < findings->count; i++) {
		finding = &findings->items[i];
		fprintf(report->out, "%s  %s%s %s (%s)%s\n", i ? "\n" : "",
			report->style->has_color ? color[finding->severity]
						 : "",
			glyph[finding->severity],
			sw_severity_word(finding->severity), finding->id,
			report->style->has_color ? "\033[0m" : "");
		sw_where_words(where, sizeof(where), report->result, finding);
		if (where[0]) {
			snprintf(shown, sizeof(shown), "In %s.", where);
			sw_paragraph_print(report->out, shown, "    ", "    ",
					   report->style);
		}
		sw_paragraph_print(report->out, finding->sentence, "    ",
				   "    ", report->style);
	}
}

static int write(FILE *out, const struct sw_result *result,
		 const struct sw_report_style *style)
{
	const struct sw_text_report report = { out, result, style };

	write_header(&report);
	sw_text_report_heading(&report, "Use of what was requested");
	write_cpu(&report);
	write_memory(&report);
	write_time(&report);
	sw_text_report_gpus(&report);
	write_io(&report);
	sw_text_report_waits(&report);
	sw_text_report_mounts(&report);
	sw_text_report_network(&report);
	write_pressure(&report);
	sw_text_report_node(&report);
	sw_text_report_placement(&report);
	sw_text_report_counters(&report);
	write_curves(&report);
	if (result->job) {
		sw_text_report_steps(&report);
		sw_text_report_balance(&report);
	}
	sw_text_report_programs(&report);
	write_findings(&report);
	sw_text_report_advice(&report);
	sw_text_report_not_evaluated(&report);
	sw_text_report_recording(&report);
	return ferror(out) ? -1 : 0;
}

const struct sw_report_format sw_report_text = {
	.name = "text",
	.help = "the whole report, for people",
	.write = write,
};
