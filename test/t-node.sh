#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The node recorder as a process: its rights, who may connect to it, what
# remains when it or slurmstepd is killed, its CPUs and its exit.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

mkdir -m 3773 "$profiles"
start_recorder
is "the recorder answers" 0 $?
is "a second one gives way" 1 "$("$recorder" --node --socket "$run/socket" \
	--spool "$spool" --off-file "$work/off" >/dev/null 2>&1; echo $?)"

### its rights, without a unit
# rights NAME FIELD: print it for the recorder's processes of that name
rights()
{
	local pid

	for pid in $(cat "$work/pid") $(pgrep -P "$(cat "$work/pid")"); do
		[ "$(cat "/proc/$pid/comm")" = "$1" ] &&
			awk -v field="$2:" '$1 == field { print $2 }' \
				"/proc/$pid/status"
	done
}
if [ "$(cat /proc/sys/kernel/cap_last_cap)" -ge 39 ] &&
   [ "$(awk '$1 == "CapEff:" { print $2 }' /proc/self/status)" \> \
	000000c0 ]; then
	# The rights set in recorder/kernel/rights.c.
	is "the recorder gives up what it does not need" \
		"000000c0008811ef 000000c0008811ef 1" \
		"$(for field in CapEff CapBnd NoNewPrivs; do
			rights stepwell-record $field
		done | paste -sd' ')"
	is "who delivers has what becoming a user takes" \
		"00000000000001eb 00000000000001eb 1" \
		"$(for field in CapEff CapBnd NoNewPrivs; do
			rights stepwell-delive $field
		done | paste -sd' ')"
	for child in stepwell-sums stepwell-helper; do
		[ -n "$(rights $child CapEff)" ] || continue
		is "$child has nothing" \
			"0000000000000000 0000000000000000 1" \
			"$(for field in CapEff CapBnd NoNewPrivs; do
				rights $child $field
			done | paste -sd' ')"
	done
else
	echo "ok - skip: an old kernel, or few capabilities here"
fi

### killed and restarted
(play --item S_JOB_ID=41 --tasks 2 --step 7 -- sh -c \
	"$(until_there 41); exit 4") &
job=$!
await has_step 41
stop_recorder KILL
start_recorder
touch "$work/turns/41"
wait $job
await has_end 41
file=$(of_job 41)
is "killed in the middle of a step: one profile" 1 \
	"$(find "$spool" -name '*.41.*.part' | wc -l)"
is "with the step's start and end" "1 4" "$(column "$file" steps step | wc -l) $(
	column "$file" summary exit_code)"
is "and the gap" yes "$([ -n "$(events "$file" gap value)" ] && echo yes)"
# after_gap TABLE: count the rows written by the second recorder
after_gap()
{
	column "$file" "$1" time_usec |
		awk -v gap="$(events "$file" gap time_usec | tail -n 1)" \
			'$1 > gap' | wc -l
}
# series_times: print the maximum over the tables
series_times()
{
	local table

	for table in memory cpu proc; do
		column "$file" series.$table time_usec 2>/dev/null | sort -u |
			wc -l
	done | sort -n | tail -n 1
}
# Off by one is possible: the last sample's rows may have two times.
between "and all samples of both recorders are counted" \
	$(($(series_times) - 1)) $(($(series_times) + 1)) \
	"$(column "$file" summary samples)"
(play --item S_JOB_ID=46 --step 1 -- sh -c "$(until_there 46)") &
job=$!
has_samples()
{
	[ "$(column "$(of_job 46)" series.proc time_usec | sort -u |
		wc -l)" -ge 2 ]
}
await has_samples
stop_recorder KILL
touch "$work/turns/46"
wait $job
start_recorder
await has_end 46
is "killed, and not there at the end: its samples are not 0" yes "$([ "$(
	column "$(of_job 46)" summary samples)" -ge 2 ] && echo yes)"
# BPF only sees processes followed from the beginning; /proc sees the rest.
for table in proc task waits recorder; do
	is "and samples behind it: $table" yes \
		"$([ "$(after_gap series.$table)" -gt 0 ] && echo yes)"
done
if column "$file" events detail | grep -q 'by bpf in the rest'; then
	is "of which the report says from where" 1 "$("$stepwell" report \
		"$file" | tr -s ' \n' ' ' | grep -c \
		'values come from another kernel interface than in the rest')"
