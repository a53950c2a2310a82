# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the temporary file of a tool lies on a slow shared file system, is
# truth: written there, and read back in pieces; it would fit the local disk
# request: --cpus 1
# must: io.scratch_on_shared
# may: io.tiny
# never: io.stalled progress.waiting cpu.over_allocated
# bottleneck: io
# busy: 0.2
# needs: fuse python3
# says: io.scratch_on_shared slow
# first: Limited by I/O on \S*slow

prepare() { slow_mount slow read,write=40; }

job()
{
	python3 -c '
import os, sys, time
end = time.monotonic() + int(sys.argv[1])
runs = []
while time.monotonic() < end:
    with open(f"slow/run{len(runs)}", "wb", buffering=0) as file:
        for _ in range(20):
            file.write(os.urandom(131072))
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        runs.append(file.name)
    with open(runs[-1], "rb", buffering=0) as file:
        while file.read(131072):
            pass
    os.unlink(runs[-1])' "$(long 16)"
}
