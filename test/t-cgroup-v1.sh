#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cgroup v1 backend, on this kernel's own hierarchy of the memory
# controller: a command in a cgroup with a limit, and steps of Slurm's cgroup/v1
# as created by the fake host; need, limit, and OOM kills.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
skip()
{
	echo "skip: $*"
	exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'only root makes cgroups'
# tree CONTROLLER: print its mount point
tree()
{
	awk -v name="$1" '$3 == "cgroup" && $4 ~ "(^|,)" name "(,|$)" {
		print $2; exit }' /proc/mounts
}
memory=$(tree memory)
[ -n "$memory" ] || skip 'this kernel has no memory controller of cgroup v1'
[ -e "$memory/memory.limit_in_bytes" ] ||
	skip "$memory is not writable or not the controller's"

. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"
workloads=$abs_top_builddir/test/workloads
folder=$memory/v1-$$
name=slurm_v1-$$
mib=$((1 << 20))
trap 'stop_recorder KILL; rmdir "$folder"; clean' EXIT
mkdir "$folder" || exit 99
echo 200M >"$folder/memory.limit_in_bytes"

# inside COMMAND...: run it in the cgroup with the limit
inside()
{
	(
		echo 0 >"$folder/cgroup.procs"
		exec "$@"
	)
}
# record NAME COMMAND...: sets $file, $report
record()
{
	file=$work/$1.stepwell
	report=$work/$1.json
	inside "$stepwell" run --no-report --output "$file" -- "${@:2}" \
		>"$work/$1.out" 2>"$work/$1.err"
	status=$?
	"$stepwell" report --json "$file" >"$report"
}
# source_of FILE TABLE: print the source of its values
source_of()
{
	"$stepwell" dump "$1" | sed -n "s/^# table $2, source \([^,]*\).*/\1/p"
}

### a command in a cgroup with a limit
record hold "$workloads/w_hold" 60 1 1
is 'a command in a cgroup of v1: its status' 0 "$status"
is 'it has one of its own there' cgroup.v1 \
	"$(query "$report" 'r["recording"]["backend"]')"
is 'why it is no higher one is said' True \
	"$(query "$report" 'len(r["recording"]["backend_reason"]) > 10')"
is 'its memory is from there' cgroup.v1 \
	"$(query "$report" 's["memory"]["source"]')"
between 'the need is what it held, libc and stacks' $((60 * mib)) \
	$((66 * mib)) "$(query "$report" 's["memory"]["need_bytes"]')"
between 'the peak is the need and cache' $((60 * mib)) $((80 * mib)) \
	"$(query "$report" 's["memory"]["peak_bytes"]')"
is 'the limit of the cgroup above holds' $((200 * mib)) \
	"$(query "$report" 's["memory"]["limit_bytes"]')"
is 'no cgroup is left' '' "$(find "$folder" -mindepth 1 -type d)"

# Read five times its limit: page cache is no need.
record read "$workloads/w_read" "$work/big" 2 --create 400
is 'a reader of five times its limit: its status' 0 "$status"
between 'cache does not raise the need' 0 $((30 * mib)) \
	"$(query "$report" 's["memory"]["need_bytes"]')"
between 'which the peak holds' $((100 * mib)) $((200 * mib)) \
	"$(query "$report" 's["memory"]["peak_bytes"]')"
rm -f "$work/big"

record oom "$workloads/w_oom" 300 --child
is 'a killed child of a command that ends with 0' 0 "$status"
is 'is told of' "['oom.silent']" \
	"$(query "$report" '[f["id"] for f in r["findings"]
		if f["id"].startswith("oom")]')"
is 'and counted by the kernel' 1 \
	"$(query "$report" 's["memory"]["oom_kills"]')"
is 'once' 1 "$(column "$file" series.memory events.oom_kill | tail -n 1)"
is 'the need is a lower bound' True \
	"$(query "$report" 's["memory"]["need_is_lower_bound"]')"
is 'no cgroup is left behind it' '' "$(find "$folder" -mindepth 1 -type d)"

# Only the cgroup shows this: /proc alone sees no exit.
export STEPWELL_PROGRAMS=proc
record silent "$workloads/w_oom" 300 --child
unset STEPWELL_PROGRAMS
is 'without records of programs likewise' "0 ['oom.silent']" \
	"$status $(query "$report" '[f["id"] for f in r["findings"]
		if f["id"].startswith("oom")]')"

record killed "$workloads/w_oom" 300
is 'a command that is killed itself' 137 "$status"
is 'is oom.killed' "['oom.killed']" \
	"$(query "$report" '[f["id"] for f in r["findings"]
		if f["id"].startswith("oom")]')"

# An unprivileged user stays in the cgroup he shares.
chmod 755 "$work"
mkdir -m 777 "$work/any"
inside setpriv --reuid $user --regid $user --clear-groups \
	env STEPWELL_PROGRAMS=proc "$stepwell" run --no-report \
	--output "$work/any/p" -- "$workloads/w_oom" 300 --child \
	>"$work/any.out" 2>&1
