#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell run --counters": its messages to the user, and that the command is
# not affected by any name.  Works with and without PMU and libraries.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
unset STEPWELL_PROCESSOR

# Run a command that prints that it ran, and exits with 7.
run()
{
	"$stepwell" run --no-report "$@" -- sh -c 'echo ran; exit 7' \
		>"$work/out" 2>"$work/err"
	status=$?
}

# unharmed WHAT LINES: the command ran normally, and LINES messages were written
unharmed()
{
	is "$1: the command's status" 7 "$status"
	is "$1: its output" ran "$(cat "$work/out")"
	is "$1: lines of the recorder" "$2" "$(grep -c . "$work/err")"
}

run
unharmed "no counters" 0
is "no counters: no table" "" \
	"$("$stepwell" dump "$(newest)" | grep -a 'series.counters')"
is "no counters: nobody misses them" "" \
	"$("$stepwell" dump "$(newest)" | grep -a 'counters:')"

run --counters NO_SUCH::NAME,PAPI_NO_SUCH
unharmed "unknown names" 1
yes_ "unknown names: the first is named" grep -q 'NO_SUCH::NAME: ' "$work/err"
yes_ "unknown names: so is the second" grep -q 'PAPI_NO_SUCH: ' "$work/err"
yes_ "unknown names: the profile has it, too" \
	sh -c "'$stepwell' dump '$(newest)' | grep -a 'counters: NO_SUCH'"

run --counters ,,
unharmed "only commas" 0
run --counters "$(printf 'A\033[31m::B')"
unharmed "a name with an escape" 1
is "a name with an escape: none in the line" 0 \
	"$(grep -c "$(printf '\033')" "$work/err")"
run --counters "$(printf '%0100d' 0)"
unharmed "a long name" 1
run --counters A,B,C,D,E,F,G,H,I
unharmed "nine names" 1
yes_ "nine names: the ninth is one too many" \
	grep -q 'I: at most 8' "$work/err"
run --counters PAPI_TOT_INS --papi-events-file /nonexistent.csv
unharmed "no file of presets" 1
yes_ "no file of presets: which" \
	grep -qE '/nonexistent.csv: No such file|built without libpapi' \
	"$work/err"

# Components: those that can change settings are refused, others need a reason.
run --papi-components powercap,sde,no_such_component
unharmed "components" 1
yes_ "components: powercap sets limits" \
	grep -q 'powercap: it sets limits' "$work/err"
# The command ends when the recording has two samples.
waiting=$(
	cat <<'END'
for i in $(seq 600); do
	rows=$("$1" dump "$2.part" 2>/dev/null |
		sed -n 's/^# table series.papi, .*, \([0-9]*\) rows/\1/p')
	[ "${rows:-0}" -lt 6 ] || exit 0
	sleep 0.1
done
exit 1
END
)
file=$work/components.stepwell
"$stepwell" run --no-report --output "$file" --papi-components \
	sde,no_such_component -- sh -c "$waiting" - "$stepwell" "$file" \
	2>"$work/err"
is "components: they were recorded" 0 $?
yes_ "components: the report says why one is not read" sh -c \
	"'$stepwell' report '$file' | grep 'no_such_component is not read: '"
yes_ "components: so does its JSON" sh -c "'$stepwell' report --json '$file' |
	grep -A 1 '\"name\":\"no_such_component\"' | grep 'built without'"

# The environment has no influence.
said()
{
	env STEPWELL_PROCESSOR=skx "$@" "$stepwell" run --no-report --counters \
		PAPI_DP_OPS,PAPI_L3_TCM,PAPI_NO_SUCH -- true 2>&1
}
is "a poisoned environment" "$(said)" \
	"$(said PAPI_CSV_EVENT_FILE=/nonexistent LIBPFM_FORCE_PMU=knl \
		PAPI_USER_EVENTS_FILE=/nonexistent \
		PAPI_ROCMSMI_ROOT=/nonexistent)"

# 2000 pages by a kernel event, if it can be counted.
"$stepwell" run --no-report --counters perf::PAGE-FAULTS -- \
	python3 -c 'b = bytearray(2000 * 4096)' 2>"$work/err"
file=$(newest)
count=$(column "$file" series.counters event.0 | tail -n 1)
if [ "${count:--}" = - ]; then
	echo "ok - skip: counters: $(cat "$work/err")"
else
	is "page faults of 2000 pages, at least" yes \
		"$([ "$count" -ge 2000 ] && echo yes || echo "$count")"
	is "as many in the report" "$count" "$("$stepwell" report --json \
		"$file" | grep -A 1 '"name":"perf::PAGE-FAULTS"' |
		sed -n 's/.*"value":\([0-9]*\),*/\1/p' | head -n 1)"
	yes_ "with the name in the text" sh -c \
		"'$stepwell' report '$file' | grep 'perf::PAGE-FAULTS'"
fi

tally
