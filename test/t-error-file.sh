#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The report at a job's end and the file it goes to: one on a file system that
# ceases to answer never holds up the step, and a report that comes too late
# for the hook is appended, or dropped, and counted.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
own_run
. "$top/test/fuse-lib.sh"
trap 'unstall_all; stop_recorder KILL; clean' EXIT

# Stands for the unit's cgroup: other tests look for the recorder's own one.
export INVOCATION_ID=error-file
mkdir -m 3773 "$profiles"
other=65532		# another user of jobs

# A scripted reporter: the test is about which process writes its output.
reporter=$work/reporter
cat >"$reporter" <<TEXT
#!/usr/bin/python3
import os, time
while os.path.exists("$work/wait"):
    time.sleep(0.1)
print("stepwell: a report")
TEXT
chmod 755 "$reporter"
recorder_options()
{
	printf '%s\n' --node --socket "$run/socket" --spool "$spool" \
		--profile-dir "$profiles" --off-file "$work/off" \
		--drop-file "$drop" --reporter "$reporter" \
		--settings "$work/stepwell.yaml" \
		--summaries "$summaries" --slurm-conf "$work/slurm.conf"
}

# counts NAME...: print counters of the file that the doctor reads
counts()
{
	for name; do
		sed -n "s/^$name //p" "$run/counts"
	done | paste -sd' '
}

have_counts()	# EXPECTED NAME...
{
	[ "$(counts "${@:2}")" = "$1" ]
}

# are_counted WHAT EXPECTED NAME...: wait until the counters have these values
are_counted()
{
	await have_counts "${@:2}"
	is "$1" "$2" "$(counts "${@:3}")"
}

# file_of_user FILE: create an empty one
file_of_user()
{
	: >"$1"
	chown $user "$1"
}

# begin_job ID FILE ARGUMENT...: run a batch step in the file's folder until
# $work/go exists
begin_job()
{
	local id=$1 file=$2
	shift 2
	rm -f "$work/go" "$work/runs"
	(cd "${file%/*}" && exec "$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=5000 \
		--item "S_JOB_ID=$id" --step batch --job-stderr "$file" \
		"$@" \
		"$plugin" sh -c "touch $work/runs
			until [ -e $work/go ]; do sleep 0.05; done") \
		>"$work/job.$id" 2>&1 &
	job=$!
	await test -e "$work/runs"
}

# end_job: succeeds if the step ends at all
end_job()
{
	touch "$work/go"
	await sh -c "! kill -0 $job"
}
chmod 1777 "$work"

### a file that ceases to answer
if has_fuse; then
	start_recorder
	number=900
	# Without flush and release: Slurm itself waits for these at the end.
	for never in getattr \
		lookup,getattr,setattr,open,create,read,write,statfs,fsync; do
		number=$((number + 1))
		mkdir "$work/$number"
		stall "$work/$number" --never $never --file data=0
		# It responds until the file is open.
		kill -USR1 "$fuse_server"
		chown $user "$work/$number/data"
		begin_job $number "$work/$number/data" --arg end_wait_ms=200
		kill -USR2 "$fuse_server"
		is "$never: the file does not answer" 137 "$(timeout -s KILL \
			0.3 stat "$work/$number/data" >/dev/null 2>&1; echo $?)"
		end_job
		is "$never: the step ends" "0" "$?$(
			violations "$work/job.$number")"
		answers
		is "$never: the recorder answers meanwhile" 0 $?
		kill -USR1 "$fuse_server"
		wait $job
		await grep -q 'stepwell: a report' "$work/$number/data"
		is "$never: it has its report once it answers" 1 \
			"$(grep -c 'stepwell: a report' "$work/$number/data")"
	done
	are_counted "both were late, none is missing" "2 0" \
		reports_late reports_missing

	# A user whose reports all hang delays only his own.
	mkdir "$work/many"
	stall "$work/many" --never getattr --file data=0
	kill -USR1 "$fuse_server"
	chown $user "$work/many/data"
	hosts=()
	for number in $(seq 921 940); do
		begin_job "$number" "$work/many/data" --arg end_wait_ms=50
		hosts+=("$job")
	done
	kill -USR2 "$fuse_server"
	touch "$work/go"
	await sh -c "! pgrep -f '[j]ob-stderr $work/many'"
	is "20 jobs of one user end on a file that does not answer" 0 $?
	: >"$work/other"
	chown $other "$work/other"
	begin_job 951 "$work/other" --arg end_wait_ms=10000 --uid $other
	end_job
	wait $job
	is "another user has the report in time" 1 "$(wc -l <"$work/other")"
	kill -USR1 "$fuse_server"
	wait "${hosts[@]}"
	await sh -c "[ \$(wc -l <'$work/many/data') -ge 16 ]"
	are_counted "16 of the others are late when it answers, 4 missing" \
		"18 4" reports_late reports_missing
	is "16 are written" 16 "$(wc -l <"$work/many/data")"
	unstall_all
	stop_recorder
