#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell run" from outside: as seen by a user, a shell and a terminal.
set -u
# Ignored signals (under nohup) cannot be reset by a shell.
if [ -n "$(trap -p HUP)" ]; then
	exec env --default-signal=HUP "$0" "$@"
fi
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

run()
{
	"$stepwell" run --no-report "$@"
}

### exit statuses
for status in 0 1 77 255; do
	run -- sh -c "exit $status"
	is "exit status $status" $status $?
done
for name in KILL TERM SEGV HUP; do
	run -- sh -c "ulimit -c 0; kill -$name \$\$" 2>/dev/null
	status=$?
	is "killed by SIG$name" $((128 + $(kill -l $name))) $status
done
file=$(newest)
is "the signal is in the summary" 1 "$(column "$file" summary signal)"
is "and no exit code" - "$(column "$file" summary exit_code)"

count=$(find "$XDG_STATE_HOME" -type f | wc -l)
text=$(run -- no-such-command-here 2>&1)
is "not found: 127" 127 $?
is "not found: what a shell says" \
	"stepwell: no-such-command-here: command not found" "$text"
text=$(run -- 'echo a | wc' 2>&1)
is "a pipe in quotes: how" "stepwell: echo a | wc: command not found; to run a \
shell's line: stepwell run -- sh -c 'COMMAND | COMMAND'" "$text"
run -c 3 -t 5 -J short -- true
file=$(newest)
is "sbatch's letters" short "$(column "$file" identity name)"
printf 'x\n' >"$work/plain"
text=$(run -- "$work/plain" 2>&1)
is "not executable: 126" 126 $?
is "not executable: why" "stepwell: $work/plain: Permission denied" "$text"
run -- "$work" 2>/dev/null
is "a folder: 126" 126 $?
is "what was not executed leaves no profile" "$((count + 1))" \
	"$(find "$XDG_STATE_HOME" -type f | wc -l)"

### a process started by somebody else
recorder=$abs_top_builddir/recorder/stepwell-recorder
attach()
{
	"$recorder" --foreground --attach "$@" </dev/null 2>"$work/said"
}
mkfifo "$work/gate"
sh -c 'read x <"$1"; cat /dev/null; exit 7' - "$work/gate" &
pid=$!
ticks=$(awk '{ print $22 }' "/proc/$pid/stat")
text=$(attach "$pid:$((ticks + 1))" -- a)
is "another one of the same pid is not recorded" \
	"1 stepwell: process $pid has ended; nothing was recorded" \
	"$? $(cat "$work/said")"
"$recorder" --foreground --attach "$pid:$ticks" --lsf-job 12_3 --nodes 4 \
	--name b -- a </dev/null >/dev/null &
watch=$!
until [ -n "$(find "$XDG_STATE_HOME" -name 'lsf-3.12.*')" ]; do sleep 0.05; done
kill -TERM "$watch"
until "$stepwell" dump "$(find "$XDG_STATE_HOME" -name 'lsf-3.12.*.part')" \
	2>/dev/null | grep -q '^# table series.proc'; do sleep 0.05; done
echo >"$work/gate"
wait "$pid"
is "what is attached to ends as it would" 7 $?
wait "$watch"
is "and with it the recorder" 0 $?
file=$(find "$XDG_STATE_HOME" -name 'lsf-3.12.*.stepwell')
is "which has its end" 1792 "$(column "$file" summary wait_status)"
is "and whose it is" "lsf 12 3 4 b" "$(for i in origin job_id array_task_id \
	node_count name; do column "$file" identity $i; done | paste -sd' ')"
is "a job's report by its number" "stepwell: nodes: 1 of 4 hosts: \
$(uname -n); no recording of the others was found (HOST_PRE_EXEC makes them: \
stepwell-lsf(8))" "$("$stepwell" report --brief 12_3 2>&1 |
	grep nodes:)"

### size of the input
STEPWELL_INPUT_BYTES=3G run -- true
is "the input's size" "$((3 << 30)) -" "$(column "$(newest)" steps input_bytes) $(
	column "$(newest)" steps input_reason)"
