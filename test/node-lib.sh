# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the tests of the node recorder: the recorder and the fake host.
# Sourced after lib.sh; $run, $spool, $profiles and $drop may be set before.
if [ "$(id -u)" -ne 0 ]; then
	echo "skip: only root can be the recorder of a node"
	exit 77
fi
host=$abs_top_builddir/test/spank/spank-host
plugin=$abs_top_builddir/spank/stepwell.so
recorder=$abs_top_builddir/recorder/stepwell-recorder
: "${run:=$work/run}" "${spool:=$work/spool}"
: "${profiles:=$work/profiles}" "${drop:=$work/drop}"
user=65534
# Neither root nor the user of jobs, like the system user "stepwell".
keeper=65533
summaries=$work/summaries
install -d -o $keeper -g $keeper -m 750 "$summaries"
# Files created here let tasks continue.
mkdir -m 777 "$work/turns"

stop_recorder()
{
	local pid

	pid=$(cat "$work/pid" 2>/dev/null) || return 0
	kill "-${1:-TERM}" "$pid" 2>/dev/null
	await gone "$pid"
}
trap 'stop_recorder KILL; clean' EXIT

# Print the options of every recorder here.
recorder_options()
{
	printf '%s\n' --node --socket "$run/socket" --spool "$spool" \
		--profile-dir "$profiles" --off-file "$work/off" \
		--drop-file "$drop" --reporter "$stepwell" \
		--summaries "$summaries" --slurm-conf "$work/slurm.conf" \
		--settings "$work/stepwell.yaml"
}

start_recorder()	# OPTION...: more of them
{
	local options

	mapfile -t options < <(recorder_options)
	options+=("$@")
	# Start it in its own cgroup: it creates and removes another one.
	"$recorder" "${options[@]}" 2>>"$work/log" &
	echo $! >"$work/pid"
	disown
	await test -S "$run/socket" && await answers
}

answers()
{
	python3 - "$run/socket" <<'PYTHON'
import socket, struct, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(60)
s.connect(sys.argv[1])
s.send(struct.pack("=4sHHII", b"SWLL", 1, 4, 16, 0))
sys.exit(s.recv(64)[:4] != b"SWLL")
PYTHON
}

# play ARGUMENT... -- COMMAND...: run a step of a job
play()
{
	local arguments=()
	while [ "$1" != -- ]; do
		arguments+=("$1")
		shift
	done
	shift
	"${host[@]}" --uid $user --arg "socket=$run/socket" --arg wait_ms=10000 \
		--arg end_wait_ms=10000 "${arguments[@]}" "$plugin" "$@" \
		>"$work/out" 2>"$work/err"
	rc=$?
}

# of_job ID: find the newest profile of a job, wherever it is
of_job()
{
	find "$spool" "$profiles" \( -name "*.$1.*.stepwell" -o \
		-name "*.$1.*.stepwell.part" \) -printf '%T@ %p\n' |
		sort -n | tail -n 1 | cut -d' ' -f2-
}

# until_there NAME: print a task's script that runs until this file exists
until_there()
{
	echo "until [ -e $work/turns/$1 ]; do sleep 0.05; done"
}

# List violations by the hooks from the host's output.
violations()	# FILE
{
	sed -n 's/.*"event":"violation".*"text":"\([^"]*\)".*/\1/p' "$1"
}

has_step()	# JOB: its profile has one
{
	[ -n "$(column "$(of_job "$1")" steps step)" ]
}

has_end()	# JOB: of a step
{
	[ -n "$(column "$(of_job "$1")" summary step)" ]
}

# delivered JOB: its profile is in the user's folder, and not in the spool
delivered()
{
	[ -n "$(find "$profiles" -name "*.$1.*.stepwell")" ] &&
		[ -z "$(find "$spool" -name "*.$1.*.stepwell")" ]
}

# evidence TABLE COLUMN...: print rows of the day's summaries, finished or not;
# fails while a recorder takes over the file of an earlier one
evidence()
{
	local table=$1 file name columns=()

	[ -z "$(find "$summaries" -name '*.old.part')" ] || return 1
	file=$(find "$summaries" -name '*.stepwell*' ! -name '*.tail')
	shift
	for name; do
		columns+=("$work/evidence.$name")
		column "$file" "$table" "$name" >"$work/evidence.$name" ||
			return 1
	done
	paste "${columns[@]}"
}

# has_evidence JOB STEP: the row of a step exists; it is written after its end
has_evidence()
{
	evidence step_summaries job_id step_id | grep -qx "$1	$2"
}
