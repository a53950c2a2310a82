#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# All ways for programs to exit, with 1, 2 and 64 threads, by each backend:
# known statuses are right, and others are reported as unknown.  Runs each
# STEPWELL_EXITS_RUNS times, 1 by default; "make check-exits" uses 10, under
# load.
# shellcheck disable=SC2154 # what lib.sh sets
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

runs=${STEPWELL_EXITS_RUNS:-1}
load=()

end_load()
{
	[ ${#load[@]} -eq 0 ] || kill -KILL "${load[@]}" 2>/dev/null
	wait
	clean
}
trap end_load EXIT

# The user may not be able to read the build tree.
mkdir "$work/bin"
cp "$abs_top_builddir/analyzer/stepwell" \
	"$abs_top_builddir/recorder/stepwell-recorder" \
	"$abs_top_builddir/test/workloads/w_ends" "$work/bin"
export STEPWELL_LIBEXECDIR=$work/bin

# record NAME BACKEND RUN [COMMAND-TO-BECOME...]: very short processes appear in
# no sample
record()
{
	local folder=$work/$1.$3 backend=$2 run=$3 live=30 at_once=3
	profile=$folder/recording
	shift 3
	mkdir -m 1777 "$folder"
	[ "$backend" != proc ] || { live=400; at_once=8; }
	STEPWELL_PROGRAMS=$backend "$@" env XDG_STATE_HOME="$folder/state" \
		"$work/bin/stepwell" run --no-report --period 100ms \
		--output "$profile" -- "$work/bin/w_ends" \
		"$folder" $live $at_once $((run * 7)) >/dev/null 2>"$profile.err"
}

# Print "WAY THREADS right|unknown|WRONG" for each program.
verdicts()
{
	"$stepwell" report --json "$profile" >"$profile.json"
	paste <(column "$profile" programs name) \
		<(column "$profile" programs last_exit_status) >"$profile.last"
	python3 - "$profile" "${profile%/*}/truth" <<'PYTHON'
import collections, json, signal, sys

profile, truth = sys.argv[1:]
truths = collections.defaultdict(collections.Counter)
for line in open(truth):
    name, status = line.split()
    truths[name][int(status)] += 1
last = dict(line.rstrip("\n").split("\t") for line in open(profile + ".last"))
seen = {p["name"]: p for p in json.load(open(profile + ".json"))["programs"]}


def judge(name, statuses):
    """What is told of a program's ends, beside what wait(2) told."""
    if name not in seen:
        return "unknown"
    p = seen[name]
    told = collections.Counter(p.get("killed_by", {}))
    told["ok"] = p.get("exited_ok", 0)
    told["failed"] = p.get("exited_nonzero", 0)
    true = collections.Counter()
    codes = set()
    for status, count in statuses.items():
        if status & 0x7f:
            true[signal.Signals(status & 0x7f).name] += count
        else:
            true["failed" if status else "ok"] += count
            codes.add(str(status >> 8))
    if told - true or (told["failed"] and last[name] not in codes):
        return f"WRONG {dict(told)}"
    missed = sum(true.values()) - sum(told.values())
    if missed == 0:
        return "right"
    said = p["exited_unknown"] + p["running"]
    whole = p["is_complete"] and said < missed
    return "WRONG not said" if whole else "unknown"


for name, statuses in truths.items():
    way, _, threads = name.partition(".")
    print(way, threads or "-", judge(name, statuses))
PYTHON
}

# all_of NAME BACKEND [COMMAND-TO-BECOME...]
all_of()
{
	local name=$1 backend=$2 run
	shift 2
	for run in $(seq "$runs"); do
		record "$name" "$backend" "$run" "$@"
		verdicts
		rm -rf "$work/$name.$run"
	done >"$work/$name"
	backends+=("$name")
}

share()
{
	awk '{ n += $3 == "right" } END { printf "%.0f", 100 * n / NR }' \
		"$work/$1"
}

# judge NAME LEAST [BUT]: nothing is wrong, and LEAST percent are right
judge()
{
	is "$1: no end is told wrong" '' \
		"$(grep WRONG "$work/$1" | grep -vE "^(${3:-nothing}) ")"
	between "$1: percent of the ends are known" "$2" 100 "$(share "$1")"
}

# Print right/unknown/WRONG by way and number of threads.
table()
{
	python3 - "$work" "$@" <<'PYTHON'
import collections, sys
work, names = sys.argv[1], sys.argv[2:]
counts = collections.defaultdict(collections.Counter)
rows = []
for name in names:
    for line in open(f"{work}/{name}"):
        way, threads, verdict = line.split()[:3]
        if (way, threads) not in rows:
            rows.append((way, threads))
        counts[way, threads, name][verdict] += 1
ways = list(dict.fromkeys(row[0] for row in rows))
rows.sort(key=lambda row: (ways.index(row[0]), len(row[1]), row[1]))
print("# right/unknown/WRONG")
print(f"# {'way':<12}{'threads':>7}", *(f"{name:>12}" for name in names))
for way, threads in rows:
    cells = ["/".join(str(counts[way, threads, name][v])
                      for v in ("right", "unknown", "WRONG"))
             for name in names]
    print(f"# {way:<12}{threads:>7}", *(f"{cell:>12}" for cell in cells))
total = ["/".join(str(sum(counts[w, t, name][v] for w, t in rows))
                  for v in ("right", "unknown", "WRONG")) for name in names]
print(f"# {'all':<12}{'':>7}", *(f"{cell:>12}" for cell in total))
PYTHON
}

backends=()
as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
[ "$(id -u)" -eq 0 ] || as=()
if [ "$runs" -gt 1 ]; then
	"$abs_top_builddir/test/workloads/w_cpu" 100000 2 &
	load+=($!)
	disown -a
fi
"$stepwell" run --no-report --output "$work/first" -- true
if [ "$(column "$work/first" steps programs_source)" = bpf ]; then
	all_of bpf bpf
	judge bpf 100
else
	echo '# skipped: bpf, which is not to be had'
fi
if ! tells_exits; then
	echo '# skipped: perf and proc; this kernel tells no user how'\
		'processes end'
elif "${as[@]}" "$abs_top_builddir/test/workloads/may_perf"; then
	[ "$(id -u)" -ne 0 ] || all_of perf-root perf
	all_of perf perf "${as[@]}"
	judge perf 75
fi
if tells_exits; then
	all_of proc proc "${as[@]}"
	# A first thread that exits by itself with a status, bypassing the C
	# library, in a process that no sample has seen with threads.
	judge proc 50 'raw5|raw5exit0'
fi
[ ! -e "$work/perf-root" ] || judge perf-root 75
table "${backends[@]}"
tally
