/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: libpapi's child; the loop waits for it.
 *
 * Names and formulas of counters: all that is called of libpapi.
 */
#include "recorder/sources/pmu/pmu_papi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/postfix.h"
#include "config.h"
#include "recorder/sources/pmu/papi_child.h"
#include "recorder/sources/pmu/pmu_names.h"

/* What the child leaves in shared memory. */
struct answer {
	char version[16];
	char why[160]; /* libpapi cannot be asked; "" */
	size_t count;
	struct sw_papi_counter counter[];
};

static void refuse(struct sw_papi_counter *counter, const char *why)
{
	snprintf(counter->reason, sizeof(counter->reason), "%s", why);
	counter->term_count = 0;
}

static bool add_term(struct sw_papi_counter *counter, const char *name)
{
	struct sw_papi_term *term = &counter->term[counter->term_count];
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	if (strlen(name) >= sizeof(term->name) ||
	    sw_pmu_encode(name, &attr) < 0)
		return false;
	strcpy(term->name, name);
	term->type = attr.type;
	term->config = attr.config;
	term->config1 = attr.config1;
	term->config2 = attr.config2;
	term->has_kernel = !attr.exclude_kernel;
	term->lacks_user = attr.exclude_user;
	counter->term_count++;
	return true;
}

static void translate_native(struct sw_papi_counter *counter)
{
	if (add_term(counter, counter->name))
		strcpy(counter->formula, "N0|");
	else
		refuse(counter,
		       sw_pmu_has_names()
			       ? "this processor has no event of that name"
			       : "stepwell was built without libpfm4");
}

#ifdef HAVE_PAPI
#include <dlfcn.h>
#include <papi.h>

static struct {
	int (*init)(int version);
	int (*code)(const char *name, int *code);
	int (*info)(int code, PAPI_event_info_t *info);
	int (*next)(int *code, int modifier);
	const PAPI_hw_info_t *(*hardware)(void);
	const PAPI_component_info_t *(*component)(int index);
	char *(*error)(int code);
} papi;

/* A function is stored as the bytes of its address, as POSIX has it. */
static bool find(void *library, const char *name, void *place)
{
	void *address = dlsym(library, name);

	memcpy(place, &address, sizeof(address));
	return address != NULL;
}

static bool load_papi(void)
{
	void *library = dlopen(PAPI_LIBDIR "/" PAPI_SONAME, RTLD_NOW);

	if (!library)
		library = dlopen(PAPI_SONAME, RTLD_NOW);
	return library && find(library, "PAPI_library_init", &papi.init) &&
	       find(library, "PAPI_event_name_to_code", &papi.code) &&
	       find(library, "PAPI_get_event_info", &papi.info) &&
	       find(library, "PAPI_enum_event", &papi.next) &&
	       find(library, "PAPI_get_hardware_info", &papi.hardware) &&
	       find(library, "PAPI_get_component_info", &papi.component) &&
	       find(library, "PAPI_strerror", &papi.error);
}

static void open_papi(struct answer *answer)
{
	int rc;

	if (!load_papi()) {
		snprintf(answer->why, sizeof(answer->why),
			 "%s cannot be loaded", PAPI_SONAME);
		return;
	}
	rc = papi.init(PAPI_VER_CURRENT);
	if (rc == PAPI_VER_CURRENT)
		snprintf(answer->version, sizeof(answer->version), "%d.%d.%d",
			 PAPI_VERSION_MAJOR(PAPI_VERSION),
			 PAPI_VERSION_MINOR(PAPI_VERSION),
			 PAPI_VERSION_REVISION(PAPI_VERSION));
	else
		snprintf(answer->why, sizeof(answer->why),
			 "PAPI does not start: %s",
			 rc > 0 ? "it is of another version" : papi.error(rc));
}

