/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generate profiles from text, so that a test's input can be read and reviewed:
 *
 *	# a comment
 *	include FILE			(relative to the including file)
 *	table NAME SCOPE SOURCE		(node, job, step, task, program)
 *	columns NAME...			(of the units and kinds that the
 *					recorder writes: stepwell-profile(5))
 *	column NAME UNIT KIND		(of others; unit "-" is none)
 *	row VALUE...			(one per column; "-" is missing)
 *	rows COUNT VALUE...		(COUNT rows; FIRST+STEP and FIRST-STEP
 *					change by STEP from row to row)
 *	and VALUE...			(behind rows: alternates with them)
 *
 * Words are separated by spaces; "..." quotes, with \n \t \" \\ and \xNN
 * inside.  A quoted "-" is a text, and a quoted "0+1" is the same in all rows.
 */
#ifndef SW_TEST_TEXT_PROFILE_H
#define SW_TEST_TEXT_PROFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"

/*
 * Write the profile described by the file at text_path to path, replacing it;
 * is_finished false leaves the .part and its tail, as a killed recorder does.
 * Returns 0, or -1 with *error ("FILE:LINE: what").
 */
int text_profile_write(const char *text_path, const char *path,
		       bool is_finished, struct sw_error *error);

/* As above, of a text that is no file ("text:LINE: what"). */
int text_profile_write_text(const char *text, const char *path,
			    bool is_finished, struct sw_error *error);

/*
 * Print the text without its comments and short forms: only lines of table,
 * column and row.  Returns 0, or -1 with *error.
 */
int text_profile_print(const char *text_path, FILE *out, struct sw_error *error);

#endif
