# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Data of each source for steps of real Slurm: memory, page faults and CPUs of
# each task, bytes of the network, the programs; with two concurrent steps, and
# with 64 tasks.  By the best backend that the node supports, and no fallback.
# timeout: 900
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 68

mib=$((1 << 20))
export PATH=/opt/workloads:$PATH

# profile_at NODE USER JOB: print the path of the job's profile of that node
profile_at()
{
	profiles_of "$2" "$3" | grep "\.$1\.stepwell$"
}

# backend FILE TABLE: print the source of that table
backend()
{
	stepwell dump "$1" |
		sed -n "s/^# table $2, source \([^,]*\),.*/\1/p"
}

# why_not FILE SOURCE: print the reason for its absence, nothing if present
why_not()
{
	cells "$1" events kind detail |
		sed -n "s/^source_absent $2: //p" | sort -u
}

# last_of FILE TABLE STEP COLUMN: print its last value for the step
last_of()
{
	cells "$1" "$2" step "$4" | awk -v step="$3" '$1 == step { v = $2 }
		END { print v }'
}

# of_subject FILE TABLE SUBJECT COLUMN: print the values of one task or device
of_subject()
{
	cells "$1" "$2" subject "$4" |
		awk -v subject="$3" '$1 == subject { print $2 }'
}

# has_controller NAME FILE: the task that wrote FILE had it
has_controller()
{
	grep -qw -- "$1" <(sed -n 's/^controllers //p' "$2")
}

# only_if FILE SOURCE TABLE BACKEND DESCRIPTION COMMAND...: if the command
# succeeds the node supports that backend, and no fallback is accepted;
# otherwise the profile must state the reason.
only_if()
{
	local file=$1 source=$2 table=$3 wanted=$4 description=$5
	shift 5

	if "$@"; then
		is "$(backend "$file" "$table") $(why_not "$file" "$source")" \
			"$wanted " "$description: $wanted"
	else
		diag "$source: $(why_not "$file" "$source")"
		is "$([ -z "$(why_not "$file" "$source")" ] || echo why) $(
			backend "$file" "$table")" 'why ' \
			"$description: not on this node, with the reason"
	fi
}

has_btf()
{
	[ -r /sys/kernel/btf/vmlinux ]
}

has_pmu()
{
	compgen -G '/sys/bus/event_source/devices/cpu*' >/dev/null
}

has_perf()
{
	[ -e /proc/sys/kernel/perf_event_paranoid ]
}

has_hwloc()
{
	ldd "$(command -v stepwell-recorder ||
		echo /usr/libexec/stepwell/stepwell-recorder)" 2>/dev/null |
		grep -q libhwloc
}

# Emulated processors are slow: the recorder would lower the sampling rate to
# keep to its CPU limit.
on_nodes "mkdir -p /etc/stepwell &&
	echo 'cpu_limit_percent: 90' >/etc/stepwell/stepwell.yaml"
# As "stepwell doctor" recommends: at 3 Debian's kernel allows counting only
# with all of root's capabilities.
on_nodes 'sysctl -qw kernel.perf_event_paranoid=2' || exit 1
check 'the plugin and the recorders are there' set_up_recording

# Two tasks that hold different amounts, each on its own processor, and report
# them.
write_script /home/alice/holds.sh <<'TASK'
#!/bin/bash
top=/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)
echo "controllers $(cat "$top/cgroup.controllers")"
echo "cpus $SLURM_PROCID $(awk '$1 == "Cpus_allowed_list:" { print $2 }' \
	/proc/self/status)"
w_hold $((20 + 40 * SLURM_PROCID)) 1 15 >&2
while read -r key value; do
	[ "$key" != usage_usec ] || echo "usage $SLURM_PROCID $value"
done <"$top/cpu.stat"
TASK
as_user alice srun -N1 -n2 -c1 --cpu-bind=cores --mem=200 ./holds.sh \
	>/home/alice/holds.out 2>/home/alice/holds.err
is $? 0 'two tasks hold different amounts of memory'
job=$(newest_job)
read_job alice "$job" 1
file=$(profiles_of alice "$job")
said=/home/alice/holds.out

only_if "$file" task_memory series.task_memory cgroup.v2 \
	'memory of each task' has_controller memory $said
only_if "$file" io series.io cgroup.v2 'the io controller' \
	has_controller io $said
