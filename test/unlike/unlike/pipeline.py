# SPDX-License-Identifier: GPL-2.0-or-later
"""A small pipeline of real processes, drawn, and its script."""
import dataclasses

NAMES = ("align", "assemble", "call", "count", "filter", "fold_in", "index",
         "mark", "merge", "normal", "phase", "pileup", "polish", "screen",
         "trim", "vote")
COMPRESSORS = ("gzip -1", "gzip -6", "bzip2 -1", "xz -0", "zstd -q -3")
DIGESTS = ("md5sum", "sha1sum", "sha256sum", "sha512sum")
LINE_BYTES = 64


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """What a run does.  Options are those of tool.pl."""
    first: str
    middle: str
    worker: str
    compressor: str
    digest: str
    order: tuple
    workers: int
    at_once: int
    least_bytes: int    # of inputs, which are up to ten times as large
    is_varied: bool     # otherwise inputs are alike
    is_known: bool      # the size of the input
    results: str = "results"    # the folder
    mount: str = ""     # there: delays of fuse_stall
    first_options: dict = dataclasses.field(default_factory=dict)
    middle_options: dict = dataclasses.field(default_factory=dict)
    worker_options: dict = dataclasses.field(default_factory=dict)
    digested: int = 1   # times that its input is read
    searched: str = "a.txt"
    archived: str = ""  # beside the results
    left_out: str = ""
    again: str = ""     # lines before the middle one
    last: str = ""      # lines at the end
    has_input: bool = True
    lock_seconds: float = 0
    cpus: int = 2
    bound: str = ""     # a list of CPUs
    model: str = ""     # of the CPUs, in the recording

    def tool(self, name, source, options):
        words = [f"{key}={value}" for key, value in options.items()]
        return " ".join([f"../bin/{name} ../tool.pl", source] + words)

    def middle_line(self, **options):
        line = self.tool(self.middle, "a.txt", self.middle_options | options)
        return f"flock ../lock {line} > b.txt"

    def lines(self):
        compressor = self.compressor.split()[0]
        free = {
            compressor: f"{self.compressor} < b.txt > b.packed",
            self.digest: f"{self.digest}{' a.txt' * self.digested} > sums",
            "grep": f"grep -c nowhere {self.searched} > found",
        }
        worker = self.tool(self.worker, "{}",
                           {"out": "{}.out"} | self.worker_options)
        yield self.tool(self.first, "input", self.first_options) + " > a.txt"
        if self.again:
            yield self.again
        yield self.middle_line()
        for name in self.order:
            if name != self.left_out:
                yield free[name]
        yield f"split -n l/{self.workers} -d -a 3 b.txt part."
        yield (f"seq -f part.%03.0f 0 {self.workers - 1} | "
               f"xargs -P {self.at_once} -I {{}} {worker}")
        yield f"tar cf {self.results}/all.tar part.*.out{self.archived}"
        if self.last:
            yield self.last

    def script(self):
        return "".join(f"{line}\n" for line in self.lines())

    def changed(self, **fields):
        return dataclasses.replace(self, **fields)


def draw(rng, is_varied, is_known):
    first, middle, worker = rng.sample(NAMES, 3)
    compressor = rng.choice(COMPRESSORS)
    digest = rng.choice(DIGESTS)
    order = [compressor.split()[0], digest, "grep"]
    rng.shuffle(order)
    return Pipeline(
        first, middle, worker, compressor, digest, tuple(order),
        workers=rng.randrange(12, 61), at_once=rng.randrange(2, 5),
        least_bytes=rng.randrange(150000, 300000),
        is_varied=is_varied, is_known=is_known,
        first_options={"work": rng.randrange(2, 10)},
        middle_options={"work": rng.randrange(60, 100),
                        "memory": rng.randrange(8, 16)},
        worker_options={"work": rng.randrange(2, 10), "fail": "none"})


def draw_bytes(rng, pipeline):
    """Of an input."""
    if pipeline.is_varied:
        return int(pipeline.least_bytes * 10 ** rng.random())
    return int(pipeline.least_bytes * 5 * rng.uniform(0.97, 1.03))


def write_input(rng, path, size):
    with open(path, "wb") as file:
        while file.tell() < size:
            file.write(rng.randbytes(LINE_BYTES // 2 - 1).hex().encode() +
                       b"x\n")
