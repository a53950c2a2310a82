# SPDX-License-Identifier: GPL-2.0-or-later
"""How many CPUs were used by what is not of the ward: a case that shares its
CPUs with other work is starved, whatever its truth says.  Taken from the
kernel's totals, not from stepwell."""
import os
import re
import time

TICKS = os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """CPU time of this machine, and what a hypervisor took of it."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    user, nice, system, _idle, _iowait, irq, softirq, steal = ticks
    return (user + nice + system + irq + softirq + steal) / TICKS


class Span:
    """From the begin of a case to its end."""

    def __init__(self):
        self.start_busy = busy_seconds()
        self.start = time.monotonic()
        self.stop = self.busy = self.own = 0.0

    def end(self, times):
        """TIMES is what times(1) of its shell has printed."""
        self.stop = time.monotonic()
        self.busy = busy_seconds() - self.start_busy
        self.own = sum(60 * int(minutes) + float(seconds) for minutes, seconds
                       in re.findall(r"(\d+)m([\d.]+)s", times))

    def share_in(self, other):
        """Of its own CPU time, what fell into OTHER if it used it evenly."""
        common = min(self.stop, other.stop) - max(self.start, other.start)
        length = max(self.stop - self.start, 0.001)
        return self.own * max(common, 0) / length


def measure(verdicts):
    spans = [verdict.span for verdict in verdicts if verdict.span]
    for verdict in verdicts:
        span = verdict.span
        # A case whose shell was killed has used what nobody knows.
        if span and span.own:
            ward = sum(other.share_in(span) for other in spans)
            verdict.others = max(0, (span.busy - ward) /
                                 (span.stop - span.start))
            verdict.allow_disturbance()
