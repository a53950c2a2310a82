# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: one thread computes, four helpers sleep as by design; one CPU requested
# request: --cpus 1
# never: cpu.oversubscribed progress.waiting cpu.imbalance
# bottleneck: cpu
# needs: python3

job()
{
	python3 -c '
import sys, threading, time
seconds = int(sys.argv[1])
for i in range(4):
    threading.Thread(target=lambda: [time.sleep(1) for i in range(seconds)],
                     daemon=True).start()
end = time.monotonic() + seconds
while time.monotonic() < end:
    sum(i * i for i in range(1000))' "$(long 14)"
}
