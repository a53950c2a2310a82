#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A killed program in a step that exits with 0 is always named, by its own name,
# whatever killed it: SIGKILL, a crash, or the OOM killer; in four concurrent
# steps beside busy loops and many short processes.  Runs each
# STEPWELL_KILLED_RUNS times, 8 by default; "make check-killed" uses 100.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

runs=${STEPWELL_KILLED_RUNS:-8}
at_once=4
workloads=$abs_top_builddir/test/workloads
mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' \
	/proc/mounts)
load=()
cgroups=()

end_load()
{
	local folder

	[ ${#load[@]} -eq 0 ] || kill -KILL "${load[@]}" 2>/dev/null
	wait
	for folder in "${cgroups[@]}"; do
		rmdir "$folder"
	done
	clean
}
trap end_load EXIT

skip()
{
	echo "# $*"
	exit 77
}

[ "$(id -u)" -eq 0 ] || skip 'the ends of programs are only seen as root'
grep -q '^#define HAVE_LIBBPF 1' "$abs_top_builddir/config.h" ||
	skip 'the ends of programs are only seen by BPF: built without libbpf'
"$stepwell" run --no-report --output "$work/first" -- true
[ "$(column "$work/first" steps programs_source)" = bpf ] ||
	skip 'the ends of programs are only seen by BPF, which is not to be had'

# Keep both processors busy, and start many programs.
begin_load()
{
	"$workloads/w_cpu" 100000 2 &
	load+=($!)
	"$workloads/w_spawn" 1000000000 &
	load+=($!)
	disown -a
}

# A memory limit for each place; for kernels with only cgroup v2: test/vm, case
# 10.
make_limits()
{
	local place

	[ -n "$mount" ] || return
	for place in $(seq $at_once); do
		mkdir "$mount/killed-$$-$place" || exit 99
		cgroups+=("$mount/killed-$$-$place")
		echo 24M >"$mount/killed-$$-$place/memory.limit_in_bytes"
	done
}

# A step that exits with 0 and prints nothing; its child is $victim.  The child
# works first: SIGKILL of a program that did nothing is no loss.
# shellcheck disable=SC2016
step_kill()
{
	record sh -c '"$1" -c "i=0
		while [ \$i -lt 500000 ]; do i=\$((i + 1)); done
		kill -KILL \$\$"; exit 0' sh "$victim"
}

# shellcheck disable=SC2016
step_crash()
{
	record sh -c '"$1" -c "kill -SEGV \$\$"; exit 0' sh "$victim"
}

# shellcheck disable=SC2016
step_oom()
{
	record sh -c '( echo 0 >"$1/cgroup.procs"; exec "$2" 300 ); exit 0' \
		sh "$mount/killed-$$-$place" "$victim"
}

record()
{
	"$stepwell" run --no-report --output "$profile" -- "$@" \
		>/dev/null 2>"$profile.err"
	echo $? >"$profile.status"
	"$stepwell" report --json "$profile" >"$profile.json"
}

# one KIND PLACE NUMBER
one()
{
	local kind=$1 place=$2 name=victim-$1-$3 victim profile

	victim=$work/$name
	profile=$work/$kind.$3
	cp "$work/$kind" "$victim"
	"step_$kind"
	rm "$victim"
}

# Run all of a kind, place by place.
all_of()
{
	local kind=$1 place number

	for place in $(seq $at_once); do
		for number in $(seq "$place" $at_once "$runs"); do
			one "$kind" "$place" "$number"
		done &
		places+=($!)
	done
	wait "${places[@]}"
}

# Check the status of each run, and the program named by the finding.
judge()
{
	local kind=$1 id=$2
	is "$kind: all $runs ended with 0" "$runs" \
		"$(cat "$work/$kind".*.status | grep -cx 0)"
	is "$kind: the program is named $runs times of $runs" \
		"$runs named, no other" \
		"$(python3 - "$id" "$work/$kind." "$kind" <<'PYTHON'
import glob, json, sys
rule, prefix, kind = sys.argv[1:]
named, others = 0, []
for name in glob.glob(prefix + "*.json"):
    number = name[len(prefix):-len(".json")]
    try:
        findings = json.load(open(name))["findings"]
    except ValueError as error:
        others.append(f"{number}: {error}")
        continue
    killed = [(f["id"], f["subject"], f["severity"]) for f in findings
              if f["id"] in ("program.killed", "oom.silent", "oom.killed")]
    program = f"victim-{kind}-{number}"
    sentence = "".join(f["sentence"] for f in findings if f["id"] == rule)
    if killed == [(rule, f"program {program}", "critical")] and \
            program in sentence and "probably" not in sentence:
        named += 1
    else:
        others.append(f"{number}: {killed}")
print(f"{named} named,", "; ".join(others) or "no other")
PYTHON
)"
}

cp "$(command -v sh)" "$work/kill"
cp "$work/kill" "$work/crash"
cp "$workloads/w_oom" "$work/oom"
places=()
make_limits
begin_load
all_of kill
judge kill program.killed
all_of crash
judge crash program.killed
if [ -n "$mount" ]; then
	all_of oom
	judge oom oom.silent
else
	echo '# oom is not tried: no memory controller of cgroup v1'
fi
is 'the load went on to the end' 2 \
	"$(kill -0 "${load[0]}" && kill -0 "${load[1]}" && echo ${#load[@]})"
tally
