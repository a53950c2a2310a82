#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that hang in one known way each, and a sleeping one: the texts of
# progress.frozen, and the cost of its samples.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
# A mount that never responds needs root.
# shellcheck source=test/mounts-lib.sh
[ "$(id -u)" -ne 0 ] || . "$top/test/mounts-lib.sh"
. "$top/test/lib.sh"
. "$top/test/fuse-lib.sh"
export STEPWELL_LIBEXECDIR=$abs_top_builddir/recorder
export STEPWELL_CONF=$work/settings.yaml
cat >"$STEPWELL_CONF" <<'YAML'
rules:
  progress.frozen:
    min_short_seconds: 5
    min_short_ratio: 0.3
YAML
recorders=()
servers=()
as=()	# whoever records becomes another user by it
chmod 1777 "$work"
finish()
{
	kill -KILL "${servers[@]}" 2>/dev/null
	wait "${servers[@]}" 2>/dev/null
	unstall_all
	clean
}
trap finish EXIT

# start CASE COMMAND...: record it
start()
{
	local name=$1

	shift
	"${as[@]}" env "XDG_STATE_HOME=$work/state.$name" \
		"$stepwell" run --period 500ms --no-report \
		--output "$work/$name.stepwell" -- "$@" \
		>"$work/$name.out" 2>&1 </dev/null &
	recorders+=($!)
}

# has_hang CASE: it was sampled, in the profile that is still being written
has_hang()
{
	"$stepwell" dump "$work/$1.stepwell.part" | grep -q '^# table hangs'
}

# says CASE: print the text of progress.frozen, pids as N; nothing if there is
# none
says()
{
	"$stepwell" report --json "$work/$1.stepwell" |
		python3 -c '
import json, re, sys
for f in json.load(sys.stdin)["findings"]:
    if f["id"] == "progress.frozen":
        text = f["sentence"].split("next to no progress: ")[-1]
        text = re.sub(r"(process|threads|thread|and) \d+", r"\1 N", text)
        print(text.split(". ")[0])'
}

# ids CASE: print those of its findings
ids()
{
	"$stepwell" report --json "$work/$1.stepwell" |
		python3 -c '
import json, sys
print(*(f["id"] for f in json.load(sys.stdin)["findings"]))'
}

# A server that accepts connections and sends nothing.
python3 -c '
import socket, sys, time
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1], flush=True)
time.sleep(1000)' >"$work/port" &
servers+=($!)
# Another one responds after a while.
python3 -c '
import socket, sys, time
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1], flush=True)
client = server.accept()[0]
while client.recv(1):
    time.sleep(0.3)
    client.send(b".")' >"$work/slow_port" &
servers+=($!)
await test -s "$work/port" -a -s "$work/slow_port"
port=$(cat "$work/port")
touch "$work/lock"
# shellcheck disable=SC2016
sh -c 'exec 9>"$1" && flock 9 && exec sleep 1000' sh "$work/lock" &
servers+=($!)
await sh -c "! flock --nonblock '$work/lock' true"
# In a child pid namespace the kernel does not list a lock whose taker has
# exited.
taker=
grep -q ":$(stat -c %i "$work/lock") " /proc/locks &&
	taker=', taken by process N, which is not of this run, or has ended'

cases=(deadlock peer answered polled unanswered pipe lock stopped sleep loop beat fifo)
start deadlock "$abs_top_builddir/test/workloads/w_deadlock"
start peer python3 -c "
import socket
socket.create_connection(('127.0.0.1', $port)).recv(1)"
start answered python3 -c "
import socket
s = socket.create_connection(('127.0.0.1', $(cat "$work/slow_port")))
while True:
    s.send(b'?')
    s.recv(1)"
start polled python3 -c "
import socket
s = socket.create_connection(('127.0.0.1', $port))
s.settimeout(1000)
s.recv(1)"
# A server with a full backlog: the next connection gets no answer.
start unanswered python3 -c "
import select, socket
server = socket.socket()
server.bind(('127.0.0.1', 0))
server.listen(0)
def client():
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex(server.getsockname())
    return s
held = [client()]
while select.select([], held[-1:], [], 1)[1]:
    held.append(client())
last = held[-1]
poll = select.poll()
poll.register(last, select.POLLOUT)
poll.poll()"
# The shell is stopped before it becomes a reader.
start pipe sh -c 'yes | sh -c "kill -STOP \$\$; cat"'
start lock flock "$work/lock" true
# shellcheck disable=SC2016
start stopped sh -c 'kill -STOP $$'
start sleep sleep 1000
mkfifo "$work/fifo"
start fifo cat "$work/fifo"
# An event loop that waits only for a timer.
start loop python3 -c '
import asyncio
asyncio.run(asyncio.sleep(1000))'
# A lock without an owner, beside a thread that sleeps for short times.
start beat timeout 1000 python3 -c '
import threading, time
def beat():
    while True:
        time.sleep(0.5)
