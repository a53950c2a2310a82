#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Resources used by one user's job are not missing for another's: processes
# followed by BPF, room in the spool, and memory.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/lib.sh"
. "$top/test/node-lib.sh"

# Stands for the unit's cgroup, with its limit.
export INVOCATION_ID=share

: "${SHARE_STEPS:=400}"		# of the greedy user
: "${SHARE_MIB:=64}"		# that the recorder may have
other=65532

# Print a cgroup of this test in which memory can be limited, or nothing.
limit_memory()
{
	local name=stepwell-test-share.$$ folder

	for folder in /sys/fs/cgroup/memory /sys/fs/cgroup \
		/sys/fs/cgroup/unified; do
		mkdir "$folder/$name" 2>/dev/null || continue
		{ echo $((SHARE_MIB << 20)) \
			>"$folder/$name/memory.limit_in_bytes" ||
		  echo $((SHARE_MIB << 20)) >"$folder/$name/memory.max"
		} 2>/dev/null && {
			echo "$folder/$name"
			return
		}
		rmdir "$folder/$name"
	done
}

oom_kills()
{
	cat "$cgroup/memory.oom_control" "$cgroup/memory.events" 2>/dev/null |
		awk '$1 == "oom_kill" { n += $2 } END { print n + 0 }'
}

# Start the recorder in that cgroup.
start_limited()
{
	local options

	mapfile -t options < <(recorder_options)
	bash -c 'echo $$ >"$1/cgroup.procs"; echo $$ >"$2"; shift 2
		exec "$@"' - "$cgroup" "$work/pid" "$recorder" \
		"${options[@]}" 2>>"$work/log" &
	disown
	await test -S "$run/socket" && await answers
}

end_limited()
{
	stop_recorder KILL
	await rmdir "$cgroup"
	clean
}

announced()	# COUNT: so many steps run
{
	[ "$(find "$run/steps" -type f | wc -l)" -ge "$1" ]
}

mkdir -m 3773 "$profiles"

### 300 sleepers of one job, and room for 256 processes
# programs JOB: print how often each ended, and whether all were seen
programs()
{
	paste <(column "$(of_job "$1")" programs name) \
	      <(column "$(of_job "$1")" programs ended) |
		awk '$2 > n[$1] { n[$1] = $2 }
		     END { for (p in n) print p ":" n[p] }' |
		sort | paste -sd' '
	column "$(of_job "$1")" programs is_complete | tail -n 1
}

sleepers_in()	# COUNT: so many run
{
	[ "$(pgrep -c -u $user -f "^sleep 7777$")" -ge "$1" ]
}

start_recorder --processes 256
play --item S_JOB_ID=300 -- true
has_bpf=$(column "$(of_job 300)" steps programs_source | grep -cx bpf)
"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=20000 \
	--arg end_wait_ms=20000 --item S_JOB_ID=301 "$plugin" sh -c '
	for i in $(seq 300); do sleep 7777 & done; wait' \
	>"$work/sleepers" 2>&1 &
sleepers=$!
await sleepers_in 300
user=$other play --item S_JOB_ID=302 --tasks 2 -- sh -c '
	for i in 1 2 3; do sleep 0.1 & done; wait; exit 3'
if [ "$has_bpf" = 1 ]; then
	is "a step beside 300 sleepers is complete" \
		"$(printf 'sh:2 sleep:6\n1')" "$(programs 302)"
	pkill -u $user -f "^sleep 7777$"
	wait $sleepers
	is "their own says that it is not" 0 "$(programs 301 | tail -n 1)"
	is "  and that starts were lost" yes "$(
		[ "$(events "$(of_job 301)" lost value | tail -n 1)" -gt 0 ] &&
		echo yes)"
	# Their slots are free again for the next one.
	user=$other play --item S_JOB_ID=303 -- sh -c '
		for i in $(seq 70); do sleep 0.5 & done; wait'
	is "a step after them is complete, too" \
		"$(printf 'seq:1 sh:1 sleep:70\n1')" "$(programs 303)"
else
	pkill -u $user -f "^sleep 7777$"
	wait $sleepers
	echo "ok - skip: no BPF"
fi
stop_recorder

### one user's programs, as fast as they can be started
# seen JOB: print what is known of its programs, or how many records are missing
seen()
{
	if [ "$(column "$(of_job "$1")" programs is_complete | tail -n 1)" = 1 ]
	then
		programs "$1"
	else
		events "$(of_job "$1")" lost value | tail -n 1 |
			awk '{ print ($1 > 0 ? "lost" : "not told") }'
	fi
}

# storm JOB COUNT: start COUNT programs of a job once $work/storm exists; then
# wait for $work/storm_end
storm()
{
	"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=20000 \
		--arg end_wait_ms=20000 --item "S_JOB_ID=$1" "$plugin" sh -c "
		: >$work/storms
		until [ -e $work/storm ]; do sleep 0.05; done
		i=0
		while [ \$i -lt $2 ] && [ ! -e $work/storm_end ]; do
			/bin/true; i=\$((i + 1))
		done
		: >$work/stormed" >"$work/storm.$1" 2>&1 &
	storm=$!
	await test -e "$work/storms"
}

