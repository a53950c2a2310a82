# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: others keep every CPU busy, three threads on each
# request: --cpus 1
# must: cpu.starved
# never: cpu.over_allocated cpu.oversubscribed cpu.throttled
# bottleneck: node
# busy: 64

prepare()
{
	"$WARD_BUILD/test/ward/programs/phases" "$(($(nproc) * 3))x22" &
}

after() { kill %1; }

job() { ward phases 1x15; }