only_if "$file" pids series.pids cgroup.v2 'the pids controller' \
	has_controller pids $said
only_if "$file" hugetlb series.hugetlb cgroup.v2 'huge pages' \
	has_controller hugetlb $said
only_if "$file" numa series.numa cgroup.v2 'memory by NUMA node' \
	has_controller memory $said
only_if "$file" proc series.proc bpf.iter 'the processes' has_btf
only_if "$file" task series.task bpf.iter 'each task' has_btf
only_if "$file" waits series.waits bpf.iter 'the waits' has_btf
only_if "$file" net series.net bpf.cgroup_skb 'the network' has_btf
only_if "$file" perf series.perf perf.inherit 'software events' has_perf
only_if "$file" pmu series.pmu perf.inherit 'processor events' has_pmu
only_if "$file" binding series.binding proc 'the binding' test -d /proc/self
is "$(of_job "$job" 'r["recording"]["programs_source"]')" \
	"$(has_btf && echo bpf || echo perf)" 'the programs: by BPF'
is "$(cells "$file" topology.node source)" \
	"$(has_hwloc && echo hwloc || echo sys)" 'the topology: by hwloc'

for rank in 0 1; do
	held=$(((20 + 40 * rank) * mib))
	# The maximum of a few samples, and the peak in the last one.
	is_between "$(of_subject "$file" series.task_memory $rank \
		memory.current | sort -n | tail -n 1)" \
		$held $((held + 8 * mib)) "task $rank: what it holds"
	is "$(of_subject "$file" series.task_memory $rank memory.peak |
		tail -n 1)" \
		"$(of_job "$job" "task('0', $rank)['memory']['peak_bytes']")" \
		"task $rank: its peak is that of the hook"
	is "$(of_job "$job" "[t['cpus'] for t in
		step('0')['placements'][0]['tasks'] if t['rank'] == $rank]")" \
		"['$(sed -n "s/^cpus $rank //p" $said)']" \
		"task $rank: bound where it says"
	is "$(of_job "$job" "[t['cpu_count'] for t in
		step('0')['placements'][0]['tasks'] if t['rank'] == $rank]")" \
		'[1]' "task $rank: on one processor"
done
is_near "$(of_job "$job" "task('0', 1)['counters']['page_faults'] -
	task('0', 0)['counters']['page_faults']")" $((40 * mib / 4096)) 0 100 \
	'the page faults differ by those of 40 MiB'
is_between "$(of_job "$job" "task('0', 0)['counters']['page_faults']")" \
	$((20 * mib / 4096)) $((20 * mib / 4096 + 4000)) \
	'and are those of 20 MiB and of a few programs'
is "$(of_job "$job" "[task('0', i)['counters']['is_user_only']
	for i in (0, 1)]")" '[False, False]' 'with those in the kernel'
usage=$(awk '$1 == "usage" { sum += $3 } END { print sum }' $said)
is_near "$(of_job "$job" "round(1e6 * sum(t['used_core_seconds']
	for t in r['programs']))")" \
	"$(of_job "$job" "round(1e6 * step('0')['cpu']['used_core_seconds'])")" \
	2 20000 "the programs' processor time adds up to the step's"
is_between "$(of_job "$job" \
	"round(1e6 * step('0')['cpu']['used_core_seconds'])")" \
	"$usage" $((usage * 8 / 5 + 400000)) "and that is its cgroups'"

# No binding, and one that changes during the step.
as_user alice srun -N1 -n2 -c1 --cpu-bind=none --mem=100 sh -c \
	'sleep 2.5; [ $SLURM_PROCID = 0 ] || taskset -pc 1 $$ >&2; sleep 18' \
	2>/dev/null
job=$(newest_job)
read_job alice "$job" 1
is "$(of_job "$job" "[(t['binding_changes'], t['cpus'][-1]) for t in
	step('0')['placements'][0]['tasks']]")" "[(0, '1'), (1, '1')]" \
	'a binding that changes is seen to'
is "$(cells "$(profiles_of alice "$job")" subjects source subject detail |
	sed -n 's/^binding 1 //p' | paste -sd' ')" \
	'cpus=0-1 mems=0 cpus=1 mems=0' 'from both processors to one'

# eth_bytes NODE rx|tx: print those of its interface since boot
eth_bytes()
{
	on_node "$1" "cat /sys/class/net/eth0/statistics/${2}_bytes"
}

