# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the cases in the guest share: results in TAP, and a way to run a command
# as the user that the case is to be shown for. Sourced by cases/*.sh.
#
# run-cases gives each case
#	CASE_AS		root or alice
#	CASE_OUT	a folder that both may write; it comes back to the host
# and starts it as root: a case prepares and judges as root, and runs what is
# judged by run_as.

passed_count=0
failed_count=0
skipped_count=0
planned_count=

# plan N: how many results this case will give.
plan()
{
	planned_count=$1
	echo "1..$1"
}

pass()
{
	passed_count=$((passed_count + 1))
	echo "ok - $*"
}

fail()
{
	failed_count=$((failed_count + 1))
	echo "not ok - $*"
}

# skip REASON DESCRIPTION
skip()
{
	skipped_count=$((skipped_count + 1))
	echo "ok - $2 # SKIP $1"
}

diag()
{
	# One # for each line: what a command printed must not read as a result.
	printf '%s\n' "$*" | sed 's/^/# /'
}

# check DESCRIPTION COMMAND...: passes if the command succeeds.
check()
{
	local description=$1 output
	shift

	if output=$("$@" 2>&1); then
		pass "$description"
	else
		fail "$description"
		diag "failed: $*"
		[ -z "$output" ] || diag "$output"
	fi
}

# is GOT WANTED DESCRIPTION
is()
{
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3"
		diag "wanted: $2"
		diag "   got: $1"
	fi
}

# is_between GOT LOW HIGH DESCRIPTION: whole numbers, both ends belong to it.
is_between()
{
	if [[ $1 =~ ^[0-9]+$ ]] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; then
		pass "$4"
	else
		fail "$4"
		diag "wanted: $2 to $3"
		diag "   got: $1"
	fi
}

# matches TEXT REGEX DESCRIPTION: an extended regular expression, line by line.
matches()
{
	if grep -qE -- "$2" <<<"$1"; then
		pass "$3"
	else
		fail "$3"
		diag "wanted a line like: $2"
		diag "$1"
	fi
}

# run_as [OPTION OF as-user]... COMMAND...: as CASE_AS, alone in a fresh cgroup
# that is delegated to it.
run_as()
{
	local who=()

	[ "$CASE_AS" != root ] || who=(--root)
	as-user "${who[@]}" --setenv "PATH=$PATH" "$@"
}

# value_of KEY TEXT: of the kernel's files with one "key value" a line.
value_of()
{
	awk -v key="$1" '$1 == key { print $2 }' <<<"$2"
}

# The last line of a case; its status is that of the case.
finish()
{
	local total=$((passed_count + failed_count + skipped_count))
	local skipped=

	if [ -n "$planned_count" ] && [ "$planned_count" -ne $total ]; then
		fail "$planned_count results were planned, $total were given"
	fi
	[ $skipped_count -eq 0 ] || skipped=", $skipped_count skipped"
	echo "$passed_count passed, $failed_count failed$skipped"
	[ $failed_count -eq 0 ]
}
