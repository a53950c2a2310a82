/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pictures in text: a gauge and a line of sparks. */
#ifndef SW_ANALYZER_PICTURE_H
#define SW_ANALYZER_PICTURE_H

#include "analyzer/report.h"

/* Bytes that a picture of up to width characters takes, with its NUL. */
#define SW_PICTURE_SIZE(width) ((width) * 3 + 1)

/* A bar of width characters, filled to ratio (clamped to 0..1; NAN: empty). */
char *sw_gauge(char *buf, unsigned width, double ratio,
	       const struct sw_report_style *style);

/*
 * A curve as width characters of height by value, from 0 to its maximum; a
 * column without a value is a space.
 */
char *sw_spark(char *buf, unsigned width, const struct sw_curve *curve,
	       const struct sw_report_style *style);

#endif
