/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: libpapi's child, and the helper process for components.
 *
 * Calls to libpapi, which is loaded at first use; it is optional.  Components
 * that are not wanted are not initialized.
 */
#include "recorder/sources/pmu/papi_library.h"

#include <stdio.h>
#include <string.h>

#include "common/postfix.h"
#include "config.h"
#include "recorder/sources/pmu/papi_terms.h"

#ifdef HAVE_PAPI
#include <dlfcn.h>
#include <papi.h>

static struct {
	int (*init)(int version);
	int (*code)(const char *name, int *code);
	int (*info)(int code, PAPI_event_info_t *info);
	int (*next)(int *code, int modifier);
	int (*next_of)(int *code, int modifier, int component);
	int (*components)(void);
	int (*disable)(int component);
	int (*make_set)(int *set);
	int (*assign)(int set, int component);
	int (*add)(int set, int code);
	int (*start)(int set);
	int (*read)(int set, long long *values);
	const PAPI_hw_info_t *(*hardware)(void);
	const PAPI_component_info_t *(*component)(int index);
	char *(*error)(int code);
} papi;

/* Store a function as the bytes of its address, as POSIX permits. */
static bool find(void *library, const char *name, void *place)
{
	void *address = dlsym(library, name);

	memcpy(place, &address, sizeof(address));
	return address != NULL;
}

static const struct {
	const char *name;
	void *place;
} functions[] = {
	{ "PAPI_library_init", &papi.init },
	{ "PAPI_event_name_to_code", &papi.code },
	{ "PAPI_get_event_info", &papi.info },
	{ "PAPI_enum_event", &papi.next },
	{ "PAPI_enum_cmp_event", &papi.next_of },
	{ "PAPI_get_hardware_info", &papi.hardware },
	{ "PAPI_get_component_info", &papi.component },
	{ "PAPI_num_components", &papi.components },
	{ "PAPI_disable_component", &papi.disable },
	{ "PAPI_create_eventset", &papi.make_set },
	{ "PAPI_assign_eventset_component", &papi.assign },
	{ "PAPI_add_event", &papi.add },
	{ "PAPI_start", &papi.start },
	{ "PAPI_read", &papi.read },
	{ "PAPI_strerror", &papi.error },
};

static bool load(void)
{
	void *library = dlopen(PAPI_LIBDIR "/" PAPI_SONAME, RTLD_NOW);
	size_t i;

	if (!library)
		library = dlopen(PAPI_SONAME, RTLD_NOW);
	for (i = 0; library && i < sizeof(functions) / sizeof(functions[0]);
	     i++) {
		if (!find(library, functions[i].name, functions[i].place))
			library = NULL;
	}
	return library != NULL;
}

static bool is_called(const PAPI_component_info_t *info, const char *name)
{
	return info &&
	       (!strcmp(info->name, name) || !strcmp(info->short_name, name));
}

static bool is_wanted(int component, const struct sw_components *wanted)
{
	const PAPI_component_info_t *info = papi.component(component);
	size_t i;

	if (!wanted)
		return component == 0;
	for (i = 0; i < wanted->count; i++) {
		if (!wanted->component[i].why[0] &&
		    is_called(info, wanted->component[i].name))
			return true;
	}
	return false;
}

/* The others would load drivers' libraries, or open files for writing. */
static void disable_others(const struct sw_components *wanted)
{
	int i, count = papi.components();

	for (i = 0; i < count; i++) {
		if (!is_wanted(i, wanted))
			papi.disable(i);
	}
}

/* wanted NULL: the processor. */
static bool begin(const struct sw_components *wanted, char *why, size_t size)
{
	int rc;

	if (!load()) {
		snprintf(why, size, "%s cannot be loaded", PAPI_SONAME);
		return false;
	}
	disable_others(wanted);
	rc = papi.init(PAPI_VER_CURRENT);
	if (rc == PAPI_VER_CURRENT)
		return true;
	snprintf(why, size, "PAPI does not start: %s",
		 rc > 0 ? "it is of another version" : papi.error(rc));
	return false;
}

