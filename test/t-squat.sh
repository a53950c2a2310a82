#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Foreign files and processes at the recorder's socket path: only root gets
# messages, and nobody can delay a job.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
host=$abs_top_builddir/test/spank/spank-host
plugin=$abs_top_builddir/spank/stepwell.so
squat=$abs_top_srcdir/test/hazards/squat
path=$work/socket
user=65534

# Print the time of the hooks of a step of two tasks that may wait for MSEC; the
# minimum of five, since other programs delay some of them.
least_usec()	# MSEC
{
	local i

	for i in $(seq 5); do
		"$host" --ignore-version --arg "socket=$path" --tasks 2 \
			--arg "wait_ms=$1" --arg "end_wait_ms=$1" \
			--arg recorder=/nonexistent --step "$i" "$plugin" true
		echo "status $?"
	done >"$work/out" 2>&1
	sed -n 's/.*"launch_usec":\([0-9]*\),"end_usec":\([0-9]*\).*/\1 \2/p' \
		"$work/out" | awk '{ print $1 + $2 }' | sort -n | head -n 1
}

# lawful WHAT WAIT_MSEC: run with what is at the path now
lawful()
{
	local usec

	usec=$(least_usec "$2")
	is "$1: the steps end as ever, with no violation" "status 0" "$(
		grep -e '^status' -e '"event":"violation"' "$work/out" |
		sort -u)"
	between "$1: the hooks of a step, usec" 1 $((longest * 500)) "$usec"
}

# squatted HOW UID: sets $got to what it received
squatted()
{
	local pid

	rm -f "$path" "$work/squat"
	python3 "$squat" "$path" "$@" >"$work/squat" 2>&1 &
	pid=$!
	await grep -q ready "$work/squat"
	lawful "listener: $*" "$wait"
	kill "$pid"
	wait "$pid"
	got=$(sed -n 's/^connections=//p' "$work/squat")
}

# The hooks wait only for a listener that may be the recorder, not for others
# even if the timeout is the longest, half of which no busy machine needs for
# them.
longest=10000
at_once=$longest
waits=50

rm -f "$path"
lawful "nothing" $at_once
if [ "$(id -u)" -eq 0 ]; then
	chmod 1777 "$work"
	wait=$at_once
	for how in read mute deaf close stream; do
		squatted $how $user
		is "a user who listens ($how) gets nothing" "bytes=0" \
			"${got##* }"
	done
	wait=$waits
	squatted mute
	wait=$at_once
	squatted deaf
	squatted close
	squatted stream
	is "nor does a socket of another type" "0 bytes=0" "$got"
	wait=$waits
	squatted read
	is "but root does" yes "$(
		[ "${got##*=}" -gt 1000 ] && echo yes || echo "$got")"
	# A folder of the user's, in which he can link anything.
	rm -f "$path" "$work/squat"
	install -d -o $user "$work/his"
	python3 "$squat" "$work/his/socket" read $user \
		>"$work/squat" 2>&1 &
	pid=$!
	await grep -q ready "$work/squat"
	ln -s "$work/his/socket" "$path"
	lawful "a link to a user's socket" $at_once
	kill $pid
	wait $pid
	is "gets nothing" "bytes=0" "$(sed -n 's/.* //p' "$work/squat")"
else
	echo "ok - skip: only root can be who is trusted and somebody else"
fi

# something WHAT COMMAND...: the command creates it at the path
something()
{
	local what=$1
	shift

	rm -rf "$path"
	"$@"
	lawful "$what" $at_once
}
something "a file" touch "$path"
is "it stays as it was" 0 "$(stat -c %s "$path")"
something "a fifo" mkfifo "$path"
something "a folder" mkdir "$path"
something "a link to nothing" ln -s "$work/nothing" "$path"
something "a link to itself" ln -s "$path" "$path"
echo kept >"$work/other"
something "a link to a file" ln -s "$work/other" "$path"
is "it stays as it was, too" kept "$(cat "$work/other")"
something "a socket that nobody listens at" python3 -c '
import socket, sys
socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).bind(sys.argv[1])' "$path"
tally
