# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A few jobs with the plugin and with "stepwell run", in two minutes, as run by
# quickstart.  The other cases are more thorough.
# timeout: 300
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
plan 37

mib=$((1 << 20))

# query FILE EXPRESSION: in Python, on the JSON report r and its first step s.
query()
{
	as_user alice stepwell report --json "$1" | python3 -c '
import json, sys
r = json.load(sys.stdin)
s = r["steps"][0]
print(eval(sys.argv[1]))' "$2" 2>&1
}

# The plugin must not be visible to any job.  Without arguments:
# shellcheck disable=SC2119
add_plugin
is "$(on_nodes systemctl is-active slurmd | sort -u)" active \
	'slurmd runs with the plugin'
is "$(on_nodes 'grep -ci "spank.*stepwell\|dlopen" /var/log/slurm/slurmd.log' |
	sort -u)" 0 'slurmd found and took it'
matches "$(as_user alice srun --help)" \
	'--stepwell=off\|on\|quiet\|report\|PERIOD' \
	'srun has the option --stepwell'
seen=$(as_user alice srun -N2 --ntasks-per-node=2 hostname 2>"$CASE_OUT/said" |
	sort | paste -sd' ')
is "$seen" 'n1 n1 n2 n2' 'a step runs on both nodes'
is "$(cat "$CASE_OUT/said")" '' 'and nothing is said'
as_user alice srun sh -c 'exit 7' 2>/dev/null
is $? 7 'an exit status comes through'
seen=$(as_user alice srun --stepwell=off hostname 2>&1)
matches "$seen" '^n[12]$' 'a step that is not recorded runs'
seen=$(as_user alice srun --stepwell=seldom true 2>&1)
is "$?:$(grep -c 'stepwell=seldom: must be off' <<<"$seen")" 255:1 \
	'a word that is not known is refused, with those that are'
on_nodes 'mkdir -p /etc/stepwell && touch /etc/stepwell/off'
is "$(as_user alice srun -N2 hostname 2>&1 | sort | paste -sd' ')" 'n1 n2' \
	'a step runs where the administrator has switched recording off'
# The recorders have exited; a restart of slurmd starts new ones.
on_nodes 'rm /etc/stepwell/off; systemctl restart slurmd'
wait_for 30 are_nodes_idle

# A recording on each node, read on n1.
as_user alice srun -N2 --mem=200 sh -c 'stepwell run --no-report \
	--output "$(hostname).stepwell" -- w_hold 20 2 1'
is $? 0 'a command is recorded on each of two nodes'
for node in n1 n2; do
	file=/home/alice/$node.stepwell
	check "$node: the recording is sound" as_user alice stepwell verify \
		"$file"
	is "$(query "$file" 'r["job"]["nodes"][0]["name"]')" "$node" \
		"$node: it names the node"
	is "$(query "$file" 's["memory"]["limit_bytes"]')" $((200 * mib)) \
		"$node: the limit is that of the job"
	# In a task's cgroup alice cannot create another: samples of her
	# processes are no upper bound of their need.
	is_between "$(query "$file" 's["memory"]["need_bytes"]')" \
		$((20 * mib)) $((41 * mib)) "$node: 40 MiB are not below the need"
	is_between "$(query "$file" 's["memory"]["peak_bytes"]')" \
		$((40 * mib)) $((48 * mib)) "$node: and were seen"
	is "$(query "$file" '"need_upper_bytes" in s["memory"]')" False \
		"$node: which is not said to be the most"
done

# A silent OOM: the job succeeds.
write_script /home/alice/oom.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=300 --time=5
stepwell run --no-report --output oom.stepwell -- w_oom 600 --child --pace-ms 5
JOB
job=$(sbatch_wait alice -o oom.out oom.sh)
matches "$(job_field "$job" ExitCode)" '^0:' \
	'a child is killed for want of memory and the script ends well'
is_between "$(query /home/alice/oom.stepwell \
	's["memory"]["peak_bytes"]')" $((290 * mib)) $((300 * mib)) \
	'memory up to the limit was seen'

# A killed recorder: what it had recorded is kept, and the job continues.
write_script /home/alice/killed.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=200 --time=5
stepwell run --no-report --output killed.stepwell -- w_hold 20 1 60 &
sleep 6
pkill -KILL -x stepwell-record
wait $!
echo "status $?"
JOB
job=$(sbatch_wait alice -w n1 -o killed.out killed.sh)
is "$(value_of status "$(cat /home/alice/killed.out)")" 137 \
	'a recorder can be killed'
is "$(job_field "$job" ExitCode)" 0:0 'its job goes on'
is "$(query /home/alice/killed.stepwell '"cpu" in s')" True \
	'its recording can be read'

# The same without "stepwell run": the nodes' recorders record every step.
write_script /home/alice/silent.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=300 --time=5 --nodelist=n1
srun w_oom 600 --child --pace-ms 5
srun sh -c 'exit 3'
echo the end
JOB
job=$(sbatch_wait alice silent.sh)
is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" COMPLETED:0:0 \
	'a job with a killed child and a failed step ends well'
profile=$(profile_of n1 alice "$job")
is "$(stat -c '%U %G %a' "$profile")" 'alice stepwell 640' \
	'its profile is with its user'
check 'and sound' stepwell verify "$profile"
is "$(rows n1 "$profile" steps step_id backend programs_source is_armed | sort |
	paste -sd,)" \
	'0 cgroup.v2 bpf 1,1 cgroup.v2 bpf 1,batch cgroup.v2 bpf 1' \
	'it has every step, each armed before its tasks began'
is "$(rows n1 "$profile" tasks step wait_status memory_oom_kills final_source |
	grep -v ' -$' | sort | paste -sd,)" \
	'0 0 0 hook,1 0 1 hook,2 768 0 hook' \
	'how each task ended, and that memory was wanting in one'
matches "$(cat "/home/alice/slurm-$job.out")" '^stepwell: .*Exit status 0' \
	"the report is at the end of the job's output"

# The recorder of n2 is killed in the middle of a job and restarted.
write_script /home/alice/long.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=200 --time=5 --nodelist=n2
srun w_hold 20 1 12
JOB
first=$(on_node n2 pgrep -ox stepwell-record)
job=$(as_user alice sbatch --parsable long.sh)
is_running()
{
	[ "$(job_field "$job" JobState)" = RUNNING ]
}
wait_for 30 is_running
sleep 4
on_node n2 pkill -KILL -x stepwell-record
on_node n2 systemctl restart slurmd
wait_for 60 is_job_over "$job"
is "$(job_field "$job" ExitCode)" 0:0 "a node's recorder is killed, the job goes on"
second=$(on_node n2 pgrep -ox stepwell-record)
check "slurmd's next start brings another recorder" \
	test -n "$second" -a "$second" != "$first"
profile=$(profile_of n2 alice "$job")
is "$(rows n2 "$profile" tasks step wait_status | grep -v ' -$' | sort |
	paste -sd,)" '0 0,1 0' 'it goes on with the job and sees its end'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
