#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a node may do to its recorder, in the fake host: stopped, restarted and
# killed while messages arrive, pids that come again, a hostile job.  The
# counts are small; make check-hazards has large ones.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
own_run
echo "ClusterName=Argentum" >"$work/slurm.conf"

: "${HAZARDS_LAUNCHES:=3}"	# pairs of launches with and without a recorder
: "${HAZARDS_STOPS:=100}"	# of the recorder, while messages arrive
: "${HAZARDS_RESTARTS:=10}"	# likewise
: "${HAZARDS_NAMES:=3000}"	# programs of the hostile job
: "${HAZARDS_THREADS:=2000}"	# its threads
: "${HAZARDS_STEPS:=100}"	# rounds of four steps of another one

# Stands for the unit's cgroup: other tests look for the recorder's own one.
export INVOCATION_ID=hazards

# Take precedence over other programs, to measure the hooks and not this
# machine.
ahead=()
chrt --fifo 1 true 2>/dev/null && ahead=(chrt --fifo 1)

# launch ARGUMENT... -- COMMAND...: as play, with the default timeouts
launch()
{
	local host=("${ahead[@]}" "$host")

	play --arg wait_ms=20 --arg end_wait_ms=50 "$@"
}

# Print the maximum time of a step's hooks, from the host's output in FILE.
hooks_usec()
{
	sed -n 's/.*"launch_usec":\([0-9]*\),"end_usec":\([0-9]*\).*/\1 \2/p' \
		"$1" | awk '$1 + $2 > most { most = $1 + $2 } END { print most }'
}

# files JOB: find all its profiles; there are several if it was idle
files()
{
	find "$spool" "$profiles" \( -name "*.$1.*.stepwell" -o \
		-name "*.$1.*.stepwell.part" \)
}

# all JOB TABLE COLUMN: print it from all its profiles
all()
{
	files "$1" | while read -r file; do
		column "$file" "$2" "$3"
	done
}

# Count the tasks of JOB whose end is known.
ended_tasks()
{
	all "$1" tasks wait_status | grep -c '^[0-9]'
}

ended_steps()
{
	# A row that corrects another one has no source.
	all "$1" summary final_source | grep -vcx -e -
}

counts()	# JOB STEPS TASKS: it has these
{
	[ "$(ended_steps "$1") $(ended_tasks "$1")" = "$2 $3" ]
}

# List serving recorders; each has a child that delivers.
recorders()
{
	local pid pids

	pids=$(pgrep -f -- "--spool $spool")
	for pid in $pids; do
		grep -qxF "$(awk '$1 == "PPid:" { print $2 }' \
			"/proc/$pid/status")" <<<"$pids" || echo "$pid"
	done
}

mkdir -m 3773 "$profiles"

### one recorder of many that start at once, and first messages
mapfile -t options < <(recorder_options)
cat >"$work/starter" <<STARTER
#!/bin/sh
INVOCATION_ID=hazards exec "$recorder" "\$@" ${options[@]:1}
STARTER
chmod +x "$work/starter"
first=()
for i in $(seq 64); do
	"$host" --uid $user --contexts slurmd,remote --item S_JOB_ID=64 \
		--step "$i" --arg "socket=$run/socket" --arg wait_ms=10000 \
		--arg end_wait_ms=10000 --arg "recorder=$work/starter" \
		"$plugin" true >"$work/first.$i" 2>&1 &
	first+=($!)
done
wait "${first[@]}"
is "64 slurmd and first steps at once: one recorder" 1 "$(recorders | wc -l)"
recorders >"$work/pid"
await counts 64 64 64
is "no first message is lost" "64 64 64" \
	"$(all 64 steps is_armed | grep -c 1) $(ended_steps 64) $(
		ended_tasks 64)"
is "and no hook did what it may not" "" "$(cat "$work"/first.* |
	sed -n 's/.*"event":"violation"/&/p')"
