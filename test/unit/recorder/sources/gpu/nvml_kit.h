/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stand-in for NVIDIA's library in a unit test. */
#ifndef SW_TEST_UNIT_NVML_KIT_H
#define SW_TEST_UNIT_NVML_KIT_H

#include <stdbool.h>

/*
 * Load it, or that of an old driver: the loader then takes it for the real one,
 * by its soname.  Returns false if it was not built.
 */
bool nvml_kit_load(bool is_old);

#endif
