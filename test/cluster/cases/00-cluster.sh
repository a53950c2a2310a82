# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Features of the cluster that the other cases rely on.
# timeout: 300
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
plan 33

mib=$((1 << 20))

sorted_words()
{
	tr ' ' '\n' | sort | paste -sd' '
}

# The nodes themselves.
check 'two nodes are idle' are_nodes_idle
is "$(on_nodes hostname | paste -sd' ')" 'n1 n2' 'on_node reaches each node'
on_node n2 'exit 9'
is $? 9 'an exit status comes through'
is "$(as_user alice sh -c 'id -un; pwd; echo $HOME' | paste -sd' ')" \
	'alice /home/alice /home/alice' 'as_user gives a user with its home'
as_user bob touch /home/bob/shared
is "$(on_node -u bob n2 stat -c %U /home/bob/shared)" bob \
	'both nodes have the same home folders'
is "$(on_nodes stat -fc %T /sys/fs/cgroup | sort -u)" cgroup2fs \
	'cgroup v2 is the only tree'
is "$(on_nodes 'grep -owE "cpu|cpuset|io|memory|pids" \
	/sys/fs/cgroup/cgroup.controllers | sort | paste -sd" "' | sort -u)" \
	'cpu cpuset io memory pids' 'the nodes have every controller'
check 'the nodes have PSI' on_nodes cat /proc/pressure/memory
is "$(on_nodes systemctl is-active slurmd munge | sort -u)" active \
	'slurmd and munge run on both'
# Allow for the time of the answer on a busy machine.
before=$(date +%s)
there=$(on_node n2 date +%s)
is_between "$there" $((before - 5)) $(($(date +%s) + 5)) \
	'the clocks agree within 5 s'

# Steps.
is "$(as_user alice srun -N2 --ntasks-per-node=2 hostname | sort |
	paste -sd' ')" 'n1 n1 n2 n2' 'srun starts two tasks on each of two nodes'
as_user alice srun -n1 sh -c 'exit 7' 2>/dev/null
is $? 7 'srun hands on an exit status'

write_script /home/alice/steps.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=2 --nodes=2 --mem=100 --time=5
srun hostname | sort | paste -sd' '
srun -N1 -n1 sh -c 'echo $SLURM_STEP_ID; exit 4' || echo "step $?"
exit 3
JOB
job=$(sbatch_wait alice -o steps.out steps.sh)
is $? 0 'a batch job ends'
is "$(paste -sd, /home/alice/steps.out | sed 's/srun: [^,]*,//g')" \
	'n1 n2,1,step 4' 'it ran its steps'
is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" FAILED:3:0 \
	'and has the exit code of its script'
accounted()
{
	sacct -nPj "$1" --format=jobid,state,exitcode
}
has_accounts()
{
	accounted "$1" | grep -q "^$1.1|FAILED|4:0"
}
wait_for 20 has_accounts "$job"
is "$(accounted "$job" | paste -sd' ')" \
	"$job|FAILED|3:0 $job.batch|FAILED|3:0 $job.0|COMPLETED|0:0 $job.1|FAILED|4:0" \
	'sacct knows the job and its steps'

# The cgroup of a task.
shape='^/system\.slice/n[12]_slurmstepd\.scope/(job_[0-9]+|s[0-9A-HJKMNP-TV-Z]{13})/step_(batch|[0-9]+)/user/task_(0|special)$'
write_script /home/alice/cgroup.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=200 --time=5
show() {
	path=$(grep ^0:: /proc/self/cgroup | cut -d: -f3)
	echo "$1 path $path"
	cd "/sys/fs/cgroup$path"
	echo "$1 files" memory.peak memory.events cpu.stat memory.pressure
	cat memory.peak memory.events cpu.stat memory.pressure >/dev/null &&
		echo "$1 readable"
	echo "$1 controllers $(cat cgroup.controllers)"
	echo "$1 limit $(cat ../../../memory.max)"
	echo "$1 cpus $(nproc)"
}
show batch
export -f show
srun bash -c 'show step'
JOB
job=$(sbatch_wait alice -o cgroup.out cgroup.sh)
seen=$(cat /home/alice/cgroup.out)
for step in batch step; do
	matches "$(sed -n "s/^$step path //p" <<<"$seen")" "$shape" \
		"$step: a task is in a cgroup of its own"
	matches "$seen" "^$step readable$" "$step: its files can be read"
	is "$(sed -n "s/^$step controllers //p" <<<"$seen" | sorted_words)" \
		'cpu cpuset memory' "$step: it has cpu, cpuset and memory"
	is "$(sed -n "s/^$step limit //p" <<<"$seen")" $((200 * mib)) \
		"$step: the job's memory limit is --mem"
	is "$(sed -n "s/^$step cpus //p" <<<"$seen")" 1 \
		"$step: the job's processors are those it asked for"
done

# A silent OOM: a child is killed, but the program and the job succeed.
write_script /home/alice/oom.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=300 --time=5
srun bash -c '
	top=/sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)
	stress-ng --vm 1 --vm-bytes 600M --timeout 8
	echo "status $?"
	cat "$top/memory.events"
	echo "peak $(cat "$top/memory.peak")"'
exit 0
JOB
job=$(sbatch_wait alice -o oom.out oom.sh)
seen=$(cat /home/alice/oom.out)
is "$(value_of status "$seen")" 0 'a program ends well though a child is killed'
is_between "$(value_of oom_kill "$seen")" 1 50 'the kernel counted the kill'
is_between "$(value_of peak "$seen")" $((290 * mib)) $((300 * mib)) \
	'the peak is the limit'
matches "$seen" 'successful run completed' 'the program says that all went well'
is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" COMPLETED:0:0 \
	'and so does Slurm'

# Assumptions of the other cases.
is "$(on_nodes 'ls /etc/slurm/plugstack.conf.d | wc -l' | sort -u)" 0 \
	'no plugin is there before a case adds one'
check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
