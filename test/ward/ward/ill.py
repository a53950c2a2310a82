# SPDX-License-Identifier: GPL-2.0-or-later
"""Variants of jobs with one illness each.  What they have to be called follows
from what was drawn, never from what stepwell said of one.  Each function draws
one; its name is the kind."""
from ward import scripts
from ward.draw import EXACT, SINGLE


def too_many_cpus(draw, v):
    tasks = draw.number(1, 2)
    requested = draw.pick(6, 8, 12) if tasks == 2 else draw.pick(4, 6, 8)
    seconds = draw.number(12, 35)
    v.truth = f"{tasks} of {requested} CPUs requested are used"
    v.request = f"--cpus {requested}"
    v.must = "cpu.over_allocated|cpu.single_threaded"
    v.never = "io.stalled progress.waiting memory.over_allocated"
    v.busy = tasks
    v.needs = [f"cpus:{tasks}"]
    v.number = ["cpu.used_core_seconds $cpu 10%"]
    work = draw.burn(seconds) if tasks == 1 else draw.crew(tasks, seconds)
    v.job = [work, "tell_cpu"]


def serial_phase(draw, v):
    alone, both = draw.number(10, 16), draw.number(6, 10)
    v.truth = f"one task for {alone} s, two for {both} s, on two CPUs"
    v.request = "--cpus 2"
    v.must = "cpu.serial_phase"
    v.never = "cpu.over_allocated cpu.single_threaded"
    v.busy = 2
    v.needs = ["cpus:2"]
    v.job = draw.order([draw.burn(alone), draw.crew(2, both)])


def rest(draw, seconds):
    how = draw.pick("sleep", "program", "pipe")
    if how == "program":
        return f'{draw.program(scripts.REST)} "$(long {seconds})"'
    draw.use(how)
    sleep = f'sleep "$(long {seconds})"'
    return sleep if how == "sleep" else f"{{ {sleep}; echo; }} | cat"


def idle(draw, v, where):
    total = draw.number(20, 36)
    quiet = round(total * draw.number(32, 42) / 100)
    v.truth = f"does nothing for {quiet} of {total} s, at the {where}"
    v.must = f"cpu.idle_{where}"
    v.may = "progress.waiting"
    v.never = "io.stalled cpu.over_allocated"
    nothing = rest(draw, quiet)
    work = total - quiet
    if where == "middle":
        first = round(work * draw.number(40, 60) / 100)
        v.job = [draw.burn(first), nothing, draw.burn(work - first)]
    else:
        v.job = [nothing, draw.burn(work)]
        if where == "tail":
            v.job.reverse()


def idle_start(draw, v):
    idle(draw, v, "start")


def idle_middle(draw, v):
    idle(draw, v, "middle")


def idle_tail(draw, v):
    idle(draw, v, "tail")


def oversubscribed(draw, v):
    each = draw.number(5, 9)
    v.truth = f"{each} tasks for each CPU of this machine; two CPUs requested"
    v.request = "--cpus 2"
    v.must = "cpu.oversubscribed"
    v.never = "cpu.starved cpu.over_allocated"
    v.busy = 64
    v.job = [draw.crew(f"$(({each} * $(nproc)))", draw.number(12, 20),
                       ("perl", "python", "awk"))]


def imbalance(draw, v):
    """Rounds in which one of two tasks has much less to do."""
    rounds, most = draw.number(4, 7), draw.number(3, 4)
    least = round(most * draw.number(15, 35) / 100, 1)
    v.truth = f"{rounds} rounds: one task for {most} s, the other for {least} s"
    v.request = "--cpus 2"
    v.must = "cpu.imbalance|cpu.serial_phase|cpu.idle_tail"
    v.never = "cpu.over_allocated lock.contended"
    v.busy = 1.5
    v.needs = ["cpus:2"]
    how = draw.language(EXACT)
    burn = f'"$WARD_SOURCE/programs/burn" {how}'
    v.job = [f"for ((i = $(long {rounds}); i > 0; i--)); do",
             f"\t{burn} {most} &", f"\t{burn} {least} &", "\twait", "done"]


def packed(draw, v):
    seconds = draw.number(12, 25)
    v.truth = "two tasks are bound to one of the two CPUs requested"
    v.request = "--cpus 2"
    v.must = "place.packed|place.too_few_cpus"
    v.never = "cpu.starved cpu.over_allocated"
    v.needs = ["cpus:2", "taskset"]
    v.job = ["taskset -pc \"$(taskset -pc $BASHPID | "
             "sed 's/.*[ ,-]//')\" $BASHPID >/dev/null",
             draw.crew(2, seconds)]


