#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of LSF, started by a daemon like its own: what the starter records, and
# that a job behaves with it as without.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
unset XDG_STATE_HOME
starter=$abs_top_builddir/contrib/lsf/stepwell-starter
post="${POST:-$abs_top_builddir/contrib/lsf/stepwell-post}"
sbatchd=${abs_top_srcdir:-$(dirname "$0")/..}/test/lsf/sbatchd
# A path with a blank would be two words of JOB_STARTER.
case $starter in
*[[:space:]]*)
	echo "t-lsf: a build folder with a blank is not tested" >&2
	exit 77 ;;
esac
id=0

# submit WITH OPTION... COMMAND: run job $id, its status in $status
submit()
{
	local with=$1
	shift
	id=$((id + 1))
	home=$work/$with.$id
	mkdir -p "$home"
	mkfifo "$home/signals"
	"$sbatchd" --home "$home" "${@:1:$#-1}" "$id" "${@: -1}" &
	daemon=$!
}

ended()
{
	wait "$daemon"
	status=$?
	output=$(cat "$home"/out.* 2>/dev/null)
}

# Print the recording of job $id, once it is finished.
recording()
{
	local folder=$home/.local/state/stepwell

	await compgen -G "$folder/lsf*.$id.*.stepwell"
	compgen -G "$folder/lsf*.$id.*.stepwell"
}

programs()
{
	column "$1" programs name | sort -u | grep -xE "$2" | paste -sd' '
}

# all_of WHAT TREE: all programs of TREE are in $file; samples of the processes,
# the last fallback, may miss those that end between two of them
all_of()
{
	if [ "$(column "$file" steps programs_source)" = proc ]; then
		echo "# skip: $1: only samples of the programs here"
	else
		is "$1" "$2" "$(programs "$file" "${2// /|}")"
	fi
}

# Send the signals once the job has begun, each after the previous one has
# arrived: a job that catches one creates a file of its name.
meanwhile()
{
	local signal
	[ -n "$signals" ] || return
	await test -e "$home/ready"
	for signal in $signals; do
		echo >"$home/signals"
		case $signal in
		KILL|CONT) ;;
		STOP) await grep -q '^State:.T' "/proc/$(cat "$home/pid")/status" ;;
		*) await test -e "$home/$signal" ;;
		esac
	done
}

# same WHAT TREE OPTION... COMMAND: compare with and without the starter; all
# programs of TREE must be recorded
same()
{
	local what=$1 tree=$2 how
	shift 2
	submit without "$@"
	meanwhile
	ended
	local status_without=$status output_without=$output
	for how in "$starter" "$starter;%USRCMD"; do
		submit with --starter "$how" "$@"
		meanwhile
		ended
		is "$what: the same exit status" "$status_without" "$status"
		is "$what: the same output" "$output_without" "$output"
		file=$(recording)
		is "$what: its end is recorded" "${end:-$((status << 8))}" \
			"$(column "$file" summary wait_status)"
		all_of "$what: the whole tree is" "$tree"
		is "$what: nothing went wrong" "" \
			"$(cat "$home/.local/state/stepwell/lsf.log")"
	done
}
signals='' end=''

### one command, a list of them, a script, an array
same "one command" sleep 'sleep 0.3'
same "a list" "cat sleep timeout" \
	'sleep 0.3; (timeout 1 sleep 0.5; echo hello) | cat; sleep 0.2 & wait; exit 3'
same "an array" "sleep timeout" --index 3 --name 'arr[1-3]%2' \
	'timeout 9 sleep 0.3; echo $LSB_JOBINDEX $LSB_JOBINDEX_STEP $LSB_JOBINDEX_END'
is "an array: its output" "3 1 3" "$output"
cat >"$work/script" <<'SCRIPT'
#!/bin/bash
#BSUB -n 2
for i in 1 2; do timeout 9 sleep 0.3; done
echo "script of $# arguments"
exit 4
SCRIPT
same "a script" "sleep timeout" --script "$work/script" -