if [ "$has_bpf" = 1 ]; then
	chmod 1777 "$work"
	start_recorder
	storm 310 1000000
	touch "$work/storm"
	user=$other play --item S_JOB_ID=311 -- sh -c '
		for i in 1 2 3 4 5; do sleep 0.1; done; exit 3'
	touch "$work/storm_end"
	wait $storm
	await delivered 311
	is "a step beside programs started in a loop has all of its own" \
		"$(printf 'sh:1 sleep:5\n1')" "$(seen 311)"

	# The ring holds some 7,000 programs: while nobody reads it, it fills
	# up, and lost records are attributed to the jobs that lost them.
	rm "$work/storm" "$work/storms" "$work/stormed" "$work/storm_end"
	storm 320 12000
	for job in 321 322; do
		mkfifo -m 644 "$work/go.$job"
		"$host" --uid $other --arg "socket=$run/socket" \
			--arg wait_ms=20000 --arg end_wait_ms=600000 \
			--item "S_JOB_ID=$job" "$plugin" sh -c "
			: >$work/begun.$job
			read -r go <$work/go.$job
			[ $job = 322 ] || for i in 1 2 3; do
				/bin/sleep 0.1
			done
			[ $job = 322 ] || : >$work/over.$job
			exit 3" >"$work/other.$job" 2>&1 &
		await test -e "$work/begun.$job"
	done
	kill -STOP "$(cat "$work/pid")"
	touch "$work/storm"
	await test -e "$work/stormed"
	echo >"$work/go.321"
	await test -e "$work/over.321"
	kill -CONT "$(cat "$work/pid")"
	await answers
	echo >"$work/go.322"
	wait
	await delivered 321
	await delivered 322
	is "a full ring: whose records were lost has it said" lost "$(seen 321)"
	is "  and whose were not, is complete" "$(printf 'sh:1\n1')" \
		"$(seen 322)"
	is "  all have their ends" "3 3" "$(
		for job in 321 322; do
			column "$(of_job $job)" summary exit_code
		done | paste -sd' ')"
	"$stepwell" report "$(of_job 321)" >"$work/said" 2>&1
	# Records that found room are kept.
	is "  and so does the report" 1 "$(tr -s ' \n' ' ' <"$work/said" |
		grep -cE "[0-9]+ of [0-9]+ programs? ended was not seen, \
and short ones may be missing")"
	is "  of each program it has at least so many" yes "$(
		grep -qE '^ *[^ ]+ +(≥|>=)[0-9]+ ' "$work/said" && echo yes)"
	stop_recorder
	# They would use room in the spool needed below.
	rm -f "$spool"/*
fi

### profiles of ten jobs of one user, and a spool of 12 MiB
# samples JOB: count those of the recorder's own cost, one in each pass
samples()
{
	column "$(of_job "$1")" series.recorder time_usec | wc -l
}

echo 'spool_max_mib: 12' >"$work/stepwell.yaml"
start_recorder --settings "$work/stepwell.yaml"
for job in $(seq 401 410); do
	"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=20000 \
		--arg end_wait_ms=20000 --item "S_JOB_ID=$job" "$plugin" sh -c "
		until [ -e $work/spool_end ]; do sleep 0.2; done; exit 3" \
		>"$work/spool.$job" 2>&1 &
done
for job in $(seq 401 410); do
	await eval '[ -n "$(column "$(of_job $job)" steps step)" ]'
done
user=$other play --item S_JOB_ID=420 -- sleep 1
between "another user's job has its samples" 2 1000 "$(samples 420)"
touch "$work/spool_end"
wait
is "of ten of one user some have none" yes "$(
	for job in $(seq 401 410); do
		samples $job
	done | grep -qx 0 && echo yes)"
is "  and some have" yes "$(
	for job in $(seq 401 410); do
		samples $job
	done | grep -vqx 0 && echo yes)"
is "  all have their ends" 10 "$(
	for job in $(seq 401 410); do
		column "$(of_job $job)" summary exit_code
	done | grep -cx 3)"
stop_recorder

### a spool of 1 MiB, and nothing can be delivered
# in_spool JOB: count the recordings of the job that wait
in_spool()
{
	find "$spool" -name "*.$1.*.stepwell" | wc -l
}

# fill_spool JOB COUNT: add COUNT recordings like that of the job
fill_spool()
{
	local from number

	from=$(of_job "$1")
	for number in $(seq "$2"); do
		cp -p "$from" "$spool/more.$1.$number.node.stepwell" || return
	done
}

echo 'spool_max_mib: 1' >"$work/stepwell.yaml"
set -- --settings "$work/stepwell.yaml" --profile-dir "$work/none"
start_recorder "$@"
user=$other play --item S_JOB_ID=430 --step batch -- true
play --item S_JOB_ID=431 --step batch -- true
play --item S_JOB_ID=432 --step batch -- true
await eval '[ "$(in_spool 430)$(in_spool 431)$(in_spool 432)" = 111 ]'
stop_recorder
size=$(du -k "$(of_job 431)" | cut -f1)
fill_spool 431 $((2048 / size))
fill_spool 432 $((128 / size))
touch "$spool"/more.*
few=$(in_spool 432)
find "$spool" -name '*.430.*' -exec touch -d '3 days ago' {} +
start_recorder "$@"
await eval '[ "$(du -k "$spool"/*.stepwell | awk "{ n += \$1 }
	END { print n <= 1024 }")" = 1 ]'
is "a spool that is full keeps the oldest of another user" 1 "$(in_spool 430)"
is "  and all of the user's job that holds less" "$few" "$(in_spool 432)"
between "  what is over is taken from the one that holds most" 1 \
	$((1024 / size)) "$(in_spool 431)"
is "  which the log says, once" 1 "$(
	grep -c "the last was job 431's, of user $user, who" "$work/log")"
await grep -q "^removed [1-9]" "$run/counts"
is "  and what everybody may read names nobody" "" "$(
	setpriv --reuid 65532 --regid 65532 --clear-groups \
		grep -E "431|$user" "$run/counts")"
stop_recorder
rm -f "$spool"/*

### many steps of one user, and little memory
cgroup=$(limit_memory)
if [ -z "$cgroup" ]; then
	echo "ok - skip: no memory can be limited here"
	tally
	exit
fi
trap end_limited EXIT
if is_sanitized "$recorder"; then
	echo "ok - skip: a sanitized program needs more memory than that"
	tally
	exit
fi
start_limited
is "the recorder answers with $SHARE_MIB MiB" 0 $?

# Steps that run until told to end, with 30 programs each.
mkdir "$work/programs"
chmod 755 "$work/programs"
for i in $(seq 30); do
	ln -s "$(command -v true)" "$work/programs/program$i"
done
cat >"$work/many" <<SCRIPT
#!/bin/sh
for program in $work/programs/*; do
	\$program
done
until [ -e $work/end ]; do sleep 1; done
SCRIPT
chmod 755 "$work/many"
greedy=()
for first in $(seq 0 100 $((SHARE_STEPS - 1))); do
	"$host" --uid $user --arg "socket=$run/socket" --arg wait_ms=60000 \
		--arg end_wait_ms=60000 --item S_JOB_ID=$((600 + first)) \
		--steps $((SHARE_STEPS - first < 100 ? SHARE_STEPS - first :
			100)) "$plugin" "$work/many" \
		>"$work/greedy.$first" 2>&1 &
	greedy+=($!)
	await announced "$((first + 100 < SHARE_STEPS ? first + 100 :
		SHARE_STEPS))"
done
is "$SHARE_STEPS steps of one user are announced" "$SHARE_STEPS" \
	"$(find "$run/steps" -type f | wc -l)"

user=$other play --item S_JOB_ID=501 --tasks 2 -- sh -c '
	for i in 1 2 3; do /bin/true; sleep 0.2; done; exit 3'
file=$(of_job 501)
is "another user's step beside them is armed" "0 1" \
	"$rc $(column "$file" steps is_armed)"
is "  and ends as it did" 3 "$(column "$file" summary exit_code)"
if [ "$(column "$file" steps programs_source)" = bpf ]; then
	is "  with all of its programs" "sh:2 sleep:6 true:6" "$(
		paste <(column "$file" programs name) \
		      <(column "$file" programs ended) |
		awk '$2 > n[$1] { n[$1] = $2 }
		     END { for (p in n) print p ":" n[p] }' |
		sort | paste -sd' ')"
	is "  none of them lost" 1 \
		"$(column "$file" programs is_complete | sort -u)"
fi
touch "$work/end"
wait "${greedy[@]}"
is "the greedy user's steps end as ever" 0 $?
await eval '[ "$(for f in $(find "$spool" "$profiles" -name "*.6?0.*.part" \
	-o -name "*.[6789]00.*stepwell"); do column "$f" summary step
	done | wc -l)" -ge "$SHARE_STEPS" ]'
all=$(for job in $(seq 600 100 $((600 + SHARE_STEPS - 1))); do
	column "$(of_job "$job")" summary exit_code
done | wc -l)
is "  and each of them has its end" "$SHARE_STEPS" "$all"
is "those beyond the share say so" yes "$(
	for job in $(seq 600 100 $((600 + SHARE_STEPS - 1))); do
		column "$(of_job "$job")" steps programs_reason
	done | grep -q "share of the recorder's memory" && echo yes)"
is "the kernel killed no recorder for it" 0 "$(oom_kills)"
kill -0 "$(cat "$work/pid")"
is "which still runs" 0 $?
tally
