#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Senders of fatal signals: a program ended by another process of the step was
# meant to end, and is no finding; one that crashed, or was ended from outside,
# is a critical one.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

workloads=$abs_top_builddir/test/workloads

skip()
{
	echo "# $*"
	exit 77
}

[ "$(id -u)" -eq 0 ] || skip 'senders of signals are only seen as root'
"$stepwell" run --no-report --output "$work/first" -- true
[ "$(column "$work/first" steps programs_source)" = bpf ] ||
	skip 'senders of signals are only seen by BPF, which is not to be had'
[ "$(column "$work/first" programs killed_by_job)" != - ] ||
	skip 'this kernel shows no ends after the last thread (before 5.11)'

# It works until it is killed.
cp "$workloads/w_child" "$work/worker"
export work

# found NAME: print the severity of program.killed, or "none"
found()
{
	"$stepwell" report --json "$work/$1" | python3 -c '
import json, sys
of = [f for f in json.load(sys.stdin)["findings"] if f["id"] == "program.killed"]
print(" ".join(f["severity"] + (" outside" if "from outside" in f["sentence"]
                                else "") for f in of) or "none")'
}

# of NAME COLUMN: print it from the last row of the program "worker"
of()
{
	paste <(column "$work/$1" programs name) \
		<(column "$work/$1" programs "$2") |
		awk -F '\t' '$1 == "worker" { last = $2 } END { print last }'
}

# recorded NAME SCRIPT: a step that exits with 0
recorded()
{
	"$stepwell" run --no-report --output "$work/$1" -- \
		bash -c "$2; exit 0" >/dev/null 2>&1
	is "$1: it ends with 0" 0 $?
}

# meant NAME KILLER SCRIPT
meant()
{
	recorded "$1" "$3"
	is "$1: one was killed by a process of the job" '1 0' \
		"$(of "$1" killed_by_job) $(of "$1" killed_by_other)"
	is "$1: by its name" "$2" "$(of "$1" killer)"
	is "$1: no finding" none "$(found "$1")"
}

# The worker writes its pid to a file when it has worked.
# shellcheck disable=SC2016
start='
begin() {
	sh -c "echo \$\$ >\"$work/pid\"; exec \"$work/worker\" --burn-ms 300 \
		--live-ms 600000" &
}
worked() {
	while [ -e "/proc/$1" ]; do
		[ "$(awk "{ print \$14 }" "/proc/$1/stat")" -lt 25 ] || break
		sleep 0.05
	done
}
'
# shellcheck disable=SC2016
{
meant interrupt timeout 'timeout -s INT 1 "$work/worker" --burn-ms 600000'
meant quit timeout 'timeout -s KILL 1 "$work/worker" --burn-ms 600000'
meant by-shell bash "$start"' begin; worked $!; kill -KILL $!; wait $!'
meant by-kill kill "$start"' begin; worked $!; "$(type -P kill)" -KILL $!; wait $!'
meant by-python python3 'exec python3 -c "
import os, subprocess, time
worker = subprocess.Popen([os.environ[\"work\"] + \"/worker\", \"--burn-ms\",
                           \"600000\"])
def ticks():
    with open(f\"/proc/{worker.pid}/stat\") as stat:
        return int(stat.read().split()[13])
while ticks() < 25:
    time.sleep(0.05)
worker.kill()
worker.wait()"'
recorded itself '"$work/worker" --burn-ms 300 --signal KILL'
}
is 'itself: nobody else has sent it' '0 0' \
	"$(of itself killed_by_job) $(of itself killed_by_other)"
is 'itself: a finding' critical "$(found itself)"

# shellcheck disable=SC2016
{
	await test -s "$work/outside.pid"
	pid=$(cat "$work/outside.pid")
	await sh -c 'test "$(awk "{ print \$14 }" "/proc/$1/stat")" -ge 25' sh "$pid"
	kill -KILL "$pid"
} &
# shellcheck disable=SC2016
recorded outside 'sh -c "echo \$\$ >\"$work/outside.pid\"; exec \"$work/worker\" \
	--burn-ms 600000"'
wait
is 'outside: somebody else has sent it' '0 1' \
	"$(of outside killed_by_job) $(of outside killed_by_other)"
is 'outside: a finding that says so' 'critical outside' "$(found outside)"
tally