else
	echo "ok - skip: no FUSE file system can be mounted here"
fi

### a report that is not ready in time
: >"$work/wait"
start_recorder
file_of_user "$work/first"
begin_job 911 "$work/first" --arg end_wait_ms=50
end_job
is "the hook does not wait for a report that takes long" 0 $?
wait $job
is "which is not there then" 0 "$(wc -c <"$work/first")"
are_counted "the hook is counted" 1 ends_late
rm "$work/wait"
await grep -q 'stepwell: a report' "$work/first"
is "it is appended when it is ready" 1 "$(wc -l <"$work/first")"
are_counted "and counted as late" "1 1 0" reports reports_late reports_missing
stop_recorder
is "in the log, too" 1 "$(grep -c 'reports: 1 (late: 1, missing: 0)' "$work/log")"

echo 'late_report: drop' >"$work/stepwell.yaml"
: >"$work/wait"
start_recorder
file_of_user "$work/second"
begin_job 912 "$work/second" --arg end_wait_ms=50
end_job
wait $job
are_counted "late_report: drop: it is missing, and counted" "1 1 0" \
	reports reports_missing reports_late
rm "$work/wait"
file_of_user "$work/third"
begin_job 913 "$work/third" --arg end_wait_ms=10000
end_job
wait $job
is "one that is ready in time is written" 1 "$(wc -l <"$work/third")"
is "the one before was not" 0 "$(wc -c <"$work/second")"
are_counted "neither is one more missing" "2 1" reports reports_missing

# A step whose start message was not received.
rm "$work/stepwell.yaml"
stop_recorder
file_of_user "$work/unheard"
begin_job 916 "$work/unheard" --arg end_wait_ms=10000
start_recorder
end_job
wait $job
are_counted "no recorder at the begin: the report is missing, and counted" \
	"1 1" reports reports_missing
is "nor is it written" 0 "$(wc -l <"$work/unheard")"
stop_recorder
start_recorder

# The report cannot be written: the hook is answered without waiting for it.
: >"$work/wait"
for file in /dev/null "$work/fifo"; do
	[ -e "$file" ] || { mkfifo "$file"; exec 9<>"$file"; }
	begin_job 914 "$file" --arg end_wait_ms=10000
	end_job
	wait $job
	is "no wait for $(basename "$file")" 1 "$(sed -n \
		's/.*"event":"step".*"end_usec":\([0-9]*\).*/\1/p' \
		"$work/job.914" | awk '{ print $1 < 9000000 }')"
done
are_counted "these ends are without a report, and none is missing" \
	"2 2 0 0" ends reports_no_file reports reports_missing
rm "$work/wait"

### which file it goes to: a regular one of the user's, whatever its name
# ends_in WHAT FILE EXPECTED: a job that writes its messages there ends with
# these bytes in it, and the step ends
number=930
ends_in()
{
	number=$((number + 1))
	begin_job $number "$2" --arg end_wait_ms=10000
	end_job
	wait $job
	is "$1" "$3" "$(tail -c 300 "$2" | od -An -c | tr -d '\n')"
}
bytes()
{
	printf "$1" | od -An -c | tr -d '\n'
}
report='stepwell: a report\n'
printf 'x' >"$work/x.out"
chown $user "$work/x.out"
ends_in "the last line is not changed, if it has no end" "$work/x.out" \
	"$(bytes "x\n$report")"
ends_in "another report is behind it" "$work/x.out" \
	"$(bytes "x\n$report$report")"
printf 'secret' >"$work/unreadable"
chown $user "$work/unreadable"
chmod 200 "$work/unreadable"
ends_in "a file that cannot be read: an empty line at most" \
	"$work/unreadable" "$(bytes "secret\n$report")"
ln -s "$work/fifth" "$work/link"
file_of_user "$work/fifth"
ends_in "a link to such a file" "$work/link" "$(bytes "$report")"
printf 'x,y\n' >"$work/foreign"
chmod 666 "$work/foreign"
ends_in "not a file of another user's" "$work/foreign" "$(bytes 'x,y\n')"
mkdir "$work/full"
mount -t tmpfs -o size=4k none "$work/full"
head -c 4090 /dev/zero | tr '\0' x >"$work/full/out"
chown $user "$work/full/out"
ends_in "a disk that is nearly full: not a part of it" "$work/full/out" \
	"$(tail -c 300 "$work/full/out" | od -An -c | tr -d '\n')"
is "and the file is as long as before" 4090 "$(stat -c %s "$work/full/out")"
umount "$work/full"
begin_job 939 "$work/fifth" --arg quiet
end_job
wait $job
are_counted "what is left out is counted with its reason" "4 1 1 1 0" reports \
	reports_foreign reports_unwritable reports_quiet reports_missing

# A recorder that replaces a killed one continues its counters.
stop_recorder KILL
start_recorder
are_counted "a killed recorder's counts go on" "4 1 1 1 0" reports \
	reports_foreign reports_unwritable reports_quiet reports_missing
