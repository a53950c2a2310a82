#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The whole recorder under faults.  Whatever happens to it, the command ends as
# it does without a recorder, and the report says what is missing.
#
# STEPWELL_FAULT_KILLS: number of recorders to kill, default 30.
# STEPWELL_FAULT_SEED: seed for the times of these kills, default the clock.
set -u

# Mounts made here are private and vanish with this process.
if [ -z "${STEPWELL_FAULT_INSIDE-}" ] && [ "$(id -u)" = 0 ] &&
   unshare -m --propagation private true 2>/dev/null; then
	export STEPWELL_FAULT_INSIDE=yes
	exec unshare -m --propagation private "$0" "$@"
fi
can_mount=${STEPWELL_FAULT_INSIDE:-no}
unset STEPWELL_FAULT_INSIDE
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

kill_recorder=$abs_top_builddir/test/faults/kill_recorder
steady=$abs_top_builddir/test/workloads/w_steady
kills=${STEPWELL_FAULT_KILLS:-30}
seed=${STEPWELL_FAULT_SEED:-$(date +%s)}

# A job of LINES tenths of a second, whose output is always the same.
cat >"$work/job" <<'SCRIPT'
echo $$ >"$2"
i=0
while [ $i -lt "$1" ]; do
	i=$((i + 1))
	echo "line $i"
	sleep 0.1
done
echo "the job's last words" >&2
exit 7
SCRIPT

# begin LINES OPTIONS...: record the job up to the point where faults may occur
begin()
{
	lines=$1
	shift
	rm -f "$work/pid"
	: >"$work/out"
	"$stepwell" run "$@" -- sh "$work/job" "$lines" "$work/pid" \
		>"$work/out" 2>"$work/err" &
	recorder=$!
	await grep -q 'line 3' "$work/out" || echo "# the job does not run"
	job=$(cat "$work/pid")
}

# direct LINES: run it without a recorder; the result is the same each time
direct()
{
	if [ ! -e "$work/direct.$1" ]; then
		sh "$work/job" "$1" "$work/pid.direct" \
			>"$work/out.direct.$1" 2>"$work/err.direct.$1"
		echo $? >"$work/direct.$1"
	fi
	cp "$work/out.direct.$1" "$work/out.direct"
	cp "$work/err.direct.$1" "$work/err.direct"
	direct=$(cat "$work/direct.$1")
}

# same WHAT STATUS: compare with the run without a recorder; lines that begin
# with "stepwell: " are the recorder's own
same()
{
	local status=$2

	direct "$lines"
	is "$1: the exit status is the command's" "$direct" "$status"
	is "$1: so is the output" "$(cat "$work/out.direct")" \
		"$(cat "$work/out")"
	is "$1: so are the words" "$(cat "$work/err.direct")" \
		"$(grep -v '^stepwell: ' "$work/err")"
}

# end WHAT: wait for the recorder, and compare
end()
{
	wait "$recorder"
	same "$1" $?
}

# says WHAT PATTERN: check the recorder's messages
says()
{
	if grep '^stepwell: ' "$work/err" | grep -Eq -- "$2"; then
		is "$1" "" ""
	else
		is "$1" "$2" "$(grep '^stepwell: ' "$work/err")"
	fi
}

# reports FILE WHAT PATTERN: check its full report
reports()
{
	local text

	# On one line: a paragraph may be wrapped anywhere.
	text=$("$stepwell" report "$1" 2>&1 | tr -s ' \n' ' ')
	if printf '%s\n' "$text" | grep -Eq -- "$3"; then
		is "$2" "" ""
	else
		is "$2" "$3" "$text"
	fi
}

# verifies WHAT STATUS FILE: 0 complete, 4 not
verifies()
{
	"$stepwell" verify "$3" >"$work/verify" 2>&1
	is "$1: verify" "$2" $?
}

section()
{
	printf '### %s (%s s)\n' "$1" "$SECONDS"
}

section "the recorder is killed"
mkdir "$work/kill"
"$kill_recorder" "$stepwell" "$steady" "$work/kill" "$kills" "$seed" \
	>"$work/kills"
