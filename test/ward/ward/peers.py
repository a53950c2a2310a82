# SPDX-License-Identifier: GPL-2.0-or-later
"""What others would have said of the same run.

seff prints two efficiencies and no judgment.  jobstats prints notes; the
conditions here are those of its published config.py, without the two that no
run here could meet: a length of ten of its samples (300 s), and more memory per
core than a site's default.
"""
import dataclasses

CPU_LOW = 0.80          # CPU_UTIL_BLACK; below 0.65 (CPU_UTIL_RED) in red
MEMORY_LOW = 0.70       # MIN_MEMORY_USAGE
SERIAL = (0.85, 1.01)   # CPU efficiency times the number of CPUs

# The illnesses that a note points at.
MEANT = {
    "cpu": ("cpu.",),
    "serial": ("cpu.over_allocated", "cpu.single_threaded"),
    "memory": ("memory.over_allocated",),
    "oom": ("oom.",),
    "no-cpu": ("progress.", "io.stalled"),
}


@dataclasses.dataclass
class Opinion:
    cpu: float          # seff: CPU time / (wall time x CPUs)
    memory: float       # seff: MaxRSS / requested; None without a request
    notes: list         # of jobstats


def opinion(step):
    cpus = step["cpu"]["allocated_cores"]
    used = step["cpu"]["used_core_seconds"]
    cpu = used / (step["elapsed_seconds"] * cpus)
    memory = step["memory"]
    requested = memory.get("requested_bytes")
    # Slurm's cgroup plugin counts page cache, jobstats counts rss.
    share = requested and memory.get("peak_bytes", 0) / requested
    notes = []
    if cpu * cpus < 0.005:
        notes.append("no-cpu")
    elif cpu <= CPU_LOW:
        notes.append("cpu")
    if cpus > 1 and SERIAL[0] < cpu * cpus < SERIAL[1]:
        notes.append("serial")
    if memory.get("oom_kills"):
        notes.append("oom")
    elif requested and memory.get("need_bytes", 0) < MEMORY_LOW * requested:
        notes.append("memory")
    return Opinion(cpu, share, notes)


def is_right(note, case):
    """It points at an illness that the case has."""
    ids = set().union(*case.must)
    return any(name.startswith(MEANT[note]) for name in ids)
