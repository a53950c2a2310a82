/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Table of the methods. */
#include "advice/methods.h"

#include <string.h>

const struct sw_method *const sw_methods[] = {
	&sw_method_stepwell,
	&sw_method_request,
	&sw_method_largest,
	&sw_method_max,
	&sw_method_krr,
	&sw_method_vpa,
	&sw_method_witt_percentile,
	&sw_method_witt_lr,
	&sw_method_witt_wastage,
	&sw_method_tovar,
	&sw_method_tovar_x2,
	&sw_method_ponder,
	NULL,
};

const struct sw_method *sw_method_find(const char *name)
{
	const struct sw_method *const *method;

	for (method = sw_methods; *method; method++) {
		if (!strcmp((*method)->name, name))
			return *method;
	}
	return NULL;
}
