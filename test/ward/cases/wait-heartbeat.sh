# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: hangs on a pipe that nobody fills, while a thread writes a line a second
# request: --cpus 1
# must: progress.frozen|progress.waiting
# never: io.stalled
# bottleneck: wait
# busy: 0.1
# needs: python3

job()
{
	python3 -c '
import os, sys, threading, time
def beat():
    for i in range(int(sys.argv[1])):
        time.sleep(1)
        print("alive", flush=True)
    os._exit(0)
ends = os.pipe()
threading.Thread(target=beat).start()
os.read(ends[0], 1)' "$(long 25)"
}
