# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: computes, and appends a line to one log file at each step, which it
# truth: opens and closes each time
# request: --cpus 1
# bottleneck: cpu
# needs: python3

job()
{
	python3 -c '
import sys, time
end = time.monotonic() + int(sys.argv[1])
value = 1.0
step = 0
while time.monotonic() < end:
    for _ in range(20000):
        value = (value * 1.0001) % 7
    with open("log", "a") as log:
        log.write(f"step {step}: {value}\n")
    step += 1' "$(long 15)"
}