run -- true
is "which need not be said" "- -" "$(column "$(newest)" steps input_bytes) $(
	column "$(newest)" steps input_reason)"
text=$(STEPWELL_INPUT_BYTES='3 GB' run -- sh -c 'exit 6' 2>&1)
is "which is no size" "6 - stepwell: STEPWELL_INPUT_BYTES is not a positive \
number of bytes; the size of the input is not recorded" \
	"$? $(column "$(newest)" steps input_bytes) $text"

### the command's environment
cat >"$work/look" <<'SCRIPT'
umask; pwd; nice; ulimit -a
cat /proc/self/oom_score_adj
grep -E '^(Sig|Shd|Cpus_allowed|NoNewPrivs|Seccomp)' /proc/self/status |
	grep -v SigQ
env | grep -v '^_=' | sort | md5sum
cd "/proc/$$/fd" && stat -c '%N' *
ps -o pgid=,sid= -p $$
SCRIPT
(cd / && umask 27 && nice -n 3 sh "$work/look" x) >"$work/direct" \
	</dev/null 3</etc/passwd 2>/dev/null
(cd / && umask 27 && nice -n 3 "$stepwell" run --no-report -- \
	sh "$work/look" x) >"$work/direct2" </dev/null 3</etc/passwd 2>/dev/null
is "environment, limits, masks, descriptors are the command's own" \
	"$(cat "$work/direct")" "$(sed s/direct2/direct/ "$work/direct2")"
(
	trap '' HUP CHLD PIPE
	grep SigIgn /proc/self/status >"$work/direct"
	run -- grep SigIgn /proc/self/status >"$work/direct2"
)
is "ignored signals stay ignored" "$(cat "$work/direct")" \
	"$(cat "$work/direct2")"
is "standard input and output pass" "$(seq 100000 | md5sum)" \
	"$(seq 100000 | run -- cat | md5sum)"
run -- sh -c 'echo out; echo err >&2' >"$work/out" 2>"$work/err"
is "standard output is the command's" out "$(cat "$work/out")"
is "standard error is the command's" err "$(cat "$work/err")"

cat >"$work/closed" <<'SCRIPT'
state=
for fd in 0 1 2; do
	[ -e /proc/$$/fd/$fd ] && state="$state$fd open " ||
		state="$state$fd closed "
done
echo "$state" >"$1"
SCRIPT
run -- sh "$work/closed" "$work/out" <&-
is "closed standard input" "0 closed 1 open 2 open " "$(cat "$work/out")"
run -- sh "$work/closed" "$work/out" >&-
is "closed standard output" "0 open 1 closed 2 open " "$(cat "$work/out")"
"$stepwell" run -- sh "$work/closed" "$work/out" <&- >&- 2>&-
is "all of them closed, with a report" "0 0 closed 1 closed 2 closed " \
	"$? $(cat "$work/out")"

# until_there FILE: print a command that runs until the file exists, at most
# five minutes
until_there()
{
	printf 'n=0; until [ -e "%s" ] || [ $((n += 1)) -gt 6000 ]; do %s; done' \
		"$1" 'sleep 0.05'
}
"$stepwell" run --no-report -- sh -c "echo a; exec >&-
	$(until_there "$work/eof"); [ -e '$work/eof' ]" 2>/dev/null |
	(cat >/dev/null; touch "$work/eof")
is "a reader sees the end when the command closes its output" 0 \
	"${PIPESTATUS[0]}"
run -- yes | head -n 1 >/dev/null
is "SIGPIPE ends the command" "141 0" "${PIPESTATUS[*]}"

### signals
# started COMMAND...: start it in the background, its pid in $pid, and wait
# until it reports readiness
started()
{
	rm -f "$work/ready"
	"$stepwell" run --no-report -- "$@" &
	pid=$!
	await test -e "$work/ready"
}

started bash -c "trap 'exit 7' TERM; touch $work/ready
	while :; do sleep 0.05; done"
