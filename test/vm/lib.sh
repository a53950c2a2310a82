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

# The recording that record makes next: options of as-user for it, such as a
# limit, those of stepwell run, and where the workloads' truth belongs.
record_options=()
run_options=()
truth=$CASE_OUT/truth

# record NAME COMMAND...: a recording and its report, as JSON and as text
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

# query EXPRESSION: in Python, over the report r and its first step s. A float
# comes as it is, a number that is not known as None.
query()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
s = r["steps"][0]
print(eval(sys.argv[2]))' "$json" "$1" 2>&1
}

# finding ID EXPRESSION: over the finding f of that name; None without it
finding()
{
	query "next((($2) for f in r['findings'] if f['id'] == '$1'), None)"
}

# column TABLE COLUMN: its values in the profile, one a line
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

# of_truth KEY [FILE]: the last that a workload said
of_truth()
{
	tr ' ' '\n' <"${2:-$truth}" | sed -n "s/^$1=//p" | tail -n 1
}

# is_near GOT WANTED PER_CENT SLACK DESCRIPTION: whole numbers; SLACK is what
# may be missing or too much besides.
is_near()
{
	local part=$(($2 * $3 / 100 + $4))

	is_between "$1" $(($2 > part ? $2 - part : 0)) $(($2 + part)) "$5"
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
