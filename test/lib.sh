# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the tests of "stepwell run": counting, and reading profiles.
# Sourced, with $abs_top_builddir set by make.
: "${abs_top_builddir:=$PWD}"
# others COMMAND...: run it as the users that the tests of root switch to
others()
{
	[ "$(id -u)" -ne 0 ] || setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$@"
}
others test -x "${TMPDIR:-/tmp}" || TMPDIR=/tmp
work=$(mktemp -d "${TMPDIR:-/tmp}/stepwell-test.XXXXXX") || exit 99
chmod 755 "$work"
# Copy what others run, if they cannot enter this tree.
if ! others test -x "$abs_top_builddir"; then
	mkdir "$work/built"
	(cd "$abs_top_builddir" && find config.h Makefile packaging analyzer contrib man \
		recorder slurmdb spank test \( -path test/unit -o -name .deps \) \
		-prune -o -type f \( -name '*.bpf.o' -o \
		! -name '*.[ao]' ! -name '*.log' \) -print0 |
		xargs -0 cp --parents -t "$work/built") || exit 99
	abs_top_builddir=$work/built
fi
stepwell=${STEPWELL:-$abs_top_builddir/analyzer/stepwell}
export XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
mkdir "$XDG_CACHE_HOME"
passed=0
failed=0

clean()
{
	rm -rf "$work"
}
trap clean EXIT

# is WHAT EXPECTED GOT
is()
{
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
		echo "ok - $1"
	else
		failed=$((failed + 1))
		echo "not ok - $1"
		diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") |
			sed 's/^</#   expected:/; s/^>/#   got:     /; s/^[^#]/# &/'
	fi
}

# yes WHAT COMMAND...: COMMAND must succeed
yes_()
{
	local what=$1
	shift
	"$@" >/dev/null 2>&1
	is "$what" 0 $?
}

# Print the newest profile of the folder.
newest()
{
	find "${1:-$XDG_STATE_HOME/stepwell}" -name '*.stepwell' \
		-printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-
}

# column FILE TABLE COLUMN: print its values, one a line
column()
{
	"$stepwell" dump "$1" | awk -F '\t' -v table="$2" -v column="$3" '
		/^# table / { split($0, word, /[ ,]/); here = word[3] == table
			      header = 1; next }
		/^$/ { here = 0 }
		here && header { for (i = 1; i <= NF; i++)
					if ($i == column) n = i
				 header = 0; next }
		here && n { print $n }'
}

# events FILE KIND COLUMN
events()
{
	paste <(column "$1" events kind) <(column "$1" events "$3") |
		awk -F '\t' -v kind="$2" '$1 == kind { print $2 }'
}

# List cgroups of recorders that have exited; without "all" only those of this
# test, whose numbers are in the names of their profiles.
stale()
{
	find /sys/fs/cgroup -maxdepth 6 -type d -name 'stepwell-*' 2>/dev/null |
		while read -r folder; do
			pid=${folder##*/stepwell-}
			pid=${pid%%-*}
			[ -e "/proc/$pid" ] && continue
			[ "${1-}" = all ] ||
				[ -n "$(find "$work" -name "run.$pid.*")" ] &&
				echo "$folder"
		done
}

# await COMMAND...: retry until it succeeds, whatever the load of the machine;
# gives up after five minutes
await()
{
	local end=$((SECONDS + 300))

	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}

# gone PID: the process has been waited for
gone()
{
	! kill -0 "$1" 2>/dev/null
}

# query FILE EXPRESSION: evaluate it on a JSON report, r, and its first step, s
query()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
s = r["steps"][0]
print(eval("(" + sys.argv[2] + ")"))' "$@" 2>&1
}

# Print the core seconds stolen by the hypervisor since boot.  They are charged
# to a program that exits within a tick, since the kernel hides them until it
# has accounted the tick: a CPU time may be too large by up to that much.
stolen_seconds()
{
	awk -v hz="$(getconf CLK_TCK)" \
		'$1 == "cpu" { print $9 / hz }' /proc/stat
}

# between WHAT LOW HIGH GOT: compare numbers
between()
{
	if awk -v low="$2" -v high="$3" -v got="$4" 'BEGIN {
		exit !(got ~ /^[0-9.e+-]+$/ && got + 0 >= low + 0 &&
		       got + 0 <= high + 0) }'; then
		passed=$((passed + 1))
		echo "ok - $1: $4"
	else
		failed=$((failed + 1))
		echo "not ok - $1"
		echo "#   expected: $2 to $3"
		echo "#   got:      $4"
	fi
}

# is_sanitized PROGRAM: its runtime reads files and allocates memory
is_sanitized()
{
	nm "$1" 2>/dev/null | grep -q __asan
}

# tally: print the summary and return the status
tally()
{
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}

# Are pids here those of the initial namespace, as BPF reports them?
has_first_pids()
{
	[ "$(stat -Lc %i /proc/self/ns/pid)" = 4026531836 ]
}

# Does the kernel send exit events to every user? Determined without stepwell:
# Linux 6.6 and later do, in the initial namespaces; those listed become silent
# (common/exit_socket.h).
tells_exits()
{
	local release broken
	release=$(uname -r | grep -oE '^[0-9]+\.[0-9]+(\.[0-9]+)?')
	for broken in 6.6.1{3,4,5,6,7} 6.7.{1,2,3,4,5}; do
		[ "$release" != "$broken" ] || return 1
	done
	printf '%s\n' 6.6 "$release" | sort -VC &&
		grep -q '^cn_proc ' /proc/net/connector 2>/dev/null &&
		[ "$(stat -Lc %i /proc/self/ns/user)" = 4026531837 ] &&
		has_first_pids
}