is "the recorder ends" 0 "$(stop_recorder; echo $?)"

### two steps of 256 tasks and a recorder that is stopped
start_recorder
least_without=
least_with=
for i in $(seq "$HAZARDS_LAUNCHES"); do
	launch --unshare net,mnt --arg "socket=$run/none" --steps 2 \
		--tasks 256 --item "S_JOB_ID=$((100 + i))" -- sleep 0.1
	without=$(hooks_usec "$work/out")
	kill -STOP "$(cat "$work/pid")"
	SECONDS=0
	launch --unshare net,mnt --steps 2 --tasks 256 \
		--item "S_JOB_ID=$((200 + i))" -- sleep 0.1
	with=$(hooks_usec "$work/out")
	is "256 tasks twice, the recorder is stopped: no violation" "0" \
		"$rc$(violations "$work/out")"
	sleep "$((SECONDS < 1 ? 1 : 0))"
	kill -CONT "$(cat "$work/pid")"
	await counts $((200 + i)) 2 512
	is "no step and no task is lost" "2 512" \
		"$(ended_steps $((200 + i))) $(ended_tasks $((200 + i)))"
	echo "# hooks of a step: $without usec without, $with stopped"
	[ "${least_without:=$without}" -gt "$without" ] &&
		least_without=$without
	[ "${least_with:=$with}" -gt "$with" ] && least_with=$with
done
# Minimum of several runs, since other programs delay some of them.
between "launch and end together, usec later" -20000 100000 \
	$((least_with - least_without))

# More than the socket holds: the rest is kept in the drop file.
kill -STOP "$(cat "$work/pid")"
launch --steps 3 --tasks 512 --item S_JOB_ID=299 -- sleep 0.1
is "512 tasks thrice: no violation" "0" "$rc$(violations "$work/out")"
[ -s "$drop" ]
is "more than the socket holds" 0 $?
kill -CONT "$(cat "$work/pid")"
await counts 299 3 1536
sleep 2.5	# a step that began for nothing would be lost by then
is "none is lost, and none is there twice" "3 3 1536" \
	"$(all 299 steps step | wc -l) $(ended_steps 299) $(ended_tasks 299)"
is "how each step did is known, once all of its tasks are" 3 \
	"$(all 299 summary exit_code | grep -c '^0$')"

is_armed()	# JOB: its step is recorded
{
	[ -n "$(all "$1" steps step)" ]
}

# The end of a task that finds no socket is sent after the end of its step.
(play --item S_JOB_ID=298 --tasks 2 --step 5 -- sh -c "mkdir $work/turns/one &&
	{ $(until_there a); exit 3; }; $(until_there b)") &
job=$!
await is_armed 298
kill -STOP "$(cat "$work/pid")"
mv "$run/socket" "$run/aside"
touch "$work/turns/a"
await test -s "$drop"
exec 9<"$drop"
flock -x 9
mv "$run/aside" "$run/socket"
kill -CONT "$(cat "$work/pid")"
touch "$work/turns/b"
wait $job
file=$(files 298)
is "a step with a task whose end is not known yet" "5 -" \
	"$(column "$file" steps step_id) $(column "$file" summary exit_code)"
exec 9<&-
late_status()
{
	[ "$(column "$file" summary exit_code | paste -sd' ')" = "- 3" ]
}
await late_status
is "that is told behind it: in the profile" 0 $?
late_evidence()
{
	[ "$(evidence step_summaries job_id step_id wait_status |
		grep ^298 | paste -sd' ')" = \
		"$(printf '298\t5\t- 298\t5\t768')" ]
}
await late_evidence
is "and in the summaries" 0 $?

# Task ends queue at a socket that nobody reads, and are lost with it.
(play --item S_JOB_ID=297 --tasks 2 --step 4 -- sh -c "$(until_there c)") &
job=$!
await is_armed 297
kill -STOP "$(cat "$work/pid")"
touch "$work/turns/c"
both_told()
{
	[ "$(grep -c '"hook":"task_exit"' "$work/out")" -eq 2 ]
}
await both_told
stop_recorder KILL
wait $job
start_recorder
file=$(files 297)
is "killed with the ends of tasks unread: how the step did is not known" \
	"drop -" "$(column "$file" summary final_source) $(
	column "$file" summary exit_code)"