bool sw_papi_library_open(struct sw_papi_library *library)
{
	if (!begin(NULL, library->why, sizeof(library->why)))
		return false;
	snprintf(library->version, sizeof(library->version), "%d.%d.%d",
		 PAPI_VERSION_MAJOR(PAPI_VERSION),
		 PAPI_VERSION_MINOR(PAPI_VERSION),
		 PAPI_VERSION_REVISION(PAPI_VERSION));
	return true;
}

const char *sw_papi_library_lack(void)
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

/* Replace "#" by hertz: profiles are read on other processors. */
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

/* Translate each kind of PAPI formula to postfix. */
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
	static const double ones[SW_PAPI_TERMS_MAX] = {
		1, 1, 1, 1, 1, 1, 1, 1
	};
	const struct sw_postfix_input input = { ones, counter->term_count, 1 };
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
		sw_papi_refuse(counter, why);
		return;
	}
	for (i = 0; i < info->count; i++) {
		if (sw_papi_add_term(counter, info->name[i]))
			continue;
		snprintf(why, sizeof(why), "its event %.100s is not known here",
			 info->name[i]);
		sw_papi_refuse(counter, why);
		return;
	}
	if (!write_formula(counter, info) || !is_formula(counter)) {
		snprintf(why, sizeof(why),
			 "its formula (%.20s) cannot be "
			 "evaluated",
			 info->derived);
		sw_papi_refuse(counter, why);
	}
}

void sw_papi_library_translate(struct sw_papi_counter *counter)
{
	PAPI_event_info_t info;
	const char *why;
	int code;

	memset(&info, 0, sizeof(info));
	if (papi.code(counter->name, &code) != PAPI_OK ||
	    papi.info(code, &info) != PAPI_OK) {
		sw_papi_refuse(counter, "PAPI knows no preset of that name");
	} else if (info.count == 0) {
		why = sw_papi_library_lack();
		sw_papi_refuse(counter,
			       why ? why
				   : "PAPI has no formula of it for this "
				     "processor");
	} else {
		counter->has_formula = true;
		take_terms(counter, &info);
	}
}

size_t sw_papi_library_name(struct sw_papi_counter *counters, size_t max)
{
	int code = (int)PAPI_PRESET_MASK, rc;
	PAPI_event_info_t info;
	size_t count = 0;

	for (rc = papi.next(&code, PAPI_ENUM_FIRST);
	     rc == PAPI_OK && count < max;
	     rc = papi.next(&code, PAPI_ENUM_EVENTS)) {
		if (papi.info(code, &info) == PAPI_OK)
			snprintf(counters[count++].name,
				 sizeof(counters[0].name), "%.63s",
				 info.symbol);
	}
	return count;
}

/* Some components load their driver at the first enumeration of events. */
static bool is_enabled(int at, char *why, size_t size)
{
	const PAPI_component_info_t *info = papi.component(at);
	int code = PAPI_NATIVE_MASK;

	papi.next_of(&code, PAPI_ENUM_FIRST, at);
	if (info->disabled)
		snprintf(why, size, "%.150s",
			 info->disabled_reason[0] ? info->disabled_reason
						  : papi.error(info->disabled));
	return !info->disabled;
}

/* Return its index in libpapi, or -1 with why. */
static int find_component(struct sw_component *component)
{
	const size_t size = sizeof(component->why);
	int i, count = papi.components();

	for (i = 0; i < count; i++) {
		if (is_called(papi.component(i), component->name))
			return is_enabled(i, component->why, size) ? i : -1;
	}
	snprintf(component->why, size, "%s was built without it", PAPI_SONAME);
	return -1;
}

