# SPDX-License-Identifier: GPL-2.0-or-later
"""Variants of healthy jobs: phases in any order, none of which is an illness.
Each function draws one; its name is the kind."""
from ward import scripts


def pieces(draw, cached):
    """Short things that jobs do between computing."""
    draw.prepare(f"head -c {cached << 20} /dev/urandom >cached")
    written = draw.number(8, 32)
    found = draw.pick("grep -q nowhere /etc/passwd", "cmp -s cached /etc/group",
                      "diff -q /etc/passwd /etc/group >/dev/null")
    return {
        "read": "cat cached >/dev/null",
        "write": f"head -c {written << 20} /dev/zero >written",
        "copy": "cp cached copy",
        "pipe": "{ sleep 0.4; echo ready; } | cat >/dev/null",
        "status": f"{found} || true",
        "list": "find /etc -maxdepth 1 >listed",
        "count": "wc -l cached >/dev/null",
    }


def chain(draw, v):
    """Segments that compute, and short pieces between them."""
    v.truth = "computes, and between that reads, writes and waits shortly"
    v.never = "io.stalled progress.waiting cpu.idle_middle program.failed"
    between = pieces(draw, draw.number(10, 60))
    names = draw.order(between)[:draw.number(2, 5)]
    segments = draw.number(2, 4)
    seconds = max(3, draw.number(12, 34) // segments)
    parts = [draw.burn(seconds) for _ in range(segments)]
    v.how += names
    v.job = draw.order(parts + [between[name] for name in names])


def staged(draw, v):
    v.truth = "copies its input, computes, and copies its result"
    v.never = "io.stalled io.saturated cpu.idle_start"
    size = draw.number(20, 80)
    draw.prepare(f"head -c {size << 20} /dev/urandom >input")
    copy = draw.pick("cp input work", "cat input >work",
                     "dd if=input of=work bs=1M status=none")
    v.job = [copy, draw.burn(draw.number(12, 30)), "cp work result"]


def single(draw, v):
    seconds = draw.number(10, 40)
    v.truth = f"one process computes for {seconds} s on the one CPU requested"
    v.number = ["cpu.used_core_seconds $cpu 10%"]
    v.job = [draw.burn(seconds), "tell_cpu"]


def team(draw, v):
    """As many tasks as CPUs, of the same length."""
    seconds = draw.number(10, 30)
    v.truth = f"two equal tasks of {seconds} s on two CPUs"
    v.request = "--cpus 2"
    v.never = "cpu.imbalance cpu.oversubscribed cpu.over_allocated"
    v.busy = 2
    v.needs = ["cpus:2"]
    v.number = ["cpu.used_core_seconds $cpu 10%"]
    v.job = [draw.crew(2, seconds), "tell_cpu"]


def tasks(draw, v):
    """More tasks than CPUs, two at a time."""
    count = 2 * draw.number(6, 15)
    v.truth = f"{count} short tasks, two at a time, on two CPUs"
    v.request = "--cpus 2"
    v.never = "cpu.fork_heavy cpu.imbalance"
    v.busy = 2
    v.needs = ["cpus:2"]
    kind = draw.crew_kind(("make", "xargs"))
    how = draw.language(("perl", "python"))
    # The tasks stay as long; there are more of them.
    v.job = [f'"$WARD_SOURCE/programs/crew" {kind} {how} "$(long {count})" 1 2']


def database(draw, v):
    rows = draw.number(50, 200) * 1000
    v.truth = f"a database of {rows} rows is made, indexed and queried"
    v.never = "io.tiny"
    v.needs = ["sqlite3"]
    draw.use("sqlite")
    draw.prepare(
        "sqlite3 data.db 'CREATE TABLE t (k INTEGER, v INTEGER);\n"
        "\tWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL\n"
        f"\t\tSELECT i + 1 FROM n WHERE i < {rows})\n"
        "\tINSERT INTO t SELECT i, abs(random() % 1000) FROM n;\n"
        "\tCREATE INDEX by_v ON t (v);'")
    seconds = draw.number(10, 25)
    query = (f"repeat {seconds} sqlite3 data.db 'SELECT count(*), "
             "sum(a.v * b.v) FROM t a JOIN (SELECT * FROM t LIMIT 9) b "
             "ON a.v % 7 = b.v % 7;'")
    v.job = draw.order([query, draw.burn(draw.number(4, 12)),
                        "cp data.db copy.db"])


def text(draw, v):
    """A pipe of tools of which one computes."""
    lines = draw.number(5, 20) * 1000
    v.truth = f"awk computes on {lines} lines of a pipe; the others wait for it"
    v.never = "progress.waiting io.stalled cpu.oversubscribed"
    draw.use("awk", "pipe", needs=["awk"])
    pipe = (f"seq {lines} | awk '{{ for (i = 0; i < 400; i++) s += i % 9 }} "
            "END { print s }'")
    v.job = [f"all() {{ {pipe}; }}"] + draw.order([
        f"repeat {draw.number(10, 25)} all", draw.burn(draw.number(3, 9))])


def archive(draw, v):
    size = draw.number(10, 30)
    v.truth = f"{size} MiB are packed again and again by one compressor"
    v.never = "io.stalled progress.waiting"
    compressor = draw.pick("gzip -6", "bzip2", "xz -2 -T1")
    draw.use(compressor.split()[0], "tar", needs=[compressor.split()[0], "tar"])
    draw.prepare("mkdir folder")
    draw.prepare(f"base64 /dev/urandom | head -c {size << 20} >folder/data")
    v.job = [f"all() {{ tar -cf - folder | {compressor} >packed; }}",
             f"repeat {draw.number(14, 30)} all"]


def memory_fit(draw, v):
    requested = draw.pick(384, 512, 768)
    held = round(requested * draw.number(72, 82) / 100)
    v.truth = f"holds {held} of {requested} MiB requested, and computes"
    v.request = f"--cpus 1 --mem {requested}M"
    v.never = "memory.near_limit memory.over_allocated memory.growth"
    v.number = [f"memory.need_bytes {held << 20} 8%"]
    hold(draw, v, held)


def pauses(draw, v):
    """Rests that are nothing beside the work."""
    v.truth = "computes, and waits for less than a tenth of the time"
    v.never = "cpu.idle_middle progress.waiting cpu.over_allocated"
    for _ in range(draw.number(2, 4)):
        pause = draw.pick("sleep 0.4", "{ sleep 0.4; echo; } | cat >/dev/null")
        v.job += [draw.burn(draw.number(5, 9)), pause]


def hold(draw, v, mib):
    """Memory that is filled at once, and then work."""
    seconds = draw.number(10, 25)
    v.job = [f'{draw.program(scripts.HOLD)} {mib} "$(long {seconds})"']


KINDS = (chain, staged, single, team, tasks, database, text, archive,
         memory_fit, pauses)
