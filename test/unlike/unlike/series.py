# SPDX-License-Identifier: GPL-2.0-or-later
"""Records series of runs of one pipeline each, and what is beside them."""
import dataclasses
import json
import os
import random
import re

from unlike import pipeline as pipelines, record

PAST = 12       # runs of a series
SERIES = 8      # of healthy runs and pairs


@dataclasses.dataclass
class Case:
    """A run to be judged beside past ones."""
    sort: str           # planted, healthy, equal
    name: str
    run: str            # profiles
    past: list
    says: str = ""      # regexes
    beside: str = ""
    why: str = ""       # it was not recorded


def record_past(args, series, pipeline, rng):
    return [record.record(args, series, pipeline, rng, f"past-{number + 1:02}")
            for number in range(PAST)]


def planted(args, plant, number):
    """A series, and one more run, which differs."""
    rng = random.Random(f"{args.seed} {plant.name}")
    is_varied = (args.seed + number) % 2 == 0
    pipeline = plant.base(pipelines.draw(rng, is_varied, is_varied))
    changed = plant.change(pipeline, rng)
    case = Case("planted", plant.name, "", [], plant.says(changed),
                plant.beside)
    case.why = record.missing(plant.needs)
    if case.why:
        return case
    name = re.sub(r"\W+", "-", plant.name)
    with record.Series(args, name, pipeline) as series:
        case.past = record_past(args, series, pipeline, rng)
        case.run = record.record(args, series, changed, rng, "run")
    return case


def healthy(args, number):
    """A series, with its share of healthy runs and of pairs."""
    rng = random.Random(f"{args.seed} series {number}")
    pipeline = pipelines.draw(rng, True, number % 2 == 0)
    name = f"healthy-{number + 1}"
    with record.Series(args, name, pipeline) as series:
        past = record_past(args, series, pipeline, rng)
        for more in range(number, args.healthy, SERIES):
            run = record.record(args, series, pipeline, rng,
                                f"more-{more + 1:02}")
            yield Case("healthy", f"{name}: run {more + 1}", run, past)
        for pair in range(number, args.pairs, SERIES):
            size = pipelines.draw_bytes(rng, pipeline)
            one, two = (record.record(args, series, pipeline, rng,
                                      f"pair-{pair + 1:02}-{half}", size)
                        for half in (1, 2))
            yield Case("equal", f"{name}: pair {pair + 1}", two, past + [one])


def all_cases(args, plants):
    for number, plant in plants:
        yield planted(args, plant, number)
    for number in range(min(SERIES, max(args.healthy, args.pairs))):
        yield from healthy(args, number)


def keep(args, cases):
    with open(f"{args.out}/cases.json", "w", encoding="utf-8") as file:
        json.dump([dataclasses.asdict(case) for case in cases], file, indent=1)


def kept(args):
    if not os.path.exists(f"{args.out}/cases.json"):
        raise SystemExit(f"{args.out}: nothing was recorded before")
    with open(f"{args.out}/cases.json", encoding="utf-8") as file:
        return [Case(**case) for case in json.load(file)]
