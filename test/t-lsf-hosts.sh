#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of LSF on several hosts: HOST_PRE_EXEC and HOST_POST_EXEC record tasks
# not started by a process of the job, whatever another user does.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
unset XDG_STATE_HOME
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
host=$abs_top_builddir/contrib/lsf/stepwell-host
starter=$abs_top_builddir/contrib/lsf/stepwell-starter
post=$abs_top_builddir/contrib/lsf/stepwell-post
sbatchd=$srcdir/test/lsf/sbatchd
node=$(uname -n)
case $host in
*[[:space:]]*)
	echo "t-lsf-hosts: a build folder with a blank is not tested" >&2
	exit 77 ;;
esac
# Differs from other runs of this test, since processes are found by it.
id=$((100000 + $$ * 10))
begin()
{
	id=$((id + 1))
	home=$work/home.$id
	mkdir -p "$home"
	mkfifo "$home/signals"
}
keeper()
{
	pgrep -f "^stepwell-host keep $id\$"
}
# Print the recordings of job $id, once this many are finished.
recordings()
{
	local folder=$home/.local/state/stepwell

	await eval "[ \$(compgen -G '$folder/lsf*.$id.*.stepwell' | wc -l) -eq $1 ]"
	compgen -G "$folder/lsf*.$id.*.stepwell"
}
programs()
{
	column "$1" programs name | sort -u | grep -xE "$2" | paste -sd' '
}
# task HOSTS COMMAND: run it on a host that is not the first
task()
{
	"$sbatchd" --home "$home" --hosts "$1" --host-pre "$host start" \
		--host-post "$host stop" --task "$id" "$2"
}

### a further host
begin
task "other 3 $node 4 third 1" 'python3 -c "import time
while time.process_time() < 1.5: pass"
(setsid timeout 60 sleep 4 &)
sleep 4.5; echo out; exit 3'
is "a task is what it is without: exit status, output" "3 out" \
	"$? $(cat "$home/out.$id")"
is "both always succeed" "0 0" "$(paste -sd' ' "$home/around")"
file=$(recordings 1)
is "whose it is" "$id lsf 3 4000" "$(column "$file" identity job_id) $(
	column "$file" identity origin) $(column "$file" identity node_count) $(
	column "$file" steps requested_cpus_milli)"
is "its programs, one that has left its parent, too" "python3 sh sleep timeout" \
	"$(programs "$file" 'python3|sh|sleep|timeout')"
is "what recorded is not among them" "" \
	"$(programs "$file" 'stepwell.*')"
"$stepwell" report --json "$file" >"$work/json"
# Up to a second after the last sample is not seen.
between "CPU time of tasks that nobody of the job waits for" 1.0 2.2 \
	"$(query "$work/json" 's["cpu"]["used_core_seconds"]')"
is "how it ended is not claimed" "-" "$(column "$file" summary wait_status)"
is "the report says how many hosts" "nodes: 1 of 3 hosts: $node" "$(
	HOME=$home "$stepwell" report --brief "$id" 2>&1 |
	grep -o 'nodes: 1 of 3 hosts: [^;]*')"
is "nothing is left" "" "$(keeper)"
is "nothing went wrong" "" "$(cat "$home/.local/state/stepwell/lsf.log")"
# A descriptor that is always ready would wake it up a million times.
between "it wakes up for samples and members" 1 2000 \
	"$(column "$file" series.recorder wakeups | tail -n 1)"

### hosts where nothing has to be recorded
begin
for hosts in "$node 4" "$node 4 other 2" "other 2 third 1"; do
	task "$hosts" 'sleep 0.1; exit 4'
	is "hosts \"$hosts\": exit status" 4 $?
