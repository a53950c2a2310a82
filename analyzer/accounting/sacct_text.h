/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse values of sacct's fields as found in files: with units, as local times,
 * "UNLIMITED".  Malformed values are NAN.
 */
#ifndef SW_ANALYZER_SACCT_TEXT_H
#define SW_ANALYZER_SACCT_TEXT_H

#include "advice/run.h"

/* Unit of a ReqMem.  Slurm before 21.08 appends it as a letter. */
enum sw_acct_memory_of { SW_ACCT_OF_JOB, SW_ACCT_OF_NODE, SW_ACCT_OF_CPU };

/* Parse "4G", "4Gn", "2000Mc", "2147486448Mn"; a bare number is MiB, 0 is
 * all. */
double sw_acct_text_request(const char *text, enum sw_acct_memory_of *of);

/* Return an sw_memory_per; NAN: newer releases only keep the job's total. */
double sw_acct_memory_per(enum sw_acct_memory_of of);

/* Parse "123456K", "1.5G"; a bare number is bytes. */
double sw_acct_text_bytes(const char *text);

/* Parse "[D-]HH:MM:SS", "MM:SS.mmm", "D-HH:MM" and "D-HH". */
double sw_acct_text_duration(const char *text);

/* Parse "2026-11-21T10:11:12" in local time, or seconds since the Epoch. */
double sw_acct_text_time(const char *text);

double sw_acct_text_number(const char *text);

#endif
