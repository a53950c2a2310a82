# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Causes of failed programs, on a kernel that can trace functions: 5.7 and
# later.
# as: root
# timeout: 900
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"
# shellcheck source=SCRIPTDIR/../../causes.sh
. "${LIB%/*}/causes.sh"

told()
{
	record told "$@" >"$CASE_OUT/out" 2>&1
	query '"\n".join(f["sentence"] for f in r["findings"])'
}

cause()
{
	local what=$1 regex=$2
	shift 2
	matches "$(told "$@")" "$regex" "$what"
}

no_cause()
{
	local what=$1
	shift
	is "$(told "$@" | grep -E 'could not|Error')" '' "not the cause: $what"
}

ways=$(mktemp -d) || exit 1
chmod 755 "$ways"
cd "$ways" || exit 1
prepare_causes
record first true
is "$(column steps failures_source)" functions 'functions are watched'
causes_of_files
causes_of_others
look_alikes

cd / && rm -rf "$ways"
finish