"$stepwell" report "$file" >"$work/report" 2>&1
is "and the report says so" yes "$(grep -q \
	'The end of 2 of 2 tasks was not seen' "$work/report" && echo yes)"

### messages while it is stopped repeatedly
# pour JOB: run steps of two tasks until $work/enough exists; prints their
# number
pour()
{
	local step=0

	while [ ! -e "$work/enough" ]; do
		"$host" --uid $user --arg "socket=$run/socket" \
			--item "S_JOB_ID=$1" --step $step --rounds 5 \
			--tasks 2 "$plugin" sh -c 'exit 3' >>"$work/pour.$1" \
			2>&1
		step=$((step + 5))
	done
	echo $step >"$work/steps.$1"
}

# Messages of four jobs, from JOB on, while a command runs: is any missing?
pour_while()	# WHAT JOB COMMAND...
{
	local what=$1 first=$2 job steps poured=()
	shift 2

	rm -f "$work/enough"
	for job in $(seq "$first" $((first + 3))); do
		pour "$job" &
		poured+=($!)
	done
	"$@"
	: >"$work/enough"
	wait "${poured[@]}"
	for job in $(seq "$first" $((first + 3))); do
		steps=$(cat "$work/steps.$job")
		await counts "$job" "$steps" $((2 * steps))
		is "$what: no end of $steps steps is lost" \
			"$steps $((2 * steps))" \
			"$(ended_steps "$job") $(ended_tasks "$job")"
		is "and no hook did what it may not" "" \
			"$(violations "$work/pour.$job")"
	done
	is "one recorder" 1 "$(recorders | wc -l)"
}

stop_often()
{
	for _ in $(seq "$HAZARDS_STOPS"); do
		kill -STOP "$(cat "$work/pid")"
		sleep 0.02
		kill -CONT "$(cat "$work/pid")"
		sleep 0.02
	done
}

restart_often()
{
	for _ in $(seq "$HAZARDS_RESTARTS"); do
		stop_recorder || return
		start_recorder
		sleep 0.2
	done
}

pour_while "$HAZARDS_STOPS stops" 300 stop_often
pour_while "$HAZARDS_RESTARTS restarts" 400 restart_often

### messages of every version that was released
fixtures=$top/test/fixtures/protocol
for start in "$fixtures"/v*-step-start; do
	version=${start##*/v}
	version=${version%-step-start}
	is "version $version, of steps that are long gone" "0 1 0 0" \
		"$("$top/test/hazards/play-messages" "$run/socket" \
			"$fixtures" "$version" raw "$((500 + version))")"
	is "version $version, of steps that run" "0 0 0 0" \
		"$("$top/test/hazards/play-messages" "$run/socket" \
			"$fixtures" "$version" live "$((600 + version))")"
	await counts $((600 + version)) 1 1
	is "all of it is recorded" "argentum 4700 3 2 1 768 3" "$(
		job=$((600 + version))
		echo "$(all $job identity cluster)" \
			"$(all $job identity array_job_id)" \
			"$(all $job steps step_id)" \
			"$(all $job steps node_task_count)" \
			"$(all $job steps is_armed)" \
			"$(all $job tasks wait_status | grep -v '^-')" \
			"$(all $job summary exit_code)")"
	is "and what was alive was known to be" 0 \
		"$(all $((500 + version)) steps is_armed)"
done

### a hostile job beside a normal one
# Memory limit of the recorder, whatever is requested of it.
memory_kib=$((128 * 1024))