# Over the network, from n2 to n1, and a file on n1's file system.
megabytes=16
first=("$(eth_bytes n1 rx)" "$(eth_bytes n2 tx)")
as_user alice srun -N2 --ntasks-per-node=1 --mem=100 sh -c '
	if [ $SLURM_PROCID = 0 ]; then
		w_net serve '$megabytes' --address 0.0.0.0
	else
		w_net send '$megabytes' --address 10.11.12.1
		w_write written 4 --fsync
	fi' >&2
is $? 0 'from node to node'
rx=$(($(eth_bytes n1 rx) - first[0]))
tx=$(($(eth_bytes n2 tx) - first[1]))
job=$(newest_job)
read_job alice "$job" 2
one=$(profile_at n1 alice "$job")
two=$(profile_at n2 alice "$job")
sent=$((megabytes * mib))
# The interface adds a header for each 1,500 bytes, and traffic of NFS and
# Slurm.
got=$(last_of "$one" series.net 0 rx_bytes)
is_between "$got" $sent $((sent * 108 / 100)) 'n1 received them'
check "  which the interface did, too: $rx" test "$got" -le "$rx"
got=$(last_of "$two" series.net 0 tx_bytes)
is_between "$got" $sent $((sent * 108 / 100)) 'n2 sent them'
check "  which the interface did, too: $tx" test "$got" -le "$tx"
check "  with the file's $((4 * mib)) behind it, not the step's" \
	test $((got + 4 * mib)) -le "$tx"
is_between "$(last_of "$two" series.net 0 rx_bytes)" 1 $((sent / 20)) \
	'n2 received but acknowledgements'
is "$(last_of "$one" series.net 0 loopback.rx_bytes) $(
	last_of "$two" series.net 0 loopback.tx_bytes)" '0 0' \
	'nothing went over the loopback interface'
is "$(of_job "$job" "[step('0')['network'][k] for k in
	('received_bytes', 'sent_bytes', 'source')]")" \
	"[$(($(last_of "$one" series.net 0 rx_bytes) +
		$(last_of "$two" series.net 0 rx_bytes))), $((
		$(last_of "$one" series.net 0 tx_bytes) +
		$(last_of "$two" series.net 0 tx_bytes))), 'cgroup']" \
	'the report has the sum of the nodes'
mount=$(cells "$two" subjects source subject kind name detail |
	awk '$1 == "mount" && /\/home/ { print $2; exit }')
check 'n2 has its mount' test -n "$mount"
is_between "$(of_subject "$two" series.mount "${mount:-none}" \
	server_write_bytes | sed -n '1h;$ { x; G; s/\n/ /p }' |
	awk '{ print $2 - $1 }')" \
	$((4 * mib)) $((5 * mib)) 'with the bytes of the file'

# Two concurrent steps on one node: no data of one is in the other.
write_script /home/alice/both.sh <<'JOB'
#!/bin/bash
#SBATCH --nodes=1 --ntasks=2 --mem=400 --time=5
srun --exact -n1 -c1 --mem=150 sh -c 'w_hold 50 1 4 & w_cpu 3 1
	w_net send 8 --address 10.11.12.2; wait; ./usage' &
srun --exact -n1 -c1 --mem=150 sh -c 'w_net pair 4
	w_write /tmp/both 24; w_spawn 40; sleep 4; ./usage' &
