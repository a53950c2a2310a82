#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Inputs for the parser of kernel text: real and damaged files.
exec "${abs_top_builddir:-.}/test/fuzz/replay_kernfile" \
	"${abs_top_srcdir:-.}/test/fuzz/corpus/kernfile"
