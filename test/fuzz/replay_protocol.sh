#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Inputs for the parsers of messages: golden ones, damaged ones, and texts.
exec "${abs_top_builddir:-.}/test/fuzz/replay_protocol" \
	"${abs_top_srcdir:-.}/test/fuzz/corpus/protocol" \
	"${abs_top_srcdir:-.}/test/fixtures/protocol"
