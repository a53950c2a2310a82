# SPDX-License-Identifier: GPL-2.0-or-later
"""Plays a case below "stepwell run", in a folder and a session of its own."""
import os
import pwd
import shutil
import signal
import subprocess
import threading
import time

from ward import past

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST_SECONDS = 300
# Mounts that nobody else sees, also below a root that is not "/".
APART = ["unshare", "--mount", "--propagation", "unchanged", "sh", "-c",
         "nsenter --mount=/proc/self/ns/mnt mount --make-rprivate / && "
         'exec "$0" "$@"']

running = set()     # the sessions of what is played, and of the load beside


class Broken(Exception):
    """What was recorded is not the case."""


class Skipped(Exception):
    """This machine cannot show it."""


class Processors:
    """No more cases at a time than the processors have room for."""

    def __init__(self, jobs):
        self.free = self.most = 100 * len(os.sched_getaffinity(0))
        self.changed = threading.Condition()
        self.jobs = jobs

    def share_of(self, case):
        """In hundredths, which sums of tenths do not lose."""
        return min(round(100 * case.busy), self.most)

    def claim(self, case):
        with self.changed:
            while self.free < self.share_of(case) or self.jobs == 0:
                self.changed.wait()
            self.free -= self.share_of(case)
            self.jobs -= 1

    def release(self, case):
        with self.changed:
            self.free += self.share_of(case)
            self.jobs += 1
            self.changed.notify_all()


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def environment(args, folder):
    env = dict(os.environ, WARD_DIR=folder, WARD_BUILD=args.build,
               WARD_SOURCE=HERE, WARD_TRUTH=f"{folder}/truth",
               WARD_LENGTH=f"{100 * args.length:.0f}",
               STEPWELL_LIBEXECDIR=f"{args.build}/recorder",
               STEPWELL_HISTORY=f"{folder}/none.sqlite",
               XDG_STATE_HOME=f"{folder}/state",
               XDG_CONFIG_HOME=f"{folder}/config")
    if args.user:
        user = pwd.getpwnam(args.user)
        env["WARD_AS"] = (f"setpriv --reuid={user.pw_uid} "
                          f"--regid={user.pw_gid} --clear-groups")
        env["WARD_OWNER"] = f"{user.pw_uid}:{user.pw_gid}"
    env.pop("STEPWELL_PROGRAMS", None)
    return env


def command(args, case):
    line = [f"{HERE}/run-case", case.path] + case.request
    if args.period:
        line += ["--period", args.period]
    if "fuse" in case.needs or "netns" in case.needs:
        apart = list(APART)
        if "netns" in case.needs:
            apart.insert(1, "--net")
        line = apart + line
    return line


def start(line, **options):
    """In a session of its own, so that all of it can be ended."""
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL,
                               start_new_session=True, **options)
    running.add(process.pid)
    return process


def end(session):
    """The shell cleans up at the first signal."""
    for number, seconds in (signal.SIGTERM, 2), (signal.SIGKILL, 0):
        try:
            os.killpg(session, number)
        except ProcessLookupError:
            return
        time.sleep(seconds)


def stop(work):
    for session in list(running):
        end(session)
    shutil.rmtree(work, ignore_errors=True)
    os._exit(1)


class Load:
    """Other work on this machine, from before a case until after it."""

    def __init__(self, line):
        self.process = line and start(["sh", "-c", line],
                                      stdout=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def check(self):
        status = self.process and self.process.poll()
        if status is not None:
            raise Broken(f"the load beside it ended: {status}")

    def __exit__(self, *_):
        if self.process:
            end(self.process.pid)
            self.process.wait()
            running.discard(self.process.pid)


def environment_of_job(args, case, folder):
    """With a history of good runs, if there are to be any."""
    env = environment(args, folder)
    if args.past and case.has_good:
        env.update(WARD_PAST=str(args.past),
                   STEPWELL_HISTORY=past.history(folder))
    return env


def wait_for(process, longest):
    """What it printed."""
    try:
        return process.communicate(timeout=longest)[0]
    except subprocess.TimeoutExpired as error:
        end(process.pid)
        process.wait()
        raise Broken(f"still runs after {longest:.0f} s") from error
    finally:
        running.discard(process.pid)


def play(args, case, folder):
    """Leaves a profile, and the truth that the job wrote, in the folder."""
    env = environment_of_job(args, case, folder)
    with open(env["WARD_TRUTH"], "w", encoding="ascii") as file:
        print(f"length={args.length:g}",
              "beside=load" if args.beside else "", file=file)
    os.chmod(env["WARD_TRUTH"], 0o666)
    with Load(args.beside) as load:
        process = start(command(args, case), env=env, text=True,
                        stdout=subprocess.PIPE)
        said = wait_for(process, LONGEST_SECONDS * max(1, args.length) *
                        (1 + args.past))
        load.check()
    if process.returncode == 77:
        raise Skipped(said.strip().removeprefix("skip: "))
    status = read(f"{folder}/status").strip()
    if status != str(case.exit):
        raise Broken(f"exit status {status or 'unknown'}, not {case.exit}")
