# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of "stepwell run" share: counting, and looking at profiles.
# Sourced, with $abs_top_builddir set by make.
: "${abs_top_builddir:=$PWD}"
# others COMMAND...: as users whom the tests of root become
others()
{
	[ "$(id -u)" -ne 0 ] || setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$@"
}
others test -x "${TMPDIR:-/tmp}" || TMPDIR=/tmp
work=$(mktemp -d "${TMPDIR:-/tmp}/stepwell-test.XXXXXX") || exit 99
chmod 755 "$work"
# From a tree that others cannot enter they get what they run.
if ! others test -x "$abs_top_builddir"; then
	mkdir "$work/built"
	(cd "$abs_top_builddir" && find config.h Makefile packaging analyzer contrib \
		recorder slurmdb spank test \( -path test/unit -o -name .deps \) \
		-prune -o -type f \( -name '*.bpf.o' -o \
		! -name '*.[ao]' ! -name '*.log' \) -print0 |
		xargs -0 cp --parents -t "$work/built") || exit 99
	abs_top_builddir=$work/built
fi
stepwell=${STEPWELL:-$abs_top_builddir/analyzer/stepwell}
export XDG_STATE_HOME=$work/state
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

# yes WHAT COMMAND...: it succeeds
yes_()
{
	local what=$1
	shift
	"$@" >/dev/null 2>&1
	is "$what" 0 $?
}

# The newest profile of the folder; the columns and rows of a table of it.
newest()
{
	find "${1:-$XDG_STATE_HOME/stepwell}" -name '*.stepwell' \
		-printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-
}

# column FILE TABLE COLUMN: its values, one a line
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

# Cgroups of recorders that are no more; without "all" those of this test,
# whose numbers are in the names of their profiles.
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

# await COMMAND...: until it succeeds, however loaded the machine is; what
# never happens is given up after five minutes
await()
{
	local end=$((SECONDS + 300))

	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}

# gone PID: it has ended, and its parent knows
gone()
{
	! kill -0 "$1" 2>/dev/null
}

# query FILE EXPRESSION: of a report as JSON, r, and of its first step, s
query()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
s = r["steps"][0]
print(eval("(" + sys.argv[2] + ")"))' "$@" 2>&1
}

# Core seconds that a hypervisor has taken of this machine since its boot.  A
# program that ends within a tick has them counted to it, as the kernel lets
# nobody see them before it does its sums: up to that much may be too much.
stolen_seconds()
{
	awk -v hz="$(getconf CLK_TCK)" \
		'$1 == "cpu" { print $9 / hz }' /proc/stat
}

# between WHAT LOW HIGH GOT: all of them numbers
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

# is_sanitized PROGRAM: its run time reads files and takes memory of its own
is_sanitized()
{
	nm "$1" 2>/dev/null | grep -q __asan
}

# tally: the runner's last line, and its status
tally()
{
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}

# Are pids here those of the first namespace, as BPF has them?
has_first_pids()
{
	[ "$(stat -Lc %i /proc/self/ns/pid)" = 4026531836 ]
}

# Does the kernel tell every user how processes end?  Found without asking
# stepwell: Linux 6.6 and later do, in the first namespaces; those in between
# fall silent (common/exit_socket.h).
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
