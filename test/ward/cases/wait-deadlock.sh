# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: two threads wait for each other from the first second on; a watchdog
# truth: ends them after 30 s
# request: --cpus 1
# must: progress.frozen|progress.waiting
# may: program.killed
# never: io.stalled cpu.over_allocated
# bottleneck: lock
# busy: 0.2
# exit: 142

job() { exec "$WARD_BUILD/test/ward/programs/crowd" 30 2 10 deadlock; }
