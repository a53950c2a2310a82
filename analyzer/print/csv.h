/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of CSV. */
#ifndef SW_ANALYZER_CSV_H
#define SW_ANALYZER_CSV_H

#include <stdio.h>

/* Print untrusted text, escaped, and in quotes if it has a comma or quote. */
void sw_csv_field(FILE *out, const char *text);

#endif
