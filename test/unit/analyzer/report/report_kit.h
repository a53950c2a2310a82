/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile in its own folder, and reports on it. */
#ifndef SW_TEST_REPORT_KIT_H
#define SW_TEST_REPORT_KIT_H

#include <stddef.h>

/* Heads of tables in such a text: their rows follow. */
#define REPORT_KIT_STEPS \
	"table steps step recorder\ncolumns step start_usec\n"
#define REPORT_KIT_SUMMARY \
	"table summary step recorder\ncolumns step end_usec\n"
#define REPORT_KIT_SUBJECTS \
	"table subjects step recorder\n" \
	"columns time_usec step source subject kind name detail\n"

/* Create and remove the folder, around all tests. */
void report_kit_begin(void);
void report_kit_end(void);
const char *report_kit_folder(void);

/* The path of "profile" there, and writing it from a text. */
const char *report_kit_profile(void);
void report_kit_write(const char *text);

/* Print the profile's report in a format of sw_report_formats; removes it. */
void report_kit_print(const char *format, char *text, size_t size);
void report_kit_expect(const char *text, const char *part);

#endif
