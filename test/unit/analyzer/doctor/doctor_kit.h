/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder of files for the doctor's checks, created for each test. */
#ifndef TEST_UNIT_DOCTOR_KIT_H
#define TEST_UNIT_DOCTOR_KIT_H

#include <check.h>

#include "analyzer/doctor/doctor.h"

extern struct sw_doctor kit;

/* Paths are below the folder; parent folders are created. */
void kit_put(const char *path, const char *text);
void kit_put_bytes(const char *path, const void *bytes, size_t size);
void kit_folder(const char *path, mode_t mode);
void kit_link(const char *path, const char *to);
void kit_mode(const char *path, mode_t mode);
void kit_remove(const char *path);
const char *kit_path(const char *path);

/* The check returns health, with the words in its text; then, its command. */
void kit_ask(sw_check_f *check, enum sw_health health, const char *words);
void kit_fix(const char *command);

TCase *kit_case(const char *name);
int kit_run(TCase *tests);

#endif
