#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The report at a job's end and the file it goes to: one on a file system that
# ceases to answer never holds up the step, and a report that comes too late
# for the hook is appended, or dropped, and counted.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
mount -t tmpfs none /run || exit 99
. "$top/test/lib.sh"
run=/run/stepwell
drop=/run/stepwell/drop
. "$top/test/node-lib.sh"
. "$top/test/fuse-lib.sh"
trap 'unstall_all; stop_recorder KILL; clean' EXIT

# The unit's cgroup stands in: other tests look for the recorder's own one.
export INVOCATION_ID=error-file
mkdir -m 3773 "$profiles"
other=65532		# another user of jobs

# A reporter that says what it is told to: what is tested is who writes it.
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

# counts NAME...: as the doctor reads them
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

# are_counted WHAT EXPECTED NAME...: once that has been told
are_counted()
{
	await have_counts "${@:2}"
	is "$1" "$2" "$(counts "${@:3}")"
}

# begin_job ID FILE ARGUMENT...: a batch step in the file's folder that runs
# until $work/go is there
begin_job()
{
	local id=$1 file=$2
	shift 2
	rm -f "$work/go" "$work/runs"
	(cd "${file%/*}" && exec "$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=5000 \
		--item "S_JOB_ID=$id" --step batch --job-stderr "$file" \
		--option stepwell=report --contexts allocator,remote "$@" \
		"$plugin" sh -c "touch $work/runs
			until [ -e $work/go ]; do sleep 0.05; done") \
		>"$work/job.$id" 2>&1 &
	job=$!
	await test -e "$work/runs"
}

# end_job: true where the step ends at all
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
	# Not flush and release: Slurm itself waits for these at the end.
	for never in getattr \
		lookup,getattr,setattr,open,create,read,write,statfs,fsync; do
		number=$((number + 1))
		mkdir "$work/$number"
		stall "$work/$number" --never $never --file data=0
		# It answers until the file is open.
		kill -USR1 "$fuse_server"
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

	# A user whose reports all hang holds up his own only.
	mkdir "$work/many"
	stall "$work/many" --never getattr --file data=0
	kill -USR1 "$fuse_server"
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
: >"$work/first"
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
: >"$work/second"
begin_job 912 "$work/second" --arg end_wait_ms=50
end_job
wait $job
are_counted "late_report: drop: it is missing, and counted" "1 1 0" \
	reports reports_missing reports_late
rm "$work/wait"
: >"$work/third"
begin_job 913 "$work/third" --arg end_wait_ms=10000
end_job
wait $job
is "one that is ready in time is written" 1 "$(wc -l <"$work/third")"
is "the one before was not" 0 "$(wc -c <"$work/second")"
are_counted "neither is one more missing" "2 1" reports reports_missing

# A step whose begin nobody heard.
rm "$work/stepwell.yaml"
stop_recorder
: >"$work/unheard"
begin_job 916 "$work/unheard" --arg end_wait_ms=10000
start_recorder
end_job
wait $job
are_counted "no recorder at the begin: the report is missing, and counted" \
	"1 1" reports reports_missing
is "nor is it written" 0 "$(wc -l <"$work/unheard")"
stop_recorder
start_recorder

# No report can be written: the hook has its answer though none is ready.
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
are_counted "these ends are without a report, and none is missing" "2 0 0" \
	ends reports reports_missing
rm "$work/wait"

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
    print("stepwell: cannot fork as", os.getuid(), flush=True)
TEXT
: >"$work/fourth"
begin_job 915 "$work/fourth" --arg end_wait_ms=10000
end_job
wait $job
is "the reporter can have no child" "stepwell: cannot fork as 65534" \
	"$(cat "$work/fourth")"
stop_recorder
is "nothing is left" "" "$(pgrep -f "$reporter")"
tally
