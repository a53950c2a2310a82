# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of the ward, and its totals.

A finding that is not expected is forbidden; one with ! is named so by the case.
"others" is how many CPUs were used by what is not of the ward; what is true only
because of these has a ~.
"""
from ward import peers

HEADER = ("case", "expected", "got", "forbidden", "off", "bottleneck", "share",
          "others", "seff CPU/mem", "jobstats", "")


def alternatives(sets):
    return " ".join("|".join(sorted(ids)) for ids in sets) or "-"


def bottleneck_cell(verdict):
    wanted = "|".join(sorted(verdict.case.bottleneck))
    if verdict.is_bottleneck_right:
        is_own = verdict.bottleneck in verdict.case.bottleneck
        return verdict.bottleneck + ("" if is_own else "~")
    return f"{verdict.bottleneck}, not {wanted}"


def percent(value):
    return "-" if value is None else f"{100 * value:.0f}%"


def row(verdict):
    case = verdict.case
    if verdict.skipped or verdict.broken:
        why = (f"skipped: {verdict.skipped}" if verdict.skipped
               else f"BROKEN: {verdict.broken}")
        return (case.name, alternatives(case.must), why) + ("",) * 8
    shown = [f"{name}!" if name in case.never else name
             for name in verdict.forbidden]
    got = [name if name in case.known else f"{name}~"
           for name in verdict.found if name not in verdict.forbidden]
    off = len(verdict.off) + len(verdict.unsaid)
    return (case.name, alternatives(case.must), " ".join(got) or "-",
            " ".join(shown) or "-",
            str(off) if off else "-", bottleneck_cell(verdict),
            percent(verdict.share), f"{verdict.others:.1f}",
            f"{percent(verdict.peers.cpu)} / {percent(verdict.peers.memory)}",
            " ".join(verdict.peers.notes) or "-",
            "" if verdict.is_right else "<-")


def lines(verdicts):
    rows = [HEADER] + [row(verdict) for verdict in verdicts]
    # The reason of a skip may be longer than its column.
    widths = [max(len(cells[i]) for cells in rows if any(cells[3:]) or i != 2)
              for i in range(len(HEADER))]
    for cells in rows:
        yield "  ".join(cell.ljust(width)
                        for cell, width in zip(cells, widths)).rstrip()


def details(verdicts):
    """What the table has no room for."""
    for verdict in verdicts:
        for text in verdict.off:
            yield f"{verdict.case.name}: {text}"
        for text in verdict.unsaid:
            yield f"{verdict.case.name}: no sentence of {text}"


def ratio(part, whole):
    return f"{part} of {whole}" + (f" ({part / whole:.2f})" if whole else "")


def peer_totals(ran):
    notes = [(note, v) for v in ran for note in v.peers.notes]
    right = {v.case.name for note, v in notes if peers.is_right(note, v.case)}
    ill = [v for v in ran if not v.case.is_healthy]
    wrong = [1 for note, v in notes if not peers.is_right(note, v.case)]
    healthy = [v for v in ran if v.case.is_healthy]
    noted = [v for v in healthy if v.peers.notes]
    yield ("jobstats points at the illness", ratio(len(right), len(ill)))
    yield ("jobstats notes that point elsewhere", f"{len(wrong)}, in "
           f"{ratio(len(noted), len(healthy))} healthy cases")
    yield ("seff", "two numbers, no judgment: the column above")


def own_totals(ran):
    ill = [v for v in ran if not v.case.is_healthy]
    healthy = [v for v in ran if v.case.is_healthy]
    excused = sum(len(v.excused) for v in ran)
    wanted = sum(len(v.case.must) for v in ran) - excused
    missed = sum(len(v.missed) for v in ran)
    false = sum(len(v.forbidden) for v in ran)
    numbers = sum(len(v.case.numbers) for v in ran)
    off = sum(len(v.off) for v in ran)
    says = sum(len(v.case.says + v.case.first + v.case.avoid) for v in ran)
    yield ("sensitivity", ratio(wanted - missed, wanted) + " findings")
    if excused:
        yield ("not asked of starved runs", f"{excused} findings")
    yield ("first finding right",
           ratio(sum(v.is_first_right for v in ill), len(ill)) + " ill cases")
    yield ("false findings", f"{false}, in "
           f"{sum(bool(v.forbidden) for v in ran)} cases")
    yield ("healthy without a finding", ratio(
        sum(not v.forbidden for v in healthy), len(healthy)))
    yield ("bottleneck right",
           ratio(sum(v.is_bottleneck_right for v in ran), len(ran)))
    yield ("first line helpful",
           ratio(sum(v.is_helpful for v in ran), len(ran)))
    yield ("numbers right", ratio(numbers - off, numbers))
    yield ("causes named", ratio(
        says - sum(len(v.unsaid) for v in ran), says))
    yield ("wholly right", ratio(sum(v.is_right for v in ran), len(ran)))


def short_totals(ran):
    wanted = sum(len(v.case.must) - len(v.excused) for v in ran)
    missed = sum(len(v.missed) for v in ran)
    yield ("found", ratio(wanted - missed, wanted))
    yield ("false", f"{sum(len(v.forbidden) for v in ran)}, in "
           f"{ratio(sum(bool(v.forbidden) for v in ran), len(ran))} cases")
    yield ("verdict right",
           ratio(sum(v.is_bottleneck_right for v in ran), len(ran)))
    yield ("first line helpful",
           ratio(sum(v.is_helpful for v in ran), len(ran)))


def totals(verdicts):
    ran = [v for v in verdicts if not v.skipped and not v.broken]
    quiet = [v for v in ran if not v.is_disturbed]
    yield ("cases", f"{len(ran)} run, "
           f"{sum(bool(v.skipped) for v in verdicts)} skipped, "
           f"{sum(bool(v.broken) for v in verdicts)} broken")
    yield from own_totals(ran)
    if len(quiet) < len(ran):
        yield ("", "")
        yield ("of these undisturbed", str(len(quiet)))
        yield from own_totals(quiet)
        yield ("", "")
    yield from peer_totals(ran)


def show(verdicts, out):
    for line in lines(verdicts):
        print(line, file=out)
    print(file=out)
    for line in details(verdicts):
        print(line, file=out)
    print(file=out)
    for name, value in totals(verdicts):
        print(f"{name + ':':38}{value}" if name else "", file=out)