/* Why the processor has no preset at all; NULL: it has some. */
static const char *no_presets(void)
{
	static char text[160];
	const PAPI_component_info_t *component = papi.component(0);
	int code = (int)PAPI_PRESET_MASK;

	if (component && component->disabled) {
		snprintf(text, sizeof(text), "PAPI cannot count here (%.100s)",
			 component->disabled_reason);
		return text;
	}
	if (papi.next(&code, PAPI_ENUM_FIRST) == PAPI_OK &&
	    papi.next(&code, PAPI_PRESET_ENUM_AVAIL) == PAPI_OK)
		return NULL;
	return "PAPI knows no presets of this processor (papi_events_file can "
	       "name a file that does)";
}

/* N0|N1|+|N2|+|, from term "first" on */
static void write_chain(struct sw_papi_counter *counter, unsigned first,
			char operator)
{
	size_t length;
	unsigned i;

	snprintf(counter->formula, sizeof(counter->formula), "N%u|", first);
	for (i = first + 1; i < counter->term_count; i++) {
		length = strlen(counter->formula);
		snprintf(counter->formula + length,
			 sizeof(counter->formula) - length, "N%u|%c|",
			 i, operator);
	}
}

/* Hertz in place of "#": who reads the profile has another processor. */
static bool write_clock(struct sw_papi_counter *counter, const char *from)
{
	const PAPI_hw_info_t *hardware = papi.hardware();
	int mhz = hardware ? hardware->cpu_max_mhz : 0;
	size_t length = 0;

	for (; *from && length < sizeof(counter->formula) - 16; from++) {
		if (*from == '#' && mhz > 0)
			length += (size_t)sprintf(counter->formula + length,
						  "%d000000", mhz);
		else
			counter->formula[length++] = *from;
	}
	counter->formula[length] = '\0';
	return !*from;
}

/* PAPI's kinds of formula, as one. */
static bool write_formula(struct sw_papi_counter *counter,
			  const PAPI_event_info_t *info)
{
	char text[sizeof(counter->formula)];

	if (!strcmp(info->derived, "NOT_DERIVED") && info->count == 1)
		write_chain(counter, 0, '+');
	else if (!strcmp(info->derived, "DERIVED_ADD"))
		write_chain(counter, 0, '+');
	else if (!strcmp(info->derived, "DERIVED_SUB"))
		write_chain(counter, 0, '-');
	else if (!strcmp(info->derived, "DERIVED_POSTFIX") ||
		 !strcmp(info->derived, "DERIVED_INFIX"))
		return write_clock(counter, info->postfix);
	else if ((!strcmp(info->derived, "DERIVED_PS") ||
		  !strcmp(info->derived, "DERIVED_ADD_PS")) &&
		 info->count > 1) {
		write_chain(counter, 1, '+');
		if ((size_t)snprintf(text, sizeof(text), "%s#|*|N0|/|",
				     counter->formula) >= sizeof(text))
			return false;
		return write_clock(counter, text);
	} else {
		return false;
	}
	return true;
}

