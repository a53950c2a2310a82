/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of sacct's fields as people have them in files: with units, as
 * local times, "UNLIMITED".  What is not understood is NAN.
 */
#ifndef SW_ANALYZER_SACCT_TEXT_H
#define SW_ANALYZER_SACCT_TEXT_H

#include "advice/run.h"

/* What a ReqMem is of.  Slurm before 21.08 says it by a letter behind. */
enum sw_acct_memory_of { SW_ACCT_OF_JOB, SW_ACCT_OF_NODE, SW_ACCT_OF_CPU };

/* "4G", "4Gn", "2000Mc", "2147486448Mn"; a number alone is MiB, 0 is all. */
double sw_acct_text_request(const char *text, enum sw_acct_memory_of *of);

/* As an sw_memory_per; NAN: newer releases only keep the job's sum. */
double sw_acct_memory_per(enum sw_acct_memory_of of);

/* "123456K", "1.5G"; a number alone is bytes. */
double sw_acct_text_bytes(const char *text);

/* "[D-]HH:MM:SS", "MM:SS.mmm"; also "D-HH:MM" and "D-HH". */
double sw_acct_text_duration(const char *text);

/* "2026-11-21T10:11:12" of local time, or seconds since the Epoch. */
double sw_acct_text_time(const char *text);

double sw_acct_text_number(const char *text);

#endif
