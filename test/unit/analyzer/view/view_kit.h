/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views of profiles that a test writes as text (test/text_profile.h). */
#ifndef TEST_UNIT_VIEW_KIT_H
#define TEST_UNIT_VIEW_KIT_H

#include <check.h>

#include "analyzer/view/view.h"

#define MIB(n) ((uint64_t)(n) << 20)

#define STEPS_COLUMNS \
	"table steps step recorder\n" \
	"columns step start_usec requested_cpus_milli available_cpus_milli\n"

#define STEPS STEPS_COLUMNS "row 0 1000000000 - 4000\n"

/* Ten seconds, exit status 0. */
#define SUMMARY \
	"table summary step recorder\ncolumns step end_usec exit_code\n" \
	"row 0 1010000000 0\n"

#define CPU \
	"table series.cpu step cgroup.v2\ncolumns time_usec step usage_usec\n"

/* Bytes are in units of 1 MiB = 1048576. */
#define MIB1 "1048576"
#define MIB10 "10485760"
#define MIB20 "20971520"
#define MIB50 "52428800"
#define MIB100 "104857600"
#define MIB300 "314572800"
#define MIB512 "536870912"
#define MIB2048 "2147483648"

/* View of the first step; the profile stays open until kit_drop(). */
struct sw_view kit_view(const char *text);
/* Likewise; 0, or -1 with *error, which also needs kit_drop(). */
int kit_try_view(struct sw_view *view, const char *text,
		 struct sw_error *error);
void kit_drop(struct sw_view *view);

TCase *kit_case(const char *name);
int kit_run(TCase *tests);

#endif