### words of the command
same "quotes" sleep "printf '<%s>' 'a  b' \"c'd\" '\$HOME' '*' ''; sleep 0.2"
around='/bin/sh -c "%USRCMD"; echo after=$?'
submit without --starter "$around" 'sleep 0.4; timeout 9 sleep 0.4; exit 6'
ended
without="$status $output"
submit with --starter "$starter $around" \
	'sleep 0.4; timeout 9 sleep 0.4; exit 6'
ended
is "%USRCMD in quotes" "0 after=6" "$status $output"
is "%USRCMD in quotes: the same" "$without" "$status $output"
file=$(recording)
is "%USRCMD in quotes: its end is recorded" 0 \
	"$(column "$file" summary wait_status)"
all_of "%USRCMD in quotes: the whole tree is" "sleep timeout"
submit with --starter "$starter;%USRCMD" 'cd /; x=1; for i in a b; do echo $i; done; pwd; sleep 0.2'
ended
is "what only a shell knows" "0 a b /" "$status $(echo $output)"
submit with --starter "$starter" 'no-such-command-here; exit $?'
ended
is "a command that is not there" "127 no-such-command-here: not found" \
	"$status $output"

### the environment, descriptors, limits and signals of the command
cat >"$work/look" <<'LOOK'
#!/bin/sh
env | grep -vE '^(LS_JOBPID|LSB_JOBID|LSB_JOBFILENAME|LSB_OUTPUTFILE|HOME|LS_SUBCWD|PWD)=' | sort
umask; nice; ulimit -a
grep -E '^(Sig(Blk|Ign|Cgt)|Shd|Threads|NoNewPrivs)' /proc/self/status
readlink /proc/$$/fd/0
ls /proc/self/fd
cat /proc/$$/oom_score_adj
children=$(ps -o pid= --ppid $$)
echo $children | wc -w
sleep 0.4
LOOK
chmod 755 "$work/look"
same "what a command sees" "look sleep" "$work/look"

### jobs killed in LSF's way, and suspended: no difference, either
cat >"$work/catches" <<'CATCHES'
#!/usr/bin/env python3
import pathlib, signal, subprocess
def take(number, frame):
    name = signal.Signals(number).name[3:]
    print(name, flush=True)
    pathlib.Path(name).touch()
for number in signal.SIGINT, signal.SIGTERM:
    signal.signal(number, take)
subprocess.run(["timeout", "9", "sleep", "0.4"])
pathlib.Path("ready").touch()
while True:
    signal.pause()
CATCHES
signals="INT TERM KILL" end=9
same "SIGINT, SIGTERM, SIGKILL" "python3 sleep timeout" \
	--signals "$signals" --script "$work/catches" -
is "SIGINT, SIGTERM, SIGKILL: the job's own words" "137 INT TERM" \
	"$status $(echo $output)"
cat >"$work/goes-on" <<'GOES'
#!/bin/bash
timeout 9 sleep 0.4
touch ready
until [ -e signals.done ]; do sleep 0.1; done
echo on
exit 9
GOES
signals="STOP CONT" end=''
same "suspended, continued" "sleep timeout" --signals "$signals" \
	--script "$work/goes-on" -
is "suspended, continued: its output" "9 on" "$status $output"
signals=''

### requests, with assumptions
# requested WHAT EXPECTED REQ HOSTS STARTER: MiB on this host, and the note
requested()
{
	submit with --starter "${5-}$starter" --req "$3" --hosts "$4" 'sleep 0.1'
	ended
	file=$(recording)
	is "$1" "$2" "$(column "$file" steps requested_memory_bytes |
		awk '{ print $1 == "-" ? $1 : $1 / 1048576 }') $(
		column "$file" steps limits_note)"
}
mkdir "$work/conf"
echo 'LSF_UNIT_FOR_LIMITS=GB' >"$work/conf/lsf.conf"
site="LSF_ENVDIR=$work/conf "
note="The memory request is that of rusage[mem]"
per="for each host (RESOURCE_RESERVE_PER_TASK may say otherwise)."
here=$(uname -n)
requested "a number without a unit" "4000 $note, a number without a unit, taken \
as MB (LSF_UNIT_FOR_LIMITS was not found in lsf.conf), $per" \
	'select[type == any] rusage[mem=4000]' "$here 4" 'LSF_ENVDIR=/none '
