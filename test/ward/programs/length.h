/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much longer than written in its case a program shall run, as run-ward
 * --length says (WARD_LENGTH, in percent).
 */
#ifndef WARD_LENGTH_H
#define WARD_LENGTH_H

#include <stdlib.h>

static inline double ward_length(void)
{
	const char *percent = getenv("WARD_LENGTH");

	return percent ? atof(percent) / 100 : 1;
}

#endif
