# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: waits for a lock of a file that a process outside the step holds
# request: --cpus 1
# must: progress.waiting|progress.frozen
# never: io.stalled
# bottleneck: lock
# busy: 0.1
# needs: flock

prepare()
{
	touch lock
	flock lock sleep "$(long 20)" &
	sleep 0.5
}

job() { flock lock true; }