requested "in the unit of lsf.conf" "4096 $note, a number without a unit, taken \
as GB (LSF_UNIT_FOR_LIMITS was found in lsf.conf), $per" \
	'rusage[mem=4]' "$here 4" "$site"
requested "with a unit, of each slot" "2048 $note." \
	'rusage[mem=512MB/task]' "$here 4 n2 2" "$site"
requested "of a job on two hosts" "256 $note." \
	'rusage[mem=512MB/job]' "$here 4 n2 2" "$site"
requested "alternatives are no request" "- -" \
	'rusage[mem=1] || rusage[mem=2]' "$here 1" "$site"
rm "$work/conf/lsf.conf"
mkfifo "$work/conf/lsf.conf"
requested "a pipe for lsf.conf holds nothing up" "4000 $note, a number without \
a unit, taken as MB (LSF_UNIT_FOR_LIMITS was not found in lsf.conf), $per" \
	'rusage[mem=4000]' "$here 4" "$site"
submit with --starter "$starter" --req 'rusage[mem=4000]' 'sleep 0.1'
ended
file=$(recording)
is "the report has the assumption" 1 "$("$stepwell" report "$file" |
	tr -s '\n ' '  ' | grep -c 'a number without a unit, taken as MB')"
is "and the request" 1 "$("$stepwell" report "$file" |
	tr -s '\n ' '  ' | grep -c 'of the 3.9 GiB requested')"

### identity of the recording
submit with --starter "$starter" --index 3 --hosts "n1 4 n2 4 n3 2" \
	--name "arr[1-3]%2" 'sleep 0.2'
ended
file=$(recording)
is "an element of an array" "$id 3 lsf 3 arr[1-3]%2" "$(for i in job_id \
	array_task_id origin node_count name; do
	column "$file" identity $i; done | paste -sd' ')"
is "slots of the first host" 4000 "$(column "$file" steps requested_cpus_milli)"
is "the report says how many hosts" "stepwell: nodes: 1 of 3 hosts: $(uname -n); \
no recording of the others was found (HOST_PRE_EXEC makes them: \
stepwell-lsf(8))" "$(HOME=$home "$stepwell" report --brief \
	"${id}_3" 2>&1 | grep nodes:)"
for name in $'a\nb\e[31m' '-x; touch /tmp/x' '$(touch x)' "$(printf 'n%.0s' {1..5000})" ''; do
	submit with --starter "$starter" --name "$name" 'sleep 0.1; exit 2'
	ended
	is "a job called $(printf %q "${name:0:8}")" 2 "$status"
	yes_ "is reported" env HOME="$home" "$stepwell" report "$(recording)"
done

### usage, as far as the end was seen
submit with --starter "$starter;%USRCMD" --post "$post" \
	'python3 -c "import time
while time.process_time() < 1.5: pass"'
ended
file=$(recording)
used=$("$stepwell" report --json "$file" | sed -n \
	's/.*"used_core_seconds":\([0-9]*\)\.\([0-9][0-9]\).*/\1\2/p' | head -n 1)
case $(column "$file" summary final_source) in
none) grep -q "The end of the job was not seen" "$home/out.$id"
	is "an end that was not seen is said" "0 yes" \
	"$? $([ "$used" -ge 50 ] && echo yes || echo "$used")" ;;
*) is "all CPU time is seen" yes \
	"$([ "$used" -ge 145 ] && echo yes || echo "$used")" ;;
esac

### finding the shell of the job
cat >"$work/a) R 1 1 (b" <<SCRIPT
#!/bin/sh
"$starter" sh -c 'sleep 0.2; exit 6'
exit \$?
SCRIPT
chmod 755 "$work/a) R 1 1 (b"
for hint in '' 'LS_JOBPID=' 'LS_JOBPID=$PPID' 'LSB_JOBFILENAME='; do
	submit with --starter '%USRCMD' "${hint:+$hint }'$work/a) R 1 1 (b'; exit 7"
	ended
	file=$(recording)
	is "found${hint:+ with $hint}" "7 $((7 << 8))" \
		"$status $(column "$file" summary wait_status)"
