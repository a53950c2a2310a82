#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# File systems that never respond, with the fake host: under a job that hangs on
# them beside another one, and under the folder of profiles, which may also be
# full; and what the user of a job can do to who hands him his profile.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
own_run
. "$top/test/fuse-lib.sh"
trap 'unstall_all; stop_recorder KILL; clean' EXIT
if ! has_fuse; then
	echo "skip: no FUSE file system can be mounted here"
	exit 77
fi

: "${HAZARDS_STUCK:=no}"	# "yes": wait until a copy is given up, two minutes
other=65532		# other users of jobs
second=65531

# Stands for the unit's cgroup: other tests look for the recorder's own one.
export INVOCATION_ID=stall

# Print how many of COUNT requests it answers, one after the other: what hangs
# stays so until told otherwise, and would block all of them.
count_answers()	# COUNT
{
	python3 - "$run/socket" "$1" <<'PYTHON'
import socket, struct, sys, time
count = 0
try:
    for _ in range(int(sys.argv[2])):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.settimeout(60)
        s.connect(sys.argv[1])
        s.send(struct.pack("=4sHHII", b"SWLL", 1, 4, 16, 0))
        assert s.recv(64)[:4] == b"SWLL"
        count += 1
        s.close()
        time.sleep(0.05)
except (OSError, AssertionError):
    pass
print(count)
PYTHON
}

# those_of HOST NAME: list the processes of that name below it
those_of()
{
	local pid name

	for pid in $(descendants "$1"); do
		read -r name <"/proc/$pid/comm" && [ "$name" = "$2" ] &&
			echo "$pid"
	done 2>/dev/null
}

### a job that hangs beside one that does not
hang=$abs_top_builddir/test/fuse/hang
mkdir -m 3773 "$profiles"
mkdir "$work/read" "$work/write" "$work/all" "$work/flush"
stall "$work/read" --never read --file data=4194304
stall "$work/write" --never write --file data=4096
stall "$work/all" --never all
stall "$work/flush" --never flush --file data=4096
start_recorder
"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=5000 \
	--arg end_wait_ms=5000 --item S_JOB_ID=801 --tasks 2 \
	--option stepwell=200ms --contexts allocator,remote "$plugin" \
	sh -c 'sleep 6; exit 3' >"$work/beside" 2>&1 &
beside=$!
"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=5000 \
	--arg end_wait_ms=5000 --item S_JOB_ID=802 \
	--option stepwell=200ms --contexts allocator,remote "$plugin" \
	"$hang" "$work/read" "$work/write" "$work/all" >"$work/hung" 2>&1 &
hung=$!
# A script that executes with an open file that cannot be closed.
"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=5000 \
	--arg end_wait_ms=5000 --item S_JOB_ID=804 --step batch "$plugin" \
	python3 -c 'import os, sys
os.open(sys.argv[1], os.O_RDWR | os.O_CLOEXEC)
print("hangs", flush=True)
os.execv("/bin/true", ["true"])' "$work/flush/data" >"$work/script" 2>&1 &
script=$!
await grep -q hangs "$work/hung"
await grep -q hangs "$work/script"
# Reading their io blocks until the reader is killed.
are_held()
{
	held=0
	for pid in $(those_of $hung hang) $(those_of $script python3); do
		timeout -s KILL 0.3 cat "/proc/$pid/io" ||
			held=$((held + 1))
	done
	[ $held -ge 2 ]
}
await are_held
between "processes of the hung job whose files never answer" 2 3 $held
is "the recorder answers meanwhile" 40 "$(count_answers 40)"
wait $beside
is "the job beside it has its own end, and no violation" "0" \
	"$?$(violations "$work/beside")"
file=$(of_job 801)
between "no sample of it is lost: rows" 28 34 \
	"$(column "$file" series.proc time_usec | wc -l)"
is "and none is late by two periods" "" "$(events "$file" gap value)"
is "its tasks have their status" "768 768" "$(column "$file" tasks \
	wait_status | grep -v -- - | paste -sd' ')"
file=$(of_job 802)
between "the hung one is sampled, too: rows" 10 60 \
	"$(column "$file" series.proc time_usec | wc -l)"
between "its processes that answer are in them" 1 6 \
	"$(column "$file" series.proc processes | sort -n | tail -n 1)"
# A new step beside it is armed as usual.
play --item S_JOB_ID=803 --step 1 -- sh -c 'sleep 0.3; exit 4'
is "a step that begins meanwhile is armed, and ends" "0 1 4" "$rc $(
	column "$(of_job 803)" steps is_armed) $(
	column "$(of_job 803)" summary exit_code)"
# The pids are separate words.
# shellcheck disable=SC2046
kill -KILL $(those_of $hung hang)
sleep 0.5	# as long as it would take to end
is "killed it hangs on" yes "$([ -d /proc/$hung ] && echo yes)"
unstall_all
wait $hung $script
is "it and the script end with their file systems, with no violation" "" \
	"$(violations "$work/hung")$(violations "$work/script")"
