# SPDX-License-Identifier: GPL-2.0-or-later
"""A variant of a case, and what is drawn of it."""
import dataclasses
import random
import textwrap

# Languages of programs/burn, and what they need to be installed.
LANGUAGES = {"awk": "awk", "gzip": "gzip", "openmp": "cc", "perl": "perl",
             "python": "python3", "sha256": "sha256sum", "shell": "bash",
             "sort": "sort", "sqlite": "sqlite3"}
# Those that can end within a fraction of a second.
EXACT = ("openmp", "perl", "python")
# Those that are one process: a signal to it stops all.
SINGLE = ("awk", "openmp", "perl", "python", "shell")
CREWS = {"make": "make", "openmp": "cc", "pool": "python3", "shell": "bash",
         "xargs": "xargs"}


@dataclasses.dataclass
class Variant:
    """As the lines that a case begins with, and its functions."""
    kind: str = ""
    how: list = dataclasses.field(default_factory=list)
    truth: str = ""
    request: str = "--cpus 1"
    must: str = ""
    may: str = ""
    never: str = ""
    bottleneck: str = "cpu"
    number: list = dataclasses.field(default_factory=list)
    says: list = dataclasses.field(default_factory=list)
    needs: list = dataclasses.field(default_factory=list)
    busy: float = 1
    exit: int = 0
    prepare: list = dataclasses.field(default_factory=list)
    job: list = dataclasses.field(default_factory=list)
    after: list = dataclasses.field(default_factory=list)

    def header(self):
        yield "truth", self.truth
        yield "request", self.request
        yield "must", self.must
        yield "may", self.may
        yield "never", self.never
        yield "bottleneck", self.bottleneck
        for number in self.number:
            yield "number", number
        for says in self.says:
            yield "says", says
        yield "needs", " ".join(dict.fromkeys(self.needs))
        yield "busy", f"{self.busy:g}"
        yield "exit", str(self.exit)

    def text(self):
        """The file of the case."""
        lines = ["# shellcheck shell=bash disable=SC2329"]
        lines += [f"# {key}: {value}" for key, value in self.header() if value]
        for name in "prepare", "job", "after":
            body = getattr(self, name)
            if body:
                lines += ["", f"{name}()", "{"]
                lines += [textwrap.indent(part, "\t", lambda _line: True)
                          if "'" not in part else "\t" + part
                          for part in body]
                lines += ["}"]
        return "\n".join(lines) + "\n"


class Draw:
    """Draws, and adds to a variant what is needed for what it drew."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variant = Variant()

    def pick(self, *of):
        return self.random.choice(of)

    def number(self, least, most):
        return self.random.randint(least, most)

    def order(self, parts):
        parts = list(parts)
        self.random.shuffle(parts)
        return parts

    def use(self, *words, needs=()):
        """It is done with that."""
        self.variant.how += [word for word in words
                             if word not in self.variant.how]
        self.variant.needs += [need for need in needs if need != "bash"]

    def prepare(self, line):
        if line not in self.variant.prepare:
            self.variant.prepare.append(line)

    def language(self, of=tuple(LANGUAGES)):
        how = self.pick(*of)
        self.use(how, needs=[LANGUAGES[how]])
        if how == "openmp":
            self.prepare("compile omp_sum.c -fopenmp -lm")
        elif how in ("gzip", "sha256", "sort"):
            self.prepare("burn_prepare")
        return how

    def burn(self, seconds, of=tuple(LANGUAGES)):
        """A line that keeps one CPU busy for so long."""
        return f"burn {self.language(of)} {seconds}"

    def crew_kind(self, of=tuple(CREWS)):
        kind = self.pick(*of)
        self.use(kind, needs=[CREWS[kind]])
        if kind == "openmp":
            self.prepare("compile omp_sum.c -fopenmp -lm")
        return kind

    def crew(self, tasks, seconds, of=tuple(LANGUAGES)):
        """A line of so many tasks that compute for so long."""
        kind = self.crew_kind()
        how = "-" if kind in ("openmp", "pool") else self.language(of)
        return f"crew {kind} {how} {tasks} {seconds}"

    def program(self, scripts):
        """One of {language: (program, script)}, as a command that takes
        arguments."""
        name = self.pick(*sorted(scripts))
        program = {"python": "python3 -c", "perl": "perl -e"}[name]
        self.use(name, needs=[program.split()[0]])
        return f"{program} '{textwrap.dedent(scripts[name]).strip()}'"
