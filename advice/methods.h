/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Methods listed in methods.c. */
#ifndef SW_ADVICE_METHODS_H
#define SW_ADVICE_METHODS_H

#include "advice/method.h"

extern const struct sw_method sw_method_stepwell, sw_method_request,
	sw_method_largest, sw_method_max, sw_method_krr, sw_method_vpa,
	sw_method_witt_percentile, sw_method_witt_lr, sw_method_witt_wastage,
	sw_method_tovar, sw_method_tovar_x2, sw_method_ponder;

#endif