threading.Thread(target=beat, daemon=True).start()
lock = threading.Lock()
lock.acquire()
lock.acquire()'
if [ "$(id -u)" -eq 0 ] && has_fuse; then
	mkdir "$work/dead"
	stall "$work/dead" --never read --file data=4096
	start dead dd "if=$work/dead/data" of=/dev/null iflag=direct
	mkdir "$work/lost"
	stall "$work/lost" --never lookup,open
	start lost cat "$work/lost/data"
	# The kernel counts this as pressure, because it reads ahead.
	mkdir "$work/cached"
	stall "$work/cached" --never read --file data=4096
	start cached cat "$work/cached/data"
	cases+=(dead lost cached)
fi
# The three most important cases as an unprivileged user.
if [ "$(id -u)" -eq 0 ]; then
	as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	start deadlock_of_nobody "$abs_top_builddir/test/workloads/w_deadlock"
	start peer_of_nobody python3 -c "
import socket
socket.create_connection(('127.0.0.1', $port)).recv(1)"
	cases+=(deadlock_of_nobody peer_of_nobody)
	case " ${cases[*]} " in
	*" dead "*)
		mkdir "$work/other"
		stall "$work/other" --never read --file data=4096
		start dead_of_nobody cat "$work/other/data"
		cases+=(dead_of_nobody) ;;
	esac
fi
for name in "${cases[@]}"; do
	yes_ "$name: its threads are sampled" await has_hang "$name"
done
# Kill the commands only: a recorder exits after its own.
for recorder in "${recorders[@]}"; do
	for pid in $(descendants "$recorder"); do
		case $(cat "/proc/$pid/comm") in
		stepwell*) ;;
		*) kill -KILL "$pid" ;;
		esac
	done
done 2>/dev/null
unstall_all
wait "${recorders[@]}"

is "a deadlock, beside a heartbeat" "threads N and N of w_deadlock \
(process N) waited for each other (futex): a deadlock" "$(says deadlock)"
is "a peer" "python3 (process N) waited for a reply from 127.0.0.1:$port \
(recvfrom)" "$(says peer)"
is "a peer that is slow, and answers each time, is none" "" \
	"$(says answered)"
is "a peer that is polled" "python3 (process N) waited for a reply from \
127.0.0.1:$port (poll)" "$(says polled)"
is "a peer that does not answer a connection" "python3 (process N) tried to \
connect to 127.0.0.1:PORT, which did not answer (poll)" \
	"$(says unanswered | sed 's/:[0-9]*,/:PORT,/')"
is "a pipe, to a program that was stopped" "sh (process N) was stopped by a \
signal, or suspended, and yes (process N) waited for it" "$(says pipe)"
is "the lock of a file" "flock (process N) waited for the lock of \
$work/lock (flock)$taker" "$(says lock)"
is "a stop" "sh (process N) was stopped by a signal, or suspended" \
	"$(says stopped)"
is "a named pipe that nobody writes to" "cat (process N) waited for the \
other end of the named pipe $work/fifo to be opened (openat)" "$(says fifo)"
is "sleep is none" "" "$(says sleep)"
is "a loop of events that sleeps is none" "" "$(says loop)"
is "a lock of nobody known" "python3 (process N) waited for a lock (futex)" \
	"$(says beat)"
case " ${cases[*]} " in
*" dead "*)
	is "a mount that never answers" "dd (process N) waited in read of \
$work/dead/data (request_wait_answer)" "$(says dead)"
	is "a name that is looked up there" "cat (process N) waited in openat \
of $work/lost/data (request_wait_answer)" "$(says lost)"
	is "a read ahead that never returns" "cat (process N) waited in read \
of $work/cached/data" "$(says cached | sed 's/ ([a-z_]*)$//')"
	is "it is one finding" 0 "$(ids cached | grep -c io.stalled)" ;;
esac
case " ${cases[*]} " in
*" peer_of_nobody "*)
	is "a deadlock, of nobody" "threads N and N of w_deadlock \
(process N) waited for each other (futex): a deadlock" \
		"$(says deadlock_of_nobody)"
	is "a peer, of nobody" "python3 (process N) waited for a reply from \
127.0.0.1:$port (recvfrom)" "$(says peer_of_nobody)" ;;
esac
case " ${cases[*]} " in
*" dead_of_nobody "*)
	is "a read, of nobody" "cat (process N) waited in read of \
$work/other/data" "$(says dead_of_nobody | sed 's/ ([a-z_]*)$//')"
	is "it is one finding, of nobody" 0 \
		"$(ids dead_of_nobody | grep -c io.stalled)" ;;
esac
for name in "${cases[@]}"; do
	column "$work/$name.stepwell" hangs took_usec | head -n 1
done | sort -n | sed -n '1s/^/# fastest sample, usec: /p; $s/^/# slowest: /p'
tally