def reader(draw, path):
    how = draw.pick("cat", "sha256sum", "cp", "wc", "program")
    if how == "program":
        return f"{draw.program(scripts.READ)} {path}"
    draw.use(how)
    return {"cat": f"cat {path} >/dev/null", "wc": f"wc -l {path}",
            "sha256sum": f"sha256sum {path}",
            "cp": f"cp {path} copy"}[how]


def slow_mount(draw, v, operation, delay, size):
    draw.prepare(f"slow_mount slow {operation}={delay} data={size}")
    v.needs = ["fuse"]
    v.bottleneck = "io"
    v.busy = 0.3
    v.never = "progress.waiting progress.frozen cpu.over_allocated"


def slow_read(draw, v):
    delay, seconds = draw.number(30, 120), draw.number(20, 35)
    v.truth = f"reads from a mount that takes {delay} ms for 128 KiB"
    v.must = "io.stalled|io.saturated"
    slow_mount(draw, v, "read", delay,
               f'"$(long {seconds * 1000 // delay * 131072})"')
    v.job = [reader(draw, "slow/data")]


def slow_read_compute(draw, v):
    """Most of the time goes into reading, in an order that was drawn."""
    delay, total = draw.number(30, 120), draw.number(24, 36)
    reading = round(total * draw.number(65, 80) / 100)
    size = reading * 1000 // delay
    v.truth = f"reads for {reading} s from a slow mount, computes for the rest"
    v.must = "io.stalled|io.saturated"
    slow_mount(draw, v, "read", delay, f'"$(long {size * 131072})"')
    v.busy = 0.5
    v.job = draw.order([reader(draw, "slow/data"),
                        draw.burn(total - reading)])


def slow_write(draw, v):
    delay = draw.number(30, 100)
    v.truth = f"writes to a mount that takes {delay} ms each time"
    v.must = "io.stalled|io.saturated"
    slow_mount(draw, v, "write", delay, 16777216)
    v.job = [f'{draw.program(scripts.WRITE)} slow/data '
             f'"$(long {draw.number(12, 25)})"']


def sync_writes(draw, v):
    delay, size = draw.number(15, 60), draw.pick(50, 100, 500, 4000)
    v.truth = f"syncs after every {size} bytes, which takes {delay} ms"
    v.must = "io.tiny|io.stalled"
    v.may = "io.tiny io.stalled"
    slow_mount(draw, v, "fsync", delay, 4096)
    v.job = [f'{draw.program(scripts.SYNC)} slow/data '
             f'"$(long {draw.number(12, 25)})" {size}']


def slow_metadata(draw, v):
    delay = draw.number(50, 150)
    operation = draw.pick("open", "getattr,lookup")
    v.truth = f"each {operation} of a mount takes {delay} ms"
    v.must = "io.stalled|io.many_files"
    slow_mount(draw, v, operation, delay, 1048576)
    v.job = [f'{draw.program(scripts.OPEN if operation == "open" else scripts.STAT)} '
             f'slow/data "$(long {draw.number(12, 25)})"']


def many_files(draw, v):
    size = draw.number(1, 100)
    v.truth = f"makes and reads files of {size} bytes, thousands in a second"
    v.must = "io.many_files"
    v.may = "io.stalled io.tiny"
    v.bottleneck = "cpu|io"
    v.job = [f'{draw.program(scripts.FILES)} "$(long {draw.number(12, 25)})" {size}']


def tiny_writes(draw, v):
    size = draw.pick(8, 16, 32, 64)
    v.truth = f"writes {size} bytes with each system call"
    v.must = "io.tiny"
    v.never = "io.stalled"
    v.number = ["io.call_written_bytes $bytes 5%"]
    v.job = [f'{draw.program(scripts.TINY)} "$(long {draw.number(12, 25)})" {size} '
             '>>"$WARD_TRUTH"']


def contended(draw, v):
    tasks = draw.number(3, 6)
    hold = draw.pick(0.01, 0.02, 0.05)
    v.truth = f"{tasks} tasks that compute only with the one lock of a file"
    v.request = f"--cpus {tasks}"
    v.must = "lock.contended|cpu.single_threaded|cpu.over_allocated"
    v.never = "cpu.oversubscribed cpu.starved io.stalled"
    v.bottleneck = "lock"
    v.job = [f'{draw.program(scripts.LOCKED)} "$(long {draw.number(12, 25)})" '
             f"{tasks} {hold}"]


def waiting(v, resource):
    v.must = "progress.waiting|progress.frozen"
    v.never = "io.stalled cpu.over_allocated cpu.starved"
    v.bottleneck = resource
    v.busy = 0.1


def wait_timer(draw, v):
    seconds = draw.number(16, 35)
    v.truth = f"sleeps for {seconds} s, and does nothing else"
    waiting(v, "wait")
    v.job = [rest(draw, seconds)]