done
# For a host not in the job nothing is known but its slots.
rm -rf "$home/.local"
task "$node 4" 'true'
task "$node 4 other 2" 'true'
is "one host, or the first: the starter's" "" \
	"$(compgen -G "$home/.local/state/stepwell/*")"

### descriptors, twice, without its recorder, without a home
begin
export LSB_JOBID=$id LSB_JOBINDEX=0 LSB_MCPU_HOSTS="other 1 $node 1" LSFUSER
LSFUSER=$(id -un)
exec 6>"$work/held"
text=$({ HOME=$home "$host" start; HOME=$home "$host" start; echo "$?"; } 7>&1)
is "none is held, of those that it was started with" 0 "$text"
pid=$(keeper)
is "one of it, however often" 1 "$(wc -w <<<"$pid")"
is "its descriptors are no job's" "" \
	"$(find /proc/"$pid"/fd -lname "$work/held")"
exec 6>&-
HOME=$home "$host" stop
is "stopped" "0 " "$? $(keeper)"
HOME=$home "$host" stop
is "again" 0 $?
recordings 1 >/dev/null
mkdir -p "$work/bare/a/b"
cp "$host" "$work/bare/a/b/"
# An installed recorder would be used.
if [ -x "${pkglibexecdir-}/stepwell-recorder" ]; then
	echo "# skip: a recorder is installed in $pkglibexecdir"
else
	HOME=$work/bare "$work/bare/a/b/stepwell-host" start
	is "without its recorder" "0 " "$? $(await eval '! pgrep -f \
		"^stepwell-host keep $id\$"' || keeper)"
fi
HOME=/proc/none "$host" start
status=$?
HOME=/proc/none "$host" stop
is "without a home" "0 0 " "$status $? $(keeper)"
unset LSB_JOBID LSB_JOBINDEX LSB_MCPU_HOSTS
"$host" start
is "without a job" 0 $?

### a killed recorder leaves a recording
begin
export LSB_JOBID=$id LSB_JOBINDEX=3 LSB_MCPU_HOSTS="other 1 $node 1"
HOME=$home "$host" start
sleep 300 &
sleeper=$!
await eval 'compgen -G "$home/.local/state/stepwell/*.part"'
file=$(compgen -G "$home/.local/state/stepwell/*.part")
await eval '[ "$(programs "$file" sleep)" = sleep ]'
kill -KILL "$(pgrep -f "^stepwell-host keep ${id}_3\$")"
file=$(recordings 1)
is "killed: a recording, of an element of an array" "3 sleep" \
	"$(column "$file" identity array_task_id) $(programs "$file" sleep)"
kill $sleeper
wait $sleeper 2>/dev/null
unset LSB_JOBID LSB_JOBINDEX LSB_MCPU_HOSTS

### other users
if [ "$(id -u)" -eq 0 ]; then
	begin
	echo 'import time
time.sleep(300)' >"$work/keep"
	(cd "$work" && exec setpriv --reuid 65534 --regid 65534 \
		--clear-groups env LSB_JOBID="$id" LSB_JOBINDEX=0 \
		bash -c 'exec -a stepwell-host python3 keep "$1"' - "$id") &
	imposter=$!
	await eval 'keeper'
	task "other 1 $node 1" "sleep 1.2; exit 5"
	is "a process of that name: the job is as it is" 5 $?
	file=$(recordings 1)
	is "and is recorded, alone" "sleep" "$(programs "$file" 'sleep|python3')"
	is "the process is left alone" "$imposter" "$(keeper)"
	kill $imposter
	wait $imposter 2>/dev/null
else
	echo "# skip: other users need root"
fi

### two hosts with one home, the first by the starter
if unshare --uts true 2>/dev/null; then
	begin
	hosts="h1.$id 1 h2.$id 2"
	unshare --uts sh -c "hostname h2.$id; exec \"\$@\"" - \
		"$sbatchd" --home "$home" --hosts "$hosts" \
		--host-pre "$host start" --host-post "$host stop" --task "$id" \
		"until [ -e $home/end ]; do sleep 0.1; done" &
	second=$!
	await eval 'keeper'
	unshare --uts sh -c "hostname h1.$id; exec \"\$@\"" - \
		"$sbatchd" --home "$home" --hosts "$hosts" \
		--starter "$starter;%USRCMD" --post "$post" \
		--host-pre "$host start" --host-post "$host stop" "$id" \
		"until [ -e $home/go ]; do sleep 0.1; done; exit 6" &
	first=$!
	await eval 'compgen -G "$home/.local/state/stepwell/*.h1.*.part"'
	# shellcheck disable=SC2034 # await's
	part=$(compgen -G "$home/.local/state/stepwell/*.h1.*.part")
	# Processes of blaunch on the first host, and of another job of this
	# user.
	(exec setsid env LSB_JOBID="$id" LSB_JOBINDEX=0 timeout 300 sleep 301) &
	blaunched=$!
	(exec setsid env LSB_JOBID="$id" LSB_JOBINDEX=1 tail -f /dev/null) &
	others=$!
	await eval '[ "$(programs "$part" timeout)" = timeout ]'
	touch "$home/go"
	wait $first
	is "two hosts: the exit status" 6 $?
	is "the post-exec reports both" "nodes: 2 of 2 hosts: h1.$id, h2.$id" \
		"$(grep -o 'nodes: 2 of 2.*' "$home/out.$id")"
	touch "$home/end"
	wait $second
	mapfile -t files < <(recordings 2)
	is "a task of blaunch on the first one, and nothing of another job" \
		"timeout" "$(programs "${files[0]}" 'timeout|tail')"
	is "the job is on both, and ended as the first did" "2 6" "$(
		HOME=$home "$stepwell" report --json "$id" >"$work/json"
		query "$work/json" 'len(r["nodes"]), r["job"]["exit_code"]' |
		tr -d '(),')"
	is "both are whole" "nodes 2 of 2 hosts: h1.$id, h2.$id" "$(
		HOME=$home "$stepwell" report "$id" | tr -s ' ' |
		sed -n 's/^ \(nodes 2 of 2\)/\1/p')"
	kill $blaunched $others
	wait $blaunched $others 2>/dev/null
else
	echo "# skip: other hosts need root"
fi

tally
