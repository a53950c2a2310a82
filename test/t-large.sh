#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Small but expensive files of another user cost their reader little: checked
# with limits of CPU time and memory, which do not depend on the load.
# shellcheck disable=SC2154 # what verb-lib.sh sets
abs_top_srcdir=${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=test/verb-lib.sh
. "$abs_top_srcdir/test/verb-lib.sh"

cd "$work" || exit 99
mkprofile=$builddir/test/mkprofile
cpu_seconds=10
memory_kib=400000
if nm "$stepwell" 2>/dev/null | grep -q __asan_init; then
	cpu_seconds=60
	memory_kib=unlimited
fi

# large FILE KIND ROWS [AWK_OPTION...]
large()
{
	local file=$1 kind=$2 rows=$3

	shift 3
	awk -v kind="$kind" -v rows="$rows" "$@" \
		-f "$abs_top_srcdir/test/fixtures/large/large.awk" > text &&
		"$mkprofile" text "$file" || {
		echo "Bail out! mkprofile"
		exit 99
	}
}

# limited ARGUMENT...: as run, with little CPU time and memory
limited()
{
	(ulimit -t "$cpu_seconds" -v "$memory_kib"
	 exec "$stepwell" "$@" > out 2> err < /dev/null)
	status=$?
}

# fits WHAT STATUS ARGUMENT...
fits()
{
	local what=$1 want=$2

	shift 2
	limited "$@"
	check "$what" is_status "$want"
}

large events.stepwell events 3000
fits 'programs and events: a report' 0 report --no-sacct events.stepwell
check 'programs and events: as many as no recorder has' \
	grep -q '1023 more findings' out
large hangs.stepwell hangs 120000
fits 'hangs and stacks: a report' 0 report --no-sacct hangs.stepwell
large steps.stepwell steps 70000
fits 'steps: a report of what can be held' 4 \
	report --no-sacct --brief steps.stepwell
check 'steps: says how many are missing' \
	grep -q '53616 steps are too many' err

# A step among very many, other than the first, has its own rows.
large few.stepwell steps 300
fits 'a step of many: a report' 0 report --no-sacct --step 0 few.stepwell

# Holes take no disk space.
cp few.stepwell sparse.stepwell
truncate -s 1G sparse.stepwell
fits 'a sparse file: refused' 1 report --no-sacct sparse.stepwell
check 'a sparse file: why' grep -q 'most of it is holes' err

# Traps of others for root: files without content, and claims.
if [ "$(id -u)" -eq 0 ]; then
	mkdir -p profiles/65534
	printf 'profile_dir: %s\n' "$work/profiles" > settings.yaml
	chmod 755 . profiles
	(cd profiles/65534 && seq -f 'c.%.0f.1780000000.n1.stepwell' 20000 |
		xargs touch)
	large profiles/65534/c.7.1780000000.n1.stepwell steps 70000 \
		-v uid=65534 -v job=7
	head -c 1000000 /dev/zero > profiles/65534/c.8.1780000000.n1.stepwell
	chown -R 65534 profiles/65534
	[ "$memory_kib" = unlimited ] || memory_kib=120000
	fits 'empty files: root lists what is left' 0 list
	check 'empty files: one recording' test "$(grep -c . out)" -le 4
	fits 'a claim: it is not imported' 3 import
	check 'a claim: and nothing is read for that' \
		grep -q 'another user claims it' err
else
	echo 'ok - skip: what others leave for root needs root'
fi
finish
