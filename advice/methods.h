/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of methods.c. */
#ifndef SW_ADVICE_METHODS_H
#define SW_ADVICE_METHODS_H

#include "advice/method.h"

extern const struct sw_method sw_method_request, sw_method_max,
	sw_method_krr;

#endif
