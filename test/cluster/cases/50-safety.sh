# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Effects of the recorder visible to a job, its user and other users: none in
# the job, only one's own profiles are readable, and nothing remains after its
# removal.  All jobs but one are on n1, where this runs.
# timeout: 600
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 47
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording
plugin_line=$(cat /etc/slurm/plugstack.conf.d/stepwell.conf)

without_plugin()
{
	on_nodes ': >/etc/slurm/plugstack.conf.d/stepwell.conf'
}

with_plugin()
{
	on_nodes "echo '$plugin_line' >/etc/slurm/plugstack.conf.d/stepwell.conf"
}

mkdir -p /home/tools
# Descriptors of a process, without the numbers that differ each time.
cat >/home/tools/show_fds <<'TEXT'
#!/bin/bash
# show_fds PID: print descriptor and target, one a line
for fd in /proc/"$1"/fd/*; do
	target=$(readlink "$fd") || continue
	echo "${fd##*/} $(sed 's/[0-9][0-9]*/N/g' <<<"$target")"
done
TEXT
chmod 755 /home/tools/show_fds
cat >/home/tools/task_epilog <<'TEXT'
#!/bin/bash
/home/tools/show_fds $$ >/home/alice/epilog.fds
TEXT
chmod 755 /home/tools/task_epilog
echo 'TaskEpilog=/home/tools/task_epilog' >/etc/slurm/local.conf
on_node n2 "echo 'TaskEpilog=/home/tools/task_epilog' >/etc/slurm/local.conf"
scontrol reconfigure
sleep 2

# Find the step's slurmstepd, but not that of the scope, which has no child.
stepd()
{
	pgrep -f "slurmstepd: \\[$1\\.0\\]"
}

# look WORD: examine a step with two tasks, its slurmstepd and its epilog.
look()
{
	local pid job

	rm -f epilog.fds go
	as_user alice srun -w n1 -n2 --mem=100 \
		sh -c '/home/tools/show_fds $$ >task.$SLURM_PROCID
			until [ -e go ]; do sleep 0.5; done' &
	wait_for 60 test -s task.0 -a -s task.1
	job=$(newest_job)
	# Give the recorder time to process the start of the step.
	sleep 3
	pid=$(stepd "$job")
	/home/tools/show_fds "$pid" | cut -d' ' -f2- | sort >"$CASE_OUT/stepd.$1"
	find "/proc/$pid/task" -maxdepth 1 -mindepth 1 | wc -l \
		>"$CASE_OUT/threads.$1"
	ps -o comm= --ppid "$pid" | sort >"$CASE_OUT/children.$1"
	touch go
	wait
	sort task.0 task.1 >"$CASE_OUT/task.$1"
	sort epilog.fds >"$CASE_OUT/epilog.$1"
	rm -f task.0 task.1
}
without_plugin
look without
with_plugin
look with
is "$(steps_now "$(newest_job)")" 0 'the step was recorded'
for what in task epilog stepd threads children; do
	check "$what: something was seen" test -s "$CASE_OUT/$what.without"
	is "$(cat "$CASE_OUT/$what.with")" "$(cat "$CASE_OUT/$what.without")" \
		'  and it is the same with the plugin'
done
is "$(cat "$CASE_OUT/children.with")" $'sh\nsh' \
	'the children of slurmstepd are the tasks'
is "$(grep -c stepwell "$CASE_OUT/task.with" "$CASE_OUT/epilog.with" |
	paste -sd' ')" "$CASE_OUT/task.with:0 $CASE_OUT/epilog.with:0" \
	'no descriptor of ours is in a task or an epilog'
# The slurmstepd that holds Slurm's scope has no step in its name.
is "$(pgrep -c -f '^slurmstepd: \[')" 0 'no slurmstepd is left'

# The recorder keeps no file of a user open.
write_script /home/alice/plain.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5
srun sleep 4
JOB
job=$(as_user alice sbatch --parsable -w n1 plain.sh)
wait_for 60 pgrep -u alice -x sleep
pid=$(pgrep -o -x stepwell-record)
is "$(/home/tools/show_fds "$pid" | grep -c ' /home')" 0 \
	'the recorder has nothing open below /home'
is "$(sed 's/^0:://' "/proc/$pid/cgroup")" /stepwell-recorder \
	'it is in a cgroup of its own'
