#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The three commands of stepwell-install(7), in every order, with recorders that
# start slowly: the unit's socket, which starts its recorder on the first
# connection, the line in plugstack.conf, and a restart of slurmd.  Each time
# one recorder serves in the end, the unit's, and the next step is recorded.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"
trap 'stop_all; clean' EXIT

mkdir -m 3773 "$profiles"
mkdir "$run"

# A recorder that starts when allowed: the unit's at $work/go.unit, slurmd's at
# $work/go.detached.
slow=$work/recorder
{
	echo '#!/bin/bash'
	echo "kind=unit"
	echo '[ "$2" != --detach ] || kind=detached'
	echo "echo \$\$ >>$work/\$kind.pids"
	echo "until [ -e $work/go.\$kind ]; do sleep 0.05; done"
	printf 'exec %q "$@"' "$recorder"
	recorder_options | tail -n +2 | while read -r word; do
		printf ' %q' "$word"
	done
	printf ' 2>>%q\n' "$work/log"
} >"$slow"
chmod 755 "$slow"

# Emulates systemd for the two units.
cat >"$work/systemd" <<'PYTHON'
import os, select, socket, sys, time
path, program, ends = sys.argv[1:]
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
try:
    s.bind(path)
except OSError:
    os.unlink(path)
    s.bind(path)
os.chmod(path, 0o600)
s.listen(1024)
while True:
    select.select([s], [], [])
    child = os.fork()
    if child == 0:
        os.dup2(s.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1",
                          INVOCATION_ID="t-start")
        os.execv(program, [program, "--node"])
    status = os.waitpid(child, 0)[1]
    with open(ends, "a") as log:
        print(status, file=log)
    time.sleep(0.2)
PYTHON

enable_socket()
{
	python3 "$work/systemd" "$run/socket" "$slow" "$work/ends" &
	systemd=$!
	disown
	await sh -c "grep -q '$run/socket' /proc/net/unix && python3 -c '
import socket
socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect(\"$run/socket\")'"
}

add_line()
{
	has_line=yes
}

restart_slurmd()
{
	[ "$has_line" = yes ] || return 0
	"$host" --contexts slurmd --arg "recorder=$slow" \
		--arg "socket=$run/socket" "$plugin" true >>"$work/slurmd" 2>&1
}

# List the running recorders that hold the lock, among the processes of the slow
# one and their children.
recorders()
{
	pgrep -f "^$recorder --node" | while read -r pid; do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = stepwell-record ] &&
			[ -S "$run/socket" ] && holds_lock "$pid" && echo "$pid"
	done
}

# holds_lock PID: it is the process that has the lock
holds_lock()
{
	awk -v pid="$1" -v inode=":$(stat -c %i "$run/recorder.lock")" '
		$2 == "FLOCK" && $5 == pid && index($6, inode) { found = 1 }
		END { exit !found }' /proc/locks
}

serves_alone()
{
	[ "$(recorders)" = "$(tail -n 1 "$work/unit.pids")" ]
}

# The process that slurmd waits for exits when its recorder is ready.
is_settled()
{
	local pid

	for pid in $(cat "$work/detached.pids" 2>/dev/null); do
		gone "$pid" || return
	done
}

stop_all()
{
	local pid

	kill -KILL "$systemd" 2>/dev/null
	for pid in $(cat "$work"/*.pids 2>/dev/null) \
		$(pgrep -f "^$recorder --node --socket $run"); do
		kill -KILL "$pid" 2>/dev/null
		await gone "$pid"
	done
	rm -rf "$work"/go.* "$work"/*.pids "$work/ends" "$work/slurmd" "$spool"
	rm -rf "${run:?}"/*
}

# in_order WORD...: run these commands, and let these recorders continue
number=100
systemd=
in_order()
{
	local word

	has_line=no
	: >"$work/ends"
	: >"$work/slurmd"
	for word; do
		case $word in
		socket) enable_socket ;;
		line) add_line ;;
		slurmd) restart_slurmd ;;
		# slurmd's recorder continues: it serves, or has given way.
		detached)
			touch "$work/go.detached"
			await is_settled ;;
		esac
	done
	number=$((number + 1))
	touch "$work/go.detached" "$work/go.unit"
	(play --item "S_JOB_ID=$number" --step 1 -- true)
	is "$*: the step is recorded" yes "$(await has_end $number && echo yes)"
	is "  one recorder serves, the unit's" yes \
		"$(await serves_alone && echo yes)"
	is "  and has not failed" "" "$(cat "$work/ends")"
	is "  slurmd is told of no failure" "" \
		"$(grep -E '"error"|"violation"' "$work/slurmd")"
	stop_all
}

in_order socket line slurmd detached
in_order socket slurmd line
in_order line socket slurmd detached
in_order slurmd socket line
in_order slurmd line socket
# slurmd's recorder is still starting when the unit's socket is started ...
in_order line slurmd socket detached
# ... or is already serving.
in_order line slurmd detached socket
tally