"$stepwell" report --json "$work/any/p" >"$work/any.json"
is 'without rights: the process tree' process.tree \
	"$(query "$work/any.json" 'r["recording"]["backend"]')"
is 'the limit is known' $((200 * mib)) \
	"$(query "$work/any.json" 's["memory"]["limit_bytes"]')"
is 'a kill is seen, in a cgroup that is shared' \
	'in a cgroup that is shared with others' \
	"$(events "$work/any/p" oom_kill detail | sort -u)"

# A CPU quota of a parent cgroup.
cpu=$(tree cpu)
if [ -n "$cpu" ] && mkdir "$cpu/v1-$$"; then
	echo 20000 >"$cpu/v1-$$/cpu.cfs_quota_us"
	(
		echo 0 >"$cpu/v1-$$/cgroup.procs"
		exec "$stepwell" run --no-report --output "$work/quota" -- \
			"$workloads/w_cpu" 0.6 2
	) >/dev/null
	"$stepwell" report --json "$work/quota" >"$work/quota.json"
	is 'a quota of v1: the CPUs there are' 0.2 \
		"$(query "$work/quota.json" 's["cpu"]["allocated_cores"]')"
	is 'throttling is told of' "['cpu.throttled']" \
		"$(query "$work/quota.json" '[f["id"] for f in r["findings"]
			if f["id"] == "cpu.throttled"]')"
	# Less beside other processes; more after the last sample.
	kernel=$(awk '$1 == "throttled_time" { printf "%.6f", $2 / 1e9 + 1e-6 }' \
		"$cpu/v1-$$/cpu.stat")
	between 'and its time is the kernel'"'"'s' \
		"$(awk "BEGIN { print 0.5 * $kernel }")" "$kernel" \
		"$(query "$work/quota.json" 's["cpu"]["throttled_seconds"]')"
	rmdir "$cpu/v1-$$"
fi

### steps of Slurm's cgroup/v1
[ -x "$host" ] || {
	echo 'skip: no fake host: the plugin is not built'
	tally
	exit
}
mkdir -m 3773 "$profiles"
start_recorder
is 'the recorder answers' 0 $?
is 'it is in a cgroup of its own' /stepwell-recorder "$(awk -F: '
	$2 ~ /(^|,)memory(,|$)/ { print $3 }' "/proc/$(cat "$work/pid")/cgroup")"
is 'which is limited' $((512 * mib)) \
	"$(cat "$memory/stepwell-recorder/memory.limit_in_bytes")"

play_v1()
{
	play --cgroup-v1 $name "$@"
}
whole_report()	# JOB: $file, $report
{
	await delivered "$1"
	file=$(of_job "$1")
	report=$work/$1.json
	"$stepwell" report --json "$file" >"$report"
}
# The end of the batch step ends the job; its user then has the profile.
end_job()
{
	play --item "S_JOB_ID=$1" --step batch -- true
	whole_report "$1"
}

play_v1 --item S_JOB_ID=61 --item S_JOB_ALLOC_MEM=300 --step 0 --tasks 2 -- \
	"$workloads/w_hold" 40 1 1
is 'a step in cgroup v1: no violation' 0 "$rc"
play_v1 --item S_JOB_ID=61 --item S_JOB_ALLOC_MEM=300 --step 1 --tasks 2 -- \
	sh -c 'mkdir "$1" 2>/dev/null || exit 0; exec "$0" 400 --child' \
	"$workloads/w_oom" "$work/turns/first"
is 'a step in which a child is killed: no violation' 0 "$rc"
end_job 61
is 'armed, in cgroup v1, all tasks verified' '1 cgroup.v1' \
	"$(column "$file" steps is_armed | head -n 1) $(column "$file" steps \
	backend | head -n 1)"
is 'tables of the step are from there' 'cgroup.v1 cgroup.v1 cgroup.v1' \
	"$(source_of "$file" series.cpu) $(source_of "$file" series.memory) $(
	source_of "$file" series.task_memory)"
is 'each task has its cgroup' 'task' "$(column "$file" tasks cgroup_kind |
	head -n 4 | sort -u)"
of_step()	# STEP EXPRESSION
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
s = [s for s in r["steps"] if s["id"].split(".")[-1] == sys.argv[2]][0]
t = [t for t in r["tasks"] if t["step"] == s["id"]]
print(eval("(" + sys.argv[3] + ")"))' "$report" "$@" 2>&1
}
between 'the need of both tasks' $((80 * mib)) $((92 * mib)) \
	"$(of_step 0 's["memory"]["need_bytes"]')"
