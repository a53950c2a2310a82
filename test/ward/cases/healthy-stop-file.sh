# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a solver that computes, and looks at each of its steps whether a file
# truth: tells it to stop
# request: --cpus 1
# bottleneck: cpu
# needs: python3

job()
{
	python3 -c '
import os, sys, time
end = time.monotonic() + int(sys.argv[1])
value = 1.0
while time.monotonic() < end:
    for _ in range(1000):
        value = (value * 1.0001) % 7
    if os.path.exists("STOP"):
        break' "$(long 15)"
}