kill -TERM $pid
wait $pid
is "SIGTERM to the recorder reaches the command" 7 $?
file=$(newest)
is "and is noted" 15 "$(events "$file" signal_forwarded value)"

started bash -c "trap 'echo usr1 >>$work/got' USR1
	trap 'echo alrm >>$work/got; exit 5' ALRM; touch $work/ready
	while :; do sleep 0.05; done"
kill -USR1 $pid
await test -s "$work/got"
kill -ALRM $pid
wait $pid
is "other signals too" "5 usr1 alrm" "$? $(xargs <"$work/got")"

rm -f "$work/got"
run -- bash -c "trap 'echo term >>$work/got' TERM; kill -TERM \$PPID
	sleep 0.5	# by then it would have come
	exit 6"
is "the command's own signal to the recorder is not sent back" "6 no" \
	"$? $([ -e "$work/got" ] && echo yes || echo no)"

setsid -w "$stepwell" run --no-report -- \
	bash -c "trap : TERM; kill -TERM 0; exit 8"
is "a signal to the whole group does not end the recorder" 8 $?

started bash -c "touch $work/ready; $(until_there "$work/go")
	touch $work/done"
kill -STOP $pid
await grep -q "^State:.*T" "/proc/$pid/status"
kill -KILL $pid
wait $pid 2>/dev/null
touch "$work/go"
yes_ "a killed recorder does not disturb the command" \
	await test -e "$work/done"
