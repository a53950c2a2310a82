/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of sbatch(1), Slurm 22.05 to 25.05, and which take a value. */
#ifndef SW_ANALYZER_SBATCH_OPTIONS_H
#define SW_ANALYZER_SBATCH_OPTIONS_H

#include "analyzer/script/script.h"

enum sw_sbatch_argument {
	SW_SBATCH_NONE,
	SW_SBATCH_REQUIRED,	/* after "=", or the next word */
	SW_SBATCH_OPTIONAL,	/* only after "=" */
};

struct sw_sbatch_option {
	const char *name;
	char letter;		/* 0: none */
	enum sw_sbatch_argument argument;
	enum sw_script_key key;
};

/*
 * Find an option by name, which may be abbreviated if unambiguous
 * (getopt_long(3)), or by letter.  NULL if unknown, e.g. of a SPANK plugin.
 */
const struct sw_sbatch_option *sw_sbatch_find(const char *name, size_t length);
const struct sw_sbatch_option *sw_sbatch_find_letter(char letter);

#endif