wait
JOB
write_script /home/alice/usage <<'TASK'
#!/bin/bash
read -r top </proc/self/cgroup
top=/sys/fs/cgroup${top#0::}
read -r peak <"$top/memory.peak"
read -r key usage <"$top/cpu.stat"
echo "$key $SLURM_STEP_ID $usage $peak ${top##*/job_}"
TASK
on_node n2 'nohup setsid /opt/workloads/w_net serve 8 --address 0.0.0.0 \
	>/dev/null 2>&1 </dev/null &
	for i in $(seq 60); do
		ss -Htln | grep -q ":5301 " && break
		sleep 1
	done'
job=$(sbatch_wait alice -w n1 -o both.out both.sh)
read_job alice "$job" 1
file=$(profiles_of alice "$job")
said=/home/alice/both.out
is "$(grep -c ^usage_usec $said)" 2 'two steps at once on one node'
# Slurm decides which of them is step 0.
busy=$(awk '$1 == "usage_usec" && $4 > 45e6 { print $2 }' $said)
other=$((1 - ${busy:-0}))
check 'at the same time' test "$(of_job "$job" \
	"min(s['start'] + s['elapsed_seconds'] for s in r['steps'][1:]) -
	 max(s['start'] for s in r['steps'][1:]) > 2")" = True
# programs STEP: list those that ran in it, by name
programs()
{
	local number
	number=$(cells "$file" steps step step_id |
		awk -v id="$1" '$2 == id { print $1 }')
	cells "$file" programs step name | awk -v n="$number" '$1 == n {
		print $2 }' | sort -u | paste -sd' '
}
# in_step STEP TABLE COLUMN: print its last value
in_step()
{
	last_of "$file" "$2" "$(cells "$file" steps step step_id |
		awk -v id="$1" '$2 == id { print $1 }')" "$3"
}
is "$(programs "$busy")" 'sh usage w_cpu w_hold w_net' 'the programs of one'
is "$(programs "$other")" 'sh sleep true usage w_net w_spawn w_write' \
	'and those of the other'
for id in "$busy" "$other"; do
	usage=$(awk -v id="$id" '$1 == "usage_usec" && $2 == id { print $3 }' \
		$said)
	is_between "$(of_job "$job" \
		"round(1e6 * step('$id')['cpu']['used_core_seconds'])")" \
		"$usage" $((usage * 8 / 5 + 400000)) \
		"step $id: its own processor time, $usage us"
	is "$(of_job "$job" "[t['rank'] for t in tasks('$id')]")" '[0]' \
		"step $id: its own task"
	peak=$(awk -v id="$id" '$1 == "usage_usec" && $2 == id { print $4 }' \
		$said)
	is_between "$(of_job "$job" \
		"task('$id', 0)['memory']['peak_bytes']")" \
		"$peak" $((peak + mib)) "step $id: its own peak, $peak"
done
is_between "$(in_step "$busy" series.net tx_bytes)" \
	$((8 * mib)) $((9 * mib)) 'one sent its 8 MiB'
is "$(in_step "$busy" series.net loopback.tx_bytes)" 0 'and none to itself'
is "$(in_step "$other" series.net tx_bytes)" 0 'the other sent none'
is_between "$(in_step "$other" series.net loopback.tx_bytes)" \
	$((4 * mib)) $((5 * mib)) 'but 4 MiB to itself'
is_between "$(in_step "$other" series.task wchar)" \
	$((24 * mib)) $((29 * mib)) 'and wrote its 24 MiB'
is_between "$(in_step "$busy" series.task wchar)" \
	0 $mib 'of which the one has nothing'
is_between "$(of_job "$job" "task('$busy', 0)['counters']['page_faults']")" \
	$((50 * mib / 4096)) $((50 * mib / 4096 + 5000)) \
	'the page faults are those of 50 MiB'
check 'which the other has not' test "$(of_job "$job" \
	"task('$other', 0)['counters']['page_faults']")" \
	-lt $((50 * mib / 4096))

# 64 tasks: a row for each in every table.
as_user alice srun -N1 -n64 --overcommit --mem=900 sh -c \
	'w_hold $((2 + SLURM_PROCID % 4 * 2)) 1 15' >&2
is $? 0 '64 tasks'
job=$(newest_job)
delivery_seconds=120 read_job alice "$job" 1
file=$(profiles_of alice "$job")
for table in task_memory task perf; do
	is "$(cells "$file" series.$table subject | sort -nu | paste -sd' ')" \
		"$(seq -s' ' 0 63)" "each has rows: $table"
done
is "$(cells "$file" series.binding subject | sort -nu | paste -sd' ')" \
	"$(seq -s' ' 0 63) 255" 'and binding, with the step'
is "$(of_job "$job" "[i for i in range(64) if not (2 + i % 4 * 2) <=
	task('0', i)['memory']['peak_bytes'] / $mib <= 6 + i % 4 * 2]")" '[]' \
	'each with the memory that it holds'
is "$(of_job "$job" "[i for i in range(64) if not (2 + i % 4 * 2) * 256 <=
	task('0', i)['counters']['page_faults'] <= (2 + i % 4 * 2) * 256 + 1500]")" \
	'[]' 'and its page faults'
is "$(of_job "$job" "len(step('0')['placements'][0]['tasks'])")" 64 \
	'and its place'

finish