done
submit with --hosts '' --starter "LSB_HOSTS='n1 n1 n1 n2 n3 n3' $starter" \
	'sleep 0.2'
ended
file=$(recording)
is "hosts as words" "3 3000" "$(column "$file" identity node_count) $(
	column "$file" steps requested_cpus_milli)"

### other ends of jobs
submit with --starter "$starter;%USRCMD" --signals "INT TERM KILL" --post "$post" \
	"trap '' INT; sleep 100 & trap 'echo term' TERM; touch ready
while :; do sleep 0.05; done"
await test -e "$home/ready"
printf '\n\n' >"$home/signals"
# Kill the shell only after it has run its trap.
await grep -qsx term "$home"/out.*
echo >"$home/signals"
ended
is "killed by SIGINT, SIGTERM, SIGKILL" "137 term" "$status $(
	grep -x term <<<"$output")"
file=$(recording)
is "killed: its end" 9 "$(column "$file" summary signal)"
grep -qi "killed by SIGKILL" "$home/out.$id"
is "killed: the post-exec writes the report into the output" "0 0" \
	"$? $(cat "$home/around")"
rm -f "$work/go"
submit with --starter "$starter;%USRCMD" --signals "STOP CONT" --post "$post" \
	"touch ready; until [ -e '$work/go' ]; do sleep 0.1; done; exit 9"
await test -e "$home/ready"
echo >"$home/signals"
await grep -q '^State:.T' "/proc/$(cat "$home/pid")/status"
sleep 1
echo >"$home/signals"
touch "$work/go"
ended
is "suspended and continued" 9 "$status"
file=$(recording)
is "suspended: it took the time" yes "$(awk -v a="$(column "$file" summary \
	end_usec)" -v b="$(column "$file" steps start_usec)" \
	'BEGIN { print (a - b > 1000000 ? "yes" : "no") }')"
grep -q "^stepwell: job $id: Failed (exit status 9)" "$home/out.$id"
is "suspended: the report" 0 $?

submit with --starter "$starter" --post "LSB_OUTPUTFILE=out.%J.%I $post" \
	--index 3 'sleep 0.1'
ended
is "the name of the output file may be bsub's" 1 "$(grep -c \
	"^stepwell: job ${id}_3: " "$home/out.$id.3")"

# LSF also kills remaining processes of a job: the recorder cannot write an end.
submit with --starter "$starter" --signals KILL --post "$post" \
	--name "lost-$$" 'sleep 100'
await compgen -G "$home/.local/state/stepwell/*.part" >/dev/null
await pgrep -f "[s]tepwell-recorder.*--name lost-$$ " >/dev/null
# shellcheck disable=SC2046
kill -KILL $(pgrep -f "[s]tepwell-recorder.*--name lost-$$ ")
echo >"$home/signals"
ended
is "the recorder killed with its job" 137 "$status"
grep -q "^stepwell: job $id: ended by signal 9, says LSF" "$home/out.$id"
is "is reported as far as it was seen" 0 $?

### missing programs
mkdir -p "$work/bare/a/b"
cp "$starter" "$work/bare/a/b/"
submit with --starter "$work/bare/a/b/stepwell-starter" --post "$post" \
	'echo out; exit 3'
ended
is "a starter without its recorder" "3 out" "$status $(head -n 1 <<<"$output")"
note=$(cat "$home/out.$id")
submit without "$work/look"
ended
without=$status$output
submit with --starter "$work/bare/a/b/stepwell-starter" "$work/look"
ended
is "without its recorder: what a command sees is the same" "$without" \
	"$status$output"
# An installed recorder would be used.
if [ -x "${pkglibexecdir-}/stepwell-recorder" ]; then
	echo "# skip: a recorder is installed in $pkglibexecdir"
else
	is "says so in one line" 1 "$(grep -c "it was not recorded" <<<"$note")"
