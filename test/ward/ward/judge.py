# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds a report against the truth of its case."""
import dataclasses
import os
import re

from ward import peers

# With more CPUs in use by others the truth of a case may be another one; and it
# was starved if it lacked as many.
MOST_OTHERS = 0.25
STARVED = "cpu.starved"


@dataclasses.dataclass
class Verdict:
    case: object
    skipped: str = ""
    broken: str = ""
    found: list = dataclasses.field(default_factory=list)
    missed: list = dataclasses.field(default_factory=list)
    forbidden: list = dataclasses.field(default_factory=list)
    off: list = dataclasses.field(default_factory=list)
    unsaid: list = dataclasses.field(default_factory=list)
    bottleneck: str = ""
    share: float = 0
    is_first_right: bool = False
    span: object = None
    others: float = 0       # CPUs that others used meanwhile
    peers: object = None
    excused: list = dataclasses.field(default_factory=list)
    past: object = None     # what is said beside good runs

    @property
    def is_disturbed(self):
        return self.others > MOST_OTHERS

    @property
    def is_bottleneck_right(self):
        return (self.bottleneck in self.case.bottleneck or
                (self.is_disturbed and self.bottleneck == "node"))

    @property
    def is_starved(self):
        """What ran beside it, of whoever it was, left too few CPUs for what
        it does, as was measured."""
        lacking = (self.case.busy + self.others -
                   len(os.sched_getaffinity(0)))
        return (self.case.busy >= 0.5 and self.is_disturbed and
                lacking > MOST_OTHERS)

    def allow_disturbance(self):
        """That others used its CPUs is true, too, unless the case denies it;
        of a run that was starved, nothing more need be said."""
        if self.is_starved or (self.is_disturbed and
                               STARVED not in self.case.never):
            self.forbidden = [name for name in self.forbidden
                              if name != STARVED]
        if self.is_starved and (STARVED in self.found or not self.found):
            self.excused, self.missed = self.missed, []

    @property
    def is_helpful(self):
        """The first line: the right resource, and the illness first."""
        own = [name for name in self.found
               if name in self.case.known or name in self.forbidden]
        if self.case.is_healthy or self.excused:
            is_said = not self.forbidden
        else:
            is_said = own and any(own[0] in ids for ids in self.case.must)
        return self.is_bottleneck_right and bool(is_said)

    @property
    def is_right(self):
        return (self.is_bottleneck_right and not self.missed and
                not self.forbidden and not self.off and not self.unsaid)


def bottleneck_of(step):
    """In the words of the cases."""
    bottleneck = step.get("bottleneck") or {}
    resource = bottleneck.get("resource", "none")
    if resource == "waiting":
        resource = ("network" if bottleneck.get("limit") == "peer"
                    else "wait")
    return resource, bottleneck.get("share", 0)


def at_path(step, path):
    value = step
    for word in path.split("."):
        value = value[int(word)] if word.isdigit() else value[word]
    return float(value)


def check_number(step, truth, path, text, tolerance):
    """None, or the words that say by how much it is off."""
    factor = 1.0
    if "*" in text:
        text, by = text.split("*")
        factor = float(by)
    try:
        wanted = factor * float(truth[text[1:]] if text[0] == "$" else text)
    except KeyError:
        return f"{path}: the case did not say {text}"
    try:
        got = at_path(step, path)
    except (KeyError, IndexError, TypeError, ValueError):
        return f"{path}: absent, not {wanted:.4g}"
    if abs(got - wanted) <= tolerance * abs(wanted):
        return None
    return f"{path}: {got:.4g}, not {wanted:.4g}"


def read_truth(text):
    return {"length": "1", **dict(re.findall(r"(\w+)=(\S+)", text))}


def ids_of(report):
    """Of the findings, in the order of the report, each once."""
    return list(dict.fromkeys(f["id"] for f in report["findings"]))


def check_words(case, text):
    """What the report for people has to say first, and must not say at all."""
    text = re.sub(r"[ \n]+", " ", text.replace("\n\n", "\0"))
    first = text.split("\0")[0]
    for pattern in case.first:
        if not pattern.search(first):
            yield f"the first line: {pattern.pattern}"
    for pattern in case.avoid:
        said = pattern.search(text)
        if said:
            yield f'what is right instead of "{said[0]}"'


def judge(case, report, truth):
    verdict = Verdict(case)
    step = report["steps"][0]
    verdict.found = ids_of(report)
    found = set(verdict.found)
    verdict.missed = [ids for ids in case.must if not ids & found]
    verdict.forbidden = [name for name in verdict.found
                         if name not in case.known]
    verdict.is_first_right = bool(
        found and any(verdict.found[0] in ids for ids in case.must))
    for number in case.numbers:
        off = check_number(step, truth, *number)
        if off:
            verdict.off.append(off)
    for name, pattern in case.says:
        if not any(f["id"] == name and pattern.search(f["sentence"])
                   for f in report["findings"]):
            verdict.unsaid.append(f"{name}: {pattern.pattern}")
    verdict.unsaid += check_words(case, report.get("text", ""))
    verdict.bottleneck, verdict.share = bottleneck_of(step)
    verdict.peers = peers.opinion(step)
    return verdict