is "$(on_node -u alice n1 "cat /proc/$pid/maps /proc/$pid/environ" 2>/dev/null)" \
	'' 'a user cannot look into it'
on_node -u alice n1 "kill -TERM $pid" 2>/dev/null
is "$?:$(pgrep -o -x stepwell-record)" "1:$pid" 'nor end it'
on_node -u alice n1 "python3 -c '
import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.connect(\"/run/stepwell/recorder.sock\")'" 2>/dev/null
is $? 1 'nor talk to it'
wait_for 60 is_job_over "$job"

# Other users.
read_job alice "$job" 1
file=$(profiles_of alice "$job")
is "$(stat -c '%U %a' "$file")" 'alice 640' 'a profile is its user own'
is "$(stat -c '%U %a' "$profile_dir/1000")" 'alice 2750' 'so is the folder'
for command in "cat $file" "ls $profile_dir/1000" "ls $profile_dir" \
	'ls /var/spool/stepwell/node' "rm -f $file" \
	"mv $profile_dir/1000 $profile_dir/away" \
	"touch $profile_dir/1000/x" 'ls /run/stepwell/steps'; do
	seen=$(on_node -u bob n1 "$command" 2>&1)
	status=$?
	is "$((status > 0)):$(grep -c 'Permission denied\|not permitted' \
		<<<"$seen")" 1:1 "bob may not: $command"
done
check 'and all is still there' test -s "$file"
seen=$(as_user bob stepwell report --json "$job" 2>/dev/null)
diag "bob: $seen"
is "$(grep -c '"program"\|"is_armed"\|"pid"\|"peak_bytes"' <<<"$seen")" 0 \
	'stepwell tells bob nothing of what was recorded'
is "$(as_user bob stepwell list 2>/dev/null | grep -c plain.sh)" 0 \
	'nor lists it'

# Bob creates a folder where his neighbour's will be, and a link.
mkdir -m 777 /home/bob/catch
chmod 755 /home/bob
# is_in JOB FOLDER: its profile is there
is_in()
{
	[ -n "$(find "$2" -name "*.$1.*.stepwell" 2>/dev/null)" ]
}

for trap in 'mkdir -m 777 1000' 'ln -s /home/bob/catch 1000'; do
	mv $profile_dir/1000 /root/alice
	on_node -u bob n1 "cd $profile_dir && $trap"
	job=$(sbatch_wait alice -w n1 plain.sh)
	wait_for 30 is_in "$job" $profile_dir/1000.1
	is "$(find $profile_dir/1000 /home/bob -name "*.$job.*")" '' \
		"bob catches nothing: $trap"
	is "$(stat -c %U $profile_dir/1000.1/*."$job".*.stepwell)" alice \
		'  and alice has it in a folder of another name'
	is "$(job_field "$job" ExitCode)" 0:0 '  the job is as it was'
	rm -rf $profile_dir/1000 $profile_dir/1000.1
	mv /root/alice $profile_dir/1000
done

# Removal while a job runs.
job=$(as_user alice sbatch --parsable -w n1 plain.sh)
wait_for 60 pgrep -u alice -x sleep
on_nodes 'rm /etc/slurm/plugstack.conf.d/stepwell.conf'
on_nodes 'pkill -TERM -x stepwell-record'
has_ended()
{
	! pgrep -x 'stepwell-record|stepwell-delive'
}
check 'removed: it ends within 2 s' wait_for 3 has_ended
wait_for 60 is_job_over "$job"
is "$(job_field "$job" ExitCode)" 0:0 'a job that runs goes on'
on_nodes 'systemctl restart slurmd'
wait_for 30 are_nodes_idle
as_user alice srun -N2 true
is $? 0 'jobs run without the plugin'
is "$(on_nodes 'ps -e -o comm= | grep stepwell')" '' 'no process is left'
is "$(on_nodes 'find /sys/fs/cgroup -name "*stepwell*"')" '' 'no cgroup'
is "$(on_nodes 'find /run/stepwell -type s')" '' 'no socket'
is "$(on_nodes 'find /sys/fs/bpf -mindepth 1 2>/dev/null')" '' \
	'no pinned object'
stepwell verify "$(profile_now "$job")" >"$CASE_OUT/verify"
is "$(grep -c 'damaged places   0 \|rows dropped     0$' "$CASE_OUT/verify")" 2 \
	'nothing of what was seen of the job is damaged'
finish