fi
submit with --starter "$starter" --lost --post "$post" 'echo out; exit 3'
ended
is "a job whose shell is not found" "3 out stepwell: job $id: its shell was \
not found, so that it was not recorded" "$status $(echo $output)"
submit with --starter "LS_JOBPID=1 LSB_JOBFILENAME=/x $starter" 'sh -c "exit 3"'
ended
is "a pid of somebody else's" 3 "$status"
submit with --starter "HOME=/proc/none $starter" 'sleep 0.1; exit 3'
ended
is "a home that cannot be written to" 3 "$status"
submit with --starter "LSB_JOBID=x $starter" 'sleep 0.1; exit 3'
ended
is "no number of a job" "3 " "$status $output"
text=$(env -i "$starter" echo alone; echo "$?")
is "no job at all" "alone 0" "$(echo $text)"

### other users: programs beside ours, files in /tmp, the job's output
if [ "$(id -u)" -eq 0 ]; then
	mkdir -p "$work/theirs/a/b" "$work/theirs/recorder" \
		"$work/theirs/analyzer"
	cp "$starter" "$post" "$work/theirs/a/b/"
	for i in recorder/stepwell-recorder analyzer/stepwell; do
		printf '#!/bin/sh\ntouch %q\n' "$work/run-by-others" \
			>"$work/theirs/$i"
	done
	chmod -R 755 "$work/theirs"
	chown -R 65534:65534 "$work/theirs"
	submit with --starter "$work/theirs/a/b/stepwell-starter" \
		--post "$work/theirs/a/b/stepwell-post" 'sh -c "exit 3"'
	ended
	is "programs of others are not run" "3 no" "$status $(
		[ -e "$work/run-by-others" ] && echo yes || echo no)"

	# In the folder where a post-exec starts.
	id=$((300000 + $$))
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		mkdir "/tmp/$((id + 1))"
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		touch "/tmp/$((id + 1))/lsf.$((id + 1)).1.x.stepwell"
	submit with --starter "$starter" --post "$post" \
		--hosts "$(uname -n) 1 n2 1" 'sleep 0.2; exit 5'
	ended
	rm -r "/tmp/${id:?}"
	is "a folder in /tmp with the job's number is not the job" "5 1" \
		"$status $(grep -c "job $id: Failed (exit status 5)" \
		"$home/out.$id")"

	for how in link pipe foreign; do
		submit with --starter "$starter" --post "cd '$work'; rm out
			case $how in
			link) ln -s precious out ;;
			pipe) mkfifo out ;;
			foreign) touch out; chown 65534 out ;;
			esac; LSB_OUTPUTFILE='$work/out' $post" 'sleep 0.1'
		: >"$work/precious"
		: >"$work/out"
		ended
		is "an output file that became a $how: nothing is written" \
			"0 0" "$(cat "$home/around") $(wc -c <"$work/precious")"
		rm -f "$work/out"
	done
else
	echo "# skip: what another user can do needs root"
fi

### the same job from a recording and from lsb.acct
export STEPWELL_HISTORY=$work/history.sqlite HOME=$work/home
acct=${abs_top_srcdir:-$(dirname "$0")/..}/test/fixtures/lsf/lsb.acct
id=77
submit with --starter "$starter" --name twice 'sleep 0.2'
ended
file=$(recording)
"$stepwell" import "$file" >/dev/null 2>&1
head -n 1 "$acct" | sed "s/ 101 / $id /; s/1795000100/$(date +%s)/
	s/1795003700/$(($(date +%s) + 5))/; s/\"align\"/\"twice\"/
	s/\"ann\"/\"$(id -un)\"/" >"$work/lsb.acct"
"$stepwell" import "$work/lsb.acct" >/dev/null 2>&1
is "a recording and lsb.acct are one run, with the limit of the latter" \
	"$id|4|7200" "$(python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT substr(job, 5), " +
		"source, cast(requested_seconds AS INTEGER) FROM runs"):
	print(*row, sep="|")' "$STEPWELL_HISTORY" | grep "^$id|")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
