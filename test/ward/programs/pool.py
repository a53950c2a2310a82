# SPDX-License-Identifier: GPL-2.0-or-later
"""pool.py WORKERS SECONDS...: a pool of processes, and a task for each SECONDS
that computes for so long."""
import multiprocessing
import os
import sys
import time


def task(seconds):
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        count += sum(i * i for i in range(1000)) % 7
    return count


if __name__ == "__main__":
    length = float(os.environ.get("WARD_LENGTH", 100)) / 100
    with multiprocessing.Pool(int(sys.argv[1])) as pool:
        print(pool.map(task, [length * float(word) for word in sys.argv[2:]],
                       chunksize=1))
