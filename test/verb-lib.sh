# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the tests of verbs: a home folder, and a verb's output and exit
# status.  Sourced, with $abs_top_builddir set by make; prints one line per
# check.
set -u

builddir=${abs_top_builddir:-$(pwd)}
# shellcheck disable=SC2034 # for those who source this
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
stepwell=$builddir/analyzer/stepwell
work=$(mktemp -d "${TMPDIR:-/tmp}/stepwell-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

passed=0
failed=0
# Tests must not depend on this machine's settings.
LC_ALL=C TZ=UTC HOME=$work/home XDG_STATE_HOME=$work/state
XDG_CACHE_HOME=$work/cache
NO_COLOR=1 COLUMNS=80 STEPWELL_CONF=$work/settings.yaml
export LC_ALL TZ HOME XDG_STATE_HOME XDG_CACHE_HOME NO_COLOR COLUMNS STEPWELL_CONF
unset STEPWELL_LIBEXECDIR
mkdir -p "$HOME" "$XDG_CACHE_HOME" "$XDG_STATE_HOME/stepwell" "$work/no-slurm"
# Use a Slurm without jobs, not this machine's.
printf '#!/bin/sh\n' > "$work/no-slurm/sacct"
chmod 755 "$work/no-slurm/sacct"
PATH=$work/no-slurm:$PATH
echo 'rules: {}' > "$STEPWELL_CONF"

ok() {
	passed=$((passed + 1))
	echo "ok - $1"
}

not_ok() {
	failed=$((failed + 1))
	echo "not ok - $1"
	shift
	printf '%s\n' "$@" | sed 's/^/# /'
}

# check WHAT COMMAND...
check() {
	what=$1
	shift
	if "$@"; then
		ok "$what"
	else
		not_ok "$what" "failed: $*" "$(head -20 "$work/out" 2>&1)" \
			"$(head -5 "$work/err" 2>&1)"
	fi
}

# run ARGUMENT...: set status; output of stepwell in $work/out and $work/err.
run() {
	"$stepwell" "$@" > "$work/out" 2> "$work/err" < /dev/null
	status=$?
}

is_status() {
	[ "$status" = "$1" ]
}

# refuses WHAT STATUS WORDS ARGUMENT...: check the exit status, one clear line
# on stderr that contains the words, and an empty stdout.
refuses() {
	what=$1 want=$2 words=$3
	shift 3
	run "$@"
	if [ "$status" != "$want" ]; then
		not_ok "$what" "exit status $status, not $want" \
			"$(cat "$work/err")"
	elif [ "$(wc -l < "$work/err")" -ne 1 ]; then
		not_ok "$what" "not one line:" "$(cat "$work/err")"
	elif ! grep -q '^stepwell: ' "$work/err"; then
		not_ok "$what" "no sender:" "$(cat "$work/err")"
	elif ! grep -qF -e "$words" "$work/err"; then
		not_ok "$what" "lacks \"$words\":" "$(cat "$work/err")"
	elif LC_ALL=C grep -q '[^ -~]' "$work/err"; then
		not_ok "$what" "not printable:" "$(od -c "$work/err" | head)"
	elif [ -s "$work/out" ]; then
		not_ok "$what" "wrote to stdout"
	else
		ok "$what"
	fi
}

# Print the last line of a test.
finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
