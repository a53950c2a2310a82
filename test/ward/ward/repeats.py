# SPDX-License-Identifier: GPL-2.0-or-later
"""What differs between rounds of the same cases."""
from ward import table


def outcome(verdict):
    """In words that differ where what was said differs."""
    if verdict.skipped or verdict.broken:
        return "skipped" if verdict.skipped else f"BROKEN: {verdict.broken}"
    said = " ".join(sorted(verdict.found)) or "-"
    return (f"{'right' if verdict.is_right else 'wrong'}: {said}; "
            f"{verdict.bottleneck}")


def unstable(rounds):
    """(case, the outcome of each round) of those that were not the same."""
    for verdicts in zip(*rounds):
        outcomes = [outcome(verdict) for verdict in verdicts]
        if len(set(outcomes)) > 1:
            yield verdicts[0].case, outcomes


def show(rounds, out):
    print(f"\nAll {len(rounds)} rounds:", file=out)
    for name, value in table.totals(sum(rounds, [])):
        print(f"{name + ':':38}{value}" if name else "", file=out)
    differing = list(unstable(rounds))
    print(f"\nNot stable: {table.ratio(len(differing), len(rounds[0]))} cases",
          file=out)
    for case, outcomes in differing:
        for said in dict.fromkeys(outcomes):
            times = table.ratio(outcomes.count(said), len(outcomes))
            print(f"  {case.name}: {times}: {said}", file=out)