begin_job 940 "$work/fifth"
stop_recorder KILL
end_job
wait $job
start_recorder
are_counted "no recorder at the end: the report is missing" "5 1" reports \
	reports_missing
stop_recorder
start_recorder
are_counted "one that was stopped: they begin anew" "0 0" reports \
	reports_missing

### what the reporter may do
cat >"$reporter" <<'TEXT'
#!/usr/bin/python3
import os
try:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    print("stepwell: forked", flush=True)
except OSError:
    alone = os.getuid() == os.getgid() == 4290000000 + os.getpid()
    print("stepwell: cannot fork as", "no user" if alone else os.getuid(),
          flush=True)
TEXT
file_of_user "$work/fourth"
begin_job 915 "$work/fourth" --arg end_wait_ms=10000
end_job
wait $job
is "the reporter can have no child" "stepwell: cannot fork as no user" \
	"$(cat "$work/fourth")"

### a job on two nodes: the other profile is waited for, but not by the hook
cat >"$reporter" <<'TEXT'
#!/usr/bin/python3
import os, sys
others = [open(path).read().strip() for path in sys.argv[5:]]
print("stepwell: user", os.getuid(), "reads", *others)
TEXT
# deliver_other NAME TEXT: deliver as another node does
deliver_other()
{
	install -d -o $user -g $user -m 2750 "$profiles/$user"
	echo "$2" >"$profiles/$user/.$1"
	chown $user:$user "$profiles/$user/.$1"
	mv "$profiles/$user/.$1" "$profiles/$user/$1"
}
file_of_user "$work/two"
begin_job 941 "$work/two" --arg end_wait_ms=10000 --item S_JOB_NNODES=2
own=$(basename "$(of_job 941)" .part)
epoch=${own#*.941.}
epoch=${epoch%%.*}
deliver_other "${own%%.*}.941.$((epoch - 3600)).other.stepwell" 'its last run'
deliver_other "${own%%.*}.942.$epoch.other.stepwell" 'another job'
end_job
is "the hook does not wait for the other node" "0 1" "$? $(sed -n \
	's/.*"event":"step".*"end_usec":\([0-9]*\).*/\1/p' \
	"$work/job.941" | awk '{ print $1 < 9000000 }')"
is "nor is there a report yet" "" "$(cat "$work/two")"
deliver_other "${own%%.*}.941.$((epoch + 2)).other.stepwell" 'the other node'
await grep -q stepwell "$work/two"
is "the report has the other node, read as the user" \
	"stepwell: user $user reads the other node" "$(cat "$work/two")"

# So are those of the other component of a heterogeneous job, on two nodes.
file_of_user "$work/het"
begin_job 961 "$work/het" --arg end_wait_ms=10000 \
	--env SLURM_JOB_ID_HET_GROUP_0=961 --env SLURM_JOB_ID_HET_GROUP_1=962 \
	--env SLURM_JOB_NUM_NODES_HET_GROUP_1=2
own=$(basename "$(of_job 961)" .part)
epoch=${own#*.961.}
node=${epoch#*.}
epoch=${epoch%%.*}
deliver_other "${own%%.*}.963.$epoch.other.stepwell" 'another job'
deliver_other "${own%%.*}.962.$epoch.$node" 'its first node'
end_job
is "a component with a node that has not delivered is waited for" "" \
	"$(cat "$work/het")"
deliver_other "${own%%.*}.962.$((epoch + 900)).other.stepwell" 'its second'
await grep -q stepwell "$work/het"
is "the report has both nodes of the other component" \
	"stepwell: user $user reads" "$(sed 's/ its.*//' "$work/het")"
is "each once" 'its first node,its second' \
	"$(tr -d '\n' <"$work/het" | grep -oE 'its (first node|second)' | sort |
		paste -sd,)"

# No other process, not even of "nobody", can read the profile it has open.
cat >"$reporter" <<TEXT
#!/usr/bin/python3
import os, time
open("/proc/self/fd/3", "rb").read(1)
print("stepwell: it can be read", flush=True)
while os.path.exists("$work/wait"):
    time.sleep(0.1)
TEXT
: >"$work/fifth"
: >"$work/wait"
begin_job 916 "$work/fifth" --arg end_wait_ms=10000
: >"$work/go"
reports()
{
	pid=$(pgrep -f "python3 $reporter") && [ -e "/proc/$pid/fd/3" ]
}
await reports
for uid in 65534 $user $other; do
	is "the profile that it reads is not $uid's" "" "$(setpriv \
		--reuid "$uid" --regid "$uid" --clear-groups \
		head -c 1 "/proc/$pid/fd/3" 2>/dev/null | wc -c | grep -v '^0')"
done
is "nor is it anybody's but its own" 400 "$(stat -Lc %a "/proc/$pid/fd/3")"
rm "$work/wait"
wait $job
is "who reads it can" "stepwell: it can be read" "$(cat "$work/fifth")"
stop_recorder
is "nothing is left" "" "$(pgrep -f "$reporter")"
tally