is "killed $kills times (seed $seed): every command went on" 0 $?
sed 's/^/# /' "$work/kills"
while_recording=$(sed -n 's/^killed \([0-9]*\) while it recorded$/\1/p' \
	"$work/kills")
yes_ "at least half of the kills were while it recorded" \
	[ "${while_recording:-0}" -ge $((kills / 2)) ]

begin 10 --output "$work/killed"
kill -KILL "$recorder"
wait "$recorder" 2>/dev/null
await grep -q "last words" "$work/err"
same "killed" 7
verifies "killed" 4 "$work/killed"
reports "$work/killed" "killed: the report says up to when it knows" \
	'recording ended at .* before the command did: the recorder was killed'
rm -f "$work"/killed*

section "the recorder stands still"
begin 40 --output "$work/stopped"
kill -STOP "$recorder"
sleep 3
kill -CONT "$recorder"
end "stopped for 3 s"
between "stopped for 3 s: the gap is in the events, usec" 2900000 3600000 \
	"$(events "$work/stopped" gap value | sort -n | tail -n 1)"
reports "$work/stopped" "stopped for 3 s: the report names the gap" \
	'Not sampled for 00:00:03 in total|Not sampled for [34](\.[0-9]+)? s in total'
verifies "stopped for 3 s" 0 "$work/stopped"

begin 10 --output "$work/late"
kill -STOP "$recorder"
await grep -q '^State:.Z' "/proc/$job/status"
kill -CONT "$recorder"
end "stopped over the end"
says "stopped over the end: the end is said not to be sure" \
	'recorder was not running for the last .*may have ended'

section "nobody reads standard error"
# stderr WHAT COMMAND...: discard the job's own messages, so that only the
# recorder prints; the command redirects
stderr_lost()
{
	local what=$1 begun=$EPOCHREALTIME

	shift
	lines=3
	: >"$work/err"
	"$@" >"$work/out"
	is "$what: the exit status is the command's" 7 $?
	direct 3
	is "$what: so is the output" "$(cat "$work/out.direct")" \
		"$(cat "$work/out")"
	between "$what: seconds" 0.3 10 "$(awk -v begun="$begun" \
		-v now="$EPOCHREALTIME" 'BEGIN { print now - begun }')"
}

quiet_job()
{
	timeout --foreground -s KILL 60 "$stepwell" run "$@" -- \
		sh -c 'exec sh "$@" 2>/dev/null' sh \
		"$work/job" 3 "$work/pid"
}

closed_job()
{
	quiet_job --output "$work/closed" 2>&-
}

full_job()
{
	quiet_job --output "$work/full" 2>&9
}

full_job_unrecorded()
{
	XDG_STATE_HOME=$work/job/no quiet_job 2>&9
}

broken_job()
{
	quiet_job --output "$work/broken" 2>&8
}

stderr_lost "closed" closed_job
verifies "closed" 0 "$work/closed"
mkfifo "$work/pipe"
exec 9<>"$work/pipe"
timeout 0.3 cat /dev/zero >&9
stderr_lost "a full pipe" full_job
verifies "a full pipe" 0 "$work/full"
stderr_lost "a full pipe, unrecorded" full_job_unrecorded
exec 9>&-
rm "$work/pipe"
mkfifo "$work/pipe"
exec 7<>"$work/pipe" 8>"$work/pipe" 7>&-
stderr_lost "a pipe without a reader" broken_job
verifies "a pipe without a reader" 0 "$work/broken"
exec 8>&-

section "what is being written is removed"
begin 10
rm -rf "$XDG_STATE_HOME"
end "the default folder is removed"
says "the default folder is removed: that is said" 'the profile is lost'
mkdir "$work/gone"
begin 10 --output "$work/gone/p"
rm -r "$work/gone"
end "the folder of --output is removed"
says "the folder of --output is removed: that is said" 'the profile is lost'
says "and a report is there all the same" 'sh: Failed \(exit status 7\)'
begin 10 --output "$work/untailed"
rm "$work/untailed.tail"
end "the tail is removed"
verifies "the tail is removed" 0 "$work/untailed"

