# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: three processes do everything while they hold the lock of one file: one runs at a time
# request: --cpus 3
# must: lock.contended
# may: cpu.over_allocated cpu.single_threaded
# never: cpu.oversubscribed cpu.starved cpu.imbalance progress.waiting io.stalled
# bottleneck: lock
# first: turns
# busy: 1.5
# needs: cpus:2 python3

job()
{
	python3 -c 'import fcntl, os, sys, time
end = time.monotonic() + float(sys.argv[1])
for i in range(3):
    if os.fork() == 0:
        with open("results", "a") as results:
            while time.monotonic() < end:
                fcntl.lockf(results, fcntl.LOCK_EX)
                total = sum(i * i for i in range(200000))
                print(total, file=results, flush=True)
                fcntl.lockf(results, fcntl.LOCK_UN)
                time.sleep(0)
        os._exit(0)
for i in range(3):
    os.wait()' "$(long 15)"
}