fi
(play --item S_JOB_ID=42 --step 1 -- sh -c "$(until_there 42); exit 5"
	exit $rc) &
job=$!
await has_step 42
stop_recorder KILL
touch "$work/turns/42"
wait $job
is "no recorder at the end: no violation" 0 $?
start_recorder
(play --item S_JOB_ID=43 --step 1 --die-after task_post_fork -- sleep 1) &
wait $!
await delivered 43
is "slurmstepd dies: the step is lost, and said to be" lost \
	"$(column "$(of_job 43)" summary final_source)"
(play --item S_JOB_ID=44 --step 1 -- true) &
wait $!
stop_recorder
start_recorder
(play --item S_JOB_ID=44 --step 2 -- true) &
wait $!
is "a restart between two steps: they stay together" "1 2" \
	"$(column "$(of_job 44)" steps step_id | sort | paste -sd' ')"

(play --item S_JOB_ID=45 --step 3 -- sh -c "$(until_there 45)") &
job=$!
await has_step 45
stop_recorder TERM
start_recorder
touch "$work/turns/45"
wait $job
await has_end 45
is "ended by SIGTERM in a step: gone on with" "1 1 0" \
	"$(find "$spool" "$profiles" -name '*.45.*.stepwell*' ! -name '*.tail' |
	wc -l) $(column "$(of_job 45)" steps step | wc -l) $(
	column "$(of_job 45)" summary exit_code)"

# Before a removal: switched off as described in stepwell-install(7).
close_spool()
{
	local options

	mapfile -t options < <(recorder_options)
	"$recorder" "${options[@]}" --close 2>>"$work/log"
}
(play --item S_JOB_ID=47 --step 1 -- sh -c "$(until_there 47); exit 5"
	exit $rc) &
job=$!
await has_step 47
is "nothing is closed below a recorder" 1 "$(close_spool; echo $?)"
touch "$work/off"
stop_recorder
is "closed in a step" 0 "$(close_spool; echo $?)"
is "its recording is delivered" 0 "$(delivered 47; echo $?)"
is "and says that its end is not known" "lost 1" \
	"$(column "$(of_job 47)" summary final_source) $("$stepwell" report \
		"$(of_job 47)" | head -n 1 | grep -c 'End not recorded')"
is "nothing is left in the spool" "" "$(ls "$spool")"
touch "$work/turns/47"
wait $job
is "the step does not notice" 0 $?
rm "$work/off"
start_recorder

# The first task ended before the recorder was killed, the other after it.
(play --item S_JOB_ID=48 --tasks 2 --step 4 -- sh -c \
	"mkdir $work/turns/first && exit 4; $(until_there 48)") &
job=$!
has_failed()
{
	column "$(of_job 48)" tasks wait_status | grep -qx 1024
}
await has_failed
stop_recorder KILL
start_recorder
touch "$work/turns/48"
wait $job
await has_end 48
is "a task that failed before the kill is not forgotten" 4 \
	"$(column "$(of_job 48)" summary exit_code)"

### unauthorized senders
chmod 755 "$run"
setpriv --reuid $user --regid $user --clear-groups test -w "$run/socket"
is "another user may not connect" 1 $?
python3 - "$run/socket" <<'PYTHON'
import os, random, socket, sys
random.seed(1)
for n in range(400):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(2)
    s.connect(sys.argv[1])
    data = bytearray(os.urandom(random.choice([0, 1, 15, 16, 800, 1520])))
    if n % 2 and len(data) >= 12:
        data[:12] = b"SWLL\x01\x00" + bytes([random.randrange(6), 0]) + \
            len(data).to_bytes(4, "little")
    s.send(data)
    s.close()
PYTHON
answers
is "400 messages of nonsense later it answers" 0 $?

### the CPUs that a site reserves for slurmd
# cpus PID...: print their CPU lists, once if all are equal
cpus()
{
	for pid; do
		sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$pid/status"
	done | sort -u | paste -sd' '
}

# ping NAME CPU...: send one from a process of that name bound to these CPUs
ping_as()
{
	python3 - "$run/socket" "$@" <<'PYTHON'
import os, socket, struct, sys
path, name, *cpus = sys.argv[1:]
with open("/proc/self/comm", "w") as comm:
    comm.write(name)
if cpus:
    os.sched_setaffinity(0, map(int, cpus))
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(5)
s.connect(path)
s.send(struct.pack("=4sHHII", b"SWLL", 1, 4, 16, 0))
s.recv(64)
PYTHON
}