section "the command's cgroup"
begin 10
await test -s "$work/pid"
cgroup=$(sed -n 's/^0:://p' "/proc/$job/cgroup" 2>/dev/null)
root=$(awk '$0 ~ / - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
end "nothing happens"
case $cgroup in
*/stepwell-*)
	parent=$(dirname "$root$cgroup")

	# empty: move all processes of the command's cgroup out of it
	empty()
	{
		local pid folder

		folder=$root$(sed -n 's/^0:://p' "/proc/$job/cgroup")
		for _ in $(seq 50); do
			while read -r pid; do
				echo "$pid" >"$parent/cgroup.procs"
			done <"$folder/cgroup.procs" 2>/dev/null
			rmdir "$folder" 2>/dev/null && return 0
		done
		return 1
	}

	begin 15 --output "$work/uncgrouped"
	yes_ "it can be removed" empty
	end "the cgroup is removed"
	verifies "the cgroup is removed" 0 "$work/uncgrouped"
	reports "$work/uncgrouped" "the cgroup is removed: that is reported" \
		"Not recorded after [^:]*:[0-9:.]+ ?[^:]*: [^.]*cpu[^.]*cgroup was removed"
	is "the cgroup is removed: the tree is the source of the end" proc \
		"$(column "$work/uncgrouped" summary final_source)"

	begin 15 --output "$work/moved"
	echo "$job" >"$parent/cgroup.procs"
	end "the command moves out of it"
	verifies "the command moves out of it" 0 "$work/moved"
	between "the command moves out of it: the tree is still followed" \
		1 64 "$(column "$work/moved" series.proc processes |
			sort -n | tail -n 1)"

	"$stepwell" run --output "$work/burns" -- bash -c '
		echo $$ >"$1"
		for ((i = 0; i < 300000; i++)); do :; done
		exit 7' bash "$parent/cgroup.procs" 2>"$work/err"
	is "it works outside: the exit status is the command's" 7 $?
	says "it works outside: that is said" \
		'Part of the command ran outside its cgroup'
	total=$(($(column "$work/burns" summary rusage_user_usec) +
		 $(column "$work/burns" summary rusage_system_usec)))
	"$stepwell" report --json "$work/burns" >"$work/burns.json"
	between "it works outside: its CPU time is reported, usec" \
		"$total" $((total + 50000)) \
		"$(query "$work/burns.json" 'round(s["cpu"]["used_core_seconds"] * 1e6)')"
	;;
*)
	echo "# skip: no cgroup of its own is to be had here"
	;;
esac

section "files of the kernel that make no sense"
if [ "$can_mount" = yes ]; then
	head -c 3000 /dev/urandom >"$work/garbage"
	printf 'rchar: many\n\377\n' >"$work/garbage.io"
	# BPF does not read these files.
	export STEPWELL_PROGRAMS=proc

	begin 20 --period 100ms --output "$work/io"
	mount --bind "$work/garbage.io" "/proc/$job/io"
	end "io makes no sense"
	verifies "io makes no sense" 0 "$work/io"
	reports "$work/io" "io makes no sense: that is reported" \
		'/proc entries of up to [0-9]+ process.* could not be parsed'

	# unparsed_processes FILE: print it for the last sample
	unparsed_processes()
	{
		column "$1" series.proc unparsed_processes | tail -n 1
	}
	has_unparsed()
	{
		[ "$(unparsed_processes "$work/stat.part")" -gt 0 ]
	}
	begin 40 --period 100ms --output "$work/stat"
	for file in stat status io schedstat; do
		mount --bind "$work/garbage" "/proc/$job/$file"
	done
	await has_unparsed
	for file in stat status io schedstat; do
		umount "/proc/$job/$file"
	done
	end "nothing of the command makes sense for a while"
	verifies "nothing of it makes sense" 0 "$work/stat"
	reports "$work/stat" "nothing of it makes sense: that is reported" \
		'/proc entries of up to [0-9]+ process.* could not be parsed'
	is "nothing of it makes sense: nor is it at the end" 0 \
		"$(unparsed_processes "$work/stat")"

	unset STEPWELL_PROGRAMS

	# its own files, from the start: the pid stays over exec()
	lines=10
	for file in cgroup mountinfo stat status io; do
		: >"$work/out"
		sh -c 'mount --bind "$1" "/proc/$$/$2" && shift 2 && exec "$@"' \
			sh "$work/garbage" "$file" \
			"$stepwell" run --output "$work/own.$file" -- \
			sh "$work/job" 5 "$work/pid" >"$work/out" 2>"$work/err"
		status=$?
		lines=5
		same "the recorder's own $file makes no sense" $status
		verifies "the recorder's own $file" 0 "$work/own.$file"
	done
	for file in cgroup mountinfo; do
		is "without $file the tree is followed" process.tree \
			"$(column "$work/own.$file" steps backend)"
	done
