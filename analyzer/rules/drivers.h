/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drivers such as xargs and make: how they end if a program they run fails. */
#ifndef SW_ANALYZER_DRIVERS_H
#define SW_ANALYZER_DRIVERS_H

#include "analyzer/view/view.h"

/* Return true if its status means that a program it ran failed. */
bool sw_driver_has_passed_on(const struct sw_view *view,
			     const struct sw_view_program *program);

/* Return true if such a driver runs the program, and another one failed. */
bool sw_driver_tells(const struct sw_view *view,
		     const struct sw_view_program *program);

/*
 * Return true if the program is a driver, or ran inside one, that expected
 * failures: it succeeded all the same, it went on as "make -k" does, or only
 * answers of "no" are known inside it.
 */
bool sw_driver_expects(const struct sw_view *view,
		       const struct sw_view_program *program);

#endif
