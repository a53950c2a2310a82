/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: libpapi's child; the loop waits for it.
 *
 * Get names and formulas of counters from libpapi.
 */
#include "recorder/sources/pmu/pmu_papi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder/sources/pmu/papi_child.h"
#include "recorder/sources/pmu/papi_library.h"
#include "recorder/sources/pmu/papi_terms.h"

/* Results of the child, in shared memory */
struct answer {
	struct sw_papi_library library; /* why: not available */
	size_t count;
	struct sw_papi_counter counter[];
};

static const char no_answer[] = "libpapi gave no answer";

static bool is_preset(const struct sw_papi_counter *counter)
{
	return !strncmp(counter->name, "PAPI_", 5);
}

/* Do this first: libpapi may crash later. */
static void answer_natives(struct answer *answer)
{
	size_t i;

	for (i = 0; i < answer->count; i++) {
		struct sw_papi_counter *counter = &answer->counter[i];

		counter->reason[0] = '\0';
		if (!is_preset(counter))
			sw_papi_translate_native(counter);
		else
			sw_papi_refuse(counter, no_answer);
	}
}

static void answer_presets(struct answer *answer)
{
	size_t i;

	for (i = 0; i < answer->count; i++) {
		struct sw_papi_counter *counter = &answer->counter[i];

		if (!is_preset(counter))
			continue;
		if (answer->library.why[0]) {
			sw_papi_refuse(counter, answer->library.why);
			continue;
		}
		counter->reason[0] = '\0';
		sw_papi_library_translate(counter);
	}
}

struct question {
	struct answer *answer;
	size_t max; /* number of all presets; 0: only named ones */
};

static bool has_preset(const struct answer *answer)
{
	size_t i;

	for (i = 0; i < answer->count; i++) {
		if (is_preset(&answer->counter[i]))
			return true;
	}
	return false;
}

static void name_presets(struct answer *answer, size_t max)
{
	const char *lack = sw_papi_library_lack();
	size_t i;

	if (lack)
		snprintf(answer->library.why, sizeof(answer->library.why), "%s",
			 lack);
	else
		answer->count = sw_papi_library_name(answer->counter, max);
	for (i = 0; i < answer->count; i++)
		sw_papi_refuse(&answer->counter[i], no_answer);
}

/* Runs in the child.  Counters not reached keep their initial reason. */
static void answer_question(void *context)
{
	const struct question *question = context;
	struct answer *answer = question->answer;

	answer_natives(answer);
	if (!question->max && !has_preset(answer))
		return;
	if (!answer->library.why[0] && sw_papi_library_open(&answer->library) &&
	    question->max)
		name_presets(answer, question->max);
	answer_presets(answer);
}

/* If the file is missing, PAPI silently has no presets. */
static void look_for_file(struct answer *answer,
			  const struct sw_papi_origin *origin)
{
	const char *path = origin->events_file;

	if (origin->why)
		snprintf(answer->library.why, sizeof(answer->library.why), "%s",
			 origin->why);
	else if (path && access(path, R_OK) < 0)
		snprintf(answer->library.why, sizeof(answer->library.why),
			 "%.80s: %s", path, strerror(errno));
}

/* If the child was killed, a counter may be incomplete. */
static void take_counter(struct sw_papi_counter *to,
			 const struct sw_papi_counter *from)
{
	*to = *from;
	to->name[sizeof(to->name) - 1] = '\0';
	to->formula[sizeof(to->formula) - 1] = '\0';
	to->reason[sizeof(to->reason) - 1] = '\0';
	if (to->reason[0] || to->term_count > SW_PAPI_TERMS_MAX)
		to->term_count = 0;
}

static void ask(struct answer *answer, size_t max,
		const struct sw_papi_origin *origin)
{
	struct question question = { .answer = answer, .max = max };
	size_t i;

	for (i = 0; i < answer->count; i++)
		sw_papi_refuse(&answer->counter[i], "libpfm4 gave no answer");
	look_for_file(answer, origin);
	sw_papi_child_run(
		answer_question, &question,
		&(struct sw_papi_place){ .events_file = origin->events_file,
					 .processor = origin->processor });
}

struct perf_event_attr sw_papi_attr(const struct sw_papi_term *term)
{
	return (struct perf_event_attr){
		.type = term->type,
		.config = term->config,
		.config1 = term->config1,
		.config2 = term->config2,
		.exclude_kernel = !term->has_kernel,
		.exclude_hv = !term->has_kernel,
		.exclude_user = term->lacks_user,
	};
}

void sw_papi_translate(struct sw_papi_counter *counters, size_t count,
		       const struct sw_papi_origin *origin)
{
	size_t size = sizeof(struct answer) + count * sizeof(*counters), i;
	struct answer *answer = sw_papi_child_memory(size);

	for (i = 0; !answer && i < count; i++)
		sw_papi_refuse(&counters[i], "not enough memory");
	if (!answer)
		return;
	answer->count = count;
	memcpy(answer->counter, counters, count * sizeof(*counters));
	ask(answer, 0, origin);
	for (i = 0; i < count; i++)
		take_counter(&counters[i], &answer->counter[i]);
	munmap(answer, size);
}

size_t sw_papi_presets(struct sw_papi_counter *counters, size_t max,
		       const struct sw_papi_origin *origin,
		       struct sw_papi_library *library)
{
	size_t size = sizeof(struct answer) + max * sizeof(*counters), i;
	struct answer *answer = sw_papi_child_memory(size);
	size_t count;

	memset(library, 0, sizeof(*library));
	strcpy(library->why, "not enough memory");
	if (!answer)
		return 0;
	ask(answer, max, origin);
	count = answer->count < max ? answer->count : max;
	for (i = 0; i < count; i++)
		take_counter(&counters[i], &answer->counter[i]);
	snprintf(library->version, sizeof(library->version), "%.15s",
		 answer->library.version);
	snprintf(library->why, sizeof(library->why), "%.159s",
		 answer->library.why);
	if (!count && !library->why[0])
		strcpy(library->why, no_answer);
	munmap(answer, size);
	return count;
}
