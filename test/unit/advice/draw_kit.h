/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers for tests of statistics, determined by the seed. */
#ifndef SW_TEST_DRAW_KIT_H
#define SW_TEST_DRAW_KIT_H

#include <math.h>
#include <stdint.h>

static uint64_t draw_seed;

/* Uniform in (0, 1): splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static double draw_uniform(void)
{
	uint64_t z = draw_seed += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 0x1p53;
}

/* Normal, by Box and Muller (1958). */
static inline double draw_normal(void)
{
	double radius = sqrt(-2 * log(draw_uniform()));

	return radius * cos(2 * M_PI * draw_uniform());
}

#endif