is 'the limit' $((300 * mib)) "$(of_step 0 's["memory"]["limit_bytes"]')"
is 'the peaks of the tasks, read at their end' 2 "$(of_step 0 \
	"len([a for a in t if $((40 * mib)) <= a['memory']['peak_bytes'] <=
	$((48 * mib))])")"
is 'and their CPU time' True "$(of_step 0 \
	'all(a["cpu"]["used_core_seconds"] > 0 for a in t)')"
is 'the kill is counted, though it was in a task'"'"'s cgroup' 1 \
	"$(of_step 1 's["memory"]["oom_kills"]')"
is 'once, in the one task that it was in' "[0, 1]" "$(of_step 1 \
	'sorted(a["memory"]["oom_kills"] for a in t)')"
is 'the step is oom.silent' True "$(query "$report" \
	'"oom.silent" in [f["id"] for f in r["findings"]]')"
is 'no cgroup of the host is left' '' "$(find /sys/fs/cgroup -maxdepth 3 \
	-name "$name")"

# Two concurrent steps with peaks one after the other.
mkdir -m 777 "$work/turns/peaks"
play_v1 --item S_JOB_ID=63 --item S_JOB_ALLOC_MEM=300 --steps 2 -- sh -c '
	wait_for()
	{
		until [ -e "$1" ]; do sleep 0.05; done
	}
	if mkdir "$1/first" 2>/dev/null; then
		"$0" 60 300 --after-ms 0 && touch "$1/a" && wait_for "$1/b"
	else
		wait_for "$1/a"; "$0" 60 300 --after-ms 0; touch "$1/b"
	fi' "$workloads/w_spike" "$work/turns/peaks"
is 'two steps with peaks of their own: no violation' 0 "$rc"
end_job 63
is 'the job is in cgroup v1 as well' cgroup.v1 \
	"$(source_of "$file" series.job_memory)"
between 'each had its peak' $((120 * mib)) $((150 * mib)) \
	"$(query "$report" 'sum(s["memory"]["peak_bytes"] for s in r["steps"]
		if s["id"].split(".")[-1] in ("0", "1"))')"
"$stepwell" list --json "${file%/*}" >"$work/63.list"
between 'and the job at most what both had at a time' $((60 * mib)) \
	$((90 * mib)) "$(python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
while not isinstance(r, list):
    r = [v for v in r.values() if isinstance(v, list)][0]
print([j for j in r if j["id"] == "63"][0]["need_upper_bytes"])' "$work/63.list")"

# No hierarchy of v1 is mounted here: the step is followed by /proc.
stop_recorder
is 'the recorder ended' 0 $?
# Print the summaries of job 61's steps, and the results of reports.
kept()
{
	local file
	for file in $(find "$summaries" -name '*.stepwell*' ! -name '*.tail'); do
		paste -d' ' <(column "$file" step_summaries job_id) \
			<(column "$file" step_summaries step_id) \
			<(column "$file" step_summaries need_bytes) \
			<(column "$file" step_summaries floor_bytes)
	done | sed -n 's/^61 //p' | sort >"$work/kept"
	[ "$(wc -l <"$work/kept")" -eq 3 ]
}
await kept
is 'the need that the recorder keeps is that of reports' "$(python3 -c '
import json, sys
for s in json.load(open(sys.argv[1]))["steps"]:
    print(s["id"].split(".")[-1], s["memory"].get("need_bytes", "-"),
          s["memory"].get("floor_bytes", "-"))' "$work/61.json" | sort)" "$(cat "$work/kept")"
# The cgroup has one name for all recorders of a machine.
if pgrep -x stepwell-record >/dev/null; then
	echo 'skip: another recorder runs: no look for a cgroup that is left'
else
	is 'and left no cgroup' '' "$(find /sys/fs/cgroup -maxdepth 3 \
		-type d -name stepwell-recorder)"
fi
plain_recorder=$recorder
recorder=$work/recorder
# Also if it is mounted a second time, with another root.
mounts=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2 }' \
	/proc/mounts | tr '\n' ' ')
# Only /sys and below must be private; in a chroot / may be no mount point.
cat >"$recorder" <<SHELL
#!/bin/sh
exec unshare -m --propagation unchanged sh -c '
	mount --make-rprivate /sys && umount \$0 && exec "\$@"' \
	'$mounts' '$plain_recorder' "\$@"
SHELL
chmod 755 "$recorder"
if start_recorder; then
	play_v1 --item S_JOB_ID=62 --step 0 -- "$workloads/w_hold" 40 1 1
	end_job 62
	is 'without the tree of memory: the processes, and the CPU time' \
		'0 process.tree cgroup.v1' "$rc $(column "$file" steps backend |
		head -n 1) $(source_of "$file" series.cpu)"
	is 'armed, as all tasks are where they are said to be' 1 \
		"$(column "$file" steps is_armed | head -n 1)"
	stop_recorder
else
	is 'a recorder in a mount namespace answers' 0 1
fi
tally
