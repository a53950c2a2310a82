/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "series.waits", by kind of wait and interval. */
#include "analyzer/view/wait_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/series/series.h"
#include "analyzer/view/wait_eras.h"
#include "common/delta.h"

/* Counters of a subject, as counted by one recorder. */
struct subject {
	bool is_of_all;		/* all I/O, the sum of its parts */
	enum sw_limit limit;
	uint64_t idle_usec, thread_usec;
};

/* Subjects of one recorder, and of its successor. */
struct subjects {
	struct sw_series names;
	struct sw_wait_era era;
	struct subject of[SW_WAIT_SUBJECTS];
};

static void next_era(struct subjects *subjects)
{
	const char *kind;
	uint64_t index;
	size_t i;

	if (!sw_wait_era_next(&subjects->era, &subjects->names))
		return;
	for (i = 0; i < SW_WAIT_SUBJECTS; i++)
		subjects->of[i] = (struct subject){ .limit = SW_LIMIT_OTHER };
	for (i = subjects->era.first; i < subjects->era.end; i++) {
		index = sw_wait_era_subject(&subjects->names, i, &kind);
		if (sw_is_missing(index))
			continue;
		subjects->of[index].is_of_all = !strcmp(kind, "all");
		subjects->of[index].limit = sw_limit_of_wait(kind);
	}
}

static uint64_t grow(uint64_t *last, uint64_t value)
{
	uint64_t delta = value;

	if (sw_is_missing(value))
		return 0;
	if (value >= *last)
		delta = value - *last;
	*last = value;
	return delta;
}

static void add_row(struct sw_wait_interval *interval,
		    struct subject *subject, uint64_t idle_usec,
		    uint64_t thread_usec)
{
	uint64_t idle = grow(&subject->idle_usec, idle_usec);
	uint64_t threads = grow(&subject->thread_usec, thread_usec);

	if (subject->is_of_all) {
		interval->idle_usec[SW_LIMIT_IO] += idle;
		interval->io_thread_usec += threads;
	} else if (subject->limit != SW_LIMIT_IO) {
		interval->idle_usec[subject->limit] += idle;
		if (subject->limit == SW_LIMIT_LOCK)
			interval->lock_thread_usec += threads;
	}
}

/* Number of samples, whose rows have equal times each, at most. */
static size_t count_samples(const struct sw_series *s)
{
	size_t i, count = s->count > 0;

	for (i = 1; s->time_usec && i < s->count; i++)
		count += s->time_usec[i] != s->time_usec[i - 1];
	return count;
}

/* The first sample is only the start. */
static void put_rows(struct sw_wait_track *track, const struct sw_series *s,
		     struct subjects *subjects)
{
	const uint64_t *subject = sw_series_numbers(s, "subject");
	const uint64_t *idle_usec = sw_series_numbers(s, "idle_usec");
	const uint64_t *thread_usec = sw_series_numbers(s, "thread_usec");
	struct sw_wait_interval *now = NULL;
	uint64_t last_usec = SW_MISSING;
	size_t i;

	for (i = 0; subject && s->time_usec && i < s->count; i++) {
		uint64_t time_usec = s->time_usec[i];

		if (!sw_series_is_ours(s, i) || sw_is_missing(time_usec) ||
		    subject[i] >= SW_WAIT_SUBJECTS ||
		    (!sw_is_missing(last_usec) && time_usec < last_usec))
			continue;
		if (!now || time_usec != last_usec) {
			now = &track->items[track->count++];
			now->start_usec = now == track->items ? time_usec :
								last_usec;
			now->end_usec = last_usec = time_usec;
		}
		while (time_usec >= subjects->era.end_usec)
			next_era(subjects);
		add_row(now, &subjects->of[subject[i]],
			idle_usec ? idle_usec[i] : SW_MISSING,
			thread_usec ? thread_usec[i] : SW_MISSING);
	}
}

int sw_wait_track_init(struct sw_wait_track *track,
		       const struct sw_reader *reader, uint64_t step_key)
{
	struct sw_series s = sw_series_open(reader, "series.waits", step_key);
	struct subjects *subjects;

	memset(track, 0, sizeof(*track));
	if (!s.count)
		return 0;
	track->items = calloc(count_samples(&s), sizeof(*track->items));
	subjects = calloc(1, sizeof(*subjects));
	if (track->items && subjects) {
		track->source = sw_series_source(&s);
		subjects->names = sw_series_open(reader, "subjects", step_key);
		next_era(subjects);
		put_rows(track, &s, subjects);
	}
	free(subjects);
	return track->items && subjects ? 0 : -1;
}

void sw_wait_track_fini(struct sw_wait_track *track)
{
	free(track->items);
	memset(track, 0, sizeof(*track));
}

double sw_wait_track_at_locks(const struct sw_wait_track *track)
{
	double sum = 0, covered = 0;
	size_t i;

	for (i = 0; i < track->count; i++) {
		sum += (double)track->items[i].lock_thread_usec;
		covered += (double)(track->items[i].end_usec -
				    track->items[i].start_usec);
	}
	return covered > 0 ? sum / covered : NAN;
}

void sw_wait_track_sum(const struct sw_wait_track *track,
		       uint64_t idle_usec[SW_LIMIT_WAITS])
{
	size_t i;
	int j;

	for (j = 0; track->count && j < SW_LIMIT_WAITS; j++)
		idle_usec[j] = 0;
	for (i = 0; i < track->count; i++) {
		for (j = 0; j < SW_LIMIT_WAITS; j++)
			idle_usec[j] = sw_add_u64(
				idle_usec[j], track->items[i].idle_usec[j]);
	}
}
