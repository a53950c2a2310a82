/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The second half of the text report: programs, and the small print. */
#include <math.h>
#include <string.h>

#include "analyzer/print/paragraph.h"
#include "analyzer/print/text_table.h"
#include "analyzer/report/losses.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "common/units.h"

enum {
	PROGRAMS_SHOWN = 12,
	GAPS_SHOWN = 5,
};

static const struct sw_text_table_column program_columns[] = {
	{ "program", 16, false }, { "count", 7, true },
	{ "CPU time", 11, true }, { "peak", 8, true }, { "I/O", 8, true },
	{ "longest", 11, true },  { "end", 0, false },
};

enum {
	PROGRAM_COLUMNS = sizeof(program_columns) / sizeof(program_columns[0]),
};

static const char *bold(const struct sw_text_report *report)
{
	return report->style->has_color ? "\033[1m" : "";
}

static const char *plain(const struct sw_text_report *report)
{
	return report->style->has_color ? "\033[0m" : "";
}

static char *format_count(char *buf, size_t size,
			  const struct sw_text_report *report,
			  const struct sw_view_program *program)
{
	if (sw_is_missing(program->started))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%s%llu", program->is_complete ? "" : sw_text_at_least(report->style),
			 (unsigned long long)program->started);
	return buf;
}

/* "ok", "3 failed", "1 killed", "1 OOM", "1 running", "1 end not seen". */
static char *format_end(char *buf, size_t size,
			const struct sw_view_program *program)
{
	size_t used = 0;
	const struct {
		uint64_t count;
		const char *word;
	} ends[] = {
		{ program->oom_killed, "OOM" },
		{ program->killed, "killed" },
		{ program->exited_nonzero, "failed" },
		{ program->running, "running" },
		{ program->unseen_ends, "end not seen" },
	};
	size_t i;

	snprintf(buf, size, "%s",
		 sw_is_missing(program->exited_ok) ? "?" : "ok");
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (sw_is_missing(ends[i].count) || ends[i].count == 0)
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s%llu %s",
					 used ? ", " : "",
					 (unsigned long long)ends[i].count,
					 ends[i].word);
		if (used >= size)
			break;
	}
	return buf;
}

static char *format_peak(char *buf, size_t size,
			 const struct sw_text_report *report,
			 const struct sw_view_program *program)
{
	char peak[SW_UNITS_TEXT_SIZE];

	snprintf(buf, size, "%s%s",
		 program->is_peak_sampled ? sw_text_at_least(report->style)
					  : "",
		 sw_size_format(peak, sizeof(peak), program->peak_bytes));
	return buf;
}

static void write_program(const struct sw_text_report *report,
			  const struct sw_text_table *table,
			  const struct sw_view_program *program)
{
	char count[32], cpu[SW_UNITS_TEXT_SIZE], peak[SW_UNITS_TEXT_SIZE + 4];
	char r[SW_UNITS_TEXT_SIZE], longest[SW_UNITS_TEXT_SIZE], end[128];
	const char *const cells[PROGRAM_COLUMNS] = {
		program->name,
		format_count(count, sizeof(count), report, program),
		sw_duration_format(cpu, sizeof(cpu), program->cpu_usec),
		format_peak(peak, sizeof(peak), report, program),
		sw_size_format(r, sizeof(r),
			       sw_add_u64(program->call_read_bytes,
					  program->call_written_bytes)),
		sw_duration_format(longest, sizeof(longest),
				   program->elapsed_max_usec),
		format_end(end, sizeof(end), program),
	};

	sw_text_table_row(table, cells);
}

void sw_text_report_programs(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;
	struct sw_text_table table;
	bool is_complete = true;
	char text[96];
	size_t i;

	if (!view->program_count)
		return;
	fprintf(report->out, "\n"
		"%sPrograms, by CPU time%s\n", bold(report),
		plain(report));
	sw_text_table_init(&table, report->out, program_columns,
			   PROGRAM_COLUMNS, 2, report->style);
	sw_text_table_head(&table);
	for (i = 0; i < view->program_count; i++) {
		is_complete &= view->programs[i].is_complete &&
			       !view->programs[i].is_peak_sampled;
		if (i < PROGRAMS_SHOWN)
			write_program(report, &table, &view->programs[i]);
	}
	if (view->program_count > PROGRAMS_SHOWN)
		fprintf(report->out, "  and %zu more; --json has them all\n",
			view->program_count - PROGRAMS_SHOWN);
	if (!is_complete) {
		snprintf(text, sizeof(text),
			 "%s means at least: some starts, CPU time or peaks "
			 "were not seen",
			 sw_text_at_least(report->style));
		sw_paragraph_print(report->out, text, "  ", "  ",
				   report->style);
	}
}