await column "$(of_job 802)" summary wait_status
is "and its profile says how: killed" 9 \
	"$(column "$(of_job 802)" tasks wait_status | grep -v -- -)"
is "the script was recorded, and went on to its end" "hook 0" "$(
	column "$(of_job 804)" summary final_source) $(
	column "$(of_job 804)" summary exit_code)"
threads=$(ls "/proc/$(cat "$work/pid")/task" | wc -l)
between "threads of the recorder" 1 5 "$threads"
is "and it ends" 0 "$(stop_recorder; echo $?)"
### a folder of profiles that never responds
# in_spool: count the finished profiles
in_spool()
{
	find "$spool" -name '*.stepwell' | wc -l
}

deliverer()
{
	local pid name

	for pid in $(cat /proc/"$(cat "$work/pid")"/task/*/children); do
		read -r name <"/proc/$pid/comm"
		[ "$name" != stepwell-delive ] || echo "$pid"
	done
}

# List the children that switch to the users.
children_of_deliverer()
{
	local pid

	pid=$(deliverer)
	wc -w <"/proc/$pid/task/$pid/children"
}

two_children()
{
	[ "$(children_of_deliverer)" -eq 2 ]
}

# ended_jobs FIRST: end four jobs of two users
ended_jobs()
{
	local job

	for job in $(seq "$1" $(($1 + 3))); do
		play --uid $((job % 2 ? user : other)) --item "S_JOB_ID=$job" \
			--step batch --tasks 1 -- sh -c 'exit 5'
		echo "$rc$(violations "$work/out")"
	done | sort -u
}

# delivered_all FIRST: all of them are complete and owned by their user
delivered_all()
{
	local job

	for job in $(seq "$1" $(($1 + 3))); do
		find "$profiles/$((job % 2 ? user : other))" \
			-name "*.$job.*.stepwell" -exec \
			"$stepwell" verify {} \; >/dev/null && echo "$job"
	done | wc -l
}

# Count the first message of each reason and user.
said()
{
	grep -c "not delivered to user $1: $2" "$work/log"
}

: >"$work/log"
stall "$profiles" --never all
start_recorder
is "the recorder starts beside a folder that never answers" 0 $?
is "the steps of two users go on as ever" 0 "$(ended_jobs 811)"
is "the recorder answers meanwhile" 20 "$(count_answers 20)"
is "what it records is kept" 4 "$(in_spool)"
is "two children wait" 2 "$(children_of_deliverer)"
is "more jobs end" 0 "$(ended_jobs 815)"
is "they are no more then" "8 2" "$(in_spool) $(children_of_deliverer)"
is "the recorder ends while they hang" 0 "$(stop_recorder; echo $?)"
start_recorder
await two_children
is "another one has two of its own" "8 2" "$(in_spool) $(
	children_of_deliverer)"
kill -USR1 "$fuse_server"
await sh -c "[ -z \"\$(find '$spool' -name '*.stepwell')\" ]"
is "the folder answers again: all are delivered" "0 8" "$(in_spool) $((
	$(delivered_all 811) + $(delivered_all 815)))"
is "with nothing beside them" "" "$(find "$profiles" -type f \
	! -name '*.stepwell')"

# A folder in which nothing can be created harms only its own user.
unstall_all
rm -rf "$profiles"
mkdir -m 3773 "$profiles"
for uid in $user $second; do
	install -d -m 2750 -o $uid -g $uid "$profiles/$uid"
	stall "$profiles/$uid" --never create
	# Update the kernel's view of it.
	chown $uid "$profiles/$uid"
	chmod 2750 "$profiles/$uid"
done
play --uid $user --item S_JOB_ID=821 --step batch -- true
play --uid $second --item S_JOB_ID=824 --step batch -- true
await two_children
play --uid $other --item S_JOB_ID=822 --step batch -- true
await sh -c "ls '$profiles/$other' | grep -q '\.822\.'"
is "the folders of two users hang: another has his profile" 1 \
	"$(find "$profiles/$other" -name '*.822.*' | wc -l)"
if [ "$HAZARDS_STUCK" = yes ]; then
	is "a job of his ends more" 0 "$(play --uid $user --step batch \
		--item S_JOB_ID=823 -- true; echo $rc)"
	sleep 150	# the first copy is given up after 120, and tried again
	is "one child of each hangs, however often it is tried" 2 \
		"$(children_of_deliverer)"
	between "why is said once of each reason" 1 3 "$(said $user "")"
fi
unstall_all
stop_recorder
start_recorder
await sh -c "[ -z \"\$(find '$spool' -name '*.stepwell')\" ]"
is "then they have theirs, too" "1 1" "$(
	find "$profiles/$user" -name '*.821.*' | wc -l) $(
	find "$profiles/$second" -name '*.824.*' | wc -l)"
stop_recorder

### full folders: no bytes, and no names
rm -rf "$profiles"
mkdir -m 3773 "$profiles"
: >"$work/log"
for uid in $user $other; do
	mkdir "$profiles/$uid"
done
mount -t tmpfs -o "size=64k,mode=2750,uid=$user" none "$profiles/$user"
mount -t tmpfs -o "nr_inodes=4,mode=2750,uid=$other" none "$profiles/$other"
head -c 65536 /dev/zero >"$profiles/$user/fill"
touch "$profiles/$other"/fill{2,3,4} 2>/dev/null
start_recorder
SECONDS=0
is "jobs of two users whose folders are full" 0 "$(ended_jobs 831)"
# The third attempt is 15 seconds after the first one.
sleep $((SECONDS < 17 ? 17 - SECONDS : 0))
is "their profiles stay in the spool" 4 "$(in_spool)"
is "no part of them is in the users' folders" "fill fill2 fill3 fill4" \
	"$(ls -A "$profiles/$user" "$profiles/$other" | grep '^[^/]' |
		sort | paste -sd' ')"
is "whose, what and why is said once of each" "1 1" \
	"$(said $user "No space left") $(said $other "No space left")"
is "and nothing else" 2 "$(wc -l <"$work/log")"
rm "$profiles/$user/fill" "$profiles/$other"/fill*
stop_recorder
start_recorder
await sh -c "[ -z \"\$(find '$spool' -name '*.stepwell')\" ]"
is "there is room: all are delivered" "0 4" "$(in_spool) $(
	delivered_all 831)"
stop_recorder
umount "$profiles/$user" "$profiles/$other"
### what a user can do to the child that delivers his profile
trace=$top/test/hazards/trace-child
as_user()
{
	setpriv --reuid $user --regid $user --clear-groups "$@"
}

# Each call is delayed, so that a child lives for half a second.
rm -rf "$profiles"
mkdir -m 3773 "$profiles"
stall "$profiles" --delay write,fsync,flush=150
start_recorder
python3 "$trace" --children-of $user "$(deliverer)" 600 >"$work/traced" &
tracer=$!
await grep -q '^Uid:.*'"$user" "/proc/$tracer/status"
for job in $(seq 841 848); do
	play --uid $user --item "S_JOB_ID=$job" --step batch -- true
done
all_delivered()
{
	[ "$(find "$profiles/$user" -name '*.84[1-8].*.stepwell' |
		wc -l)" -eq 8 ] && [ "$(in_spool)" -eq 0 ]
}
await all_delivered
kill $tracer
wait $tracer
sed 's/^/# the children: /' "$work/traced"
between "several of them were tried" 2 100 \
	"$(sed 's/.*victims=\([0-9]*\).*/\1/' "$work/traced")"
between "in each way so often" 20 1000000 \
	"$(sed 's/.*least=\([0-9]*\).*/\1/' "$work/traced")"
is "no way into them worked" none "$(sed 's/.*worked=//' "$work/traced")"
# The same with a process of the user's own.
setpriv --reuid $user --regid $user --clear-groups sleep 10 &
own=$!
await grep -qx sleep "/proc/$own/comm"
python3 "$trace" $user $own 0.3 >"$work/traced"
kill $own
is "ways into a process of his own do" yes "$(grep -q 'worked=.*fd.*kcmp' \
	"$work/traced" && echo yes)"
is "all are delivered all the same" 8 \
	"$(find "$profiles/$user" -name '*.84[1-8].*.stepwell' | wc -l)"

# He may kill them: that harms only himself, and only for a while.
play --uid $user --item S_JOB_ID=849 --step batch -- true
one_child()
{
	# Wait until a part of the profile exists.
	ls -A "$profiles/$user" | grep -q '^\.' &&
		cat /proc/"$(deliverer)"/task/*/children >"$work/child" &&
		[ -s "$work/child" ]
}
await one_child
# shellcheck disable=SC2024,SC2046
as_user kill -KILL $(cat "$work/child")
is "he may kill one" 0 $?
await sh -c "! ls /proc/$(tr -d ' ' <"$work/child")"
is "its part of the profile stays" 1 \
	"$(ls -A "$profiles/$user" | grep -c '^\.')"
is "and the profile in the spool" 1 "$(in_spool)"
await sh -c "[ -z \"\$(find '$spool' -name '*.stepwell')\" ]"
is "then he has it all the same, and nothing beside it" "9 9" \
	"$(find "$profiles/$user" -name '*.84?.*.stepwell' | wc -l) $(
		ls -A "$profiles/$user" | wc -l)"
"$stepwell" verify "$(of_job 849)" >/dev/null
is "whole" 0 $?
stop_recorder
tally
