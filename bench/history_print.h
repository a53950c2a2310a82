/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fingerprints of the fictitious site's runs, of twelve programs. */
#ifndef BENCH_HISTORY_PRINT_H
#define BENCH_HISTORY_PRINT_H

#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"

/* Encode that of a run; up to SW_FINGERPRINT_BYTES. */
size_t history_print_make(uint8_t *bytes, const struct sw_run *run,
			  uint32_t index);

#endif