static void write_sources(const struct sw_text_report *report)
{
	const struct sw_view_recording *r = &report->result->view->recording;
	char text[768];

	if (!r->backend) {
		fputs("  How it was made is not recorded.\n",
		      report->out);
		return;
	}
	snprintf(text, sizeof(text),
		 "Step recorded through %s%s%s%s; programs through %s%s%s%s.",
		 r->backend, r->backend_reason ? " (" : "",
		 sw_text(r->backend_reason),
		 r->backend_reason ? ")" : "",
		 r->programs_source ? r->programs_source : "nothing",
		 r->programs_reason ? " (" : "",
		 sw_text(r->programs_reason),
		 r->programs_reason ? ")" : "");
	sw_paragraph_print(report->out, text, "  ", "  ", report->style);
}

/* Where rows are lost, by the clock times of the good ones around them. */
static void write_gaps(const struct sw_text_report *report,
		       const struct sw_view *view)
{
	size_t i, count = sw_reader_gap_count(view->reader);
	char from[64], to[64], text[192];

	for (i = 0; i < count && i < GAPS_SHOWN; i++) {
		const struct sw_reader_gap *gap =
			sw_reader_gap(view->reader, i);

		sw_realtime_words(from, sizeof(from), sw_view_realtime_usec(
			view, gap->after_usec));
		sw_realtime_words(to, sizeof(to), sw_view_realtime_usec(
			view, gap->before_usec));
		snprintf(text, sizeof(text), "%llu bytes at offset %llu, "
			 "between %s and %s",
			 (unsigned long long)gap->length_bytes,
			 (unsigned long long)gap->offset_bytes, from, to);
		sw_paragraph_print(report->out, text, "    ", "      ",
				   report->style);
	}
	if (count > GAPS_SHOWN)
		fprintf(report->out, "    and %zu more\n", count - GAPS_SHOWN);
}

static void write_loss(void *context, const struct sw_loss *loss)
{
	const struct sw_text_report *report = context;

	sw_paragraph_print(report->out, loss->text, "  ", "  ", report->style);
}

/* What is damaged in one file; of a job, which node's it is. */
static void write_damage(const struct sw_text_report *report,
			 const struct sw_view *view)
{
	const struct sw_reader_health *health;
	char text[160];

	health = sw_reader_health(view->reader);
	if (!health->frames_damaged && !health->frames_missing)
		return;
	if (report->result->job && report->result->job->node_count > 1)
		sw_paragraph_print(report->out, view->node ? view->node : "?",
				   "  Node ", "  ", report->style);
	snprintf(text, sizeof(text), "The file is damaged (places: %llu, "
		 "missing frames: %llu); the report uses what could be read.",
		 (unsigned long long)health->frames_damaged,
		 (unsigned long long)health->frames_missing);
	sw_paragraph_print(report->out, text, "  ", "  ", report->style);
	write_gaps(report, view);
}

static void write_losses(const struct sw_text_report *report)
{
	const struct sw_job *job = report->result->job;
	const struct sw_view *view = report->result->view;
	size_t i, j;

	sw_losses_visit(report->result, write_loss, (void *)(uintptr_t)report);
	if (!job)
		write_damage(report, view);
	for (i = 0; job && i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].file_count; j++)
			write_damage(report, &job->nodes[i].files[j].total);
	}
}

static void write_samples(const struct sw_text_report *report)
{
	const struct sw_view_recording *r = &report->result->view->recording;

	if (sw_is_missing(r->samples))
		return;
	fprintf(report->out, "  %llu samples", (unsigned long long)r->samples);
	if (!sw_is_missing(r->lost_samples) && r->lost_samples)
		fprintf(report->out, ", %llu more taken late",
			(unsigned long long)r->lost_samples);
	fputs(".\n", report->out);
}

void sw_text_report_recording(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;
	const struct sw_view_recording *r = &view->recording;
	char cpu[SW_UNITS_TEXT_SIZE], memory[SW_UNITS_TEXT_SIZE];
	char share[48] = "", text[256];

	fprintf(report->out, "\n%sThe recording%s\n", bold(report),
		plain(report));
	sw_duration_format(cpu, sizeof(cpu), r->recorder_cpu_usec);
	sw_size_format(memory, sizeof(memory), r->recorder_hiwater_bytes);
	if (!sw_is_missing(r->recorder_cpu_usec) &&
	    !sw_is_missing(view->elapsed_usec) &&
	    view->elapsed_usec >= SW_USEC_PER_SEC)
		snprintf(share, sizeof(share), " (%.2g %% of one CPU)",
			 100.0 * (double)r->recorder_cpu_usec /
				 (double)view->elapsed_usec);
	write_samples(report);
	snprintf(text, sizeof(text), "Its cost: %s of CPU time%s and %s of "
		 "memory.", cpu, share, memory);
	if (sw_is_missing(r->recorder_cpu_usec))
		snprintf(text, sizeof(text), "Its cost was not recorded.");
	sw_paragraph_print(report->out, text, "  ", "  ", report->style);
	write_sources(report);
	write_losses(report);
}
