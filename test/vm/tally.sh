# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Reads what a case says of itself and of its results; for what runs cases.
# Sourced, not run. lib.sh is the other side of it.

passed=0
failed=0
skipped=0

# setting FILE NAME DEFAULT: a case says "# NAME: VALUE" in its head.
setting()
{
	local value

	value=$(sed -n "s/^# $2: //p" "$1" | head -n 1)
	echo "${value:-$3}"
}

# count SUMMARY STATUS: adds a case's last line to the totals; fails if that is
# no summary, or does not agree with the case's exit status.
count()
{
	local summary=$1 pattern
	pattern='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'

	[[ $summary =~ $pattern ]] || return 1
	passed=$((passed + BASH_REMATCH[1]))
	failed=$((failed + BASH_REMATCH[2]))
	skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
	# A case that fails and counts no failure would pass here.
	[ "$2" -eq 0 ] || [ "${BASH_REMATCH[2]}" -gt 0 ]
}
