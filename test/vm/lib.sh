# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the cases in the guest: results in TAP, and running a command
# as the user that the case is for.  Sourced by cases/*.sh.
#
# run-cases provides for each case
#	CASE_AS		root or alice
#	CASE_OUT	a folder that both may write; copied back to the host
# and starts it as root: a case prepares and judges as root, and uses run_as for
# the commands under test.

passed_count=0
failed_count=0
skipped_count=0
planned_count=

# plan N: the number of results of this case.
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
	# Prefix each line with #, so that a command's output is not taken for a
	# result.
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

# is_between GOT LOW HIGH DESCRIPTION: whole numbers, bounds included.
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

# run_as [OPTION OF as-user]... COMMAND...: run it as CASE_AS, alone in a fresh
# cgroup delegated to it.
run_as()
{
	local who=()

	[ "$CASE_AS" != root ] || who=(--root)
	as-user "${who[@]}" --setenv "PATH=$PATH" "$@"
}

# value_of KEY TEXT: from a kernel file with one "key value" a line.
value_of()
{
	awk -v key="$1" '$1 == key { print $2 }' <<<"$2"
}

# Settings of the next recording: options of as-user for it, such as a limit,
# options of stepwell run, and the file for the workloads' truth.
record_options=()
run_options=()
truth=$CASE_OUT/truth

# record NAME COMMAND...: make a recording and its report, as JSON and as text
record()
{
	profile=$CASE_OUT/$1.stepwell
	json=$CASE_OUT/$1.json
	text=$CASE_OUT/$1.txt
	shift
	rm -f "$truth"
	run_as "${record_options[@]}" stepwell run --no-report --force \
		"${run_options[@]}" --output "$profile" -- "$@"
	status=$?
	run_as stepwell report --json "$profile" >"$json"
	run_as stepwell report "$profile" >"$text"
}

# query EXPRESSION: in Python, on the report r and its first step s.  A float is
# printed exactly, an unknown number as None.
query()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
s = r["steps"][0]
print(eval(sys.argv[2]))' "$json" "$1" 2>&1
}

# finding ID EXPRESSION: evaluate it on the finding f of that id; None if absent
finding()
{
	query "next((($2) for f in r['findings'] if f['id'] == '$1'), None)"
}

# column TABLE COLUMN: print its values in the profile, one a line
column()
{
	run_as stepwell dump "$profile" |
		awk -F '\t' -v table="$1" -v column="$2" '
		/^# table / { split($0, word, /[ ,]/)
			      is_here = word[3] == table; is_head = 1; next }
		/^$/ { is_here = 0 }
		is_here && is_head { for (i = 1; i <= NF; i++)
					     if ($i == column) n = i
				     is_head = 0; next }
		is_here && n { print $n }'
}

# of_truth KEY [FILE]: print the last value written by a workload
of_truth()
{
	tr ' ' '\n' <"${2:-$truth}" | sed -n "s/^$1=//p" | tail -n 1
}

# is_near GOT WANTED PER_CENT SLACK DESCRIPTION: whole numbers; SLACK is an
# additional absolute tolerance.
is_near()
{
	local part=$(($2 * $3 / 100 + $4))

	is_between "$1" $(($2 > part ? $2 - part : 0)) $(($2 + part)) "$5"
}

# Print the last line of a case; its status is that of the case.
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
