# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Harmful site conditions for the plugin and its files: folders that hang, are
# full or read-only, job containers, careless masks and settings.  Each job ends
# as it would without the plugin.  All jobs are on n1, where this runs.
# timeout: 1200
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

spool=/var/spool/stepwell/node
line=/etc/slurm/plugstack.conf.d/stepwell.conf

plan 63
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording
write_data_job
mkdir /mnt/stall

# later_delivered: delivered once the obstacle is gone.
later_delivered()
{
	delivery_seconds=180 delivered
	is "$(of_job "$job" 'ids(), step("batch")["exit_code"]')" \
		"('batch 0', 7)" '  with every step'
}

# Profiles go to a file system that never responds.
fuse_stall --never all $profile_dir >/root/stall 2>&1 &
stall=$!
check 'a file system that never answers is mounted' \
	wait_for 10 grep -q ready /root/stall
start_job
end_job 'the folder of profiles hangs'
start_job
end_job '  the next job'
kill $stall
wait $stall
umount -l $profile_dir
later_delivered

# The folder is read-only.
mount -t tmpfs -o ro,mode=3773 none $profile_dir
start_job
end_job 'the folder of profiles is read-only'
umount $profile_dir
later_delivered

# Its user has no space left: a quota of one block.
truncate -s 32M /root/quota.img
mkfs.ext4 -q -O quota -E quotatype=usrquota /root/quota.img
modprobe -a loop quota_v2 2>/dev/null
mount -o loop,usrquota /root/quota.img $profile_dir
chgrp stepwell $profile_dir && chmod 3773 $profile_dir
# set_quota KIBIBYTES: set alice's, by quotactl_fd(2); 0 is none.
set_quota()
{
	python3 - $profile_dir "$1" <<'PYTHON'
import ctypes, os, struct, sys
NR_QUOTACTL_FD = 443
Q_SETQUOTA, USRQUOTA, QIF_BLIMITS, ALICE = 0x800008, 0, 1, 1000
limit = int(sys.argv[2])
dqblk = struct.pack("=QQQQQQQQI4x", limit, limit, 0, 0, 0, 0, 0, 0, QIF_BLIMITS)
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(NR_QUOTACTL_FD, os.open(sys.argv[1], os.O_RDONLY),
                Q_SETQUOTA << 8 | USRQUOTA, ALICE,
                ctypes.create_string_buffer(dqblk)):
    sys.exit("quotactl_fd: errno %d" % ctypes.get_errno())
PYTHON
}
check 'alice has a quota of 4 KiB there' set_quota 4
start_job
end_job 'the user is over quota'
is_kept()
{
	find $spool -name "*.$job.*.stepwell" | grep -q .
}
check '  the profile waits in the spool' wait_for 30 is_kept
set_quota 0
later_delivered
umount $profile_dir

# The report's file is on a file system that hangs once the job has written.
fuse_stall --never write --file out=0 /mnt/stall >/root/stall 2>&1 &
stall=$!
wait_for 10 grep -q ready /root/stall
kill -USR1 $stall	# answers
chown alice /mnt/stall/out
write_script /home/alice/out.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5 --stepwell=report
srun sleep 2
echo done
touch written
sleep 4
exit 7
JOB
rm -f written
job=$(as_user alice sbatch --parsable -w n1 -o /mnt/stall/out out.sh)
check 'the job has written to its output' wait_for 60 test -e written
kill -USR2 $stall	# hangs
wait_for 60 is_job_over "$job"
is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" FAILED:7:0 \
	'its output hangs before the report: the job ends as it would'
check '  and the node is idle, not drained' wait_for 30 are_nodes_idle
# Its own close may hang there, too, after a write that does.
diag "slurmstepd, a second later: $(sleep 1; ps -C slurmstepd -o stat=,wchan= |
	paste -sd,)"
start_job
end_job '  the next job'
delivered
kill $stall
wait $stall
umount -l /mnt/stall

