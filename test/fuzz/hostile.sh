#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged inputs to all readers; hostile.c lists what a reader must not do.  A
# kept input can be made again from its seed and number.
exec "${abs_top_builddir:-.}/test/fuzz/hostile" \
	--inputs "${STEPWELL_FUZZ_INPUTS:-1000}" \
	--seed "${STEPWELL_FUZZ_SEED:-1}" \
	"${abs_top_srcdir:-.}" "${abs_top_builddir:-.}"