file=$(find "$XDG_STATE_HOME" -name '*.part')
yes_ "what it had recorded can be read" "$stepwell" dump "$file"
rm -f "$XDG_STATE_HOME"/stepwell/*.part "$XDG_STATE_HOME"/stepwell/*.tail
run -- true
is "its cgroup is removed by the next recorder" "" \
	"$(stale all | grep -- "stepwell-$pid\$")"

# noted KIND: the unfinished recording has such an event
noted()
{
	"$stepwell" dump "$XDG_STATE_HOME/stepwell/run.$pid."*.part |
		grep -qw "$1"
}
started bash -c "touch $work/ready; exec sleep 600"
await pgrep -P $pid -x sleep
child=$(pgrep -P $pid -x sleep)
kill -STOP "$child"
await noted stopped
is "a pause of the command alone does not stop the recorder" no \
	"$(grep -q 'State:.T' /proc/$pid/status && echo yes || echo no)"
kill -CONT "$child"
await noted continued
kill -TERM $pid
wait $pid
is "paused, continued, ended" 143 $?
file=$(newest)
is "the pause is noted" 19 "$(events "$file" stopped value)"
is "its end too" 1 "$(events "$file" continued value | wc -l)"

### processes that stay, processes that end elsewhere
run -- sh -c "(setsid sleep 600 >/dev/null 2>&1 </dev/null & echo \$! \
	>$work/daemon)
	until grep -qx sleep /proc/\$(cat $work/daemon)/comm; do :; done; exit 3"
is "the status of a command that leaves a daemon" 3 $?
daemon=$(cat "$work/daemon")
yes_ "the daemon lives on, and did not hold the recorder up" \
	kill -0 "$daemon"
file=$(newest)
is "it is named" "sleep" "$(events "$file" leftover program)"
is "with its number" "$daemon" "$(events "$file" leftover pid)"
kill "$daemon"
# A zombie can be sent signals; one that is reaped cannot.
burnt=$work/burnt run -- bash -c '(bash -c "for ((i = 0; i < 300000; i++)); do :
	done; echo \$\$ >\$burnt" &)
	until [ -s "$burnt" ]; do sleep 0.1; done
	for ((n = 0; n < 600; n++)); do
		kill -0 "$(cat "$burnt")" 2>/dev/null || exit 0
		sleep 0.05
	done; exit 1'
is "orphans are reaped while the command runs" 0 $?
file=$(newest)
yes_ "and their CPU time is known" \
	[ "$(column "$file" summary reaped_user_usec)" -gt 50000 ]
run -- "$stepwell" run --no-report -- sh -c 'exit 9'
is "a recording in a recording" 9 $?

### location of the profile
text=$(run --output "$work/p" -- echo first)
is "--output" "0 first" "$? $text"
yes_ "the file is there" test -s "$work/p"
is "no other file" "" "$(find "$work" -maxdepth 1 -name 'p.*')"
sum=$(md5sum <"$work/p")
text=$(run --output "$work/p" -- echo second 2>&1)
is "an existing file: 2" 2 $?
is "it is not touched, the command not started" "$sum 1" \
	"$(md5sum <"$work/p") $(printf '%s\n' "$text" | wc -l)"
text=$(run --force --output "$work/p" -- echo third)
is "--force" "0 third" "$? $text"
is "the file is another" no "$([ "$sum" = "$(md5sum <"$work/p")" ] &&
	echo yes || echo no)"
run --force --output "$work" -- echo x >"$work/out" 2>&1
is "a folder is never replaced" 2 $?
run --output "$work/no/such/p" -- touch "$work/was-run" 2>"$work/err"
is "a missing folder: 1" 1 $?
is "one line" 1 "$(wc -l <"$work/err")"
is "the command was not started" no \
	"$([ -e "$work/was-run" ] && echo yes || echo no)"
XDG_STATE_HOME=$work/plain run -- sh -c 'exit 4' 2>"$work/err"
is "no default folder: the command runs" 4 $?
is "and one line says that it is unrecorded" 1 \
	"$(grep -c '^stepwell: .*unrecorded' "$work/err")"
env -u HOME -u XDG_STATE_HOME "$stepwell" run -- true 2>"$work/err"
is "no HOME: the command runs" "0 1" "$? $(wc -l <"$work/err")"
XDG_STATE_HOME=$work/a/b run -- true
is "missing folders are made for the user alone" "700 700 700" \
	"$(stat -c %a "$work/a" "$work/a/b" "$work/a/b/stepwell" | xargs)"
is "the file is the user's alone" 600 \
	"$(stat -c %a "$(newest "$work/a")")"

### usage
for option in --mem=12Q --cpus=0 --period=0 --period=1us --period=2h \
	--time=never --frobnicate --mem; do
	text=$("$stepwell" run "$option" -- touch "$work/was-run" 2>&1)
	is "$option: exit code, lines" "2 1" \
		"$? $(printf '%s\n' "$text" | wc -l)"
done
"$stepwell" run 2>/dev/null
is "no command: 2" 2 $?
is "nothing of this was run" no \
	"$([ -e "$work/was-run" ] && echo yes || echo no)"
text=$("$stepwell" run --mem="$(printf '1\033[2J\n')" -- true 2>&1)
is "hostile values are shown escaped" 0 \
	"$(printf '%s' "$text" | tr -d '\040-\176' | wc -c)"
for option in name cpus mem time period output force brief no-report; do
	"$stepwell" run --help | grep -q -- "--$option" ||
		is "--help has --$option" yes no
done

### the report
"$stepwell" run -- sh -c 'echo out; echo err >&2' >"$work/out" 2>"$work/err"
is "the report is not on standard output" out "$(cat "$work/out")"
is "the command's output comes first" err "$(head -n 1 "$work/err")"
lines=$(tail -n +2 "$work/err" | wc -l)
yes_ "a brief report follows" [ "$lines" -ge 1 -a "$lines" -le 10 ]
"$stepwell" run -- true 2>&-
is "no standard error, no report" 0 $?
"$stepwell" run --reporter /no/such -- sh -c 'exit 3' 2>"$work/err"
is "without a reporter: the status is the command's" 3 $?
is "and one line says where the recording is" 1 \
	"$(grep -c "$(newest)" "$work/err")"

### contents of the recording
from=$(date +%s%N)
run --name "$(printf 'n\033\n')" --cpus 1.5 --mem 64M --time 10 \
	--period 50ms --output "$work/rows" -- sleep 1.02
is "requests" "1500 67108864 600000000 50000" "$(
	column "$work/rows" steps requested_cpus_milli) $(
	column "$work/rows" steps requested_memory_bytes) $(
	column "$work/rows" steps requested_time_usec) $(
	column "$work/rows" identity period_usec)"
all=$((($(date +%s%N) - from) / 1000))
rows=$(column "$work/rows" series.recorder time_usec | wc -l)
lost=$(column "$work/rows" summary lost_samples)
start=$(column "$work/rows" steps start_usec)
end=$(column "$work/rows" summary end_usec)
is "one row a period, one at the start, two at the end" \
	$(((end - start) / 50000 + 3)) $((rows + lost))
yes_ "as long as it took" \
	[ $((end - start)) -ge 1020000 -a $((end - start)) -le $all ]
yes_ "the last row is from the end" \
	[ "$(column "$work/rows" series.proc time_usec | tail -n 1)" -ge "$end" ]
run --output "$work/burn" -- bash -c 'for ((i = 0; i < 400000; i++)); do :
	done; bash -c "for ((i = 0; i < 200000; i++)); do :; done"; :'
user=$(column "$work/burn" summary rusage_user_usec)
system=$(column "$work/burn" summary rusage_system_usec)
total=$((user + system))
utime=$(column "$work/burn" series.proc utime_usec | tail -n 1)
stime=$(column "$work/burn" series.proc stime_usec | tail -n 1)
off=$((utime + stime - total))
yes_ "CPU of the last row is that of getrusage ($total, off by $off usec)" \
	[ ${off#-} -le $((total / 50 + 25000)) ]
backend=$(column "$work/burn" steps backend)
echo "# backend: $backend $(column "$work/burn" steps backend_reason)"
if [ "$backend" != process.tree ]; then
	usage=$(column "$work/burn" series.cpu usage_usec | tail -n 1)
	off=$((usage - total))
	yes_ "and that of the cgroup (off by $off usec)" \
		[ ${off#-} -le $((total / 50 + 25000)) ]
fi

### without root
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
   setpriv --reuid 65534 --regid 65534 --clear-groups \
	test -x "$stepwell" 2>/dev/null; then
	mkdir -m 700 "$work/nobody"
	chown 65534:65534 "$work/nobody"
	as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups
		env XDG_STATE_HOME=$work/nobody"
	text=$($as_nobody "$stepwell" run --no-report -- \
		sh -c 'id -u; exit 5' 2>&1)
	is "as another user" "5 65534" "$? $text"
	file=$(newest "$work/nobody")
	yes_ "why there is no cgroup is said" \
		[ "$(column "$file" steps backend_reason)" != - ]
	is "the last sample's source" proc \
		"$(column "$file" summary final_source)"
	$as_nobody "$stepwell" run --output "$work/x" -- true 2>/dev/null
	is "a folder that is not ours: 1" 1 $?
else
	echo "# skip: not root, or another user cannot reach $stepwell"
fi

### a terminal
export stepwell work
# keys SCRIPT: type the output of SCRIPT into an interactive shell in a terminal
keys()
{
	(
		seen tty.prompt
		printf 'PS1=; PS2=; unset PROMPT_COMMAND; stty -echo\n'
		eval "$1"
		printf 'exit\n'
	) | PROMPT_COMMAND="touch $work/tty.prompt" timeout 1200 \
		script -qec 'bash --norc --noprofile --noediting -i' \
		/dev/null | tr -d '\r'
}

# Wait for the file: the other side has got that far.
seen()
{
	await test -e "$work/$1"
}

# It ends when allowed, and reports it.  It starts no program while it waits: a
# shell whose vfork(2) child is stopped before it executes cannot be stopped
# itself, nor any job of its terminal.
echo "exec 3<>$work/tty.go; touch $work/tty.1; read -r line <&3
	touch $work/tty.end" >"$work/goes"
if command -v script >/dev/null; then
	rm -f "$work"/tty.*
	keys 'printf "%s\n" "$stepwell run --no-report -- \
		sh -c \"touch $work/tty.1; sleep 30\""
	      seen tty.1; printf "\003"
	      printf "%s\n" "echo \$? >$work/tty.rc"; seen tty.rc' >/dev/null
	is "Ctrl-C" 130 "$(cat "$work/tty.rc")"
	is "is noted" 2 "$(events "$(newest)" interrupted value)"
	is "is its user's end" "Interrupted by its user (Ctrl-C) 0" \
		"$("$stepwell" report --brief "$(newest)" | sed -n \
			's/.*\(Inter.* (Ctrl-C)\) after.*/\1/p') $(
		"$stepwell" report --brief "$(newest)" |
			grep -c 'program\.killed:')"

	rm -f "$work"/tty.*
	keys 'printf "%s\n" "bash -c \"$stepwell run --no-report -- \
		sh -c \\\"touch $work/tty.1; sleep 30\\\"; \
		touch $work/tty.bad\""
	      seen tty.1; printf "\003"
	      printf "%s\n" "touch $work/tty.rc"; seen tty.rc' >/dev/null
	is "Ctrl-C ends the script around it" no \
		"$([ -e "$work/tty.bad" ] && echo yes || echo no)"

	rm -f "$work"/tty.*
	mkfifo "$work/tty.go"
	keys 'printf "%s\n" "$stepwell run --no-report -- \
		sh $work/goes"
	      seen tty.1; printf "\032"
	      printf "%s\n" "echo \$? >$work/tty.rc; jobs >$work/tty.jobs"
	      seen tty.jobs; echo >"$work/tty.go"; sleep 1.5
	      printf "%s\n" "touch $work/tty.2; ls $work >$work/tty.ls; \
		fg; echo \$? >$work/tty.fg"
	      seen tty.fg' >/dev/null
	is "Ctrl-Z stops it" 148 "$(cat "$work/tty.rc")"
	is "the shell knows" 1 "$(grep -c Stopped "$work/tty.jobs")"
	is "while stopped the command stands still" 0 \
		"$(grep -c tty.end "$work/tty.ls")"
	is "fg continues and ends it" 0 "$(cat "$work/tty.fg")"
	file=$(newest)
	is "the stop is noted" 20 "$(events "$file" stopped value)"
	is "the continuation is noted" 1 \
		"$(events "$file" continued value | wc -l)"
	yes_ "the gap is noted" \
		[ "$(events "$file" gap value | head -n 1)" -gt 1000000 ]

	rm -f "$work"/tty.*
	keys 'printf "%s\n" "$stepwell run --no-report -- cat >$work/tty.out &"
	      printf "%s\n" "until jobs | grep -q Stopped; do sleep 0.1; done"
	      printf "%s\n" "jobs -l >$work/tty.jobs; fg; echo \$? >$work/tty.rc"
	      seen tty.jobs; printf "hello\n\004"; seen tty.rc' >/dev/null
	is "reading in the background stops it" 1 \
		"$(grep -c 'Stopped (tty input)' "$work/tty.jobs")"
	is "in the foreground it goes on" "0 hello" \
		"$(cat "$work/tty.rc" "$work/tty.out" | xargs)"

	rm -f "$work"/tty.*
	mkfifo "$work/tty.go"
	keys 'printf "%s\n" "$stepwell run --no-report -- \
		sh $work/goes"
	      seen tty.1; printf "\032"
	      printf "%s\n" "jobs >$work/tty.jobs; echo >$work/tty.go
		bg; wait; echo \$? >$work/tty.rc"
	      seen tty.rc' >/dev/null
	is "bg continues it" 0 "$(cat "$work/tty.rc")"
else
	echo "# skip: no script(1) (Debian: bsdutils): terminals not tried"
fi

### nothing remains
is "no cgroup is left" "" "$(stale)"
is "no process is left" "" "$(pgrep -f "$work" | xargs -r ps -o args= -p |
	grep -v t-run.sh)"
is "no unfinished file is left" "" \
	"$(find "$work" -name '*.part' -o -name '*.tail')"

tally
