#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Pids reused while the node recorder is killed and started: processes with a
# reused pid are not in the other's profile.  In a pid namespace, where the next
# pid can be chosen.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
unshare_more="--pid --fork --mount-proc --kill-child"
. "$top/test/mounts-lib.sh"
(echo 300 >/proc/sys/kernel/ns_last_pid) 2>/dev/null ||
	skip "no pid can be chosen in a pid namespace here"
own_run

: "${HAZARDS_WRAPS:=1}"	# times that pids come again, in each way

# Stands for the unit's cgroup: other tests look for the recorder's own one.
export INVOCATION_ID=hazards
first=5000		# the pids that come again
aside=20000		# the recorder's

mkfifo "$work/never"
exec 9<>"$work/never"

# Sleep without a process, which would take a pid.
nap()
{
	read -rt "$1" -u 9
}

next_pid()
{
	echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
}

# step JOB COMMAND...: run it in the background, from the first pid on
step()
{
	local job=$1
	shift

	next_pid $first
	"$host" --arg "socket=$run/socket" --arg wait_ms=5000 --tasks 2 \
		--item "S_JOB_ID=$job" "$plugin" "$@" >/dev/null 2>&1 &
	host_pid=$!
	nap 0.5
}

begin_recorder()
{
	next_pid $aside
	aside=$((aside + 200))
	start_recorder
}

pids()
{
	column "$1" steps root_pid
	column "$1" tasks pid
}

# List all programs of a profile, except the host before it executes them.
programs()
{
	column "$1" programs name | grep -vx spank-host | sort -u |
		paste -sd' '
}

# Print the time of the last sample, in microseconds since boot.
last_sample()
{
	column "$1" series.proc time_usec | sort -n | tail -n 1
}

now_usec()
{
	awk '{ printf "%.0f\n", $1 * 1e6 }' /proc/uptime
}

for name in earlier later; do
	cp "$(command -v sleep)" "$work/$name"
done
# Execute a program with the pid of the argument; another process may just have
# taken it, for a moment.
cat >"$work/chooser" <<CHOOSER
#!/bin/bash
for try in {1..50}; do
	echo \$((\$1 - 1)) >/proc/sys/kernel/ns_last_pid
	"$work/later" 1 &
	[ \$! -ne \$1 ] || break
	kill \$!
	sleep 0.05
done
[ \$! -ne \$1 ] || : >"$work/chosen"
wait
CHOOSER
# The last task of a step ends early; the pid of the first is the process group
# of all tasks.
cat >"$work/uneven" <<UNEVEN
#!/bin/bash
[ "\$(cat /proc/\$\$/stat | cut -d' ' -f5)" -ne \$\$ ] &&
	exec "$work/earlier" 0.5
exec "$work/earlier" 5
UNEVEN
chmod +x "$work/chooser" "$work/uneven"
mkdir "$profiles"

# The first job dies with the recorder, the others reuse all of its pids.
again_after_death()	# JOB
{
	local dead_usec file last

	begin_recorder
	step "$1" "$work/earlier" 60
	stop_recorder KILL
	kill -KILL $host_pid $(pgrep -P $host_pid) $(pgrep -x earlier)
	wait $host_pid 2>/dev/null
	dead_usec=$(now_usec)
	step $(($1 + 1)) "$work/later" 2
	begin_recorder
	wait $host_pid
	step $(($1 + 2)) "$work/later" 0.5
	wait $host_pid
	stop_recorder
	file=$(of_job "$1")
	last=$(of_job $(($1 + 2)))
	is "a step died with the recorder: it is lost" lost \
		"$(column "$file" summary final_source)"
	is "its pids came again" "$(pids "$file" | sort -u)" \
		"$(pids "$last" | sort -u)"
	is "no program of the later ones is in its profile" earlier \
		"$(programs "$file")"
	between "and no sample of them" 1 "$dead_usec" "$(last_sample "$file")"
	is "nor is one of its in theirs" later "$(programs "$last")"
	is "nor in that of a step that ran at the start" "" \
		"$(programs "$(of_job $(($1 + 1)))" | grep earlier)"
}

# A task of a running step has ended; another job's program has its pid.
again_in_life()	# JOB
{
	local one task file

	begin_recorder
	step "$1" "$work/uneven"
	one=$host_pid
	task=$(pids "$(of_job "$1")" | sort -n | tail -n 1)
	stop_recorder KILL
	await test ! -e "/proc/$task"
	rm -f "$work/chosen"
	"$host" --arg "socket=$run/socket" --arg wait_ms=5000 \
		--item "S_JOB_ID=$(($1 + 1))" "$plugin" "$work/chooser" \
		"$task" >/dev/null 2>&1 &
	host_pid=$!
	await test -e "$work/chosen"
	is "a task's pid came again while its step runs" 0 $?
	begin_recorder
	wait $host_pid $one
	stop_recorder
	file=$(of_job "$1")
	is "no program of the other is in the step's profile" "" \
		"$(programs "$file" | grep later)"
	is "the step has its own end" hook \
		"$(column "$file" summary final_source)"
	is "and nothing of it is in the other's" "" \
		"$(programs "$(of_job $(($1 + 1)))" | grep earlier)"
}

for i in $(seq "$HAZARDS_WRAPS"); do
	again_after_death $((i * 10))
	again_in_life $((i * 10 + 5))
done
tally
