/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format numbers in the sentences of advice; buffers are truncated. */
#ifndef SW_ADVICE_TEXT_H
#define SW_ADVICE_TEXT_H

#include "advice/suggestion.h"
#include "common/text.h"
#include "common/units.h"

/* "3 min 20 s"; "?" for NAN and numbers out of range. */
struct sw_units_text sw_text_seconds(double seconds);

/* "12 GiB"; "?" likewise. */
struct sw_units_text sw_text_bytes(double bytes);

/* "0.3 %", "12 %" for a ratio; "below 0.1 %" if it is not 0. */
struct sw_units_text sw_text_percent(double ratio);

/* "of 0.3 %", "below 0.1 %": to follow "probability". */
struct sw_units_text sw_text_chance(double ratio);

/* Remedies while runs change, for memory and time. */
#define SW_REMEDY_OF_DRIFT "a few more runs like the next one"
#define SW_REMEDY_BY_INPUT ", or input sizes if the inputs grow"

/* Initialize a suggestion with nothing known. */
void sw_suggestion_init(struct sw_suggestion *suggestion,
			enum sw_resource resource, double current);

/* Withhold it: clear all numbers but the current request. */
void sw_suggestion_withhold(struct sw_suggestion *suggestion,
			    const char *remedy, const char *why, ...)
	__attribute__((format(printf, 3, 4)));

/* Likewise: "needs 3 successful runs, has 1 of 8", runs: "successful runs". */
void sw_suggestion_withhold_few(struct sw_suggestion *suggestion, size_t has,
				size_t all, unsigned needs, const char *runs);

#endif
