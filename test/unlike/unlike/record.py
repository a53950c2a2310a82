# SPDX-License-Identifier: GPL-2.0-or-later
"""Records runs of a pipeline."""
import json
import os
import shutil
import subprocess
import tempfile

from unlike import pipeline as pipelines, text_form

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST_SECONDS = 60
# In a mount namespace of its own: fuse_stall, delays, a folder, the command.
MOUNTED = """\
"$0" --delay "$1" --file all.tar=16777216 "$2" > ready &
server=$!
until grep -q ready ready; do
    kill -0 $server 2>/dev/null || exit 77
    sleep 0.01
done
shift 2
"$@"
status=$?
kill $server
exit $status
"""


class Broken(Exception):
    """What was recorded is not the run that was drawn."""


def missing(need):
    """Why this machine cannot show it; "" if it can."""
    if need == "cpus" and len(os.sched_getaffinity(0)) < 2:
        return "needs two CPUs"
    if need == "fuse" and (os.geteuid() != 0 or
                           not os.access("/dev/fuse", os.W_OK)):
        return "needs root and /dev/fuse"
    return ""


class Series:
    """Where the runs of a pipeline are made, by a short path, and kept."""

    def __init__(self, args, name, pipeline):
        self.kept = f"{args.out}/{name}"
        shutil.rmtree(self.kept, ignore_errors=True)
        os.makedirs(self.kept)
        self.folder = tempfile.mkdtemp(prefix="unlike.")
        make_tools(self.folder, pipeline)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.copy(f"{self.folder}/job.sh", self.kept)
        shutil.rmtree(self.folder)


def make_tools(folder, pipeline):
    """Programs with the names of the pipeline."""
    os.makedirs(f"{folder}/bin")
    perl = os.path.realpath(shutil.which("perl"))
    for name in pipeline.first, pipeline.middle, pipeline.worker:
        shutil.copy(perl, f"{folder}/bin/{name}")
    shutil.copy(f"{HERE}/tool.pl", folder)


def environment(args, folder, pipeline, size):
    env = dict(os.environ, LC_ALL="C.UTF-8", STEPWELL_CONF="/dev/null",
               STEPWELL_LIBEXECDIR=f"{args.build}/recorder",
               STEPWELL_HISTORY=f"{folder}/runs.sqlite")
    env.pop("STEPWELL_PROGRAMS", None)
    env.pop("STEPWELL_INPUT_BYTES", None)
    if pipeline.is_known:
        env["STEPWELL_INPUT_BYTES"] = str(size)
    return env


def command(args, pipeline, profile):
    line = [f"{args.build}/analyzer/stepwell", "run", "--no-report",
            "--name", "pipeline", "--cpus", str(pipeline.cpus),
            "--output", profile, "--", "sh", "../job.sh"]
    if pipeline.bound:
        line = ["taskset", "--cpu-list", pipeline.bound] + line
    if pipeline.mount:
        line = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
                MOUNTED, f"{args.build}/test/fuse/fuse_stall",
                pipeline.mount, pipeline.results] + line
    return line


def hold_lock(folder, seconds):
    """Returns once another process has the lock."""
    if not seconds:
        return None
    holder = subprocess.Popen(
        ["flock", f"{folder}/lock", "sh", "-c", f"echo; sleep {seconds}"],
        stdout=subprocess.PIPE)
    holder.stdout.readline()
    return holder


def prepare(folder, pipeline, rng, size):
    work = f"{folder}/w"
    os.makedirs(f"{work}/{pipeline.results}")
    if pipeline.has_input:
        pipelines.write_input(rng, f"{work}/input", size)
    with open(f"{folder}/job.sh", "w", encoding="ascii") as file:
        file.write(pipeline.script())
    return work


def rewrite(args, profile, model):
    """The recording, as of a node with other CPUs."""
    dump = subprocess.run([f"{args.build}/analyzer/stepwell", "dump", "--json",
                           profile], check=True, stdout=subprocess.PIPE)
    document = json.loads(dump.stdout)
    text_form.change(document, "topology.node", "cpu_model", model)
    with open(f"{profile}.text", "w", encoding="ascii") as file:
        for line in text_form.lines(document):
            print(line, file=file)
    subprocess.run([f"{args.build}/test/mkprofile", f"{profile}.text",
                    profile], check=True)


def record(args, series, pipeline, rng, name, size=None):
    """The path of the profile of a run."""
    size = size or pipelines.draw_bytes(rng, pipeline)
    folder = series.folder
    work = prepare(folder, pipeline, rng, size)
    profile = f"{series.kept}/{name}.stepwell"
    holder = hold_lock(folder, pipeline.lock_seconds)
    with open(f"{series.kept}/{name}.out", "wb") as out:
        subprocess.run(command(args, pipeline, profile), cwd=work, stdout=out,
                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                       timeout=LONGEST_SECONDS, check=False,
                       env=environment(args, folder, pipeline, size))
    if holder:
        holder.communicate()
    if not os.path.exists(profile):
        with open(f"{series.kept}/{name}.out", encoding="utf-8") as out:
            raise Broken(f"no recording: {out.read().strip()}")
    if pipeline.model:
        rewrite(args, profile, pipeline.model)
    shutil.rmtree(work)
    return profile
