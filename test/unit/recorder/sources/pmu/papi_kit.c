/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Components of PAPI for tests. */
#include "test/unit/recorder/sources/pmu/papi_kit.h"

#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/sources/pmu/components.h"

static struct {
	struct sw_components components;
	int64_t value[SW_COMPONENT_EVENTS_MAX];
	char names[256];
	int dirfd;
} kit = { .dirfd = -1 };

static struct sw_component *called(const char *name)
{
	size_t i;

	for (i = 0; strcmp(kit.components.component[i].name, name) != 0; i++)
		ck_assert_uint_lt(i, kit.components.count);
	return &kit.components.component[i];
}

static void add_event(const char *name, const char *unit, const char *text,
		      bool is_real)
{
	struct sw_components *all = &kit.components;
	struct sw_component_event *event = &all->event[all->event_count];
	int64_t *value = &kit.value[all->event_count++];
	double real = strtod(text, NULL);

	event->component = all->count - 1;
	event->is_real = is_real;
	snprintf(event->name, sizeof(event->name), "%s", name);
	if (strcmp(unit, "-") != 0)
		snprintf(event->unit, sizeof(event->unit), "%s", unit);
	all->component[event->component].event_count++;
	*value = strtoll(text, NULL, 10);
	if (is_real)
		memcpy(value, &real, sizeof(real));
}

static void take_line(const char *line)
{
	char word[16] = "", name[64] = "", unit[32] = "", rest[160] = "";

	sscanf(line, "%15s %63s %31s %159s", word, name, unit, rest);
	if (!strcmp(word, "component")) {
		strcpy(kit.components.component[kit.components.count++].name,
		       name);
		strcat(strcat(kit.names, ","), name);
	} else if (!strcmp(word, "why")) {
		sscanf(line, "%*s %*s %159[^\n]", called(name)->why);
	} else if (!strcmp(word, "settable")) {
		called(name)->settable = strtoul(unit, NULL, 10);
	} else if (!strcmp(word, "event") || !strcmp(word, "real")) {
		add_event(name, unit, rest, word[0] == 'r');
	} else {
		ck_assert_msg(line[0] == '#', "not understood: %s", line);
	}
}

/* Return false if the folder is gone, or has no such file. */
static bool load(void)
{
	int fd = openat(kit.dirfd, "papi", O_RDONLY | O_CLOEXEC);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	char line[256];

	memset(&kit.components, 0, sizeof(kit.components));
	kit.names[0] = '\0';
	while (file && fgets(line, sizeof(line), file))
		take_line(line);
	if (file)
		fclose(file);
	return file != NULL;
}

static void kit_open(struct sw_components *components)
{
	/* libpapi must not see the environment. */
	ck_assert_ptr_null(getenv("PATH"));
	ck_assert_uint_eq(components->count, kit.components.count);
	*components = kit.components;
}

static bool kit_read(const struct sw_component *component, int64_t *values)
{
	size_t i, count = 0;

	if (!load())
		return false;
	for (i = 0; i < kit.components.event_count; i++) {
		const struct sw_component_event *event =
			&kit.components.event[i];

		if (called(component->name) ==
		    &kit.components.component[event->component])
			values[count++] = kit.value[i];
	}
	return true;
}

static void kit_close(struct sw_components *components)
{
	(void)components;
}

static const struct sw_component_calls calls = {
	.open = kit_open,
	.read = kit_read,
	.close = kit_close,
};

void papi_kit_load(int dirfd)
{
	kit.dirfd = dirfd;
	load();
	sw_components_use(&calls);
	sw_components_choose(kit.names);
}
