# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: reads its input once and writes its results once, both on a slow shared
# truth: file system, where they belong: nothing is read back
# request: --cpus 1
# must: io.stalled|io.saturated
# may: io.tiny
# never: io.scratch_on_shared progress.waiting cpu.over_allocated
# bottleneck: io
# busy: 0.2
# needs: fuse python3

prepare() { slow_mount slow read,write=40 input=268435456; }

job()
{
	python3 -c '
import sys, time
end = time.monotonic() + int(sys.argv[1])
n = 0
with open("slow/input", "rb", buffering=0) as source:
    while time.monotonic() < end:
        with open(f"slow/result{n}", "wb", buffering=0) as result:
            for _ in range(20):
                result.write(source.read(131072))
        n += 1' "$(long 16)"
}
