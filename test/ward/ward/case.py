# SPDX-License-Identifier: GPL-2.0-or-later
"""A case of the ward: the lines "# key: value" that its file begins with."""
import dataclasses
import os
import re
import shutil

BOTTLENECKS = ("cpu", "memory", "memory_bandwidth", "io", "network", "gpu",
               "lock", "wait", "node", "none")
KEYS = ("truth", "request", "must", "may", "never", "bottleneck", "number",
        "says", "first", "avoid", "needs", "busy", "exit")


@dataclasses.dataclass
class Case:
    name: str
    path: str
    truth: str = ""
    request: list = dataclasses.field(default_factory=list)
    must: list = dataclasses.field(default_factory=list)    # sets of ids
    may: set = dataclasses.field(default_factory=set)
    never: set = dataclasses.field(default_factory=set)
    bottleneck: set = dataclasses.field(default_factory=set)
    numbers: list = dataclasses.field(default_factory=list)
    says: list = dataclasses.field(default_factory=list)
    first: list = dataclasses.field(default_factory=list)
    avoid: list = dataclasses.field(default_factory=list)
    needs: list = dataclasses.field(default_factory=list)
    busy: float = 1
    exit: int = 0
    has_good: bool = False      # a function "good": the job without its illness

    @property
    def is_healthy(self):
        return not self.must

    @property
    def known(self):
        """Every finding that may appear."""
        return self.may.union(*self.must)


def number_of(text):
    """PATH VALUE TOLERANCE%: what is at PATH of the report's first step."""
    path, value, tolerance = text.split()
    if not tolerance.endswith("%"):
        raise ValueError(f"a tolerance ends in %: {text}")
    return path, value, float(tolerance[:-1]) / 100


def take(case, key, value):
    words = value.split()
    if key == "truth":
        case.truth = f"{case.truth} {value}".strip()
    elif key == "request":
        case.request += words
    elif key == "must":
        case.must += [set(word.split("|")) for word in words]
    elif key in ("may", "never"):
        getattr(case, key).update(words)
    elif key == "bottleneck":
        case.bottleneck = set(value.strip().split("|"))
        if not case.bottleneck <= set(BOTTLENECKS):
            raise ValueError(f"not a bottleneck: {value}")
    elif key == "number":
        case.numbers.append(number_of(value))
    elif key == "says":
        finding, pattern = value.split(None, 1)
        case.says.append((finding, re.compile(pattern)))
    elif key in ("first", "avoid"):
        getattr(case, key).append(re.compile(value))
    elif key == "needs":
        case.needs += words
    elif key == "busy":
        case.busy = float(value)
    elif key == "exit":
        case.exit = int(value)
    else:
        raise ValueError(f'unknown key "{key}"; known: {", ".join(KEYS)}')


def read_case(path):
    case = Case(os.path.basename(path).removesuffix(".sh"), path)
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                break
            match = re.match(r"# ([a-z]+): (.*)", line)
            if match:
                try:
                    take(case, match[1], match[2].strip())
                except ValueError as error:
                    raise SystemExit(f"{path}: {error}") from error
        case.has_good = any(re.match(r"good\(\)", line) for line in file)
    if not case.truth or not case.bottleneck:
        raise SystemExit(f'{path}: "# truth:" or "# bottleneck:" is missing')
    return case


def missing_need(case, is_root, is_job_of_user):
    """Why it cannot run here; None if it can."""
    for need in case.needs:
        if need.startswith("cpus:"):
            if len(os.sched_getaffinity(0)) < int(need[5:]):
                return f"needs {need[5:]} CPUs"
        elif need in ("root", "cgroup", "fuse", "netns"):
            if not is_root or (need == "root" and is_job_of_user):
                return f"needs {need}, which takes root"
            if need == "fuse" and not os.path.exists("/dev/fuse"):
                return "no /dev/fuse"
        elif not shutil.which(need):
            return f"{need} is not installed"
    return None
