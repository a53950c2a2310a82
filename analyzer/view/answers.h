/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses with which programs answer "no", by their manuals. */
#ifndef SW_ANALYZER_ANSWERS_H
#define SW_ANALYZER_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

/* Return true if the status means "no", or "nothing to clean up". */
bool sw_status_is_answer(const char *program, uint64_t status);

#endif
