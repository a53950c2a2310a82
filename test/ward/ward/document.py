# SPDX-License-Identifier: GPL-2.0-or-later
"""The table as a page of Markdown."""
import os
import platform
import subprocess
import time

from ward import repeats, table

COLUMNS = ("case", "truth", "expected", "got", "false", "numbers off", "limit",
           "seff CPU/mem", "jobstats", "right")
INTRODUCTION = """\
# What stepwell says of known illnesses

Written by `test/ward/run-ward --table`; do not edit. Each case is a workload of
which the truth is known beforehand (`test/ward/cases/`). *Expected* are the findings
that have to appear (`a|b`: one of these); every other one is *false*, unless
the case says that it is true as well. Beside it stands what seff and jobstats
would have said of the same run: seff two numbers, jobstats notes."""


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def line(cells):
    return "| " + " | ".join(cell(text) for text in cells) + " |"


def row(verdict):
    name, expected, *rest = table.row(verdict)
    truth = verdict.case.truth
    if verdict.skipped or verdict.broken:
        return (name, truth, expected, rest[0]) + ("",) * 6
    got, forbidden, off, limit, _share, _others, seff, jobstats, _mark = rest
    return (name, truth, expected, got, forbidden, off, limit, seff, jobstats,
            "yes" if verdict.is_right else "**no**")


def of_table(verdicts):
    yield line(COLUMNS)
    yield "|" + "---|" * len(COLUMNS)
    for verdict in verdicts:
        yield line(row(verdict))


def of_totals(verdicts):
    yield "| | |"
    yield "|---|---|"
    for name, value in table.totals(verdicts):
        if name:
            yield line((name, value))


def of_details(verdicts):
    for text in table.details(verdicts):
        yield f"- {text}"


def of_repeats(rounds):
    for case, outcomes in repeats.unstable(rounds):
        said = "; or ".join(dict.fromkeys(outcomes))
        yield f"- {case.name}: {said}"


def version(args):
    said = subprocess.run([f"{args.build}/analyzer/stepwell", "--version"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    return said.splitlines()[0]


def conditions(args):
    """How it was made, without which the figures mean nothing."""
    words = [version(args), time.strftime("%Y-%m-%d"),
             f"{len(os.sched_getaffinity(0))} CPUs",
             f"Linux {platform.release()}",
             f"period {args.period or 'default'}"]
    if args.length != 1:
        words.append(f"cases {args.length:g} times as long")
    if args.beside:
        words.append(f"beside `{args.beside}`")
    if args.user:
        words.append(f"as {args.user}")
    if args.repeat > 1:
        words.append(f"{args.repeat} rounds; the table is of the first")
    return ", ".join(words) + "."


def page(rounds, made_how):
    every = sum(rounds, [])
    yield INTRODUCTION
    yield "\n" + made_how
    yield "\n## Totals\n"
    yield from of_totals(every)
    yield "\n## Cases\n"
    yield from of_table(rounds[0])
    details = list(of_details(rounds[0]))
    if details:
        yield "\n## Numbers and causes that are off\n"
        yield from details
    differing = list(of_repeats(rounds))
    if differing:
        yield "\n## Not the same in each round\n"
        yield from differing


def write(args, rounds):
    text = "\n".join(page(rounds, conditions(args))) + "\n"
    with open(args.table, "w", encoding="utf-8") as file:
        file.write(text)
