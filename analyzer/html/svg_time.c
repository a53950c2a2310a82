/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time axis below a picture: ends, and marks at round times. */
#include <math.h>
#include <stdio.h>

#include "analyzer/html/html_internal.h"
#include "analyzer/html/svg_internal.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, MARKS_MAX = 5, WORDS_SIZE = 32 };

/* Marks closer to an end would overlap its label. */
static const double LEFT_FREE = 0.06, RIGHT_FREE = 0.88;

/* Shortest round interval without too many marks; 0 if none. */
static double step_of(double seconds)
{
	static const double steps[] = {
		1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE,
		10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR,
		3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY,
		14 * DAY, 30 * DAY,
	};
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (seconds / steps[i] <= MARKS_MAX)
			return steps[i];
	}
	return 0;
}

/* "30 s", "1:30 min", "2 h", "1 d 6 h": short enough for a mark. */
static void mark_words(char *buf, size_t size, long seconds)
{
	if (seconds < MINUTE)
		snprintf(buf, size, "%ld s", seconds);
	else if (seconds < HOUR && seconds % MINUTE == 0)
		snprintf(buf, size, "%ld min", seconds / MINUTE);
	else if (seconds < HOUR)
		snprintf(buf, size, "%ld:%02ld min", seconds / MINUTE,
			 seconds % MINUTE);
	else if (seconds < DAY && seconds % HOUR == 0)
		snprintf(buf, size, "%ld h", seconds / HOUR);
	else if (seconds < DAY)
		snprintf(buf, size, "%ld:%02ld h", seconds / HOUR,
			 seconds % HOUR / MINUTE);
	else if (seconds % DAY == 0)
		snprintf(buf, size, "%ld d", seconds / DAY);
	else
		snprintf(buf, size, "%ld d %ld h", seconds / DAY,
			 seconds % DAY / HOUR);
}

void sw_svg_time_grid(struct sw_html *html, const struct sw_svg_time *time,
		      long width, long height)
{
	double step = step_of(time->seconds), at;

	if (!(step > 0) || !(time->seconds > step))
		return;
	sw_html_put(html, "<path class=\"grid\" d=\"");
	for (at = step; at < time->seconds; at += step) {
		sw_html_put_number(html, "M",
				   lround(at / time->seconds * (double)width));
		sw_html_put_number(html, " 0v", height);
	}
	sw_html_put(html, "\"/>\n");
}

static void put_mark(struct sw_html *html, double seconds, double place)
{
	char words[WORDS_SIZE];

	mark_words(words, sizeof(words), lround(seconds));
	sw_html_put_number(html, "<span style=\"left:", lround(place * 100));
	sw_html_put(html, "%\">");
	sw_html_text(html, words);
	sw_html_put(html, "</span>");
}

void sw_svg_times(struct sw_html *html, const struct sw_svg_time *time)
{
	double step = step_of(time->seconds), at;

	sw_html_element(html, "<div class=\"x\"><span>", time->from,
			"</span>");
	for (at = step; step > 0 && at < time->seconds; at += step) {
		double place = at / time->seconds;

		if (place >= LEFT_FREE && place <= RIGHT_FREE)
			put_mark(html, at, place);
	}
	sw_html_element(html, "<span>", time->to, "</span></div>");
}
