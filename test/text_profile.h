/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generate profiles from text, so that a test's input can be read and reviewed:
 *
 *	# a comment
 *	include FILE			(relative to the including file)
 *	table NAME SCOPE SOURCE		(node, job, step, task, program)
 *	column NAME UNIT KIND		(unit "-" is none)
 *	row VALUE...			(one per column; "-" is missing)
 *
 * Words are separated by spaces; "..." quotes, with \n \t \" \\ and \xNN
 * inside.  A quoted "-" is a text.
 */
#ifndef SW_TEST_TEXT_PROFILE_H
#define SW_TEST_TEXT_PROFILE_H

#include <stdbool.h>

#include "common/error.h"

/*
 * Write the profile described by the file at text_path to path, replacing it;
 * is_finished false leaves the .part and its tail, as a killed recorder does.
 * Returns 0, or -1 with *error ("FILE:LINE: what").
 */
int text_profile_write(const char *text_path, const char *path,
		       bool is_finished, struct sw_error *error);

#endif
