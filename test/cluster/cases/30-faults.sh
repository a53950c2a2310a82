# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Faults of the recorder while a job runs.  Each job ends as it would without
# the plugin, in time, and its profile says what is missing.  All jobs are on
# n1, where this runs.
# timeout: 1200
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

recorder=/usr/libexec/stepwell/stepwell-recorder
spool=/var/spool/stepwell/node

plan 99
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording wait_ms=2000 \
	end_wait_ms=2000
write_data_job

# Set a site's timeouts, for a recorder that does not answer, or timeouts long
# enough for an answer on emulated processors.
wait_as()
{
	local step=2000 end=2000

	[ "$1" = patiently ] || step=20 end=50
	# The last of several equal arguments counts, and add_plugin sets some
	# before.
	sed -i "s/ wait_ms=[0-9]*/ wait_ms=$step/g
		s/ end_wait_ms=[0-9]*/ end_wait_ms=$end/g" \
		/etc/slurm/plugstack.conf.d/stepwell.conf
}

recorder_pid()
{
	pgrep -o -x stepwell-record
}

# No fault: the baseline.
start_job
end_job 'no fault'
delivered
is "$(of_job "$job" 'ids(), step("batch")["exit_code"],
	[t["final_source"] for t in r["tasks"]]')" \
	"('batch 0', 7, ['hook', 'hook'])" '  it has both steps and their ends'

# Killed while the hook of the first step waits for its answer.
wait_as hastily
pkill -STOP -x stepwell-record
start_job
wait_for 30 pgrep -f 'slurmstepd: \['
sleep 1
pkill -KILL -x stepwell-record
end_job 'killed at the launch'
start_recorder
delivered
is "$(of_job "$job" 'ids(), sorted((t["step"], t["exit_code"],
	t["final_source"]) for t in r["tasks"])')" \
	"('batch 0', [('0', 0, 'drop'), ('batch', 7, 'drop')])" \
	'  the ends are there, from what the hooks kept'

# Killed in the middle of a step; slurmd starts another.
wait_as patiently
start_job
wait_for 60 is_running
sleep 2
pkill -KILL -x stepwell-record
sleep 1
systemctl restart slurmd
wait_for 20 are_recorders_there
end_job 'killed in the middle'
delivered
is "$(of_job "$job" 'ids(), step("batch")["exit_code"],
	step("0")["exit_code"], [t["final_source"] for t in r["tasks"]]')" \
	"('batch 0', 7, 0, ['hook', 'hook'])" '  the next goes on with it'
is "$(of_job "$job" 'sum(e["kind"] == "gap" and e["value"] > 500000
	for e in r["events"]) >= 2')" True '  and tells of the gap in each step'

# Killed before it has received the ends.
wait_as hastily
start_job
wait_for 60 is_running
sleep 2
pkill -STOP -x stepwell-record
end_job 'killed at the end'
pkill -KILL -x stepwell-record
start_recorder
delivered
is "$(of_job "$job" 'ids(), "exit_code" in step("batch"),
	r["recording"]["final_source"]')" "('batch 0', False, 'lost')" \
	'  the ends are lost, and it says so'

# Stopped, and continued when everything has ended.
pkill -STOP -x stepwell-record
start_job
end_job 'stopped all the time'
pkill -CONT -x stepwell-record
delivered
is "$(of_job "$job" '[s["is_armed"] for s in r["steps"]],
	sorted((t["step"], t["exit_code"]) for t in r["tasks"])')" \
	"([False, False], [('0', 0), ('batch', 7)])" \
	'  not armed, and the ends as the hooks told them'

