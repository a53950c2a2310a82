# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a script writes and reads tens of thousands of tiny files in a folder
# request: --cpus 1
# must: io.many_files
# may: io.stalled io.tiny
# bottleneck: cpu|io
# needs: python3

job()
{
	python3 -c '
import os, sys, time
end = time.monotonic() + int(sys.argv[1])
os.mkdir("tiny")
n = 0
while time.monotonic() < end:
    name = f"tiny/{n}"
    with open(name, "w") as file:
        file.write("one line")
    with open(name) as file:
        file.read()
    n += 1' "$(long 14)"
}
