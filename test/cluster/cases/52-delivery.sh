# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Delivery to users with the default timeouts of a site: the report in the job's
# output, even if its file system stops responding, and the profile, even if the
# name of the folder is taken.
# timeout: 900
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 36
cd /home/alice || exit
on_nodes "mkdir -p /etc/stepwell &&
	echo 'profile_dir: $profile_dir' >/etc/stepwell/stepwell.yaml"
check 'the plugin and the recorders are there' set_up_recording \
	wait_ms=20 end_wait_ms=50

# counted NAME: print this node's counter, from the file that the doctor reads
counted()
{
	sleep 2
	sed -n "s/^$1 //p" /run/stepwell/counts
}

# has_report FILE: the report is there, after the job's own lines
has_report()
{
	grep -q '^stepwell: ' "$1"
}

# The report, on processors far too slow for 50 ms.
write_script /home/alice/plain.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5
srun sleep 4
echo mine
exit ${1:-0}
JOB
for status in 0 3; do
	job=$(sbatch_wait alice -w n1 plain.sh $status)
	check "exit status $status: the report is in slurm-$job.out" \
		wait_for 60 has_report "slurm-$job.out"
	is "$(head -n 1 "slurm-$job.out")" mine '  behind its own lines'
	is "$(job_field "$job" ExitCode)" $status:0 '  the job is as it was'
done
is "$(counted reports) $(counted reports_missing)" '2 0' \
	'no report is missing'
diag "$(paste -sd' ' /run/stepwell/counts)"
is "$(($(counted ends_late) >= $(counted reports_late)))" 1 \
	'a report is late only where its hook was'
matches "$(stepwell doctor)" 'hooks ' 'the doctor has a line on that'
diag "$(stepwell doctor | grep -A3 'hooks ')"

# Late reports are dropped here.
echo 'late_report: drop' >>/etc/stepwell/stepwell.yaml
pkill -TERM -x stepwell-record
start_recorder
job=$(sbatch_wait alice -w n1 plain.sh)
check 'late_report: drop: the end is counted' wait_for 30 \
	grep -qx 'reports 1' /run/stepwell/counts
late=$(counted reports_missing)
is "$(grep -c '^stepwell: ' "slurm-$job.out" | sed 's/^[1-9].*/there/') $late" \
	"$([ "$late" = 1 ] && echo 0 1 || echo there 0)" \
	'  the report is there in time, or missing and counted'
sed -i /late_report/d /etc/stepwell/stepwell.yaml
pkill -TERM -x stepwell-record
start_recorder

# The job's output stops responding, except for what Slurm itself waits for.
mkdir /mnt/stall
fuse_stall --never getattr --file out=0 /mnt/stall >/root/stall 2>&1 &
stall=$!
wait_for 10 grep -q ready /root/stall
kill -USR1 $stall	# answers
chown alice /mnt/stall/out
write_script /home/alice/out.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5 --stepwell=report
srun sleep 2
touch written
sleep 4
exit 7
JOB
job=$(as_user alice sbatch --parsable -w n1 -o /mnt/stall/out out.sh)
check 'the job has begun' wait_for 60 test -e written
kill -USR2 $stall	# hangs
is "$(timeout -s KILL 1 stat /mnt/stall/out >/dev/null 2>&1; echo $?)" 137 \
	'its output does not answer stat(2)'
has_ended()
{
	is_job_over "$job" && ! pgrep -f "slurmstepd: \\[$job"
}
check '  the job ends all the same' wait_for 60 has_ended
is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" FAILED:7:0 \
	'  as it would'
check '  and the node is idle, not drained' wait_for 30 are_nodes_idle
kill -USR1 $stall
check '  when it answers the report is there' \
	wait_for 60 has_report /mnt/stall/out
kill $stall
wait $stall
umount -l /mnt/stall

# Bob takes the name of his neighbour's folder.  On n2 the folder is an NFS
# export with root_squash: there alice's own process must create hers.
mkdir -m 777 /home/bob/catch
chmod 755 /home/bob
rm -rf $profile_dir/1000
# own_profile NODE: print the path of alice's profile of the job, wherever it is
own_profile()
{
	find $profile_dir/1000* -user alice -name "*.$job.*.$1.stepwell" \
		2>/dev/null
}
is_own()
{
	[ -n "$(own_profile "$1")" ]
}
for trap in 'mkdir -m 777 1000' 'ln -s /home/bob/catch 1000' 'touch 1000'; do
	on_node -u bob n1 "cd $profile_dir && $trap"
	for node in n1 n2; do
		rm -rf $profile_dir/1000.*
		job=$(sbatch_wait alice -w $node plain.sh)
		check "$trap, $node: alice has her profile" \
			wait_for 60 is_own $node
		is "$(stat -c '%U %a' "$(dirname "$(own_profile $node)")")" \
			'alice 2750' \
			'  in a folder of her own'
	done
	matches "$(stepwell doctor | tr -s '\n ' '  ')" \
		'folders.*1000 \([a-z ]*another user|1000 \((a link|no folder)' \
		'  and the doctor names what has the name'
	rm -rf $profile_dir/1000
done
is "$(find /home/bob/catch -type f)" '' 'bob catches nothing'
rm -rf $profile_dir/1000*
job=$(sbatch_wait alice -w n2 plain.sh)
check 'no name is taken: alice has her profile' wait_for 60 is_own n2
is "$(dirname "$(own_profile n2)")" $profile_dir/1000 \
	'  in the folder of her number'
finish
