# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a parent waits for its child, which computes
# request: --cpus 1
# never: progress.waiting cpu.over_allocated
# bottleneck: cpu

job() { nice -n 0 bash -c '"$0" 1x12; true' "$WARD_BUILD/test/ward/programs/phases"; }
