# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a Python worker waits for a queue into which nobody puts anything
# request: --cpus 2
# must: progress.frozen|progress.waiting
# never: io.stalled cpu.over_allocated
# bottleneck: wait|lock
# busy: 0.1
# needs: python3

job()
{
	timeout "$(long 25)" python3 -c '
import multiprocessing
def work(queue):
    queue.get()
queue = multiprocessing.Queue()
worker = multiprocessing.Process(target=work, args=(queue,))
worker.start()
worker.join()'
	true
}
