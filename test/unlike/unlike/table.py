# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of what was said, and its totals."""
SORTS = (("planted", "planted differences named first"),
         ("healthy", "healthy runs not called different"),
         ("equal", "equal pairs not called different"))


def rows(verdicts):
    """Each planted one, and of the others those that are wrong."""
    for verdict in verdicts:
        if verdict.case.why:
            yield verdict.case.name, "skipped", verdict.case.why
        elif verdict.case.sort == "planted" or not verdict.is_right:
            yield (verdict.case.name, "" if verdict.is_right else "<-",
                   verdict.line if verdict.case.sort == "planted" else
                   verdict.sentence)


def totals(verdicts):
    for sort, words in SORTS:
        ran = [verdict for verdict in verdicts
               if verdict.case.sort == sort and not verdict.case.why]
        if ran:
            right = sum(verdict.is_right for verdict in ran)
            yield words, f"{right} of {len(ran)}"


def show(verdicts, out):
    for name, mark, line in rows(verdicts):
        print(f"{name:30} {mark:3} {line}", file=out)
    print(file=out)
    for words, number in totals(verdicts):
        print(f"{words + ':':36}{number}", file=out)