static bool is_formula(const struct sw_papi_counter *counter)
{
	static const double ones[SW_PAPI_TERMS_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
	const struct sw_postfix_input input = {ones, counter->term_count, 1};
	double value;

	return sw_postfix_value(counter->formula, &input, &value) == 0;
}

static void take_terms(struct sw_papi_counter *counter,
		       const PAPI_event_info_t *info)
{
	char why[sizeof(counter->reason)];
	unsigned i;

	if (info->count > SW_PAPI_TERMS_MAX) {
		snprintf(why, sizeof(why),
			 "it is of %u events, and at most %d "
			 "can be counted together",
			 info->count, SW_PAPI_TERMS_MAX);
		refuse(counter, why);
		return;
	}
	for (i = 0; i < info->count; i++) {
		if (add_term(counter, info->name[i]))
			continue;
		snprintf(why, sizeof(why), "its event %.100s is not known here",
			 info->name[i]);
		refuse(counter, why);
		return;
	}
	if (!write_formula(counter, info) || !is_formula(counter)) {
		snprintf(why, sizeof(why),
			 "its formula (%.20s) cannot be "
			 "evaluated",
			 info->derived);
		refuse(counter, why);
	}
}

static void translate_preset(struct sw_papi_counter *counter)
{
	PAPI_event_info_t info;
	const char *why;
	int code;

	memset(&info, 0, sizeof(info));
	if (papi.code(counter->name, &code) != PAPI_OK ||
	    papi.info(code, &info) != PAPI_OK) {
		refuse(counter, "PAPI knows no preset of that name");
	} else if (info.count == 0) {
		why = no_presets();
		refuse(counter,
		       why ? why
			   : "PAPI has no formula of it for this processor");
	} else {
		take_terms(counter, &info);
	}
}

static void name_presets(struct answer *answer, size_t max)
{
	int code = (int)PAPI_PRESET_MASK, rc;
	PAPI_event_info_t info;

	for (rc = papi.next(&code, PAPI_ENUM_FIRST);
	     rc == PAPI_OK && answer->count < max;
	     rc = papi.next(&code, PAPI_ENUM_EVENTS)) {
		if (papi.info(code, &info) == PAPI_OK && info.count > 0)
			snprintf(answer->counter[answer->count++].name,
				 sizeof(answer->counter[0].name), "%.63s",
				 info.symbol);
	}
	if (answer->count == 0)
		snprintf(answer->why, sizeof(answer->why), "%s", no_presets());
}
#else
static void open_papi(struct answer *answer)
{
	snprintf(answer->why, sizeof(answer->why),
		 "stepwell was built without libpapi");
}

static void translate_preset(struct sw_papi_counter *counter)
{
	(void)counter;
}

static void name_presets(struct answer *answer, size_t max)
{
	(void)answer;
	(void)max;
}
#endif

static bool is_preset(const struct sw_papi_counter *counter)
{
	return !strncmp(counter->name, "PAPI_", 5);
}

/* What libpapi cannot spoil comes first. */
static void answer_natives(struct answer *answer)
{
	size_t i;

	for (i = 0; i < answer->count; i++) {
		struct sw_papi_counter *counter = &answer->counter[i];

		counter->reason[0] = '\0';
		if (!is_preset(counter))
			translate_native(counter);
		else
			refuse(counter, "libpapi gave no answer");
	}
}

static void answer_presets(struct answer *answer)
{
	size_t i;

	for (i = 0; i < answer->count; i++) {
		struct sw_papi_counter *counter = &answer->counter[i];

		if (!is_preset(counter))
			continue;
		if (answer->why[0]) {
			refuse(counter, answer->why);
			continue;
		}
		counter->reason[0] = '\0';
		translate_preset(counter);
	}
}

struct question {
	struct answer *answer;
	size_t max; /* of all presets; 0: of those that are named */
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

/* In the child.  What it does not come to keeps the reason that it had. */
static void answer_question(void *context)
{
	const struct question *question = context;
	struct answer *answer = question->answer;

	answer_natives(answer);
	if (!question->max && !has_preset(answer))
		return;
	if (!answer->why[0])
		open_papi(answer);
	if (question->max && !answer->why[0])
		name_presets(answer, question->max);
	answer_presets(answer);
}

/* PAPI has no presets where the file is not there, and says nothing. */
static void look_for_file(struct answer *answer,
			  const struct sw_papi_origin *origin)
{
	const char *path = origin->events_file;

	if (origin->why)
		snprintf(answer->why, sizeof(answer->why), "%s", origin->why);
	else if (path && access(path, R_OK) < 0)
		snprintf(answer->why, sizeof(answer->why), "%.80s: %s", path,
			 strerror(errno));
}

/* A child that was killed may have left half a counter. */
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
	struct question question = {.answer = answer, .max = max};
	size_t i;

	for (i = 0; i < answer->count; i++)
		refuse(&answer->counter[i], "libpfm4 gave no answer");
	look_for_file(answer, origin);
	sw_papi_child_run(
		answer_question, &question,
		&(struct sw_papi_place){.events_file = origin->events_file,
					.processor = origin->processor});
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
		refuse(&counters[i], "not enough memory");
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
		 answer->version);
	snprintf(library->why, sizeof(library->why), "%.159s", answer->why);
	if (!count && !library->why[0])
		strcpy(library->why, "libpapi gave no answer");
	munmap(answer, size);
	return count;
}
