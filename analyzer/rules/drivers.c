/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drivers such as xargs and make: how they end if a program they run fails. */
#include "analyzer/rules/drivers.h"

#include <stddef.h>
#include <string.h>

#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"

/* Exit statuses of drivers whose program failed, and whether one goes on after
 * that only if it was asked to (see their manuals). */
static const struct driver {
	const char *program;
	uint64_t least, most;
	bool stops;
} drivers[] = {
	{ "xargs", 123, 127, false }, { "parallel", 1, 101, false },
	{ "make", 2, 2, true },	      { "gmake", 2, 2, true },
	{ "ninja", 1, 1, true },
};

static const struct driver *find(const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (!strcmp(drivers[i].program, program->name))
			return &drivers[i];
	}
	return NULL;
}

static bool has_status(const struct driver *driver,
		       const struct sw_view_program *program)
{
	return program->last_exit_status >= driver->least &&
	       program->last_exit_status <= driver->most;
}

/* Return true if a driver that stops at a failure started programs after it. */
static bool has_gone_on(const struct sw_view *view, const struct driver *driver,
			const struct sw_view_program *program)
{
	const struct sw_view_program *first =
		sw_starter_failure(view, program);
	size_t i;

	if (!driver->stops || !first || sw_is_missing(first->first_failed_usec))
		return false;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (!strcmp(sw_text(other->started_by), program->name) &&
		    sw_program_has_begun_after(other,
					       first->first_failed_usec))
			return true;
	}
	return false;
}

bool sw_driver_has_passed_on(const struct sw_view *view,
			     const struct sw_view_program *program)
{
	const struct driver *driver = find(program);

	return driver && has_status(driver, program) &&
	       sw_starter_failure(view, program) &&
	       !has_gone_on(view, driver, program);
}

bool sw_driver_tells(const struct sw_view *view,
		     const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];
		const struct driver *driver = find(other);

		if (driver && other->exited_nonzero > 0 &&
		    has_status(driver, other) &&
		    sw_is_inside(view, program, other) &&
		    !has_gone_on(view, driver, other))
			return true;
	}
	return false;
}

/* Return true if only answers of "no" are known inside it. */
static bool has_answers_only(const struct sw_view *view,
			     const struct sw_view_program *program)
{
	size_t i;

	if (sw_starter_failure(view, program))
		return false;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (sw_zero_if_missing(sw_program_failures(other)) > 0 &&
		    sw_program_is_answer(other) &&
		    sw_is_inside(view, other, program))
			return true;
	}
	return false;
}

bool sw_driver_expects(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];
		const struct driver *driver = find(other);

		if (!driver ||
		    (other != program && !sw_is_inside(view, program, other)))
			continue;
		if (sw_zero_if_missing(sw_program_failures(other)) == 0 ||
		    has_gone_on(view, driver, other) ||
		    has_answers_only(view, other))
			return true;
	}
	return false;
}
