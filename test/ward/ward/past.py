# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of a case beside good runs of it, which were recorded before."""
import dataclasses
import json
import os
import subprocess

from ward import table

UNLIKE = "run.unlike_past"


@dataclasses.dataclass
class Past:
    found: list         # findings, in the order of the report
    sentence: str       # of the one that it is unlike its past; ""


def history(folder):
    return f"{folder}/history.sqlite"


def judge(args, folder, env):
    """None if there is no history."""
    if not os.path.exists(history(folder)):
        return None
    out = subprocess.run(
        [f"{args.build}/analyzer/stepwell", "report", "--no-sacct", "--json",
         f"{folder}/profile.stepwell"], check=False, stdout=subprocess.PIPE,
        env=env | {"STEPWELL_HISTORY": history(folder)}).stdout
    findings = json.loads(out)["findings"]
    return Past(list(dict.fromkeys(found["id"] for found in findings)),
                " ".join(found["sentence"] for found in findings
                         if found["id"] == UNLIKE))


def is_told(verdict, found):
    return all(ids & set(found) for ids in verdict.case.must)


def show(verdicts, out):
    asked = [verdict for verdict in verdicts if verdict.past]
    print(f"\n{len(asked)} cases beside good runs of them:", file=out)
    for verdict in asked:
        before = "told" if is_told(verdict, verdict.found) else "missed"
        print(f"  {verdict.case.name}: {before} without; "
              f"{verdict.past.sentence or 'not called different'}", file=out)
    without = [is_told(v, v.found) for v in asked]
    told = [is_told(v, v.past.found) or bool(v.past.sentence) for v in asked]
    print(f"\ntold without a past: {table.ratio(sum(without), len(asked))}\n"
          f"told with it:        {table.ratio(sum(told), len(asked))}\n"
          "called unlike it:    "
          f"{table.ratio(sum(bool(v.past.sentence) for v in asked), len(asked))}",
          file=out)
