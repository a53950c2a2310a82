# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: over after two seconds of computing: too short to be judged
# request: --cpus 4
# bottleneck: cpu

job() { WARD_LENGTH=100 ward phases 1x2; }
