/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluate a formula of counters in the notation of PAPI's presets:
 * "N0|N1|2|*|+|" is N0 + N1 * 2.  Between bars are a term (N and its number
 * from 0), a whole number, "#" for the processor's maximum clock in hertz, or
 * one of + - * /.
 */
#ifndef SW_COMMON_POSTFIX_H
#define SW_COMMON_POSTFIX_H

#include <stddef.h>

struct sw_postfix_input {
	const double *terms; /* NAN: not counted */
	size_t count;
	double clock_hz; /* NAN: not known */
};

/*
 * Return 0, or -1 with errno EINVAL if the formula is invalid or names a term
 * beyond the count; *value is then unchanged.  The value is NAN if a term that
 * was not counted is used, or for a division by zero.
 */
int sw_postfix_value(const char *formula, const struct sw_postfix_input *input,
		     double *value);

#endif
