# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Features of the guest that the other cases rely on.
# as: root alice
# timeout: 180
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"
plan 25

all_controllers='cpu cpuset io memory pids'
mib=$((1 << 20))

# in_cgroup LIMITS SCRIPT: as a user in his own delegated cgroup, create a child
# of it with every controller, write each FILE=VALUE of LIMITS, and run SCRIPT
# with $work set to that child.
in_cgroup()
{
	run_as bash -c '
		top=/sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)
		mkdir "$top/self" "$top/work" || exit 90
		echo $$ >"$top/self/cgroup.procs" || exit 91
		echo +cpu +cpuset +io +memory +pids \
			>"$top/cgroup.subtree_control" || exit 92
		export work=$top/work
		for limit in $1; do
			echo "${limit#*=}" >"$work/${limit%%=*}" || exit 93
		done
		enter() {
			(echo $BASHPID >"$work/cgroup.procs" && exec "$@")
		}
		eval "$2"' bash "$1" "$2"
}

sorted_controllers()
{
	tr ' ' '\n' | sort | paste -sd' '
}

show_own='cat /sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)'

is "$(stat -fc %T /sys/fs/cgroup)" cgroup2fs 'cgroup v2 is the only tree'
is "$(grep -owE 'cpu|cpuset|io|memory|pids' /sys/fs/cgroup/cgroup.controllers |
	sorted_controllers)" "$all_controllers" 'the root has every controller'
is "$(run_as bash -c "$show_own/cgroup.controllers" | sorted_controllers)" \
	"$all_controllers" 'a delegated cgroup has every controller'
is "$(run_as id -un)" "$CASE_AS" 'the command runs as that user'
is "$(run_as bash -c "$show_own/cgroup.procs | wc -l")" 3 \
	'the command and its children are alone there'

# Exit statuses are passed on.
run_as sh -c 'exit 7'
is $? 7 'an exit status comes through'
run_as sh -c 'kill -TERM $$'
is $? 143 'a death by SIGTERM comes through'
is "$(echo in | run_as cat)" in 'standard input and output come through'

peak=$(in_cgroup '' 'enter python3 -c "b = bytearray(b\"x\") * (40 << 20)"
	cat "$work/memory.peak"')
is_between "$peak" $((40 * mib)) $((60 * mib)) \
	'memory.peak saw 40 MiB that are gone'

# The OOM kill that other cases are about.
seen=$(in_cgroup "memory.max=$((50 * mib))" '
	enter python3 -c "b = bytearray(b\"x\") * (200 << 20)"
	echo "status $?"
	cat "$work/memory.events"
	echo "peak $(cat "$work/memory.peak")"' 2>/dev/null)
is "$(value_of status "$seen")" 137 'a process over memory.max is killed'
is "$(value_of oom_kill "$seen")" 1 'the kill is counted in memory.events'
is_between "$(value_of peak "$seen")" $((49 * mib)) $((50 * mib)) \
	'memory.peak is the limit'

# I/O, in its own file: a folder that both users may write.
seen=$(in_cgroup '' '
	enter dd if=/dev/zero of=blocks bs=1M count=8 oflag=direct 2>&1
	cat "$work/io.stat"')
rm -f blocks
device=$(stat -c %Hd:%Ld "$CASE_OUT")
written=$(awk -v device="$device" '$1 == device' <<<"$seen" |
	grep -o 'wbytes=[0-9]*' | cut -d= -f2)
is_between "${written:-none}" $((8 * mib)) $((9 * mib)) \
	'io.stat counts the bytes written to the disk'

# Until it has been throttled five times, however slow this machine is.
seen=$(in_cgroup '' '
	echo "20000 100000" >"$work/cpu.max"
	enter timeout 60 bash -c "while :; do :; done" &
	for _ in {1..500}; do
		throttled=$(awk "\$1 == \"nr_throttled\" { print \$2 }" \
			"$work/cpu.stat")
		[ "$throttled" -lt 5 ] || break
		sleep 0.1
	done
	echo 1 >"$work/cgroup.kill"
	wait
	cat "$work/cpu.stat"' 2>/dev/null)
periods=$(value_of nr_periods "$seen")
throttled=$(value_of nr_throttled "$seen")
is_between "$throttled" 5 "${periods:-0}" 'a process over cpu.max is throttled'
# 20 ms in each period, and each processor may run on to its next clock tick,
# which is taken from the next period.  A period with throttling was used up,
# except for the slice of a processor that had none of its processes.
is_between "$(value_of usage_usec "$seen")" $((throttled * 10000)) \
	$(((periods + 1) * 20000 + 2 * 10000)) \
	'and gets 20 of each 100 ms of a processor'

seen=$(in_cgroup 'pids.max=3' '
	enter bash -c "sleep 1 & sleep 1 & sleep 1 & sleep 1 & wait" 2>/dev/null
	cat "$work/pids.events"')
is_between "$(value_of max "$seen")" 1 1000 'pids.events counts refused forks'

check 'the machine has PSI' \
	run_as cat /proc/pressure/cpu /proc/pressure/io /proc/pressure/memory
matches "$(in_cgroup '' 'cat "$work"/{cpu,io,memory}.pressure' |
	grep -c '^some avg10=')" '^3$' 'a cgroup has PSI'
is_between "$(run_as sh -c 'wc -c </sys/kernel/btf/vmlinux')" $mib \
	$((64 * mib)) 'the kernel has BTF'

# perf_event_open(own task, software clock), bpf(BPF_MAP_CREATE) and a raw
# tracepoint program that returns 0: the numbers are those of x86-64.
perf='$attr = pack("LLQx24Qx64", 1, 112, 1, 1 << 5);
	print syscall(298, $attr, 0, -1, -1, 0) >= 0 ? "yes" : "no: $!"'
bpf='$insns = pack("Q2", 0xb7, 0x95); $license = "GPL\0";
	$attr = pack("LLPPx96", 17, 2, $insns, $license);
	$prog = syscall(321, 5, $attr, length $attr);
	$prog >= 0 or do { print "no: $!"; exit };
	$name = "sched_process_exit\0"; $attr = pack("PLx4", $name, $prog);
	$link = syscall(321, 17, $attr, length $attr);
	print $link >= 0 ? "yes" : "no: $!"'
may_root=yes
[ "$CASE_AS" = root ] || may_root='no: Operation not permitted'
is "$(run_as perl -e "$bpf")" "$may_root" \
	'only root may attach a BPF program to process exits'
is "$(cat /proc/sys/kernel/perf_event_paranoid)" 3 \
	'perf_event_paranoid is what Debian makes it'
[ "$CASE_AS" = root ] || may_root='no: Permission denied'
is "$(run_as perl -e "$perf")" "$may_root" 'at 3, only root has perf events'
sysctl -q kernel.perf_event_paranoid=2
is "$(run_as perl -e "$perf")" yes 'at 2, everybody has those of its own'
sysctl -q kernel.perf_event_paranoid=3

# Without delegation no file is writable.
as_root=--root
[ "$CASE_AS" = root ] || as_root=
# shellcheck disable=SC2086
seen=$(as-user $as_root --no-delegation bash -c '
	mkdir /sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)/x \
		2>/dev/null && echo made || echo refused')
may_root=made
[ "$CASE_AS" = root ] || may_root=refused
is "$seen" "$may_root" 'without delegation only root can make a cgroup'

seen=$(run_as --memory-max 30M bash -c \
	"$show_own/memory.max; exec python3 -c 'b = bytearray(b\"x\") * (60 << 20)'")
is "$seen:$?" "$((30 * mib)):137" 'as-user can limit the service itself'
finish
