#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Causes of failure: the report names the right one for programs that fail in
# known ways, and none for others.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/causes.sh"

skip()
{
	echo "# skipped: $*"
	exit 77
}

# Print the texts of a recording's findings, one a line.
told()
{
	"$stepwell" run --no-report --force --output "$work/told" -- "$@" \
		>"$work/out" 2>&1
	"$stepwell" report --json "$work/told" >"$work/json"
	query "$work/json" '"\n".join(f["sentence"] for f in r["findings"])'
}

cause()
{
	local what=$1 regex=$2 words
	shift 2
	words=$(told "$@")
	if grep -qE -- "$regex" <<<"$words"; then
		words=$regex
	fi
	is "$what" "$regex" "$words"
}

no_cause()
{
	local what=$1
	shift
	is "not the cause: $what" '' \
		"$(told "$@" | grep -E 'could not|Error')"
}

[ "$(id -u)" -eq 0 ] || skip 'failed calls are only seen as root'
"$stepwell" run --no-report --output "$work/first" -- true
[ "$(column "$work/first" steps programs_source)" = bpf ] ||
	skip 'failed calls are only seen by BPF, which is not to be had'
mkdir "$work/ways"
chmod 755 "$work/ways"
cd "$work/ways" || exit 99
prepare_causes
if [ "$(column "$work/first" steps failures_source)" = functions ]; then
	causes_of_files
else
	echo '# skipped: files; this kernel lets no function be watched'
	told python3 -c 'open("/missing/input.txt")' >/dev/null
	is 'the report names what the kernel lacks' 1 \
		"$("$stepwell" report "$work/told" | tr -s ' \n' ' ' |
			grep -c "connections (the .*kernel .*: .*)")"
fi
causes_of_others
look_alikes
STEPWELL_FAILURES=none "$stepwell" run --no-report --force \
	--output "$work/told" -- bash -c 'echo >/dev/tcp/127.0.0.1/1' 2>/dev/null
is 'none is kept where none is wanted' - \
	"$(column "$work/told" programs failed_call | tail -n 1)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
