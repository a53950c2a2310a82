# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian packages on a node: installed, enabled, reinstalled in the middle
# of a step, repaired with the doctor's commands where systemd starts the
# recorder, and removed, so that the node is as before and no job is affected.
# Everything is on n1, where this runs; n2 has no line for the plugin.
# packages: yes
# timeout: 720
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

profile_dir=/var/spool/stepwell/profiles
plugstack=/etc/slurm/plugstack.conf
slurm=$(slurmd -V | sed 's/.* \([0-9]*\.[0-9]*\).*/\1/')
debs=(/opt/packages/stepwell_*.deb
	/opt/packages/stepwell-slurm-plugin_*+slurm"$slurm"_*.deb)
names=(stepwell stepwell-slurm-plugin)

if [ ! -f "${debs[0]}" ] || [ ! -f "${debs[1]}" ]; then
	plan 1
	skip "no packages for Slurm $slurm were given" 'the packages'
	finish
	exit
fi
# Built only with a libslurm; headers are not enough.
slurmdb=(/opt/packages/stepwell-slurmdb_*+slurm"$slurm"_*.deb)
if [ -f "${slurmdb[0]}" ]; then
	debs+=("${slurmdb[@]}")
	names+=(stepwell-slurmdb)
fi
plan 62

# Remove the files installed for the other cases.
rm -rf /usr/bin/stepwell /usr/libexec/stepwell \
	/usr/share/bash-completion/completions/stepwell \
	"$(find /usr -name stepwell.so)"

# List the files of the node; those of accounts stay changed by a new account.
list_files()
{
	find /usr /etc /var/spool /var/lib/systemd -xdev ! -type d \
		-printf '%p %y %m %u %g %l\n' |
		grep -vE '^/etc/((passwd|group|shadow|gshadow|subuid|subgid)-?|ld.so.cache|\.pwd\.lock) ' |
		sort
	find /usr /etc /var/spool /var/lib/systemd -xdev -type d | sort
	cat $plugstack
	find /run /sys/fs/cgroup /sys/fs/bpf -name '*stepwell*' 2>/dev/null
}
list_files >"$CASE_OUT/before"

is_answering()
{
	stepwell doctor | grep -q '^OK *recorder '
}

# Both nodes, even with a job on one of them.
are_nodes_up()
{
	[ "$(sinfo -h -t idle,mix,alloc -o %n | wc -l)" -eq 2 ]
}

main_pid()
{
	systemctl show -P MainPID stepwell-recorder.service
}

is_running()
{
	[ "$(job_field "$1" JobState)" = RUNNING ]
}

# A job that begins before the installation and ends after the removal.
write_script /home/bob/old.sh <<'JOB'
#!/bin/bash
srun sh -c 'until [ -e go ]; do sleep 1; done; exit 3'
echo "old $?"
exit 5
JOB
old=$(as_user bob sbatch --parsable -w n1 -n1 --mem=50 -o old.out old.sh)
wait_for 60 is_running "$old"

check 'the packages are installed' dpkg -i "${debs[@]}"
is "$(dpkg --audit; dpkg-query -W -f '${Status}\n' "${names[@]}" | sort -u)" \
	'install ok installed' '  and complete'
is "$(pgrep -x stepwell-record; find /run -name recorder.sock)" '' \
	'  and nothing runs before it is enabled'
matches "$(stepwell doctor --fix)" \
	'^systemctl .* enable --now stepwell-recorder.socket$' \
	'  the doctor knows how to enable it'
stepwell doctor --fix >/root/fix
check '  by commands that run' bash -e /root/fix
check '  the recorder answers' wait_for 20 is_answering
wait_for 30 are_nodes_up
examined=$(stepwell doctor)
# What this kernel has not, and what this machine's speed may do to hooks.
is "$?:$(grep -vE '^(OK|SKIP +(papi|gpus)|WARN +(exits|hooks)) ' \
	<<<"$examined")" 0: '  and all is well'
is "$(systemctl is-enabled stepwell-recorder.socket)" enabled \
	'  the socket is enabled'
matches "$(cat "/proc/$(main_pid)/cgroup")" \
	'/stepwell-recorder\.service$' '  the recorder is in the cgroup of its unit'

