/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of CSV. */
#include "analyzer/print/csv.h"

#include <limits.h>
#include <string.h>

#include "analyzer/print/messages.h"

void sw_csv_field(FILE *out, const char *text)
{
	char shown[4 * PATH_MAX];

	sw_shown(shown, sizeof(shown), text);
	if (!strpbrk(shown, ",\"")) {
		fputs(shown, out);
		return;
	}
	putc('"', out);
	for (text = shown; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}