static void add_event(struct sw_components *components, size_t index, int code)
{
	struct sw_component *component = &components->component[index];
	struct sw_component_event *event =
		&components->event[components->event_count];
	PAPI_event_info_t info;

	memset(&info, 0, sizeof(info));
	if (papi.info(code, &info) != PAPI_OK ||
	    components->event_count == SW_COMPONENT_EVENTS_MAX) {
		component->left_out++;
	} else if (sw_component_is_settable(info.symbol, info.long_descr) ||
		   sw_component_is_settable(info.symbol, info.short_descr)) {
		component->settable++;
	} else if (papi.add(component->set, code) != PAPI_OK) {
		component->left_out++;
	} else {
		snprintf(event->name, sizeof(event->name), "%.191s",
			 info.symbol);
		snprintf(event->unit, sizeof(event->unit), "%.31s", info.units);
		event->component = index;
		event->is_real = info.data_type == PAPI_DATATYPE_FP64;
		component->event_count++;
		components->event_count++;
	}
}

static void add_events(struct sw_components *components, size_t index, int at)
{
	int code = PAPI_NATIVE_MASK, rc;

	for (rc = papi.next_of(&code, PAPI_ENUM_FIRST, at); rc == PAPI_OK;
	     rc = papi.next_of(&code, PAPI_ENUM_EVENTS, at))
		add_event(components, index, code);
}

static void open_component(struct sw_components *components, size_t index)
{
	struct sw_component *component = &components->component[index];
	int at = find_component(component), rc;

	component->set = PAPI_NULL;
	if (at < 0)
		return;
	rc = papi.make_set(&component->set);
	if (rc == PAPI_OK)
		rc = papi.assign(component->set, at);
	if (rc == PAPI_OK)
		add_events(components, index, at);
	if (rc == PAPI_OK && component->event_count)
		rc = papi.start(component->set);
	if (rc != PAPI_OK) {
		components->event_count -= component->event_count;
		component->event_count = 0;
		snprintf(component->why, sizeof(component->why), "%s",
			 papi.error(rc));
	} else if (!component->event_count) {
		snprintf(component->why, sizeof(component->why),
			 component->settable
				 ? "all of its events can be set"
				 : "it has no event that can be counted here");
	}
}

static void open_components(struct sw_components *components)
{
	char why[sizeof(components->component[0].why)] = "";
	struct sw_component *component;
	size_t i;

	begin(components, why, sizeof(why));
	for (i = 0; i < components->count; i++) {
		component = &components->component[i];
		if (component->why[0])
			continue;
		memcpy(component->why, why, sizeof(why));
		if (!why[0])
			open_component(components, i);
	}
}

static bool read_component(const struct sw_component *component,
			   int64_t *values)
{
	long long raw[SW_COMPONENT_EVENTS_MAX];
	size_t i;

	if (papi.read(component->set, raw) != PAPI_OK)
		return false;
	for (i = 0; i < component->event_count; i++)
		values[i] = raw[i];
	return true;
}

/* The process exits anyway. */
static void close_components(struct sw_components *components)
{
	components->event_count = 0;
}
#else
static const char no_papi[] = "stepwell was built without libpapi";

bool sw_papi_library_open(struct sw_papi_library *library)
{
	snprintf(library->why, sizeof(library->why), "%s", no_papi);
	return false;
}

void sw_papi_library_translate(struct sw_papi_counter *counter)
{
	sw_papi_refuse(counter, no_papi);
}

size_t sw_papi_library_name(struct sw_papi_counter *counters, size_t max)
{
	(void)counters;
	(void)max;
	return 0;
}

const char *sw_papi_library_lack(void)
{
	return no_papi;
}

static void open_components(struct sw_components *components)
{
	size_t i;

	for (i = 0; i < components->count; i++)
		strcpy(components->component[i].why, no_papi);
}

static bool read_component(const struct sw_component *component,
			   int64_t *values)
{
	(void)component;
	(void)values;
	return false;
}

static void close_components(struct sw_components *components)
{
	components->event_count = 0;
}
#endif

const struct sw_component_calls sw_papi_component_calls = {
	.open = open_components,
	.read = read_component,
	.close = close_components,
};