else
	echo "# skip: not root: nothing can be mounted over files of /proc"
fi

section "a disk that is full, or cannot be written"
# disk SIZE: mount an empty one at $disk
disk=$work/disk
disk()
{
	umount "$disk" 2>/dev/null
	mkdir -p "$disk"
	mount -t tmpfs -o "size=$1" tmpfs "$disk" && mkdir "$disk/stepwell"
}

fill()
{
	cat /dev/zero >"$disk/fill" 2>/dev/null
	is "the disk is full" 0 "$(stat -f -c %a "$disk")"
}

# at_once WHAT OPTIONS...: the fault exists before the recorder starts
at_once()
{
	local what=$1 status

	shift
	lines=5
	"$stepwell" run "$@" -- sh "$work/job" 5 "$work/pid" \
		>"$work/out" 2>"$work/err"
	status=$?
	same "$what" $status
}

# refused WHAT OPTIONS...: a requested file cannot be created
refused()
{
	local what=$1

	shift
	"$stepwell" run "$@" -- touch "$work/was-run" 2>"$work/err"
	is "$what: 1" 1 $?
	is "$what: one line" 1 "$(wc -l <"$work/err")"
	says "$what: why" 'the command was not started'
	yes_ "$what: so it is" [ ! -e "$work/was-run" ]
}

if [ "$can_mount" = yes ] && disk 64k; then
	fill
	XDG_STATE_HOME=$disk at_once "full from the start"
	says "full from the start: that is said" \
		'No space left on device.*unrecorded'
	is "full from the start: nothing is left" "" \
		"$(find "$disk" -type f ! -name fill)"
	refused "full from the start, --output" --output "$disk/p"
	mount -o remount,ro "$disk"
	XDG_STATE_HOME=$disk at_once "read-only from the start"
	says "read-only from the start: that is said" \
		'Read-only file system.*unrecorded'
	refused "read-only from the start, --output" --output "$disk/p"

	# With room for the tail, which then has the last rows.
	for place in default output; do
		disk 2m
		if [ $place = default ]; then
			XDG_STATE_HOME=$disk begin 15
		else
			begin 15 --output "$disk/stepwell/x.stepwell"
		fi
		fill
		end "full after a while, $place"
		says "full after a while, $place: that is said" \
			'No space left on device.*stepwell report.*shows it'
		says "full after a while, $place: the report is there" \
			'sh: Failed \(exit status 7\)'
		file=$(find "$disk/stepwell" -name '*.part')
		verifies "full after a while, $place" 4 "$file"
		reports "$file" "full after a while, $place: reported" \
			'the file could not be finished'
	done

	# Without: a block is written every 5 s, until there is no room.
	disk 256k
	begin 65 --output "$disk/p"
	fill
	end "full after a while, no tail"
	says "full after a while, no tail: that is said" \
		'No space left on device'
	says "full after a while, no tail: the report says so" \
		'rows could not be written|recording ended|not be finished'
	verifies "full after a while, no tail" 4 "$disk/p.part"

	# Room again before the end: only what did not fit is lost.
	disk 2m
	begin 15 --output "$disk/p"
	fill
	rm "$disk/fill"
	end "full for a moment"
	verifies "full for a moment" 0 "$disk/p"

	disk 2m
	begin 15 --output "$disk/p"
	umount -l "$disk"
	end "unmounted"
	says "unmounted: that is said" "no report: .*disk/p|$disk/p: No such"
else
	echo "# skip: not root: no disk of 64 KiB can be mounted"
fi

section "nothing is left"
is "no cgroup is left" "" "$(stale)"
is "no process is left" "" "$(pgrep -f "$work" | xargs -r ps -o args= -p |
	grep -v t-faults.sh)"
section "end"
tally