# No step is delayed for longer than the timeouts allow.
plugin_line=$(cat /etc/slurm/plugstack.conf.d/stepwell.conf)
timed_step()
{
	local begin

	# After a step that has not fully ended srun would queue for seconds.
	wait_for 30 are_nodes_idle
	begin=$(date +%s%3N)
	as_user alice srun -w n1 -n1 --mem=50 true
	echo $(($(date +%s%3N) - begin))
}
# held_up DESCRIPTION: compare the minimum of five steps with the current fault
# with that of five without the plugin, alternating: single steps vary by
# seconds on emulated processors.
held_up()
{
	local without

	for _ in 1 2 3 4 5; do
		: >/etc/slurm/plugstack.conf.d/stepwell.conf
		timed_step
		echo "$plugin_line" >/etc/slurm/plugstack.conf.d/stepwell.conf
		timed_step >&3
	done >/root/without 3>/root/with
	diag "ms without: $(paste -sd' ' /root/without)," \
		"with: $(paste -sd' ' /root/with)"
	without=$(sort -n /root/without | head -n 1)
	is_between "$(sort -n /root/with | head -n 1)" 1 $((without + 1000)) \
		"$1: a step takes no more than $without ms and 1 s"
}
held_up 'a recorder that answers'
pkill -STOP -x stepwell-record
held_up 'stopped'
pkill -KILL -x stepwell-record
held_up 'killed, and its socket left behind'
rm -f /run/stepwell/recorder.sock
held_up 'no socket'
python3 -c '
import socket, time
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.bind("/run/stepwell/recorder.sock")
s.listen(0)
c = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
c.connect("/run/stepwell/recorder.sock")
time.sleep(600)' &
squatter=$!
sleep 1
held_up 'a socket that is full'
start_job
end_job 'a socket that is full'
kill $squatter
start_recorder

# slurmd is restarted.
wait_as patiently
before=$(recorder_pid)
start_job
wait_for 60 is_running
systemctl restart slurmd
end_job 'slurmd restarted'
is "$(recorder_pid)" "$before" '  the recorder is the same'
delivered
is "$(of_job "$job" 'ids(), step("batch")["exit_code"],
	[t["final_source"] for t in r["tasks"]]')" \
	"('batch 0', 7, ['hook', 'hook'])" '  nothing is missing'

# Another recorder is installed, the old one terminated, slurmd restarted.
start_job
wait_for 60 is_running
cp $recorder $recorder.new
mv $recorder.new $recorder
pkill -TERM -x stepwell-record
has_ended()
{
	! pgrep -x stepwell-record
}
check 'upgraded: the old one ends within 2 s' wait_for 3 has_ended
systemctl restart slurmd
wait_for 20 are_recorders_there
end_job 'upgraded'
delivered
is "$(of_job "$job" 'ids(), step("batch")["exit_code"],
	[t["final_source"] for t in r["tasks"]],
	r["recording"]["frames_damaged"]')" \
	"('batch 0', 7, ['hook', 'hook'], 0)" '  the new one goes on with it'

# The binary is missing.
wait_as hastily
mv $recorder $recorder.away
pkill -KILL -x stepwell-record
systemctl restart slurmd
start_job
end_job 'no recorder is installed'
matches "$(cat /var/log/slurm/slurmd.log)" 'stepwell.*was not started' \
	'  slurmd says so'
mv $recorder.away $recorder
start_recorder

# The spool.  with_spool DESCRIPTION: run a job; the recorder is still there
# afterwards.
with_spool()
{
	start_job
	end_job "$1"
	check '  and the recorder is still there' are_recorders_there
}
restart_on_spool()
{
	pkill -TERM -x stepwell-record
	wait_for 5 has_ended
	start_recorder
}
mount -t tmpfs -o size=64k,mode=700 none $spool
restart_on_spool
dd if=/dev/zero of=$spool/other bs=1k count=64 2>/dev/null
with_spool 'the spool is full'
rm $spool/other
with_spool 'it has room again'
delivered
is "$(of_job "$job" 'step("batch")["exit_code"]')" 7 '  and is used again'
mount -o remount,ro $spool
with_spool 'the spool is read-only'
pkill -TERM -x stepwell-record
wait_for 5 has_ended
umount $spool
start_recorder
rm -rf $spool
with_spool 'the spool is deleted'
delivered
is "$(stat -c '%U %a' $spool)" 'root 700' '  the folder is made again'
mkdir -p /root/elsewhere
pkill -TERM -x stepwell-record
wait_for 5 has_ended
rm -rf $spool
ln -s /root/elsewhere $spool
systemctl restart slurmd
start_job
end_job 'the spool is a link'
is "$(ls /root/elsewhere)" '' '  which is not followed'
rm $spool
start_recorder
with_spool 'the spool is in order again'
delivered

# The delivery folder is missing for a while.
mv $profile_dir $profile_dir.away
with_spool 'profiles cannot be delivered'
# Its end is recorded after that of the job.
is_waiting()
{
	find $spool -name "*.$job.*.stepwell" | grep -q .
}
check '  the profile waits in the spool' wait_for 30 is_waiting
is "$(steps_now "$job")" 'batch 0' '  with every step'
mv $profile_dir.away $profile_dir
delivery_seconds=150
delivered

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
