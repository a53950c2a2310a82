# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: stopped by SIGSTOP for 14 of 20 s, as a suspended job
# request: --cpus 1
# must: progress.waiting|progress.frozen
# never: io.stalled cpu.starved
# bottleneck: wait
# busy: 0.4

job()
{
	"$WARD_BUILD/test/ward/programs/phases" 1x17 &
	sleep "$(long 2)"
	kill -STOP %1
	sleep "$(long 14)"
	kill -CONT %1
	wait
}
