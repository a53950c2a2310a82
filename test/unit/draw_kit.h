/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers drawn for tests of statistics: the same from the same seed. */
#ifndef SW_TEST_DRAW_KIT_H
#define SW_TEST_DRAW_KIT_H

#include <math.h>
#include <stdint.h>

static uint64_t draw_seed;

/* Uniform in (0, 1): xorshift64* (S. Vigna, TOMS 42 (2016) 30). */
static double draw_uniform(void)
{
	draw_seed ^= draw_seed >> 12;
	draw_seed ^= draw_seed << 25;
	draw_seed ^= draw_seed >> 27;
	return ((double)(draw_seed * 2685821657736338717u >> 11) + 0.5) / 0x1p53;
}

/* Normal by Box and Muller. */
static double draw_normal(void)
{
	double radius = sqrt(-2 * log(draw_uniform()));

	return radius * cos(2 * M_PI * draw_uniform());
}

#endif