# What the unit forbids is nothing that the recorder does: here a call that it
# refuses kills, and one that slurmd has started records no more.
# sources_of JOB: the source of each table but hangs, which has rows only if the
# step was seen waiting, and why other tables are missing
sources_of()
{
	local file

	file=$(profiles_of alice "$1")
	stepwell dump "$file" |
		sed -n 's/^# table \([^,]*, source [^,]*\),.*/\1/p' |
		grep -v '^hangs,' | sort -u
	cells "$file" events kind detail | grep '^source_absent' | sort -u
}
has_programs()
{
	grep -qs prog_id /proc/"$(pgrep -ox stepwell-record)"/fdinfo/*
}
# hold NAME: run a step that holds 40 MiB; its sources go to $CASE_OUT/NAME
hold()
{
	wait_for 20 has_programs
	sleep 2
	as_user alice srun -w n1 -n1 --mem=200 /opt/workloads/w_hold 40 1 15
	job=$(newest_job)
	read_job alice "$job" 1
	sources_of "$job" >"$CASE_OUT/$1"
}
dropin=/run/systemd/system/stepwell-recorder.service.d
mkdir $dropin
printf '[Service]\nSystemCallErrorNumber=kill\n' >$dropin/kill.conf
# Emulated processors are slow to attach counters.
sed -i 's/stepwell\.so$/& wait_ms=5000 end_wait_ms=5000/' $plugstack
systemctl daemon-reload
systemctl restart stepwell-recorder.service
check 'a unit that kills for a call: the recorder answers' \
	wait_for 20 is_answering
before=$(main_pid)
hold unit
is "$(main_pid)" "$before" '  and after a job it is the same'
is "$(journalctl -k --no-pager | grep 'type=1326')" '' '  no child was killed'
is "$(of_job "$job" 'r["recording"]["programs_source"]')" bpf '  programs: by BPF'
matches "$(cat "$CASE_OUT/unit")" '^series.net, source bpf.cgroup_skb$' \
	'  the network: by BPF'
matches "$(cat "$CASE_OUT/unit")" '^series.perf, source perf.inherit$' \
	'  events: by perf'
matches "$(cat "$CASE_OUT/unit")" '^source_absent gpu: no NVIDIA GPU' \
	'  no GPU, with the reason'
is_between "$(of_job "$job" 'task("0", 0)["memory"]["peak_bytes"]')" \
	$((40 << 20)) $((48 << 20)) '  memory'
rm -r $dropin
systemctl daemon-reload
systemctl stop stepwell-recorder.socket stepwell-recorder.service
systemctl restart slurmd
wait_for 30 are_nodes_up
hold bare
is "$(cat "$CASE_OUT/bare")" "$(cat "$CASE_OUT/unit")" \
	'one that slurmd has started has the same sources'
systemctl start stepwell-recorder.socket
wait_for 20 is_answering
# The recorder's cgroup would harmlessly remain until the next boot.
wait_for 10 rmdir /sys/fs/cgroup/stepwell-recorder
sed -i 's/\(stepwell\.so\) .*/\1/' $plugstack

write_script /home/alice/data.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=50 --time=5
srun sh -c 'until [ -e go ]; do sleep 1; done; exit 3'
echo "$?"
exit 7
JOB
# start_job: its step runs until let_go.
start_job()
{
	rm -f /home/alice/go
	job=$(as_user alice sbatch --parsable -w n1 -o data.out data.sh)
	wait_for 60 has_step
	sleep 2
}
has_step()
{
	pgrep -u alice -f 'until .*go'
}
end_job()
{
	as_user alice touch go
	wait_for 60 is_job_over "$job"
	# Slurm's own messages, and the report after everything else.
	is "$(job_field "$job" JobState):$(job_field "$job" ExitCode):$(
		grep -vE 'error: .*Exited|^stepwell: |^$' /home/alice/data.out)" \
		FAILED:7:0:3 "$1: the job ends as it would"
}
delivered()
{
	read_job alice "$job" 1
	is "$(profiles_of alice "$job" | wc -l)" 1 '  one profile is delivered'
	check '  and sound' stepwell verify "$(profiles_of alice "$job")"
	is "$(of_job "$job" 'ids(), step("batch")["exit_code"],
		step("0")["exit_code"], [t["final_source"] for t in r["tasks"]],
		r["recording"]["frames_damaged"]')" \
		"('batch 0', 7, 3, ['hook', 'hook'], 0)" '  nothing is missing'
}

# The same packages again in the middle of a step: an upgrade.
start_job
before=$(main_pid)
check 'the packages are put in anew in the middle of a step' \
	dpkg -i "${debs[@]}"
check '  a recorder answers' wait_for 20 is_answering
check '  which is another one' test "$(main_pid)" != "$before"
sleep 2
end_job '  upgraded'
delivered

# Killed: systemd starts another.
start_job
before=$(main_pid)
kill -KILL "$before"
# The doctor warns of a unit that had to be restarted.
has_another()
{
	stepwell doctor | grep -qE '^WARN *recorder .*restart' &&
		[ "$(main_pid)" != "$before" ]
}
check 'the recorder is killed: systemd brings another' wait_for 20 has_another
sleep 2
end_job '  killed'
delivered

# Out of memory: the unit leaves a note, and the next recorder skips the job.
is_recorded()
{
	[ -n "$(steps_now "$job")" ]
}
start_job
wait_for 20 is_recorded
sleep 2
before=$(main_pid)
echo 4M >"/sys/fs/cgroup$(cut -d: -f3 "/proc/$before/cgroup")/memory.max"
check 'the recorder is out of memory: systemd brings another' \
	wait_for 20 has_another