mapfile -t online < <(python3 -c 'import os
print(*sorted(os.sched_getaffinity(0)), sep="\n")')
all=$(cpus $$)
if [ ${#online[@]} -ge 2 ]; then
	first=${online[0]}
	last=${online[-1]}
	is "a recorder has all CPUs" "$all" "$(cpus "$(cat "$work/pid")")"
	ping_as slurmd "$last"
	mapfile -t own < <(cat "$work/pid"; pgrep -P "$(cat "$work/pid")")
	is "and those that slurmd has, with its children" "$last" \
		"$(cpus "${own[@]}")"
	ping_as doctor "$first"
	is "nobody else's" "$last" "$(cpus "${own[@]}")"
	play --item S_JOB_ID=171 -- sleep 0.2
	is "where it records as ever" 0 "$(column "$(of_job 171)" summary \
		exit_code)"
	ping_as slurmd
	is "all, where slurmd has" "$all" "$(cpus "${own[@]}")"
	stop_recorder
	cp "$(command -v sleep)" "$work/slurmd"
	taskset -c "$first" "$work/slurmd" 600 &
	slurmd=$!
	disown
	await grep -qx slurmd "/proc/$slurmd/comm"
	echo $slurmd >"$work/slurmd.pid"
	echo "SlurmdPidFile=$work/slurmd.pid" >>"$work/slurm.conf"
	start_recorder
	is "and of a slurmd that was there before" "$first" \
		"$(cpus "$(cat "$work/pid")")"
	kill $slurmd
	stop_recorder
	echo $$ >"$work/slurmd.pid"
	mapfile -t recorder_words < <(recorder_options)
	taskset -c "$last" bash -c 'echo $$ >"$1"; shift; exec "$@"' - \
		"$work/pid" "$recorder" "${recorder_words[@]}" 2>>"$work/log" &
	disown
	await answers
	ping_as slurmd
	is "a unit's own CPUs are kept" "$last" "$(cpus "$(cat "$work/pid")")"
else
	echo "ok - skip: one CPU"
fi

### the end
is "SIGTERM ends it" 0 "$(stop_recorder; echo $?)"
is "and leaves no socket" "" "$(find "$run" -type s)"
is "and no process" "" "$(pgrep -f "$work/spool")"
start_recorder
mv "$run/socket" "$run/aside"
await gone "$(cat "$work/pid")"
is "so does the loss of its path" "" "$(pgrep -f "$work/spool")"
is "and what is there is not removed" "aside" "$(ls "$run" | grep -x aside)"
rm "$run/aside"
start_recorder
: >"$work/off"
await gone "$(cat "$work/pid")"
is "the off file ends it" "" "$(pgrep -f "$work/spool")"
is "and keeps it from starting" 0 "$("$recorder" --node --socket \
	"$run/socket" --spool "$spool" --off-file "$work/off" >/dev/null 2>&1
	echo $?)"
### more to sample than the CPU limit allows
rm "$work/off"
echo 'cpu_limit_percent: 1' >"$work/stepwell.yaml"
start_recorder
# CPU time in its first ten seconds counts as starting.
sleep 10.5
play --item S_JOB_ID=37 --step batch --option stepwell=10ms \
	--contexts allocator,remote -- \
	sh -c 'for i in $(seq 1500); do sleep 8 & done; wait'
await delivered 37
"$stepwell" report --json "$(of_job 37)" >"$work/limit.json"
is "a job that the CPU limit put off: its gaps are against its 10 ms" True \
	"$(query "$work/limit.json" "r['recording']['not_sampled_seconds'] >=
	r['recording']['not_sampled_for_cpu_limit_seconds'] > 0.5")"
is "and the report says so among its first lines" 1 "$("$stepwell" report \
	--brief "$(of_job 37)" | grep -c 'because the recorder stayed within its CPU')"
is "the recorder of the limit ends" 0 "$(stop_recorder; echo $?)"
# The cgroup has one name for all recorders of a machine.
if pgrep -x stepwell-record >/dev/null; then
	echo "skip: another recorder runs: no look for a cgroup that is left"
else
	is "no cgroup is left" "" "$(find /sys/fs/cgroup -maxdepth 3 -type d \
		-name stepwell-recorder)"
fi
tally