# A umask that allows everything, of the user and of slurmd.
mkdir -p /etc/systemd/system/slurmd.service.d
printf '[Service]\nUMask=0000\n' >/etc/systemd/system/slurmd.service.d/mask.conf
systemctl daemon-reload
pkill -TERM -x stepwell-record
start_recorder
job=$(umask 000 && as_user alice sbatch --parsable -w n1 -o data.csv data.sh)
end_job 'umask 000'
delivered
is "$(find $spool /run/stepwell -perm /022 ! -type s ! -type l | head)" '' \
	'  others can write nothing of the recorder'
is "$(stat -c %a "$(profiles_of alice "$job")")" 640 \
	'  nor read the profile'
rm /etc/systemd/system/slurmd.service.d/mask.conf
systemctl daemon-reload
pkill -TERM -x stepwell-record
start_recorder

# Many tasks in little memory: as many survive as without the plugin.
write_script /home/alice/many.sh <<'JOB'
#!/bin/bash
#SBATCH --overcommit --nodes=1 --ntasks=64 --mem=64M --time=10
srun --overcommit -n 64 --mem=64M sleep 1
JOB
many()
{
	job=$(sbatch_seconds=240 sbatch_wait alice -w n1 -o many.out many.sh)
	echo "$(job_field "$job" JobState):$(job_field "$job" ExitCode)"
}
words=$(cat $line)
: >$line
without=$(many)
echo "$words" >$line
with=$(many)
is "$with" "$without" '64 tasks in 64 MiB: as without the plugin'
check '  and the node is idle, not drained' wait_for 30 are_nodes_idle

# Two lines with the plugin.
printf '%s\n%s\n' "$words" "$words" >$line
systemctl restart slurmd
wait_for 30 are_nodes_idle
start_job
end_job 'the plugin is there twice'
delivered
is "$(of_job "$job" 'ids(), [s["tasks"] for s in r["steps"]]')" \
	"('batch 0', [1, 1])" '  each step and task counts once'
echo "$words" >$line

# A /tmp for each job; Slurm 24.05 and later also run the plugin's hooks in the
# job's namespace, or all of slurmstepd.
contained()
{
	{
		echo 'JobContainerType=job_container/tmpfs'
		echo 'PrologFlags=Contain'
		[ -z "$2" ] || echo "SlurmdParameters=config_overrides,$2"
	} >/etc/slurm/local.conf
	printf '%s\n' AutoBasePath=true BasePath=/var/tmp/container "$3" \
		>/etc/slurm/job_container.conf
	on_node n2 "cat >/etc/slurm/local.conf <<'CONF'
$(cat /etc/slurm/local.conf)
CONF
	cat >/etc/slurm/job_container.conf <<'CONF'
$(cat /etc/slurm/job_container.conf)
CONF"
	systemctl restart slurmctld
	on_nodes systemctl restart slurmd
	wait_for 60 are_nodes_idle
	start_job
	end_job "$1"
	read_job alice "$job" 1
	is "$(of_job "$job" 'ids(), step("batch")["exit_code"],
		step("0")["exit_code"]')" "('batch 0 extern', 7, 0)" \
		'  all of its steps are recorded'
	check '  its mount namespace is gone' wait_for 30 has_no_namespace
}
has_no_namespace()
{
	! grep -q " /var/tmp/container/$job/" /proc/mounts &&
		! readlink "/proc/$(pgrep -x stepwell-record)/fd/"* |
			grep -q '^mnt:'
}
contained 'a /tmp of its own' '' ''
if sinfo --version | awk '{ split($2, v, "."); exit !(v[1] >= 24) }'; then
	contained 'hooks in the container' contain_spank ''
	contained 'all of the step in the container' contain_spank \
		EntireStepInNS=true
else
	for i in 1 2 3 4 5 6 7 8 9 10; do
		skip 'before Slurm 24.05' "hooks in the container ($i)"
	done
fi

finish
