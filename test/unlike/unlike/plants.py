# SPDX-License-Identifier: GPL-2.0-or-later
"""Ways in which a run differs from those before it, and what has to be said."""
import dataclasses
import typing

LATER = ("cksum", "fold", "nl", "od", "rev", "sum", "tac", "uniq")
SLOWER = r"(took|used|waited|limited by)"


@dataclasses.dataclass(frozen=True)
class Plant:
    name: str
    change: typing.Callable     # of a pipeline and a generator: another one
    says: typing.Callable       # of both: a regex of the first difference
    base: typing.Callable = lambda pipeline: pipeline
    beside: str = ""            # a regex of the first line
    needs: str = ""


def options(pipeline, part, **changed):
    """The pipeline with other options of a tool."""
    field = f"{part}_options"
    return pipeline.changed(**{field: getattr(pipeline, field) | changed})


def more_work(pipeline, factor):
    for part in "first", "middle", "worker":
        work = getattr(pipeline, f"{part}_options")["work"]
        pipeline = options(pipeline, part, work=int(factor * work))
    return pipeline


def failing_worker(pipeline, rng):
    number = rng.randrange(pipeline.workers)
    return options(pipeline, "worker", fail=f"part.{number:03}")


def left_out(pipeline, rng):
    return pipeline.changed(left_out=rng.choice(
        [name for name in pipeline.order if name != "grep"]))


def additional(pipeline, rng):
    return pipeline.changed(last=f"{rng.choice(LATER)} a.txt > later")


def other_work(pipeline, factor):
    work = pipeline.middle_options["work"]
    return options(pipeline, "middle", work=int(factor * work))


def other_workers(pipeline, factor):
    return pipeline.changed(workers=int(factor * pipeline.workers))


PLANTS = (
    Plant("input missing",
          lambda p, rng: p.changed(has_input=False),
          lambda p: f"{p.first} (ended with status|failed|exited)",
          base=lambda p: options(options(p, "middle", strict=1),
                                 "worker", strict=1)),
    Plant("one worker fails", failing_worker,
          lambda p: f"{p.worker} (ended with status 3|failed once .*status 3)"),
    Plant("half of the output",
          lambda p, rng: options(p, "middle", share=0.5),
          lambda p: f"{p.middle} wrote"),
    Plant("writes nothing",
          lambda p, rng: options(p, "middle", share=0),
          lambda p: f"{p.middle} wrote 0 B"),
    Plant("a program left out", left_out,
          lambda p: f"{p.left_out} did not run"),
    Plant("twice the bytes read",
          lambda p, rng: p.changed(digested=2),
          lambda p: f"{p.digest} read"),
    Plant("ten times the bytes read",
          lambda p, rng: p.changed(digested=10),
          lambda p: f"{p.digest} read"),
    Plant("one CPU less",
          lambda p, rng: p.changed(cpus=1, bound="0"),
          lambda p: SLOWER, beside="1 CPU instead of 2", needs="cpus",
          base=lambda p: options(p, "worker", work=400).changed(at_once=4)),
    Plant("another kind of node",
          lambda p, rng: more_work(p, 2).changed(model="Atom N270"),
          lambda p: SLOWER, beside="a node of another kind"),
    Plant("a slower mount",
          lambda p, rng: p.changed(mount="write=40"),
          lambda p: SLOWER, needs="fuse",
          base=lambda p: p.changed(mount="write=5")),
    Plant("another mount, which is slower",
          lambda p, rng: p.changed(mount="write=40", results="elsewhere"),
          lambda p: SLOWER, beside="another main mount", needs="fuse",
          base=lambda p: p.changed(mount="write=5")),
    Plant("more memory",
          lambda p, rng: options(p, "middle", memory=48),
          lambda p: "needed"),
    Plant("an earlier end",
          lambda p, rng: options(p, "middle", stop=0.2),
          lambda p: f"{p.middle} (read|wrote|used)"),
    Plant("another exit status",
          lambda p, rng: p.changed(archived=" missing"),
          lambda p: "tar (ended with status|exited with) 2"),
    Plant("an answer becomes an error",
          lambda p, rng: p.changed(searched="missing"),
          lambda p: "grep ended with status 2"),
    Plant("the run fails",
          lambda p, rng: p.changed(last="exit 5"),
          lambda p: "(sh ended with status|the run failed with exit code) 5"),
    Plant("killed by a signal",
          lambda p, rng: options(p, "middle", kill=rng.uniform(0.3, 0.7)),
          lambda p: f"{p.middle} was killed by SIGKILL"),
    Plant("an additional program", additional,
          lambda p: f"{p.last.split()[0]} ran, as in none"),
    Plant("more CPU time",
          lambda p, rng: other_work(p, 3),
          lambda p: f"{p.middle} used"),
    Plant("sleeps instead of working",
          lambda p, rng: options(p, "middle", work=0, sleep=0.2),
          lambda p: f"({p.middle} used|limited by waiting)"),
    Plant("fewer processes",
          lambda p, rng: other_workers(p, rng.uniform(0.5, 0.9)),
          lambda p: f"{p.worker} ran"),
    Plant("more processes",
          lambda p, rng: other_workers(p, rng.uniform(1.5, 3)),
          lambda p: f"{p.worker} ran"),
    Plant("restarted half way",
          lambda p, rng: p.changed(
              again=p.middle_line(stop=rng.uniform(0.3, 0.7))),
          lambda p: f"{p.middle} ran 2 times"),
    Plant("waits for a lock",
          lambda p, rng: p.changed(lock_seconds=rng.uniform(1.5, 2)),
          lambda p: SLOWER),
)