def wait_pipe(draw, v):
    seconds = draw.number(16, 35)
    v.truth = f"reads for {seconds} s from a pipe that stays empty"
    waiting(v, "wait")
    reader_of = draw.pick("cat", "awk", "sort", "read")
    draw.use(reader_of)
    draw.prepare("mkfifo pipe")
    draw.prepare(f'{{ sleep "$(long {seconds})"; echo; }} >pipe &')
    v.job = [{"cat": "cat pipe", "awk": "awk '{ print }' pipe",
              "sort": "sort pipe", "read": "read -r _ <pipe"}[reader_of]]


def wait_lock(draw, v):
    seconds = draw.number(18, 35)
    v.truth = f"another job holds the lock of a file for {seconds} s"
    waiting(v, "lock")
    v.needs = ["flock"]
    draw.prepare("touch lock")
    draw.prepare(f'flock lock sleep "$(long {seconds})" &')
    draw.prepare("until ! flock -n lock true; do sleep 0.1; done")
    v.job = [draw.program(scripts.WAIT_LOCK)]


def wait_peer(draw, v):
    v.truth = "waits for an answer from a socket that does not come"
    waiting(v, "network|wait")
    v.may = "net.bound"
    v.job = [f'{draw.program(scripts.WAIT_PEER)} "$(long {draw.number(16, 35)})"']


def stopped(draw, v):
    seconds = draw.number(14, 25)
    v.truth = f"its program is stopped by a signal for {seconds} s"
    waiting(v, "wait")
    v.busy = 0.4
    how = draw.language(SINGLE)
    v.job = [f'"$WARD_SOURCE/programs/burn" {how} 5 &', "sleep 2",
             "kill -STOP %1", f'sleep "$(long {seconds})"', "kill -CONT %1",
             "wait"]


def memory_over(draw, v):
    requested, held = draw.pick(3, 4, 6, 8), draw.number(150, 400)
    v.truth = f"{held} MiB of {requested} GiB requested are needed"
    v.request = f"--cpus 1 --mem {requested}G"
    v.must = "memory.over_allocated"
    v.never = "cpu.over_allocated memory.growth"
    v.number = [f"memory.need_bytes {held << 20} 10%"]
    v.job = [f'{draw.program(scripts.HOLD)} {held} "$(long {draw.number(10, 25)})"']


def memory_near(draw, v):
    requested = draw.pick(384, 512, 640)
    held = round(requested * draw.number(945, 960) / 1000)
    v.truth = f"{held} MiB and an interpreter in {requested} MiB requested"
    v.request = f"--cpus 1 --mem {requested}M"
    v.must = "memory.near_limit"
    v.never = "memory.over_allocated memory.growth"
    v.number = [f"memory.need_bytes {held << 20} 5%"]
    v.job = [f'{draw.program(scripts.HOLD)} {held} "$(long {draw.number(10, 25)})"']


def memory_growth(draw, v):
    requested = draw.pick(384, 512, 768)
    held = round(requested * draw.number(72, 85) / 100)
    seconds = draw.number(20, 35)
    v.truth = f"grows all the time, to {held} of {requested} MiB"
    v.request = f"--cpus 1 --mem {requested}M"
    v.must = "memory.growth"
    v.never = "memory.over_allocated"
    v.number = [f"memory.need_bytes {held << 20} 10%"]
    v.job = [f'{draw.program(scripts.GROW)} {held} "$(long {seconds})"']


# What it says of a file that is not there; each has a status that is no answer.
FAILS = {"awk": "awk '{ print }' missing.tsv", "perl": "perl missing.pl",
         "python": "python3 missing.py", "sort": "sort missing.txt",
         "tar": "tar -xf missing.tar", "gzip": "gzip -dc missing.gz",
         "make": "make -f missing.mk"}


def failed(draw, v):
    tool = draw.pick(*sorted(FAILS))
    program = FAILS[tool].split()[0]
    v.truth = f"{tool} fails for a file that is missing; the job goes on"
    v.must = "program.failed"
    v.never = "program.killed"
    v.says = [f"program.failed {tool}.*missing"]
    draw.use(tool, needs=[program])
    others = [how for how in SINGLE if how != tool]
    parts = [draw.burn(draw.number(10, 20), others), FAILS[tool]]
    if draw.pick(0, 1):
        parts.append(draw.burn(draw.number(4, 12), others))
    v.job = draw.order(parts) + ["true"]


def killed(draw, v):
    number, name = draw.pick((11, "SEGV|segmentation"), (6, "ABRT|abort"),
                             (7, "BUS|bus"), (8, "FPE|floating"))
    v.truth = f"a program is ended by signal {number}; the job goes on"
    v.must = "program.killed"
    v.never = "program.failed"
    script = draw.program(scripts.KILL)
    v.says = [f"program.killed (?i){script[:4]}.*({name})"]
    others = [how for how in SINGLE if how not in v.how]
    v.job = draw.order([f"{script} {number}",
                        draw.burn(draw.number(10, 22), others)]) + ["true"]