hostile=$abs_top_builddir/test/workloads/w_hostile
# Half of this machine's limit: other programs need some, too.
for limit in pid_max threads-max; do
	limit=$(($(cat /proc/sys/kernel/$limit) / 2))
	[ "$HAZARDS_THREADS" -gt $limit ] && HAZARDS_THREADS=$limit
done
beside=()
"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=10000 \
	--arg end_wait_ms=10000 --item S_JOB_ID=702 --tasks 1 "$plugin" \
	"$hostile" "$HAZARDS_NAMES" "$HAZARDS_THREADS" >"$work/hostile" 2>&1 &
beside+=($!)
# Many steps, each sampled at the highest rate: a huge profile.
"$host" --uid $user --arg "socket=$run/socket" --item S_JOB_ID=703 \
	--option stepwell=10ms --contexts allocator,remote --steps 4 \
	--rounds "$HAZARDS_STEPS" --tasks 2 "$plugin" \
	sleep 0.05 >"$work/steps" 2>&1 &
beside+=($!)
# A normal job, for as long as they run.
round=0
while kill -0 "${beside[@]}" 2>/dev/null || [ $round -eq 0 ]; do
	round=$((round + 1))
	play --item S_JOB_ID=701 --step $round --tasks 4 -- sh -c '
		for i in 1 2 3 4 5; do /bin/true; sleep 0.1; done
		exit 3'
	normal="${normal-}$rc$(violations "$work/out")"
done
wait "${beside[@]}"
sed -n 's/^names/# hostile: &/p' "$work/hostile"
is "a normal job beside a hostile one: no violation" "" "${normal//0/}"
await counts 701 $round $((4 * round))
is "all of its $round steps and their tasks are there" \
	"$round $((4 * round))" "$(ended_steps 701) $(ended_tasks 701)"
is "with their status" 3 "$(all 701 summary exit_code | sort -u)"
if [ "$(all 701 steps programs_source | sort -u)" = bpf ]; then
	is "and all of their programs" \
		"sh:$((4 * round)) sleep:$((20 * round)) true:$((20 * round))" \
		"$(for file in $(files 701); do
			paste <(column "$file" programs step) \
			      <(column "$file" programs name) \
			      <(column "$file" programs ended)
		done | awk '$3 > n[$1 " " $2] { n[$1 " " $2] = $3 }
			END { for (k in n) { split(k, word, " ")
					     sum[word[2]] += n[k] }
			      for (p in sum) print p ":" sum[p] }' |
			sort | paste -sd' ')"
	is "none was lost" 1 "$(all 701 programs is_complete | sort -u)"
fi
is_sanitized "$recorder" || between "the recorder's memory at most, KiB" 1 "$memory_kib" \
	"$(awk '$1 == "VmHWM:" { print $2 }' \
		"/proc/$(cat "$work/pid")/status")"
# damage JOB: print the numbers of damaged places, missing frames and rows
damage()
{
	files "$1" | while read -r file; do
		"$stepwell" verify "$file" 2>/dev/null
	done | awk '/^(damaged places|frames missing|rows dropped)/ {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^[0-9]+$/) { sum += $i; break }
			lines++ }
		END { print (lines >= 3 ? sum + 0 : "none") }'
}

is "nothing of its profile is missing" 0 "$(damage 701)"
await counts 702 1 1
await counts 703 $((4 * HAZARDS_STEPS)) $((8 * HAZARDS_STEPS))
is "nor of those of the hostile ones" "0 0" "$(damage 702) $(damage 703)"
is "a profile of many steps has them all" \
	"$((4 * HAZARDS_STEPS)) $((8 * HAZARDS_STEPS))" \
	"$(ended_steps 703) $(ended_tasks 703)"
is "its programs do not go beyond their bound" yes \
	"$([ "$(all 702 programs name | sort -u | wc -l)" -le 513 ] &&
		echo yes)"
tally
