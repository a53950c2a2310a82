#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Failures that a script does not pass on, and scripts that fail on purpose, as
# "stepwell run" sees them: without a past, and with one.
# shellcheck disable=SC2154 # what lib.sh sets
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

skip()
{
	echo "# $*"
	exit 77
}

[ "$(id -u)" -eq 0 ] || skip 'the ends of programs are only seen as root'
grep -q '^#define HAVE_LIBBPF 1' "$abs_top_builddir/config.h" ||
	skip 'the ends of programs are only seen by BPF: built without libbpf'
for tool in counter solver extract; do
	cp "$abs_top_builddir/test/workloads/w_child" "$work/$tool"
done
cd "$work" || exit 99

# recorded NAME: NAME.sh in a history of its own; prints findings of results
recorded()
{
	STEPWELL_LIBEXECDIR=$abs_top_builddir/recorder \
		STEPWELL_HISTORY=$work/none.sqlite "$stepwell" run --no-report \
		--output "$work/$1.rec" -- bash "$work/$1.sh" \
		>"$work/$1.out" 2>&1
	STEPWELL_HISTORY=$work/$1.sqlite "$stepwell" report --json \
		"$work/$1.rec" >"$work/$1.json" 2>/dev/null
	python3 - "$work/$1.json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
print(*sorted(f["id"] + " " + f["subject"].removeprefix("program ")
              for f in report["findings"] if f["kind"] == "result"))
PYTHON
}

went_on()
{
	python3 -c 'import json, sys
print(json.load(open(sys.argv[1])).get("went_on", "").partition(": ")[2])' \
		"$work/$1.json"
}

### what left work undone
cat >workers.sh <<'EOF'
seq 12 | xargs -P2 -I{} sh -c '[ $(({} % 4)) -ne 1 ] || set -- --exit 1
	./counter --burn-ms 160 "$@" || echo failed >>log' sh
EOF
found=$(recorded workers)
[ "$(column workers.rec steps programs_source)" = bpf ] ||
	skip 'the ends of programs are only seen by BPF, which is not to be had'
is 'some workers fail, and nobody passes it on' 'program.failed counter' \
	"$found"
cat >head.sh <<'EOF'
./extract --burn-ms 60 --exit 1 | ./solver --burn-ms 900 | sort >sorted
EOF
is 'the first fails, and the rest works on nothing' 'program.failed extract' \
	"$(recorded head)"
cat >lost.sh <<'EOF'
for i in 1 2 3 4; do /bin/grep -q nothing$i /etc/passwd; done
./no-such-command
./solver --burn-ms 100
EOF
is 'answers do not hide a command that is not there' 'program.failed bash' \
	"$(recorded lost)"

### what was meant
cat >loops.sh <<'EOF'
for i in 1 2 3 4 5; do
	/bin/grep -q nothing$i /etc/passwd
	diff -q /etc/passwd /etc/group
	cmp -s /etc/passwd /etc/group
	/usr/bin/test -e /no/such/file
	if ./extract --exit $((i % 2)); then ./solver --burn-ms 150; fi
done
n=0
until ./counter --exit $((n < 3)); do n=$((n + 1)); done
true
EOF
is 'loops of questions' '' "$(recorded loops)"
is 'failures that may be answers are one line' \
	'extract 3 of 5 (status 1), counter 3 of 4 (status 1)' "$(went_on loops)"
cat >all.mk <<'EOF'
all: a b c
a:
	./solver --burn-ms 50
c:
	./solver --burn-ms 300
b:
	./extract --exit 2
EOF
if command -v make >/dev/null; then
	echo 'make -k -f all.mk; true' >keep.sh
	is 'make -k' '' "$(recorded keep)"
fi

### with a past
echo './extract --exit 3; ./counter --exit "$(cat status)"
./solver --burn-ms 300; true' >usual.sh
echo 0 >status
for run in 1 2 3 4 5 6 7 8; do
	recorded usual >/dev/null
	# A run is known by the name of its recording.
	mv "$work/usual.rec" "$work/usual.$run.rec"
	STEPWELL_HISTORY=$work/usual.sqlite "$stepwell" import --quiet \
		"$work/usual.$run.rec"
done
echo 3 >status
is 'a status that no good run had is told, once' 'run.unlike_past job' \
	"$(recorded usual)"
is 'one that each of them had is an answer' '' "$(went_on usual)"
tally
