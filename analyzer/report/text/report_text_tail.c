/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The second half of the text report: programs, and details. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "analyzer/print/paragraph.h"
#include "analyzer/report/missing_data.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/text.h"
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

static char *format_count(char *buf, size_t size,
			  const struct sw_page *page,
			  const struct sw_view_program *program)
{
	if (sw_is_missing(program->started))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%s%llu", program->is_complete ? "" :
			 sw_text_at_least(page->style),
			 (unsigned long long)program->started);
	return buf;
}

static void add_end(char *buf, size_t size, uint64_t count, const char *word)
{
	if (sw_zero_if_missing(count))
		sw_text_add(buf, size, "%s%llu %s", *buf ? ", " : "",
			    (unsigned long long)count, word);
}

/*
 * Append "1 SIGKILL, 2 SIGTERM", or "3 killed" if the signal is not known.
 * Excludes OOM kills.
 */
static void add_killed(char *buf, size_t size,
		       const struct sw_view_program *program)
{
	uint64_t left = sw_excess_u64(sw_zero_if_missing(program->killed),
				      sw_zero_if_missing(program->oom_killed));
	const struct {
		uint64_t count;
		int signal;
	} signals[] = {
		{ sw_excess_u64(sw_zero_if_missing(program->signal_kill),
				sw_zero_if_missing(program->oom_killed)),
		  SIGKILL },
		{ program->signal_segv, SIGSEGV },
		{ program->signal_abrt, SIGABRT },
		{ program->signal_term, SIGTERM },
	};
	char name[24];
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		uint64_t count = sw_min_u64(
			left, sw_zero_if_missing(signals[i].count));

		snprintf(name, sizeof(name), "SIG%s",
			 sigabbrev_np(signals[i].signal));
		add_end(buf, size, count, name);
		left -= count;
	}
	/* For the others, only the last signal is known. */
	if (*buf || left != program->signal_other ||
	    !sigabbrev_np((int)program->last_signal))
		snprintf(name, sizeof(name), "killed");
	else
		snprintf(name, sizeof(name), "SIG%s",
			 sigabbrev_np((int)program->last_signal));
	add_end(buf, size, left, name);
}

/* "ok", "3 failed", "1 said no", "1 OOM", "1 running", "2 unknown". */
static char *format_end(char *buf, size_t size,
			const struct sw_view_program *program)
{
	uint64_t answers = sw_answers(program);
	char killed[96] = "";

	buf[0] = '\0';
	add_end(buf, size, program->oom_killed, "OOM");
	add_killed(killed, sizeof(killed), program);
	if (*killed)
		sw_text_add(buf, size, "%s%s", *buf ? ", " : "", killed);
	add_end(buf, size, sw_excess_u64(program->exited_nonzero, answers),
		"failed");
	/* timeout(1) is the only program with answers that starts another. */
	add_end(buf, size, answers, sw_program_is_messenger(program->name) ?
		"timed out" : "said no");
	add_end(buf, size, program->running, "running");
	add_end(buf, size, sw_unseen_ends(program), "unknown");
	if (!*buf)
		sw_text_add(buf, size, "%s",
			    sw_is_missing(program->exited_ok) ? "?" : "ok");
	return buf;
}

static char *format_cpu(char *buf, size_t size, const struct sw_page *page,
			const struct sw_view_program *program)
{
	snprintf(buf, size, "%s%s",
		 program->is_cpu_of_ended ? sw_text_at_least(page->style) : "",
		 sw_duration_text(program->cpu_usec).s);
	return buf;
}

static char *format_peak(char *buf, size_t size,
			 const struct sw_page *page,
			 const struct sw_view_program *program)
{
	snprintf(buf, size, "%s%s",
		 program->is_peak_sampled ? sw_text_at_least(page->style) : "",
		 sw_size_text(program->peak_bytes).s);
	return buf;
}

static void write_program(const struct sw_page *page,
			  const struct sw_page_table *table,
			  const struct sw_view_program *program)
{
	char cpu[SW_UNITS_TEXT_SIZE + 4], peak[SW_UNITS_TEXT_SIZE + 4];
	char count[32], end[128];

	sw_page_table_row(table, (const char *const[PROGRAM_COLUMNS]){
		program->name,
		format_count(count, sizeof(count), page, program),
		format_cpu(cpu, sizeof(cpu), page, program),
		format_peak(peak, sizeof(peak), page, program),
		sw_size_text(sw_add_u64(program->call_read_bytes,
					program->call_written_bytes)).s,
		sw_duration_text(program->elapsed_max_usec).s,
		format_end(end, sizeof(end), program),
	});
}

static void write_went_on(const struct sw_page *page)
{
	char words[SW_WENT_ON_SIZE];

	if (*sw_went_on_words(words, sizeof(words), page->result))
		sw_page_paragraph(page, "  ", "%s", words);
}

