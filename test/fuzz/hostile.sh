#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged inputs to all readers; what none of them may do with any is in
# hostile.c.  An input that was kept is made again by its seed and number.
exec "${abs_top_builddir:-.}/test/fuzz/hostile" \
	--inputs "${STEPWELL_FUZZ_INPUTS:-1000}" \
	--seed "${STEPWELL_FUZZ_SEED:-1}" \
	"${abs_top_srcdir:-.}" "${abs_top_builddir:-.}"
