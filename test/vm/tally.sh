# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Read the settings and results of a case; for scripts that run cases.  Sourced,
# not run.  The counterpart of lib.sh.

passed=0
failed=0
skipped=0

# setting FILE NAME DEFAULT: print the value of "# NAME: VALUE" in a case's
# head.
setting()
{
	local value

	value=$(sed -n "s/^# $2: //p" "$1" | head -n 1)
	echo "${value:-$3}"
}

# count SUMMARY STATUS: add a case's last line to the totals; fails if that is
# no summary, or contradicts the case's exit status.
count()
{
	local summary=$1 pattern
	pattern='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'

	[[ $summary =~ $pattern ]] || return 1
	passed=$((passed + BASH_REMATCH[1]))
	failed=$((failed + BASH_REMATCH[2]))
	skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
	# A case that fails without counting a failure must not pass.
	[ "$2" -eq 0 ] || [ "${BASH_REMATCH[2]}" -gt 0 ]
}