void sw_text_report_programs(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	struct sw_page_table table;
	bool is_complete = true;
	size_t i;

	if (!view->program_count)
		return;
	sw_page_heading(page, "Programs, by CPU time");
	sw_page_table_init(&table, page, "what ran, and how it ended",
			   program_columns, PROGRAM_COLUMNS);
	for (i = 0; i < view->program_count; i++) {
		is_complete &= view->programs[i].is_complete &&
			       !view->programs[i].is_peak_sampled &&
			       !view->programs[i].is_cpu_of_ended;
		if (i < PROGRAMS_SHOWN)
			write_program(page, &table, &view->programs[i]);
	}
	if (view->program_count > PROGRAMS_SHOWN)
		sw_page_paragraph(page, "  ", "and %zu more; --json has them "
				  "all", view->program_count - PROGRAMS_SHOWN);
	write_went_on(page);
	if (!is_complete)
		sw_page_paragraph(page, "  ", "%s means at least: some starts, "
				  "CPU time or peaks were not seen",
				  sw_text_at_least(page->style));
}

static void write_sources(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	const struct sw_view_recording *r = &view->recording;

	if (!r->backend) {
		sw_page_paragraph(page, "  ",
				  "How it was made is not recorded.");
		return;
	}
	sw_page_paragraph(page, "  ",
			  "%s recorded through %s%s%s%s; programs through "
			  "%s%s%s%s.", view->slurm.is_slurm ? "Step" : "Run",
			  r->backend, r->backend_reason ? " (" : "",
			  r->backend_reason ? r->backend_reason : "",
			  r->backend_reason ? ")" : "",
			  r->programs_source ? r->programs_source : "nothing",
			  r->programs_reason ? " (" : "",
			  r->programs_reason ? r->programs_reason : "",
			  r->programs_reason ? ")" : "");
	if (r->failures_reason)
		sw_page_paragraph(page, "  ", "Failed calls recorded: %s (%s).",
				  sw_text(r->failures_source),
				  r->failures_reason);
}

/* Report lost rows by the times of the good rows around them. */
static void write_gaps(const struct sw_page *page,
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
		sw_page_text(page, "    ", "      ", text);
	}
	if (count > GAPS_SHOWN)
		sw_page_paragraph(page, "    ", "and %zu more",
				  count - GAPS_SHOWN);
}

static void write_missing_item(void *context,
			       const struct sw_missing_data *missing)
{
	const struct sw_page *page = context;

	sw_page_paragraph(page, "  ", "%s", missing->text);
}

/* Report the damage of one file, with its node if there are several. */
static void write_damage(const struct sw_page *page,
			 const struct sw_view *view)
{
	const struct sw_reader_health *health = sw_reader_health(view->reader);

	if (!health->frames_damaged && !health->frames_missing)
		return;
	if (page->result->job && page->result->job->node_count > 1)
		sw_page_text(page, "  Node ", "  ",
			     view->node ? view->node : "?");
	sw_page_paragraph(page, "  ", "The file is damaged (places: %llu, "
			  "missing frames: %llu); the report uses what could "
			  "be read.",
			  (unsigned long long)health->frames_damaged,
			  (unsigned long long)health->frames_missing);
	write_gaps(page, view);
}

static void write_missing_data(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;
	const struct sw_view *view = page->result->view;
	size_t i, j;

	sw_missing_data_visit(page->result, write_missing_item,
			      (void *)(uintptr_t)page);
	if (!job)
		write_damage(page, view);
	for (i = 0; job && i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].file_count; j++)
			write_damage(page, &job->nodes[i].files[j].total);
	}
}

static void write_samples(const struct sw_page *page)
{
	const struct sw_view_recording *r = &page->result->view->recording;
	char late[48] = "";

	if (sw_is_missing(r->samples))
		return;
	if (sw_zero_if_missing(r->lost_samples))
		snprintf(late, sizeof(late), ", %llu more taken late",
			 (unsigned long long)r->lost_samples);
	sw_page_paragraph(page, "  ", "%llu samples%s.",
			  (unsigned long long)r->samples, late);
}

static void write_cost(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	const struct sw_view_recording *r = &view->recording;
	double percent;
	char share[48] = "";

	if (sw_is_missing(r->recorder_cpu_usec)) {
		sw_page_paragraph(page, "  ", "Its cost was not recorded.");
		return;
	}
	if (!sw_is_missing(view->elapsed_usec) &&
	    view->elapsed_usec >= SW_USEC_PER_SEC) {
		percent = 100.0 * (double)r->recorder_cpu_usec /
			  (double)view->elapsed_usec;
		snprintf(share, sizeof(share), " (%.*g %% of one CPU)",
			 percent < 100 ? 2 : 4, percent);
	}
	sw_page_paragraph(page, "  ", "Its cost: %s of CPU time%s and %s of "
			  "memory.", sw_duration_text(r->recorder_cpu_usec).s,
			  share, sw_size_text(r->recorder_hiwater_bytes).s);
}

void sw_text_report_recording(const struct sw_page *page)
{
	sw_page_heading(page, "The recording");
	write_samples(page);
	write_cost(page);
	write_sources(page);
	write_missing_data(page);
}
