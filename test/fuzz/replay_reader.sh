#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every input that the profile reader's fuzzer found worth keeping.
exec "${abs_top_builddir:-.}/test/fuzz/replay_reader" \
	"${abs_top_srcdir:-.}/test/fuzz/corpus/reader"