names_job()
{
	journalctl --no-pager -u stepwell-recorder.service |
		grep "ran out of memory, most of which was held by job $job,"
}
check '  which knows of it, and of which job' wait_for 20 names_job
end_job '  out of memory'

# The doctor's output where there are units.  mend DESCRIPTION REGEX FIX
mend()
{
	local said

	said=$(stepwell doctor)
	matches "$said" "$2" "$1: the doctor sees it"
	stepwell doctor --fix | grep -v '^#' >/root/fix
	is "$(cat /root/fix)" "$3" '  and says what to do'
	bash -e /root/fix
	check '  which mends it' wait_for 30 is_answering
}
kill -STOP "$(main_pid)"
mend 'the recorder is stopped' '^FAIL  recorder .*did not answer' \
	'systemctl restart stepwell-recorder.service'
systemctl stop stepwell-recorder.socket stepwell-recorder.service
mend 'the units are stopped' \
	'^FAIL  recorder .*/run/stepwell/recorder.sock does not exist' \
	"systemctl reset-failed 'stepwell-recorder.*'; systemctl enable --now stepwell-recorder.socket"
mkdir -p /etc/stepwell
touch /etc/stepwell/off
has_ended()
{
	! pgrep -x stepwell-record
}
check 'the off file: the recorder ends' wait_for 10 has_ended
mend '  and' '^WARN  switch .*/etc/stepwell/off exists' \
	"rm /etc/stepwell/off && systemctl reset-failed 'stepwell-recorder.*'; systemctl restart stepwell-recorder.socket"

are_delivered()
{
	[ -z "$(find /var/spool/stepwell/node -name '*.stepwell')" ]
}

# removed DESCRIPTION: check what remains of a recorded step during which the
# packages were removed, with a copy of the command.
removed()
{
	check '  no process of ours is left' has_ended
	# An earlier job's profile may come meanwhile: it is not counted.
	is "$(xargs -r ls -d 2>&1 >/dev/null <<<"$kept"):$(
		profiles_of alice "$job" | wc -l)" :1 \
		"  users' profiles stay, and that of the step is with them"
	is "$(stat -c %U "$(profiles_of alice "$job")")" alice '  as its owner'
	is "$(/root/stepwell dump "$(profiles_of alice "$job")" |
		awk -F '\t' '/^# table/ { is_summary = /# table summary,/ }
			is_summary && /\tlost\t/' | wc -l):$(
		/root/stepwell report "$(profiles_of alice "$job")" |
		grep -c 'End not recorded')" 2:1 \
		'  with no end of its two steps, which the report says'
	end_job "  $1"
}
cp /usr/bin/stepwell /root/stepwell

# Remove as described in stepwell-install(7), during a recorded step.
start_job
wait_for 20 is_recorded
wait_for 60 are_delivered
kept=$(find $profile_dir -name '*.stepwell')
sed -i '/stepwell\.so/d' $plugstack
systemctl restart slurmd
wait_for 30 are_nodes_up
systemctl -q disable --now stepwell-recorder.socket stepwell-recorder.service
check 'the packages are removed' dpkg -r "${names[@]}"
removed removed
is "$(find /var/spool/stepwell -mindepth 1 -maxdepth 1 -printf '%f\n' | sort |
	paste -sd' ')" 'node profiles summaries' '  what the manual names stays'

# Installed and never enabled: slurmd starts the recorder.
check 'the packages are installed where slurmd starts the recorder' \
	dpkg -i "${debs[@]}"
echo 'optional stepwell.so' >>$plugstack
systemctl restart slurmd
wait_for 30 are_nodes_up
wait_for 20 is_answering
start_job
wait_for 20 is_recorded
kept=$(find $profile_dir -name '*.stepwell')
sed -i '/stepwell\.so/d' $plugstack
systemctl restart slurmd
wait_for 30 are_nodes_up
check '  and purged' dpkg -P "${names[@]}"
removed purged
is "$(find /var/spool/stepwell /var/lib/stepwell /run/stepwell /etc/stepwell \
	-mindepth 1 -maxdepth 1 2>/dev/null)" $profile_dir \
	'  nothing stays but the profiles'

as_user bob touch go
wait_for 60 is_job_over "$old"
is "$(job_field "$old" JobState):$(job_field "$old" ExitCode):$(tail -n 1 \
	/home/bob/old.out)" 'FAILED:5:0:old 3' \
	'a job that began before all of this ends as it would'
is "$(as_user alice srun -w n1 --mem=50 echo step 2>&1)" step \
	'a step afterwards says nothing of it'
rm -rf /var/spool/stepwell /root/stepwell /etc/sysctl.d/90-stepwell.conf
list_files >"$CASE_OUT/after"
is "$(diff "$CASE_OUT/before" "$CASE_OUT/after")" '' \
	'the node has the files that it had'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
