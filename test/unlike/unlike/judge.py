# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of a run beside its past, and if that is right."""
import dataclasses
import json
import os
import re
import subprocess
import tempfile

from unlike import series

UNLIKE = "run.unlike_past"


@dataclasses.dataclass
class Verdict:
    case: series.Case
    line: str           # the first one
    sentence: str       # of the finding that it is unlike its past; ""

    @property
    def is_right(self):
        if self.case.sort != "planted":
            return not self.sentence
        return bool(re.search(self.case.says, self.line) and
                    re.search(self.case.beside, self.sentence))


class Judge:
    """Asks for reports, with a history of the past runs."""

    def __init__(self, args):
        self.program = f"{args.build}/analyzer/stepwell"
        self.folder = tempfile.TemporaryDirectory(prefix="unlike.")
        self.history = f"{self.folder.name}/history.sqlite"
        self.env = dict(os.environ, LC_ALL="C.UTF-8",
                        STEPWELL_CONF="/dev/null",
                        STEPWELL_HISTORY=self.history)
        self.past = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def stepwell(self, *words):
        return subprocess.run([self.program, *words], check=True, text=True,
                              stdout=subprocess.PIPE, env=self.env).stdout

    def remember(self, past):
        if past == self.past:
            return
        if os.path.exists(self.history):
            os.remove(self.history)
        self.stepwell("import", "--quiet", *past)
        self.past = past

    def judge(self, case):
        if case.why:
            return Verdict(case, "", "")
        self.remember(case.past)
        text = self.stepwell("report", "--no-sacct", case.run)
        report = json.loads(self.stepwell("report", "--no-sacct", "--json",
                                          case.run))
        sentence = " ".join(found["sentence"] for found in report["findings"]
                            if found["id"] == UNLIKE)
        return Verdict(case, " ".join(text.split("\n\n")[0].split()), sentence)