def storm(draw, v):
    seconds = draw.number(12, 25)
    v.truth = "starts one short program after another, and nothing else"
    v.must = "cpu.fork_heavy"
    v.never = "program.failed io.many_files"
    how = draw.pick("xargs", "find", "program")
    if how == "program":
        v.job = [f'{draw.program(scripts.STORM)} "$(long {seconds})"']
        return
    draw.use(how)
    one = {"xargs": "seq 1000 | xargs -n 1 /bin/true",
           "find": "find /usr/lib -maxdepth 1 -exec /bin/true {} \\;"}[how]
    v.job = [f"all() {{ {one}; }}", f"repeat {seconds} all"]


def throttled(draw, v):
    percent, seconds = draw.number(30, 70), draw.number(14, 28)
    v.truth = f"a quota of {percent} % of one CPU, all of which is used"
    v.must = "cpu.throttled"
    v.never = "cpu.over_allocated cpu.starved program.failed"
    v.needs = ["cgroup"]
    v.number = [f"cpu.used_core_seconds $length*{percent * seconds / 100:g} "
                "15%"]
    draw.prepare(f"limit_cpu {percent}")
    v.job = [draw.burn(seconds, EXACT)]


def cache_squeezed(draw, v):
    limit = draw.number(60, 110)
    size = limit * draw.number(25, 35) // 10
    v.truth = f"reads {size} MiB again and again in {limit} MiB of memory"
    v.must = "memory.cache_squeezed|memory.thrashing"
    v.may = "io.stalled io.saturated"
    v.never = "memory.over_allocated"
    v.bottleneck = "io|memory"
    v.needs = ["cgroup"]
    draw.prepare(f"a_file data {size}")
    draw.prepare(f"limit_memory {limit}")
    draw.use("cat")
    v.job = ["all() { cat data >/dev/null; }",
             f"repeat {draw.number(14, 24)} all"]


def oom(draw, v, finding):
    limit = draw.number(150, 250)
    v.must = finding
    v.may = "memory.near_limit"
    v.needs = ["cgroup"]
    draw.prepare(f"limit_memory {limit}")
    return f'{draw.program(scripts.GROW)} {limit * 4} "$(long {draw.number(24, 40)})"'


def oom_silent(draw, v):
    v.truth = "a program is ended for its memory; the job goes on"
    v.never = "program.killed memory.over_allocated oom.killed"
    v.job = [oom(draw, v, "oom.silent"),
             draw.burn(draw.number(8, 14), ("perl", "shell")), "true"]


def oom_killed(draw, v):
    v.truth = "the job is ended for its memory"
    v.never = "program.killed memory.over_allocated oom.silent"
    v.exit = 137
    v.job = ["exec " + oom(draw, v, "oom.killed")]


def throttled_disk(draw, v):
    rate, seconds = draw.number(5, 12), draw.number(14, 25)
    v.truth = f"reads from a disk that gives {rate} MiB/s"
    v.must = "io.stalled|io.saturated"
    v.never = "progress.waiting cpu.over_allocated"
    v.bottleneck = "io"
    v.busy = 0.3
    v.needs = ["cgroup", "lsblk"]
    draw.prepare(f'a_file data "$(long {rate * seconds})"')
    draw.prepare(f"limit_disk {rate}")
    v.job = [reader(draw, "data")]


def spinning(draw, v):
    v.truth = "asks all the time whether a file is there, and does nothing else"
    v.must = "progress.spinning"
    v.never = "progress.waiting"
    v.job = [f'{draw.program(scripts.SPIN)} "$(long {draw.number(12, 25)})"']


def starved(draw, v):
    each, seconds = draw.number(2, 4), draw.number(12, 25)
    v.truth = f"{each} other tasks on each CPU of this machine"
    v.must = "cpu.starved"
    v.never = "cpu.over_allocated cpu.oversubscribed cpu.throttled"
    v.bottleneck = "node"
    v.busy = 64
    v.prepare = [f"for ((i = {each} * $(nproc); i > 0; i--)); do",
                 f'\t"$WARD_SOURCE/programs/burn" python "$(long {seconds + 8})" &', "done"]
    v.needs = ["python3"]
    v.after = ["jobs -p | xargs kill"]
    v.job = [draw.burn(seconds, SINGLE)]


KINDS = (too_many_cpus, serial_phase, idle_start, idle_middle, idle_tail,
         oversubscribed, imbalance, packed, slow_read, slow_read_compute,
         slow_write, sync_writes, slow_metadata, many_files, tiny_writes,
         contended, wait_timer, wait_pipe, wait_lock, wait_peer, stopped,
         memory_over, memory_near, memory_growth, failed, killed, storm,
         throttled, cache_squeezed, oom_silent, oom_killed, throttled_disk,
         spinning, starved)
