# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a server asks for events with a time limit of 0, and none come
# request: --cpus 1
# must: progress.spinning
# never: progress.waiting
# bottleneck: cpu
# needs: python3

job()
{
	python3 -c '
import os, select, sys, time
end = time.monotonic() + int(sys.argv[1])
inside, outside = os.pipe()
while time.monotonic() < end:
    select.select([inside], [], [], 0)' "$(long 15)"
}
