#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The texts of a job that its profile holds at each level of "privacy"; the
# summaries of a node and a day hold only the names of programs.  The job hangs at a pipe and at a peer, and fails at a file.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

mkdir -m 3773 "$profiles"
mkdir -m 777 "$work/secret-folder"
cp "$(command -v head)" "$work/secret-folder/secret-tool"

# It fails at a missing file, reads a named pipe without a writer, and waits for
# a server that does not answer.
cat >"$work/secret-folder/job" <<'SH'
cd "$(dirname "$0")"
./secret-tool "$PWD/secret-missing"
./secret-tool -n 1 <>secret-pipe &
exec python3 -c '
import socket
port = int(open("secret-port").read())
socket.create_connection(("127.0.0.1", port)).recv(1)'
SH
# The server: it writes its port, and accepts nobody.
cat >"$work/server" <<'PYTHON'
import os, signal, socket, sys
server = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as port:
    port.write(str(server.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
signal.pause()
PYTHON
mkfifo -m 666 "$work/secret-folder/secret-pipe"

has_hang()	# JOB LEVEL: and the stacks of it, which come later
{
	[ "$(column "$(of_job "$1")" hangs kind | sort | paste -sd' ')" = \
		"network pipe" ] &&
	if [ "$2" = full ]; then
		"$stepwell" dump "$(of_job "$1")" | grep -q '^# table stacks'
	fi
}

# record JOB LEVEL: record the job until it was seen hanging
record()
{
	local port=$work/secret-folder/secret-port server playing

	rm -f "$port"
	python3 "$work/server" "$port" &
	server=$!
	await test -e "$port"
	peer=127.0.0.1:$(cat "$port")
	echo "privacy: $2" >"$work/stepwell.yaml"
	start_recorder
	play --item "S_JOB_ID=$1" --step batch -- \
		sh "$work/secret-folder/job" &
	playing=$!
	await has_hang "$1" "$2"
	is "$2: it was seen to stand still" 0 $?
	kill "$server"
	echo >"$work/secret-folder/secret-pipe"
	wait $playing
	await delivered "$1"
	is "  its profile is delivered" 0 $?
	stop_recorder
	"$stepwell" dump "$(of_job "$1")" >"$work/dump.$1"
}

# count JOB TEXT: count it in its profile
count()
{
	grep -c -- "$2" "$work/dump.$1"
}

record 41 full
has_paths=$(count 41 secret-pipe)
is "  with the file that it read" yes "$([ "$has_paths" -ge 1 ] && echo yes)"
is "  the peer" yes "$([ "$(count 41 "$peer")" -ge 1 ] && echo yes)"
is "  functions" 1 "$(count 41 '^# table stacks')"
is "  and its programs" yes "$([ "$(count 41 secret-tool)" -ge 1 ] &&
	echo yes)"

record 42 programs
is "  with its programs" yes "$([ "$(count 42 secret-tool)" -ge 1 ] &&
	echo yes)"
is "  no file" "0 0 0" "$(count 42 secret-pipe) $(count 42 secret-missing) $(
	count 42 secret-folder)"
is "  no peer" 0 "$(count 42 "$peer")"
is "  no functions" 0 "$(count 42 '^# table stacks')"

record 43 counters
is "  no program, file or peer" "0 0" "$(count 43 secret) $(
	count 43 "$peer")"
is "  its programs have numbers" yes "$([ "$(count 43 '	program [0-9]')" \
	-ge 2 ] && echo yes)"
is "  and it is whole" 0 "$("$stepwell" verify "$(of_job 43)" >/dev/null
	echo $?)"

# Summaries that the user stepwell keeps of all three.
find "$summaries" -name '*.stepwell*' ! -name '*.tail' \
	-exec "$stepwell" dump {} \; >"$work/summaries.txt"
is "the summaries have each of the steps" "41 42 43" "$(awk '
	/^# table / { here = $3 ~ /^step_summaries/ }
	here && match($0, /\t4[123]\t/) { print substr($0, RSTART + 1, 2) }' \
	"$work/summaries.txt" | sort -u | paste -sd' ')"
# of_texts JOB: the rows of the job with a text of its own
of_texts()
{
	awk -v job="$1" '
	$1 == job && /secret|python|127\.0\.0\.1/ { count++ }
	END { print count + 0 }' "$work/summaries.txt"
}
is "and of their texts none, but the names of programs" "0 0" "$(grep -c \
	"secret-[pmf]\|127\.0\.0\.1" "$work/summaries.txt") $(of_texts 43)"
is "  if the profile has them" "yes yes" "$(for job in 41 42; do
	[ "$(of_texts $job)" -ge 1 ] && echo yes; done | paste -sd' ')"
# Consider `privacy` for each new text column: program and failed_program are
# names of programs, as in the profile; stall_mount is the node's own mount.
is "these are all the texts that they can hold" \
	"backend cluster cpu_model digest failed_cause failed_program file final_source job_name kernel program stall_fs stall_kind stall_mount step_id" "$(grep -h \
	'^column \(step_summaries\|series.step_programs\|profiles\) .*(text)' \
	"$abs_top_srcdir/test/interface.list" | cut -d' ' -f3 | sort -u |
	paste -sd' ')"
is "the log has none either" 0 "$(grep -c secret "$work/log")"
tally
