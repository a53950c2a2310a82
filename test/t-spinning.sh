#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that waits without a pause uses a CPU like one that computes: the
# call that it repeats is recorded, but not for programs that make many
# different calls, or work; for these, the share of work on names of files.
# Needs BPF, as root; Linux 5.15.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

skip()
{
	echo "# skipped: $*"
	exit 77
}

[ "$(id -u)" -eq 0 ] || skip 'all programs are only seen as root'
"$stepwell" run --no-report --force --output "$work/first" -- true 2>"$work/err"
[ "$(column "$work/first" steps programs_source)" = bpf ] ||
	skip 'all programs are only seen by BPF'
[ "$(printf '5.15\n%s\n' "$(uname -r)" | sort -V | head -n 1)" = 5.15 ] ||
	skip "Linux $(uname -r) does not tell BPF what a program asks"

cd "$work" || exit 1

# of NAME COLUMN: print it from that program's last row
of()
{
	"$stepwell" dump "$profile" |
		awk -F '\t' -v program="$1" -v column="$2" '
		/^# table / { is_here = $0 ~ /^# table programs,/; is_head = 1; next }
		is_here && is_head { for (i = 1; i <= NF; i++) {
			if ($i == column) n = i
			if ($i == "name") name = i }; is_head = 0; next }
		is_here && $name == program { value = $n }
		END { print value }'
}

# The limit is CPU time of a workload; on a busy machine it takes longer.
record()
{
	profile=$work/$1.stepwell
	shift
	"$stepwell" run --no-report --force --output "$profile" -- \
		"$@" 2>"$work/err"
}

cat >looks.sh <<'TEXT'
# Loop until this shell has used this much CPU time.
while [ ! -e result ]; do
	((++n % 20000)) && continue
	read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ </proc/$$/stat
	[ $((user + system)) -lt $((100 * $1)) ] || exit 0
done
TEXT
record shell bash looks.sh 13
is 'what a shell looked for' newfstatat:result \
	"$(of bash spin_call):$(of bash spin_object)"
between 'for how long' 4000000 13500000 "$(of bash spin_usec)"
"$stepwell" report --no-sacct "$profile" >said
is 'the report says it' 1 \
	"$(tr -s '\n ' '  ' <said |
		grep -c 'bash looked for result repeatedly')"

cat >used.py <<'TEXT'
import os, resource, select, sys

def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime

kind, seconds = sys.argv[1], float(sys.argv[2])
inside, outside = os.pipe()
count = 0
value = 1.0
while count % 1000 or used() < seconds:
    count += 1
    if kind == "poll":
        select.select([inside], [], [], 0)
    elif kind == "many":
        os.path.exists(f"file{count}")
    else:
        for _ in range(500):
            value = value * 1.0001 % 7
        os.path.exists("STOP")
TEXT
python=$(PATH=/usr/bin:/bin command -v python3) || skip 'no python3'
record poll "$python" used.py poll 9
is 'what asks for events' 1 \
	"$(of python3 spin_call | grep -cxE 'p?select6?')"
record many "$python" used.py many 9
is 'one that asks for many files does not wait' 0 "$(of python3 spin_usec)"
between 'but works on their names: per cent' 30 100 \
	"$((100 * $(of python3 metadata_usec) / $(of python3 sampled_usec)))"
record works "$python" used.py works 9
is 'one that works in between does not wait' 0 "$(of python3 spin_usec)"
mkdir tiny
cat >tiny.py <<'TEXT'
import os, resource

def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime

count = 0
while count % 1000 or used() < 8:
    count += 1
    with open(f"tiny/{count % 5000}", "w"):
        pass
TEXT
record tiny "$python" tiny.py
between 'who makes many files: per cent' 30 100 \
	"$((100 * $(of python3 metadata_usec) / $(of python3 sampled_usec)))"
"$stepwell" report --no-sacct "$profile" >said
is 'the report says it' 1 "$(grep -c io.many_files said)"
tally
