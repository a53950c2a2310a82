# SPDX-License-Identifier: GPL-2.0-or-later
"""Variants of cases, drawn by a seed: the same seed draws the same."""
import glob
import os
import shutil

from ward import case, draw, healthy, ill, table

KINDS = ill.KINDS + healthy.KINDS


def one(kind, seed):
    drawn = draw.Draw(seed)
    drawn.variant.kind = kind.__name__
    kind(drawn, drawn.variant)
    return drawn.variant


def all_of(count, seed):
    """(name, text) of so many; each kind once before any comes again."""
    order = draw.Draw(seed)
    kinds = []
    while len(kinds) < count:
        kinds += order.order(KINDS)
    for number, kind in enumerate(kinds[:count]):
        variant = one(kind, f"{seed}.{number}")
        name = "-".join([f"v{number:03}", variant.kind.replace("_", "-")] +
                        variant.how[:3])
        yield name, variant.text()


def write(folder, count, seed):
    """Their files, which can be given to run-ward one by one."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, text in all_of(count, seed):
        with open(f"{folder}/{name}.sh", "w", encoding="utf-8") as file:
            file.write(text)


def read(folder):
    return [case.read_case(path)
            for path in sorted(glob.glob(f"{folder}/*.sh"))]


def kind_of(verdict):
    """v012-slow-read-perl: the words of the name that its kind has."""
    name = verdict.case.name.split("-", 1)[1]
    return max((kind.__name__ for kind in KINDS
                if name.startswith(kind.__name__.replace("_", "-"))), key=len)


def show(verdicts, out):
    """The totals, and the kinds of which one was wrong."""
    ran = [v for v in verdicts if not v.skipped and not v.broken]
    ill_ones = [v for v in ran if not v.case.is_healthy]
    print(f"\nVariants: {len(ill_ones)} ill, {len(ran) - len(ill_ones)} "
          "healthy", file=out)
    for name, value in table.short_totals(ran):
        print(f"{name + ':':38}{value}", file=out)
    kinds = {}
    for verdict in ran:
        kinds.setdefault(kind_of(verdict), []).append(verdict.is_right)
    for kind, right in sorted(kinds.items()):
        if not all(right):
            print(f"  {kind}: {table.ratio(sum(right), len(right))} right",
                  file=out)
